//! Other names and another order of the rules change nothing but names.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use groundfrog_knowledge::{AnalysisOptions, Verdict, analyse};
use groundfrog_reasoner::GroundReasoner;

/// Words of the language, and what a role has to be called.
const KEPT: [&str; 17] = [
    "<=", "or", "and", "not", "distinct", "role", "init", "true", "next", "legal", "does", "goal",
    "terminal", "sees", "base", "input", "random",
];

/// The text with other names and its statements in another order; and by new name: the old one. Goal values stay.
fn scrambled(text: &str) -> (String, BTreeMap<String, String>) {
    let text: String = text
        .lines()
        .map(|line| format!("{}\n", line.split(';').next().unwrap_or_default()))
        .collect();
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let values = words.windows(4).filter(|it| it[..2] == ["(", "goal"]).map(|it| it[3]);
    let values: BTreeSet<&str> = values.filter(|it| it.parse::<i64>().is_ok()).collect();
    let mut new: BTreeMap<&str, String> = BTreeMap::new();
    let (mut statements, mut depth) = (Vec::new(), 0_usize);
    for word in words {
        let is_name = !["(", ")"].contains(&word)
            && !KEPT.contains(&word)
            && !word.starts_with('?')
            && !values.contains(word);
        let count = new.len();
        let name = match is_name {
            true => new
                .entry(word)
                .or_insert_with(|| format!("n{}", (count * 7919 + 13) % 10_007))
                .clone(),
            false => word.to_owned(),
        };
        if depth == 0 {
            statements.push(String::new());
        }
        depth =
            if word == "(" { depth + 1 } else { depth.saturating_sub(usize::from(word == ")")) };
        let statement = statements.last_mut().expect("one has begun");
        statement.push_str(&name);
        statement.push(' ');
    }
    statements.sort_by_key(|it| it.bytes().rev().collect::<Vec<u8>>());
    let old = new.into_iter().map(|(old, new)| (new, old.to_owned())).collect();
    (statements.join("\n"), old)
}

/// Each property with its verdict, names as in the table; the parts of a pattern in one order.
fn verdicts(text: &str, names: &BTreeMap<String, String>) -> BTreeSet<String> {
    let mut rules = GroundReasoner::of_text(text).expect("a game that can be ground");
    let options = AnalysisOptions { time: Duration::from_secs(120), ..AnalysisOptions::default() };
    let found = analyse(&mut rules, &options).expect("rules that can be evaluated");
    let line = |finding: &groundfrog_knowledge::Finding| {
        let verdict = match finding.verdict {
            Verdict::Proved => "proved",
            Verdict::Refuted { .. } => "refuted",
            Verdict::Unknown { .. } => "unknown",
        };
        let property = format!("{:?}", finding.property).replace(['(', ')', '"'], " ");
        let words = property.split_whitespace().map(|it| names.get(it).map_or(it, String::as_str));
        let words: Vec<&str> = words.collect();
        let text = words.join(" ");
        let mut parts: Vec<&str> = text.split(" | ").collect();
        parts.sort_unstable();
        format!("{verdict} {}", parts.join(" | "))
    };
    found.findings.iter().map(line).collect()
}

#[test]
fn scrambled_games_give_the_same_answers() {
    for name in ["tictactoe", "nim", "hanoi", "peg_solitaire", "rock_paper_scissors", "card_draw"] {
        let text = groundfrog_corpus::game(name).expect("a game of the corpus").text;
        let (other, names) = scrambled(text);
        // Bounds on moves, and what exactly is listed of rules, may depend on the order of the rules.
        let shown = |it: &String| !it.contains("Terminating") && !it.contains("ExclusiveRules");
        let own: BTreeSet<String> =
            verdicts(text, &BTreeMap::new()).into_iter().filter(shown).collect();
        let other: BTreeSet<String> = verdicts(&other, &names).into_iter().filter(shown).collect();
        assert!(own.len() > 2, "{name}: {own:?}");
        assert_eq!(own, other, "{name}");
    }
}
