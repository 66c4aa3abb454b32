//! Fluents that keep each other.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, GroundRule};

use crate::game::TransitionMap;
use crate::ticker::Ticker;

/// A rule that says that a fluent of the first state is true next if others are true.
pub(super) struct Keeping<'rules> {
    /// The atom that says that the fluent is true next.
    pub(super) head: u32,
    pub(super) fluent: u32,
    pub(super) body: &'rules [GroundLiteral],
}

impl<'rules> Keeping<'rules> {
    /// The rule, if it uses no more than fluents of the first state, other than by literals that are `is_known`.
    pub(super) fn new(
        GroundRule { head, body }: GroundRule<'rules>,
        transition_map: &TransitionMap,
        is_known: impl Fn(GroundLiteral) -> bool,
    ) -> Option<Self> {
        let fluent = transition_map.leads_to(head).filter(|&it| transition_map.is_initial(it))?;
        let keeps = |literal: GroundLiteral| {
            is_known(literal) || !literal.is_negated() && transition_map.is_initial(literal.atom())
        };
        body.iter().all(|&it| keeps(it)).then_some(Keeping { head, fluent, body })
    }

    /// The fluents that it uses.
    fn needed(&self, is_known: impl Fn(GroundLiteral) -> bool) -> impl Iterator<Item = u32> {
        self.body.iter().filter(move |it| !is_known(**it)).map(|it| it.atom())
    }
}

/// Finds the greatest set of fluents that have a rule each which uses no more than that others of the set hold, other
/// than by literals that are `is_known`. Returns the atoms that say that they are true next.
pub(super) fn kept(
    keeping: &[Keeping<'_>],
    transition_map: &TransitionMap,
    is_known: impl Fn(GroundLiteral) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<u32>, Exceeded> {
    let at = |fluent: u32| (fluent - transition_map.fluents.start) as usize;
    // By fluent: how many rules keep it.
    let mut rules = vec![0u32; transition_map.fluents.len()];
    keeping.iter().for_each(|it| rules[at(it.fluent)] += 1);
    let mut all_kept = true;
    for keeping in keeping {
        ticker.tick()?;
        all_kept &= keeping.needed(&is_known).all(|fluent| rules[at(fluent)] > 0);
    }
    if !all_kept {
        drop_those_that_need_others(keeping, is_known, (&mut rules, at), ticker)?;
    }
    let is_kept = |it: &&Keeping<'_>| rules[at(it.fluent)] > 0;
    Ok(keeping.iter().filter(is_kept).map(|it| it.head).collect())
}

/// Counts of the rules of each fluent those only that use no fluent without a rule.
fn drop_those_that_need_others(
    keeping: &[Keeping<'_>],
    is_known: impl Fn(GroundLiteral) -> bool,
    (rules, at): (&mut [u32], impl Fn(u32) -> usize),
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    // The fluents that are demanded, each with the rules that use it.
    let mut users: Vec<(u32, u32)> = Vec::new();
    for (number, rule) in (0..).zip(keeping) {
        ticker.tick()?;
        users.extend(rule.needed(&is_known).map(|fluent| (fluent, number)));
    }
    users.sort_unstable();
    let groups = users.chunk_by(|one, other| one.0 == other.0);
    let mut fallen: Vec<u32> =
        groups.map(|group| group[0].0).filter(|&fluent| rules[at(fluent)] == 0).collect();
    let mut is_dropped = vec![false; keeping.len()];
    while let Some(fluent) = fallen.pop() {
        let first = users.partition_point(|it| it.0 < fluent);
        let of_fluent = users[first..].iter().take_while(|it| it.0 == fluent);
        for &(_, number) in of_fluent {
            ticker.tick()?;
            if !std::mem::replace(&mut is_dropped[number as usize], true) {
                let fluent = keeping[number as usize].fluent;
                rules[at(fluent)] -= 1;
                if rules[at(fluent)] == 0 {
                    fallen.push(fluent);
                }
            }
        }
    }
    Ok(())
}
