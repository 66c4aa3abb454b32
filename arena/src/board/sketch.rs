//! Boards of games that are not ground: by the fluents and moves that random matches meet.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use groundfrog::description::Description;
use groundfrog::{Budget, GroundOptions, Limits, ParseOptions, RoleId, Silent};
use groundfrog_knowledge::{Analysis, structures_of_fluents};
use groundfrog_player::position::MOST_LISTED;
use groundfrog_reasoner::{
    FluentId, GroundReasoner, Machine, Random, Reasoner, ReasonerError, State, Vocabulary as _,
};
use web_time::Instant;

use super::{Layout, Look};

/// More states, or more texts of fluents and moves, are not looked at.
const MOST_STATES: usize = 2000;
const MOST_TEXTS: usize = 400_000;
/// The least time to draw what was met.
const LEAST: Duration = Duration::from_millis(200);
/// A match is left after so many joint moves.
const LONGEST: usize = 200;

/// What random matches met, as KIF.
#[derive(Default)]
struct Met {
    fluents: BTreeSet<String>,
    /// With the role that has it.
    moves: BTreeSet<(String, String)>,
    states: Vec<Vec<String>>,
    /// How many texts that makes.
    listed: usize,
}

impl Layout {
    /// The layout of a game by its ground rules, or as [random matches](Self::of_matches) show it.
    pub fn of_machine(
        description: &Description,
        machine: &mut Machine,
        time: Duration,
        look: &Look,
    ) -> Self {
        match machine {
            Machine::Ground(rules) => Layout::new(description, rules, time, look),
            Machine::Interpreted(rules) => {
                // One state may take longer than that.
                rules.set_deadline(Instant::now().checked_add(time));
                let layout = Layout::of_matches(description, &mut **rules, time, look);
                rules.set_deadline(None);
                layout
            }
        }
    }

    /// The layout of a game whose rules are interpreted, as far as random matches show it: nothing is proved of it, and what no
    /// match met within the time is in the list of facts.
    pub fn of_matches(
        description: &Description,
        rules: &mut dyn Reasoner,
        time: Duration,
        look: &Look,
    ) -> Self {
        let budget = Budget::within(time);
        let mut met = Met::default();
        let mut random = Random::new(1);
        while !met.is_full() && !budget.is_over() {
            if play(rules, &mut random, &mut met, &budget).is_err() {
                break;
            }
        }
        let left = budget.left().unwrap_or_default();
        let Some(mut sketch) = met.sketch(rules, left) else { return Layout::default() };
        let find = |fluents: &Vec<String>| -> State {
            let found = fluents.iter().filter_map(|it| sketch.find_fluent(it));
            State::of(found.collect::<Vec<FluentId>>())
        };
        let states: Vec<State> = met.states.iter().map(find).collect();
        let analysis = Analysis::of_states(sketch.game(), &states);
        let found = structures_of_fluents(description, sketch.game(), &analysis);
        Layout::of_structures(&analysis, &found, &mut sketch, look)
    }
}

/// Plays a match, and notes what it meets.
fn play(
    rules: &mut dyn Reasoner,
    random: &mut Random,
    met: &mut Met,
    budget: &Budget,
) -> Result<(), ReasonerError> {
    let mut state = rules.initial().clone();
    let mut legal = Vec::new();
    for _ in 0..LONGEST {
        let fluents = rules.state_text(&state)?;
        met.fluents.extend(fluents.iter().cloned());
        met.listed += fluents.len();
        met.states.push(fluents);
        if met.is_full() || budget.is_over() || rules.is_terminal(&state)? {
            break;
        }
        let mut joint = Vec::new();
        for role in rules.role_ids().collect::<Vec<RoleId>>() {
            rules.legal_moves(&state, role, &mut legal)?;
            let name = rules.role_text(role);
            let listed = legal.iter().take(MOST_LISTED);
            met.listed += listed.len();
            met.moves.extend(listed.map(|&it| (name.clone(), rules.move_text(it))));
            match legal.len() {
                0 => return Ok(()),
                count => joint.push(legal[random.below(count as u32) as usize]),
            }
        }
        rules.advance(&mut state, &joint)?;
    }
    Ok(())
}

impl Met {
    fn is_full(&self) -> bool {
        self.states.len() >= MOST_STATES || self.listed >= MOST_TEXTS
    }

    /// A game with the same roles, initial state, fluents and moves, whose other rules say nothing.
    fn sketch(&self, rules: &dyn Reasoner, time: Duration) -> Option<GroundReasoner> {
        let mut text = String::new();
        for role in rules.role_ids() {
            let name = rules.role_text(role);
            let _ = writeln!(text, "(role {name}) (goal {name} 0)");
        }
        for fluent in rules.state_text(rules.initial()).ok()? {
            let _ = writeln!(text, "(init {fluent}) (<= terminal (not (true {fluent})))");
        }
        for fluent in &self.fluents {
            let _ = writeln!(text, "(next {fluent})");
        }
        for (role, action) in &self.moves {
            let _ = writeln!(text, "(legal {role} {action})");
        }
        let description = Description::parse(text.as_bytes(), &ParseOptions::default()).ok()?;
        // What was met has cost as much.
        let limits = Limits { time: Some(time.max(LEAST)), ..Limits::default() };
        let options = GroundOptions { limits, ..GroundOptions::flat() };
        GroundReasoner::of_description(&description, &options, &mut Silent).ok()
    }
}
