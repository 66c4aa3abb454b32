//! Turns of factoring: what rules share may itself have something in common.

use std::cell::LazyCell;

use fxhash::FxHashSet;
use groundfrog_engine::{Exceeded, Tables};

use super::GroundProgram;
use crate::compact::ground_rules::factoring::{
    Atoms, Factored, Kind, are_promising, factor as share, wanted,
};
use crate::game::Layout;
use crate::ground::tables::Flattened;
use crate::symbols::Symbol;
use crate::tuning::{MOST_TURNS, PROMISING};

/// Lets rules share what they have in common, until it is hardly worth it.
pub(in crate::ground::passes) fn factoring(
    program: &mut GroundProgram<'_>,
) -> Result<bool, Exceeded> {
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
