//! What [`GroundGame`](groundfrog::game::GroundGame) promises.

use groundfrog::game::{AtomId, AtomKind, RoleId, RulesByHead};

use super::{ground_text, own_games, treatments};

#[test]
fn the_stated_invariants_hold() {
    for (game, options) in own_games().flat_map(|game| treatments().map(|options| (game, options)))
    {
        let ground = ground_text(game.text, &options);
        ground.check_invariants().unwrap_or_else(|error| panic!("{}: {error}", game.name));
    }
}

#[test]
fn rules_are_found_by_their_heads() {
    for game in own_games() {
        let game = ground_text(game.text, &treatments()[0]);
        let by_head = RulesByHead::new(&game);
        let mut found = 0;
        for atom in (0..game.atom_count() as u32).map(AtomId) {
            let rules = by_head.rules(atom);
            assert!(rules.is_sorted_by(|left, right| left < right));
            assert!(rules.iter().all(|&rule| game.rules().rule(rule as usize).head == atom.0));
            assert_eq!(by_head.has_rules(atom), !rules.is_empty());
            found += rules.len();
        }
        assert_eq!(found, game.rules().len());
    }
}

/// An atom's text with another word in front, such as `next` for `true`.
fn with_predicate(text: &str, predicate: &str) -> String {
    let (_, arguments) = text.split_once(' ').expect("an atom with arguments");
    format!("({predicate} {arguments}")
}

#[test]
fn moves_goals_and_next_are_the_atoms_that_say_so() {
    for (game, options) in own_games().flat_map(|game| treatments().map(|options| (game, options)))
    {
        let name = game.name;
        let game = ground_text(game.text, &options);
        let text = |atom: AtomId| game.display(atom).to_string();
        for fluent in game.fluents() {
            assert_eq!(game.kind(fluent), AtomKind::True, "{name}");
            if let Some(next) = game.next(fluent) {
                assert_eq!(text(next), with_predicate(&text(fluent), "next"), "{name}");
            }
        }
        let mut of_roles = 0;
        for role in (0..game.roles().len() as u32).map(RoleId) {
            for it in game.moves_of(role) {
                let legal = it.legal.map(text);
                let expected = with_predicate(&text(it.does), "legal");
                assert_eq!(legal, Some(expected), "{name}");
                of_roles += 1;
            }
            for goal in game.goals_of(role) {
                let value = goal.value.expect("values are numbers").to_string();
                assert!(text(goal.atom).ends_with(&format!(" {value})")), "{name}");
            }
        }
        assert_eq!(of_roles, game.moves().len(), "{name}");
        assert_eq!(game.terminal().map(text).as_deref(), Some("terminal"), "{name}");
        for &head in game.rules().heads() {
            assert!(!game.is_open(AtomId(head)), "{name}: {}", text(AtomId(head)));
        }
    }
}
