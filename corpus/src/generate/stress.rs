//! Games made to stress one part of a grounder each.

use super::pieces::{chain, each};
use super::{Family, Parameter};

/// A counter that ends the game after so many steps.
fn steps(last: u32) -> String {
    format!(
        "{order}
(init (step 0))
(<= (next (step ?later))
    (true (step ?now))
    (after ?now ?later))

(<= terminal
    (true (step {last})))
",
        order = chain("after", 0, last)
    )
}

// Independent domains that meet in one rule.

/// Wheels that turn independently, and a rule that mentions all of them.
///
/// With w wheels of v values the rule has v^w instances as it stands; the variables occur in one
/// literal each, so projection leaves w times v.
pub(super) const DOMAIN_PRODUCT: Family = Family {
    name: "domain_product",
    summary: "Wheels turn independently of each other; one rule ranges over all their values.",
    parameters: &[
        Parameter::new("wheels", 4, (1, 50), "independent wheels"),
        Parameter::new("values", 6, (2, 500), "values of each wheel"),
    ],
    conflict: |_| None,
    body: |values| {
        let (wheels, size) = (values.get("wheels"), values.get("values"));
        let conditions: String = (1..=wheels)
            .map(|w| format!("\n    (true (shows {w} ?v{w}))\n    (bright ?v{w})"))
            .collect();
        format!(
            "(role operator)

{wheels}
{order}(turns {size} 1)

{bright}{DOMAIN_PRODUCT_RULES}
; One literal for each wheel, all independent of each other.
(<= all_bright{conditions})

{steps}
(<= (goal operator 100)
    all_bright)
(<= (goal operator 0)
    (not all_bright))
",
            wheels = each("wheel", 1..=wheels),
            order = chain("turns", 1, size),
            bright = each("bright", (1..=size).filter(|v| v % 2 == 0)),
            steps = steps(2 * wheels),
        )
    },
};

const DOMAIN_PRODUCT_RULES: &str = include_str!("rules/domain_product.rules");

// One rule with many variables.

/// A rule over a row of variables, each joined with some of those before it.
///
/// With n variables over d values the rule has up to d^n instances as it stands. Split along a tree
/// decomposition, it costs d^(width + 1): 1 is a chain, n - 1 a clique.
pub(super) const RULE_WIDTH: Family = Family {
    name: "rule_width",
    summary: "One rule joins a row of variables, each with so many of those before it.",
    parameters: &[
        Parameter::new("variables", 5, (2, 40), "variables of the rule"),
        Parameter::new("domain", 5, (2, 200), "values of each variable"),
        Parameter::new("width", 1, (1, 39), "how many earlier variables each is joined with"),
    ],
    conflict: |values| {
        let (variables, width) = (values.get("variables"), values.get("width"));
        (width >= variables).then(|| {
            format!(
                "width is {width}, but with {variables} variables it can be {} at the most",
                variables - 1
            )
        })
    },
    body: |values| {
        let (variables, width) = (values.get("variables"), values.get("width"));
        let domain = values.get("domain");
        let joins: String = (1..=variables)
            .flat_map(|later| (later.saturating_sub(width).max(1)..later).map(move |n| (n, later)))
            .map(|(earlier, later)| format!("\n    (true (link ?v{earlier} ?v{later}))"))
            .collect();
        format!(
            "(role weaver)

{nodes}{RULE_WIDTH_RULES}
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
    },
};

const RULE_WIDTH_RULES: &str = include_str!("rules/rule_width.rules");
