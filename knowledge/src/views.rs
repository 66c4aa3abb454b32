//! What views say of a state, or of a joint move in it: which of their atoms exclude each other. Each such lemma follows from those
//! before it and from what is known of the state; so counts that no solver could follow from end to end are decided group by group,
//! and which piece moves before where it comes to.

use fxhash::FxHashSet;
use groundfrog::AtomKind;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{FluentId, State};

use crate::bodies::{Bodies, Body};
use crate::condition::Condition;
use crate::families::{families_of, forms_of};
use crate::property::Claim;

/// No more states are looked at.
const MOST_STATES: usize = 100;
/// Larger groups are not looked at where there are moves.
const LARGEST_GROUP: usize = 128;
/// Views with more rules are not looked at.
const MOST_RULES: usize = 200_000;

/// Groups of views of which one at most holds, or just one, as far as the sample says; groups come after those that their rules
/// read. Only what the claims rest on is looked at, `next` what they say of the state that follows; nothing, where an atom depends on
/// itself. Of a state the sample has the fluents, and of a joint move out of it the moves as well.
pub(crate) fn candidates(
    game: &GroundGame,
    claims: &[Claim],
    of_next: bool,
    sample: &[Vec<AtomId>],
) -> Vec<Condition> {
    let mut roots = Vec::new();
    let mut add = |atom: AtomId| match of_next {
        true if game.kind(atom) == AtomKind::True => roots.extend(game.next(atom)),
        _ => roots.push(atom),
    };
    claims.iter().flat_map(|claim| &claim.parts).for_each(|part| part.for_each_atom(&mut add));
    let bodies = Bodies::new(game);
    let Some(order) = dependencies(&bodies, roots) else { return Vec::new() };
    let rules = order.iter().map(|&atom| bodies.of(atom).len()).sum::<usize>();
    let is_view = |atom: &AtomId| game.kind(*atom) == AtomKind::View;
    let views: Vec<AtomId> = order.iter().copied().filter(is_view).collect();
    if views.is_empty() || rules > MOST_RULES {
        return Vec::new();
    }
    let apart = sample.len().div_ceil(MOST_STATES).max(1);
    let states: Vec<State> =
        sample.iter().step_by(apart).map(|given| held(&bodies, &order, given)).collect();
    let mut place = vec![0; game.atom_count()];
    order.iter().enumerate().for_each(|(number, atom)| place[atom.index()] = number);
    let forms = forms_of(game, views);
    let families = families_of(game, &forms, &states.iter().collect::<Vec<_>>(), 0);
    let mut found: Vec<(usize, Condition)> = Vec::new();
    let is_fit = |group: &Vec<AtomId>| !of_next || group.len() <= LARGEST_GROUP;
    for family in families {
        for group in family.groups.into_iter().filter(is_fit) {
            let last = group.iter().map(|atom| place[atom.index()]).max().unwrap_or(0);
            let atoms = || Condition::atoms(group.iter().copied());
            if group.len() > 1 {
                found.push((last, Condition::AtMost(1, atoms())));
            }
            if family.is_exact {
                found.push((last, Condition::Any(atoms())));
            }
        }
    }
    found.sort_by_key(|&(last, _)| last);
    found.into_iter().map(|(_, condition)| condition).collect()
}

/// All atoms that some rest on, each after those that its rules read; none if there is no such order.
fn dependencies(bodies: &Bodies<'_>, roots: Vec<AtomId>) -> Option<Vec<AtomId>> {
    let mut open: Vec<(AtomId, bool)> = roots.into_iter().map(|atom| (atom, false)).collect();
    let (mut order, mut done) = (Vec::new(), vec![false; bodies.game.atom_count()]);
    let mut begun: FxHashSet<AtomId> = FxHashSet::default();
    while let Some((atom, is_left)) = open.pop() {
        if is_left {
            done[atom.index()] = true;
            order.push(atom);
            continue;
        }
        if done[atom.index()] {
            continue;
        }
        if !begun.insert(atom) {
            return None;
        }
        open.push((atom, true));
        open.extend(bodies.read(atom).filter(|it| !done[it.index()]).map(|it| (it, false)));
    }
    Some(order)
}

/// The atoms in the order that hold where those given do, as fluents with the numbers of all atoms.
fn held(bodies: &Bodies<'_>, order: &[AtomId], given: &[AtomId]) -> State {
    let mut held = State::of(given.iter().map(|it| FluentId(it.0)));
    for &atom in order {
        let applies = |body: Body<'_>| {
            body.iter().all(|it| held.contains(FluentId(it.atom())) != it.is_negated())
        };
        if bodies.of(atom).any(applies) {
            held.insert(FluentId(atom.0));
        }
    }
    held
}
