//! Faults that a description can have, to be put into one that has none.

use std::ops::Range;

use crate::generate::SplitMix64;

/// Defines the faults and their list.
macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A way to damage a description.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Fault {
            $($(#[$doc])* $name,)*
        }

        /// All faults.
        pub fn faults() -> &'static [Fault] {
            &[$(Fault::$name),*]
        }
    };
}

faults! {
    /// The last `)` of a statement is deleted.
    MissingParenthesis,
    /// A `)` is added after a statement.
    ExtraParenthesis,
    /// The last argument of a keyword is deleted.
    MissingArgument,
    /// The name of a predicate in a body becomes a variable.
    VariablePredicate,
    /// A predicate's name is misspelt in a body.
    MisspeltPredicate,
    /// A name is written in other letters once: the small ones as capitals.
    OtherCase,
    /// A variable of the head of a rule that play needs gets a name of its own.
    UnsafeVariable,
    /// A rule about what play needs gets its own head, negated, as a condition.
    NegativeCycle,
    /// `next` in a head becomes `true`.
    TrueAsHead,
    /// A rule about `legal`, `goal` or `terminal` reads `does`.
    DoesTooEarly,
    /// An `init` fact becomes a rule that reads the state.
    InitFromState,
    /// A goal value is ten times too large.
    GoalOutOfRange,
    /// A rule is added that makes an argument of a fluent deeper in each step.
    GrowingTerm,
    /// A rule is added that needs its own predicate for a deeper term.
    EndlessRecursion,
    /// The name of a fluent is misspelt in a body.
    MisspeltFluent,
}

/// A description with a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged {
    /// The text.
    pub text: String,
    /// Where it was changed: the line, counted from 1.
    pub line: usize,
}

/// Puts a fault into a description, at a place chosen by the seed; none if there is no place for it.
pub fn damage(text: &str, fault: Fault, seed: u64) -> Option<Damaged> {
    let statements = read(text);
    let places = Places { text, statements: &statements };
    let edits = places.edits(fault);
    if edits.is_empty() {
        return None;
    }
    let Edit { range, new } = SplitMix64::new(seed).pick(&edits).clone();
    let line = text[..range.start].matches('\n').count() + 1;
    Some(Damaged { text: format!("{}{new}{}", &text[..range.start], &text[range.end..]), line })
}

/// A part of the text and what to write in its place.
#[derive(Debug, Clone)]
struct Edit {
    range: Range<usize>,
    new: String,
}

/// What play needs: rules about these have a part in the game.
const PLAYED: [&str; 4] = ["legal", "next", "goal", "terminal"];
const KEYWORDS: [&str; 16] = [
    "role", "init", "true", "does", "legal", "next", "goal", "terminal", "base", "input", "sees",
    "or", "and", "not", "distinct", "<=",
];

struct Places<'a> {
    text: &'a str,
    statements: &'a [Node],
}

impl<'a> Places<'a> {
    fn of(&self, node: &Node) -> &'a str {
        &self.text[node.range.clone()]
    }

    /// Rules, each with its head and its body.
    fn rules(&self) -> impl Iterator<Item = (&'a Node, &'a Node, &'a [Node])> {
        self.statements.iter().filter_map(|statement| match statement.parts() {
            [arrow, head, body @ ..] if self.of(arrow) == "<=" && !body.is_empty() => {
                Some((statement, head, body))
            }
            _ => None,
        })
    }

    /// The rules about what play needs.
    fn played(&self) -> impl Iterator<Item = (&'a Node, &'a Node, &'a [Node])> {
        self.rules().filter(|(_, head, _)| PLAYED.contains(&head.name(self.text)))
    }

    /// Facts about a predicate.
    fn facts(&self, name: &'static str) -> impl Iterator<Item = &'a Node> {
        self.statements.iter().filter(move |it| it.parts.is_some() && it.name(self.text) == name)
    }

    /// The atoms of bodies that stand right in them, not below a connective.
    fn atoms(&self) -> impl Iterator<Item = &'a Node> {
        self.rules().flat_map(|(_, _, body)| body.iter()).filter(|it| it.parts().len() > 1)
    }

    /// The same without those of keywords.
    fn plain_atoms(&self) -> impl Iterator<Item = &'a Node> {
        self.atoms().filter(|it| !KEYWORDS.contains(&&*it.name(self.text).to_lowercase()))
    }

    /// An edit at the end of a statement, before its last parenthesis.
    fn condition(statement: &Node, condition: String) -> Edit {
        let end = statement.range.end - 1;
        Edit { range: end..end, new: format!("\n    {condition}") }
    }

    fn edits(&self, fault: Fault) -> Vec<Edit> {
        let replace = |node: &Node, new: String| Edit { range: node.range.clone(), new };
        let after = |node: &Node, new: String| Edit { range: node.range.end..node.range.end, new };
        let lists = || self.statements.iter().filter(|it| it.parts().len() > 1);
        match fault {
            Fault::MissingParenthesis => lists()
                .map(|it| Edit { range: it.range.end - 1..it.range.end, new: String::new() })
                .collect(),
            Fault::ExtraParenthesis => lists().map(|it| after(it, ")".to_owned())).collect(),
            Fault::MissingArgument => self
                .atoms()
                .filter(|it| ["true", "does", "legal"].contains(&it.name(self.text)))
                .filter_map(|it| it.parts().last())
                .map(|it| replace(it, String::new()))
                .collect(),
            Fault::VariablePredicate => self
                .plain_atoms()
                .map(|found| Edit {
                    range: found.range.start + 1..found.range.start + 1,
                    new: "?".to_owned(),
                })
                .collect(),
            Fault::MisspeltPredicate => self
                .plain_atoms()
                .map(|it| replace(&it.parts()[0], format!("{}_x", it.name(self.text))))
                .collect(),
            Fault::OtherCase => self
                .rules()
                .flat_map(|(_, _, body)| body.iter().flat_map(Node::all))
                .filter(|it| it.parts.is_none() && it.range.len() > 1)
                .filter(|it| !self.of(it).starts_with('?') && !KEYWORDS.contains(&self.of(it)))
                .filter(|it| self.of(it).bytes().any(|byte| byte.is_ascii_lowercase()))
                .map(|it| replace(it, self.of(it).to_ascii_uppercase()))
                .collect(),
            Fault::UnsafeVariable => self
                .played()
                .flat_map(|(_, head, _)| head.all())
                .filter(|it| it.parts.is_none() && self.of(it).starts_with('?'))
                .map(|it| replace(it, "?unbound".to_owned()))
                .collect(),
            Fault::NegativeCycle => self
                .played()
                .filter(|(_, head, _)| head.name(self.text) != "next")
                .map(|(rule, head, _)| Self::condition(rule, format!("(not {})", self.of(head))))
                .collect(),
            Fault::TrueAsHead => self
                .played()
                .filter(|(_, head, _)| head.name(self.text) == "next")
                .map(|(_, head, _)| replace(&head.parts()[0], "true".to_owned()))
                .collect(),
            Fault::DoesTooEarly => self
                .played()
                .filter(|(_, head, _)| head.name(self.text) != "next")
                .map(|(rule, ..)| Self::condition(rule, "(does ?anybody ?anything)".to_owned()))
                .collect(),
            Fault::InitFromState => self
                .facts("init")
                .map(|init| {
                    let fluent = self.of(&init.parts()[1]);
                    replace(init, format!("(<= (init {fluent})\n    (true {fluent}))"))
                })
                .collect(),
            Fault::GoalOutOfRange => self
                .rules()
                .map(|(_, head, _)| head)
                .chain(self.facts("goal"))
                .filter(|head| head.name(self.text) == "goal" && head.parts().len() == 3)
                .map(|head| &head.parts()[2])
                .filter(|it| self.of(it).parse().is_ok_and(|value: u32| value > 10))
                .map(|it| replace(it, format!("{}0", self.of(it))))
                .collect(),
            Fault::GrowingTerm => self.facts("init").filter_map(|it| self.growing(it)).collect(),
            Fault::EndlessRecursion => self
                .rules()
                .filter(|(_, head, _)| !KEYWORDS.contains(&head.name(self.text)))
                .filter(|(_, head, _)| head.parts().len() > 1)
                .map(|(rule, head, _)| {
                    let (new, deeper) = variables(head.name(self.text), head.parts().len() - 1);
                    after(rule, format!("\n(<= {new}\n    {deeper})"))
                })
                .collect(),
            Fault::MisspeltFluent => self
                .atoms()
                .filter(|it| it.name(self.text) == "true")
                .map(|it| &it.parts()[1])
                .filter(|it| it.parts().len() > 1)
                .map(|it| replace(&it.parts()[0], format!("{}_x", it.name(self.text))))
                .collect(),
        }
    }

    /// A rule after an `init` fact that makes the first argument of its fluent deeper.
    fn growing(&self, fact: &Node) -> Option<Edit> {
        let fluent = &fact.parts()[1];
        let arguments = fluent.parts().len().checked_sub(1).filter(|&it| it > 0)?;
        let (same, deeper) = variables(fluent.name(self.text), arguments);
        let new = format!("\n(<= (next {deeper})\n    (true {same}))");
        Some(Edit { range: fact.range.end..fact.range.end, new })
    }
}

/// `(name ?v1 ?v2)`, and the same with a function around the first variable.
fn variables(name: &str, count: usize) -> (String, String) {
    let rest: String = (2..=count).map(|it| format!(" ?v{it}")).collect();
    (format!("({name} ?v1{rest})"), format!("({name} (deeper ?v1){rest})"))
}

// Just enough of a reader to find the places in a description where something can be broken.

/// A word or a list, with its place in the text.
#[derive(Debug, Clone)]
struct Node {
    range: Range<usize>,
    /// The parts of a list; `None` for a word.
    parts: Option<Vec<Node>>,
}

impl Node {
    /// The parts of a list; none for a word.
    fn parts(&self) -> &[Node] {
        self.parts.as_deref().unwrap_or_default()
    }

    /// The word, or the first word of the list.
    fn name<'t>(&self, text: &'t str) -> &'t str {
        match self.parts() {
            [] => &text[self.range.clone()],
            [first, ..] => &text[first.range.clone()],
        }
    }

    /// The node and all inside it.
    fn all(&self) -> Vec<&Node> {
        let mut found = vec![self];
        let mut next = 0;
        while let Some(node) = found.get(next).copied() {
            found.extend(node.parts());
            next += 1;
        }
        found
    }
}

/// The statements of a text. Parentheses without a counterpart are passed over.
fn read(text: &str) -> Vec<Node> {
    let mut open: Vec<(usize, Vec<Node>)> = vec![(0, Vec::new())];
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b';' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            b'(' => open.push((start, Vec::new())),
            b')' if open.len() > 1 => {
                let (start, parts) = open.pop().expect("more than one");
                let node = Node { range: start..at, parts: Some(parts) };
                open.last_mut().expect("the outermost is left").1.push(node);
            }
            byte if byte.is_ascii_whitespace() || byte == b')' => {}
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"();".contains(byte);
                at = bytes[start..].iter().position(ends).map_or(bytes.len(), |it| start + it);
                let node = Node { range: start..at, parts: None };
                open.last_mut().expect("the outermost is never closed").1.push(node);
            }
        }
    }
    open.swap_remove(0).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;

    #[test]
    fn each_fault_changes_the_text_at_one_place() {
        let text = game("hanoi").expect("a game").text;
        for &fault in faults() {
            for seed in 0..20 {
                let damaged = damage(text, fault, seed).unwrap_or_else(|| panic!("{fault:?}"));
                assert_ne!(damaged.text, text, "{fault:?}");
                assert_eq!(Some(&damaged), damage(text, fault, seed).as_ref(), "{fault:?}");
                let before = |text: &str| text.lines().take(damaged.line - 1).count();
                assert_eq!(before(text), before(&damaged.text));
            }
        }
        assert_eq!(faults().len(), 15);
        assert_eq!(damage("(p a)", Fault::TrueAsHead, 0), None);
        assert_eq!(damage(") ((", Fault::MissingParenthesis, 0), None);
    }
}
