//! What strategies propose, and the one driver that estimates, accepts and keeps it.

use super::PartStep;
use super::draft::Draft;
use super::elimination::{better_by_fill, eliminated};
use crate::compact::complete_tables::auxiliaries::{Auxiliaries, Change};
use crate::compact::estimate::{Bindings, fits};
use crate::flat::FlatRule;
use crate::options::PassId;
use crate::tuning::{GAIN, WORTH_A_PROPOSAL};

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
    /// For rules of the description that are alike: the groups, and what takes the place of members of one. That is always
    /// accepted: there are fewer rules, or the strategy has weighed it.
    Together {
        groups: fn(&[FlatRule], &Draft<'_, '_>) -> Vec<RuleGroup>,
        propose: fn(&[RuleMember<'_>], &Draft<'_, '_>) -> Option<Proposal>,
    },
    /// For one rule of the description, or of an auxiliary predicate as well. Accepted is what makes a large rule smaller, all
    /// of it split as far as that pays.
    Single { propose: fn(&FlatRule, &Draft<'_, '_>) -> Vec<Proposal>, of_auxiliaries: bool },
    /// A part of a rule to be split off, with what there is after it: for rules of which nothing else is better, one part
    /// after the other. The bindings are those of all variables of the rule, and the size is its size.
    Part(fn(&FlatRule, (&Bindings, f64), &Draft<'_, '_>) -> Option<PartStep>),
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

/// Takes in what was made for a proposal that takes the place of some rules.
fn keep(
    proposal: &mut Proposal,
    replaced: &[&FlatRule],
    pass: PassId,
    sizes: (f64, f64),
    draft: &mut Draft<'_, '_>,
) {
    draft.absorb(std::mem::take(&mut proposal.made));
    draft.note((pass, proposal.change), replaced.iter().map(|rule| rule.origin), sizes);
}

/// The smallest of some proposals for a rule with what it makes of the rule's size, if that is a gain.
fn smallest(
    rule: &FlatRule,
    proposals: Vec<Proposal>,
    draft: &Draft<'_, '_>,
) -> Option<(Proposal, (f64, f64))> {
    let sized = proposals.into_iter().map(|proposal| {
        let sizes = proposal.sizes.unwrap_or_else(|| {
            let above = draft.with(proposal.made.clone());
            let rules = proposal.rules.iter().map(|rule| size_when_split(rule, &above));
            (size_when_split(rule, draft), rules.sum::<f64>() + proposal.own)
        });
        (proposal, sizes)
    });
    let smallest = sized.min_by(|one, other| one.1.1.total_cmp(&other.1.1));
    smallest.filter(|(_, (before, after))| is_gain(*before, *after))
}

/// Rules of the description in which proposals for several together have taken their places.
fn together(
    mut rules: Vec<FlatRule>,
    groups: fn(&[FlatRule], &Draft<'_, '_>) -> Vec<RuleGroup>,
    propose: fn(&[RuleMember<'_>], &Draft<'_, '_>) -> Option<Proposal>,
    pass: PassId,
    draft: &mut Draft<'_, '_>,
) -> Vec<FlatRule> {
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
            let Some(mut proposal) = goes_on.then(|| propose(&members, draft)).flatten() else {
                continue;
            };
            let replaced: Vec<&FlatRule> =
                proposal.replaced.iter().map(|&it| members[it].0).collect();
            let sizes = proposal.sizes.unwrap_or_else(|| {
                let size = |rule: &FlatRule| if fits(rule) { draft.size(rule) } else { 0.0 };
                let before = replaced.iter().map(|rule| size(rule)).sum();
                (before, proposal.rules.iter().map(size).sum())
            });
            keep(&mut proposal, &replaced, pass, sizes, draft);
            let Proposal { replaced, rules: new, .. } = proposal;
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
    pass: PassId,
    draft: &mut Draft<'_, '_>,
) -> Vec<FlatRule> {
    let (mut rest, mut rules) = (vec![rule], Vec::new());
    while let Some(rule) = rest.pop() {
        let is_large = rule.stored
            && fits(&rule)
            && draft.world.goes_on(&rule)
            && draft.size(&rule) >= WORTH_A_PROPOSAL;
        let proposals = if is_large { propose(&rule, draft) } else { Vec::new() };
        match smallest(&rule, proposals, draft) {
            Some((mut proposal, sizes)) => {
                keep(&mut proposal, &[&rule], pass, sizes, draft);
                rest.extend(proposal.rules.into_iter().rev());
            }
            None => rules.push(rule),
        }
    }
    rules
}

/// What has become of a rule by all strategies for single rules, one after the other.
fn singly(rule: FlatRule, is_auxiliary: bool, draft: &mut Draft<'_, '_>) -> Vec<FlatRule> {
    let mut rules = vec![rule];
    for &(pass, strategy) in draft.world.wanted {
        let &Strategy::Single { propose, of_auxiliaries } = strategy else { continue };
        if of_auxiliaries || !is_auxiliary {
            let rewrite = |rule| one_by_one(rule, propose, pass, draft);
            rules = rules.into_iter().flat_map(rewrite).collect();
        }
    }
    rules
}

/// Rules in which all that was accepted has taken its place, and of which all is split off that pays.
pub(super) fn rewritten(mut rules: Vec<FlatRule>, draft: &mut Draft<'_, '_>) -> Vec<FlatRule> {
    for &(pass, strategy) in draft.world.wanted {
        if let Strategy::Together { groups, propose } = *strategy {
            rules = together(rules, groups, propose, pass, draft);
        }
    }
    let are_split = draft.world.wanted.iter().any(|it| it.0 == PassId::Decomposition);
    let mut split = Vec::with_capacity(rules.len());
    for rule in rules {
        let alternatives = singly(rule, false, draft);
        // Those of several are alike, so that views of theirs become one: more than what is estimated tells.
        let may_be_by_fill = are_split && alternatives.len() == 1;
        for rule in alternatives {
            let by_fill = if may_be_by_fill { better_by_fill(&rule, draft) } else { None };
            split.push(by_fill.unwrap_or_else(|| eliminated(rule, draft)));
        }
    }
    rewrite_auxiliaries(draft);
    split
}

/// Splits the rules of auxiliary predicates, with those that come of it.
fn rewrite_auxiliaries(draft: &mut Draft<'_, '_>) {
    let mut next = 0;
    while next < draft.rules() {
        for rule in singly(draft.rule(next).clone(), true, draft) {
            let rule = eliminated(rule, draft);
            draft.replace_rule(next, rule);
        }
        next += 1;
    }
}
