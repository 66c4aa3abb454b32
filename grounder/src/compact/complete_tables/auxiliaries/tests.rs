use super::*;
use crate::description::{Description, ParseOptions};
use crate::ground::flatten_rules;
use crate::options::GroundOptions;

/// A game whose rules are small, with its forms and symbols.
struct Game {
    forms: Forms,
    symbols: Symbols,
    /// The stored literal of a rule without arguments in its head.
    stored: FlatLiteral,
}

fn game() -> Game {
    let text = "(role r) (init (at 1)) (legal r go) (<= (next (at ?x)) (true (at ?x)))
        (<= terminal (true (at ?x)))";
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("the text is well formed");
    let (flattened, ..) =
        flatten_rules(&description, &GroundOptions::flat()).expect("the rules are bounded");
    let is_projection = |it: &&FlatRule| it.stored && it.head.arguments.is_empty();
    let rule = flattened.flat.rules.iter().find(is_projection).expect("the rule of terminal");
    let stored = rule.body[0].clone();
    Game { forms: flattened.forms, symbols: flattened.prepared.rules.symbols, stored }
}

/// The predicate of a literal that stands for a definition.
fn form_of(literal: &FlatLiteral) -> FormId {
    match &literal.kind {
        LiteralKind::Positive(atom) => atom.form,
        _ => panic!("an auxiliary literal is positive"),
    }
}

#[test]
fn a_condition_and_what_is_stored_are_two_predicates() {
    let Game { mut forms, mut symbols, stored } = game();
    let condition = FlatLiteral { stored: false, ..stored.clone() };
    let mut auxiliaries = Auxiliaries::default();
    let mut form = |literal: &FlatLiteral| {
        let definition = Definition::new(&[literal], &[], &forms);
        let (literal, _) = auxiliaries.literal(definition, 0, &mut forms, &mut symbols);
        (form_of(&literal), literal.stored)
    };
    let [first, second, again] = [&condition, &stored, &condition].map(&mut form);
    assert_eq!((first.1, second.1), (false, true));
    assert_ne!(first.0, second.0, "one has rules in the ground game, the other a table");
    assert_eq!(first, again);
    assert_eq!(auxiliaries.dynamic, [second.0]);
}

#[test]
fn what_rows_pass_on_to_each_other_is_a_part_of_the_definition() {
    let Game { mut forms, mut symbols, stored } = game();
    let mut auxiliaries = Auxiliaries::default();
    let pairs = [2, 3].map(|rows| {
        let mut table = Table::new(2);
        for row in 1..rows {
            table.insert(&[row - 1, row]);
        }
        auxiliaries.given(&Rc::new(table), &mut forms, &mut symbols).0
    });
    let mut form = |contained: Option<FormId>| {
        let mut definition = Definition::new(&[&stored], &[0], &forms);
        assert_eq!(definition.interface, [0]);
        definition.passed_on =
            contained.map(|contained| PassedOn { contained, of_keys: vec![Some(0)] });
        let before = auxiliaries.rules.len();
        let (literal, _) = auxiliaries.literal(definition, 0, &mut forms, &mut symbols);
        (form_of(&literal), auxiliaries.rules.len() - before)
    };
    let plain = form(None);
    let [one, other] = pairs.map(|it| form(Some(it)));
    assert_eq!([plain.1, one.1, other.1], [1, 2, 2]);
    assert!(plain.0 != one.0 && plain.0 != other.0 && one.0 != other.0);
    assert_eq!([form(None), form(Some(pairs[1]))], [(plain.0, 0), (other.0, 0)]);
}

#[test]
fn what_is_taken_back_is_defined_anew() {
    let Game { mut forms, mut symbols, stored } = game();
    let mut auxiliaries = Auxiliaries::default();
    let alternative = |literal: &FlatLiteral| Alternative {
        arguments: Arguments::from_iter([Argument::Variable(0)]),
        body: vec![literal.clone()],
        origin: 0,
    };
    let kept = auxiliaries.union(vec![alternative(&stored)], &mut forms, &mut symbols);
    let before = auxiliaries.rules.len();
    let negated = match &stored.kind {
        LiteralKind::Positive(atom) => LiteralKind::Negative(atom.clone()),
        _ => panic!("the literal is positive"),
    };
    let negated = FlatLiteral { kind: negated, ..stored.clone() };
    let union = |auxiliaries: &mut Auxiliaries, forms: &mut Forms, symbols: &mut Symbols| {
        let both = [&stored, &negated].map(alternative).to_vec();
        auxiliaries.union(both, forms, symbols)
    };
    let first = union(&mut auxiliaries, &mut forms, &mut symbols);
    auxiliaries.literal(Definition::new(&[&negated], &[0], &forms), 0, &mut forms, &mut symbols);
    auxiliaries.take_back(before);
    assert_eq!((auxiliaries.rules.len(), auxiliaries.dynamic.len()), (before, 1));
    let second = union(&mut auxiliaries, &mut forms, &mut symbols);
    assert!(second.1 && second.0 != first.0, "its rules are gone");
    assert!(auxiliaries.rules.iter().any(|it| it.head.form == second.0));
    let again = auxiliaries.union(vec![alternative(&stored)], &mut forms, &mut symbols);
    assert_eq!(again, (kept.0, false));
}
