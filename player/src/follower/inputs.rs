//! Moves that rules name, found without evaluating them: for when there was no time for that.

use fxhash::FxHashMap;
use groundfrog::Description;
use groundfrog::description::{Atom, Formula, Predicate, Printer, Term};
use groundfrog::rules::{Substitution, variables_of};

/// More moves are of no use to draw one from.
const MOST: usize = 64;
/// Facts that are looked at, so that it takes no time.
const MOST_FACTS: usize = 100_000;

/// Moves of a role in the heads of rules about `legal` and `input`. Variables stand for what the first facts that match the body say, and
/// what is true in a state for what is true in the first one; all else in the body is passed over.
pub(super) fn inputs(description: &Description, role: &str) -> Vec<String> {
    let words = description.keywords;
    let printer = Printer::new(&description.symbols);
    let is_role = |it: &Term| printer.term(it).to_string().eq_ignore_ascii_case(role);
    let mut facts: FxHashMap<Predicate, Vec<&Atom>> = FxHashMap::default();
    for fact in description.statements.iter().filter(|it| it.body.is_empty()) {
        facts.entry(fact.head.predicate()).or_default().push(&fact.head);
    }
    let roles = facts.get(&Predicate { name: words.role, arity: 1 });
    let Some(own) = roles.into_iter().flatten().map(|it| &it.arguments[0]).find(|it| is_role(it))
    else {
        return Vec::new();
    };
    let mut found: Vec<String> = Vec::new();
    let mut left = MOST_FACTS;
    for rule in &description.statements {
        let is_about_moves = [words.legal, words.input].contains(&rule.head.predicate);
        let [of, action] = &rule.head.arguments[..] else { continue };
        let mut bindings = Substitution::default();
        if !is_about_moves || !bindings.unify(of, own) {
            continue;
        }
        for literal in &rule.body {
            let Formula::Atom(atom) = literal else { continue };
            let is_true = atom.predicate == words.true_;
            let name = if is_true { words.init } else { atom.predicate };
            let of_name = facts.get(&Predicate { name, ..atom.predicate() });
            for fact in of_name.into_iter().flatten() {
                let mut more = bindings.clone();
                if more.unify_all(&atom.arguments, &fact.arguments) {
                    bindings = more;
                    break;
                }
                left = left.saturating_sub(1);
            }
        }
        let action = bindings.term(action);
        let text = printer.term(&action).to_string();
        if variables_of(&[action]).is_empty() && !found.contains(&text) {
            found.push(text);
        }
        if found.len() >= MOST || left == 0 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use groundfrog::ParseOptions;

    use super::*;

    #[test]
    fn moves_are_found_in_the_heads_of_rules() {
        let text = "(role (p 1)) (role (p 2)) (init (cell 1 b)) (size 7) (<= (legal ?p noop) (true (control ?q)))
            (<= (legal (p 2) (mark ?x ?s)) (true (cell ?x b)) (not (taken ?x)) (size ?s))
            (<= (legal (p 1) (jump ?x)) (free ?x)) (input (p 1) (drop 3))";
        let parsed = Description::parse(text.as_bytes(), &ParseOptions::default()).expect("parses");
        assert_eq!(inputs(&parsed, "(p 1)"), ["noop", "(drop 3)"]);
        assert_eq!(inputs(&parsed, "(P 2)"), ["noop", "(mark 1 7)"]);
        assert!(inputs(&parsed, "p").is_empty());
    }
}
