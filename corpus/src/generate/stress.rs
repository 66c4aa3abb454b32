//! Games made to stress one part of a grounder each.

mod product;
mod width;

pub(super) use product::DOMAIN_PRODUCT;
pub(super) use width::RULE_WIDTH;

use super::pieces::chain;

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
