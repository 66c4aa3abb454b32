//! The rules that factoring looks at.

use groundfrog_engine::instantiate::RuleStore;

/// The rules that may be in a group that shares its set, of heads that are concerned. Alternatives are rules of one head,
/// and heads that share a set have a rule for each of its bodies.
pub(crate) fn wanted(rules: &RuleStore, is_concerned: impl Fn(u32) -> bool) -> Vec<u32> {
    let has_several = with_several_rules(rules);
    let mut wanted = Vec::with_capacity(rules.len());
    let of_several = (0..).zip(rules.heads()).filter(|(_, head)| has_several[**head as usize]);
    wanted.extend(of_several.filter(|(_, head)| is_concerned(**head)).map(|it| it.0));
    wanted
}

/// By atom: whether it has several rules.
fn with_several_rules(rules: &RuleStore) -> Vec<bool> {
    let atoms = rules.heads().iter().max().map_or(0, |it| *it as usize + 1);
    let (mut one, mut several) = (vec![false; atoms], vec![false; atoms]);
    for &head in rules.heads() {
        let has_one = std::mem::replace(&mut one[head as usize], true);
        several[head as usize] |= has_one;
    }
    several
}
