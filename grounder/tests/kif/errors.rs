//! What is wrong, where, and how it is told.

use std::time::{Duration, Instant};

use groundfrog::description::{Description, ParseOptions};
use groundfrog::kif::Severity;

use super::{marked, parse, show};

/// The errors of a text.
fn errors(source: impl AsRef<[u8]>) -> Vec<String> {
    let error = parse(source).expect_err("an error");
    assert!(error.diagnostics.iter().all(|one| one.severity == Severity::Error));
    show(&error.diagnostics, &error.text)
}

#[track_caller]
fn one_error(source: &str, expected: &str, place: &str) {
    assert_eq!(errors(source), [expected]);
    let error = parse(source).expect_err("an error");
    assert_eq!(error.diagnostics[0].span().text(source), place);
}

#[test]
fn infix_rules_are_told_once() {
    let message = |keyword: &str, place: &str| {
        format!(
            "GF0111 {place}: `{keyword}(` is infix notation: rules are read as KIF, where the name comes after the parenthesis"
        )
    };
    // A text that begins as KIF.
    let source = "(succ 1 2)\nrole(x)\ninit(p)\nlegal(x,a)\nnext(q) :- does(x,a)\ngoal(x,100) :- true(q)\nterminal :- true(q)\n";
    one_error(source, &message("role", "2:1"), "role");
    // What is wrong before the first keyword follows from the same.
    one_error("(q)succ((a),b)\n ROLE(x)\n(p ", &message("ROLE", "2:2"), "ROLE");
    let error = parse(source).expect_err("an error");
    assert!(error.diagnostics[0].help[0].contains("`(<= head condition ...)`"));
    // A space makes a keyword without arguments of it.
    assert_eq!(errors("role (x)"), ["GF0109 1:1: `role` takes 1 argument, not 0"]);
    parse("(q)terminal(role x)").expect("`terminal` takes no arguments");
}

#[test]
fn a_missing_parenthesis_points_at_its_statement() {
    let source = "(role x)\n(<= (p ?x)\n    (q ?x)\n(<= (r ?x)\n    (q ?x))\n(q a)\n";
    one_error(source, "GF0005 2:1: this parenthesis is never closed: 1 `)` missing", "(");
    let error = parse(source).expect_err("an error");
    assert_eq!(error.diagnostics[0].labels[1].span.start, 31, "the next rule");
    assert!(error.diagnostics[0].help[0].contains("missing before it"));
}

#[test]
fn a_parenthesis_too_many_points_at_itself() {
    one_error("(p a)\n  (q a))\n", "GF0006 2:8: this `)` closes nothing", ")");
    let error = parse("(p a)\n  (q a))\n").expect_err("an error");
    assert_eq!(error.diagnostics[0].labels[1].span.start, 8);
}

#[test]
fn nesting_has_a_limit() {
    let deep = "(".repeat(1_000_000);
    let start = Instant::now();
    assert_eq!(errors(&deep), ["GF0004 1:257: lists are nested more than 256 deep"]);
    assert!(start.elapsed() < Duration::from_secs(5));

    let options = ParseOptions { max_nesting: usize::MAX, ..ParseOptions::default() };
    let error = Description::parse(deep.as_bytes(), &options).expect_err("too deep");
    assert_eq!(error.to_string(), "<input>:1:1025: lists are nested more than 1024 deep");

    let nested = |depth: usize| "(p ".repeat(depth) + &")".repeat(depth);
    assert!(parse(nested(256)).is_ok());
    assert!(Description::parse(nested(1024).as_bytes(), &options).is_ok());
}

#[test]
fn bytes_that_are_not_text_are_errors_outside_of_comments() {
    assert_eq!(
        errors(b"; \xe9\n(p \xe9)"),
        ["GF0002 2:4: the byte 0xE9 is not valid UTF-8 (only comments may hold such bytes)"]
    );
    let error = parse(b"\xff\xfe(\0p\0").expect_err("UTF-16");
    assert!(error.diagnostics[0].help[0].contains("UTF-16"));
}

#[test]
fn invisible_characters_are_errors_outside_of_comments() {
    for (source, expected) in [
        ("(p \0)", "GF0003 1:4: the invisible character U+0000 is not allowed outside of comments"),
        (
            "(p\n a\u{200b})",
            "GF0003 2:3: the invisible character U+200B is not allowed outside of comments",
        ),
    ] {
        assert_eq!(errors(source), [expected]);
    }
    assert!(parse("(p a) ; \0 \u{200b}").is_ok());
}

#[test]
fn a_text_without_statements_is_an_error() {
    for source in ["", " \n\t", "; nothing", "\u{feff}"] {
        assert_eq!(errors(source), ["GF0101 1:1: there are no statements"]);
    }
}

#[test]
fn lists_must_start_with_a_name() {
    one_error("(p ())", "GF0102 1:4: `()` means nothing", "()");
    one_error("\n()", "GF0102 2:1: `()` means nothing", "()");
    one_error("(<= (p) ())", "GF0102 1:9: `()` means nothing", "()");
    let list = "a list must start with a name, not with another list";
    one_error("((p a))", &format!("GF0103 1:2: {list}"), "(p a)");
    one_error("(p ((f) a))", &format!("GF0103 1:5: {list}"), "(f)");
}

#[test]
fn variables_are_no_predicates_or_functions() {
    let text = "the variable `?p` stands where a predicate should";
    one_error("(?p a)", &format!("GF0104 1:2: {text}"), "?p");
    one_error("?p", &format!("GF0104 1:1: {text}"), "?p");
    one_error("(<= (p a) ?p)", &format!("GF0104 1:11: {text}"), "?p");
    one_error("(<= (p a) (not (?p b)))", &format!("GF0104 1:17: {text}"), "?p");
    let text = "the variable `?f` stands where a function should";
    one_error("(p (?f a))", &format!("GF0105 1:5: {text}"), "?f");
}

#[test]
fn a_rule_needs_a_head() {
    one_error("(<=)", "GF0106 1:1: `<=` must be followed by a head", "(<=)");
    one_error("(p a) <=", "GF0106 1:7: `<=` must be followed by a head", "<=");
}

#[test]
fn connectives_are_no_heads() {
    for name in ["or", "and", "not", "distinct", "NOT"] {
        let lower = name.to_lowercase();
        let text = format!("`{lower}` cannot be the head of a rule or a fact");
        let atom = format!("({name} a b)");
        one_error(&atom, &format!("GF0107 1:1: {text}"), &atom);
        one_error(&format!("(<= {atom} (p))"), &format!("GF0107 1:5: {text}"), &atom);
    }
}

#[test]
fn rules_do_not_nest() {
    let text = "a rule cannot stand inside another statement";
    one_error("(<= (p)\n(q)\n(<= (r) (q)))", &format!("GF0108 3:1: {text}"), "(<= (r) (q))");
    one_error("(<= (<= (r) (q)))", &format!("GF0108 1:5: {text}"), "(<= (r) (q))");
}

#[test]
fn keywords_have_fixed_numbers_of_arguments() {
    for (atom, text) in [
        ("(role)", "`role` takes 1 argument, not 0"),
        ("(init a b)", "`init` takes 1 argument, not 2"),
        ("(true a b)", "`true` takes 1 argument, not 2"),
        ("true", "`true` takes 1 argument, not 0"),
        ("(does a)", "`does` takes 2 arguments, not 1"),
        ("(legal x)", "`legal` takes 2 arguments, not 1"),
        ("(next)", "`next` takes 1 argument, not 0"),
        ("(goal a)", "`goal` takes 2 arguments, not 1"),
        ("(terminal a)", "`terminal` takes no arguments, not 1"),
        ("(sees a b c)", "`sees` takes 2 arguments, not 3"),
    ] {
        one_error(atom, &format!("GF0109 1:1: {text}"), atom);
        one_error(&format!("(<= (p) {atom})"), &format!("GF0109 1:9: {text}"), atom);
    }
    for (atom, text) in [
        ("(base a b)", "`base` takes 1 argument, not 2"),
        ("(INPUT a)", "`input` takes 2 arguments, not 1"),
        ("(distinct a)", "`distinct` takes 2 arguments, not 1"),
        ("(not)", "`not` takes 1 argument, not 0"),
        ("(not (a) (b))", "`not` takes 1 argument, not 2"),
        ("not", "`not` takes 1 argument, not 0"),
    ] {
        one_error(&format!("(<= (p) {atom})"), &format!("GF0109 1:9: {text}"), atom);
    }
}

#[test]
fn connectives_need_branches() {
    one_error("(<= (p) (or))", "GF0110 1:9: `or` needs at least one branch", "(or)");
    one_error("(<= (p) (and))", "GF0110 1:9: `and` needs at least one branch", "(and)");
    one_error("(<= (p) or)", "GF0110 1:9: `or` needs at least one branch", "or");
}

#[test]
fn all_errors_are_told_at_once() {
    let source = "(legal a)\n(<= (?p) (true) (q (?f a) ()))\n(r)\n(<=)";
    assert_eq!(
        errors(source),
        [
            "GF0109 1:1: `legal` takes 2 arguments, not 1",
            "GF0104 2:6: the variable `?p` stands where a predicate should",
            "GF0109 2:10: `true` takes 1 argument, not 0",
            "GF0105 2:21: the variable `?f` stands where a function should",
            "GF0102 2:27: `()` means nothing",
            "GF0106 4:1: `<=` must be followed by a head",
        ]
    );
    let error = parse(source).expect_err("errors");
    assert_eq!(marked(&error.diagnostics[4].labels, source), ["()"]);
    let text = error.to_string();
    assert!(text.starts_with("game.kif:1:1: `legal` takes 2 arguments, not 1\ngame.kif:2:6: "));
}

#[test]
fn many_errors_are_counted_only() {
    let error = parse("()\n".repeat(60)).expect_err("errors");
    assert_eq!((error.diagnostics.len(), error.omitted), (50, 10));
    assert!(error.to_string().ends_with("\ngame.kif: 10 more errors"));
}

#[test]
fn errors_before_unbalanced_parentheses_are_told_too() {
    assert_eq!(
        errors("(role)\n(p"),
        [
            "GF0109 1:1: `role` takes 1 argument, not 0",
            "GF0005 2:1: this parenthesis is never closed: 1 `)` missing",
        ]
    );
}
