use super::*;
use groundfrog_player::{StrategyKind, build_strategy};

fn soon() -> Instant {
    Instant::now() + Duration::from_millis(300)
}

#[test]
fn a_door_that_was_opened_tells_where_the_prize_is() {
    let description = corpus("monty_hall");
    for seed in 0..100 {
        let mut game = Match::new(&description, seed);
        let mut guest = prepared(&description, "guest", seed, 1000);
        let door = ["left", "middle", "right"][seed as usize % 3];
        for own in [format!("(point {door})"), "wait".to_owned()] {
            let (_, percepts) = game.step(&[("guest", &own)]);
            guest.observe(&told(&own, &percepts[0])).expect("it happened");
        }
        let found = guest.choose(later(60)).expect("a move");
        assert_eq!((found.action.as_str(), found.proven), ("switch", true));
        let value = found.value.expect("known");
        assert!((value - 200.0 / 3.0).abs() < 1e-6, "{value}");
    }
}

#[test]
fn looking_is_worth_what_can_be_done_with_it() {
    let description = corpus("peek");
    for seed in 0..30 {
        let mut game = Match::new(&description, seed);
        let mut seeker = prepared(&description, "seeker", seed, 1000);
        let (_, percepts) = game.step(&[("seeker", "wait")]);
        seeker.observe(&told("wait", &percepts[0])).expect("it happened");
        let found = seeker.choose(later(60)).expect("a move");
        assert_eq!((found.action.as_str(), found.value), ("look", Some(90.0)));
        let guess = found.candidates.iter().find(|it| it.action == "(guess red)");
        assert_eq!(guess.and_then(|it| it.value), Some(25.0), "{found:?}");
        let (_, percepts) = game.step(&[("seeker", "look")]);
        seeker.observe(&told("look", &percepts[0])).expect("it happened");
        let found = seeker.choose(later(60)).expect("a move");
        game.step(&[("seeker", &found.action)]);
        assert!(game.is_over());
        let seeker = role(&game.machine, "seeker");
        assert_eq!(game.machine.goal(&game.state, seeker).expect("one value"), 90);
    }
}

#[test]
fn searched_trees_value_information_as_well() {
    // A second role that only watches: then beliefs cannot be looked at one by one.
    let text = groundfrog_corpus::game("peek").expect("a game").text;
    let text = format!("{text} (role watcher) (legal watcher wait) (goal watcher 0)");
    let description = described(&text);
    for seed in 0..10 {
        let mut game = Match::new(&description, seed);
        let mut seeker = prepared(&description, "seeker", seed, 3000);
        let (_, percepts) = game.step(&[("seeker", "wait")]);
        seeker.observe(&told("wait", &percepts[0])).expect("it happened");
        let found = seeker.choose(later(60)).expect("a move");
        assert_eq!((found.action.as_str(), found.method.as_str()), ("look", "information sets"));
        assert!((found.value.expect("known") - 90.0).abs() < 5.0, "{found:?}");
    }
}

#[test]
fn nothing_leaks_from_the_true_state() {
    let description = corpus("card_draw");
    let deal = |bruno: &str| format!("(deal jack {bruno})");
    let decisions: Vec<_> = ["queen", "king"]
        .iter()
        .map(|bruno| {
            let mut game = Match::new(&description, 1);
            let (_, percepts) =
                game.step(&[("random", &deal(bruno)), ("alma", "pause"), ("bruno", "pause")]);
            let own = role(&game.machine, "alma").index();
            let mut alma = prepared(&description, "alma", 7, 2000);
            alma.observe(&told("pause", &percepts[own])).expect("it happened");
            let decision = alma.choose(later(60)).expect("a move");
            let position = alma.position(later(60)).expect("agrees").expect("is set up");
            (decision, position.summary().expect("known"))
        })
        .collect();
    assert_eq!(decisions[0], decisions[1]);
    let states = &decisions[0].1.states;
    assert_eq!(states.iter().map(|it| it.probability).collect::<Vec<_>>(), [0.5, 0.5]);
    for (state, card) in states.iter().zip(["king", "queen"]) {
        assert!(state.state.contains(&format!("(holds bruno {card})")), "{state:?}");
    }
}

#[test]
fn moves_are_legal_in_every_state_that_is_possible() {
    let description = described(
        "(role hero) (role random) (init start) (colour red) (colour blue)
         (<= (legal random (pick ?c)) (true start) (colour ?c))
         (<= (legal random wait) (not (true start)))
         (<= (legal hero wait) (true start))
         (<= (legal hero (paint ?c)) (true (picked ?c)))
         (<= (legal hero (strip ?c)) (colour ?c) (not (true start)) (not (true (picked ?c))))
         (<= (legal hero (both ?c)) (colour ?c) (not (true start)) (true spare))
         (<= (next (picked ?c)) (does random (pick ?c)))
         (<= (next over) (not (true start)))
         (<= (sees hero nothing) (does hero wait))
         (<= terminal (true over)) (goal hero 50) (goal random 0)",
    );
    let mut hero = prepared(&description, "hero", 1, 100);
    hero.observe(&told("wait", &["nothing".to_owned()])).expect("it happened");
    let found = hero.choose(later(60)).expect("a move");
    assert!(found.method.contains("no move is known to be legal"), "{found:?}");
    // The move that was made says which states it was legal in.
    hero.observe(&told("(paint blue)", &[])).expect("it happened");
    let position = hero.position(later(60)).expect("agrees").expect("is set up");
    assert_eq!(position.belief().worlds().len(), 1);
}

#[test]
fn a_game_of_gdl_is_played_by_the_protocol_of_gdl_ii() {
    let description = corpus("tictactoe");
    let options = StrategyOptions::default();
    let kind = StrategyKind::Uct;
    let machine = ground(&description);
    let names: Vec<String> = machine.role_ids().map(|it| machine.role_text(it)).collect();
    let mut x = build_strategy(kind, &description, &names[0], &options).expect("can be played");
    x.prepare(later(60)).expect("can be played");
    let mut game = Match::new(&description, 3);
    let (moves, _) = game.step(&[]);
    let seen: Vec<String> =
        names.iter().zip(&moves).rev().map(|(it, made)| format!("(DOES {it} {made})")).collect();
    x.observe(&told(&moves[0], &seen)).expect("all moves are seen");
    // The older form of the protocol has the percepts alone.
    let mut y = build_strategy(kind, &description, &names[1], &options).expect("can be played");
    y.prepare(later(60)).expect("can be played");
    y.observe(&Turn::Moves(seen.clone())).expect("all moves are seen");
    y.choose(soon()).expect("a move");
    x.choose(soon()).expect("a move");
    x.observe(&told("noop", &seen[1..])).expect("it is looked at later");
    let fault = x.choose(soon()).expect_err("a move is missing");
    assert!(fault.to_string().contains("is not seen: want (does "), "{fault}");
}
