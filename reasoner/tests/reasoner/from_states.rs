//! Playing from any state: bit-parallel against scalar, policies, and states that go from one reasoner to another.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use groundfrog::game::{GroundGame, RoleId};
use groundfrog::ground::ground;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_corpus::Game;
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{
    BitParallel, Case, GroundReasoner, InterpretedReasoner, LANES, MoveId, PlayoutEnd, Random,
    Reasoner, ReasonerError, State, Uniform, Vocabulary,
};

use groundfrog_testing::{description, grounded, own_games, public_games};

const CAP: u32 = 200;

/// States met in random playouts, their ends among them.
fn states_of(reasoner: &mut GroundReasoner, random: &mut Random) -> Vec<State> {
    let mut states = Vec::new();
    while states.len() < LANES {
        reasoner.playout_observed(random, CAP, |words, _| states.push(State::of_words(words)));
        states.push(reasoner.final_state());
    }
    // Random ones of all that were met.
    (0..LANES).map(|_| states[random.below(states.len() as u32) as usize].clone()).collect()
}

/// Compares at least so many lane states of each own game, from random states to the end. Returns how many were compared.
pub fn own_games_agree(states_of_each: u64) -> u64 {
    let agree = |game: &Game| {
        let ground = grounded(game.text, &GroundOptions::default());
        one_game(game.name, ground, LANES, states_of_each)
    };
    let compared: Vec<u64> = own_games().filter_map(agree).collect();
    assert!(compared.len() > 20, "only {} games were compared", compared.len());
    compared.iter().sum()
}

/// The same for each `step`th of the known games that is ground quickly, in some of the lanes. Returns how many games and states were
/// compared.
pub fn known_games_agree(step: usize, lanes: usize, states_of_each: u64) -> (usize, u64) {
    let paths = public_games().expect("the folder of games");
    let (time, rules) = (Some(Duration::from_secs(5)), Some(60_000));
    let limits = Limits { time, rules, memory: Some(1 << 30), ..Limits::default() };
    let options = GroundOptions { limits, ..GroundOptions::default() };
    let agree = |path: &PathBuf| {
        let description = description(&std::fs::read(path).expect("a readable file"));
        let game = ground(&description, &options, &mut Silent).ok()?.game;
        one_game(&path.to_string_lossy(), Arc::new(game), lanes, states_of_each)
    };
    let compared: Vec<u64> = paths.iter().step_by(step).filter_map(agree).collect();
    (compared.len(), compared.iter().sum())
}

/// Returns how many states were compared; none for a game that is not played bit-parallel.
fn one_game(name: &str, game: Arc<GroundGame>, lanes: usize, states: u64) -> Option<u64> {
    let mut play = BitParallel::new(game.clone()).ok()?;
    let mut scalar = GroundReasoner::new(game).expect("compiled bit-parallel");
    let (mut random, mut compared) = (Random::new(11), 0);
    while compared < states {
        let starts = states_of(&mut scalar, &mut random);
        compared += one_run(name, &mut play, &mut scalar, &starts[..lanes], &mut random);
    }
    Some(compared)
}

/// Every step of every lane is possible, and the ends are what the scalar reasoner says of the last states.
fn one_run(
    name: &str,
    lanes: &mut BitParallel,
    scalar: &mut GroundReasoner,
    starts: &[State],
    random: &mut Random,
) -> u64 {
    lanes.start_from(starts).expect("states of the game");
    let mut compared = 0;
    let mut before = starts.to_vec();
    let mut legal = Vec::new();
    loop {
        let goes_on = lanes.run_step(random, CAP);
        for (lane, before) in before.iter_mut().enumerate() {
            let state = lanes.lane_state(lane).expect("begun");
            let playout = lanes.playouts()[lane];
            if playout.end == PlayoutEnd::Stopped {
                // The moves are those that were chosen in this step.
                compared += 1;
                let mut next = before.clone();
                let moves = lanes.lane_moves(lane);
                scalar.advance(&mut next, &moves).expect("legal moves");
                assert_eq!(next, state, "{name}: lane {lane}");
                *before = next;
                continue;
            }
            assert_eq!(state, *before, "{name}: a lane that has ended is left alone");
        }
        if !goes_on {
            break;
        }
    }
    for (lane, playout) in lanes.playouts().iter().enumerate() {
        let state = &before[lane];
        compared += 1;
        let terminal = scalar.is_terminal(state).expect("ground");
        assert_eq!(playout.end == PlayoutEnd::Terminal, terminal, "{name}: lane {lane}");
        if let PlayoutEnd::Stuck(role) = playout.end {
            scalar.legal_moves(state, role, &mut legal).expect("ground");
            assert_eq!(legal, [], "{name}");
        }
        for role in scalar.role_ids() {
            let goal = scalar.goal(state, role).ok().filter(|_| terminal);
            assert_eq!(lanes.final_goals(role)[lane], goal, "{name}: lane {lane}");
        }
    }
    compared
}

const HEAP: &str = "(role Ann) (role random) (init (heap 3)) (less 3 2) (less 2 1) (less 1 0)
    (<= (legal Ann (take one)) (not (true (heap 0)))) (legal Ann wait)
    (legal random heads) (legal random tails)
    (<= (next (heap ?m)) (does Ann (take one)) (true (heap ?n)) (less ?n ?m))
    (<= (next (heap ?n)) (does Ann wait) (true (heap ?n)))
    (<= (sees Ann ?side) (does random ?side)) (<= terminal (true (heap 0))) (goal Ann 100)";

fn all(text: &str) -> [Box<dyn Reasoner>; 2] {
    let ground = GroundReasoner::new(grounded(text, &GroundOptions::default()));
    let interpreted = InterpretedReasoner::new(&description(text), Limits::default());
    [Box::new(ground.expect("a game")), Box::new(interpreted.expect("a game"))]
}

#[test]
fn white_space_and_case_do_not_matter_in_any_reasoner() {
    for mut reasoner in all(HEAP) {
        let ann = reasoner.find_role(" Ann ", Case::Exact).expect("a role");
        assert_eq!(reasoner.find_role("ANN", Case::Folded), Some(ann));
        assert_eq!(reasoner.find_role("ANN", Case::Exact), None);
        let take = reasoner.find_move(ann, "(take one)").expect("a move");
        assert_eq!(reasoner.find_move(ann, "( take\n  one )"), Some(take));
        assert_eq!(reasoner.read_move(ann, "( TAKE ONE )", Case::Folded), Some(take));
        assert_eq!(reasoner.read_move(ann, "( TAKE ONE )", Case::Exact), None);
        for text in ["", "(take one", "take one)", "(take one) wait", "()"] {
            assert_eq!(reasoner.read_move(ann, text, Case::Folded), None, "{text}");
        }
        let heap = reasoner.find_fluent("(heap 3)").expect("a fluent");
        assert_eq!(reasoner.read_fluent("( HEAP 3 )", Case::Folded), Some(heap));
    }
}

#[test]
fn chance_and_percepts_have_numbers() {
    for mut reasoner in all(HEAP) {
        let start = reasoner.initial().clone();
        let chance = reasoner.chance_role().expect("it is called random");
        let moves = reasoner.chance_moves(&start).expect("playable");
        assert_eq!(moves.iter().map(|it| it.1).collect::<Vec<_>>(), [0.5, 0.5]);
        let ann = RoleId(0);
        let wait = reasoner.find_move(ann, "wait").expect("a move");
        let mut seen = Vec::new();
        for (it, _) in moves {
            reasoner.perceive(&start, &[wait, it], &mut seen).expect("legal");
            assert!(seen[chance.index()].is_empty());
            let [percept] = seen[0][..] else { panic!("{seen:?}") };
            assert_eq!(reasoner.percept(percept), reasoner.move_term(it).1);
        }
    }
}

#[test]
fn roles_and_states_that_are_not_of_the_game_are_errors() {
    for mut reasoner in all(HEAP) {
        let (start, mut legal) = (reasoner.initial().clone(), Vec::new());
        let unknown = ReasonerError::UnknownRole { number: 7, roles: 2 };
        assert_eq!(reasoner.legal_moves(&start, RoleId(7), &mut legal), Err(unknown.clone()));
        assert_eq!(reasoner.goal_values(&start, RoleId(7), &mut Vec::new()), Err(unknown));
        assert_eq!(reasoner.find_move(RoleId(7), "wait"), None);
        let foreign = State::of([groundfrog_reasoner::FluentId(500)]);
        let error = reasoner.is_terminal(&foreign).expect_err("no such fluent");
        assert!(matches!(error, ReasonerError::ForeignState { number: 500, .. }), "{error}");
        let mut state = start.clone();
        reasoner.advance(&mut state, &[MoveId(0)]).expect_err("a move is missing");
        assert_eq!(state, start);
    }
    let mut lanes = BitParallel::new(grounded(HEAP, &GroundOptions::default())).expect("a game");
    let foreign = State::of([groundfrog_reasoner::FluentId(500)]);
    lanes.start_from(&[foreign]).expect_err("no such fluent");
    let many = vec![State::default(); LANES + 1];
    assert!(matches!(lanes.start_from(&many), Err(ReasonerError::TooManyLanes { .. })));
    lanes.start_from(&[]).expect("no lane at all");
    lanes.run(&mut Random::new(1), CAP);
    assert!(lanes.playouts().is_empty() && lanes.final_goals(RoleId(7)).is_empty());
}

#[test]
fn a_policy_that_chooses_what_is_not_legal_is_an_error() {
    let game = grounded(HEAP, &GroundOptions::default());
    let mut reasoner = GroundReasoner::new(game).expect("a game");
    let start = reasoner.initial().clone();
    let mut wrong = |_: &[u64], _: RoleId, _: &[MoveId]| MoveId(99);
    let error = reasoner.playout_until(&start, &mut wrong, 5, || false).expect_err("no such move");
    assert!(matches!(error, ReasonerError::UnknownMove { number: 99, .. }), "{error}");
    let mut last = |_: &[u64], _: RoleId, legal: &[MoveId]| legal[legal.len() - 1];
    let playout = reasoner.playout_until(&start, &mut last, 5, || false).expect("legal");
    let mut values = Vec::new();
    reasoner.final_values(playout, 7, &mut values);
    assert_eq!(values[1], 7, "random has no goal");
}

#[test]
fn states_go_from_one_reasoner_to_the_other_and_back() {
    let mut compared = 0;
    for game in own_games() {
        let Ok(mut oracle) = InterpretedReasoner::new(&description(game.text), Limits::default())
        else {
            continue;
        };
        if game.name == "unbounded" {
            continue;
        }
        let ground = grounded(game.text, &GroundOptions::default());
        let mut ground = GroundReasoner::new(ground).expect("a game");
        let (mut state, mut random) = (ground.initial().clone(), Random::new(2));
        let mut moves = Vec::new();
        for _ in 0..10 {
            let there = oracle.import_state(&ground, &state).expect("a state of the game");
            assert_eq!(ground.import_state(&oracle, &there), Ok(state.clone()), "{}", game.name);
            assert_eq!(ground.state_text(&state), oracle.state_text(&there), "{}", game.name);
            compared += 1;
            if ground.is_terminal(&state).expect("ground")
                || ground.random_joint_move(&state, &mut random, &mut moves) != Ok(None)
            {
                break;
            }
            let mut trusted = state.clone();
            ground.advance_unchecked(&mut trusted, &moves).expect("legal");
            ground.advance(&mut state, &moves).expect("legal");
            assert_eq!(trusted, state, "{}", game.name);
            let json = serde_json::to_string(&state).expect("numbers");
            assert_eq!(serde_json::from_str::<State>(&json).expect("numbers"), state);
        }
    }
    assert!(compared > 100, "only {compared} states were compared");
}

#[test]
fn a_match_that_is_over_at_once_has_length_zero() {
    let text = "(role x) (init a) (legal x go) (<= terminal (true a)) (goal x 30)";
    let game = grounded(text, &GroundOptions::default());
    let mut scalar = GroundReasoner::new(game.clone()).expect("a game");
    let start = scalar.initial().clone();
    let playout = scalar.playout_until(&start, &mut Uniform(&mut Random::new(1)), 9, || false);
    let playout = playout.expect("a state of the game");
    assert_eq!((playout.length, playout.end), (0, PlayoutEnd::Terminal));
    let mut lanes = BitParallel::new(game).expect("a game");
    lanes.start_from(&[start]).expect("a state of the game");
    lanes.run(&mut Random::new(1), 9);
    assert!(lanes.playouts().iter().all(|it| *it == playout));
    assert!(lanes.final_goals(RoleId(0)).iter().all(|it| *it == Some(30)));
}

#[test]
fn lanes_refuse_moves_that_cannot_be_made() {
    // All rules: those of the compact game are for steps that a match can make.
    let game = grounded(HEAP, &GroundOptions::flat());
    let mut scalar = GroundReasoner::new(game.clone()).expect("a game");
    let mut lanes = BitParallel::new(game).expect("a game");
    let over = State::of([scalar.find_fluent("(heap 0)").expect("a fluent")]);
    lanes.start_from(&[scalar.initial().clone(), over]).expect("states of the game");
    let mut find = |role, text| scalar.find_move(RoleId(role), text).expect("a move");
    let (take, wait, heads) = (find(0, "(take one)"), find(0, "wait"), find(1, "heads"));
    for (joint, expected) in [
        (vec![take], "1 moves were given for 2 roles: none for `random`"),
        (vec![heads, take], "`heads` is a move of `random` and was given for `Ann`"),
        (vec![wait, MoveId(99)], "move number 99 is not known for `random`"),
        (vec![take, heads], "`(take one)` is not legal for `Ann` in this state"),
    ] {
        let error = lanes.advance(&[vec![wait, heads], joint]).expect_err(expected);
        assert_eq!(error.to_string(), expected);
        assert_eq!(lanes.lane_state(0).as_ref(), Some(scalar.initial()), "nothing is moved");
    }
    let many = lanes.advance(&[vec![], vec![], vec![]]).expect_err("two lanes");
    assert_eq!(many, ReasonerError::TooManyLanes { given: 3, lanes: 2 });
    lanes.run(&mut Random::new(1), CAP);
    assert_eq!(lanes.playouts()[1].length, 0);
    lanes.advance(&[vec![], vec![wait, heads]]).expect("legal, although the match is over");
    assert_eq!(
        (lanes.playouts()[1].end, lanes.lane_moves(1)),
        (PlayoutEnd::Stopped, vec![wait, heads])
    );
    lanes.run(&mut Random::new(1), CAP);
    let again = lanes.playouts()[1];
    assert_eq!((again.length, again.end), (1, PlayoutEnd::Terminal));
}
