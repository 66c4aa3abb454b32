//! Moves and games that are not as they should be.

use groundfrog::game::RoleId;
use groundfrog::ground::ground;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::simulate::{SimulateOptions, play_any, simulate};
use groundfrog_reasoner::{
    BitParallel, BuildError, GroundReasoner, InterpretedReasoner, MoveId, PlayoutEnd,
    PlayoutStatistics, Random, Reasoner, ReasonerError, State,
};
use std::time::Duration;

use groundfrog_testing::{description, grounded};

/// Two players; `x` may step once, `y` waits. Nothing is known of goals.
const STEP: &str = "(role x) (role y) (init here)
    (<= (legal x go) (true here)) (legal x stay) (legal y wait)
    (<= (next there) (does x go)) (<= (next here) (does x stay) (true here))
    (<= terminal (true there))";

fn both(text: &str) -> [Box<dyn Reasoner>; 2] {
    let ground = GroundReasoner::new(grounded(text, &GroundOptions::flat()));
    let interpreted = InterpretedReasoner::new(&description(text), Limits::default());
    [Box::new(ground.expect("a game")), Box::new(interpreted.expect("a game"))]
}

fn moves(reasoner: &mut dyn Reasoner, texts: [&str; 2]) -> Vec<MoveId> {
    let roles = reasoner.role_ids().zip(texts);
    roles.map(|(role, text)| reasoner.find_move(role, text).expect("a known move")).collect()
}

#[test]
fn a_joint_move_has_one_move_for_each_role() {
    for mut reasoner in both(STEP) {
        let start = reasoner.initial().clone();
        let made = moves(&mut *reasoner, ["go", "wait"]);
        let mut next = State::default();
        let error = reasoner.next_state(&start, &made[..1], &mut next).expect_err("y is missing");
        assert_eq!(error.to_string(), "1 moves were given for 2 roles: none for `y`");
        let surplus = [made[0], made[1], made[1]];
        let error = reasoner.next_state(&start, &surplus, &mut next).expect_err("three moves");
        assert_eq!(error.to_string(), "3 moves were given for 2 roles");
        let error =
            reasoner.next_state(&start, &[made[1], made[0]], &mut next).expect_err("swapped");
        assert_eq!(error.to_string(), "`wait` is a move of `y` and was given for `x`");
        let unknown = [made[0], MoveId(1000)];
        let error = reasoner.next_state(&start, &unknown, &mut next).expect_err("no such move");
        assert_eq!(error, ReasonerError::UnknownMove { role: "y".into(), number: 1000 });
    }
}

#[test]
fn moves_that_are_not_legal_are_refused() {
    for mut reasoner in both(STEP) {
        let made = moves(&mut *reasoner, ["go", "wait"]);
        let mut next = State::default();
        let error = reasoner
            .next_state(&State::default(), &made, &mut next)
            .expect_err("one can go from here only");
        assert_eq!(error.to_string(), "`go` is not legal for `x` in this state");
        reasoner.percepts(&State::default(), &made).expect_err("not legal either");
        let start = reasoner.initial().clone();
        reasoner.next_state(&start, &made, &mut next).expect("legal");
        assert_eq!(reasoner.state_text(&next), Ok(vec!["there".to_owned()]));
        assert!(reasoner.is_terminal(&next).expect("evaluated"));
    }
}

#[test]
fn goals_may_be_missing_or_not_unique() {
    let text = format!("{STEP} (goal y 10) (<= (goal y 20) (true here)) (goal y much)");
    for mut reasoner in both(&text) {
        let start = reasoner.initial().clone();
        let error = reasoner.goal(&start, RoleId(0)).expect_err("x has no goal");
        assert_eq!(error, ReasonerError::NoGoal { role: "x".into() });
        let error = reasoner.goal(&start, RoleId(1)).expect_err("y has two");
        assert_eq!(error, ReasonerError::ManyGoals { role: "y".into(), values: vec![10, 20] });
        assert_eq!(reasoner.goal(&State::default(), RoleId(1)), Ok(10));
    }
}

#[test]
fn a_role_without_a_legal_move_ends_the_playout() {
    let text = "(role x) (init a) (<= (legal x go) (true a)) (<= (next b) (does x go))";
    let game = grounded(text, &GroundOptions::flat());
    let mut scalar = GroundReasoner::new(game.clone()).expect("a game");
    let playout = scalar.playout(&mut Random::new(1), 100);
    assert_eq!((playout.length, playout.end), (1, PlayoutEnd::Stuck(RoleId(0))));
    for mut reasoner in both(text) {
        let mut statistics = PlayoutStatistics::new(1);
        play_any(&mut *reasoner, &mut Random::new(1), 100, None, &mut statistics)
            .expect("playable");
        assert_eq!((statistics.stuck, statistics.states, statistics.terminal), (1, 1, 0));
    }
    let mut parallel = BitParallel::new(game).expect("a game");
    (0..2).for_each(|_| parallel.step(&mut Random::new(1), 100));
    let statistics = parallel.statistics();
    assert_eq!((statistics.stuck, statistics.playouts, statistics.states), (512, 512, 512));
}

#[test]
fn a_game_without_an_end_is_capped_and_says_so() {
    let text = "(role x) (legal x a) (<= (next f) (not (true f)))";
    let options = SimulateOptions {
        warm_up: Duration::ZERO,
        time: Duration::from_secs(60),
        playouts: Some(3),
        max_length: 50,
        ..SimulateOptions::default()
    };
    let game = grounded(text, &GroundOptions::flat());
    let mut scalar = GroundReasoner::new(game.clone()).expect("a game");
    let found = simulate(&mut scalar, &options, &mut Silent).expect("playable").statistics;
    assert_eq!((found.playouts, found.capped, found.terminal, found.steps), (3, 3, 0, 150));
    let mut parallel = BitParallel::new(game).expect("a game");
    let found = simulate(&mut parallel, &options, &mut Silent).expect("playable").statistics;
    assert_eq!((found.playouts, found.capped, found.terminal), (512, 512, 0));
    let mut oracle =
        InterpretedReasoner::new(&description(text), Limits::default()).expect("a game");
    let found = simulate(&mut oracle, &options, &mut Silent).expect("playable").statistics;
    assert_eq!((found.playouts, found.capped, found.mean_length()), (3, 3, Some(50.0)));
}

#[test]
fn games_that_cannot_be_compiled_say_why() {
    let nobody = InterpretedReasoner::new(&description("(init a) (legal x go)"), Limits::default());
    assert!(nobody.map(|_| ()).expect_err("no roles").to_string().contains("no roles"));
    let early = "(role x) (legal x a) (<= (legal x b) (does x a)) (<= terminal (true f))";
    let by_predicate = "(role x) (init (at 0)) (<= (legal x go) (next (at 1)))
        (<= (next (at 1)) (true (at 0))) (<= (next moved) (does x go)) (<= terminal (true (at 1)))";
    // The second one's predicate depends on moves, though none of its atoms does.
    for text in [early, by_predicate] {
        let error = ground(&description(text), &GroundOptions::flat(), &mut Silent);
        let error = error.map(|_| ()).expect_err("legal depends on does").to_string();
        assert!(error.contains("`legal` depends on `does`"), "{error}");
        let oracle = InterpretedReasoner::new(&description(text), Limits::default());
        assert_eq!(oracle.map(|_| ()).expect_err("legal depends on does").to_string(), error);
    }
    // Each cell is free if the one before it is not, and the first one if the last one is not.
    let circle = "(role x) (init (at 1)) (legal x go) (succ 1 2) (succ 2 3) (succ 3 1)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= terminal (free 1))
        (<= (free ?y) (succ ?x ?y) (not (free ?x)) (not (true (at ?y))))";
    let flat = GroundOptions { simplify: false, ..GroundOptions::flat() };
    let error = BitParallel::new(grounded(circle, &flat)).map(|_| ()).expect_err("a cycle");
    assert!(matches!(error, BuildError::NegativeCycle { .. }), "{error}");
}
