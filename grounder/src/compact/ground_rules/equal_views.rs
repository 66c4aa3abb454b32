//! Views that have the same rules are one: the others are replaced by it wherever they stand, which may make the rules of
//! further views the same.
//!
//! Structural hashing, as for circuits; for answer set programs Gebser, Kaufmann, Neumann and Schaub, "Advanced
//! Preprocessing for Answer Set Solving" (ECAI 2008), who look for equal bodies and atoms.
//!
//! Views are looked at after those that they depend on, so once is enough but for cycles. It is sound on these, too: if all
//! views that take the place of each other have the same rules once they have done so, each round of derivation
//! gives all of them or none.
//!
//! [`Classes`] say which views take the place of which. Views that may be equal are found by the hashes of their rules
//! ([`Twins`]), and then compared ([`Bodies`]).

use std::ops::Range;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};
use groundfrog_engine::rows::Rows;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::inline::Occurrences;
use crate::simplify::subsumption::{self, hash, mix, same_set};
use crate::ticker::Ticker;
use crate::tuning::PROMISING;

/// Whether enough of so many rules are for views that `may_have` become equal to others, or use them.
pub fn are_promising(
    rules: usize,
    occurrences: &Occurrences,
    may_have: impl Fn(u32) -> bool,
) -> bool {
    let (mut own, mut uses) = (0, 0);
    for view in occurrences.views().filter(|&view| may_have(view)) {
        own += occurrences.rules(view) as usize;
        uses += occurrences.uses(view) as usize;
    }
    // Two views with a rule each are used by as many rules as there may be.
    own > 0 && is_enough(own, uses, rules)
}

/// Whether so many rules and uses of views are enough. A use counts less: the rule of a view goes with it, one that uses
/// the view goes only if it becomes the same as another.
fn is_enough(own: usize, uses: usize, rules: usize) -> bool {
    (own + uses - uses / 4) * PROMISING > rules
}

/// Lets one view take the place of all that have the same rules: the one that `comes_before` the others. It does so only if
/// enough rules are for views that are the same as they are, or use them; where they are few, few more become the same. Returns whether it
/// did; the heads of rules that changed are raised in `changed_heads`, which has an entry for each atom.
///
/// No rule occurs twice afterwards if none did before. A body that becomes contradictory is left: its rule never
/// applies.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn merge_equal(
    rules: &mut RuleStore,
    changed_heads: &mut [bool],
    views: Range<u32>,
    comes_before: impl Fn(u32, u32) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    let hashes = Hashes::new(rules, views.clone(), ticker)?;
    if !are_enough_of_twins(&hashes, rules, ticker)? {
        return Ok(false);
    }
    let mut classes = classes(rules, hashes, changed_heads.len(), views, ticker)?;
    let is_any = classes.is_any_merged();
    if is_any {
        classes.choose(comes_before, ticker)?;
        classes.apply(rules, changed_heads, ticker)?;
    }
    Ok(is_any)
}

/// Whether enough rules are for views that have the same rules as one before them, by their hashes, or use them. If
/// there are none, no views become the same, but on cycles.
fn are_enough_of_twins(
    hashes: &Hashes,
    rules: &RuleStore,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    let twins = hashes.twins(ticker)?;
    Ok(twins.rules > 0
        && (is_enough(twins.rules, 0, rules.len())
            || is_enough(twins.rules, twins.uses(rules, ticker)?, rules.len())))
}

/// The classes of views with the same rules. `hashes` are those of the rules as they are; atoms are numbered below
/// `atoms`.
fn classes(
    rules: &RuleStore,
    hashes: Hashes,
    atoms: usize,
    views: Range<u32>,
    ticker: &mut Ticker<'_>,
) -> Result<Classes, Exceeded> {
    let mut search = Search {
        rules,
        by_head: rules.by_head(atoms, |head| views.contains(&head)),
        twins: Twins::new(&hashes),
        hashes,
        classes: Classes::new(views.clone()),
        agenda: Vec::new(),
        own: Bodies::default(),
        other: Bodies::default(),
    };
    for view in views {
        search.agenda.push(view);
        while let Some(&view) = search.agenda.last() {
            ticker.ticks(1 + 4 * search.by_head.row(view as usize).len() as u32)?;
            if search.classes.begin(view) && search.descends_from(view) {
                continue;
            }
            search.agenda.pop();
            if !search.classes.is_closed(view) {
                let twin = search.twin(view);
                search.classes.close(view, twin);
            }
        }
    }
    Ok(search.classes)
}

struct Search<'run> {
    rules: &'run RuleStore,
    by_head: Rows<u32>,
    hashes: Hashes,
    classes: Classes,
    twins: Twins,
    /// Views whose turn comes once those above them are closed; a view may be in it several times.
    agenda: Vec<u32>,
    own: Bodies,
    other: Bodies,
}

impl Search<'_> {
    /// Puts the views that a view depends on and that are to be looked at on the agenda. Returns whether there are any.
    fn descends_from(&mut self, view: u32) -> bool {
        let before = self.agenda.len();
        for &rule in self.by_head.row(view as usize) {
            let atoms = self.rules.rule(rule as usize).body.iter().map(|it| it.atom());
            self.agenda.extend(atoms.filter(|&it| self.classes.is_open(it)));
        }
        self.agenda.len() > before
    }

    /// A view with the same rules that has been looked at.
    fn twin(&mut self, view: u32) -> Option<u32> {
        let numbers = self.by_head.row(view as usize);
        let (own, other) = (&mut self.own, &mut self.other);
        let mut is_other = false;
        for &number in numbers {
            for &literal in self.rules.rule(number as usize).body {
                is_other |= self.classes.literal(literal) != literal;
            }
        }
        // Most views say what they did and have no twin: their rules need not be read.
        if is_other && let Some(hash) = own.read(self.rules, numbers, |it| self.classes.literal(it))
        {
            self.hashes.set(view, hash);
        }
        let twin = self.twins.find_or_add(view, &self.hashes)?;
        if !is_other {
            own.read(self.rules, numbers, |it| it);
        }
        other.read(self.rules, self.by_head.row(twin as usize), |it| self.classes.literal(it));
        own.is_the_same_as(other).then_some(twin)
    }
}

/// A view is to be looked at.
const OPEN: u32 = u32::MAX;
/// Views that it depends on come first.
const ON_PATH: u32 = u32::MAX - 1;

/// Classes of views with the same rules, each with one that takes the place of the others.
struct Classes {
    views: Range<u32>,
    /// By view: the one that takes its place, itself if none does, or [`OPEN`] or [`ON_PATH`].
    taken_by: Vec<u32>,
    is_any_merged: bool,
}

impl Classes {
    /// All views are to be looked at.
    fn new(views: Range<u32>) -> Self {
        let taken_by = vec![OPEN; views.len()];
        Classes { views, taken_by, is_any_merged: false }
    }

    /// Whether a view takes the place of another.
    fn is_any_merged(&self) -> bool {
        self.is_any_merged
    }

    #[inline]
    fn position(&self, atom: u32) -> usize {
        atom.wrapping_sub(self.views.start) as usize
    }

    /// Begins to look at a view. Returns whether it is looked at for the first time.
    fn begin(&mut self, view: u32) -> bool {
        let position = self.position(view);
        let state = &mut self.taken_by[position];
        let is_first = *state == OPEN;
        if is_first {
            *state = ON_PATH;
        }
        is_first
    }

    /// A view has been looked at.
    fn close(&mut self, view: u32, twin: Option<u32>) {
        let position = self.position(view);
        self.taken_by[position] = twin.unwrap_or(view);
        self.is_any_merged |= twin.is_some();
    }

    fn is_closed(&self, view: u32) -> bool {
        self.taken_by[self.position(view)] < ON_PATH
    }

    /// Whether an atom is a view that is to be looked at.
    #[inline]
    fn is_open(&self, atom: u32) -> bool {
        self.taken_by.get(self.position(atom)) == Some(&OPEN)
    }

    /// The view that takes the place of an atom, itself if none does.
    #[inline]
    fn merged(&self, atom: u32) -> u32 {
        self.taken_by.get(self.position(atom)).copied().filter(|&it| it < ON_PATH).unwrap_or(atom)
    }

    /// The literal with the view that takes the place of its own.
    #[inline]
    fn literal(&self, literal: GroundLiteral) -> GroundLiteral {
        GroundLiteral::new(self.merged(literal.atom()), literal.is_negated())
    }

    /// Lets the view of each class that `comes_before` the others take their place.
    fn choose(
        &mut self,
        comes_before: impl Fn(u32, u32) -> bool,
        ticker: &mut Ticker<'_>,
    ) -> Result<(), Exceeded> {
        // By view that takes the place of others: the one that is to do so.
        let mut chosen: Vec<u32> = self.views.clone().collect();
        let views = self.views.clone().zip(&self.taken_by);
        for (view, &taken_by) in views {
            ticker.tick()?;
            let chosen = &mut chosen[self.position(taken_by)];
            if view != taken_by && comes_before(view, *chosen) {
                *chosen = view;
            }
        }
        let start = self.views.start;
        self.taken_by.iter_mut().for_each(|it| *it = chosen[(*it - start) as usize]);
        Ok(())
    }

    /// Puts views in the place of others. Raises the heads of rules that change.
    fn apply(
        &self,
        rules: &mut RuleStore,
        changed_heads: &mut [bool],
        ticker: &mut Ticker<'_>,
    ) -> Result<(), Exceeded> {
        let mut has_changed = false;
        rules.retain(|head, body| {
            ticker.tick()?;
            if self.merged(head) != head {
                return Ok(None);
            }
            let mut kept = 0;
            for position in 0..body.len() {
                let literal = self.literal(body[position]);
                if literal != body[position] {
                    changed_heads[head as usize] = true;
                    has_changed = true;
                    // The one that takes the place may be there, before this or behind it.
                    if body[..kept].contains(&literal) || body[position + 1..].contains(&literal) {
                        continue;
                    }
                }
                body[kept] = literal;
                kept += 1;
            }
            Ok(Some(kept))
        })?;
        if has_changed {
            let (atoms, concerns) = (changed_heads.len(), |head: u32| changed_heads[head as usize]);
            subsumption::remove_repeated(rules, atoms, concerns, ticker)?;
        }
        Ok(())
    }
}

/// The rules of one view: a set of sets of literals.
#[derive(Default)]
struct Bodies {
    literals: Vec<GroundLiteral>,
    /// Each body with its hash, where that is needed, and where its literals are.
    bodies: Vec<(u64, Range<u32>)>,
}

impl Bodies {
    /// Reads the rules of a view. Returns the hash of what they become, if that is anything else.
    fn read(
        &mut self,
        rules: &RuleStore,
        numbers: &[u32],
        becomes: impl Fn(GroundLiteral) -> GroundLiteral,
    ) -> Option<u64> {
        self.literals.clear();
        self.bodies.clear();
        let mut is_any_other = false;
        for &number in numbers {
            let start = self.literals.len();
            let mut is_other = false;
            for &literal in rules.rule(number as usize).body {
                let new = becomes(literal);
                is_other |= new != literal;
                // What was different may have become the same.
                if !is_other || !self.literals[start..].contains(&new) {
                    self.literals.push(new);
                }
            }
            is_any_other |= is_other;
            self.bodies.push((0, start as u32..self.literals.len() as u32));
        }
        if !is_any_other {
            return None;
        }
        self.hash();
        self.drop_repeated();
        Some(self.bodies.iter().fold(0, |sum, it| sum.wrapping_add(it.0)))
    }

    fn hash(&mut self) {
        for (hash, body) in &mut self.bodies {
            *hash = hash_of_body(&self.literals[range(body)]);
        }
    }

    /// Keeps one of the bodies that are the same.
    fn drop_repeated(&mut self) {
        self.sort();
        let literals = &self.literals;
        self.bodies.dedup_by(|(hash, own), (other_hash, other)| {
            hash == other_hash && same_set(&literals[range(own)], &literals[range(other)])
        });
    }

    fn sort(&mut self) {
        self.bodies.sort_unstable_by_key(|(hash, body)| (*hash, body.start));
    }

    /// Whether the rules of two views are the same.
    fn is_the_same_as(&mut self, other: &mut Bodies) -> bool {
        if self.bodies.len() != other.bodies.len() {
            return false;
        }
        // Mostly they are in the same order.
        let mut pairs = self.bodies.iter().zip(&other.bodies);
        if pairs.all(|(own, its)| self.literals[range(&own.1)] == other.literals[range(&its.1)]) {
            return true;
        }
        for it in [&mut *self, &mut *other] {
            it.hash();
            it.sort();
        }
        let mut pairs = self.bodies.iter().zip(&other.bodies);
        pairs.all(|((hash, own), (its_hash, its))| {
            hash == its_hash && same_set(&self.literals[range(own)], &other.literals[range(its)])
        })
    }
}

fn range(of: &Range<u32>) -> Range<usize> {
    of.start as usize..of.end as usize
}

/// The hash of a body; the sum of these is that of a view.
#[inline]
fn hash_of_body(body: &[GroundLiteral]) -> u64 {
    mix(hash(body))
}

/// The hash of the rules of each view.
struct Hashes {
    views: Range<u32>,
    /// By view: the hash and the number of its rules.
    by_view: Vec<(u64, u32)>,
}

impl Hashes {
    /// Those of the rules as they are.
    fn new(
        rules: &RuleStore,
        views: Range<u32>,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, Exceeded> {
        let mut by_view = vec![(0u64, 0); views.len()];
        for rule in rules.iter() {
            ticker.tick()?;
            let view = rule.head.wrapping_sub(views.start) as usize;
            if let Some((hash, count)) = by_view.get_mut(view) {
                *hash = hash.wrapping_add(hash_of_body(rule.body));
                *count += 1;
            }
        }
        Ok(Hashes { views, by_view })
    }

    fn of(&self, view: u32) -> (u64, u32) {
        self.by_view[(view - self.views.start) as usize]
    }

    /// The view's rules have become others.
    fn set(&mut self, view: u32, hash: u64) {
        self.by_view[(view - self.views.start) as usize].0 = hash;
    }

    /// The views that have the same rules as one before them, by their hashes.
    fn twins(&self, ticker: &mut Ticker<'_>) -> Result<Later, Exceeded> {
        let mut twins = Twins::new(self);
        let mut later = Later { views: self.views.clone(), is_twin: Vec::new(), rules: 0 };
        for view in self.views.clone() {
            ticker.tick()?;
            if twins.find_or_add(view, self).is_some() {
                later.is_twin.resize(self.views.len(), false);
                later.is_twin[(view - self.views.start) as usize] = true;
                later.rules += self.of(view).1 as usize;
            }
        }
        Ok(later)
    }
}

/// The views with an earlier twin.
struct Later {
    views: Range<u32>,
    /// By view; of length 0 if none is.
    is_twin: Vec<bool>,
    /// How many rules they have.
    rules: usize,
}

impl Later {
    /// How often rules use them.
    fn uses(&self, rules: &RuleStore, ticker: &mut Ticker<'_>) -> Result<usize, Exceeded> {
        let is_twin = |atom: u32| {
            self.is_twin.get(atom.wrapping_sub(self.views.start) as usize) == Some(&true)
        };
        let mut uses = 0;
        for rule in rules.iter() {
            ticker.tick()?;
            uses += rule.body.iter().filter(|it| is_twin(it.atom())).count();
        }
        Ok(uses)
    }
}

/// A view for each hash.
struct Twins(HashTable<u32>);

impl Twins {
    /// Room for all views with rules.
    fn new(hashes: &Hashes) -> Self {
        Twins(HashTable::with_capacity(hashes.by_view.iter().filter(|it| it.1 > 0).count()))
    }

    /// A view that was added before, with the same hash; if there is none, the view is added. One without rules
    /// may hold otherwise and has no twin.
    fn find_or_add(&mut self, view: u32, hashes: &Hashes) -> Option<u32> {
        let (hash, rules) = hashes.of(view);
        if rules == 0 {
            return None;
        }
        let same = |&other: &u32| hashes.of(other).0 == hash;
        match self.0.entry(hash, same, |&other| hashes.of(other).0) {
            Entry::Occupied(other) => Some(*other.get()),
            Entry::Vacant(free) => {
                free.insert(view);
                None
            }
        }
    }
}
