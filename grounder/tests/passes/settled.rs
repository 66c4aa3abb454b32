//! What the passes make of rules is simplified once more: nothing is left that always or never holds.

use groundfrog::compact::Passes;
use groundfrog::game::{AtomId, AtomKind, GroundGame};
use groundfrog_corpus::random_game;
use groundfrog_testing::{grounded, options, own_games};

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
    let small = super::small_games(|_| true);
    let own = own_games().map(|it| (it.name.to_owned(), it.text.to_owned()));
    let random = (0..60).map(|seed| (format!("random {seed}"), random_game(seed)));
    for (name, text) in own.chain(random).chain(small) {
        let game = grounded(&text, &options(Passes::ALL));
        assert_eq!(unsettled(&game), Vec::<String>::new(), "{name}");
    }
}
