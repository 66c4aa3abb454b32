//! Turns of factoring: what rules share may itself have something in common.

use std::cell::LazyCell;

use fxhash::FxHashSet;
use groundfrog_engine::instantiate::{Instantiation, RuleStore, Template};
use groundfrog_engine::{Exceeded, Tables};

use super::{Flattened, add_view, are_in_tables, to_fixpoint};
use crate::compact::ground_rules::factoring::{
    Atoms, Factored, Kind, are_promising, factor as share, wanted,
};
use crate::game::Layout;
use crate::options::Passes;
use crate::pulse::Pulse;
use crate::symbols::Symbol;

/// How often rules are factored, in each of the two ways.
const MOST_TURNS: usize = 4;
/// They are once more if one rule of so many has gone.
const WORTH_A_TURN: usize = 5;

/// Lets rules share what they have in common, until it is hardly worth it.
pub(super) fn factor(
    stored: &mut Instantiation,
    (flattened, templates): (&mut Flattened, &[Template]),
    (layout, tables): (&mut Layout, &mut Tables),
    passes: Passes,
    pulse: &mut Pulse<'_>,
    done: &mut impl FnMut(&str, &RuleStore),
) -> Result<(), Exceeded> {
    if !are_in_tables(&stored.rules, layout) {
        return Ok(());
    }
    // The heads whose rules the turn before has changed.
    let mut concerned: Option<FxHashSet<u32>> = None;
    for _ in 0..MOST_TURNS {
        let before = stored.rules.len();
        let mut changed: FxHashSet<u32> = FxHashSet::default();
        for kind in [Kind::Alternatives, Kind::Heads] {
            let passes = (passes, &mut *pulse);
            let turn = (kind, concerned.as_ref());
            changed.extend(take(
                turn,
                stored,
                (flattened, templates),
                (layout, tables),
                passes,
                done,
            )?);
        }
        if stored.rules.len() + before / WORTH_A_TURN > before {
            break;
        }
        concerned = Some(changed);
    }
    Ok(())
}

/// What factoring asks of atoms.
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
    (kind, concerned): (Kind, Option<&FxHashSet<u32>>),
    stored: &mut Instantiation,
    (flattened, templates): (&mut Flattened, &[Template]),
    (layout, tables): (&mut Layout, &mut Tables),
    (passes, pulse): (Passes, &mut Pulse<'_>),
    done: &mut impl FnMut(&str, &RuleStore),
) -> Result<Vec<u32>, Exceeded> {
    let factored = {
        let atoms = atoms(layout, tables, flattened);
        let is_concerned = |head| concerned.is_none_or(|it| it.contains(&head));
        let wanted = wanted(&stored.rules, is_concerned);
        if kind == Kind::Heads || are_promising(&stored.rules, &wanted, &atoms, pulse)? {
            share(&mut stored.rules, kind, &wanted, &atoms, pulse)?
        } else {
            Factored::default()
        }
    };
    done("factoring", &stored.rules);
    if factored.predicates.is_empty() {
        return Ok(Vec::new());
    }
    for same in factored.predicates.chunk_by(|left, right| left == right) {
        let name = format!("some_{}", flattened.prepared.rules.symbols.name(Symbol(same[0])));
        add_view(stored, flattened, (layout, tables), &name, same.len() as u32)?;
    }
    let mut changed = vec![false; layout.first_extra() as usize];
    factored.heads.iter().for_each(|&head| changed[head as usize] = true);
    // The levels of the new views are not known.
    let passes = Passes { equal_views: false, ..passes };
    to_fixpoint(stored, (changed, false), templates, (layout, tables), passes, pulse, done)?;
    Ok(factored.heads)
}
