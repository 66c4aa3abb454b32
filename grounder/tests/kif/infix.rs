//! Infix notation: what is read, and what is an error at its place.

use groundfrog::description::{Description, Notation, ParseError, ParseOptions};
use groundfrog::kif::infix::is_infix;
use groundfrog::kif::locate;

use super::print;

fn infix(text: &str) -> Result<Description, ParseError> {
    let notation = Some(Notation::Infix);
    Description::parse(text.as_bytes(), &ParseOptions { notation, ..ParseOptions::default() })
}

/// The statements on one line.
fn kif(text: &str) -> String {
    let description = infix(text).unwrap_or_else(|error| panic!("{}", error.snippets()));
    print(&description).trim_end().replace('\n', " ")
}

#[test]
fn operators_bind_as_usual() {
    for (body, expected) in [
        ("a & b | c", "(or (and a b) c)"),
        ("a | b & c", "(or a (and b c))"),
        ("a, b ; c, d", "(or (and a b) (and c d))"),
        ("a & (b | c)", "a (or b c)"),
        ("~a & b | c", "(or (and (not a) b) c)"),
        ("not a, b", "(not a) b"),
        ("~(a & b)", "(not (and a b))"),
        ("~~a", "(not (not a))"),
        ("(a & b) & c", "(and a b) c"),
        ("a | (b | c) | d", "(or a (or b c) d)"),
        ("~X != Y", "(not (distinct ?X ?Y))"),
        ("or(a & b, ~c | d) & e", "(or (and a b) (or (not c) d)) e"),
        ("and(a) & not(b, c)", "(and a) (not (and b c))"),
    ] {
        assert_eq!(kif(&format!("p :- {body}.")), format!("(<= p {expected})"), "{body}");
    }
}

#[test]
fn operators_of_prolog_epilog_and_papers() {
    for sign in [":-", "<=", "<-", "←"] {
        assert_eq!(kif(&format!("p {sign} a")), "(<= p a)");
        assert_eq!(kif(&format!("p(x){sign}a")), "(<= (p x) a)");
    }
    for sign in [",", "&", "∧"] {
        assert_eq!(kif(&format!("p :- a {sign} b")), "(<= p a b)");
    }
    for sign in [";", "|", "∨"] {
        assert_eq!(kif(&format!("p :- a{sign}b")), "(<= p (or a b))");
    }
    for sign in ["~", "¬", "\\+", "not ", "naf ", "not(", "\\+ "] {
        let close = if sign.ends_with('(') { ")" } else { "" };
        assert_eq!(kif(&format!("p :- {sign}a{close}")), "(<= p (not a))");
    }
    for sign in ["!=", "\\=", "\\==", "≠"] {
        assert_eq!(
            kif(&format!("p(X) :- q(X) & X {sign} f(a)")),
            "(<= (p ?X) (q ?X) (distinct ?X (f a)))"
        );
    }
}

#[test]
fn statements_end_at_dots_and_line_ends() {
    let four = "(a) (b) (<= c d) (e)"
        .replace("(a)", "(<= a)")
        .replace("(b)", "(<= b)")
        .replace("(e)", "(<= e)");
    for text in
        ["a. b. c :- d. e.", "a\nb\nc :- d\ne", "a.b.c:-d.e", "a\r\nb\r\nc\r\n  :-\r\n d\r\ne\r\n"]
    {
        assert_eq!(kif(text), four, "{text}");
    }
    for text in [
        "p :- a &\n  b |\n  c",
        "p :- a\n  & b\n  | c",
        "p\n:- a % one\n/* two\n lines */ & b % & d\n\n | c.",
        "p :- (\n a\n,\n b\n)\n; c",
        "p :- a & b | c /* q :- */ % .",
    ] {
        assert_eq!(kif(text), "(<= p (or (and a b) c))", "{text}");
    }
    assert_eq!(kif("p(\n  a,\n  f(\n  b\n)\n)\nq(c)"), "(p a (f b)) (q c)");
}

#[test]
fn names_and_variables() {
    assert_eq!(kif("p(X, x, _y, _, _, 'X', \"X\")"), "(p ?X x ?_y ?_-1 ?_-2 X \"X\")");
    assert_eq!(
        kif("p(01, -3, 1.5, 2nd, a_b, move-left, größe, f())"),
        "(p 01 -3 1.5 2nd a_b move-left größe (f))"
    );
    assert_eq!(
        kif(r"p('a.b', 'it''s', 'it\'s', '\\', '++', not, 'not', naf)"),
        r"(p a.b it's it's \ ++ not not naf)"
    );
    assert_eq!(kif("'>'(a, b) :- 'naf' & not 'not-yet'"), "(<= (> a b) naf (not not-yet))");
}

#[test]
fn anything_else_is_an_error_at_its_place() {
    for (text, place, message) in [
        ("p(a", "1:4", "`,` or `)` is expected here, not the end of the text"),
        ("p(a,,b)", "1:5", "a term is expected here, not `,`"),
        ("p(a b)", "1:5", "`,` or `)` is expected here, not `b`"),
        ("p :- (q", "1:8", "an operator or `)` is expected here, not the end of the text"),
        ("p :- q)", "1:7", "an operator, `.` or a line end is expected here, not `)`"),
        ("p :- a and b", "1:8", "an operator, `.` or a line end is expected here, not `and`"),
        ("p :- a -> b", "1:8", "an operator, `.` or a line end is expected here, not `->`"),
        ("p :- a = b", "1:8", "an operator, `.` or a line end is expected here, not `=`"),
        (
            "p :- X = b",
            "1:8",
            "`!=`, since a variable alone is no formula, is expected here, not `=`",
        ),
        (
            "p :- X",
            "1:7",
            "`!=`, since a variable alone is no formula, is expected here, not the end of the text",
        ),
        ("p :- a\nb & c", "2:3", "`:-`, `.` or a line end is expected here, not `&`"),
        ("p :- a &\n\nq :- b", "3:3", "an operator, `.` or a line end is expected here, not `:-`"),
        ("p :- .", "1:6", "a formula is expected here, not `.`"),
        ("p q", "1:3", "`:-`, `.` or a line end is expected here, not `q`"),
        ("p (a)", "1:3", "`:-`, `.` or a line end is expected here, not `(`"),
        (
            "p :- q\n(r | s)",
            "2:1",
            "a name, with which a statement begins, is expected here, not `(`",
        ),
        ("; p\nq", "1:1", "a name, with which a statement begins, is expected here, not `;`"),
        (
            ":- dynamic(p)",
            "1:1",
            "a name, with which a statement begins, is expected here, not `:-`",
        ),
        ("~p :- q", "1:1", "a name, with which a statement begins, is expected here, not `~`"),
        (
            "p :- a\nnaf(b)",
            "2:1",
            "a name, with which a statement begins, is expected here, not `naf`",
        ),
        ("not q.", "1:1", "a name, with which a statement begins, is expected here, not `not`"),
        ("X :- p", "1:1", "a name, with which a statement begins, is expected here, not `X`"),
        ("p..", "1:3", "a name, with which a statement begins, is expected here, not `.`"),
        ("p & q :- r", "1:3", "`:-`, `.` or a line end is expected here, not `&`"),
        ("p :- q. ∀ r", "1:9", "a name, with which a statement begins, is expected here, not `∀`"),
        ("p :- ?x(a)", "1:6", "a formula is expected here, not `?`"),
        ("p(X-1)", "1:4", "`,` or `)` is expected here, not `-`"),
        ("p(a-b-)", "1:6", "`,` or `)` is expected here, not `-`"),
        ("p(++)", "1:3", "a term is expected here, not `+`"),
        (
            "p(X(a))",
            "1:3",
            "a name that begins with a small letter, as arguments follow, is expected here, not `X`",
        ),
        (
            "p('a b')",
            "1:3",
            "a name with no blank, parenthesis or `;` in it and no `?` in front is expected here, not `'`",
        ),
        (
            "p('?x')",
            "1:3",
            "a name with no blank, parenthesis or `;` in it and no `?` in front is expected here, not `'`",
        ),
        ("p('a)\nq", "1:6", "`'`, the end of the name, is expected here, not the end of the line"),
        ("'<='(p, q)", "1:1", "another name than `<=` is expected here, not `'`"),
        ("p /* q", "1:3", "`:-`, `.` or a line end is expected here, not `/*`"),
        ("\u{feff}p\nq(", "2:3", "a term is expected here, not the end of the text"),
    ] {
        let Err(error) = infix(text) else { panic!("{text} is read") };
        assert_eq!((error.diagnostics.len(), error.omitted), (1, 0), "{text}");
        let found = &error.diagnostics[0];
        assert_eq!((found.code, &*found.message), ("GF0111", message), "{text}");
        assert_eq!(locate(&error.text, found.span().start).to_string(), place, "{text}");
        assert!(!found.help.is_empty() && error.snippets().contains('^'), "{text}");
    }
}

#[test]
fn nesting_is_bounded() {
    let deep = |open: &str, close: &str, depth| {
        format!("p :- {}q{}.", open.repeat(depth), close.repeat(depth))
    };
    for (open, close) in [("(", ")"), ("~", ""), ("f(", ")"), ("or(", ")")] {
        assert!(infix(&deep(open, close, 200)).is_ok(), "{open}");
        for depth in [300, 1_000_000] {
            let Err(error) = infix(&deep(open, close, depth)) else { panic!("{open} is read") };
            assert!(error.is_too_large() && error.diagnostics[0].code == "GF0004", "{error}");
        }
    }
}

#[test]
fn lines_stay_what_they_are() {
    let description =
        infix("% one\nrole(r)\n\np :-\n  q(X) &\n  ~r(X)\n/*\n*/ s(a).").expect("it is read");
    let place = |span: groundfrog::kif::Span| locate(&description.source, span.start).line;
    let lines: Vec<u32> = description.statements.iter().map(|it| place(it.span)).collect();
    assert_eq!(lines, [2, 4, 8]);
    assert_eq!(
        description.statements[1].body.iter().map(|it| place(it.span())).collect::<Vec<_>>(),
        [5, 6]
    );
    assert!(description.warnings.iter().all(|it| it.code != "GF0203"), "a fact is no stray word");
}

#[test]
fn notations_are_told_apart() {
    for text in [
        "% a game\nrole(white)\n",
        "\u{feff}role(white)",
        "/* a\n game */ role(white).",
        "; no comment here\nrole(white)",
        "terminal :- true(a)",
        "terminal\n  :- true(a)",
        "p <= q",
        "p ← q",
        "p.\nq.",
        "p\nq(a)",
        "'o\\'b'(x)",
        ":- dynamic(p).",
    ] {
        assert!(is_infix(text), "{text}");
    }
    for text in [
        "; a game\n(role white)",
        "\u{feff}(role white)",
        "% odd\n(role white)",
        "terminal (role white)",
        "terminal\n(role white)",
        "a b(c)",
        "",
        "p",
        "<= (a) (b)",
    ] {
        assert!(!is_infix(text), "{text}");
    }
}

#[test]
fn random_texts_never_panic() {
    let pieces = [
        "p", "X", "_", "(", ")", ",", "&", "|", ";", "~", "not ", "naf", ":-", "<=", "!=", ".",
        "\n", " ", "'", "\"", "\\", "%", "/*", "*/", "1", "-", "or(", "é", "∧", "?", "\u{feff}",
        "\0",
    ];
    let mut word: u64 = 7;
    let mut read = 0;
    for length in 0..20_000 {
        let text: String = (0..length % 24)
            .map(|_| {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                pieces[(word >> 33) as usize % pieces.len()]
            })
            .collect();
        match infix(&text) {
            Ok(_) => read += 1,
            Err(error) => {
                for found in &error.diagnostics {
                    assert!(error.text.get(found.span().range()).is_some(), "{text:?}");
                }
            }
        }
    }
    assert!(read > 100, "{read}");
}
