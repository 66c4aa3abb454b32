//! Parts of a body that can be computed by themselves: what projection and tree decompositions split off.

use crate::program::Rule;

/// A set of variables of a rule.
pub type VariableSet = u128;

/// The variables of a rule must have numbers below this.
pub const MAX_VARIABLES: usize = 128;

/// What matters of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Its variables.
    pub variables: VariableSet,
    /// Whether it binds them.
    pub binds: bool,
    /// Whether a part takes it in as soon as the part has all its variables.
    pub restricts: bool,
    /// Whether a part may have it though nothing in the part binds its variables.
    pub may_be_unbound: bool,
}

/// Some literals of a body, joined with the rest by an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// By literal of the body: whether it belongs to the part.
    pub taken: Vec<bool>,
    /// The variables of the part that the rest or the head mentions.
    pub interface: VariableSet,
    /// Those of them that nothing in the part binds: it needs a condition on them from the rest, which does.
    pub unbound: VariableSet,
}

impl Part {
    /// The literals of the part, and the others.
    pub fn divide<T: Clone>(&self, body: &[T]) -> (Vec<T>, Vec<T>) {
        let mut inner = Vec::with_capacity(body.len());
        let mut rest = Vec::with_capacity(body.len());
        for (literal, &taken) in body.iter().zip(&self.taken) {
            if taken { inner.push(literal.clone()) } else { rest.push(literal.clone()) }
        }
        (inner, rest)
    }
}

/// The variables of a set, ascending.
pub fn members(mut set: VariableSet) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let least = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(least)
    })
}

/// A set of variables.
pub fn set_of(variables: impl Iterator<Item = u32>) -> VariableSet {
    variables.fold(0, |set, it| set | 1 << it)
}

/// Whether the variables of a rule fit in a set.
pub fn fits(rule: &Rule) -> bool {
    rule.variable_count() <= MAX_VARIABLES
}

/// The parts that eliminate one of the variables that the head does not need: all literals that mention it,
/// and those that fit in without adding to the interface. Where several literals together free a variable of the
/// interface, as a condition on it that is written twice, there is a part with them as well.
pub fn parts(body: &[Piece], head: VariableSet) -> Vec<Part> {
    let all = body.iter().fold(0, |all, piece| all | piece.variables);
    let mut parts: Vec<Part> = Vec::new();
    for variable in members(all & !head) {
        for together in [false, true] {
            let mut taken = mentioning(body, 1 << variable);
            take_in(body, head, &mut taken, together);
            if !parts.iter().any(|other| other.taken == taken) {
                parts.extend(part_of(body, head, taken));
            }
        }
    }
    parts
}

/// The part that eliminates some variables, which the head does not need, at once. None if nothing would be
/// left, or a half would not be safe.
pub fn part(body: &[Piece], head: VariableSet, eliminated: VariableSet) -> Option<Part> {
    let mut taken = mentioning(body, eliminated);
    take_in(body, head, &mut taken, false);
    part_of(body, head, taken)
}

/// By literal: whether it mentions one of some variables.
fn mentioning(body: &[Piece], variables: VariableSet) -> Vec<bool> {
    body.iter().map(|it| it.variables & variables != 0).collect()
}

/// Takes in literals that fit in: those that restrict, those that free a variable of the interface, and if wanted,
/// those that do so together.
fn take_in(body: &[Piece], head: VariableSet, taken: &mut [bool], together: bool) {
    loop {
        let (inside, out) = (union(body, |it| taken[it]), union(body, |it| !taken[it]) | head);
        let is_out = |it: usize| !taken[it] && body[it].variables & !inside == 0;
        let fits = (0..taken.len()).filter(|&it| is_out(it)).find(|&part| {
            let others = union(body, |other| !taken[other] && other != part) | head;
            let frees = inside & others != inside & out;
            frees || (body[part].restricts && body[part].variables != 0)
        });
        if let Some(literal) = fits {
            taken[literal] = true;
            continue;
        }
        let freed = members(inside & out & !head).find(|&variable| {
            let mut others = (0..taken.len())
                .filter(|&it| !taken[it] && body[it].variables >> variable & 1 == 1);
            together && others.all(is_out)
        });
        let Some(variable) = freed else { return };
        for (taken, piece) in taken.iter_mut().zip(body) {
            *taken |= piece.variables >> variable & 1 == 1;
        }
    }
}

/// The part of these literals.
fn part_of(body: &[Piece], head: VariableSet, taken: Vec<bool>) -> Option<Part> {
    let covered = |taken: &[bool]| union(body, |it| taken[it]);
    let outside = |taken: &[bool]| union(body, |it| !taken[it]) | head;
    if taken.iter().all(|&it| it) {
        return None;
    }
    let interface = covered(&taken) & outside(&taken);
    let bound = |wanted: bool| {
        let own = body.iter().zip(&taken).filter(|(piece, taken)| **taken == wanted && piece.binds);
        own.fold(0, |all, (piece, _)| all | piece.variables)
    };
    // Both halves must be safe; what stands for the part binds its interface in the rest.
    let unbound = covered(&taken) & !bound(true);
    let needs_bound =
        body.iter().zip(&taken).filter(|(piece, taken)| **taken && !piece.may_be_unbound);
    let needs_bound = needs_bound.fold(0, |all, (piece, _)| all | piece.variables);
    let is_safe = unbound & (needs_bound | !bound(false)) == 0
        && outside(&taken) & !(bound(false) | interface) == 0;
    is_safe.then_some(Part { taken, interface, unbound })
}

/// The variables of the literals at these positions.
fn union(body: &[Piece], is_meant: impl Fn(usize) -> bool) -> VariableSet {
    let own = (0..body.len()).filter(|&it| is_meant(it));
    own.fold(0, |all, it| all | body[it].variables)
}

/// How many of `bound` values are expected among so many drawn at random (Cardenas 1975).
pub fn different(drawn: f64, bound: f64) -> f64 {
    // Hardly two of them coincide; and the product of many domains may be beyond all numbers.
    let ratio = drawn / bound;
    if ratio < 1e-6 { drawn.max(1.0) } else { (bound * -(-ratio).exp_m1()).max(1.0) }
}
