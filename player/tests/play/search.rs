//! Search: forced wins are found, no move is illegal, and bounds are kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{corpus, described, later};
use groundfrog_corpus::{Outcome, game, games};
use groundfrog_player::StrategyKind;
use groundfrog_player::search::{Auto, InformationSets, Uct};
use groundfrog_player::strategy::{Decision, Strategy, StrategyOptions, Turn};
use groundfrog_reasoner::{InterpretedReasoner, MoveId, Random, Reasoner, State, Vocabulary};

/// So many ways down the tree, or states, for a decision.
fn with_most(most: u64) -> StrategyOptions {
    StrategyOptions { most: Some(most), ..StrategyOptions::default() }
}

/// What UCT chooses for a role after some joint moves, in so many ways down the tree.
fn decision(name: &str, role: &str, moves: &[[&str; 2]], most: u64) -> Decision {
    let mut uct = Uct::new(corpus(name), role, with_most(most));
    uct.prepare(later(60)).expect("can be played");
    for turn in moves {
        let turn = turn.iter().map(|&it| it.to_owned()).collect();
        uct.observe(&Turn::Moves(turn)).expect("can be made");
    }
    uct.choose(later(60)).expect("there is a move")
}

#[test]
fn the_value_of_a_small_game_is_proven() {
    let nim = game("nim").expect("is there");
    assert!(nim.text.contains("(role first)"));
    let found = decision("nim", "first", &[], 200_000);
    // 1 xor 3 xor 5 xor 7 is 0: the second wins.
    assert!(found.proven, "{found:?}");
    assert_eq!(found.value, Some(0.0));
}

#[test]
fn a_decision_is_the_same_for_the_same_number_of_ways() {
    for threads in [1, 3] {
        let decide = || {
            let options = StrategyOptions { threads, ..with_most(3_000) };
            let mut uct = Uct::new(corpus("connect_four"), "yellow", options);
            uct.prepare(later(60)).expect("can be played");
            uct.choose(later(60)).expect("there is a move")
        };
        let (one, other) = (decide(), decide());
        assert_eq!(one, other, "{threads} threads");
        let visits: u64 = one.candidates.iter().map(|it| it.visits).sum();
        // Those that were taken back are not among them.
        assert!((2_500..=3_000).contains(&visits), "{threads} threads: {visits}");
        // Each end of a way is played from several times.
        assert!(one.playouts > visits, "{}", one.playouts);
        let parts = one.parts.expect("a tree was searched");
        assert!(parts.playouts == one.value && (parts.lower, parts.upper) == (0.0, 100.0));
    }
}

#[test]
fn an_end_that_is_one_move_away_is_proven_at_once() {
    let moves = [["(drop 4)", "pass"], ["pass", "(drop 1)"], ["(drop 4)", "pass"]];
    let moves = [&moves[..], &[["pass", "(drop 1)"], ["(drop 4)", "pass"], ["pass", "(drop 2)"]]];
    let found = decision("connect_four", "yellow", &moves.concat(), 1);
    assert_eq!((found.action.as_str(), found.value, found.proven), ("(drop 4)", Some(100.0), true));
}

#[test]
fn a_move_without_a_choice_is_answered_at_once_and_thought_about_afterwards() {
    let options = StrategyOptions { ponders: true, ..StrategyOptions::default() };
    let mut uct = Uct::new(corpus("connect_four"), "red", options);
    uct.prepare(later(60)).expect("can be played");
    let found = uct.choose(later(3600)).expect("there is a move");
    assert_eq!((found.action.as_str(), found.playouts), ("pass", 0));
    let called: Arc<AtomicBool> = Arc::default();
    let raised = Arc::clone(&called);
    let calling = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        raised.store(true, Ordering::Relaxed);
    });
    uct.ponder(later(3600), called).expect("can be played");
    calling.join().expect("it has called");
    let found = uct.choose(later(3600)).expect("there is a move");
    assert!(found.nodes > 1, "{found:?}");
}

#[test]
fn a_plan_that_is_not_proven_best_is_searched_on_during_the_match() {
    let text = "(role walker) (init (at 0)) (legal walker go) (legal walker halt)
        (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
        (<= (next (at ?y)) (does walker go) (true (at ?x)) (after ?x ?y))
        (<= (next (at ?x)) (does walker halt) (true (at ?x)))
        (<= (next over) (does walker halt))
        (<= terminal (true over)) (<= terminal (true (at 6)))
        (worth 0 0) (worth 1 10) (worth 2 20) (worth 3 30) (worth 4 40) (worth 5 50) (worth 6 100)
        (<= (goal walker ?v) (true (at ?x)) (worth ?x ?v))";
    let parsed = described(text);
    let mut auto = Auto::new(StrategyKind::Auto, parsed, "walker", with_most(5));
    auto.prepare(later(60)).expect("can be played");
    let mut values = Vec::new();
    for _ in 0..6 {
        let found = auto.choose(later(60)).expect("there is a move");
        assert_eq!(found.action, "go", "{values:?}");
        values.push(found.value.expect("a plan has a value"));
        auto.observe(&Turn::Moves(vec![found.action])).expect("can be made");
    }
    assert!(values[0] < 100.0 && values[5] == 100.0, "{values:?}");
}

#[test]
fn memory_is_bounded() {
    const BYTES: u64 = 4 << 20;
    let options = StrategyOptions { memory: Some(BYTES), ..with_most(50_000) };
    let mut tight = Uct::new(corpus("connect_four"), "yellow", options);
    tight.prepare(later(60)).expect("the rules need less");
    let found = tight.choose(later(60)).expect("there is a move");
    // Half is for the tree, which is filled; one node more than there is room for is begun.
    assert!((BYTES / 4..BYTES / 2 + 2048).contains(&found.memory), "{}", found.memory);
    assert!(found.playouts > 50_000, "the search goes on without room: {}", found.playouts);
}

#[test]
fn a_puzzle_is_solved_in_the_start_clock() {
    let mut auto = Auto::new(
        StrategyKind::Auto,
        corpus("blocks_world"),
        "gripper",
        StrategyOptions::default(),
    );
    auto.prepare(later(20)).expect("can be played");
    let mut last = Decision::default();
    for _ in 0..8 {
        last = auto.choose(later(20)).expect("there is a move");
        assert_eq!((last.method.as_str(), last.value, last.proven), ("puzzle", Some(100.0), true));
        if last.line.len() == 1 {
            break;
        }
        auto.observe(&Turn::Moves(vec![last.action.clone()])).expect("can be made");
    }
    assert_eq!(last.line.len(), 1);
}

/// What alpha-beta chooses for a role at first, looking at so many states.
fn looking_ahead(name: &str, role: &str, moves: &[[&str; 2]], most: u64) -> Decision {
    let mut strategy = Auto::new(StrategyKind::AlphaBeta, corpus(name), role, with_most(most));
    strategy.prepare(later(60)).expect("can be played");
    for turn in moves {
        let turn = turn.iter().map(|&it| it.to_owned()).collect();
        strategy.observe(&Turn::Moves(turn)).expect("can be made");
    }
    strategy.choose(later(60)).expect("there is a move")
}

#[test]
fn alpha_beta_proves_small_games_and_sees_wins() {
    for (name, role, value) in [("nim", "first", 0.0), ("tictactoe", "cross", 50.0)] {
        let found = looking_ahead(name, role, &[], u64::MAX);
        assert_eq!(found.method, "alpha-beta", "{name}");
        assert_eq!((found.value, found.proven), (Some(value), true), "{name}");
    }
    let three = [["(drop 2)", "pass"], ["pass", "(drop 6)"]].repeat(3);
    let found = looking_ahead("connect_four", "yellow", &three, 10_000);
    assert_eq!((found.action.as_str(), found.value, found.proven), ("(drop 2)", Some(100.0), true));
    assert_eq!(found.line, [["(drop 2)", "pass"]]);
    let same = looking_ahead("connect_four", "yellow", &three, 10_000);
    assert_eq!(found, same);
}

#[test]
fn fuzzy_goals_win_at_once_within_the_clock() {
    let three = [["(drop 2)", "pass"], ["pass", "(drop 6)"]].repeat(3);
    let begin = Instant::now();
    let options = StrategyOptions::default();
    let mut strategy = Auto::new(StrategyKind::Fuzzy, corpus("connect_four"), "yellow", options);
    strategy.prepare(later(2)).expect("can be played");
    let first = strategy.choose(Instant::now() + Duration::from_millis(300)).expect("a move");
    assert_eq!((first.method.as_str(), first.proven), ("alpha-beta", false));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    for turn in &three {
        strategy.observe(&Turn::Moves(turn.map(str::to_owned).to_vec())).expect("can be made");
    }
    let found = strategy.choose(later(60)).expect("there is a move");
    assert_eq!((found.action.as_str(), found.value, found.proven), ("(drop 2)", Some(100.0), true));
}

#[test]
fn alpha_beta_thinks_while_nobody_waits() {
    let options = StrategyOptions { ponders: true, ..StrategyOptions::default() };
    let mut strategy = Auto::new(StrategyKind::AlphaBeta, corpus("nim"), "first", options);
    strategy.prepare(later(2)).expect("can be played");
    // Nobody calls: it ends when all is proven.
    strategy.ponder(later(3600), Arc::<AtomicBool>::default()).expect("can be played");
    let found = strategy.choose(later(60)).expect("there is a move");
    assert_eq!((found.value, found.proven), (Some(0.0), true));
    // What may end sooner than the table tells is looked at again.
    assert!(found.nodes < 30, "the table tells: {}", found.nodes);
}

#[test]
fn several_threads_of_alpha_beta_prove_the_same() {
    for (name, role, value) in [("nim", "first", 0.0), ("tictactoe", "cross", 50.0)] {
        let options = StrategyOptions { threads: 3, ..StrategyOptions::default() };
        let mut strategy = Auto::new(StrategyKind::AlphaBeta, corpus(name), role, options);
        strategy.prepare(later(2)).expect("can be played");
        let found = strategy.choose(later(60)).expect("there is a move");
        assert_eq!(found.method, "alpha-beta", "{name}");
        assert_eq!((found.value, found.proven), (Some(value), true), "{name}");
    }
}

#[test]
fn where_alpha_beta_is_not_possible_there_is_uct() {
    // Several choose at once; chance deals what not all see.
    for (name, role) in [("rock_paper_scissors", "ann"), ("card_draw", "alma")] {
        assert_eq!(looking_ahead(name, role, &[], 100).method, "uct", "{name}");
    }
    // Three roles in turn: the others are taken to be against the own one.
    let found = looking_ahead("three_player_tictactoe", "cross", &[], 1_000);
    assert_eq!(found.method, "alpha-beta");
}

#[test]
fn where_a_role_may_be_stuck_uct_takes_over() {
    let rules = "(role ann) (role bob) (init (at start)) (legal bob wait)
        (<= (legal ann ?x) (true (at start)) (way ?x)) (way trap) (way gate) (way door)
        (<= (legal ann on) (true (at gate)))
        (<= (next (at ?x)) (does ann ?x) (way ?x)) (<= (next (at gold)) (does ann on))
        (<= terminal (true (at gold))) (<= terminal (true (at door)))
        (<= (goal ann 100) (true (at gold))) (<= (goal ann 10) (true (at door)))
        (<= (goal bob 0) (true (at gold))) (<= (goal bob 90) (true (at door)))";
    let description = described(rules);
    let mut strategy = Auto::new(StrategyKind::AlphaBeta, description, "ann", with_most(200));
    strategy.prepare(later(60)).expect("can be played");
    let found = strategy.choose(later(60)).expect("there is a move");
    assert_eq!((found.method.as_str(), found.action.as_str()), ("uct", "gate"), "{found:?}");
}

#[test]
fn no_move_is_illegal() {
    for game in games() {
        if game.expect != Outcome::Groundable {
            continue;
        }
        let description = described(game.text);
        let mut rules =
            InterpretedReasoner::new(&description, Default::default()).expect("is played");
        let names: Vec<String> = rules.role_ids().map(|it| rules.role_text(it)).collect();
        let imperfect = game.text.contains("(sees ");
        let mut players: Vec<Box<dyn Strategy>> = names
            .iter()
            .map(|role| {
                let (description, options) = (Arc::clone(&description), with_most(4));
                match imperfect {
                    true => Box::new(InformationSets::new(description, role, options))
                        as Box<dyn Strategy>,
                    false => Box::new(Uct::new(description, role, options)),
                }
            })
            .collect();
        for player in &mut players {
            player.prepare(later(60)).expect(game.name);
        }
        let (mut state, mut next) = (rules.initial().clone(), State::default());
        let mut random = Random::new(1);
        for _ in 0..4 {
            if rules.is_terminal(&state).expect("known") {
                break;
            }
            let mut moves: Vec<MoveId> = Vec::new();
            for (role, player) in rules.role_ids().zip(&mut players) {
                let mut legal = Vec::new();
                rules.legal_moves(&state, role, &mut legal).expect("known");
                // Chance perceives nothing, and so does not know which moves are legal.
                let is_chance = imperfect && rules.chance_role() == Some(role);
                let chosen = player.choose(later(60)).expect(game.name).action;
                let found = rules.find_move(role, &chosen).expect("is a move");
                assert!(is_chance || legal.contains(&found), "{}: {chosen}", game.name);
                let found = if is_chance { legal[0] } else { found };
                // Others than the chosen one lead elsewhere.
                let other = legal[random.below(legal.len() as u32) as usize];
                moves.push(if random.below(2) == 0 { found } else { other });
            }
            let texts: Vec<String> = moves.iter().map(|&it| rules.move_text(it)).collect();
            let percepts = if imperfect {
                let percepts = rules.percepts(&state, &moves).expect("known");
                let printer = groundfrog::description::Printer::new(rules.symbols());
                percepts
                    .iter()
                    .map(|it| it.iter().map(|it| printer.term(it).to_string()).collect())
                    .collect()
            } else {
                vec![Vec::new(); names.len()]
            };
            for (role, player) in players.iter_mut().enumerate() {
                let turn = if imperfect {
                    let own = Some(texts[role].clone());
                    Turn::Percepts { own, percepts: percepts[role].clone() }
                } else {
                    Turn::Moves(texts.clone())
                };
                player.observe(&turn).expect(game.name);
            }
            rules.next_state(&state, &moves, &mut next).expect("is legal");
            std::mem::swap(&mut state, &mut next);
        }
    }
}
