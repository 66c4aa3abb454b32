//! What the planner knows of a table: its size and how many different constants each column has.

use crate::program::PredicateId;
use crate::table::Table;
use crate::table::Tables;
use crate::tuning::SAMPLE;

/// Size and distinct constants of one table at the time of measuring.
#[derive(Debug, Clone, Default)]
pub struct Measure {
    /// How many tuples there are.
    pub rows: f64,
    /// By column: how many different constants, estimated for large tables.
    pub distinct: Vec<f64>,
}

impl Measure {
    /// The measure of a table as it is.
    pub fn of(table: &Table) -> Self {
        let distinct = (0..table.arity()).map(|column| count_distinct(table, column)).collect();
        Measure { rows: table.len() as f64, distinct }
    }
}

/// Measures of tables, taken when first needed and again after the table has grown.
#[derive(Clone, Debug, Default)]
pub struct TableStatistics {
    measures: Vec<Option<(usize, Measure)>>,
}

/// How many constants are distinguished when they are counted.
const DISTINGUISHED: usize = 4096;

impl TableStatistics {
    /// Forgets all measures: they are taken anew when needed.
    pub(crate) fn forget(&mut self) {
        self.measures.clear();
    }

    /// Takes the measure of a predicate as given: it has no table yet, or its measure is known exactly.
    pub fn assume(&mut self, predicate: PredicateId, measure: Measure) {
        self.measures.resize(self.measures.len().max(predicate.index() + 1), None);
        self.measures[predicate.index()] = Some((measure.rows as usize, measure));
    }

    /// The measure of a table; at most a factor of four out of date.
    pub fn measure(&mut self, tables: &Tables, predicate: PredicateId) -> &Measure {
        self.update(tables, predicate);
        self.latest(predicate)
    }

    /// Measures a table again if its measure is out of date.
    pub(crate) fn update(&mut self, tables: &Tables, predicate: PredicateId) {
        let index = predicate.index();
        if index >= tables.iter().len() {
            return; // It is assumed.
        }
        if self.measures.len() <= index {
            self.measures.resize(index + 1, None);
        }
        let table = &tables[predicate];
        let fresh = matches!(&self.measures[index], Some((len, _)) if table.len() <= len * 4);
        if !fresh {
            self.measures[index] = Some((table.len(), Measure::of(table)));
        }
    }

    /// The latest measure of a table that has been measured.
    pub(crate) fn latest(&self, predicate: PredicateId) -> &Measure {
        &self.measures[predicate.index()].as_ref().expect("measured before").1
    }
}

/// How many different constants a column has.
fn count_distinct(table: &Table, column: usize) -> f64 {
    let sample = table.len().min(SAMPLE);
    // Constants are distinguished modulo a size: exact for the small domains that matter.
    let mut seen = [0_u64; DISTINGUISHED / 64];
    let mut count = 0_u32;
    table.sample(column, sample, |value| {
        let bit = value as usize % DISTINGUISHED;
        let (word, mask) = (&mut seen[bit / 64], 1 << (bit % 64));
        count += u32::from(*word & mask == 0);
        *word |= mask;
    });
    let count = f64::from(count);
    let part = table.len() as f64 / sample.max(1) as f64;
    if count * 2.0 > sample as f64 { count * part } else { count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_counted_in_whatever_order_the_rows_are() {
        // All pairs, triples, ..., one column after the other, and with the last column first.
        for (base, columns) in [(60, 2), (128, 2), (20, 3), (8, 5), (4, 6)] {
            let rows = u32::pow(base, columns);
            let tuple = |row: u32| (0..columns).map(move |it| row / u32::pow(base, it) % base);
            for backwards in [false, true] {
                let mut table = Table::new(columns as usize);
                for row in 0..rows {
                    let mut tuple: Vec<u32> = tuple(row).collect();
                    if backwards {
                        tuple.reverse();
                    }
                    table.insert(&tuple);
                }
                let distinct = Measure::of(&table).distinct;
                let is_right = |it: &f64| (*it - f64::from(base)).abs() < 1.5;
                assert!(distinct.iter().all(is_right), "{base}^{columns}: {distinct:?}");
            }
        }
    }
}
