//! What is read, but hardly meant.

use groundfrog::kif::Severity;

use super::{marked, parse, parse_folded, show};

fn warnings(source: &str) -> Vec<String> {
    let description = parse(source).unwrap_or_else(|error| panic!("{error}"));
    assert!(description.warnings.iter().all(|one| one.severity == Severity::Warning));
    show(&description.warnings, source)
}

fn help(source: &str) -> Vec<String> {
    let description = parse(source).unwrap_or_else(|error| panic!("{error}"));
    description.warnings.into_iter().flat_map(|warning| warning.help).collect()
}

#[test]
fn a_predicate_that_is_never_defined_is_warned_of_once() {
    assert_eq!(
        warnings("(<= (p)\n  (q a))\n(<= (p) (not (q b)) (or r (p)))"),
        [
            "GF0201 2:3: `q` with 1 argument is used but never defined: it never holds",
            "GF0201 3:25: `r` with no arguments is used but never defined: it never holds",
        ]
    );
}

#[test]
fn what_the_game_gives_needs_no_definition() {
    let body = "(true a) (does x m) (base a) (input x m)";
    assert!(warnings(&format!("(<= (p) {body})")).is_empty());
    assert_eq!(warnings("(<= (p) (role x) (legal x m))").len(), 2);
    assert!(warnings("(role x) (init a) (next a) (legal x m) (goal x 100) terminal").is_empty());
}

#[test]
fn advice_for_undefined_predicates() {
    assert_eq!(
        help("(p a) (p a b) (<= q (p a b c))"),
        ["`p` is defined with 1 argument", "`p` is defined with 2 arguments",]
    );
    assert_eq!(
        help("(init (cell 1 1)) (<= p (cell 1 1)) (<= (next q) (not q))"),
        [
            "to test it in the present state, write `(true (cell ...))`",
            "to test it in the present state, write `(true q)`",
        ]
    );
}

#[test]
fn names_that_differ_only_in_case_are_warned_of() {
    let source = "(p timeOut)\n(p timeout)\n(p TIMEOUT) (q ?x ?X)";
    assert_eq!(
        warnings(source),
        [
            "GF0202 1:4: `timeOut` and `timeout` and `TIMEOUT` differ only in case and are different names"
        ]
    );
    let description = parse(source).expect("a description");
    let labels = &description.warnings[0].labels;
    assert_eq!(marked(labels, source), ["timeOut", "timeout", "TIMEOUT"]);
    assert_eq!(labels[2].text, "`TIMEOUT` for the first time");
    assert!(parse_folded(source).warnings.is_empty());
    assert!(warnings("(p 𝔸 ß)").is_empty(), "a capital without a small letter");
}

#[test]
fn an_undefined_name_that_differs_only_in_case_is_warned_of_loudly() {
    assert_eq!(
        warnings("(hasMove a)\n(<= (p)\n  (hasmove a))"),
        [
            "GF0202 1:2: `hasMove` and `hasmove` differ only in case and are different names, \
         and `hasmove` is never defined: most likely one name is meant",
            "GF0201 3:3: `hasmove` with 1 argument is used but never defined: it never holds",
        ]
    );
}

#[test]
fn keywords_in_another_case_are_not_warned_of() {
    assert!(warnings("(ROLE x) (<= terminal (Role x)) (p Role)").is_empty());
    assert_eq!(warnings("(p Role) (p role)").len(), 1);
}

#[test]
fn stray_words_are_warned_of() {
    assert_eq!(
        warnings("(p a)\nrole1\nstray role1"),
        [
            "GF0203 2:1: the stray word `role1` is taken for a fact",
            "GF0203 3:1: the stray word `stray` is taken for a fact",
        ]
    );
    assert!(warnings("p (<= (q) p) (r) (<= s) terminal").is_empty());
}

#[test]
fn a_rule_inside_a_term_is_warned_of() {
    assert_eq!(
        warnings("(p (<= a b))"),
        ["GF0204 1:4: `<=` stands inside a term and is taken for a function"]
    );
}

#[test]
fn operators_for_equality_are_answered_with_what_says_the_same() {
    let help = |literal: &str| {
        let text = format!("(role x) (n 1) (<= (p ?a ?b) (n ?a) (n ?b) {literal})");
        let description = parse(&text).expect("a description");
        let about = description.warnings.iter().find(|it| it.code == "GF0201");
        about.expect("it is not defined").help.join("; ")
    };
    for operator in ["!=", "/="] {
        let told = help(&format!("({operator} ?a king)"));
        assert_eq!(told, format!("GDL has no `{operator}`: write `(distinct ?a king)`"));
    }
    for literal in ["(= ?a king)", "(or (n 2) (= king ?a))", "(not (= ?a king))"] {
        let told = help(literal);
        assert!(told.contains("write `king` itself in the place of `?a`, or `(not (distinct "));
        assert!(told.contains(" king)`") || told.contains(" ?a)`"), "{told}");
    }
    // What a description defines means what it says.
    let own = "(role x) (n 1) (= 1 1) (<= (p ?a) (n ?a) (= ?a 1))";
    assert!(warnings(own).iter().all(|it| !it.contains("`=`")), "{:?}", warnings(own));
}

#[test]
fn rules_with_another_arrow_are_warned_of() {
    let text = "(role x) (<= (q) (p y))\n";
    for (arrow, rule) in [
        ("=>", "(=> (legal x y) (role x))"),
        ("<-", "(<- (p ?a) (true (f ?a)))"),
        (":-", "(:- terminal (q))"),
        ("<", "(< = (next (f a)) (does x y))"),
    ] {
        let expected = format!("GF0205 2:1: `{arrow}` is taken for the predicate of a fact");
        assert!(warnings(&format!("{text}(p y) {rule}")).iter().all(|it| *it != expected));
        assert!(warnings(&format!("(p y) {text}{rule}")).contains(&expected), "{rule}");
    }
    // Orders are facts as others are, and so is what some rule asks for.
    for facts in ["(< 1 2) (> 2 1) (= a a)", "(-> (f a) (f b))", "(=> (p y) b) (<= (r) (=> ?a b))"]
    {
        let found = warnings(&format!("(p y) {text}{facts}"));
        assert!(found.iter().all(|it| !it.starts_with("GF0205")), "{found:?}");
    }
}

#[test]
fn base_with_a_wrong_number_of_arguments_is_left_out() {
    assert_eq!(
        warnings("(role x)\n(base (lamp on) (lamp off))\n(<= (input ?r) (role ?r))"),
        [
            "GF0206 2:1: `base` takes 1 argument, not 2",
            "GF0206 3:5: `input` takes 2 arguments, not 1",
        ]
    );
    let description = parse("(role x)\n(base ?x (a b))").expect("a description");
    assert_eq!(description.statements.len(), 1);
    let faults = show(&description.domain_faults, &description.source);
    assert_eq!(faults, ["GF0109 2:1: `base` takes 1 argument, not 2"]);
}

#[test]
fn base_in_the_notation_of_2011_is_the_product_of_its_lists() {
    let source = "(base lamp (v on off)) (input (ann ben) mark (1 2) 7) (base turn a b)";
    assert_eq!(
        super::read(source),
        "(base (lamp v)) (base (lamp on)) (base (lamp off)) (input ann (mark 1 7)) (input ben (mark 1 7)) \
         (input ann (mark 2 7)) (input ben (mark 2 7)) (base (turn a b))"
    );
    assert_eq!(warnings(source).len(), 3);
    let many = format!("(role x) (base cell ({0}) ({0}) ({0}))", "a ".repeat(100));
    let description = parse(&many).expect("a description");
    assert_eq!((description.statements.len(), description.domain_faults.len()), (1, 1));
}

#[test]
fn knows_of_gdl_iii_is_named_as_what_it_is() {
    for body in ["(knows r (p a))", "(not (knows (p a)))"] {
        let error = parse(format!("(role r) (p a) (<= terminal {body})")).expect_err("no GDL");
        let [fault] = error.diagnostics.as_slice() else { panic!("{error}") };
        assert_eq!(fault.code, "GF0112");
        assert!(fault.message.contains("GDL-III"), "{error}");
    }
    // A predicate of one's own may have that name.
    assert!(warnings("(knows ann bob) (<= terminal (knows ann bob))").is_empty());
}
