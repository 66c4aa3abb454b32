//! What roles know in games with percepts.

use groundfrog_check::explore::{SampleOptions, findings, sample};
use groundfrog_check::knowledge::{Confusion, Knows, RoleKnowledge, know};
use groundfrog_corpus::{game, random_hidden_game};
use groundfrog_reasoner::{GroundReasoner, MoveId, Reasoner, State, Vocabulary};

fn knowledge(text: &str) -> Vec<RoleKnowledge> {
    let mut reasoner = GroundReasoner::of_text(text).expect("can be ground");
    know(&mut reasoner, 1_000_000, &mut || true).expect("can be evaluated")
}

/// What a role perceives along a history, and the state that it leads to.
fn follow(
    reasoner: &mut GroundReasoner,
    role: usize,
    history: &[Vec<String>],
) -> (Vec<String>, State) {
    let (mut state, mut next, mut known) =
        (reasoner.initial().clone(), State::default(), Vec::new());
    for texts in history {
        assert!(!reasoner.is_terminal(&state).expect("known"));
        let roles = reasoner.role_ids().zip(texts);
        let roles: Vec<_> = roles.collect();
        let moves: Vec<MoveId> = roles
            .into_iter()
            .map(|(it, text)| reasoner.find_move(it, text).expect("a move"))
            .collect();
        let mut seen = Vec::new();
        reasoner.perceive(&state, &moves, &mut seen).expect("legal");
        known.push(format!("{} {:?}", texts[role], seen[role]));
        reasoner.next_state(&state, &moves, &mut next).expect("legal");
        std::mem::swap(&mut state, &mut next);
    }
    (known, state)
}

/// Whether the two histories of a witness cannot be told apart and lead to states that differ.
fn check(
    text: &str,
    confusion: &Confusion,
    differ: impl Fn(&mut GroundReasoner, &State) -> String,
) {
    let mut reasoner = GroundReasoner::of_text(text).expect("can be ground");
    let role = reasoner.role_ids().find(|&it| reasoner.role_text(it) == confusion.role);
    let role = role.expect("a role").index();
    let [one, other] = &confusion.histories;
    let (known, state) = follow(&mut reasoner, role, one);
    let (also_known, other) = follow(&mut reasoner, role, other);
    assert_eq!(known, also_known, "{confusion:?}");
    assert_ne!(differ(&mut reasoner, &state), differ(&mut reasoner, &other), "{confusion:?}");
}

#[test]
fn roles_of_sound_games_know_enough() {
    for name in ["monty_hall", "kuhn_poker", "peek", "card_draw"] {
        let found = knowledge(game(name).expect("is there").text);
        assert!(!found.is_empty());
        for role in found {
            assert_eq!((&role.moves, &role.end), (&Knows::Always, &Knows::Always), "{name}");
            // Nobody is shown the cards, or the prize, at the end.
            let knows_goal = !matches!(role.goal, Knows::Not(_));
            assert!(!knows_goal || name == "kuhn_poker" || name == "peek", "{name}: {role:?}");
        }
    }
    assert!(knowledge(game("tictactoe").expect("is there").text).is_empty());
}

#[test]
fn two_histories_show_what_is_not_known() {
    let text = "(role ann) (role random) (init start) (side left) (side right)
        (<= (legal random (turn ?s)) (side ?s)) (<= (legal ann wait) (true start))
        (<= (legal ann (go ?s)) (true (turned ?s)))
        (<= (next (turned ?s)) (true start) (does random (turn ?s)))
        (<= (next (over ?s)) (does ann (go ?s))) (<= (sees ann nothing) (true start))
        (<= terminal (true (over ?s))) (<= terminal (true (turned left)) (true start))
        (<= (goal ann 100) (true (over left))) (<= (goal ann 0) (not (true (over left)))) (goal random 0)";
    let found = knowledge(text);
    let [ann] = found.as_slice() else { panic!("{found:?}") };
    let Knows::Not(confusion) = &ann.moves else { panic!("{ann:?}") };
    check(text, confusion, |reasoner, state| {
        let mut legal = Vec::new();
        reasoner.legal_moves(state, groundfrog::RoleId(0), &mut legal).expect("known");
        format!("{legal:?}")
    });
    assert_eq!(confusion.differs, ["`(go left)` is legal", "`(go right)` is legal"]);
    assert_eq!((&ann.end, &ann.goal), (&Knows::Always, &Knows::Always));
}

#[test]
fn witnesses_of_random_games_are_right() {
    let mut shown = [0; 3];
    for seed in 0..60 {
        let text = random_hidden_game(seed);
        for role in knowledge(&text) {
            let number = |reasoner: &GroundReasoner| {
                reasoner.role_ids().find(|&it| reasoner.role_text(it) == role.role).expect("a role")
            };
            if let Knows::Not(confusion) = &role.moves {
                shown[0] += 1;
                check(&text, confusion, |reasoner, state| {
                    let (mut legal, role) = (Vec::new(), number(reasoner));
                    reasoner.legal_moves(state, role, &mut legal).expect("known");
                    format!("{legal:?}")
                });
            }
            if let Knows::Not(confusion) = &role.end {
                shown[1] += 1;
                check(&text, confusion, |reasoner, state| {
                    reasoner.is_terminal(state).expect("known").to_string()
                });
            }
            if let Knows::Not(confusion) = &role.goal {
                shown[2] += 1;
                check(&text, confusion, |reasoner, state| {
                    let (mut values, role) = (Vec::new(), number(reasoner));
                    reasoner.goal_values(state, role, &mut values).expect("known");
                    format!("{values:?}")
                });
            }
        }
    }
    assert!(shown.iter().all(|&it| it > 3), "{shown:?}");
}

#[test]
fn what_a_role_does_not_know_is_said_at_its_own_goal() {
    let text = "(role ann) (role bob) (role random) (init start) (side left) (side right)
        (<= (legal random (turn ?s)) (side ?s)) (legal ann wait) (legal bob wait)
        (<= (next (turned ?s)) (does random (turn ?s))) (<= (sees ann ?s) (does random (turn ?s)))
        (<= terminal (true (turned ?s))) (goal ann 50) (goal random 0)
        (<= (goal bob 0) (true (turned right))) (<= (goal bob 100) (true (turned left)))";
    let description = groundfrog::Description::parse(text.as_bytes(), &Default::default());
    let mut reasoner = GroundReasoner::of_text(text).expect("can be ground");
    let mut found = sample(&mut reasoner, &SampleOptions::default(), &mut |_| false);
    found.knowledge = knowledge(text);
    let found = findings(&found, &description.expect("a description"));
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((finding.code, finding.span().text(text)), ("GF0707", "(goal bob 100)"));
}

#[test]
fn limits_leave_things_undecided() {
    let mut reasoner = GroundReasoner::of_text(&random_hidden_game(1)).expect("can be ground");
    let few = know(&mut reasoner, 2, &mut || true).expect("can be evaluated");
    let late = know(&mut reasoner, 1000, &mut || false).expect("can be evaluated");
    for role in few.iter().chain(&late) {
        assert_eq!(role.moves, Knows::Undecided);
    }
}
