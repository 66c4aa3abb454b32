//! What strategies propose, and the one driver that estimates, accepts and keeps it.

use super::draft::Draft;
use super::elimination::eliminated;
use super::least_fill::Large;
use crate::compact::complete_tables::auxiliaries::{Auxiliaries, Change, RuleSteps};
use crate::compact::estimate::{Bindings, fits};
use crate::flat::FlatRule;
use crate::options::PassId;
use crate::tuning::{GAIN, WORTH_A_PROPOSAL};

use super::PartStep;

/// What could take the place of rules.
pub(crate) struct Proposal {
    pub(super) change: Change,
    /// Which of the rules it is for, by their places among those that it was proposed for.
    pub(super) replaced: Vec<usize>,
    /// The rules instead.
    pub(super) rules: Vec<FlatRule>,
    /// The auxiliary predicates that these use.
    pub(super) made: Auxiliaries,
    /// The expected size of the rules of those that are new.
    pub(super) own: f64,
    /// The sizes of the parts that it is about, before and after, if it is about parts that no other splits.
    pub(super) sizes: Option<(f64, f64)>,
}

impl Proposal {
    /// These rules instead of one, which use what was made for them.
    pub(super) fn new(
        change: Change,
        rules: Vec<FlatRule>,
        (made, own): (Auxiliaries, f64),
    ) -> Self {
        Proposal { change, replaced: vec![0], rules, made, own, sizes: None }
    }

    /// This rule instead of one, without anything that is made for it.
    pub(super) fn plain(change: Change, rules: Vec<FlatRule>) -> Self {
        Proposal::new(change, rules, (Auxiliaries::default(), 0.0))
    }
}

/// A rule, and the place of a literal in it.
pub(crate) type RuleMember<'rule> = (&'rule FlatRule, usize);

/// Members of groups: the position of a rule, and that of a literal.
pub(crate) type RuleGroup = Vec<(usize, usize)>;

/// How a pass over rules with complete tables looks for something better. Each is a function of rules and what is
/// known, and changes nothing.
pub(crate) enum Strategy {
    /// For rules of the description that are alike: the groups, and what could take the place of members of one.
    Together {
        groups: fn(&[FlatRule], &Draft<'_, '_>) -> Vec<RuleGroup>,
        propose: fn(&[RuleMember<'_>], &Draft<'_, '_>) -> Option<Proposal>,
        acceptance: Acceptance,
    },
    /// For one rule of the description, or of an auxiliary predicate as well.
    Single {
        propose: fn(&FlatRule, &Draft<'_, '_>) -> Vec<Proposal>,
        acceptance: Acceptance,
        of_auxiliaries: bool,
    },
    /// A part of a rule to be split off, with what there is after it: for rules of which nothing else is better, one part
    /// after the other. The bindings are those of all variables of the rule, and the size is its size.
    Part(fn(&FlatRule, (&Bindings, f64), &Draft<'_, '_>) -> Option<PartStep>),
}

/// When a proposal is accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acceptance {
    /// If it makes large rules smaller, all of it split as far as that pays.
    Smaller,
    /// Always: there are fewer rules, or conditions that later strategies know, or the strategy has weighed it.
    Always,
}

/// A strategy that is wanted, and the pass that it belongs to.
pub(crate) type Wanted = (PassId, &'static Strategy);

/// Whether something of one size may take the place of something of another.
pub(super) fn is_gain(before: f64, after: f64) -> bool {
    after < before * GAIN
}

/// The expected size of a rule when all is split off that pays, with what is split off.
pub(super) fn size_when_split(rule: &FlatRule, draft: &Draft<'_, '_>) -> f64 {
    let mut trial = draft.above();
    let (whole, first, next) = (trial.size(rule), trial.steps(), trial.rules());
    eliminated(rule.clone(), &mut trial);
    for index in next.. {
        if index >= trial.rules() {
            break;
        }
        let rule = eliminated(trial.rule(index).clone(), &mut trial);
        trial.replace_rule(index, rule);
    }
    trial.size_after(whole, first)
}

/// The smallest of some proposals, kept if it is accepted in the place of some rules.
fn accepted(
    replaced: impl Fn(&Proposal) -> Vec<FlatRule>,
    proposals: Vec<Proposal>,
    (pass, acceptance): (PassId, Acceptance),
    draft: &mut Draft<'_, '_>,
) -> Option<Proposal> {
    let sized = proposals.into_iter().map(|proposal| {
        let own = replaced(&proposal);
        let sizes = match (proposal.sizes, acceptance) {
            (Some(sizes), _) => sizes,
            (None, Acceptance::Always) => {
                let size = |rules: &[FlatRule]| {
                    rules.iter().filter(|rule| fits(rule)).map(|rule| draft.size(rule)).sum()
                };
                (size(&own), size(&proposal.rules))
            }
            (None, Acceptance::Smaller) => {
                let before = own.iter().map(|rule| size_when_split(rule, draft)).sum();
                let above = draft.with(proposal.made.clone());
                let rules = proposal.rules.iter();
                (
                    before,
                    rules.map(|rule| size_when_split(rule, &above)).sum::<f64>() + proposal.own,
                )
            }
        };
        (sizes, own, proposal)
    });
    let ((before, after), own, mut best) =
        sized.min_by(|one, other| one.0.1.total_cmp(&other.0.1))?;
    if acceptance == Acceptance::Smaller && !is_gain(before, after) {
        return None;
    }
    draft.absorb(std::mem::take(&mut best.made));
    draft.note((pass, best.change), own.iter().map(|rule| rule.origin), (before, after));
    Some(best)
}

/// Rules of the description in which proposals for several together have taken their places.
fn together(
    mut rules: Vec<FlatRule>,
    pass: PassId,
    strategy: &Strategy,
    draft: &mut Draft<'_, '_>,
) -> Vec<FlatRule> {
    let Strategy::Together { groups, propose, acceptance } = strategy else { return rules };
    loop {
        let groups = groups(&rules, draft);
        let mut left: Vec<Option<FlatRule>> = rules.iter().cloned().map(Some).collect();
        let mut has_changed = false;
        for mut group in groups {
            // What has been put together is no longer like the rules that its parts were like.
            group.retain(|&(rule, at)| {
                left[rule].as_ref().is_some_and(|it| *it == rules[rule] && at <= it.body.len())
            });
            let members: Vec<RuleMember<'_>> =
                group.iter().map(|&(rule, at)| (&rules[rule], at)).collect();
            let goes_on = members.first().is_some_and(|member| draft.world.goes_on(member.0));
            let Some(proposal) = goes_on.then(|| propose(&members, draft)).flatten() else {
                continue;
            };
            let own = |proposal: &Proposal| {
                proposal.replaced.iter().map(|&it| members[it].0.clone()).collect()
            };
            let accepted = accepted(own, vec![proposal], (pass, *acceptance), draft);
            let Some(Proposal { replaced, rules: new, .. }) = accepted else { continue };
            has_changed = true;
            let places: Vec<usize> = replaced.iter().map(|&it| group[it].0).collect();
            places.iter().for_each(|&place| left[place] = None);
            left[places[0]] = new.into_iter().next();
        }
        rules = left.into_iter().flatten().collect();
        if !has_changed {
            return rules;
        }
    }
}

/// What has become of a rule when proposals for it, and for what comes of it, have taken their places.
fn one_by_one(
    rule: FlatRule,
    propose: fn(&FlatRule, &Draft<'_, '_>) -> Vec<Proposal>,
    (pass, acceptance): (PassId, Acceptance),
    draft: &mut Draft<'_, '_>,
) -> Vec<FlatRule> {
    let (mut rest, mut rules) = (vec![rule], Vec::new());
    while let Some(rule) = rest.pop() {
        let is_wanted = acceptance == Acceptance::Always
            || rule.stored
                && fits(&rule)
                && draft.world.goes_on(&rule)
                && draft.size(&rule) >= WORTH_A_PROPOSAL;
        let proposals = if is_wanted { propose(&rule, draft) } else { Vec::new() };
        let own = |_: &Proposal| vec![rule.clone()];
        match accepted(own, proposals, (pass, acceptance), draft) {
            Some(proposal) => rest.extend(proposal.rules.into_iter().rev()),
            None => rules.push(rule),
        }
    }
    rules
}

/// What has become of a rule by all strategies for single rules that make rules smaller, one after the other.
fn singly(rule: FlatRule, is_auxiliary: bool, draft: &mut Draft<'_, '_>) -> Vec<FlatRule> {
    let mut rules = vec![rule];
    for &(pass, strategy) in draft.world.wanted {
        let &Strategy::Single { propose, acceptance: Acceptance::Smaller, of_auxiliaries } =
            strategy
        else {
            continue;
        };
        if of_auxiliaries || !is_auxiliary {
            let rewrite = |rule| one_by_one(rule, propose, (pass, Acceptance::Smaller), draft);
            rules = rules.into_iter().flat_map(rewrite).collect();
        }
    }
    rules
}

/// Rules in which all that was accepted has taken its place, and of which all is split off that pays.
/// Also those that were large, with what they were.
pub(super) fn rewritten(
    mut rules: Vec<FlatRule>,
    draft: &mut Draft<'_, '_>,
) -> (Vec<FlatRule>, Vec<Large>) {
    for &(pass, strategy) in draft.world.wanted {
        rules = match *strategy {
            Strategy::Together { .. } => together(rules, pass, strategy, draft),
            Strategy::Single { propose, acceptance: Acceptance::Always, .. } => {
                let rewrite = |rule| one_by_one(rule, propose, (pass, Acceptance::Always), draft);
                rules.into_iter().flat_map(rewrite).collect()
            }
            Strategy::Single { .. } | Strategy::Part(_) => rules,
        };
    }
    let are_split = draft.world.wanted.iter().any(|it| it.0 == PassId::Decomposition);
    let (mut split, mut large) = (Vec::with_capacity(rules.len()), Vec::new());
    for rule in rules {
        let alternatives = singly(rule, false, draft);
        // Those of several are alike, so that views of theirs become one: more than what is counted tells.
        let is_alone = alternatives.len() == 1;
        for rule in alternatives {
            let first = draft.steps();
            let whole = if fits(&rule) { draft.size(&rule) } else { 0.0 };
            let may_change = are_split && rule.stored;
            let may_be_large = is_alone && may_change && whole >= WORTH_A_PROPOSAL;
            let before = may_be_large.then(|| rule.clone());
            split.push(eliminated(rule, draft));
            large.extend(before.map(|rule| Large {
                index: split.len() - 1,
                rule,
                steps: first..draft.steps(),
                size: draft.size_after(whole, first),
            }));
        }
    }
    rewrite_auxiliaries(0, draft);
    (split, large)
}

/// Splits the rules of auxiliary predicates from one on, with those that come of it.
pub(super) fn rewrite_auxiliaries(first: usize, draft: &mut Draft<'_, '_>) {
    let mut next = first;
    while next < draft.rules() {
        let rule = draft.rule(next).clone();
        let first = draft.steps();
        for rule in singly(rule, true, draft) {
            let rule = eliminated(rule, draft);
            draft.replace_rule(next, rule);
        }
        let steps = first..draft.steps();
        draft.made().steps.push(RuleSteps { rule: next, steps });
        next += 1;
    }
}
