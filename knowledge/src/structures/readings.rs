//! How the fluents of a form can be seen: which arguments are the place, and which the content.

use std::collections::BTreeSet;

use super::Output;
use super::axes::Order;
use super::boards::Search;
use super::fluents::{Fluents, is_line, is_of_one_kind};

/// No more boards that look the same are told apart by one argument.
const MOST_LAYERS: usize = 16;
/// No more axes.
const MOST_AXES: usize = 4;

/// A way to see the fluents of a form.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) form: usize,
    /// The arguments that are the place, or the first point of an edge.
    pub(crate) place: Vec<usize>,
    /// Those of the second point.
    pub(crate) other_end: Vec<usize>,
    pub(crate) layer: Option<usize>,
    pub(crate) is_quantity: bool,
    pub(crate) output: Output,
    pub(crate) is_proved: bool,
    /// The better ones have more.
    pub(crate) rank: u32,
}

impl Search<'_> {
    /// The best way to see the fluents of a form as something on a board.
    pub(super) fn reading(&self, form: usize) -> Option<Reading> {
        let fluents = &self.fluents[form];
        let mut readings: Vec<Reading> = self.edges(form).into_iter().collect();
        for &(mask, output, is_proved) in &fluents.contents {
            readings.extend(self.keyed(form, mask, output, is_proved));
            readings.extend(self.located(form, mask));
        }
        let ordered: Vec<usize> =
            (0..fluents.size()).filter(|&it| fluents.is_ordered(it)).collect();
        let is_joined = self.geometry.has_neighbours(fluents, &[0]);
        if (2..MOST_AXES).contains(&ordered.len()) {
            let place = ordered;
            readings.push(self.several(form, place, 50));
        } else if fluents.size() == 1
            && is_joined
            && !is_line(&fluents.orders[0])
            && !self.is_of_roles(form, 0)
        {
            readings.push(self.several(form, vec![0], 45));
        } else if fluents.size() == 2 && is_joined {
            readings.push(self.several(form, vec![0], 30));
        } else if fluents.size() == 3
            && is_of_one_kind(fluents, &[0, 1])
            && self.fills(fluents, &[0, 1])
        {
            readings.push(self.several(form, vec![0, 1], 25));
        } else if fluents.size() <= 3 {
            // Only where another form has such places.
            readings.push(self.several(form, (0..fluents.size()).collect(), 5));
        }
        let best = readings.iter().map(|it| it.rank).max()?;
        // Of equals that with the last arguments as content.
        readings.into_iter().rev().find(|it| it.rank == best)
    }

    fn several(&self, form: usize, place: Vec<usize>, rank: u32) -> Reading {
        let output = Output::Several;
        Reading {
            form,
            place,
            other_end: Vec::new(),
            layer: None,
            is_quantity: false,
            output,
            is_proved: true,
            rank,
        }
    }

    pub(super) fn is_of_roles(&self, form: usize, argument: usize) -> bool {
        self.roles.is_some() && self.fluents[form].flows[argument] == self.roles
    }

    /// The arguments besides the content are the place.
    pub(super) fn keyed(
        &self,
        form: usize,
        mask: u32,
        output: Output,
        is_proved: bool,
    ) -> Option<Reading> {
        let fluents = &self.fluents[form];
        let content: Vec<usize> = (0..fluents.size()).filter(|&it| mask >> it & 1 == 1).collect();
        let key: Vec<usize> = (0..fluents.size()).filter(|&it| mask >> it & 1 == 0).collect();
        let (ordered, other): (Vec<usize>, Vec<usize>) =
            key.iter().partition(|&&it| fluents.is_ordered(it));
        let is_joined = |it: &Vec<usize>| self.geometry.has_neighbours(fluents, it);
        let mut layer = None;
        let mut place = key.clone();
        let mut rank = match (ordered.len(), other.len()) {
            (0, 0) => return None,
            (2..=MOST_AXES, 0) => 100,
            (2..=MOST_AXES, 1) if fluents.domains[other[0]].len() <= MOST_LAYERS => {
                (layer, place) = (Some(other[0]), ordered);
                90
            }
            (_, 2..)
                if self.fills(fluents, &key)
                    && key.len() <= MOST_AXES
                    && is_of_one_kind(fluents, &key) =>
            {
                70
            }
            (0, 2..=3) if is_joined(&key) => 65,
            (0, 1) if self.is_of_roles(form, other[0]) => return None,
            (0, 1) if is_joined(&key) => 60,
            (1, 0) => 40,
            (1, 1) if fluents.domains[other[0]].len() <= MOST_LAYERS => {
                (layer, place) = (Some(other[0]), ordered);
                35
            }
            (0, 2)
                if fluents.domains[key[0]].len().min(fluents.domains[key[1]].len())
                    <= MOST_LAYERS
                    && self.fills(fluents, &key) =>
            {
                let (small, large) =
                    match fluents.domains[key[0]].len() <= fluents.domains[key[1]].len() {
                        true => (key[0], key[1]),
                        false => (key[1], key[0]),
                    };
                (layer, place) = (Some(small), vec![large]);
                34
            }
            (0, 1) => 10,
            _ => return None,
        };
        let is_quantity =
            !content.is_empty() && content.iter().all(|&it| is_line(&fluents.orders[it]));
        if !is_quantity && content.len() <= 1 {
            rank += 5;
        } else if content.len() == 1 && place.len() == 1 && layer.is_none() {
            // A position of each key, or a number: queens in rows are the former.
            let same = |it: &Option<Order>| it.as_ref().map(|order| order.axis.relation.clone());
            let both = [&fluents.orders[content[0]], &fluents.orders[place[0]]].map(same);
            if both[0] == both[1] && rank == 40 {
                rank = 39;
            }
        }
        Some(Reading { layer, is_quantity, output, is_proved, ..self.several(form, place, rank) })
    }

    /// The content is the place of what the key names.
    fn located(&self, form: usize, mask: u32) -> Option<Reading> {
        let fluents = &self.fluents[form];
        let of = |bit: u32| (0..fluents.size()).filter(move |it| mask >> it & 1 == bit);
        let place: Vec<usize> = of(1).filter(|&it| fluents.is_ordered(it)).collect();
        let is_place =
            (2..=MOST_AXES).contains(&place.len()) && of(0).all(|it| !fluents.is_ordered(it));
        is_place.then(|| self.several(form, place, 80))
    }

    /// The arguments are two points that are neighbours.
    fn edges(&self, form: usize) -> Option<Reading> {
        let fluents = &self.fluents[form];
        (0..fluents.size()).find_map(|first| {
            [2, 1].into_iter().find_map(|width| {
                let place: Vec<usize> = (first..first + width).collect();
                let other_end: Vec<usize> = (first + width..first + 2 * width).collect();
                if first + 2 * width > fluents.size()
                    || !self.geometry.are_edges(fluents, &place, &other_end)
                {
                    return None;
                }
                let mut reading = self.several(form, place, 200);
                reading.other_end = other_end;
                Some(reading)
            })
        })
    }

    /// Whether most combinations of values of some arguments occur.
    fn fills(&self, fluents: &Fluents, key: &[usize]) -> bool {
        let place = |row: &Vec<u32>| key.iter().map(|&it| row[it]).collect::<Vec<u32>>();
        let places: BTreeSet<Vec<u32>> = fluents.form.rows.iter().map(place).collect();
        let all: usize = key.iter().map(|&it| fluents.domains[it].len()).product();
        places.len() * 5 >= all * 2 && key.iter().all(|&it| fluents.domains[it].len() > 1)
    }
}
