//! Which instances of a template have certain constants equal.

use crate::program::{Argument, Constant};

/// Variables that are equal to others, or to constants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Equalities(Box<[(u32, Argument)]>);

impl Equalities {
    /// These variables are equal to what stands beside them.
    pub(super) fn new(equalities: Vec<(u32, Argument)>) -> Self {
        Equalities(equalities.into())
    }

    /// Whether all instances fulfil them.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether what fulfils these fulfils the others.
    pub(super) fn imply(&self, others: &Equalities) -> bool {
        let of = |argument: Argument| {
            let equal = self.0.iter().find(|equal| argument.variable() == Some(equal.0));
            equal.map_or(argument, |equal| equal.1)
        };
        others.0.iter().all(|&(variable, it)| of(Argument::Variable(variable)) == of(it))
    }

    #[inline]
    pub(super) fn hold(&self, registers: &[Constant]) -> bool {
        self.0.iter().all(|&(variable, it)| registers[variable as usize] == it.value(registers))
    }

    /// What is equal.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Argument, Argument)> {
        self.0.iter().map(|&(variable, it)| (Argument::Variable(variable), it))
    }

    pub(super) fn arguments(&self) -> impl Iterator<Item = Argument> {
        self.pairs().flat_map(|(left, right)| [left, right])
    }
}

/// Of which instances of a template something may be so.
#[derive(Debug, Clone)]
pub(super) enum When {
    Never,
    /// Of those that fulfil one of these.
    If(Vec<Equalities>),
    Always,
}

/// With more conditions it may be of all.
const MOST: usize = 8;

impl When {
    pub(super) fn is_never(&self) -> bool {
        matches!(self, When::Never)
    }

    #[inline]
    pub(super) fn holds(&self, registers: &[Constant]) -> bool {
        match self {
            When::Never => false,
            When::If(conditions) => conditions.iter().any(|it| it.hold(registers)),
            When::Always => true,
        }
    }

    /// The conditions of which one has to hold. None if it is so of all or of none.
    pub(super) fn conditions(&self) -> &[Equalities] {
        match self {
            When::If(conditions) => conditions,
            _ => &[],
        }
    }

    pub(super) fn is_always(&self) -> bool {
        matches!(self, When::Always)
    }

    /// It may be so of those that fulfil these, too.
    pub(super) fn add(&mut self, equal: Equalities) {
        let mut all = match std::mem::replace(self, When::Always) {
            When::Always => return,
            When::Never => Vec::new(),
            When::If(all) => all,
        };
        if equal.is_empty() {
            return;
        }
        if !all.iter().any(|it| equal.imply(it)) {
            all.retain(|it| !it.imply(&equal));
            all.push(equal);
        }
        if all.len() <= MOST {
            *self = When::If(all);
        }
    }
}
