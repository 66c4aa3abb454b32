//! Who plays, and what they can get: names that are no roles, goal values out of range.

use std::collections::BTreeSet;

use fxhash::FxHashSet;

use groundfrog::description::{Atom, Predicate, Printer, Term, slip};
use groundfrog::ground::Extents;
use groundfrog::kif::{Diagnostic, Span};
use groundfrog::restrictions::keywords::{OUT_OF_RANGE, is_goal_value};
use groundfrog::rules::{Literal, Rules};

use crate::edit::SUGGESTION;
use crate::explore::NO_END;

/// Of more roles the first are named.
const MOST_NAMED: usize = 10;

/// With more roles than this, nothing is said about them: they would take more room than all else.
const MOST_ROLES: usize = 10_000;

/// The roles, unless there are too many.
pub(super) fn roles(extents: &Extents) -> Option<Vec<Term>> {
    let keywords = &extents.prepared().rules.keywords;
    let forms = extents.forms_of(Predicate { name: keywords.role, arity: 1 });
    let of_form =
        |&form| extents.table(form).rows().filter_map(move |row| extents.terms(form, row).pop());
    let count: usize = forms.iter().map(|&it| extents.table(it).len()).sum();
    (count <= MOST_ROLES).then(|| forms.iter().flat_map(of_form).collect())
}

pub(super) fn check(extents: &Extents, found: &mut Vec<Diagnostic>) {
    let Some(roles) = roles(extents) else { return };
    strangers(&extents.prepared().rules, &roles, found);
    unseen_chance(&extents.prepared().rules, &roles, found);
    goal_values(extents, &roles, found);
    no_end(extents, found);
}

/// No rule about `terminal` can ever fire.
fn no_end(extents: &Extents, found: &mut Vec<Diagnostic>) {
    let rules = &extents.prepared().rules;
    let terminal = Predicate { name: rules.keywords.terminal, arity: 0 };
    let mut about = rules.rules.iter().filter(|it| it.head.predicate() == terminal);
    if let Some(rule) = about.next().filter(|_| extents.count(terminal) == 0) {
        let message = "no match can ever end: no rule about `terminal` can fire";
        found.push(Diagnostic::error(NO_END, message, rule.head.span));
    }
}

/// Chance moves, and nobody perceives anything.
fn unseen_chance(rules: &Rules, roles: &[Term], found: &mut Vec<Diagnostic>) {
    let keywords = &rules.keywords;
    let random = rules.symbols.get("random").map(Term::Constant);
    let is_chance = |it: &&Term| Some(*it) == random.as_ref();
    let has_percepts = rules.rules.iter().any(|it| it.head.predicate == keywords.sees);
    if has_percepts || roles.len() < 2 || !roles.iter().any(|it| is_chance(&it)) {
        return;
    }
    let of_random = rules.rules.iter().map(|rule| &rule.head).find(|head| {
        head.predicate == keywords.role
            && head.arguments.first().is_some_and(|name| is_chance(&name))
    });
    let span = of_random.map_or_else(Span::default, |it| it.span);
    let message = "`random` moves, and no rule is about `sees`";
    found.push(
        Diagnostic::warning("GF0608", message, span)
            .with_remark("by GDL-II nobody would perceive anything; it is played as chance in full view")
            .with_help(
                "to say so: (<= (sees ?r (does ?p ?m)) (role ?r) (does ?p ?m)), by which every role sees every move",
            ),
    );
}

/// Names that stand where a role should and are none; each is reported once.
fn strangers(rules: &Rules, roles: &[Term], found: &mut Vec<Diagnostic>) {
    let keywords = &rules.keywords;
    let players = [keywords.does, keywords.legal, keywords.goal, keywords.sees];
    let mut seen = FxHashSet::default();
    let is_role: FxHashSet<&Term> = roles.iter().collect();
    let mut look = |atom: &Atom| {
        let Some(who @ Term::Constant(name)) = atom.arguments.first() else { return };
        if !players.contains(&atom.predicate) || is_role.contains(who) || !seen.insert(*name) {
            return;
        }
        let name = rules.symbols.name(*name);
        let message = format!("`{name}` is not a role");
        let meaning = match atom.predicate == keywords.does {
            true => "so it never moves, and this never holds",
            false => "so nobody ever asks for this",
        };
        let name_of = |it: &Term| format!("`{}`", Printer::new(&rules.symbols).term(it));
        let mut names: Vec<String> = roles.iter().take(MOST_NAMED).map(name_of).collect();
        if roles.len() > MOST_NAMED {
            names.push(format!("and {} more", roles.len() - MOST_NAMED));
        }
        let mut finding = Diagnostic::warning("GF0411", message, atom.span).with_remark(meaning);
        let role_names = roles.iter().take(MOST_NAMED).filter_map(|it| match it {
            Term::Constant(it) => Some(rules.symbols.name(*it)),
            Term::Variable(_) | Term::Compound(_) => None,
        });
        let near = role_names.filter_map(|it| Some((slip(name, it)?, it))).min();
        if let Some((_, near)) = near {
            finding = finding.with_help(format!("{SUGGESTION}{near}`?"));
        }
        found.push(finding.with_help(format!("the roles: {}", names.join(", "))));
    };
    for rule in &rules.rules {
        look(&rule.head);
        rule.body.iter().filter_map(Literal::atom).for_each(&mut look);
    }
}

/// Goal values that rules with variables may give.
fn goal_values(extents: &Extents, roles: &[Term], found: &mut Vec<Diagnostic>) {
    let rules = &extents.prepared().rules;
    let goal = Predicate { name: rules.keywords.goal, arity: 2 };
    let by_variable = rules.rules.iter().find(|rule| {
        rule.head.predicate() == goal && matches!(rule.head.arguments[1], Term::Variable(_))
    });
    let Some(rule) = by_variable else { return };
    let of_goal = rules.rules.iter().filter(|rule| rule.head.predicate() == goal);
    let written: FxHashSet<&Term> = of_goal.map(|rule| &rule.head.arguments[1]).collect();
    let is_role: FxHashSet<&Term> = roles.iter().collect();
    let printer = Printer::new(&rules.symbols);
    let mut wrong = BTreeSet::new();
    for &form in extents.forms_of(goal) {
        for row in extents.table(form).rows() {
            let terms = extents.terms(form, row);
            let fine = match &terms[1] {
                Term::Constant(value) => is_goal_value(rules.symbols.name(*value)),
                _ => false,
            };
            if !fine && is_role.contains(&terms[0]) && !written.contains(&terms[1]) {
                wrong.insert(printer.term(&terms[1]).to_string());
            }
        }
    }
    if let Some(first) = wrong.first() {
        let values: Vec<&str> = wrong.iter().take(5).map(String::as_str).collect();
        let message = format!("the goal value may be `{first}`, which {OUT_OF_RANGE}");
        let more = if wrong.len() > values.len() { " ..." } else { "" };
        found.push(Diagnostic::warning("GF0410", message, rule.head.span).with_help(format!(
            "values out of range that are not excluded: {}{more}",
            values.join(" ")
        )));
    }
}
