//! What leaves are worth: means of random playouts.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

use groundfrog::game::GroundGame;
use groundfrog::{Budget, RoleId};
use groundfrog_reasoner::{
    BitParallel, BuildError, GroundReasoner, LANES, Machine, MoveId, PlayoutEnd, Random, Reasoner,
    State, Uniform, Vocabulary, play_on,
};

use super::look_ahead::{LookAhead, Seen};
use super::{BEST, LONGEST};
use crate::clock::Watch;
use crate::strategy::StrategyError;

/// Leaves that are evaluated together in lanes. Eight lanes each take most of the chance out of a value, and a tree grows by
/// as many leaves as with scalar playouts of the same time.
pub(super) const LEAVES: usize = LANES / 8;
/// Scalar playouts that lanes are measured against.
const TRIALS: u32 = 32;
/// How often that is tried.
const ATTEMPTS: u32 = 3;
/// Steps by ground rules between two looks at the clock at most, which takes as long as a step of a small game.
const STEPS: u32 = 16;
/// Bytes of gates that are worth the time of compiling them, if the memory is not limited.
const MOST_LANE_BYTES: u64 = 256 << 20;

/// Leaves that are to be evaluated.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub(super) leaves: Vec<State>,
    /// Decides what is drawn.
    pub(super) seed: u64,
    /// When the leaves are of no use any more.
    pub(super) until: Budget,
    /// Where play comes back to its states: the root that the leaves are below, and what is proven there, by role. What comes back to it
    /// is no merit of the moves that led to a leaf.
    pub(super) root: Option<(State, Vec<f64>)>,
}

/// What is seen of leaves, and what they are worth, by leaf and role.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    pub(super) seen: Vec<Seen>,
    pub(super) values: Vec<f64>,
    pub(super) playouts: u64,
}

/// Looks at leaves, and plays from those that are not proven to the end: in lanes, where the game has them and they are faster.
pub(super) struct Playouts {
    ahead: LookAhead,
    lanes: Option<Box<BitParallel>>,
    starts: Vec<State>,
    /// How long a batch takes in lanes, about.
    lasts: Duration,
}

impl Playouts {
    /// One by one: where a move is waited for, there is no time to compile and measure lanes.
    pub(super) fn scalar(machine: &Machine) -> Self {
        let (ahead, lasts) = (LookAhead::new(machine), Duration::ZERO);
        Playouts { ahead, lanes: None, starts: Vec::new(), lasts }
    }

    /// In lanes where these are measured to be worth it until a moment, or can be had at all where nothing is to depend on the time. The gates of
    /// lanes may have so many bytes, if that is limited.
    pub(super) fn new(machine: &Machine, until: Option<&Budget>, memory: Option<u64>) -> Self {
        let most = memory.map_or(MOST_LANE_BYTES, |it| it.min(MOST_LANE_BYTES));
        let found = machine.ground().and_then(|it| lanes(&mut it.clone(), until, most));
        let (lanes, lasts) = found.map(|(lanes, lasts)| (Box::new(lanes), lasts)).unzip();
        Playouts { lanes, lasts: lasts.unwrap_or_default(), ..Playouts::scalar(machine) }
    }

    /// Playouts of the same game for another thread.
    pub(super) fn another(&self) -> Self {
        Playouts {
            ahead: self.ahead.clone(),
            lanes: self.lanes.clone(),
            starts: Vec::new(),
            lasts: self.lasts,
        }
    }

    /// What plays in lanes, if the game is played so.
    pub(super) fn lanes(&self) -> Option<&BitParallel> {
        self.lanes.as_deref()
    }

    /// How many leaves are best evaluated together.
    pub(super) fn leaves(&self) -> usize {
        if self.lanes.is_some() { LEAVES } else { 1 }
    }

    /// What leaves are worth, the first of them at least, as many as there is time for; none if there is no time.
    pub(super) fn evaluate(
        &mut self,
        batch: &Batch,
        machine: &mut Machine,
    ) -> Result<Values, StrategyError> {
        let mut random = Random::new(batch.seed);
        let is_short = batch.until.left().is_some_and(|left| left < 2 * self.lasts);
        if self.lanes.is_none() || is_short || batch.leaves.len() == 1 {
            if is_short {
                // Other work may have made lanes slow; a try too early costs a whole clock.
                self.lasts = self.lasts * 31 / 32;
            }
            return self.evaluate_each(batch, machine, &mut random);
        }
        let begin = Instant::now();
        let values = self.evaluate_in_lanes(batch, machine, &mut random)?;
        self.lasts = begin.elapsed() * if values.is_some() { 1 } else { 2 };
        Ok(values.unwrap_or_default())
    }

    /// The same in lanes; `None` if there is no time for all.
    fn evaluate_in_lanes(
        &mut self,
        batch: &Batch,
        machine: &mut Machine,
        random: &mut Random,
    ) -> Result<Option<Values>, StrategyError> {
        let Some(lanes) = &mut self.lanes else { return Ok(None) };
        let roles = machine.roles().len();
        let seen = self.ahead.look_in_lanes(lanes, &batch.leaves, &batch.until)?;
        let mut values = vec![0.0; seen.len() * roles];
        self.starts.clear();
        let open = seen.iter().filter(|it| it.value().is_none()).count();
        let each = LANES / open.max(1);
        for (leaf, seen) in seen.iter().enumerate() {
            match seen.value() {
                Some(known) => values[leaf * roles..][..roles].copy_from_slice(known),
                None => self.starts.extend(std::iter::repeat_n(&batch.leaves[leaf], each).cloned()),
            }
        }
        if open > 0 {
            lanes.start_from(&self.starts)?;
        }
        let mut is_back = vec![false; self.starts.len()];
        while open > 0 && lanes.run_step(random, LONGEST as u32) {
            if batch.until.is_over() {
                return Ok(None);
            }
            if let Some((root, _)) = &batch.root {
                lanes.lanes_in(root).for_each(|it| is_back[it] = true);
            }
        }
        for role in 0..roles {
            let goals = lanes.final_goals(RoleId(role as u32)).chunks(each);
            let open = (0..seen.len()).filter(|&it| seen[it].value().is_none());
            for ((leaf, goals), is_back) in open.zip(goals).zip(is_back.chunks(each)) {
                let counted = goals.iter().zip(is_back).filter(|it| !it.1).map(|it| it.0);
                let (count, sum) = counted.fold((0.0, 0.0), |(count, sum), it| {
                    (count + 1.0, sum + it.map_or(BEST / 2.0, |it| it as f64))
                });
                let sure = batch.root.as_ref().map_or(0.0, |it| it.1[role]);
                values[leaf * roles + role] = if count > 0.0 { sum / count } else { sure };
            }
        }
        Ok(Some(Values { seen, values, playouts: (open * each) as u64 }))
    }

    /// The same by one scalar playout for each leaf.
    fn evaluate_each(
        &mut self,
        batch: &Batch,
        machine: &mut Machine,
        random: &mut Random,
    ) -> Result<Values, StrategyError> {
        let mut all = Values::default();
        for leaf in &batch.leaves {
            let seen = self.ahead.look(machine, leaf, &batch.until)?;
            match seen.value() {
                Some(known) => all.values.extend_from_slice(known),
                None => {
                    let root = batch.root.as_ref().map(|it| &it.0);
                    match play_out(machine, leaf, root, random, &batch.until, &mut all.values)? {
                        PlayedOut::End(_) => {}
                        PlayedOut::Back => {
                            all.values.extend(batch.root.iter().flat_map(|it| it.1.iter()));
                        }
                        PlayedOut::Late => break,
                    }
                    all.playouts += 1;
                }
            }
            all.seen.push(seen);
        }
        Ok(all)
    }
}

/// The lanes of a game, where they are worth it, and how long a batch takes, if that was measured.
fn lanes(
    rules: &mut GroundReasoner,
    until: Option<&Budget>,
    most: u64,
) -> Option<(BitParallel, Duration)> {
    let game = Arc::clone(rules.game());
    let bytes = (rules.gate_counts().1 + game.moves().len()).saturating_mul(LANES / 8);
    if bytes as u64 > most {
        return None;
    }
    let mut lanes = lanes_with(&game, one_chooses(rules)).ok()?;
    let Some(until) = until else { return Some((lanes, Duration::ZERO)) };
    // Other work on the machine may make one attempt seem slow.
    for _ in 0..ATTEMPTS {
        if let Some(lasts) = worthwhile(&mut lanes, rules, until)? {
            return Some((lanes, lasts));
        }
    }
    None
}

/// How long lanes take, if that is less than as many scalar playouts; `None` if there is no time to find out.
fn worthwhile(
    lanes: &mut BitParallel,
    rules: &mut GroundReasoner,
    until: &Budget,
) -> Option<Option<Duration>> {
    let start = groundfrog_reasoner::Reasoner::initial(rules).clone();
    let mut random = Random::new(1);
    let begin = Instant::now();
    let mut goals = Vec::new();
    for _ in 0..TRIALS {
        let late = || until.is_over();
        let played = ground_playout(rules, &start, None, &mut random, late, &mut goals).ok()?;
        if played == PlayedOut::Late {
            return None;
        }
    }
    let most: Duration = begin.elapsed() * LANES as u32 / TRIALS;
    let begin = Instant::now();
    lanes.start_from(&[start]).ok()?;
    while lanes.run_step(&mut random, LONGEST as u32) {
        if until.is_over() {
            return None;
        }
        if begin.elapsed() > most {
            return Some(None);
        }
    }
    Some(Some(begin.elapsed()))
}

/// Lanes that see as far ahead as they can at a low price.
fn lanes_with(game: &Arc<GroundGame>, one_chooses: bool) -> Result<BitParallel, BuildError> {
    for blocks in [true, false].into_iter().filter(|_| one_chooses) {
        if let Some(lanes) = BitParallel::with_decisive_moves(Arc::clone(game), blocks)? {
            return Ok(lanes);
        }
    }
    BitParallel::new(Arc::clone(game))
}

/// Whether one role chooses in the initial state.
fn one_chooses(rules: &mut GroundReasoner) -> bool {
    let start = rules.initial().clone();
    let (mut legal, mut choosing) = (Vec::new(), 0);
    for role in (0..rules.roles().len() as u32).map(RoleId) {
        let known = rules.legal_moves(&start, role, &mut legal);
        choosing += usize::from(known.is_ok() && legal.len() > 1);
    }
    choosing == 1
}

/// What came of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayedOut {
    /// It has come to its end after so many joint moves, and the goals are added.
    End(u32),
    /// It has come back to the root.
    Back,
    /// There was no time for it.
    Late,
}

/// Plays at random to the end by any rules, or until it comes back to a root, and adds the goals.
pub(super) fn play_out(
    machine: &mut Machine,
    start: &State,
    root: Option<&State>,
    random: &mut Random,
    until: &Budget,
    values: &mut Vec<f64>,
) -> Result<PlayedOut, StrategyError> {
    let late = || until.is_over();
    match machine {
        Machine::Ground(rules) => ground_playout(rules, start, root, random, late, values),
        Machine::Interpreted(_) => playout(machine, start, root, random, late, values),
    }
}

/// The same by ground rules.
fn ground_playout(
    rules: &mut GroundReasoner,
    start: &State,
    root: Option<&State>,
    random: &mut Random,
    late: impl Fn() -> bool,
    values: &mut Vec<f64>,
) -> Result<PlayedOut, StrategyError> {
    let mut watch = Watch::new(STEPS);
    let is_back = Cell::new(false);
    let stop = || is_back.get() || (watch.is_due() && late());
    let playout = match root {
        None => rules.playout_until(start, &mut Uniform(random), LONGEST as u32, stop)?,
        Some(root) => {
            let mut choose = |words: &[u64], _: RoleId, legal: &[MoveId]| {
                is_back.set(is_back.get() || State::of_words(words) == *root);
                legal[random.below(legal.len() as u32) as usize]
            };
            rules.playout_until(start, &mut choose, LONGEST as u32, stop)?
        }
    };
    if is_back.get() {
        return Ok(PlayedOut::Back);
    }
    if playout.end == PlayoutEnd::Stopped {
        return Ok(PlayedOut::Late);
    }
    let mut goals = Vec::new();
    rules.final_values(playout, (BEST / 2.0) as i64, &mut goals);
    values.extend(goals.into_iter().map(|it| it as f64));
    Ok(PlayedOut::End(playout.length))
}

/// The same by any rules.
fn playout(
    machine: &mut Machine,
    start: &State,
    root: Option<&State>,
    random: &mut Random,
    late: impl Fn() -> bool,
    values: &mut Vec<f64>,
) -> Result<PlayedOut, StrategyError> {
    let (mut state, mut is_back) = (start.clone(), false);
    let stop = |here: &State| {
        late() || {
            is_back = root == Some(here);
            is_back
        }
    };
    let most = LONGEST as u32;
    let playout = play_on(&mut **machine, &mut state, random, most, stop, |_, _, _, _| Ok(()))?;
    if playout.end == PlayoutEnd::Stopped {
        return Ok(if is_back { PlayedOut::Back } else { PlayedOut::Late });
    }
    for role in machine.role_ids() {
        let goal = machine.only_goal(&state, role)?;
        values.push(goal.map_or(BEST / 2.0, |it| it as f64));
    }
    Ok(PlayedOut::End(playout.length))
}

#[cfg(test)]
mod tests {
    use groundfrog::{Description, ParseOptions};

    use super::*;
    use groundfrog_reasoner::OpenLimits;

    #[test]
    fn leaves_are_played_from_one_by_one_where_lanes_would_take_too_long() {
        let text = groundfrog_corpus::game("connect_four").expect("is there").text;
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let limits = OpenLimits::default();
        let machine = Machine::new(&description.expect("parses"), &limits);
        let mut machine = machine.expect("can be played");
        let mut playouts = Playouts::new(&machine, None, None);
        assert!(playouts.lanes().is_some());
        let leaves = vec![machine.initial().clone(); LEAVES];
        let mut evaluate = |playouts: &mut Playouts, time: Option<u64>| {
            let deadline = time.map(|it| Instant::now() + Duration::from_secs(it));
            let until = Budget::until(deadline, None);
            let batch = Batch { leaves: leaves.clone(), seed: 1, until, root: None };
            let found = playouts.evaluate(&batch, &mut machine).expect("can be played");
            assert_eq!(found.values.len(), 2 * found.seen.len());
            (found.seen.len(), found.playouts)
        };
        assert_eq!(evaluate(&mut playouts, None), (LEAVES, LANES as u64));
        assert!(playouts.lasts > Duration::ZERO);
        playouts.lasts = Duration::from_secs(3600);
        assert_eq!(evaluate(&mut playouts, Some(1800)), (LEAVES, LEAVES as u64));
        assert!(playouts.lasts < Duration::from_secs(3600));
        let (seen, made) = evaluate(&mut playouts, Some(0));
        assert!(seen < LEAVES && made == seen as u64, "{seen}, {made}");
    }
}
