//! The description as an answer set program whose grounding is the flat ground game (the program P of
//! Schiffel 2016).
//!
//! The rules are written as they are after or-elimination. A state generator chooses any facts of base, an
//! action generator any moves of input, and base and input are computed from `init`, `next` and `legal`:
//! a grounder instantiates each rule for every fact and every move that can occur.

use std::io::{self, Write};

use super::text::RuleText;
use crate::emit::notation::Asp;
use crate::prepare::Prepared;
use crate::rules::{Literal, Rule};

/// What generates states, moves, base and input.
const GENERATORS: &str = "\
base(F) :- init(F).
base(F) :- next(F).
input(R,M) :- legal(R,M).
{ true(F) } :- base(F).
{ does(R,M) } :- input(R,M), role(R).
#defined init/1.
#defined next/1.
#defined legal/2.
";

/// Writes the program.
///
/// # Errors
/// Those of the writer.
pub fn write(prepared: &Prepared, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(GENERATORS.as_bytes())?;
    let rules = &prepared.rules.rules;
    let used = |rule: &&Rule| prepared.statics.is_used(rule.head.predicate());
    for rule in rules.iter().filter(used) {
        let mut text = RuleText::new(&prepared.rules.symbols);
        write_rule(rule, &mut text);
        out.write_all(&text.out)?;
    }
    Ok(())
}

fn write_rule(rule: &Rule, text: &mut RuleText<'_, Asp>) {
    text.atom(&rule.head);
    for (position, literal) in rule.body.iter().enumerate() {
        text.push(if position == 0 { " :- " } else { ", " });
        match literal {
            Literal::Positive(atom) => text.atom(atom),
            Literal::Negative(atom) => {
                text.push("not ");
                text.atom(atom);
            }
            Literal::Distinct(left, right) => {
                text.term(left);
                text.push(" != ");
                text.term(right);
            }
        }
    }
    text.push(".\n");
}
