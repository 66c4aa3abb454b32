//! UCT (Kocsis & Szepesvári, "Bandit based Monte-Carlo planning", 2006).

mod choice;
mod run;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use groundfrog::{Budget, Description, Stop};
use groundfrog_reasoner::{BitParallel, Machine};

use super::playouts::Playouts;
use super::thread_count;
use super::tree::Tree;
use crate::position::Position;
use crate::strategy::{
    BestSoFar, Decision, Followed, LONG, Strategy, StrategyError, StrategyOptions, Turn,
};
use choice::{Choices, decide};
use run::Run;

/// Searches the graph of the states that it meets, from turn to turn. Where a role does not see the state, it searches from
/// one that agrees with what it saw, as if it did.
///
/// The ends of ways are evaluated together, by playouts in lanes where the game has them. As many threads as the options say share the
/// tree. With one number of them for a decision (`most`), one thread searches, and the same seed gives the same decision. Until the game is ground, moves are
/// chosen by rules with variables, each with a search of its own.
pub struct Uct {
    pub(super) followed: Followed,
    search: Option<Search>,
    /// Playouts that are being set up beside.
    coming: Option<Receiver<Playouts>>,
    best: Option<BestSoFar>,
    /// It searches where the role has one move only, too.
    looks_always: bool,
}

/// What is kept from one decision to the next one.
struct Search {
    tree: Tree,
    playouts: Playouts,
    /// What the threads beside the own one evaluate leaves by.
    others: Vec<(Playouts, Machine)>,
}

impl Search {
    fn new(tree: Tree, playouts: Playouts, machine: &Machine, options: &StrategyOptions) -> Self {
        // Where rules are interpreted, fluents have numbers of their own in each reasoner.
        let count = if machine.ground().is_some() { thread_count(options) } else { 1 };
        let others = (1..count).map(|_| (playouts.another(), machine.clone())).collect();
        Search { tree, playouts, others }
    }
}

/// So many nodes are looked at to find a shorter proof, or as many as the search has.
const LEAST_SETTLED: u64 = 10_000;
/// Lanes that are not set up so soon are not worth it.
const MOST_SET_UP: Duration = Duration::from_secs(60);

impl Uct {
    /// For a role of a game.
    pub fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        let followed = Followed::new(description, role, options);
        Uct { followed, search: None, coming: None, best: None, looks_always: false }
    }

    fn most(&self) -> Option<u64> {
        self.followed.options.most
    }

    /// Lets it search where the role has one move only, too, to tell what the state is worth.
    pub(crate) fn looking_always(self) -> Self {
        Uct { looks_always: true, ..self }
    }

    /// The position, if it is known by a moment.
    pub(super) fn position(&self, until: Instant) -> Result<Option<Position>, StrategyError> {
        self.followed.position(until)
    }

    /// The position by ground rules, if it is known at once.
    pub(super) fn ground_position(&self) -> Result<Option<Position>, StrategyError> {
        if !self.followed.is_ground() {
            return Ok(None);
        }
        let Some(mut position) = self.position(Instant::now())? else { return Ok(None) };
        let is_ground = position.machine().ground().is_some();
        Ok(is_ground.then_some(position))
    }

    /// Bytes that the tree takes.
    pub(super) fn bytes(&self) -> u64 {
        self.search.as_ref().map_or(0, |it| it.tree.bytes)
    }

    /// Whether lanes are still being set up.
    pub(super) fn awaits_lanes(&self) -> bool {
        self.coming.is_some() || self.search.is_none()
    }

    /// What plays in lanes, if the game is played so and they are set up.
    pub(super) fn lanes(&self) -> Option<&BitParallel> {
        self.search.as_ref()?.playouts.lanes()
    }

    /// A tree without nodes, and what evaluates its leaves.
    fn begin(&self, machine: &Machine, playouts: Playouts) -> Search {
        let options = &self.followed.options;
        // Half of the memory is for the rules.
        let tree = Tree::new(machine, options.memory.map_or(1 << 31, |it| it / 2));
        Search::new(tree, playouts, machine, options)
    }

    /// Begins to set up lanes, in a thread of its own: that may take longer than the start clock. Where there is no thread, there
    /// will be none.
    fn set_up(&self, machine: &Machine) -> Receiver<Playouts> {
        let (sent, coming) = channel();
        let StrategyOptions { memory, ref stop, .. } = self.followed.options;
        let until = || Budget::until(Some(Instant::now() + MOST_SET_UP), stop.clone());
        let within = self.most().is_none().then(until);
        // A quarter of the memory is for lanes, and another one for all else.
        let most = memory.map(|it| it / 4 / (thread_count(&self.followed.options) as u64 + 1));
        let machine = machine.clone();
        // Where nobody waits any more, it was in vain.
        let work = move || drop(sent.send(Playouts::new(&machine, within.as_ref(), most)));
        let _ = thread::Builder::new().name("lanes".to_owned()).spawn(work);
        coming
    }

    /// The search so far, or a new one: with lanes from when they are set up.
    fn resume(&mut self, machine: &Machine) -> Search {
        let mut search = match self.search.take() {
            Some(search) => search,
            None => {
                if machine.ground().is_some() && self.coming.is_none() {
                    self.coming = Some(self.set_up(machine));
                }
                self.begin(machine, Playouts::scalar(machine))
            }
        };
        if let (Some(coming), Some(_)) = (&self.coming, machine.ground()) {
            match coming.try_recv() {
                Ok(playouts) => {
                    let options = &self.followed.options;
                    search = Search::new(search.tree, playouts, machine, options);
                    self.coming = None;
                }
                Err(TryRecvError::Disconnected) => self.coming = None,
                Err(TryRecvError::Empty) => {}
            }
        }
        search
    }

    /// Searches by the rules of a position, as long as there is time and there are no better rules.
    fn decide(
        &mut self,
        position: &mut Position,
        until: &Budget,
    ) -> Result<Decision, StrategyError> {
        let choices = Choices::of(position, &self.followed.past)?;
        if choices.legal.is_empty() {
            return Err(StrategyError::NoMove { role: self.followed.role.clone() });
        }
        let search = self.resume(position.machine());
        let (search, root, playouts) = self.search(position, search, until, false, &choices)?;
        let random = &mut self.followed.random;
        let decision = decide(position, &search.tree, root, &choices, random);
        self.followed.past.note(position, &decision.action);
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
        until: &Budget,
        ponders: bool,
        choices: &Choices,
    ) -> Result<(Search, u32, u64), StrategyError> {
        let state = position.state().clone();
        search.tree.keep(std::slice::from_ref(&state));
        let root = search.tree.node(&state, true).expect("there is room for what must be");
        search.tree.begin_at(root, position.machine(), until)?;
        let mut random = self.followed.random.clone();
        let has_choice = choices.legal.len() > 1;
        let run = Run {
            role: position.role().index(),
            root,
            choices,
            until: until.clone(),
            most: self.most(),
            best: self.best.as_ref().filter(|_| !ponders),
        };
        let playouts = if has_choice || ponders || self.looks_always {
            run.search(&mut search, position.machine(), &mut random)?
        } else {
            0
        };
        self.followed.random = random;
        if has_choice || ponders {
            let nodes = search.tree.nodes.len() as u64;
            let most = self.most().unwrap_or(u64::MAX).min(nodes.max(LEAST_SETTLED));
            let role = position.role().index();
            let settled = search.tree.settle(root, role, position.machine(), until, most as usize);
            // What was found in time counts.
            settled.or_else(|it| if it.is_late() { Ok(()) } else { Err(it) })?;
        }
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
        let left = match self.most() {
            Some(_) => LONG,
            None => deadline.saturating_duration_since(Instant::now()),
        };
        let Ok(playouts) = coming.recv_timeout(left) else {
            self.coming = Some(coming);
            return Ok(());
        };
        self.search = Some(self.begin(machine, playouts));
        Ok(())
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        let until = self.followed.until(deadline);
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
        if !self.followed.options.ponders || self.most().is_some() {
            return Ok(());
        }
        let Some(mut position) = self.ground_position()? else { return Ok(()) };
        let until = Budget::until(Some(deadline), self.followed.options.stop.clone());
        let choices = Choices::of(&mut position, &self.followed.past)?;
        let search = self.resume(position.machine());
        let searched =
            self.search(&mut position, search, &until.with_stop(called), true, &choices)?;
        self.search = Some(searched.0);
        Ok(())
    }

    fn leave_best_in(&mut self, best: BestSoFar) {
        self.best = Some(best);
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
        let options = StrategyOptions { most: Some(20), ..StrategyOptions::default() };
        let mut uct = Uct::new(description, "yellow", options);
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
        assert!(found.playouts >= 10, "{found:?}");
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
        let options = StrategyOptions { most: Some(2), ..StrategyOptions::default() };
        let mut uct = Uct::new(description, "a", options);
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
            let most = Some(1000);
            let options = StrategyOptions { seed, most, ..StrategyOptions::default() };
            let mut uct = Uct::new(Arc::clone(&description), "hero", options);
            uct.prepare(Instant::now() + Duration::from_secs(60)).expect("can be played");
            let found = uct.choose(Instant::now()).expect("a move");
            assert_eq!((found.action.as_str(), found.value), ("sharp", Some(50.0)));
            assert!(found.proven);
        }
    }
}
