//! Auxiliary predicates: those that rules use, and in layers above them those that are only proposed.
//!
//! What is tried is made in a layer of its own, which sees those below and does not change them. A proposal that is
//! accepted brings its layer along; any other is dropped with it, and nothing has to be undone.
//!
//! It also says how large rules are with these predicates, as they are or when a part is split off.

use std::rc::Rc;

use groundfrog_engine::projection::{Part, VariableSet, members, set_of};
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Argument, Table};

use super::PartStep;
use super::elimination::guarded;
use super::world::World;
use crate::compact::complete_tables::auxiliaries::{
    Alternative, Auxiliaries, AuxiliaryPredicate, Change, Definition, Split, use_of,
};
use crate::compact::estimate::{self, Bindings, literal_variables, variables};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::options::PassId;

/// Auxiliary predicates, above those of another draft.
pub(crate) struct Draft<'a, 'run> {
    pub(super) world: &'a World<'run>,
    base: Option<&'a Draft<'a, 'run>>,
    made: Auxiliaries,
    /// How many predicates, rules and steps there are below.
    below: [usize; 3],
}

impl<'a, 'run> Draft<'a, 'run> {
    /// What was made so far.
    pub(super) fn new(world: &'a World<'run>, made: Auxiliaries) -> Self {
        Draft { world, base: None, made, below: [0; 3] }
    }

    /// A layer above this.
    pub(super) fn above(&self) -> Draft<'_, 'run> {
        self.with(Auxiliaries::default())
    }

    /// The layer above this in which something was made.
    pub(super) fn with(&self, made: Auxiliaries) -> Draft<'_, 'run> {
        let below = [self.predicates(), self.rules(), self.steps()];
        Draft { world: self.world, base: Some(self), made, below }
    }

    /// What was made in this layer.
    pub(super) fn into_made(self) -> Auxiliaries {
        self.made
    }

    /// Takes in what was made in a layer above this.
    pub(super) fn absorb(&mut self, made: Auxiliaries) {
        self.made.append(made);
    }

    fn layers(&self) -> impl Iterator<Item = &Draft<'a, 'run>> {
        std::iter::successors(Some(self), |layer| layer.base)
    }

    fn predicates(&self) -> usize {
        self.below[0] + self.made.predicates.len()
    }

    /// How many rules of auxiliary predicates there are.
    pub(super) fn rules(&self) -> usize {
        self.below[1] + self.made.rules.len()
    }

    /// How many steps were taken.
    pub(super) fn steps(&self) -> usize {
        self.below[2] + self.made.splits.len()
    }

    /// A rule of an auxiliary predicate.
    pub(super) fn rule(&self, index: usize) -> &FlatRule {
        let layer = self.layers().find(|layer| index >= layer.below[1]);
        let layer = layer.expect("the lowest layer begins with the first rule");
        &layer.made.rules[index - layer.below[1]]
    }

    /// Puts another rule in the place of one that was made in this layer.
    pub(super) fn replace_rule(&mut self, index: usize, rule: FlatRule) {
        self.made.rules[index - self.below[1]] = rule;
    }

    /// Adds a rule for a predicate that has been made.
    pub(super) fn add_rule(&mut self, rule: FlatRule) {
        self.made.rules.push(rule);
    }

    fn auxiliary(&self, form: FormId) -> Option<&AuxiliaryPredicate> {
        let number = form.index().checked_sub(self.world.first_auxiliary)?;
        let layer = self.layers().find(|layer| number >= layer.below[0])?;
        layer.made.predicates.get(number - layer.below[0])
    }

    /// The size of a predicate: measured, or as it is expected.
    pub(super) fn measure(&self, form: FormId) -> Rc<Measure> {
        // Those that were made before the tables were completed have tables as well.
        let has_table = form.index() < self.world.forms.len();
        match self.auxiliary(form).filter(|_| !has_table) {
            Some(auxiliary) => Rc::clone(&auxiliary.measure),
            None => self.world.measure(form),
        }
    }

    /// Whether what is stored of some literals says no more than what moves are made.
    pub(super) fn are_about_moves<'l>(
        &self,
        mut literals: impl Iterator<Item = &'l FlatLiteral>,
    ) -> bool {
        literals.all(|literal| match &literal.kind {
            _ if !literal.stored => true,
            LiteralKind::Positive(atom) => {
                atom.name == self.world.known.keywords.does
                    || self.auxiliary(atom.form).is_some_and(|it| it.is_about_moves)
            }
            _ => false,
        })
    }

    /// The definition of a part of a rule's body.
    pub(super) fn definition(&self, part: &[&FlatLiteral], interface: &[u32]) -> Definition {
        Definition::new(part, interface, self.world.forms, self.world.first_auxiliary)
    }

    /// The predicate of a definition, if it has one already.
    pub(super) fn find(&self, definition: &Definition) -> Option<FormId> {
        let key = definition.key();
        self.layers().find_map(|layer| layer.made.by_definition.get(&key).copied())
    }

    /// The literal with an auxiliary predicate in a rule that it was made for.
    pub(super) fn use_of(&self, form: FormId, interface: &[u32], is_dynamic: bool) -> FlatLiteral {
        use_of(form, self.world.auxiliary, interface, is_dynamic)
    }

    /// The literal that stands for a part of a body, and whether its predicate is new.
    pub(super) fn stand_for(&mut self, definition: Definition, origin: u32) -> (FlatLiteral, bool) {
        let columns = 0..definition.columns as u32;
        let bindings = self.bindings(definition.body.iter(), set_of(columns.clone()));
        let distinct =
            columns.map(|column| bindings.domain(column).min(bindings.count())).collect();
        let measure = Measure { rows: bindings.count(), distinct };
        self.stand_for_expected(definition, origin, measure)
    }

    /// The literal that stands for a part of a body, whose predicate is expected to have this size; and whether the
    /// predicate is new.
    pub(super) fn stand_for_expected(
        &mut self,
        definition: Definition,
        origin: u32,
        measure: Measure,
    ) -> (FlatLiteral, bool) {
        let is_dynamic = definition.body.iter().any(|literal| literal.stored);
        if let Some(known) = self.find(&definition) {
            return (self.use_of(known, &definition.interface, is_dynamic), false);
        }
        let is_about_moves = self.are_about_moves(definition.body.iter());
        let head = self.head(definition.columns, is_dynamic, measure, is_about_moves);
        let literal = self.use_of(head.form, &definition.interface, is_dynamic);
        self.made.by_definition.insert(definition.key(), head.form);
        let passed_on = definition.passed_on.as_ref().map(|keys| keys.rule(&head, origin));
        let body = definition.body;
        self.made.rules.push(FlatRule { head, body, origin, stored: is_dynamic });
        self.made.rules.extend(passed_on);
        (literal, true)
    }

    /// The predicate with these rules, which are stored; if it is new, it is expected to have this size.
    pub(super) fn union(&mut self, alternatives: Vec<Alternative>, expected: Measure) -> FormId {
        let keys: Vec<_> = alternatives.iter().map(Alternative::key).collect();
        let mut layers = self.layers();
        let known = layers.find_map(|layer| layer.made.by_alternatives.get(&keys).copied());
        drop(layers);
        if let Some(known) = known {
            return known;
        }
        let columns = alternatives.first().map_or(0, |alternative| alternative.arguments.len());
        let head = self.head(columns, true, expected, false);
        let form = head.form;
        self.made.by_alternatives.insert(keys, form);
        self.made.rules.extend(alternatives.into_iter().map(|alternative| FlatRule {
            head: FlatAtom { arguments: alternative.arguments, ..head.clone() },
            body: alternative.body,
            origin: alternative.origin,
            stored: true,
        }));
        form
    }

    /// The predicate with these rows.
    pub(super) fn given(&mut self, table: &Rc<Table>) -> FormId {
        let mut all = self.layers().flat_map(|layer| &layer.made.tables);
        let known = all.find(|given| Rc::ptr_eq(&given.1, table)).map(|given| given.0);
        drop(all);
        if let Some(known) = known {
            return known;
        }
        let form = self.head(table.arity(), false, Measure::of(table), false).form;
        self.made.tables.push((form, Rc::clone(table)));
        form
    }

    /// The head of a new predicate.
    fn head(
        &mut self,
        columns: usize,
        is_dynamic: bool,
        measure: Measure,
        is_about_moves: bool,
    ) -> FlatAtom {
        let form = FormId((self.world.first_auxiliary + self.predicates()) as u32);
        let measure = Rc::new(measure);
        self.made.predicates.push(AuxiliaryPredicate { columns, measure, is_about_moves });
        if is_dynamic {
            self.made.dynamic.push(form);
        }
        let arguments = (0..columns as u32).map(Argument::Variable).collect();
        FlatAtom { form, name: self.world.auxiliary, arguments }
    }

    /// Notes a step that is taken, with the sizes before and after it.
    pub(super) fn note(
        &mut self,
        step: (PassId, Change),
        origins: impl IntoIterator<Item = u32>,
        sizes: (f64, f64),
    ) {
        self.made.splits.push(Split::new(step, origins, sizes));
    }

    /// Notes a part that is split off.
    pub(super) fn note_part(&mut self, step: &PartStep) {
        self.made.splits.push(step.split.clone());
    }

    /// The expected size of what had this size before the steps from a first one on, which were taken in this layer.
    pub(super) fn size_after(&self, whole: f64, first: usize) -> f64 {
        // What a split leaves is what the next one begins with; the difference is what it splits off.
        let splits = &self.made.splits[first - self.below[2]..];
        let size = splits.iter().fold(whole, |size, split| size - split.before + split.after);
        // Not all steps agree on what there was before, so that the differences may add up to more than there was.
        size.max(0.0)
    }
}

/// Ticks that it takes to estimate a size.
const AN_ESTIMATE: u32 = 64;

/// How large a rule is.
pub(super) struct Cost {
    /// Expected ground rules.
    pub(super) rules: f64,
    /// Expected ground rules times their length.
    pub(super) size: f64,
}

impl Draft<'_, '_> {
    /// The expected number of different bindings of variables of some literals.
    pub(super) fn bindings<'l>(
        &self,
        literals: impl Iterator<Item = &'l FlatLiteral>,
        wanted: VariableSet,
    ) -> Bindings {
        estimate::bindings(literals, wanted, |form| self.measure(form))
    }

    /// The expected number of instances of a rule with this body.
    pub(super) fn cost<'l>(
        &self,
        body: impl Iterator<Item = &'l FlatLiteral> + Clone,
        head: VariableSet,
    ) -> Cost {
        let all = self.bindings(body.clone(), 0);
        self.cost_of(&all, body, head)
    }

    /// The cost of a rule, given the bindings of all variables.
    pub(super) fn cost_of<'l>(
        &self,
        all: &Bindings,
        body: impl Iterator<Item = &'l FlatLiteral> + Clone,
        head: VariableSet,
    ) -> Cost {
        // Loops that see that a limit is exceeded stop.
        self.world.ticks(AN_ESTIMATE);
        let stored = body.filter(|literal| literal.stored);
        let wanted = stored.clone().map(literal_variables).fold(head, |all, own| all | own);
        let rules = all.count_of(wanted);
        Cost { rules, size: rules * (2.0 + stored.count() as f64) }
    }

    /// The expected size of a rule's instances.
    pub(super) fn size(&self, rule: &FlatRule) -> f64 {
        self.cost(rule.body.iter(), variables(&rule.head.arguments)).size
    }

    /// The size of a rule once a part is split off, with that of the rules of the part's auxiliary predicate if it is new.
    /// `all` are the bindings of the rule's variables.
    pub(super) fn size_of_split(&self, rule: &FlatRule, all: &Bindings, part: &Part) -> f64 {
        let own = if self.is_made(rule, part) { 0.0 } else { self.size_of_part(rule, part) };
        own + self.size_of_rest(rule, all, part)
    }

    /// Whether a part has an auxiliary predicate.
    pub(super) fn is_made(&self, rule: &FlatRule, part: &Part) -> bool {
        self.rules() > 0 && {
            let body: Vec<&FlatLiteral> = rule.body.iter().collect();
            let columns: Vec<u32> = members(part.interface).collect();
            self.find(&self.definition(&part.divide(&body).0, &columns)).is_some()
        }
    }

    /// The expected size of the rules of a part's auxiliary predicate, which are not stored if nothing in them is.
    pub(super) fn size_of_part(&self, rule: &FlatRule, part: &Part) -> f64 {
        let inner = rule.body.iter().zip(&part.taken).filter(|(_, taken)| **taken);
        let is_dynamic = inner.map(|(literal, _)| literal).any(|literal| literal.stored);
        if is_dynamic { guarded(rule, part, self).1 } else { 0.0 }
    }

    /// The expected size of what is left of a rule of which a part is split off.
    pub(super) fn size_of_rest(&self, rule: &FlatRule, all: &Bindings, part: &Part) -> f64 {
        let head = variables(&rule.head.arguments);
        let body: Vec<&FlatLiteral> = rule.body.iter().collect();
        let (inner, mut rest) = part.divide(&body);
        let is_dynamic = inner.iter().any(|literal| literal.stored);
        // The auxiliary literal restricts the rest as its definition does; count it as one more literal.
        let stored = rest.iter().filter(|literal| literal.stored);
        let wanted =
            stored.map(|literal| literal_variables(literal)).fold(head, |all, own| all | own)
                | if is_dynamic { part.interface } else { 0 };
        // Of the bindings of the part, those that differ in the interface alone are left.
        let part = self.bindings(inner.iter().copied(), part.interface);
        let left = all.count_of_part(wanted, part.count() / part.rows);
        rest.retain(|literal| literal.stored);
        left * (2.0 + rest.len() as f64 + f64::from(u8::from(is_dynamic)))
    }
}
