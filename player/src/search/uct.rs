//! UCT (Kocsis & Szepesvári, "Bandit based Monte-Carlo planning", 2006).

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use groundfrog::{Description, Stop};
use groundfrog_reasoner::{MoveId, Random, State};

use super::BEST;
use super::playouts::{Batch, Playouts, SetUp};
use super::stage_game::drawn;
use super::tree::Tree;
use super::ways::{End, TreeWay};
use super::workers::Workers;
use crate::clock::Until;
use crate::machine::Machine;
use crate::position::Position;
use crate::strategy::{
    BestSoFar, CandidateMove, Decision, Followed, Strategy, StrategyError, StrategyOptions, Turn,
    ValueParts,
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
    /// Playouts that are being set up beside.
    coming: Option<Receiver<Playouts>>,
    /// Ways down the tree that a decision may take: `None` lets the time alone decide.
    most: Option<u64>,
    best: Option<BestSoFar>,
}

/// What is kept from one decision to the next one.
struct Search {
    tree: Tree,
    workers: Workers,
}

/// Ways that were given out for evaluation together.
type Round = Vec<TreeWay>;

/// Later than anything ends.
const LONG: Duration = Duration::from_secs(1 << 30);
/// Lanes that are not set up so soon are not worth it.
const MOST_SET_UP: Duration = Duration::from_secs(60);
/// Time between two moves that are left for who cannot wait.
const LEAVING: Duration = Duration::from_millis(20);

impl Uct {
    /// For a role of a game.
    pub fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        let followed = Followed::new(description, role, options);
        Uct { followed, search: None, coming: None, most: None, best: None }
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

    /// Bytes that the tree takes.
    pub(super) fn bytes(&self) -> u64 {
        self.search.as_ref().map_or(0, |it| it.tree.bytes)
    }

    /// A tree without nodes, and what evaluates its leaves.
    fn begin(&self, machine: &Machine, playouts: Playouts) -> Result<Search, StrategyError> {
        let StrategyOptions { memory, threads, parts, .. } = self.followed.options;
        // Half of the memory is for the rules.
        let tree = Tree::new(machine, memory.map_or(1 << 31, |it| it / 2), parts);
        Ok(Search { tree, workers: Workers::new(machine, threads, playouts)? })
    }

    /// Begins to set up lanes, in a thread of its own: that may take longer than the start clock. Where there are no threads, they
    /// are set up at once.
    fn set_up(&self, machine: &Machine) -> Receiver<Playouts> {
        let (sent, coming) = channel();
        let StrategyOptions { memory, threads, parts, ref stop, .. } = self.followed.options;
        let is_decisive = parts.decisive;
        let within = match self.most {
            Some(_) => SetUp::Untimed,
            None => SetUp::Until(Until::new(Some(Instant::now() + MOST_SET_UP), stop.clone())),
        };
        // A quarter of the memory is for lanes, and another one for all else.
        let most = memory.map(|it| it / 4 / (Workers::count(threads) as u64 + 1));
        let (own, within_too, sent_too) = (machine.clone(), within.clone(), sent.clone());
        let work = move || {
            // Where nobody waits any more, it was in vain.
            let _ = sent_too.send(Playouts::new(&own, &within_too, is_decisive, most));
        };
        if thread::Builder::new().name("lanes".to_owned()).spawn(work).is_err() {
            let _ = sent.send(Playouts::new(machine, &within, is_decisive, most));
        }
        coming
    }

    /// The search so far, or a new one: with lanes from when they are set up.
    fn resume(&mut self, machine: &Machine) -> Result<Search, StrategyError> {
        let mut search = match self.search.take() {
            Some(search) => search,
            None => {
                if machine.ground().is_some() && self.coming.is_none() {
                    self.coming = Some(self.set_up(machine));
                }
                self.begin(machine, Playouts::new(machine, &SetUp::Scalar, false, None))?
            }
        };
        if let (Some(coming), Some(_)) = (&self.coming, machine.ground()) {
            match coming.try_recv() {
                Ok(playouts) => {
                    let threads = self.followed.options.threads;
                    search.workers = Workers::new(machine, threads, playouts)?;
                    self.coming = None;
                }
                Err(TryRecvError::Disconnected) => self.coming = None,
                Err(TryRecvError::Empty) => {}
            }
        }
        Ok(search)
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
        let search = self.resume(position.machine())?;
        let (search, root, playouts) = self.search(position, search, until, false, &legal)?;
        let random = &mut self.followed.random;
        let decision = decide(position, &search.tree, root, &legal, random);
        // Rules with variables number fluents anew in each turn.
        self.search = position.machine().ground().is_some().then_some(search);
        Ok(Decision { playouts, ..decision })
    }

    /// Searches from a position; where there is one move only, not unless it is pondering. Returns the root and how many playouts
    /// were made.
    fn search(
        &mut self,
        position: &mut Position,
        mut search: Search,
        until: &Until,
        ponders: bool,
        legal: &[MoveId],
    ) -> Result<(Search, u32, u64), StrategyError> {
        let state = position.state().clone();
        search.tree.keep(std::slice::from_ref(&state));
        let root = search.tree.node(&state, true).expect("there is room for what must be");
        search.tree.begin_at(root, position.machine())?;
        let mut random = self.followed.random.clone();
        let mut run = Run {
            search: &mut search,
            position,
            random: &mut random,
            root,
            legal,
            until: until.clone(),
            left: self.most.unwrap_or(u64::MAX),
            ways: 0,
            begin: Instant::now(),
            left_at: None,
            best: self.best.as_ref().filter(|_| !ponders),
            ponders,
            longest: Duration::ZERO,
            playouts: 0,
        };
        if legal.len() > 1 || ponders {
            // What was found in time counts.
            run.search().or_else(|error| if error.is_late() { Ok(()) } else { Err(error) })?;
        }
        let playouts = run.playouts;
        self.followed.random = random;
        Ok((search, root, playouts))
    }
}

impl Strategy for Uct {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.followed.prepare(deadline)?;
        if !self.followed.is_ground() {
            return Ok(());
        }
        let Some(mut position) = self.position(deadline)? else { return Ok(()) };
        let machine = position.machine();
        let coming = self.set_up(machine);
        let left = match self.most {
            Some(_) => LONG,
            None => deadline.saturating_duration_since(Instant::now()),
        };
        let Ok(playouts) = coming.recv_timeout(left) else {
            self.coming = Some(coming);
            return Ok(());
        };
        self.search = Some(self.begin(machine, playouts)?);
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

    fn ponder(&mut self, deadline: Instant, called: Arc<dyn Stop>) -> Result<(), StrategyError> {
        // A step of rules with variables may take too long for who calls.
        if !self.followed.options.ponders || self.most.is_some() || !self.followed.is_ground() {
            return Ok(());
        }
        let Some(mut position) = self.position(Instant::now())? else { return Ok(()) };
        if position.machine().ground().is_none() {
            return Ok(());
        }
        let until = Until::new(Some(deadline), self.followed.options.stop.clone());
        let legal = position.legal()?.moves;
        let search = self.resume(position.machine())?;
        let searched =
            self.search(&mut position, search, &until.or_called(called), true, &legal)?;
        self.search = Some(searched.0);
        Ok(())
    }

    fn leave_best_in(&mut self, best: BestSoFar) {
        self.best = Some(best);
    }
}

/// The search for one decision.
struct Run<'run> {
    search: &'run mut Search,
    position: &'run mut Position,
    random: &'run mut Random,
    root: u32,
    legal: &'run [MoveId],
    until: Until,
    /// Ways that may still be taken, and those that were.
    left: u64,
    ways: u64,
    begin: Instant,
    /// When the best move was left last.
    left_at: Option<Instant>,
    best: Option<&'run BestSoFar>,
    /// Whether nobody waits for a move.
    ponders: bool,
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
        while result.is_ok() && self.goes_on() && (self.ponders || !self.is_decided()) {
            let begin = Instant::now();
            if self.left_at.is_none_or(|it| begin.duration_since(it) >= LEAVING) {
                self.leave_best();
                self.left_at = Some(begin);
            }
            self.search.tree.is_closed = self.until.is_tight();
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
        let bounds = self.search.tree.nodes[self.root as usize].bounds[role];
        bounds.0 != bounds.1 && self.left > 0 && !self.until.is_over_in(self.longest)
    }

    /// Whether no other move can be tried as often as the first one in the time that is left.
    fn is_decided(&self) -> bool {
        if self.search.tree.stage.is_some() {
            // A mixed strategy has no first move.
            return false;
        }
        let role = self.position.role().index();
        let moves = self.search.tree.nodes[self.root as usize].moves.get(role);
        let mut most = (0, 0);
        for tried in moves.into_iter().flatten() {
            let visits = u64::from(tried.visits + tried.pending);
            most = if visits > most.0 { (visits, most.0) } else { (most.0, most.1.max(visits)) };
        }
        let by_time = self.until.left().map(|left| {
            let taken = self.begin.elapsed().as_secs_f64();
            if taken < 0.01 { f64::MAX } else { self.ways as f64 * left.as_secs_f64() / taken }
        });
        (most.0 - most.1) as f64 > by_time.unwrap_or(f64::MAX).min(self.left as f64)
    }

    /// Leaves the move that is best so far, if one was tried.
    fn leave_best(&mut self) {
        let Some(best) = self.best else { return };
        let role = self.position.role().index();
        let choice = Choice::new(&self.search.tree, self.root, role, self.legal);
        if choice.tried[choice.chosen].0 > 0 {
            let action = self.position.machine().move_text(self.legal[choice.chosen]);
            best.leave(Decision {
                action,
                method: "uct".into(),
                value: choice.mean(choice.chosen),
                playouts: self.playouts,
                nodes: self.search.tree.nodes.len() as u64,
                ..Decision::default()
            });
        }
    }

    /// Gives out leaves, and takes those back that were given out first.
    fn round(&mut self, rounds: &mut VecDeque<Round>) -> Result<(), StrategyError> {
        let (ways, leaves, result) = self.collect();
        if !leaves.is_empty() {
            let batch = Batch { leaves, seed: self.random.next_word(), until: self.until.clone() };
            self.search.workers.give(batch, self.position.machine());
            rounds.push_back(ways);
        }
        result?;
        if rounds.len() >= self.search.workers.most_given() {
            self.take(rounds)?;
        }
        Ok(())
    }

    /// Goes down until there are leaves enough. Ways that end where all is proven need no evaluation.
    fn collect(&mut self) -> (Round, Vec<State>, Result<(), StrategyError>) {
        let (mut ways, mut leaves) = (Round::new(), Vec::new());
        let most = self.search.workers.leaves();
        let mut taken = 0;
        while leaves.len() < most && taken < 4 * most && self.goes_on() {
            taken += 1;
            let tree = &mut self.search.tree;
            let (way, end) = match tree.descend(self.root, self.position.machine(), self.random) {
                Ok(found) => found,
                Err(fault) => return (ways, leaves, Err(fault)),
            };
            self.left -= 1;
            self.ways += 1;
            match end {
                End::Proven => {
                    let values = tree.proven(&way);
                    tree.pass_up(&way, Some(&values));
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
        let Search { tree, workers } = &mut *self.search;
        let outcome = workers.take();
        let values = outcome.as_ref().ok().and_then(Option::as_ref);
        self.playouts += values.map_or(0, |it| it.playouts);
        let roles = tree.roles;
        for (leaf, way) in ways.iter().enumerate() {
            let own = values.map(|it| &it.values[leaf * roles..(leaf + 1) * roles]);
            tree.pass_up(way, own);
        }
        outcome.map(drop)
    }
}

/// What is known of the moves in the root, and which is chosen.
struct Choice {
    /// By move: how often it was tried, and the sum of values.
    tried: Vec<(u64, f64)>,
    /// By move: what is proven of it.
    bounds: Vec<(f64, f64)>,
    /// By move: what it is worth if the answer to it is random.
    at_random: Vec<f64>,
    /// The most that any move may still be worth.
    top: f64,
    chosen: usize,
}

impl Choice {
    /// The move that was tried most, of those that are not proven to be worse than another.
    fn new(tree: &Tree, root: u32, role: usize, legal: &[MoveId]) -> Self {
        let mut tried: Vec<(u64, f64)> = vec![(0, 0.0); legal.len()];
        for one in tree.nodes[root as usize].moves.get(role).into_iter().flatten() {
            if let Ok(index) = legal.binary_search(&one.it) {
                tried[index] = (u64::from(one.visits), one.sum);
            }
        }
        let bounds: Vec<(f64, f64)> =
            (0..legal.len()).map(|it| tree.bounds_of(root, role, it)).collect();
        let top = bounds.iter().map(|it| it.1).fold(0.0, f64::max);
        let at_random = (0..legal.len()).map(|it| tree.worth_at_random(root, role, it)).collect();
        let mut choice = Choice { tried, bounds, at_random, top, chosen: 0 };
        choice.chosen = choice.choose();
        choice
    }

    fn mean(&self, it: usize) -> Option<f64> {
        let (visits, sum) = self.tried[it];
        (visits > 0).then(|| sum / visits as f64)
    }

    fn choose(&self) -> usize {
        let known = &self.bounds;
        let lower = known.iter().map(|it| it.0).fold(0.0, f64::max);
        let worth = |it: usize| {
            self.mean(it).map_or(f64::NEG_INFINITY, |mean| mean.clamp(known[it].0, known[it].1))
        };
        let good = (0..known.len()).filter(|&it| known[it].1 >= lower);
        // A move that is proven to be best comes before one that only seems so.
        let is_best = |it: usize| lower > 0.0 && known[it].0 >= lower && lower >= self.top;
        // Where all is proven but no win, others may still err: the move after which they do so most easily.
        let is_decided = lower >= self.top && lower < BEST;
        let hope = |it: usize| if is_decided { self.at_random[it] } else { 0.0 };
        let chosen = good.max_by(|&one, &other| {
            (is_best(one).cmp(&is_best(other)))
                .then(hope(one).total_cmp(&hope(other)))
                .then(self.tried[one].0.cmp(&self.tried[other].0))
                .then(worth(one).total_cmp(&worth(other)))
                .then(other.cmp(&one))
        });
        chosen.unwrap_or(0)
    }
}

/// The decision that a search has come to. Where several choose at once, a move drawn from the mean strategy, so that others cannot
/// tell which.
fn decide(
    position: &mut Position,
    tree: &Tree,
    root: u32,
    legal: &[MoveId],
    random: &mut Random,
) -> Decision {
    let role = position.role().index();
    let choice = Choice::new(tree, root, role, legal);
    let mixed = tree.stage.as_ref().map(|(_, stage)| stage.mean(role));
    let mixed = mixed.filter(|mean| mean.len() == legal.len() && legal.len() > 1);
    let chosen = mixed.map_or(choice.chosen, |mean| drawn(&mean, random));
    let bounds = choice.bounds[chosen];
    let proven = bounds.0 == bounds.1 && bounds.0 >= choice.top;
    let (lower, upper) = bounds;
    let parts = ValueParts { playouts: choice.mean(chosen), lower, upper };
    let line = tree.line(root);
    let machine = position.machine();
    let mut candidates: Vec<CandidateMove> = (0..legal.len())
        .map(|it| CandidateMove {
            action: machine.move_text(legal[it]),
            visits: choice.tried[it].0,
            value: choice.mean(it),
        })
        .collect();
    candidates.sort_by_key(|it| std::cmp::Reverse(it.visits));
    Decision {
        action: machine.move_text(legal[chosen]),
        method: "uct".into(),
        value: if proven { Some(bounds.0) } else { choice.mean(chosen) },
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
        parts: Some(parts),
    }
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
