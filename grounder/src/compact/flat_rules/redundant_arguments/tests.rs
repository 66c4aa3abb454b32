use groundfrog_engine::Budget;

use crate::description::{Description, ParseOptions};
use crate::ground::flatten_rules;
use crate::options::GroundOptions;

/// What every game here has: a light that can be switched, and bits.
const FRAME: &str = "(role r) (legal r switch) (legal r wait) (init off)
    (<= (next on) (true off) (does r switch)) (<= (next off) (true on) (does r switch))
    (<= (next on) (true on) (does r wait)) (<= (next off) (true off) (does r wait))
    (bit 0) (bit 1) (digit 0) (digit 1) (digit 2) (after 0 1)
    (<= terminal (true on) (seen 0))";

/// The views that lose arguments, each with the number of those that it keeps.
fn filtered(rules: &str) -> Vec<(String, usize)> {
    let text = format!("{FRAME} {rules}");
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("the text is well formed");
    let (mut flattened, ..) =
        flatten_rules(&description, &GroundOptions::flat()).expect("the rules are bounded");
    let filtered = flattened.filter_arguments(&Budget::unlimited()).expect("no limit");
    let symbols = &flattened.prepared.rules.symbols;
    let forms = &flattened.forms;
    let name = |form| symbols.name(forms.form(form).predicate.name).to_owned();
    filtered.iter().map(|it| (name(it.view), forms.columns(it.rest))).collect()
}

#[test]
fn an_argument_that_only_has_a_domain_goes() {
    let seen = [("seen".to_owned(), 0)];
    assert_eq!(filtered("(<= (seen ?x) (bit ?x) (true on))"), seen);
    assert_eq!(
        filtered("(<= (seen ?x) (bit ?x) (true on)) (<= (seen ?x) (true off) (bit ?x))"),
        seen
    );
}

#[test]
fn arguments_go_together_where_rules_pass_them_on() {
    let rules = "(<= (seen ?x) (bit ?x) (deep ?x 0) (deep ?x 1))
        (<= (deep ?x ?y) (bit ?x) (bit ?y) (true on))
        (<= (deep ?x ?y) (bit ?x) (bit ?y) (not (seen ?y)) (true on))";
    // The last rule is not stratified, but that is looked at elsewhere.
    let both = [("seen".to_owned(), 0), ("deep".to_owned(), 0)];
    let mut found = filtered(rules);
    found.sort_unstable_by(|left, right| right.cmp(left));
    assert_eq!(found, both);
}

#[test]
fn arguments_that_matter_stay() {
    let deep = [("deep".to_owned(), 1)];
    let rules = "(<= (seen 0) (deep 0 1)) (<= (deep ?x ?y) (bit ?x) (bit ?y) (bulb ?y))
        (<= (bulb 0) (true on))";
    assert_eq!(filtered(rules), deep, "only the first argument of two");
    for rules in [
        "(<= (seen 0) (true on))",
        "(<= (seen ?x) (bit ?x) (digit ?x) (true on))",
        "(<= (seen ?x) (bit ?x) (distinct ?x 1) (true on))",
        "(<= (seen ?x) (bit ?x) (not (after 0 ?x)) (true on))",
        "(<= (seen ?x) (bit ?x) (after ?x ?y) (true on))",
        "(<= (seen ?x) (after ?x ?y) (true on))",
        "(<= (seen ?x) (bit ?x) (true on)) (<= (seen ?x) (digit ?x) (true off))",
        "(<= (seen ?x) (bit ?x) (true on)) (<= (seen 1) (true off))",
        "(<= (seen ?x) (bit ?x) (true on)) (<= (goal r 50) (seen 2))",
        "(<= (seen ?x) (bit ?x) (true on)) (<= (goal r 50) (digit ?x) (not (seen ?x)))",
        "(<= (seen ?x) (bit ?x) (true on)) (<= (goal r 50) (seen ?x))",
        "(<= (seen ?x) (half ?x) (true on)) (<= (half ?x) (digit ?x) (distinct ?x 1))",
    ] {
        assert_eq!(filtered(rules), [], "{rules}");
    }
}
