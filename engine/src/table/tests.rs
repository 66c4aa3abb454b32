use super::*;

#[test]
fn tuples_of_any_arity_are_found_where_they_were_put() {
    for arity in (1..10).chain([32, 33, 60]) {
        let tuple = |row: u32| -> Vec<Constant> {
            (0..arity).map(|column| if column == row % arity { row } else { 7 }).collect()
        };
        let columns: Vec<u32> = (0..arity).rev().collect();
        let mut table = Table::new(arity as usize);
        for row in 0..500 {
            let reversed: Vec<Constant> = tuple(row + 10).into_iter().rev().collect();
            let key = Key { registers: &reversed, columns: &columns };
            assert_eq!(table.find_key(key), None);
            assert_eq!(table.insert(&tuple(row + 10)), (row, true));
            assert_eq!(table.insert(&tuple(row + 10)), (row, false));
            assert_eq!(table.find_key(key), Some(row));
        }
        assert!((0..500).all(|row| table.row(row) == tuple(row + 10)[..]));
        assert!((0..500).all(|row| table.find(&tuple(row + 10)) == Some(row)));
        assert_eq!(table.find(&tuple(600)), None);
    }
}

#[test]
fn a_table_without_columns_has_one_possible_row() {
    let mut table = Table::new(0);
    assert_eq!(table.find(&[]), None);
    assert_eq!([table.insert(&[]), table.insert(&[])], [(0, true), (0, false)]);
    table.clear();
    assert!(!table.contains(&[]));
}

#[test]
fn large_tables_of_small_constants_have_a_byte_for_each() {
    // The last rows have a constant that needs more. The first tuples are dense in their product, the others
    // are not.
    let dense = |it: u32| [it % 30, it / 30 % 40, it / 1200, if it < 8000 { 255 } else { 256 }];
    let spread = |it: u32| [it % 251, it % 241, it % 239, if it < 8000 { 255 } else { 1 << 31 }];
    let tuples = [&dense as &dyn Fn(u32) -> [Constant; 4], &spread];
    for (tuple, may_be_dense) in tuples.into_iter().flat_map(|it| [(it, true), (it, false)]) {
        let mut table = Table::new(4);
        for row in 0..9000 {
            let key = Key { registers: &tuple(row), columns: &[0, 1, 2, 3] };
            if may_be_dense {
                table.add(key);
            } else {
                assert_eq!(table.insert(&tuple(row)), (row, true));
            }
            assert!(table.contains_key(key));
            let is_narrow = matches!(table.values, Values::Narrow(_));
            assert!(is_narrow == (512..8000).contains(&row) || row < 512, "{row}");
        }
        assert!(table.rows().zip(0..).all(|(row, it)| row == tuple(it)));
        assert!((0..9000).all(|it| table.find(&tuple(it)) == Some(it)));
        assert_eq!(table.find(&tuple(9000)), None);
        let mut seen = Vec::new();
        table.sample(3, 9, |constant| seen.push(constant));
        let is_of_part = |(part, constant): (u32, &u32)| {
            (part * 1000..(part + 1) * 1000).any(|it| tuple(it)[3] == *constant)
        };
        assert!(seen.len() == 9 && (0..).zip(&seen).all(is_of_part), "{seen:?}");
        seen.clear();
        table.sample(3, 10_000, |constant| seen.push(constant));
        assert_eq!(seen, (0..9000).map(|it| tuple(it)[3]).collect::<Vec<_>>());
        let mut start = 0;
        for chunk in table.chunks(700) {
            let mut rows = 0;
            chunk.for_each(1, |row, it| {
                assert_eq!(it, tuple((start + row) as u32)[1]);
                rows += 1;
            });
            start += rows;
        }
        assert_eq!(start, 9000);
    }
}

#[test]
fn dense_tables_do_what_hashed_ones_do() {
    // Nearly all of the first, few of the second: the one becomes dense, the other does not.
    for (step, is_dense) in [(7, true), (999_983, false)] {
        let tuples = || (0..30_000u64).map(|it| (it * step % 20_000_003) as u32);
        let tuple = |code: u32| [code % 30 + 4, code / 30 % 40, code / 1200 + 9];
        let (mut table, mut plain) = (Table::new(3), Table::new(3));
        for (count, code) in tuples().chain(tuples().take(5000)).enumerate() {
            let tuple = tuple(code);
            let columns = &[0, 1, 2];
            let key = Key { registers: &tuple, columns };
            assert_eq!(table.contains(&tuple), plain.contains(&tuple));
            if count % 1000 == 999 {
                table.show(count as u32 / 2);
            }
            if let Some(row) = plain.find(&tuple) {
                assert_eq!(table.shows_key(key), row < table.shown);
            }
            table.add(key);
            plain.insert(&tuple);
        }
        assert_eq!(matches!(table.lookup, Lookup::Dense(..)), is_dense);
        assert!(table.rows().eq(plain.rows()));
        // Rows are looked up; after that the table has to be hashed.
        assert!(tuples().all(|it| table.find(&tuple(it)) == plain.find(&tuple(it))));
        assert_eq!(table.insert(&[1, 1, 1]), (30_000, true));
        assert_eq!(table.insert(&[1, 1, 1]), (30_000, false));
        assert!(matches!(table.lookup, Lookup::Hashed(_)));
        assert!(tuples().all(|it| table.find(&tuple(it)) == plain.find(&tuple(it))));
        table.clear();
        assert!(table.is_empty() && !table.contains(&tuple(0)));
    }
}

#[test]
fn the_first_row_with_the_same_constants_is_found() {
    let mut table = Table::new(3);
    for row in [[1, 2, 3], [1, 4, 3], [2, 2, 3], [1, 2, 4]] {
        table.insert(&row);
    }
    let firsts = |columns: &[usize]| table.firsts(columns).map(|it| it.1).collect::<Vec<_>>();
    assert_eq!(firsts(&[0]), [0, 0, 2, 0]);
    assert_eq!(firsts(&[1, 0]), [0, 1, 2, 0]);
    assert_eq!(firsts(&[]), [0, 0, 0, 0]);
}
