//! One rule with many variables.

use super::super::pieces::each;
use super::super::{Family, Parameter, Values};
use super::steps;

/// A rule over a row of variables, each joined with some of those before it.
///
/// With n variables over d values the rule has up to d^n instances as it stands. Split along a tree
/// decomposition, it costs d^(width + 1): 1 is a chain, n - 1 a clique.
pub(in super::super) const RULE_WIDTH: Family = Family {
    name: "rule_width",
    summary: "One rule joins a row of variables, each with so many of those before it.",
    parameters: &[
        Parameter::new("variables", 5, (2, 40), "variables of the rule"),
        Parameter::new("domain", 5, (2, 200), "values of each variable"),
        Parameter::new("width", 1, (1, 39), "how many earlier variables each is joined with"),
    ],
    conflict,
    body,
};

fn conflict(values: &Values<'_>) -> Option<String> {
    let (variables, width) = (values.get("variables"), values.get("width"));
    (width >= variables).then(|| {
        format!(
            "width is {width}, but with {variables} variables it can be {} at the most",
            variables - 1
        )
    })
}

fn body(values: &Values<'_>) -> String {
    let (variables, width) = (values.get("variables"), values.get("width"));
    let domain = values.get("domain");
    let joins: String = (1..=variables)
        .flat_map(|later| (later.saturating_sub(width).max(1)..later).map(move |n| (n, later)))
        .map(|(earlier, later)| format!("\n    (true (link ?v{earlier} ?v{later}))"))
        .collect();
    format!(
        "(role weaver)

{nodes}{RULES}
; A row of {variables} nodes, each linked with those at most {width} before it.
(<= (woven ?v1 ?v{variables}){joins})
(<= some_woven
    (woven ?a ?b))

{steps}
(<= (goal weaver 100)
    some_woven)
(<= (goal weaver 0)
    (not some_woven))
",
        nodes = each("node", 1..=domain),
        steps = steps(variables),
    )
}

const RULES: &str = include_str!("../rules/rule_width.rules");
