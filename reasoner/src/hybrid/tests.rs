use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::*;
use crate::simulate::play_any;
use crate::{PlayoutStatistics, Random, ReasonerError};
use groundfrog::description::ParseOptions;

/// For what is certain to happen.
const LONG: Duration = Duration::from_secs(600);

fn description(text: &str) -> Description {
    Description::parse(text.as_bytes(), &ParseOptions::default()).expect("a description")
}

fn own(name: &str) -> Description {
    description(groundfrog_corpus::game(name).expect("an own game").text)
}

/// A walk through a cube, with more ground rules than places, of which there are the cube of `numbers`.
fn long_to_ground(numbers: usize) -> Description {
    let order: String = (0..numbers).map(|it| format!("(succ {it} {})", it + 1)).collect();
    description(&format!(
        "(role x) (init (at 0 0 0)) {order}
         (<= (legal x (by ?a ?b ?c)) (true (at ?x ?y ?z)) (succ ?x ?a) (succ ?y ?b) (succ ?z ?c))
         (<= (next (at ?a ?b ?c)) (does x (by ?a ?b ?c)))
         (<= (next (at ?a ?b ?z)) (does x (by ?a ?b ?c)) (succ ?z ?c))
         (<= (next (at ?a ?y ?c)) (does x (by ?a ?b ?c)) (succ ?y ?b))
         (<= (next (at ?x ?b ?c)) (does x (by ?a ?b ?c)) (succ ?x ?a))
         (<= terminal (true (at {numbers} ?b ?c))) (goal x 100)"
    ))
}

/// Plays on with the reasoner in use until the match is over, or for so many steps.
fn play_on(play: &mut Play, state: &mut State, steps: usize, random: &mut Random) -> usize {
    let reasoner = play.reasoner();
    let (mut legal, mut next) = (Vec::new(), State::default());
    for step in 0..steps {
        if reasoner.is_terminal(state).expect("evaluated") {
            return step;
        }
        let mut moves = Vec::new();
        for role in reasoner.role_ids() {
            reasoner.legal_moves(state, role, &mut legal).expect("evaluated");
            moves.push(legal[random.below(legal.len() as u32) as usize]);
        }
        reasoner.next_state(state, &moves, &mut next).expect("legal moves");
        state.clone_from(&next);
    }
    steps
}

#[test]
fn a_match_goes_on_by_ground_rules() {
    let mut random = Random::new(7);
    let games = groundfrog_corpus::games().iter();
    for game in games.filter(|it| it.expect == groundfrog_corpus::Outcome::Groundable) {
        let Ok(mut play) = Play::begin(&description(game.text), Limits::default()) else {
            panic!("{} is playable", game.name)
        };
        let mut state = play.reasoner().initial().clone();
        play_on(&mut play, &mut state, 3, &mut random);
        let before = play.reasoner().state_text(&state);
        assert!(play.wait(LONG), "{}: {:?}", game.name, play.not_ground());
        let was_ground = play.is_ground();
        let carried = play.interpreted().map(|_| play.carried(&state).expect("ready"));
        assert_eq!(play.switch(&mut [&mut state]), Ok(!was_ground), "{}", game.name);
        assert!(carried.is_none_or(|it| was_ground || it.as_ref() == Ok(&state)), "{}", game.name);
        assert!(play.is_ground());
        assert_eq!(play.reasoner().state_text(&state), before, "{}", game.name);
        assert_eq!(play.switch(&mut [&mut state]), Ok(false), "once is enough");
        play_on(&mut play, &mut state, 50, &mut random);
    }
}

#[test]
fn percepts_are_the_same_before_and_after_the_change() {
    let text = include_str!("../../tests/reasoner/perceived.kif");
    let mut play = Play::begin(&description(text), Limits::default()).expect("playable");
    let percepts = |play: &mut Play| {
        let reasoner = play.reasoner();
        let (state, roles) = (reasoner.initial().clone(), reasoner.role_ids());
        let made: Vec<_> = roles
            .zip(["(bid 2)", "(bid 0)"])
            .map(|(role, text)| reasoner.find_move(role, text).expect("a move"))
            .collect();
        let seen = reasoner.percepts(&state, &made).expect("legal moves");
        let printer = groundfrog::description::Printer::new(reasoner.symbols());
        let texts = |it: &Vec<_>| it.iter().map(|it| printer.term(it).to_string()).collect();
        seen.iter().map(texts).collect::<Vec<Vec<String>>>()
    };
    let before = percepts(&mut play);
    assert!(before.iter().all(|it| it.len() > 4), "{before:?}");
    assert!(play.wait(LONG), "{:?}", play.not_ground());
    play.switch(&mut []).expect("there are no states to carry over");
    assert!(play.is_ground());
    assert_eq!(percepts(&mut play), before);
}

#[test]
fn what_cannot_be_ground_is_interpreted_to_the_end() {
    let mut play = Play::begin(&own("unbounded"), Limits::default()).expect("interpreted");
    assert!(!play.wait(LONG));
    assert!(matches!(play.not_ground(), Some(NotGround::Grounding(GroundError::Unbounded(_)))));
    let mut state = play.reasoner().initial().clone();
    assert_eq!(play.switch(&mut [&mut state]), Ok(false));
    let mut statistics = PlayoutStatistics::new(1);
    play_any(play.reasoner(), &mut Random::new(1), 20, &mut statistics).expect("playable");
    assert!(statistics.states > 0 && !play.is_ground());
}

#[test]
fn what_exceeds_the_limits_is_interpreted() {
    let limits = Limits { rules: Some(100), ..Limits::default() };
    let mut play = Play::begin(&long_to_ground(12), limits).expect("interpreted");
    assert!(!play.wait(LONG));
    let Some(NotGround::Grounding(GroundError::Limit { .. })) = play.not_ground() else {
        panic!("{:?}", play.not_ground())
    };
    let mut state = play.reasoner().initial().clone();
    assert!(play_on(&mut play, &mut state, 4, &mut Random::new(1)) == 4);
}

#[test]
fn the_thread_ends_when_nobody_waits_any_more() {
    let play = Play::begin(&long_to_ground(150), Limits::default()).expect("interpreted");
    let background = Arc::downgrade(&play.background);
    assert!(background.upgrade().is_some());
    drop(play);
    let patience = Instant::now() + LONG;
    while background.upgrade().is_some() {
        assert!(Instant::now() < patience, "the thread holds on");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn grounding_can_be_stopped_and_the_game_played_on() {
    let mut play = Play::begin(&long_to_ground(150), Limits::default()).expect("interpreted");
    play.stop_grounding();
    assert!(!play.wait(LONG), "{:?}", play.ground().map(GroundReasoner::gate_counts));
    assert!(play.not_ground().is_some());
    let mut state = play.reasoner().initial().clone();
    assert_eq!(play_on(&mut play, &mut state, 4, &mut Random::new(1)), 4);
}

#[test]
fn the_stop_flag_of_the_caller_ends_both() {
    let stop = Arc::new(AtomicBool::new(true));
    let limits = Limits { stop: Some(stop), ..Limits::default() };
    let error = Play::begin(&long_to_ground(150), limits).map(|_| ()).expect_err("stopped");
    assert!(error.to_string().contains("stop"), "{error}");
}

#[test]
fn a_deadline_ends_evaluations() {
    let mut play = Play::begin(&own("unbounded"), Limits::default()).expect("interpreted");
    let state = play.reasoner().initial().clone();
    play.set_deadline(Some(Instant::now() - Duration::from_millis(1)));
    let error = play.reasoner().is_terminal(&state).expect_err("late");
    assert!(error.is_late(), "{error}");
    play.set_deadline(None);
    assert_eq!(play.reasoner().is_terminal(&state), Ok(false));
    assert!(!ReasonerError::Forms(String::new()).is_late());
}

#[test]
fn a_game_that_is_none_is_refused() {
    let error = Play::begin(&description("(init a) (legal x go)"), Limits::default());
    let error = error.map(|_| ()).expect_err("no roles").to_string();
    assert!(error.contains("no roles"), "{error}");
}

#[test]
fn states_that_the_ground_game_does_not_have_are_not_carried() {
    let text = "(role x) (init (at 1)) (legal x go) (goal x 1) (succ 1 2) (succ 2 3)
        (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= terminal (true (at 3)))";
    let mut play = Play::begin(&description(text), Limits::default()).expect("a game");
    assert!(!play.is_ground(), "it goes on with ground rules when it is told to");
    let nowhere = play.reasoner().find_fluent("(at x)").expect("a term");
    let mut state = State::of([nowhere]);
    assert!(play.wait(LONG));
    let error = ReasonerError::UnknownFluent { text: "(at x)".into() };
    assert_eq!(play.switch(&mut [&mut state]), Err(error));
    assert!(!play.is_ground() && state.contains(nowhere));
}
