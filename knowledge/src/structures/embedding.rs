//! Coordinates for places that have a single name, and what neighbours lie like.

use std::collections::BTreeSet;

use fxhash::FxHashSet;

pub(super) fn is_injective(pairs: &[(usize, usize)]) -> bool {
    let (mut from, mut to) = (FxHashSet::default(), FxHashSet::default());
    pairs.iter().all(|it| from.insert(it.0) && to.insert(it.1))
}

/// Pairs of places, and the vector from one to the other.
pub(super) type Step<'run> = (&'run Vec<(usize, usize)>, [i32; 2]);

/// Coordinates from 0 on for all places, each step of a relation being its vector; `None` if some have none or share them.
pub(super) fn walk(places: usize, steps: &[Step<'_>]) -> Option<Vec<[i32; 2]>> {
    let mut near: Vec<Vec<(usize, [i32; 2])>> = vec![Vec::new(); places];
    for (pairs, step) in steps {
        for &(from, to) in *pairs {
            near[from].push((to, *step));
            near[to].push((from, [-step[0], -step[1]]));
        }
    }
    let mut found: Vec<Option<[i32; 2]>> = vec![None; places];
    *found.first_mut()? = Some([0, 0]);
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let here = found[at].expect("it was found before");
        for &(to, step) in &near[at] {
            let there = [here[0] + step[0], here[1] + step[1]];
            match found[to] {
                Some(known) if known != there => return None,
                Some(_) => {}
                None => {
                    found[to] = Some(there);
                    open.push(to);
                }
            }
        }
    }
    let mut coordinates: Vec<[i32; 2]> = found.into_iter().collect::<Option<_>>()?;
    for axis in 0..2 {
        let least = coordinates.iter().map(|it| it[axis]).min()?;
        coordinates.iter_mut().for_each(|it| it[axis] -= least);
    }
    let own: BTreeSet<[i32; 2]> = coordinates.iter().copied().collect();
    (own.len() == places).then_some(coordinates)
}

/// Of a vector and its opposite that which begins with a positive number.
pub(super) fn upwards(vector: &[i32]) -> Vec<i32> {
    let sign = vector.iter().copied().find(|&it| it != 0).unwrap_or(1).signum();
    vector.iter().map(|it| it * sign).collect()
}

/// Whether neighbours lie in three directions, one of which is the sum of the others.
pub(super) fn is_hexagonal(vectors: &BTreeSet<Vec<i32>>) -> bool {
    let vectors: Vec<&Vec<i32>> = vectors.iter().collect();
    let [one, two, three] = vectors[..] else { return false };
    let sum = |sign: i32, one: &[i32], other: &[i32]| {
        upwards(&one.iter().zip(other).map(|(one, other)| one + sign * other).collect::<Vec<i32>>())
    };
    let is_near = vectors.iter().all(|it| it.iter().all(|step| step.abs() <= 1));
    is_near && one.len() == 2 && [1, -1].iter().any(|&sign| sum(sign, one, two) == *three)
}

/// The places of a ring, one after the other, if the neighbours are one.
pub(super) fn ring(places: usize, neighbours: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); places];
    for &(one, other) in neighbours {
        near[one].push(other);
        near[other].push(one);
    }
    if places < 4 || near.iter().any(|it| it.len() != 2) {
        return None;
    }
    let mut round = vec![0];
    let (mut before, mut at) = (0, *near[0].iter().min()?);
    while at != 0 {
        round.push(at);
        let next = near[at].iter().copied().find(|&it| it != before)?;
        (before, at) = (at, next);
    }
    (round.len() == places).then_some(round)
}
