//! What real descriptions contain.

use groundfrog::description::{Formula, Predicate, Term};

use super::{parse, parse_folded, print, read};

#[test]
fn keywords_are_known_in_any_case_where_they_mean_something() {
    assert_eq!(
        read(
            "(ROLE x)(<= (LEGAL x (TRUE Noop)) (Not (True (Does a))) (OR (DISTINCT a b) TERMINAL))"
        ),
        "(role x) (<= (legal x (TRUE Noop)) (not (true (Does a))) (or (distinct a b) terminal))"
    );
    assert_eq!(read("(<= Terminal (AND (GOAL x 1) (Next y)))"), {
        "(<= terminal (and (goal x 1) (next y)))"
    });
    let description = parse("(<= (Sees r m) (Base x) (Input r m))").expect("a description");
    assert_eq!(description.statements[0].head.predicate, description.keywords.sees);
    assert_eq!(description.symbols.get("Sees"), None);
}

#[test]
fn keywords_inside_terms_are_functions() {
    assert_eq!(read("(p (does a) (true b c) role)"), "(p (does a) (true b c) role)");
}

#[test]
fn other_names_keep_their_case() {
    assert_eq!(read("(Cell nextFile NEXT)"), "(Cell nextFile NEXT)");
    assert_eq!(print(&parse_folded("(Cell nextFile ?X NEXT Ä)")), "(cell nextfile ?x next ä)\n");
}

#[test]
fn comments_may_stand_anywhere_and_in_latin_1() {
    let source = b"; J\xfcrgen's game \x93x\x94\n(<= (p ?x) ; (not closed\n (q ?x));\n;\xff";
    assert_eq!(read(source), "(<= (p ?x) (q ?x))");
    let description = parse(source).expect("a description");
    let q = description.statements[0].body[0].span();
    assert_eq!(q.text(&description.source), "(q ?x)");
    assert!(description.source.contains("Jürgen"));
}

#[test]
fn a_byte_order_mark_and_any_line_ends_are_skipped() {
    assert_eq!(read("\u{feff}(p\r\n(f)\r) ; x\r(q a)"), "(p (f)) (q a)");
    assert_eq!(read("(p\x0ca\u{a0}b)"), "(p a b)");
}

#[test]
fn names_may_be_made_of_any_characters() {
    let source = "(++ > < 1 01 ?n++ a->b \"x\" 'y |z| größe ?)";
    assert_eq!(read(source), source);
    let description = parse(source).expect("a description");
    let arguments = &description.statements[0].head.arguments;
    assert_ne!(arguments[2], arguments[3], "1 and 01 are different names");
    let variables: Vec<_> =
        arguments.iter().filter(|term| matches!(term, Term::Variable(_))).collect();
    assert_eq!(variables.len(), 2, "?n++ and ?");
    assert_eq!(*variables[0], Term::Variable(description.symbols.get("?n++").expect("is there")));
}

#[test]
fn a_rule_without_a_body_is_a_fact() {
    let description = parse("(<= (p a)) (p a)").expect("a description");
    let [rule, fact] = &description.statements[..] else { panic!("two statements") };
    assert!(rule.body.is_empty());
    assert_eq!(rule.head.arguments, fact.head.arguments);
    assert_eq!(rule.span.text(&description.source), "(<= (p a))");
    assert_eq!(rule.head.span.text(&description.source), "(p a)");
}

#[test]
fn atoms_without_arguments_need_no_parentheses() {
    let description =
        parse("(<= (terminal) (p)) (<= terminal p) (p) p terminal").expect("a description");
    let heads: Vec<Predicate> =
        description.statements.iter().map(|statement| statement.head.predicate()).collect();
    assert_eq!(heads[0], heads[1]);
    assert_eq!(heads[0], heads[4]);
    assert_eq!(heads[2], heads[3]);
    assert_eq!(
        print(&description).replace('\n', " "),
        "(<= terminal p) (<= terminal p) (<= p) (<= p) (<= terminal) "
    );
    assert!(description.warnings.is_empty(), "{:?}", description.warnings);
}

#[test]
fn a_function_without_arguments_is_not_a_constant() {
    let description = parse("(p (f) f)").expect("a description");
    let arguments = &description.statements[0].head.arguments;
    assert!(matches!(&arguments[0], Term::Compound(f) if f.arguments.is_empty()));
    assert!(matches!(&arguments[1], Term::Constant(_)));
    assert_eq!(read("(p (f) f)"), "(p (f) f)");
}

#[test]
fn connectives_nest_in_any_way() {
    let source = "(<= (p ?x) (or (q ?x)) (not (or (q ?x) (and (r ?x) (not (distinct ?x a))))))";
    assert_eq!(read(source), source);
    let description = parse(source).expect("a description");
    let mut atoms = Vec::new();
    for formula in &description.statements[0].body {
        formula.for_each_atom(&mut |atom| atoms.push(atom.span.text(&description.source)));
    }
    assert_eq!(atoms, ["(q ?x)", "(q ?x)", "(r ?x)"]);
    let Formula::Or(branches, span) = &description.statements[0].body[0] else {
        panic!("an or comes first")
    };
    assert_eq!(branches.len(), 1);
    assert_eq!(span.text(&description.source), "(or (q ?x))");
}

#[test]
fn one_name_may_be_several_things() {
    let source = "(p p) (p (p) (p a)) (<= (q ?x) (p ?x) (p ?x ?y))";
    assert_eq!(read(source), source);
}

#[test]
fn games_of_imperfect_information_are_read() {
    let source = "(role random) (<= (sees a ?m) (does random ?m))";
    assert_eq!(read(source), source);
}
