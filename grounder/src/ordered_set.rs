//! Things in the order in which they came, each once.

use std::hash::Hash;

use fxhash::FxHashMap;

/// So many are compared with each other; where there are more, they are found by their hashes.
const FEW: usize = 32;

/// A list that has nothing twice, however long it is.
#[derive(Clone, Debug)]
pub(crate) struct OrderedSet<T> {
    items: Vec<T>,
    /// Where each is, once there are many.
    places: FxHashMap<T, usize>,
}

impl<T> OrderedSet<T> {
    /// With room for so many.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        OrderedSet { items: Vec::with_capacity(capacity), places: FxHashMap::default() }
    }

    /// In their order.
    pub(crate) fn into_vec(self) -> Vec<T> {
        self.items
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }
}

impl<T: Clone + Eq + Hash> OrderedSet<T> {
    /// The place of a thing, which comes last if it is new.
    pub(crate) fn insert(&mut self, item: T) -> usize {
        let place = self.items.len();
        if let Some(known) = self.place(&item) {
            return known;
        }
        if place == FEW {
            self.places = self.items.iter().cloned().zip(0..).collect();
        }
        if place >= FEW {
            self.places.insert(item.clone(), place);
        }
        self.items.push(item);
        place
    }

    /// Where a thing is.
    pub(crate) fn place(&self, item: &T) -> Option<usize> {
        match self.items.len() <= FEW {
            true => self.items.iter().position(|it| it == item),
            false => self.places.get(item).copied(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.places.clear();
    }
}

impl<T> Default for OrderedSet<T> {
    fn default() -> Self {
        OrderedSet::with_capacity(0)
    }
}

impl<T: Clone + Eq + Hash> From<Vec<T>> for OrderedSet<T> {
    fn from(items: Vec<T>) -> Self {
        let mut set = OrderedSet::with_capacity(items.len());
        items.into_iter().for_each(|it| _ = set.insert(it));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_there_once_in_its_order() {
        let mut set = OrderedSet::default();
        for round in 0..3 {
            // 7 and 100 have no factor in common.
            for (place, item) in (0..100).map(|it| it * 7 % 100).enumerate() {
                let expected = (round > 0).then_some(place);
                assert_eq!(set.place(&item), expected, "{item}");
                assert_eq!(set.insert(item), place);
            }
        }
        assert_eq!(set.len(), 100);
        assert_eq!(set.clone().into_vec(), (0..100).map(|it| it * 7 % 100).collect::<Vec<_>>());
        set.clear();
        assert_eq!((set.place(&7), set.insert(7)), (None, 0));
    }
}
