//! Independent domains that meet in one rule.

use super::super::pieces::{chain, each};
use super::super::{Family, Parameter, Values, no_conflict};
use super::steps;

/// Wheels that turn independently, and a rule that mentions all of them.
///
/// With w wheels of v values the rule has v^w instances as it stands; the variables occur in one
/// literal each, so projection leaves w times v.
pub(in super::super) const DOMAIN_PRODUCT: Family = Family {
    name: "domain_product",
    summary: "Wheels turn independently of each other; one rule ranges over all their values.",
    parameters: &[
        Parameter::new("wheels", 4, (1, 50), "independent wheels"),
        Parameter::new("values", 6, (2, 500), "values of each wheel"),
    ],
    conflict: no_conflict,
    body,
};

fn body(values: &Values<'_>) -> String {
    let (wheels, size) = (values.get("wheels"), values.get("values"));
    let conditions: String = (1..=wheels)
        .map(|w| format!("\n    (true (shows {w} ?v{w}))\n    (bright ?v{w})"))
        .collect();
    format!(
        "(role operator)

{wheels}
{order}(turns {size} 1)

{bright}{RULES}
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
}

const RULES: &str = include_str!("../rules/domain_product.rules");
