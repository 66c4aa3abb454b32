//! What an exploration says, as findings about the description.

use super::{Exploration, Verdict, Witness};
use crate::knowledge;
use groundfrog::description::{Atom, Description, Printer, Term};
use groundfrog::kif::{Diagnostic, Span};
use groundfrog::symbols::Symbol;

/// The code of a game that cannot end.
pub(crate) const NO_END: &str = "GF0709";

/// How many moves of a way are shown.
const SHOWN: usize = 12;

/// The violations that an exploration found.
pub fn findings(exploration: &Exploration, description: &Description) -> Vec<Diagnostic> {
    let keywords = &description.keywords;
    let mut found = Vec::new();
    let has_all = exploration.limit.is_none() && exploration.visited > 0;
    let can_stick = matches!(exploration.playability, Verdict::Fails(_));
    let never_ends = has_all && exploration.terminal_states == 0 && !can_stick;
    if never_ends {
        let message = format!(
            "no match can ever end: none of the {} states that can be reached is terminal",
            exploration.states
        );
        found.push(Diagnostic::error(NO_END, message, place(description, keywords.terminal)));
    } else if let Verdict::Fails(Some(witness)) = &exploration.termination {
        let span = place(description, keywords.terminal);
        let message = "a match can go on for ever: some states repeat";
        let diagnostic = Diagnostic::warning("GF0701", message, span)
            .with_help(format!("the way there: {}", moves(&witness.moves)))
            .with_help(format!("and round and round: {}", moves(&witness.cycle)))
            .with_help("a step counter ends every match");
        found.push(diagnostic);
    }
    if let Verdict::Fails(Some(witness)) = &exploration.playability {
        let message = format!("{}, and the match is not over", witness.remark);
        let span = place(description, keywords.legal);
        found.push(with_way(Diagnostic::error("GF0702", message, span), witness).with_help(
            "who has to wait needs a move for that, such as `noop`, which is legal when it is another's turn",
        ));
    }
    if let Verdict::Fails(Some(witness)) = &exploration.utility {
        let message = format!("a match ends without exactly one goal value: {}", witness.remark);
        let span = place(description, keywords.goal);
        found.push(with_way(Diagnostic::error("GF0703", message, span), witness));
    }
    if let Verdict::Fails(Some(witness)) = &exploration.sum {
        let message = format!(
            "the goals of both roles mostly add up to 100, and once they do not: {}",
            witness.remark
        );
        let span = place(description, keywords.goal);
        found.push(with_way(Diagnostic::note("GF0708", message, span), witness));
    }
    for (role, verdict) in &exploration.winnable {
        if let Verdict::Fails(_) = verdict
            && !never_ends
        {
            let message = format!("`{role}` can never win: no terminal state has its goal 100");
            let place = place_of(role, keywords.goal, description);
            found.push(Diagnostic::warning("GF0704", message, place));
        }
    }
    found.extend(knowledge::findings(&exploration.knowledge, description));
    found
}

/// The first statement about a predicate, or else the first of all.
pub(crate) fn place(description: &Description, name: Symbol) -> Span {
    let statements = &description.statements;
    let about = statements.iter().find(|it| it.head.predicate == name);
    about.or(statements.first()).map_or_else(Span::default, |it| it.head.span)
}

/// The first statement about what a role can get or do, best a goal of 100; or else that the role plays.
pub(crate) fn place_of(role: &str, keyword: Symbol, description: &Description) -> Span {
    let printer = Printer::new(&description.symbols);
    let goals = description.statements.iter().map(|it| &it.head);
    let goals = goals.filter(|it| it.predicate == keyword);
    let fit = |atom: &&Atom| {
        let [of, value] = atom.arguments.as_slice() else { return 0 };
        let is_100 = printer.term(value).to_string() == "100";
        match of {
            Term::Variable(_) => 1 + u32::from(is_100),
            of if printer.term(of).to_string() == role => 3 + u32::from(is_100),
            _ => 0,
        }
    };
    // Of several the first.
    let best = goals.rev().max_by_key(fit).filter(|it| fit(it) > 0);
    best.map_or_else(|| place(description, description.keywords.role), |it| it.span)
}

fn with_way(diagnostic: Diagnostic, witness: &Witness) -> Diagnostic {
    diagnostic
        .with_help(format!("the way there: {}", moves(&witness.moves)))
        .with_help(format!("the state: {}", witness.state.join(" ")))
}

/// Joint moves in one line.
pub(crate) fn moves(moves: &[Vec<String>]) -> String {
    if moves.is_empty() {
        return "the initial state".to_owned();
    }
    let shown = moves.iter().take(SHOWN).map(|it| it.join(" + ")).collect::<Vec<String>>();
    let more = moves.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}
