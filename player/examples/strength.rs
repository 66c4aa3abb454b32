//! What each part of the search is worth: matches between two variants of `uct`, with the same processor time for each move, so that other
//! work on the machine does not matter, or with the same number of ways down the tree, so that nothing but the seeds does.
//!
//! ```console
//! $ cargo run --profile test -p groundfrog-player --example strength -- benches/strength/parts.json results.jsonl FOLDER...
//! ```
//!
//! Games are looked for in the folders, then in the corpus. Each match that has ended is a line of the results; a run that is begun again
//! goes on after them. At the end there is a table.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use groundfrog::{Description, ParseOptions, RoleId, Stop};
use groundfrog_player::machine::{Machine, MachineLimits, SharedRules, machine};
use groundfrog_player::search::{Auto, SearchParts, Uct};
use groundfrog_player::strategy::{Sampler, Strategy, StrategyOptions, Turn};
use groundfrog_reasoner::{MoveId, State};
use serde::{Deserialize, Serialize};

/// Joint moves after which a match is given up as a draw.
const LONGEST: usize = 400;

/// Processor time of this thread since it began, in nanoseconds.
#[cfg(unix)]
fn processor_time() -> u64 {
    let time = nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID);
    time.map_or(0, |it| it.tv_sec() as u64 * 1_000_000_000 + it.tv_nsec() as u64)
}

/// Where the system tells no processor time of threads: time on the wall.
#[cfg(not(unix))]
fn processor_time() -> u64 {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Processor time of a thread, in nanoseconds since it began, after which it is to stop.
#[derive(Debug)]
struct Budget(AtomicU64);

impl Default for Budget {
    fn default() -> Self {
        Budget(AtomicU64::new(u64::MAX))
    }
}

impl Budget {
    /// Gives so many seconds of processor time to the thread that calls.
    fn give(&self, seconds: f64) {
        let end = processor_time() as f64 + seconds * 1e9;
        self.0.store(end as u64, Ordering::Relaxed);
    }
}

impl Stop for Budget {
    fn is_raised(&self) -> bool {
        processor_time() >= self.0.load(Ordering::Relaxed)
    }
}

/// What is to be played.
#[derive(Deserialize)]
struct Plan {
    games: Vec<String>,
    /// Matches of each pair in each game, in turn in either seat.
    matches: u64,
    /// Ways down the tree for a move; without it only the time counts.
    ways: Option<u64>,
    /// Seconds of processor time for a move, and for the start.
    #[serde(default)]
    seconds: Option<(f64, f64)>,
    seed: u64,
    pairs: Vec<Pair>,
}

/// Two variants. A variant is the names of its parts with blanks between them: `all`, `none`, `+PART`, `-PART` (look-ahead, avoidance, urgency, decisive, blocking, shared,
/// knowledge), `exploration=X`, `ways=N`, `threads=N` (where ways are given), `times=X` for so many times the seconds of a move, and `alphabeta`, `auto` or `mcts` for other strategies.
#[derive(Deserialize)]
struct Pair {
    one: String,
    other: String,
}

/// A match that has ended.
#[derive(Clone, Serialize, Deserialize)]
struct Played {
    one: String,
    other: String,
    game: String,
    number: u64,
    /// Points of the first variant, 0 to 1.
    points: f64,
    turns: usize,
    /// By variant: seconds of processor time, playouts, and states in the tree after each move.
    seconds: [f64; 2],
    playouts: [u64; 2],
    nodes: [u64; 2],
}

/// What plays.
struct Variant {
    parts: SearchParts,
    ways: u64,
    threads: usize,
    /// How many times the seconds of a move it has.
    times: f64,
}

fn variant(text: &str, ways: u64) -> Result<Variant, Box<dyn Error>> {
    let mut variant = Variant { parts: SearchParts::default(), ways, threads: 1, times: 1.0 };
    let Variant { parts, ways, threads, times } = &mut variant;
    for word in text.split_whitespace() {
        match word.split_once('=') {
            Some(("exploration", number)) => parts.exploration = number.parse()?,
            Some(("ways", number)) => *ways = number.parse()?,
            Some(("threads", number)) => *threads = number.parse()?,
            Some(("times", number)) => *times = number.parse()?,
            None if ["alphabeta", "auto", "mcts"].contains(&word) => {}
            None if word == "all" => *parts = SearchParts::default(),
            None if word == "none" => *parts = SearchParts::none(),
            _ => {
                let (sign, name) = word.split_at(1);
                let part = match name {
                    "look-ahead" => &mut parts.look_ahead,
                    "avoidance" => &mut parts.avoidance,
                    "blocking" => &mut parts.blocking,
                    "decisive" => &mut parts.decisive,
                    "knowledge" => &mut parts.knowledge,
                    "shared" => &mut parts.shared,
                    "urgency" => &mut parts.urgency,
                    _ => return Err(format!("there is no part `{name}`").into()),
                };
                *part = sign == "+";
            }
        }
    }
    Ok(variant)
}

fn description(game: &str, folders: &[String]) -> Result<Arc<Description>, Box<dyn Error>> {
    let paths = folders.iter().map(|it| Path::new(it).join(format!("{game}.kif")));
    let text = match paths.into_iter().find(|it| it.exists()) {
        Some(path) => fs::read_to_string(path)?,
        None => groundfrog_corpus::game(game)
            .ok_or(format!("there is no game `{game}`"))?
            .text
            .to_string(),
    };
    Ok(Arc::new(Description::parse(text.as_bytes(), &ParseOptions::default())?))
}

/// A game of two roles, and its ground rules.
struct Game {
    description: Arc<Description>,
    rules: SharedRules,
    reasoner: Machine,
}

fn play(
    game: &mut Game,
    plan: &Plan,
    pair: &Pair,
    name: &str,
    number: u64,
) -> Result<Played, Box<dyn Error>> {
    let swap = (number % 2) as usize;
    let roles: Vec<String> = (0..2).map(|it| game.reasoner.role_text(RoleId(it))).collect();
    let texts = [&pair.one, &pair.other];
    let mut players: Vec<(Box<dyn Strategy>, f64)> = Vec::new();
    let budget = Arc::new(Budget::default());
    let (for_move, for_start) = plan.seconds.unwrap_or((f64::MAX, f64::MAX));
    for (seat, role) in roles.iter().enumerate() {
        let text = texts[seat ^ swap];
        let Variant { parts, ways, threads, times } = variant(text, plan.ways.unwrap_or(u64::MAX))?;
        let seed = plan.seed + 2 * (number / 2) + 1000 * seat as u64;
        let options = StrategyOptions {
            seed,
            parts,
            threads,
            rules: game.rules.clone(),
            stop: Some(Arc::clone(&budget) as Arc<dyn Stop>),
            ..StrategyOptions::default()
        };
        let description = Arc::clone(&game.description);
        let mut player: Box<dyn Strategy> = if text.contains("alphabeta") {
            Box::new(Auto::alpha_beta(description, role, options).with_most(ways))
        } else if text.contains("auto") {
            Box::new(Auto::new(description, role, options).with_most(ways))
        } else if text.contains("mcts") {
            Box::new(Sampler::monte_carlo(description, role, options))
        } else {
            Box::new(Uct::new(description, role, options).with_most(ways))
        };
        budget.give(for_start);
        player.prepare(Instant::now() + Duration::from_secs(600))?;
        budget.give(f64::MAX);
        players.push((player, times));
    }
    let mut state = game.reasoner.initial().clone();
    let (mut seconds, mut playouts, mut nodes, mut turns) = ([0.0; 2], [0; 2], [0; 2], 0);
    while !game.reasoner.is_terminal(&state)? && turns < LONGEST {
        let (mut moves, mut made): (Vec<MoveId>, Vec<String>) = (Vec::new(), Vec::new());
        for (seat, (player, times)) in players.iter_mut().enumerate() {
            let begin = processor_time();
            budget.give(for_move * *times);
            let decision = player.choose(Instant::now() + Duration::from_secs(600))?;
            budget.give(f64::MAX);
            seconds[seat ^ swap] += (processor_time() - begin) as f64 / 1e9;
            nodes[seat ^ swap] += decision.nodes;
            playouts[seat ^ swap] += decision.playouts;
            let found = game.reasoner.find_move(RoleId(seat as u32), &decision.action);
            moves.push(found.ok_or("a move that is not known")?);
            made.push(decision.action);
        }
        for (player, _) in &mut players {
            player.observe(&Turn::Moves(made.clone()))?;
        }
        let mut next = State::default();
        game.reasoner.next_state(&state, &moves, &mut next)?;
        state = next;
        turns += 1;
    }
    let mut points = 0.5;
    if game.reasoner.is_terminal(&state)? {
        let mut goals = [0, 0];
        for (seat, goal) in goals.iter_mut().enumerate() {
            let mut values = Vec::new();
            game.reasoner.goal_values(&state, RoleId(seat as u32), &mut values)?;
            *goal = values.first().copied().unwrap_or_default();
        }
        points = 0.5 + 0.5 * (goals[swap] - goals[1 - swap]).signum() as f64;
    }
    let (one, other) = (pair.one.clone(), pair.other.clone());
    Ok(Played {
        one,
        other,
        game: name.to_owned(),
        number,
        points,
        turns,
        seconds,
        playouts,
        nodes,
    })
}

/// Points by game for each pair, and Elo of all.
fn table(plan: &Plan, played: &[Played]) {
    for pair in &plan.pairs {
        let of_pair: Vec<&Played> =
            played.iter().filter(|it| it.one == pair.one && it.other == pair.other).collect();
        let mut games: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for it in &of_pair {
            let sum = games.entry(&it.game).or_default();
            *sum = (sum.0 + it.points, sum.1 + 1.0);
        }
        let count = of_pair.len() as f64;
        let mean = of_pair.iter().map(|it| it.points).sum::<f64>() / count.max(1.0);
        let elo = |mean: f64| 400.0 * (mean / (1.0 - mean)).log10();
        let spread = (mean * (1.0 - mean) / count.max(1.0)).sqrt() * 1.96;
        println!(
            "{} : {}: {mean:.3} +- {spread:.3} of {count}, Elo {:.0} ({:.0} to {:.0})",
            pair.one,
            pair.other,
            elo(mean),
            elo(mean - spread),
            elo(mean + spread)
        );
        let each: Vec<String> =
            games.iter().map(|(game, it)| format!("{game} {:.1}/{}", it.0, it.1)).collect();
        println!("  {}", each.join(", "));
        let price = |player: usize| {
            let seconds: f64 = of_pair.iter().map(|played| played.seconds[player]).sum();
            let playouts: u64 = of_pair.iter().map(|played| played.playouts[player]).sum();
            let nodes: u64 = of_pair.iter().map(|played| played.nodes[player]).sum();
            (1e6 * seconds / playouts.max(1) as f64, 1e6 * seconds / nodes.max(1) as f64)
        };
        let (one, other) = (price(0), price(1));
        println!("  microseconds a playout: {:.2} and {:.2}", one.0, other.0);
        println!("  microseconds a state in the tree: {:.2} and {:.2}", one.1, other.1);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [plan, results, folders @ ..] = &arguments[..] else {
        return Err("want: PLAN RESULTS FOLDER...".into());
    };
    let plan: Plan = serde_json::from_str(&fs::read_to_string(plan)?)?;
    let known = fs::read_to_string(results).unwrap_or_default();
    let mut played: Vec<Played> =
        known.lines().filter_map(|it| serde_json::from_str(it).ok()).collect();
    let key = |it: &Played| (it.one.clone(), it.other.clone(), it.game.clone(), it.number);
    let done: BTreeSet<_> = played.iter().map(key).collect();
    let mut file = OpenOptions::new().create(true).append(true).open(results)?;
    let mut games: BTreeMap<&str, Game> = BTreeMap::new();
    for name in &plan.games {
        let description = description(name, folders)?;
        let reasoner = machine(&description, &MachineLimits::default())?;
        games.insert(name, Game { description, rules: SharedRules::default(), reasoner });
    }
    // In rounds, so that a run that is cut short tells of all pairs and games alike.
    for number in 0..plan.matches {
        for name in &plan.games {
            for pair in &plan.pairs {
                let key = (pair.one.clone(), pair.other.clone(), name.clone(), number);
                if done.contains(&key) {
                    continue;
                }
                let game = games.get_mut(name.as_str()).expect("all games are there");
                let it = play(game, &plan, pair, name, number)?;
                writeln!(file, "{}", serde_json::to_string(&it)?)?;
                played.push(it);
            }
        }
    }
    table(&plan, &played);
    Ok(())
}
