//! States that were made by another reasoner. Where their numbers happen to fit, builds with debug assertions find them.
#![cfg(debug_assertions)]

use groundfrog::RoleId;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_reasoner::{
    BitParallel, GroundReasoner, InterpretedReasoner, Random, Reasoner, ReasonerError, State,
    Uniform, Vocabulary,
};

use groundfrog_testing::{description, grounded};

/// Two games with as many fluents, none of which are the same.
const LAMP: &str = "(role x) (init (lamp off)) (legal x toggle) (goal x 1)
    (<= (next (lamp on)) (true (lamp off))) (<= (next (lamp off)) (true (lamp on))) (<= terminal (true (lamp on)))";
const DOOR: &str = "(role x) (init (door open)) (legal x push) (goal x 1)
    (<= (next (door shut)) (true (door open))) (<= (next (door open)) (true (door shut))) (<= terminal (true (door shut)))";

/// A walk that the interpreted reasoner numbers in the order of the places that it comes to.
const WALK: &str = "(role x) (init (at 1)) (legal x left) (legal x right) (goal x 1) (succ 1 2) (succ 2 3) (succ 3 1)
    (<= (next (at ?n)) (does x right) (true (at ?m)) (succ ?m ?n))
    (<= (next (at ?n)) (does x left) (true (at ?m)) (succ ?n ?m)) (<= terminal (true (at 4)))";

fn ground(text: &str) -> GroundReasoner {
    GroundReasoner::new(grounded(text, &GroundOptions::flat())).expect("a game")
}

fn interpreted(text: &str) -> InterpretedReasoner {
    InterpretedReasoner::new(&description(text), Limits::default()).expect("a game")
}

/// Every operation that takes a state refuses it.
fn is_refused(reasoner: &mut dyn Reasoner, state: &State) {
    let foreign = ReasonerError::StateOfAnother;
    let (role, mut moves, mut next) = (RoleId(0), Vec::new(), State::default());
    assert_eq!(reasoner.check_state(state), Err(foreign.clone()));
    assert_eq!(reasoner.is_terminal(state), Err(foreign.clone()));
    assert_eq!(reasoner.legal_moves(state, role, &mut moves), Err(foreign.clone()));
    assert_eq!(reasoner.goal(state, role), Err(foreign.clone()));
    assert_eq!(reasoner.state_text(state), Err(foreign.clone()));
    assert_eq!(
        reasoner.chance_moves(state).err(),
        None,
        "nobody is called random, so nothing is asked"
    );
    let mut random = Random::new(1);
    assert_eq!(reasoner.random_joint_move(state, &mut random, &mut moves), Err(foreign.clone()));
    assert_eq!(reasoner.next_state(state, &[], &mut next), Err(foreign.clone()));
    assert_eq!(reasoner.advance(&mut state.clone(), &[]), Err(foreign.clone()));
    assert_eq!(reasoner.advance_unchecked(&mut state.clone(), &[]), Err(foreign.clone()));
    assert_eq!(reasoner.percepts(state, &[]), Err(foreign));
}

#[test]
fn a_state_of_another_game_is_refused_although_its_numbers_fit() {
    let (lamp, mut door) = (ground(LAMP), ground(DOOR));
    assert_eq!(lamp.fluent_count(), door.fluent_count());
    is_refused(&mut door, lamp.initial());
    is_refused(&mut interpreted(DOOR), lamp.initial());
    let playout =
        door.playout_until(lamp.initial(), &mut Uniform(&mut Random::new(1)), 9, || false);
    assert_eq!(playout, Err(ReasonerError::StateOfAnother));
    let mut lanes = BitParallel::new(grounded(DOOR, &GroundOptions::flat())).expect("a game");
    let begun = lanes.start_from(&[lamp.initial().clone()]);
    assert_eq!(begun, Err(ReasonerError::StateOfAnother));
    let imported = door.import_state(&interpreted(DOOR), lamp.initial());
    assert_eq!(
        imported,
        Err(ReasonerError::StateOfAnother),
        "it is not one of the reasoner it is said to be of"
    );
    let imported = door.import_state(&lamp, lamp.initial());
    assert_eq!(imported, Err(ReasonerError::UnknownFluent { text: "(lamp off)".into() }));
}

#[test]
fn a_state_of_another_reasoner_of_the_game_is_refused_where_numbers_differ() {
    let (mut right, mut left) = (interpreted(WALK), interpreted(WALK));
    let start = right.initial().clone();
    assert_eq!(left.check_state(&start), Ok(()), "the first fluent is the same for both");
    let [mut two, mut three] = [start.clone(), start.clone()];
    let step = |walk: &mut InterpretedReasoner, state: &mut State, side: &str| {
        let it = walk.find_move(RoleId(0), side).expect("a move");
        walk.advance(state, &[it]).expect("legal");
    };
    step(&mut right, &mut two, "right");
    step(&mut left, &mut three, "left");
    assert_eq!(two, three, "the second number is that of another place for each");
    is_refused(&mut left, &two);
    is_refused(&mut right, &three);
    assert_eq!(
        left.import_state(&right, &two).map(|it| left.state_text(&it)),
        Ok(Ok(vec!["(at 2)".into()]))
    );
    assert_eq!(right.clone().check_state(&two), Ok(()), "a clone has the same numbers");
}

/// What has the same numbers is no other reasoner.
#[test]
fn reasoners_of_the_same_ground_game_share_states() {
    let (one, mut other) = (ground(WALK), ground(WALK));
    assert_eq!(other.is_terminal(one.initial()), Ok(false));
    let mut lanes = BitParallel::new(one.game().clone()).expect("a game");
    lanes.start_from(&[one.initial().clone()]).expect("the same numbers");
    lanes.run_step(&mut Random::new(1), 9);
    let state = lanes.lane_state(0).expect("a lane");
    assert_eq!(other.check_state(&state), Ok(()));
    is_refused(&mut ground(LAMP), one.initial());
}
