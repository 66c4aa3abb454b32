//! Descriptions as answer set programs, with or without time. The rules are written as they are after or-elimination.

use std::io::{self, Write};

use super::RuleText;
use crate::description::Predicate;
use crate::emit::Asp;
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

/// Writes the program whose grounding is the flat ground game (the program P of Schiffel 2016).
///
/// A state generator chooses any facts of base, an action generator any moves of input, and base and input are
/// computed from `init`, `next` and `legal`: a grounder instantiates each rule for every fact and every move that
/// can occur.
///
/// # Errors
/// Those of the writer.
pub fn write(prepared: &Prepared, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(GENERATORS.as_bytes())?;
    write_rules(prepared, out, |rule, text| {
        text.atom(&rule.head);
        body(rule, |_| None, text);
    })
}

/// Writes Ext(G, N), the program with time for N joint moves, which the translations of games to quantified formulae
/// read (`gdl2qbf`): what holds after 1 to N joint moves.
///
/// Every dynamic atom has the time as a last argument: `(init f)` is `true(f,1)`, `(next f)` is `true(f,T+1)`. Times of
/// states are `tdom(1..N+1)`, those of joint moves `mtdom(1..N)`. Static rules are as they are.
///
/// # Errors
/// Those of the writer.
pub fn write_timed(prepared: &Prepared, moves: u32, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "mtdom(1..{moves}).\ntdom(1..{}).", u64::from(moves) + 1)?;
    let keywords = &prepared.rules.keywords;
    let is_dynamic = |predicate| prepared.statics.is_dynamic(predicate);
    write_rules(prepared, out, |rule, text| {
        let mut head = rule.head.clone();
        let (time, domain) = if head.predicate == keywords.init {
            head.predicate = keywords.true_;
            (Some("1"), None)
        } else if head.predicate == keywords.next {
            head.predicate = keywords.true_;
            (Some("T+1"), Some("mtdom(T)"))
        } else if is_dynamic(head.predicate()) {
            (Some("T"), Some("tdom(T)"))
        } else {
            (None, None)
        };
        text.atom_with(&head, time);
        body(rule, |predicate| is_dynamic(predicate).then_some("T"), text);
        if let Some(domain) = domain {
            text.push(if rule.body.is_empty() { " :- " } else { ", " });
            text.push(domain);
        }
    })
}

/// Writes the rules that the flat program depends on, each with a dot behind it.
fn write_rules(
    prepared: &Prepared,
    out: &mut dyn Write,
    write_rule: impl Fn(&Rule, &mut RuleText<'_, Asp>),
) -> io::Result<()> {
    let used = |rule: &&Rule| prepared.statics.is_used(rule.head.predicate());
    for rule in prepared.rules.rules.iter().filter(used) {
        let mut text = RuleText::new(&prepared.rules.symbols);
        write_rule(rule, &mut text);
        text.push(".\n");
        out.write_all(&text.out)?;
    }
    Ok(())
}

/// Writes the body of a rule; `time` says which atoms have a last argument more.
fn body(
    rule: &Rule,
    time: impl Fn(Predicate) -> Option<&'static str>,
    text: &mut RuleText<'_, Asp>,
) {
    for (position, literal) in rule.body.iter().enumerate() {
        text.push(if position == 0 { " :- " } else { ", " });
        match literal {
            Literal::Positive(atom) => text.atom_with(atom, time(atom.predicate())),
            Literal::Negative(atom) => {
                text.push("not ");
                text.atom_with(atom, time(atom.predicate()));
            }
            Literal::Distinct(left, right) => {
                text.term(left);
                text.push(" != ");
                text.term(right);
            }
        }
    }
}
