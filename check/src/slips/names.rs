//! Where the names of a description stand.

use fxhash::FxHashMap;

use groundfrog::description::{Atom, Description, Formula, Statement, Term};
use groundfrog::kif::Span;
use groundfrog::symbols::Symbol;

/// A name with its number of arguments; none for a word that is no list.
pub(super) type Key = (Symbol, Option<usize>);

/// Of what kinds things are made and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Fluent,
    Move,
    Predicate,
}

impl Kind {
    pub(super) const ALL: [Kind; 3] = [Kind::Fluent, Kind::Move, Kind::Predicate];
}

/// How often something is made or read, and where first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uses {
    pub(super) count: usize,
    pub(super) first: Span,
}

/// What is made by heads, and read by bodies.
#[derive(Default)]
pub(super) struct Flow {
    pub(super) made: FxHashMap<Key, Uses>,
    pub(super) read: FxHashMap<Key, Uses>,
    /// A variable of which it is not known what it stands for is made, or read.
    pub(super) makes_any: bool,
    pub(super) reads_any: bool,
}

/// A name inside of a fluent, a move, or an atom.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) name: Key,
    /// What can stand at the place, see [`Names::sort`].
    slot: usize,
    /// The atom and the statement around it.
    pub(super) atom: Span,
    pub(super) statement: Span,
    /// It is in a fact about the first state.
    pub(super) is_first: bool,
    /// It says who moves, may move, gets or sees something: that it is no role is a finding of its own.
    pub(super) is_player: bool,
}

/// Something that has arguments, and the number of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Slot {
    Predicate(Symbol, usize, usize),
    Function(Symbol, usize, usize),
    Distinct(Span),
    Variable(Symbol, Span),
}

/// All names of a description and where they stand.
pub(super) struct Names<'d> {
    pub(super) description: &'d Description,
    pub(super) places: Vec<Place>,
    /// How often each name stands in the text.
    pub(super) counts: FxHashMap<Symbol, usize>,
    flows: [Flow; 3],
    slots: FxHashMap<Slot, usize>,
    /// Slots whose terms are passed on by variables are of one sort: each points at another of the same, or at itself.
    same: Vec<usize>,
}

impl<'d> Names<'d> {
    pub(super) fn of(description: &'d Description) -> Self {
        let mut names = Names {
            description,
            places: Vec::new(),
            counts: FxHashMap::default(),
            flows: Default::default(),
            slots: FxHashMap::default(),
            same: Vec::new(),
        };
        for statement in &description.statements {
            names.atom(&statement.head, statement, true);
            statement.body.iter().for_each(|it| names.formula(it, statement));
        }
        (0..names.same.len()).for_each(|slot| names.same[slot] = root(&mut names.same, slot));
        names
    }

    pub(super) fn flow(&self, kind: Kind) -> &Flow {
        &self.flows[kind as usize]
    }

    /// The number of what can stand at a place: places with the same number get their terms from one another.
    pub(super) fn sort(&self, place: &Place) -> usize {
        self.same[place.slot]
    }

    fn slot(&mut self, slot: Slot) -> usize {
        let new = self.same.len();
        let number = *self.slots.entry(slot).or_insert(new);
        if number == new {
            self.same.push(new);
        }
        number
    }

    fn formula(&mut self, formula: &'d Formula, statement: &'d Statement) {
        match formula {
            Formula::Atom(atom) => self.atom(atom, statement, false),
            Formula::Not(formula, _) => self.formula(formula, statement),
            Formula::Or(formulas, _) | Formula::And(formulas, _) => {
                formulas.iter().for_each(|it| self.formula(it, statement));
            }
            Formula::Distinct(left, right, span) => {
                let slot = self.slot(Slot::Distinct(*span));
                let place = self.place(*span, statement);
                self.term(left, slot, place);
                self.term(right, slot, place);
            }
        }
    }

    fn place(&self, atom: Span, statement: &Statement) -> Place {
        let predicate = statement.head.predicate;
        let is_first = statement.body.is_empty() && predicate == self.description.keywords.init;
        let (name, statement) = ((predicate, None), statement.span);
        Place { name, slot: 0, atom, statement, is_first, is_player: false }
    }

    fn atom(&mut self, atom: &'d Atom, statement: &'d Statement, is_head: bool) {
        let keywords = self.description.keywords;
        let name = atom.predicate;
        *self.counts.entry(name).or_default() += 1;
        let place = self.place(atom.span, statement);
        let is = |some: &[Symbol]| some.contains(&name);
        let by_role = is(&[
            keywords.does,
            keywords.legal,
            keywords.input,
            keywords.goal,
            keywords.sees,
            keywords.percept,
        ]);
        for (number, term) in atom.arguments.iter().enumerate() {
            let (holder, is_player) = match number {
                0 if is(&[keywords.init, keywords.next, keywords.base, keywords.true_]) => {
                    (keywords.true_, false)
                }
                0 if by_role || name == keywords.role => (keywords.role, by_role),
                1 if is(&[keywords.does, keywords.legal, keywords.input]) => (keywords.does, false),
                1 if is(&[keywords.sees, keywords.percept]) => (keywords.sees, false),
                _ => (name, false),
            };
            let slot = self.slot(Slot::Predicate(holder, atom.arguments.len(), number));
            // Roles are of one sort, whatever the keyword.
            let slot = match holder == keywords.role {
                true => self.slot(Slot::Predicate(holder, 1, 0)),
                false => slot,
            };
            let place = Place { is_player, ..place };
            let kind = match holder {
                it if it == keywords.true_ => Kind::Fluent,
                it if it == keywords.does => Kind::Move,
                _ => {
                    self.term(term, slot, place);
                    continue;
                }
            };
            // Domains are told, and neither made nor read.
            if !is(&[keywords.base, keywords.input]) {
                self.whole(term, atom, statement, is_head, kind);
            }
            match term {
                Term::Compound(it) => {
                    *self.counts.entry(it.functor).or_default() += 1;
                    self.arguments(term, place);
                }
                Term::Constant(it) => *self.counts.entry(*it).or_default() += 1,
                Term::Variable(_) => self.term(term, slot, place),
            }
        }
        if !keywords.contains(name) {
            self.record(Kind::Predicate, (name, Some(atom.arguments.len())), atom.span, is_head);
        }
    }

    /// Notes a fluent or a move that is made or read.
    fn whole(
        &mut self,
        term: &Term,
        atom: &Atom,
        statement: &Statement,
        is_head: bool,
        kind: Kind,
    ) {
        let keywords = &self.description.keywords;
        if let Some(key) = key(term) {
            return self.record(kind, key, atom.span, is_head);
        }
        // What stays true as it is tells nothing of what there is.
        let copies = |name: Symbol| {
            let reads = |it: &Formula| matches!(it, Formula::Atom(it) if it.predicate == keywords.true_ && it.arguments.first() == Some(term));
            let head = &statement.head;
            name == keywords.next
                && head.predicate == name
                && head.arguments.first() == Some(term)
                && statement.body.iter().any(reads)
        };
        if !copies(keywords.next) {
            let flow = &mut self.flows[kind as usize];
            *(if is_head { &mut flow.makes_any } else { &mut flow.reads_any }) = true;
        }
    }

    fn record(&mut self, kind: Kind, key: Key, first: Span, is_made: bool) {
        let flow = &mut self.flows[kind as usize];
        let uses = if is_made { &mut flow.made } else { &mut flow.read };
        uses.entry(key).or_insert(Uses { count: 0, first }).count += 1;
    }

    fn term(&mut self, term: &Term, slot: usize, place: Place) {
        if let Term::Variable(variable) = term {
            let own = self.slot(Slot::Variable(*variable, place.statement));
            let (one, other) = (root(&mut self.same, own), root(&mut self.same, slot));
            self.same[one] = other;
        } else if let Some(name) = key(term) {
            *self.counts.entry(name.0).or_default() += 1;
            self.places.push(Place { name, slot, ..place });
            self.arguments(term, place);
        }
    }

    fn arguments(&mut self, term: &Term, place: Place) {
        let Term::Compound(compound) = term else { return };
        let count = compound.arguments.len();
        for (number, term) in compound.arguments.iter().enumerate() {
            let slot = self.slot(Slot::Function(compound.functor, count, number));
            self.term(term, slot, Place { is_player: false, ..place });
        }
    }
}

pub(super) fn key(term: &Term) -> Option<Key> {
    match term {
        Term::Variable(_) => None,
        Term::Constant(name) => Some((*name, None)),
        Term::Compound(it) => Some((it.functor, Some(it.arguments.len()))),
    }
}

/// The slot that stands for all of a sort.
fn root(same: &mut [usize], mut slot: usize) -> usize {
    while same[slot] != slot {
        same[slot] = same[same[slot]];
        slot = same[slot];
    }
    slot
}
