//! Programs: predicates, rules and literals over `u32` constants.

use smallvec::SmallVec;

/// A constant. Its meaning is the caller's.
pub type Constant = u32;

/// A predicate of a [`Program`]: an index into [`Program::predicates`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredicateId(pub u32);

impl PredicateId {
    /// The predicate's position in [`Program::predicates`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Name and arity of a predicate. The name is for messages only and need not be unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicate {
    /// What messages call it.
    pub name: String,
    /// The number of its columns.
    pub arity: usize,
}

/// An argument of an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Argument {
    /// A variable, numbered from 0 within its rule.
    Variable(u32),
    /// A constant.
    Constant(Constant),
}

impl Argument {
    /// The variable's number, if it is one.
    pub fn variable(self) -> Option<u32> {
        match self {
            Argument::Variable(variable) => Some(variable),
            Argument::Constant(_) => None,
        }
    }

    /// The constant that it is if the variables have these, by number.
    #[inline]
    pub(crate) fn value(self, constants: &[Constant]) -> Constant {
        match self {
            Argument::Constant(constant) => constant,
            Argument::Variable(variable) => constants[variable as usize],
        }
    }
}

/// The arguments of an atom. Few atoms have so many that they are stored apart.
pub type Arguments = SmallVec<[Argument; 4]>;

/// A predicate with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// As many arguments as the predicate has columns.
    pub arguments: Arguments,
}

impl Atom {
    /// The variables, in order of occurrence and with repetitions.
    pub fn variables(&self) -> impl Iterator<Item = u32> + '_ {
        self.arguments.iter().filter_map(|argument| argument.variable())
    }
}

/// A condition in the body of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Literal {
    /// The atom is in its table.
    Positive(Atom),
    /// The atom is not in its table, which belongs to an earlier stratum.
    Negative(Atom),
    /// The two tuples, of one length, differ in at least one column.
    Distinct(Arguments, Arguments),
}

impl Literal {
    /// The variables, in order of occurrence and with repetitions.
    pub fn variables(&self) -> impl Iterator<Item = u32> + '_ {
        let (first, second) = match self {
            Literal::Positive(atom) | Literal::Negative(atom) => (&atom.arguments, &[][..]),
            Literal::Distinct(left, right) => (left, right.as_slice()),
        };
        first.iter().chain(second).filter_map(|argument| argument.variable())
    }
}

/// `head <- body`.
///
/// A rule is *safe* if each variable of the head, of a negative literal and of a `distinct` occurs in
/// a positive literal. The engine requires it; the order of the literals means nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rule {
    /// What the rule derives.
    pub head: Atom,
    /// The conditions.
    pub body: Vec<Literal>,
    /// The caller's number for the rule, used in messages about limits.
    pub label: u32,
}

impl Rule {
    /// A rule with label 0.
    pub fn new(head: Atom, body: Vec<Literal>) -> Self {
        Rule { head, body, label: 0 }
    }

    /// One more than the greatest variable number.
    pub fn variable_count(&self) -> usize {
        let mut count = 0;
        let mut see = |arguments: &[Argument]| {
            for variable in arguments.iter().filter_map(|it| it.variable()) {
                count = count.max(variable as usize + 1);
            }
        };
        see(&self.head.arguments);
        for literal in &self.body {
            match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => see(&atom.arguments),
                Literal::Distinct(left, right) => {
                    see(left);
                    see(right);
                }
            }
        }
        count
    }

    /// The positive atoms of the body, in order, each with its position.
    pub(crate) fn positive_literals(&self) -> impl Iterator<Item = (usize, &Atom)> {
        self.body.iter().enumerate().filter_map(|(position, literal)| match literal {
            Literal::Positive(atom) => Some((position, atom)),
            _ => None,
        })
    }

    /// The positive atoms of the body, in order.
    pub fn positive_atoms(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().filter_map(|literal| match literal {
            Literal::Positive(atom) => Some(atom),
            _ => None,
        })
    }

    /// The first variable that breaks safety, if any.
    pub fn unsafe_variable(&self) -> Option<u32> {
        let mut bound = vec![false; self.variable_count()];
        for variable in self.positive_atoms().flat_map(Atom::variables) {
            bound[variable as usize] = true;
        }
        let body = self.body.iter().flat_map(Literal::variables);
        self.head.variables().chain(body).find(|&variable| !bound[variable as usize])
    }
}

/// Predicates and rules. Facts go straight into [`crate::Tables`].
#[derive(Debug, Clone, Default)]
pub struct Program {
    predicates: Vec<Predicate>,
    rules: Vec<Rule>,
}

impl Program {
    /// An empty program with room for so many predicates and rules.
    pub fn with_capacity(predicates: usize, rules: usize) -> Self {
        Program { predicates: Vec::with_capacity(predicates), rules: Vec::with_capacity(rules) }
    }

    /// Adds a predicate and returns its number.
    pub fn add_predicate(&mut self, name: impl Into<String>, arity: usize) -> PredicateId {
        let id = u32::try_from(self.predicates.len()).expect("fewer than 2^32 predicates");
        self.predicates.push(Predicate { name: name.into(), arity });
        PredicateId(id)
    }

    /// Adds a rule. Its atoms must have as many arguments as their predicates have columns.
    pub fn add_rule(&mut self, rule: Rule) {
        debug_assert_eq!(rule.head.arguments.len(), self[rule.head.predicate].arity);
        debug_assert_eq!(rule.unsafe_variable(), None, "rule {} is unsafe", rule.label);
        self.rules.push(rule);
    }

    /// Puts another rule in the place of one.
    pub(crate) fn replace_rule(&mut self, position: usize, rule: Rule) {
        debug_assert_eq!(rule.unsafe_variable(), None, "rule {} is unsafe", rule.label);
        self.rules[position] = rule;
    }

    /// Puts other rules in the place of all rules, which it returns.
    pub fn replace_rules(&mut self, rules: Vec<Rule>) -> Vec<Rule> {
        std::mem::replace(&mut self.rules, rules)
    }

    /// All predicates; a [`PredicateId`] is a position in it.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// All rules, in the order of their addition.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

impl std::ops::Index<PredicateId> for Program {
    type Output = Predicate;

    fn index(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }
}
