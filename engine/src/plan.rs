//! Join plans: the steps of a rule's literals, and how each is looked up.
//!
//! A body is ordered first ([`order`]). Then it becomes steps: which columns are keys, what is bound where, when checks can run.
//! [`JoinPlanner`] does both over complete tables.

mod order;

use smallvec::{SmallVec, smallvec};

use crate::index::{Indexes, RowQuery};
use crate::program::{Argument, Atom, Constant, Literal, PredicateId, Rule};
use crate::statistics::TableStatistics;
use crate::table::Tables;
pub(crate) use order::{Order, Search, order};

/// How the rows of a step are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// The one row that the caller gives (the new tuple of a semi-naive round).
    Given,
    /// All rows.
    Scan,
    /// The one row whose columns are all known.
    Row,
    /// A group of an index of a complete table.
    Index(u32),
    /// A chain of an index of a growing table.
    Chain(u32),
}

/// Holds a constant while a plan runs. The first registers hold the variables of the rule, those behind
/// them its constants.
pub(crate) type Register = u32;

/// By variable of a rule.
pub(crate) type Flags = SmallVec<[bool; 32]>;

/// A condition that only filters.
#[derive(Debug, Clone)]
pub(crate) enum Check {
    /// The atom is not in its table.
    Absent(PredicateId, Box<[Register]>),
    /// At least one pair differs.
    Distinct(Box<[(Register, Register)]>),
}

/// One positive literal of a plan.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) predicate: PredicateId,
    /// The literal's position in the rule's body.
    pub(crate) literal: usize,
    pub(crate) access: Access,
    /// The known columns, in the order of the index.
    pub(crate) key: Box<[Register]>,
    /// Columns whose constants go to registers.
    pub(crate) bind: Box<[(u32, Register)]>,
    /// Columns that the access does not cover and that must equal something known.
    pub(crate) tests: Box<[(u32, Register)]>,
    /// What can be evaluated from here on.
    pub(crate) checks: Box<[Check]>,
    /// Nothing that this step binds is used later: one row is as good as all.
    pub(crate) once: bool,
    /// The step to go back to when there are no more rows: the nearest one that may have another.
    pub(crate) back: Option<u32>,
}

/// The last steps of a plan where several of them may find several rows: few for each row of the one before, but many all
/// together.
#[derive(Debug, Clone)]
pub(crate) struct Wide {
    /// The first of these steps.
    pub(crate) from: usize,
    /// So many rows of it make a block.
    pub(crate) least: u32,
    /// Those behind it that may find several rows, ascending.
    pub(crate) several: SmallVec<[usize; 4]>,
}

/// A rule's body as a sequence of nested look-ups.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) steps: Box<[Step]>,
    /// Conditions without variables.
    pub(crate) prelude: Box<[Check]>,
    pub(crate) variables: usize,
    /// What the registers behind those of the variables hold.
    pub(crate) constants: Box<[Constant]>,
    /// The registers that make up the head.
    pub(crate) head: Box<[Register]>,
    pub(crate) literals: usize,
    /// The step after which every variable of the head is bound.
    pub(crate) head_bound: usize,
    /// The number of steps that matter for what is emitted.
    pub(crate) significant: usize,
    /// The step to go on with after an emission: the steps behind the significant ones only check whether there
    /// is a match.
    pub(crate) resume: Option<u32>,
    /// From this step on, rows are taken in blocks if there are enough of them.
    pub(crate) block_from: Option<usize>,
    /// Where blocks may begin earlier.
    pub(crate) wide: Option<Wide>,
    /// The estimated number of rows looked at.
    pub(crate) cost: f64,
}

impl Plan {
    /// Sets for each step, and for the end, where to go back to. To be called when steps have changed.
    pub(crate) fn mark_ways_back(&mut self) {
        let mut back = None;
        self.resume = None;
        for (position, step) in self.steps.iter_mut().enumerate() {
            step.back = back;
            // One row found, there is no other.
            if !step.once && step.access != Access::Row {
                back = Some(position as u32);
            }
            if position + 1 == self.significant {
                self.resume = back;
            }
        }
    }

    /// As many registers as it needs, with its constants in theirs.
    pub(crate) fn registers(&self) -> Vec<Constant> {
        let variables = std::iter::repeat_n(0, self.variables);
        variables.chain(self.constants.iter().copied()).collect()
    }

    /// The step that binds the last variable of some arguments.
    pub(crate) fn last_binding(&self, arguments: &[Argument]) -> Option<usize> {
        let binds = |variable: u32| {
            self.steps
                .iter()
                .position(|step| step.bind.iter().any(|&(_, register)| register == variable))
        };
        arguments.iter().filter_map(|it| it.variable()).filter_map(binds).max()
    }

    /// What a register stands for in the rule.
    pub(crate) fn argument(&self, register: Register) -> Argument {
        match (register as usize).checked_sub(self.variables) {
            Some(constant) => Argument::Constant(self.constants[constant]),
            None => Argument::Variable(register),
        }
    }
}

/// Plans joins over complete tables, and keeps what was found out about these: measures, and the indexes that plans read.
#[derive(Debug, Default)]
pub(crate) struct JoinPlanner {
    statistics: TableStatistics,
    /// Those that the plans read.
    pub(crate) indexes: Indexes,
}

impl JoinPlanner {
    /// Plans the body of a rule; `None` if a table that it joins is empty. By variable and by literal, what is needed of
    /// the answers.
    pub(crate) fn plan(
        &mut self,
        rule: &Rule,
        needed: &[bool],
        needed_rows: &[bool],
        tables: &Tables,
    ) -> Option<Plan> {
        let body: Vec<(usize, &Atom)> = rule.positive_literals().collect();
        if body.iter().any(|(_, atom)| tables[atom.predicate].is_empty()) {
            return None;
        }
        let variables = rule.variable_count();
        let (statistics, search) = (&mut self.statistics, Search::Thorough);
        let order = order(&body, None, variables, tables, statistics, |_| false, search);
        let request = PlanRequest { rule, given: None, needed, needed_rows };
        Some(compile(&request, &order, &mut CompleteTables(tables, &mut self.indexes)))
    }

    /// How to find the rows that are looked up.
    pub(crate) fn index(&mut self, tables: &Tables, query: RowQuery<'_>) -> Access {
        CompleteTables(tables, &mut self.indexes).index(query)
    }
}

/// Makes indexes of complete tables on demand.
struct CompleteTables<'run>(&'run Tables, &'run mut Indexes);

impl Catalog for CompleteTables<'_> {
    fn index(&mut self, query: RowQuery<'_>) -> Access {
        let CompleteTables(tables, indexes) = self;
        Access::Index(indexes.number(&tables[query.predicate], query))
    }
}

/// Who provides the indexes that a plan needs.
pub(crate) trait Catalog {
    /// How to find the rows that are looked up.
    fn index(&mut self, query: RowQuery<'_>) -> Access;
}

/// What a plan is for.
pub(crate) struct PlanRequest<'rule> {
    pub(crate) rule: &'rule Rule,
    /// The literal whose row the caller gives.
    pub(crate) given: Option<usize>,
    /// Per variable: whether what is emitted depends on it.
    pub(crate) needed: &'rule [bool],
    /// Per literal of the body: whether its row is emitted. Empty if none is.
    pub(crate) needed_rows: &'rule [bool],
}

/// Compiles an ordered body.
pub(crate) fn compile(
    request: &PlanRequest<'_>,
    order: &Order,
    catalog: &mut impl Catalog,
) -> Plan {
    let rule = request.rule;
    let variables = request.needed.len();
    let mut registers = VariableNumbering { variables, constants: SmallVec::new() };
    let mut bound: Flags = smallvec![false; variables];
    let mut pending: Vec<&Literal> =
        rule.body.iter().filter(|it| !matches!(it, Literal::Positive(_))).collect();
    let prelude = take_ready(&mut pending, &bound, &mut registers);
    let mut steps: Vec<Step> = Vec::with_capacity(order.literals.len());
    let mut head_bound = None;
    for &position in &order.literals {
        let Literal::Positive(atom) = &rule.body[position] else {
            unreachable!("only positive literals are ordered")
        };
        let given = request.given == Some(position);
        let mut step = locate((atom, position), given, &bound, catalog, &mut registers);
        for variable in atom.variables() {
            bound[variable as usize] = true;
        }
        step.checks = take_ready(&mut pending, &bound, &mut registers);
        steps.push(step);
        if head_bound.is_none() && rule.head.variables().all(|it| bound[it as usize]) {
            head_bound = Some(steps.len() - 1);
        }
    }
    debug_assert!(pending.is_empty(), "a safe rule binds the variables of all its checks");
    let significant = mark_once(&mut steps, request);
    let mut plan = Plan {
        head: registers.of_all(&rule.head.arguments),
        head_bound: head_bound.unwrap_or(0),
        prelude,
        steps: steps.into(),
        variables,
        constants: registers.constants[..].into(),
        literals: rule.body.len(),
        significant,
        resume: None,
        block_from: None,
        wide: None,
        cost: order.cost,
    };
    plan.mark_ways_back();
    plan
}

/// Gives registers to the constants of a rule.
struct VariableNumbering {
    variables: usize,
    constants: SmallVec<[Constant; 4]>,
}

impl VariableNumbering {
    fn of(&mut self, argument: Argument) -> Register {
        let constant = match argument {
            Argument::Variable(variable) => return variable,
            Argument::Constant(constant) => constant,
        };
        let known = self.constants.iter().position(|&it| it == constant);
        let position = known.unwrap_or_else(|| {
            self.constants.push(constant);
            self.constants.len() - 1
        });
        (self.variables + position) as Register
    }

    /// The constant that a register holds, if it is none of a variable.
    fn constant(&self, register: Register) -> Option<Constant> {
        let position = (register as usize).checked_sub(self.variables)?;
        Some(self.constants[position])
    }

    fn of_all(&mut self, arguments: &[Argument]) -> Box<[Register]> {
        arguments.iter().map(|&it| self.of(it)).collect()
    }
}

/// The look-up of one literal.
fn locate(
    (atom, literal): (&Atom, usize),
    given: bool,
    bound: &[bool],
    catalog: &mut impl Catalog,
    registers: &mut VariableNumbering,
) -> Step {
    let is_known = |argument: Argument| argument.variable().is_none_or(|it| bound[it as usize]);
    let mut columns: SmallVec<[usize; 8]> = SmallVec::new();
    let known = atom.arguments.iter().filter(|&&it| is_known(it)).count();
    let mut key = Vec::with_capacity(if given { 0 } else { known });
    let mut bind: Vec<(u32, Register)> = Vec::with_capacity(atom.arguments.len() - known);
    let mut tests = Vec::new();
    for (column, &argument) in atom.arguments.iter().enumerate() {
        let register = registers.of(argument);
        if !is_known(argument) && bind.iter().all(|&(_, it)| it != register) {
            bind.push((column as u32, register));
        } else if given || !is_known(argument) {
            tests.push((column as u32, register));
        } else {
            columns.push(column);
            key.push(register);
        }
    }
    let access = match columns.len() {
        _ if given => Access::Given,
        all if all == atom.arguments.len() => Access::Row,
        0 => Access::Scan,
        _ => {
            let constants: Option<SmallVec<[Constant; 8]>> =
                key.iter().map(|&it| registers.constant(it)).collect();
            let key = constants.as_deref();
            catalog.index(RowQuery { predicate: atom.predicate, columns: &columns, key })
        }
    };
    Step {
        predicate: atom.predicate,
        literal,
        access,
        key: key.into(),
        bind: bind.into(),
        tests: tests.into(),
        checks: Box::default(),
        once: false,
        back: None,
    }
}

/// Takes out the checks whose variables are all bound.
fn take_ready(
    pending: &mut Vec<&Literal>,
    bound: &[bool],
    registers: &mut VariableNumbering,
) -> Box<[Check]> {
    let mut ready = Vec::new();
    pending.retain(|literal| {
        let is_ready = literal.variables().all(|it| bound[it as usize]);
        if is_ready {
            ready.push(match literal {
                Literal::Negative(atom) => {
                    Check::Absent(atom.predicate, registers.of_all(&atom.arguments))
                }
                Literal::Distinct(left, right) => {
                    let pairs = left.iter().zip(right);
                    Check::Distinct(
                        pairs.map(|(&it, &at)| (registers.of(it), registers.of(at))).collect(),
                    )
                }
                Literal::Positive(_) => unreachable!("positive literals are steps"),
            });
        }
        !is_ready
    });
    ready.into()
}

/// Marks the steps of which one row is enough, and returns the number of significant steps.
///
/// A given row is always significant: there may be more of them.
fn mark_once(steps: &mut [Step], request: &PlanRequest<'_>) -> usize {
    let mut used = Flags::from_slice(request.needed);
    let mut significant = usize::from(request.given.is_some());
    for (position, step) in steps.iter_mut().enumerate().rev() {
        let own = |register| step.bind.iter().any(|&(_, it)| it == register);
        let row_needed = request.needed_rows.get(step.literal).is_some_and(|&it| it);
        let binds = |which: &[bool]| step.bind.iter().any(|&(_, it)| which[it as usize]);
        let once = !row_needed && step.access != Access::Given && !binds(&used);
        if significant <= position && (row_needed || binds(request.needed)) {
            significant = position + 1;
        }
        let mut read = |register: Register| {
            // What a step reads of its own binding does not make its row matter to later steps.
            if !own(register) && (register as usize) < used.len() {
                used[register as usize] = true;
            }
        };
        step.key.iter().for_each(|&it| read(it));
        step.tests.iter().for_each(|&(_, it)| read(it));
        for check in &step.checks {
            match check {
                Check::Absent(_, columns) => columns.iter().for_each(|&it| read(it)),
                Check::Distinct(pairs) => {
                    pairs.iter().flat_map(|&(left, right)| [left, right]).for_each(&mut read);
                }
            }
        }
        step.once = once;
    }
    significant
}
