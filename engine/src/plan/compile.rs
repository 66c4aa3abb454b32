//! From an ordered body to steps: which columns are keys, what is bound where, when checks can run.

use smallvec::{SmallVec, smallvec};

use super::order::Order;
use super::steps::{Access, Check, Flags, Plan, Register, Step};
use crate::index::RowQuery;
use crate::program::{Argument, Atom, Constant, Literal, Rule};

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
