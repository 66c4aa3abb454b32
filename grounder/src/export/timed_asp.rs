//! Ext(G, N): the description as an answer set program with time, which the translations of games to quantified formulae read
//! (`gdl2qbf`): what holds after 1 to N joint moves.
//!
//! Every dynamic atom has the time as a last argument: `(init f)` is `true(f,1)`, `(next f)` is `true(f,T+1)`. Times of states
//! are `tdom(1..N+1)`, those of joint moves `mtdom(1..N)`. Static rules are as they are.

use std::io::{self, Write};

use super::text::RuleText;
use crate::emit::notation::Asp;
use crate::prepare::Prepared;
use crate::rules::{Literal, Rule};

/// Writes the program for so many joint moves.
///
/// # Errors
/// Those of the writer.
pub fn write(prepared: &Prepared, moves: u32, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "mtdom(1..{moves}).\ntdom(1..{}).", u64::from(moves) + 1)?;
    let used = |rule: &&Rule| prepared.statics.is_used(rule.head.predicate());
    for rule in prepared.rules.rules.iter().filter(used) {
        let mut text = RuleText::new(&prepared.rules.symbols);
        write_rule(rule, prepared, &mut text);
        out.write_all(&text.out)?;
    }
    Ok(())
}

fn write_rule(rule: &Rule, prepared: &Prepared, text: &mut RuleText<'_, Asp>) {
    let keywords = &prepared.rules.keywords;
    let is_dynamic = |predicate| prepared.statics.is_dynamic(predicate);
    let mut head = rule.head.clone();
    let mut time = None;
    if head.predicate == keywords.init {
        head.predicate = keywords.true_;
        text.atom_with(&head, Some("1"));
    } else if head.predicate == keywords.next {
        head.predicate = keywords.true_;
        text.atom_with(&head, Some("T+1"));
        time = Some("mtdom(T)");
    } else if is_dynamic(head.predicate()) {
        text.atom_with(&head, Some("T"));
        time = Some("tdom(T)");
    } else {
        text.atom(&head);
    }
    let mut separator = " :- ";
    for literal in &rule.body {
        text.push(separator);
        separator = ", ";
        let timed = |predicate| (is_dynamic(predicate)).then_some("T");
        match literal {
            Literal::Positive(atom) => text.atom_with(atom, timed(atom.predicate())),
            Literal::Negative(atom) => {
                text.push("not ");
                text.atom_with(atom, timed(atom.predicate()));
            }
            Literal::Distinct(left, right) => {
                text.term(left);
                text.push(" != ");
                text.term(right);
            }
        }
    }
    if let Some(time) = time {
        text.push(separator);
        text.push(time);
    }
    text.push(".\n");
}
