//! UCT (Kocsis & Szepesvári, "Bandit based Monte-Carlo planning", 2006).

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

use groundfrog::Description;
use groundfrog_reasoner::{MoveId, Random, State};

use super::BEST;
use super::playouts::{Batch, SetUp};
use super::stage_game::drawn;
use super::tree::Tree;
use super::ways::{End, Way};
use super::workers::Workers;
use crate::clock::Until;
use crate::machine::Machine;
use crate::position::Position;
use crate::strategy::{
    CandidateMove, Decision, Followed, Strategy, StrategyError, StrategyOptions, Turn,
};

/// Searches the graph of the states that it meets, from turn to turn. Where a role does not see the state, each way down
/// begins at one of those that agree with what it saw.
///
/// The ends of ways are evaluated together: by playouts in lanes where the game has them, and in as many threads as the options
/// say. With one number of threads and [`Uct::with_most`], the same seed gives the same decision. Until the game is ground, moves are
/// chosen by rules with variables, each with a search of its own.
pub struct Uct {
    followed: Followed,
    search: Option<Search>,
    /// Ways down the tree that a decision may take: `None` lets the time alone decide.
    most: Option<u64>,
}

/// What is kept from one decision to the next one.
struct Search {
    tree: Tree,
    workers: Workers,
}

/// Ways that were given out for evaluation together.
type Round = Vec<Way>;

/// Later than anything ends.
const LONG: Duration = Duration::from_secs(1 << 30);

impl Uct {
    /// For a role of a game.
    pub fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        Uct { followed: Followed::new(description, role, options), search: None, most: None }
    }

    /// Lets each decision take so many ways down the tree at most, so that it does not depend on the time.
    pub fn with_most(self, most: u64) -> Self {
        Uct { most: Some(most), ..self }
    }

    /// The position, if it is known by a moment.
    pub(super) fn position(&self, until: Instant) -> Result<Option<Position>, StrategyError> {
        let until = if self.most.is_some() { Instant::now() + LONG } else { until };
        self.followed.position(until)
    }

    /// A tree without nodes, and what evaluates its leaves.
    fn begin(&self, machine: &Machine, within: SetUp) -> Result<Search, StrategyError> {
        let StrategyOptions { memory, threads, .. } = self.followed.options;
        // A quarter of the memory is for lanes, and another one for all else.
        let tree = Tree::new(machine, memory.map_or(1 << 31, |it| it / 2));
        let of_lanes = memory.map(|it| it / 4);
        let within = if self.most.is_some() { SetUp::Untimed } else { within };
        Ok(Search { tree, workers: Workers::new(machine, threads, &within, of_lanes)? })
    }

    /// Searches by the rules of a position, as long as there is time and there are no better rules.
    fn decide(
        &mut self,
        position: &mut Position,
        until: &Until,
    ) -> Result<Decision, StrategyError> {
        let legal = position.legal()?.moves;
        if legal.is_empty() {
            return Err(StrategyError::NoMove { role: self.followed.role.clone() });
        }
        let kept = self.search.take();
        let mut search = match kept {
            Some(search) => search,
            None => self.begin(position.machine(), SetUp::Scalar)?,
        };
        let mut random = self.followed.random.clone();
        let states = [position.state().clone()];
        search.tree.keep(&states);
        let roots: Vec<u32> = states.iter().filter_map(|it| search.tree.node(it, true)).collect();
        search.tree.stage = None;
        if let [root] = roots[..] {
            search.tree.begin_at(root, position.machine())?;
        }
        let mut run = Run {
            tree: &mut search.tree,
            position,
            workers: &mut search.workers,
            random: &mut random,
            roots,
            until: until.clone(),
            left: self.most.unwrap_or(u64::MAX),
            longest: Duration::ZERO,
            playouts: 0,
        };
        if legal.len() > 1 || self.followed.options.ponders {
            // What was found in time counts.
            run.search().or_else(|error| if error.is_late() { Ok(()) } else { Err(error) })?;
        }
        let (roots, playouts) = (run.roots, run.playouts);
        let decision = decide(position, &search.tree, &roots, &legal, &mut random);
        self.followed.random = random;
        // Rules with variables number fluents anew in each turn.
        self.search = position.machine().ground().is_some().then_some(search);
        Ok(Decision { playouts, ..decision })
    }
}

impl Strategy for Uct {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        let begin = Instant::now();
        self.followed.prepare(deadline)?;
        // Setting up takes about as long as grounding at most.
        let is_time = deadline.saturating_duration_since(Instant::now()) > begin.elapsed();
        if is_time
            && self.followed.is_ground()
            && let Some(mut position) = self.position(deadline)?
        {
            let until = Until::new(Some(deadline), self.followed.options.stop.clone());
            self.search = Some(self.begin(position.machine(), SetUp::Until(until))?);
        }
        Ok(())
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        let timed = self.most.is_none().then_some(deadline);
        let until = Until::new(timed, self.followed.options.stop.clone());
        loop {
            let Some(mut position) = self.position(deadline)? else {
                return self.followed.guess();
            };
            let decision = self.decide(&mut position, &until)?;
            let is_ground = position.machine().ground().is_some();
            let has_choice = decision.candidates.len() > 1;
            // The ground rules have come while others were at work.
            if is_ground || !has_choice || !self.followed.is_ground() || until.is_over() {
                return Ok(decision);
            }
        }
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.followed.observe(turn)
    }
}

/// The search for one decision.
struct Run<'run> {
    tree: &'run mut Tree,
    position: &'run mut Position,
    workers: &'run mut Workers,
    random: &'run mut Random,
    roots: Vec<u32>,
    until: Until,
    /// Ways that may still be taken.
    left: u64,
    /// The longest that a round has taken.
    longest: Duration,
    playouts: u64,
}

/// What is kept free before the deadline is not more than this.
const MOST_RESERVE: Duration = Duration::from_millis(20);

impl Run<'_> {
    /// Searches as long as there is something to find out and time.
    fn search(&mut self) -> Result<(), StrategyError> {
        let mut rounds: VecDeque<Round> = VecDeque::new();
        let mut result = Ok(());
        while result.is_ok() && self.goes_on() {
            let begin = Instant::now();
            self.tree.is_closed = self.until.is_tight();
            result = self.round(&mut rounds);
            // A step of rules with variables may take long: what was seen of it is kept free before the deadline.
            self.longest = self.longest.max(begin.elapsed()).min(MOST_RESERVE);
        }
        while !rounds.is_empty() {
            result = result.and(self.take(&mut rounds));
        }
        result
    }

    fn goes_on(&self) -> bool {
        let role = self.position.role().index();
        let is_proven = match self.roots[..] {
            [root] => {
                let bounds = self.tree.nodes[root as usize].bounds[role];
                bounds.0 == bounds.1
            }
            _ => false,
        };
        !is_proven && self.left > 0 && !self.until.is_over_in(self.longest)
    }

    /// Gives out leaves, and takes those back that were given out first.
    fn round(&mut self, rounds: &mut VecDeque<Round>) -> Result<(), StrategyError> {
        let (ways, leaves, result) = self.collect();
        if !leaves.is_empty() {
            let batch = Batch { leaves, seed: self.random.next_word(), until: self.until.clone() };
            self.workers.give(batch, self.position.machine());
            rounds.push_back(ways);
        }
        result?;
        if rounds.len() >= self.workers.most_given() {
            self.take(rounds)?;
        }
        Ok(())
    }

    /// Goes down until there are leaves enough. Ways that end where all is proven need no evaluation.
    fn collect(&mut self) -> (Round, Vec<State>, Result<(), StrategyError>) {
        let (mut ways, mut leaves) = (Round::new(), Vec::new());
        let most = self.workers.leaves();
        let mut taken = 0;
        while leaves.len() < most && taken < 4 * most && self.goes_on() {
            taken += 1;
            let root = self.roots[self.random.below(self.roots.len() as u32) as usize];
            let (way, end) = match self.tree.descend(root, self.position.machine(), self.random) {
                Ok(found) => found,
                Err(fault) => return (ways, leaves, Err(fault)),
            };
            self.left -= 1;
            match end {
                End::Proven => {
                    let values = self.tree.proven(&way);
                    self.tree.pass_up(&way, Some(&values));
                }
                End::Leaf(leaf) => {
                    ways.push(way);
                    leaves.push(leaf);
                }
            }
        }
        (ways, leaves, Ok(()))
    }

    /// Passes up what came of the leaves that were given out first.
    fn take(&mut self, rounds: &mut VecDeque<Round>) -> Result<(), StrategyError> {
        let Some(ways) = rounds.pop_front() else { return Ok(()) };
        let outcome = self.workers.take();
        let values = outcome.as_ref().ok().and_then(Option::as_ref);
        self.playouts += values.map_or(0, |it| it.playouts);
        let roles = self.tree.roles;
        for (leaf, way) in ways.iter().enumerate() {
            let own = values.map(|it| &it.values[leaf * roles..(leaf + 1) * roles]);
            self.tree.pass_up(way, own);
        }
        outcome.map(drop)
    }
}

/// The move that was tried most, of those that are not proven to be worse than another.
/// Where several choose at once, one drawn from the mean strategy, so that others cannot tell which.
fn decide(
    position: &mut Position,
    tree: &Tree,
    roots: &[u32],
    legal: &[MoveId],
    random: &mut Random,
) -> Decision {
    let role = position.role().index();
    let mut tried: Vec<(u64, f64)> = vec![(0, 0.0); legal.len()];
    for &root in roots {
        let moves = tree.nodes[root as usize].moves.get(role);
        for one in moves.into_iter().flatten() {
            if let Ok(index) = legal.binary_search(&one.it) {
                tried[index].0 += u64::from(one.visits);
                tried[index].1 += one.sum;
            }
        }
    }
    let known = |index: usize| match roots {
        [root] => tree.bounds_of(*root, role, index),
        _ => (0.0, 100.0),
    };
    let lower = (0..legal.len()).map(|it| known(it).0).fold(0.0, f64::max);
    let mean = |it: usize| (tried[it].0 > 0).then(|| tried[it].1 / tried[it].0 as f64);
    let worth =
        |it: usize| mean(it).map_or(f64::NEG_INFINITY, |mean| mean.clamp(known(it).0, known(it).1));
    let good = (0..legal.len()).filter(|&it| known(it).1 >= lower);
    let top = best_upper(legal.len(), &known);
    // A move that is proven to be best comes before one that only seems so.
    let is_best = |it: usize| lower > 0.0 && known(it).0 >= lower && lower >= top;
    // Where all is proven but no win, others may still err: the move after which they did so most in playouts.
    let is_decided = lower >= top && lower < BEST;
    let hope = |it: usize| if is_decided { mean(it).unwrap_or(0.0) } else { 0.0 };
    let chosen = good.max_by(|&one, &other| {
        (is_best(one).cmp(&is_best(other)))
            .then(hope(one).total_cmp(&hope(other)))
            .then(tried[one].0.cmp(&tried[other].0))
            .then(worth(one).total_cmp(&worth(other)))
            .then(other.cmp(&one))
    });
    let mixed = tree.stage.as_ref().map(|(_, stage)| stage.mean(role));
    let mixed = mixed.filter(|mean| mean.len() == legal.len() && legal.len() > 1);
    let chosen = match mixed {
        Some(mean) => drawn(&mean, random),
        None => chosen.unwrap_or(0),
    };
    let bounds = known(chosen);
    let proven = bounds.0 == bounds.1 && bounds.0 >= top;
    let line = match roots {
        [root] => tree.line(*root),
        _ => Vec::new(),
    };
    let machine = position.machine();
    let mut candidates: Vec<CandidateMove> = (0..legal.len())
        .map(|it| CandidateMove {
            action: machine.move_text(legal[it]),
            visits: tried[it].0,
            value: mean(it),
        })
        .collect();
    candidates.sort_by_key(|it| std::cmp::Reverse(it.visits));
    Decision {
        action: machine.move_text(legal[chosen]),
        method: "uct".into(),
        value: if proven { Some(bounds.0) } else { mean(chosen) },
        proven,
        nodes: tree.nodes.len() as u64,
        playouts: 0,
        line: line
            .iter()
            .map(|moves| moves.iter().map(|&it| machine.move_text(it)).collect())
            .collect(),
        candidates,
        memory: tree.bytes,
        explanation: String::new(),
    }
}

/// The most that any move may still be worth.
fn best_upper(moves: usize, known: &dyn Fn(usize) -> (f64, f64)) -> f64 {
    (0..moves).map(|it| known(it).1).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use groundfrog::ParseOptions;

    use super::*;

    #[test]
    fn the_match_goes_on_with_ground_rules_when_they_are_there() {
        let text = groundfrog_corpus::game("connect_four").expect("is there").text;
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = Arc::new(description.expect("parses"));
        let mut uct = Uct::new(description, "yellow", StrategyOptions::default()).with_most(20);
        // There is no time for ground rules.
        uct.prepare(Instant::now()).expect("can be played");
        uct.observe(&Turn::Moves(vec!["(drop 3)".into(), "pass".into()])).expect("can be made");
        let begin = Instant::now();
        let position = |uct: &Uct| uct.position(begin).expect("can be made").expect("is known");
        let texts = |uct: &Uct| {
            let mut position = position(uct);
            let state = position.state().clone();
            position.machine().state_text(&state)
        };
        let before = texts(&uct);
        loop {
            assert_eq!(uct.choose(begin).expect("a move").action, "pass");
            if position(&uct).machine().ground().is_some() {
                break;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "grounding has not ended");
            sleep(Duration::from_millis(5));
        }
        assert_eq!(texts(&uct), before);
        uct.observe(&Turn::Moves(vec!["pass".into(), "(drop 3)".into()])).expect("can be made");
        let found = uct.choose(begin).expect("a move");
        assert!(found.playouts >= 20, "{found:?}");
    }

    #[test]
    fn of_very_many_moves_the_first_are_tried() {
        let numbers: String = (0..300).map(|it| format!("(n {it})")).collect();
        let text = format!(
            "{numbers} (role a) (init on) (<= (legal a (go ?x ?y)) (n ?x) (n ?y))
             (<= (next off) (does a (go ?x ?y))) (<= terminal (true off)) (<= (goal a 100) (true off))"
        );
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = Arc::new(description.expect("parses"));
        let mut uct = Uct::new(description, "a", StrategyOptions::default()).with_most(2);
        uct.prepare(Instant::now()).expect("can be played");
        let found = uct.choose(Instant::now()).expect("a move");
        assert!(found.action.starts_with("(go "), "{found:?}");
    }

    #[test]
    fn of_moves_of_one_proven_value_the_one_that_lets_others_err_is_made() {
        let text = "(role hero) (role rival) (init (at start)) (init (turn hero))
            (<= (legal hero ?m) (true (turn hero)) (option ?m)) (option sharp) (option flat)
            (<= (legal rival wait) (true (turn hero)))
            (<= (legal rival ?m) (true (turn rival)) (answer ?m)) (answer hold) (answer slip)
            (<= (legal hero wait) (true (turn rival)))
            (<= (next (at ?m)) (does hero ?m) (option ?m))
            (<= (next (turn rival)) (true (turn hero)))
            (<= (next lost) (true (at sharp)) (does rival slip))
            (<= (next over) (true (turn rival)))
            (<= terminal (true over))
            (<= (goal hero 100) (true lost)) (<= (goal hero 50) (not (true lost)))
            (<= (goal rival 0) (true lost)) (<= (goal rival 50) (not (true lost)))";
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = Arc::new(description.expect("parses"));
        for seed in 1..=5 {
            let options = StrategyOptions { seed, ..StrategyOptions::default() };
            let mut uct = Uct::new(Arc::clone(&description), "hero", options).with_most(1000);
            uct.prepare(Instant::now() + Duration::from_secs(60)).expect("can be played");
            let found = uct.choose(Instant::now()).expect("a move");
            assert_eq!((found.action.as_str(), found.value), ("sharp", Some(50.0)));
            assert!(found.proven);
        }
    }
}
