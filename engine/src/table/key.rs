//! Tuples where a join has them.

use crate::program::Constant;

/// A tuple spread over the registers of a join.
#[derive(Clone, Copy)]
pub(crate) struct Key<'run> {
    pub(crate) registers: &'run [Constant],
    /// By column: its register.
    pub(crate) columns: &'run [u32],
}

impl<'run> Key<'run> {
    #[inline]
    pub(crate) fn constants(self) -> impl ExactSizeIterator<Item = Constant> + Clone + 'run {
        self.columns.iter().map(move |&register| self.registers[register as usize])
    }
}

/// Calls a function with a tuple. Short ones come as arrays: the compiler then unrolls hashing and comparison.
#[inline(always)]
pub(super) fn with_tuple<T>(key: Key<'_>, run: impl Fn(&[Constant]) -> T) -> T {
    let of = |register: u32| key.registers[register as usize];
    match *key.columns {
        [a] => run(&[of(a)]),
        [a, b] => run(&[of(a), of(b)]),
        [a, b, c] => run(&[of(a), of(b), of(c)]),
        [a, b, c, d] => run(&[of(a), of(b), of(c), of(d)]),
        [a, b, c, d, e] => run(&[of(a), of(b), of(c), of(d), of(e)]),
        [a, b, c, d, e, f] => run(&[of(a), of(b), of(c), of(d), of(e), of(f)]),
        [a, b, c, d, e, f, g] => run(&[of(a), of(b), of(c), of(d), of(e), of(f), of(g)]),
        [a, b, c, d, e, f, g, h] => run(&[of(a), of(b), of(c), of(d), of(e), of(f), of(g), of(h)]),
        _ => {
            let mut tuple = [0; 32];
            let Some(tuple) = tuple.get_mut(..key.columns.len()) else {
                return run(&key.constants().collect::<Vec<_>>());
            };
            tuple.iter_mut().zip(key.constants()).for_each(|(it, constant)| *it = constant);
            run(tuple)
        }
    }
}
