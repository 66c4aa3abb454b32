//! What is printed is read back as the same thing.

use groundfrog::description::Printer;
use groundfrog::export;
use groundfrog::kif::infix::is_infix;

use super::{parse, print, without_places};

#[test]
fn rules_can_be_printed_over_several_lines() {
    let source = "(<= (p ?x) (q ?x) (not (or (r ?x) s))) (q a) (<= s) (<= terminal (q a))";
    let description = parse(source).expect("a description");
    let printer = Printer::new(&description.symbols);
    let lines: Vec<String> =
        description.statements.iter().map(|one| printer.wrapped(one).to_string()).collect();
    assert_eq!(
        lines,
        [
            "(<= (p ?x)\n    (q ?x)\n    (not (or (r ?x) s)))",
            "(q a)",
            "(<= s)",
            "(<= terminal\n    (q a))",
        ]
    );
    let again = parse(lines.join("\n")).expect("a description");
    assert_eq!(without_places(&again.statements), without_places(&description.statements));
}

#[test]
fn parts_of_statements_can_be_printed() {
    let description = parse("(<= (p (f) ?x) (not (q ?x)))").expect("a description");
    let printer = Printer::new(&description.symbols);
    let statement = &description.statements[0];
    assert_eq!(printer.atom(&statement.head).to_string(), "(p (f) ?x)");
    assert_eq!(printer.term(&statement.head.arguments[0]).to_string(), "(f)");
    assert_eq!(printer.formula(&statement.body[0]).to_string(), "(not (q ?x))");
}

/// A sequence of numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits") % sides
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.roll(words.len())]
    }

    fn some(&mut self, depth: usize, part: fn(&mut Self, usize) -> String) -> String {
        (0..=self.roll(3)).map(|_| format!(" {}", part(self, depth))).collect()
    }
}

/// Some that other notations would read as something else.
const CONSTANTS: &[&str] = &[
    "a", "A", "01", "true", "TRUE", "++", "größe", "<=", "or", "naf", "not", "_", "X1", "-3",
    "1.5", "2nd", "x-1", "a.b", ".", "\"s\"", "'q'", "o'b", "''", "\\", "\\'", "a,b", ":-", "~",
    "|", "%x", "/*", "日本",
];

fn term(dice: &mut Dice, depth: usize) -> String {
    match dice.roll(if depth == 0 { 2 } else { 4 }) {
        0 => dice.one_of(&["?x", "?n++", "?X", "?X_2", "?_"]).to_owned(),
        1 => dice.one_of(CONSTANTS).to_owned(),
        2 => format!("({})", dice.one_of(&["f", "does", "Next", "a"])),
        _ => format!(
            "({}{})",
            dice.one_of(&["f", "not", "cell", "X", "o'b"]),
            dice.some(depth - 1, term)
        ),
    }
}

fn atom(dice: &mut Dice, depth: usize) -> String {
    match dice.roll(4) {
        0 => dice.one_of(&["terminal", "p", "Open", "naf", "\"s\""]).to_owned(),
        1 => format!("(true {})", term(dice, depth)),
        2 => format!("(legal {} {})", term(dice, depth), term(dice, depth)),
        _ => format!(
            "({}{})",
            dice.one_of(&["p", "a", ">", ":-", "naf", "1.5"]),
            dice.some(depth, term)
        ),
    }
}

fn formula(dice: &mut Dice, depth: usize) -> String {
    match dice.roll(if depth == 0 { 3 } else { 6 }) {
        0 => format!("(distinct {} {})", term(dice, depth), term(dice, depth)),
        1 | 2 => atom(dice, depth),
        3 => format!("(not {})", formula(dice, depth - 1)),
        4 => format!("(or{})", dice.some(depth - 1, formula)),
        _ => format!("(and{})", dice.some(depth - 1, formula)),
    }
}

fn statement(dice: &mut Dice) -> String {
    let head = atom(dice, 3);
    match dice.roll(3) {
        0 if head.starts_with('(') => head,
        0 => format!("(<= {head})"),
        _ => format!("(<= {head}{})", dice.some(3, formula)),
    }
}

/// The statements with the variables of each called by the order in which they come.
fn with_numbered_variables(text: &str) -> String {
    let mut numbered = String::new();
    for line in text.lines() {
        let mut variables: Vec<&str> = Vec::new();
        for word in line.split_inclusive([' ', '(', ')']) {
            let name = word.trim_end_matches([' ', '(', ')']);
            if !name.starts_with('?') {
                numbered += word;
                continue;
            }
            let known = variables.iter().position(|it| *it == name);
            let number = known.unwrap_or_else(|| {
                variables.push(name);
                variables.len() - 1
            });
            numbered += &format!("?{number}{}", &word[name.len()..]);
        }
        numbered.push('\n');
    }
    numbered
}

#[test]
fn random_descriptions_read_back_as_they_were_written_in_infix() {
    let mut dice = Dice(3);
    for _ in 0..1000 {
        let text: String = (0..10).map(|_| statement(&mut dice) + "\n").collect();
        let description = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut written = Vec::new();
        export::infix::write(&description, &mut written).expect("memory takes everything");
        let written = String::from_utf8(written).expect("names are UTF-8");
        assert!(is_infix(&written), "{written}");
        let again = parse(&written).unwrap_or_else(|error| panic!("{}{written}", error.snippets()));
        let numbered = with_numbered_variables(&print(&again));
        assert_eq!(numbered, with_numbered_variables(&text), "{written}");
    }
}

/// Writes the same thing with other white space and comments.
fn scatter(dice: &mut Dice, text: &str) -> String {
    let mut scattered = String::new();
    for character in text.chars() {
        let gap = dice.one_of(&["  ", "\r\n", "\t", ";c ) (\n", " ; é\r\n "]);
        match character {
            ' ' => scattered.push_str(gap),
            '(' | ')' if dice.roll(3) == 0 => {
                scattered.push_str(gap);
                scattered.push(character);
            }
            _ => scattered.push(character),
        }
    }
    scattered
}

#[test]
fn random_descriptions_read_back_as_they_were_printed() {
    let mut dice = Dice(1);
    for _ in 0..500 {
        let text: String = (0..10).map(|_| statement(&mut dice) + "\n").collect();
        let description = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(print(&description), text);
        let scattered = scatter(&mut dice, text.trim_end());
        let again = parse(&scattered).unwrap_or_else(|error| panic!("{error}\n{scattered}"));
        assert_eq!(without_places(&again.statements), without_places(&description.statements));
        for (one, line) in again.statements.iter().zip(text.lines()) {
            let alone = parse(one.span.text(&again.source)).expect("a statement by itself");
            assert_eq!(print(&alone).trim_end(), line);
        }
    }
}

#[test]
fn random_bytes_never_panic() {
    let mut dice = Dice(2);
    let pieces: [&[u8]; 16] = [
        b"(", b"(", b"(", b")", b")", b")", b" ", b"\n", b"<=", b"?x", b"not ", b"or ", b";",
        b"\xe9", b"\0", b"p ",
    ];
    for length in 0..20_000 {
        let bytes: Vec<u8> =
            (0..length % 40).flat_map(|_| pieces[dice.roll(16)].iter().copied()).collect();
        if let Err(error) = parse(&bytes) {
            for diagnostic in &error.diagnostics {
                assert!(error.text.get(diagnostic.span().range()).is_some());
            }
            assert!(!error.to_string().is_empty());
        }
    }
}
