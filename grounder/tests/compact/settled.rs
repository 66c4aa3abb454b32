//! What the passes make of rules is simplified once more: nothing is left that always or never holds.

use groundfrog::compact::Passes;
use groundfrog::emit::canonical;
use groundfrog::game::{AtomId, AtomKind, GroundGame};
use groundfrog::options::Engine;
use groundfrog_corpus::random_game;

use super::options;
use super::text::{grounded, own_games};

/// The views that rules ask for though they always hold or never do, those that nothing asks for, and the rules that ask for
/// something and its opposite.
fn unsettled(game: &GroundGame) -> Vec<String> {
    let is_view = |atom: u32| game.kind(AtomId(atom)) == AtomKind::View;
    let mut marks = vec![(false, false, false); game.atom_count()];
    let mut found = Vec::new();
    for rule in game.rules().iter() {
        let (_, has_rule, is_fact) = &mut marks[rule.head as usize];
        *(if rule.body.is_empty() { is_fact } else { has_rule }) = true;
        for literal in rule.body {
            marks[literal.atom() as usize].0 = true;
            if rule.body.iter().any(|it| it.atom() == literal.atom() && it != literal) {
                found.push(format!("{} and its opposite", game.display(AtomId(literal.atom()))));
            }
        }
    }
    let views = (0..).zip(marks).filter(|(atom, _)| is_view(*atom));
    let odd = views.filter(|(_, it)| ![(false, false, false), (true, true, false)].contains(it));
    found.extend(odd.map(|(atom, mark)| format!("{} {mark:?}", game.display(AtomId(atom)))));
    found
}

#[test]
fn nothing_is_left_that_always_or_never_holds() {
    // Whatever is done, something is done: the rules for `busy` become one without conditions when the moves are merged.
    let busy = "(role r) (role s) (init (lit 1)) (<= (legal ?r (push ?n)) (role ?r) (number ?n))
        (number 1) (number 2) (number 3) (number 4) (goal r 50) (goal s 50) (<= terminal (true (lit 4)))
        (<= (busy ?r) (does ?r (push ?n))) (<= (idle ?r) (role ?r) (not (busy ?r)))
        (<= (next (lit ?n)) (does r (push ?n)) (busy s)) (<= (next (lit 4)) (idle r) (true (lit ?n)))
        (<= (odd ?r) (role ?r) (true (lit 1)) (idle s)) (<= (next (lit 3)) (odd r) (not (true (lit 2))))";
    let mut games: Vec<(String, String)> =
        own_games().map(|it| (it.name.into(), it.text.into())).collect();
    games.push(("busy".to_owned(), busy.to_owned()));
    games.extend((0..100).map(|seed| (format!("random {seed}"), random_game(seed))));
    for (name, text) in games {
        let game = grounded(&text, &options(Passes::ALL, Engine::Datafrog));
        assert_eq!(unsettled(&game), Vec::<String>::new(), "{name}");
    }
    let game = grounded(busy, &options(Passes::ALL, Engine::Datafrog));
    let rules: Vec<String> = canonical::lines(&game).collect();
    assert_eq!(rules.len(), 4 + 1 + 2 + 2 * 4, "next, terminal, goal, legal: {rules:?}");
}
