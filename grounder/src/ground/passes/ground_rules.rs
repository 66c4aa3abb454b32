//! Passes over ground rules.

mod turns;

use std::cell::LazyCell;

use fxhash::FxHashSet;
use groundfrog_engine::instantiate::{ExtraAtoms, Instantiation, RuleStore, Template};
use groundfrog_engine::{Exceeded, Tables};

pub(super) use self::turns::{Turn, equal_views, inline, subsumption};
use super::{Found, PASSES, Pass, PassObserver, ProgramKind, Run, Seen};
use crate::compact::ground_rules::factoring::{
    Atoms, Factored, Kind, are_promising, factor as share, wanted,
};
use crate::compact::ground_rules::{self, moves};
use crate::compact::invariants::rigid_atoms;
use crate::description::Predicate;
use crate::flat::ShapeId;
use crate::flat::lowering::predicate;
use crate::game::Layout;
use crate::ground::tables::Flattened;
use crate::options::{PassId, Passes};
use crate::simplify::{self, subsumption};
use crate::symbols::{Symbol, fresh};
use crate::ticker::Ticker;
use crate::tuning::{MOST_TURNS, PROMISING};

/// Ground rules, what they were made from, and what passes over them need.
pub(in crate::ground) struct GroundProgram<'run> {
    /// The rules.
    pub(in crate::ground) stored: &'run mut Instantiation,
    /// The forms of predicates; views are added.
    pub(in crate::ground) flattened: &'run mut Flattened,
    /// The rules with variables that the rules were made from.
    pub(in crate::ground) templates: &'run [Template],
    /// The numbers of atoms.
    pub(in crate::ground) layout: &'run mut Layout,
    /// The tables of atoms.
    pub(in crate::ground) tables: &'run mut Tables,
    /// The passes that are wanted.
    pub(in crate::ground) passes: Passes,
    /// Looks at the limits.
    pub(in crate::ground) ticker: Ticker<'run>,
    /// Looks on.
    pub(in crate::ground) observer: &'run mut dyn PassObserver,
    /// By atom: whether its rules have changed since passes ran in turns, so that they may be redundant. Of the residual no
    /// rule occurs twice.
    pub(in crate::ground) changed: Vec<bool>,
}

/// Runs those passes over ground rules that are wanted.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub(in crate::ground) fn run_on_ground_rules(
    program: &mut GroundProgram<'_>,
) -> Result<(), Exceeded> {
    let is_in_turns = |it: &Pass| matches!(it.run, Run::InTurns(_));
    let first = PASSES.iter().position(|it| it.program == ProgramKind::GroundRules);
    let passes = &PASSES[first.unwrap_or(PASSES.len())..];
    for group in passes.chunk_by(|one, other| is_in_turns(one) && is_in_turns(other)) {
        if is_in_turns(&group[0]) {
            program.run_in_turns(true)?;
            continue;
        }
        for pass in group {
            if !program.passes.contains(pass.id) {
                program.observer.left_out(pass);
                continue;
            }
            match pass.run {
                Run::GroundRules(run) if run(program)? => program.clean_up()?,
                Run::Again => program.clean_up()?,
                _ => {}
            }
            program.note(pass.name);
        }
    }
    Ok(())
}

/// Replaces the flat program by its residual.
pub(in crate::ground) fn simplify(
    stored: &mut Instantiation,
    layout: &Layout,
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    let atoms = layout.first_extra() as usize + stored.extra.len();
    let shortened = std::mem::take(&mut stored.shortened);
    let is_open = |atom| layout.is_open(atom);
    simplify::residual_of_shortened(&mut stored.rules, &shortened, atoms, is_open, ticker)
}

/// Removes the rules of the residual that say nothing new.
pub(in crate::ground) fn subsume(
    stored: &mut Instantiation,
    layout: &Layout,
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    let atoms = layout.first_extra() as usize + stored.extra.len();
    subsumption::remove_subsumed(&mut stored.rules, atoms, |_| true, |_| true, ticker)?;
    Ok(())
}

/// Keeps the rules that the game depends on, if that is wanted. What is before the first view is known to all games.
fn keep_relevant(
    rules: &mut RuleStore,
    passes: Passes,
    atoms: usize,
    first_view: u32,
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    if !passes.contains(PassId::Relevance) {
        return Ok(());
    }
    ground_rules::keep_relevant(rules, atoms, |atom| atom < first_view, ticker)
}

/// Simplifies the rules by the fluents that always hold.
pub(super) fn rigid_atoms(program: &mut GroundProgram<'_>) -> Result<bool, Exceeded> {
    let atoms = program.atoms();
    let GroundProgram { stored, flattened, layout, tables, ticker, .. } = program;
    let keywords = &flattened.prepared.rules.keywords;
    let transition_map = || layout.transition_map(&flattened.forms, keywords, tables);
    let states = (layout.fluents(), layout.next());
    rigid_atoms::simplify(&mut stored.rules, atoms, states, transition_map, ticker)
}

/// Merges rules that differ in one move; the atoms for sets of moves become a view with a number for each.
pub(super) fn moves(program: &mut GroundProgram<'_>) -> Result<bool, Exceeded> {
    let merged = merge_moves(program)?;
    program.note_changed(&merged);
    // Views about the moves that are made may be of no use any more.
    Ok(!merged.is_empty())
}

/// Merges rules. Returns the heads of new ones.
fn merge_moves(program: &mut GroundProgram<'_>) -> Result<Vec<u32>, Exceeded> {
    if !program.are_in_tables() {
        return Ok(Vec::new());
    }
    let GroundProgram { stored, flattened, layout, tables, ticker, .. } = program;
    let (first_new, rules) = (layout.first_extra(), &mut stored.rules);
    let keywords = &flattened.prepared.rules.keywords;
    let moves = layout.moves(rules, &flattened.forms, keywords, tables);
    let views = layout.views();
    let is_view = |atom: u32| views.contains(&atom);
    let codes = LazyCell::new(|| flattened.codes_of_atoms(layout));
    let code = |atom: u32| codes.of(atom, layout, tables);
    let merged = moves::merge(rules, &moves, is_view, first_new, code, ticker)?;
    if merged.atoms > 0 {
        program.add_view("some_move", merged.atoms)?;
    }
    Ok(merged.heads)
}

impl GroundProgram<'_> {
    /// How many atoms there are.
    fn atoms(&self) -> usize {
        self.layout.first_extra() as usize + self.stored.extra.len()
    }

    /// Says that a pass has run.
    fn note(&mut self, pass: &str) {
        self.observer.after(pass, None, &Found::Rules, Seen::GroundRules(&self.stored.rules));
    }

    /// Notes the heads of rules that have changed.
    fn note_changed(&mut self, heads: &[u32]) {
        self.changed.resize(self.atoms(), false);
        heads.iter().for_each(|&head| self.changed[head as usize] = true);
    }

    /// Keeps the rules that the game depends on, if that is wanted.
    fn clean_up(&mut self) -> Result<(), Exceeded> {
        let (atoms, first_view) = (self.atoms(), self.layout.views().start);
        keep_relevant(&mut self.stored.rules, self.passes, atoms, first_view, &mut self.ticker)
    }

    /// Whether all atoms have a table: those of the residual do, as others never hold.
    fn are_in_tables(&self) -> bool {
        let (rules, first_extra): (&RuleStore, u32) =
            (&self.stored.rules, self.layout.first_extra());
        rules.literals().iter().all(|it| it.atom() < first_extra)
            && rules.heads().iter().all(|&it| it < first_extra)
    }

    /// Adds a view with a number for each of so many new atoms.
    fn add_view(&mut self, name: &str, atoms: u32) -> Result<(), Exceeded> {
        let GroundProgram { stored, flattened, layout, tables, .. } = self;
        let symbols = &mut flattened.prepared.rules.symbols;
        let name = fresh(symbols, name);
        let form = flattened.forms.intern(Predicate { name, arity: 1 }, &[ShapeId::HOLE]);
        tables.add(1);
        let mut digits = itoa::Buffer::new();
        for number in 1..=atoms {
            tables.insert(predicate(form), &[symbols.intern(digits.format(number)).0]);
        }
        layout.add_view(name, form, tables)?;
        let arities = layout.atom_spaces().iter().map(|space| tables[space.predicate].arity());
        stored.extra = ExtraAtoms::with_arities(arities);
        Ok(())
    }
}

/// Lets rules share what they have in common, until it is hardly worth it.
pub(super) fn factoring(program: &mut GroundProgram<'_>) -> Result<bool, Exceeded> {
    if !program.are_in_tables() {
        return Ok(false);
    }
    // The heads whose rules the turn before has changed.
    let mut concerned: Option<FxHashSet<u32>> = None;
    for _ in 0..MOST_TURNS {
        let before = program.stored.rules.len();
        let mut changed: FxHashSet<u32> = FxHashSet::default();
        for kind in [Kind::Alternatives, Kind::Heads] {
            changed.extend(take(kind, concerned.as_ref(), program)?);
        }
        if program.stored.rules.len() + before / PROMISING > before {
            break;
        }
        concerned = Some(changed);
    }
    Ok(false)
}

/// What factoring needs of atoms.
fn atoms<'run>(
    layout: &'run Layout,
    tables: &'run Tables,
    flattened: &'run Flattened,
) -> Atoms<impl Fn(u32) -> u32 + 'run, impl Fn(u32) -> u64 + 'run> {
    let name = layout.names_of_atoms();
    let codes = LazyCell::new(|| flattened.codes_of_atoms(layout));
    Atoms {
        end: layout.first_extra(),
        predicate: move |atom: u32| name(atom).0,
        code: move |atom: u32| codes.of(atom, layout, tables),
    }
}

/// Takes a turn, of the rules of heads that are concerned; the new atoms become a view for each predicate of heads. Returns
/// the heads whose rules have changed.
fn take(
    kind: Kind,
    concerned: Option<&FxHashSet<u32>>,
    program: &mut GroundProgram<'_>,
) -> Result<Vec<u32>, Exceeded> {
    let factored = {
        let GroundProgram { stored, flattened, layout, tables, ticker, .. } = program;
        let atoms = atoms(layout, tables, flattened);
        let is_concerned = |head| concerned.is_none_or(|it| it.contains(&head));
        let wanted = wanted(&stored.rules, is_concerned);
        if kind == Kind::Heads || are_promising(&stored.rules, &wanted, &atoms, ticker)? {
            share(&mut stored.rules, kind, &wanted, &atoms, ticker)?
        } else {
            Factored::default()
        }
    };
    if factored.predicates.is_empty() {
        return Ok(Vec::new());
    }
    for same in factored.predicates.chunk_by(|left, right| left == right) {
        let symbols = &program.flattened.prepared.rules.symbols;
        let name = format!("some_{}", symbols.name(Symbol(same[0])));
        program.add_view(&name, same.len() as u32)?;
    }
    program.note_changed(&factored.heads);
    program.run_in_turns(false)?;
    Ok(factored.heads)
}
