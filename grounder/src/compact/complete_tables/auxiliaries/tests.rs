use super::*;
use crate::description::{Description, ParseOptions};
use crate::ground::flatten_rules;
use crate::options::GroundOptions;

#[test]
fn a_condition_and_what_is_stored_are_two_predicates() {
    let text = "(role r) (init (at 1)) (legal r go) (<= (next (at ?x)) (true (at ?x)))
        (<= terminal (true (at ?x)))";
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("the text is well formed");
    let (flattened, ..) =
        flatten_rules(&description, &GroundOptions::default()).expect("the rules are bounded");
    let mut forms = flattened.forms;
    let mut symbols = flattened.prepared.rules.symbols;
    let rules = flattened.flat.rules;
    let is_projection = |it: &&FlatRule| it.stored && it.head.arguments.is_empty();
    let projection = rules.iter().find(is_projection).expect("the rule of terminal");
    let stored = projection.body[0].clone();
    let condition = FlatLiteral { stored: false, ..stored.clone() };
    let mut auxiliaries = Auxiliaries::default();
    let mut form = |literal: &FlatLiteral| {
        let definition = Definition::new(&[literal], &[]);
        let (literal, _) = auxiliaries.literal(definition, 0, &mut forms, &mut symbols);
        match literal.kind {
            LiteralKind::Positive(atom) => (atom.form, literal.stored),
            _ => panic!("an auxiliary literal is positive"),
        }
    };
    let [first, second, again] = [&condition, &stored, &condition].map(&mut form);
    assert_eq!((first.1, second.1), (false, true));
    assert_ne!(first.0, second.0, "one has rules in the ground game, the other a table");
    assert_eq!(first, again);
    assert_eq!(auxiliaries.dynamic, [second.0]);
}
