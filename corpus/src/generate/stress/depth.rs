//! Chains of views, each defined by two atoms of the one before.

use super::super::pieces::chain;
use super::super::{Family, Parameter, Values, no_conflict};
use super::steps;

/// Views of growing arity, of which the game needs very few instances.
///
/// The view of level i has i + 1 arguments over a domain of d values, so its rule has d^(i+1)
/// instances. Only `(view_n c ... c)` is needed, and so only d instances on each level: bottom-up
/// grounding without demand is exponential in the depth, with demand it is linear.
pub(in super::super) const RULE_DEPTH: Family = Family {
    name: "rule_depth",
    summary: "Each view is defined by two atoms of the view before it, with one argument more.",
    parameters: &[
        Parameter::new("depth", 6, (1, 100), "levels of views"),
        Parameter::new("domain", 3, (2, 100), "values of each argument"),
    ],
    conflict: no_conflict,
    body,
};

fn body(values: &Values<'_>) -> String {
    let (depth, domain) = (values.get("depth"), values.get("domain"));
    let levels: String = (1..=depth).map(level).collect();
    format!(
        "(role prober)

{order}
(init (marked 1))
{MARKING}
(<= (view_0 ?x0)
    (true (marked ?x0)))
{levels}
; Only instances with all arguments alike are asked for.
(<= (legal prober (probe ?x))
    (view_{depth}{alike}))

{steps}
(<= (goal prober 100)
    (view_{depth}{last}))
(<= (goal prober 0)
    (not (view_{depth}{last})))
",
        order = chain("succ", 1, domain),
        alike = " ?x".repeat(depth as usize + 1),
        last = format!(" {domain}").repeat(depth as usize + 1),
        steps = steps(domain),
    )
}

const MARKING: &str = "
(legal prober wait)
(<= (legal prober (mark ?b))
    (true (marked ?a))
    (succ ?a ?b))

(<= (next (marked ?x))
    (does prober (mark ?x)))
(<= (next (marked ?x))
    (true (marked ?x)))
";

/// `view_i x0 .. xi` from `view_(i-1) x0 .. x(i-1)` and `view_(i-1) x1 .. xi`.
fn level(i: u32) -> String {
    let below = i - 1;
    let variables =
        |from: u32, to: u32| -> String { (from..=to).map(|n| format!(" ?x{n}")).collect() };
    format!(
        "(<= (view_{i}{})\n    (view_{below}{})\n    (view_{below}{}))\n",
        variables(0, i),
        variables(0, below),
        variables(1, i)
    )
}
