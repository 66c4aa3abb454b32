//! Play beside a reference game: the same matches on both, move by move, as far as it is told in text. What fluents there are may differ.

use groundfrog::RoleId;
use groundfrog::description::{Atom, Description, Term};
use groundfrog::kif::{Diagnostic, NodeId, Sexprs, Span};
use groundfrog::symbols::{Symbol, Symbols};
use groundfrog_reasoner::{
    Case, GroundReasoner, MoveId, Random, Reasoner, ReasonerError, State, Vocabulary as _,
};

use super::{Reason, ReasonKind};
use crate::explore::{self, SampleOptions};
use crate::verify::{Answers, Difference, Subject, in_one_only, sorted};

/// What came of playing both.
pub(super) enum Comparison {
    /// No difference was met.
    Same,
    /// Time ran out.
    Late,
    Disagreement(Box<Disagreement>),
}

/// A difference, and the joint moves that lead there.
pub(super) struct Disagreement {
    difference: Difference,
    way: Vec<Vec<String>>,
}

impl Disagreement {
    pub(super) fn reason(&self, description: &Description) -> Reason {
        let finding = finding(&self.difference, description, "the reference game")
            .with_help(format!("the way there: {}", explore::moves(&self.way)));
        Reason { kind: ReasonKind::Reference, finding, edits: Vec::new() }
    }
}

/// Plays random matches of the reference game on both.
///
/// # Errors
/// A reasoner has no answer.
pub(super) fn compare(
    tested: &mut GroundReasoner,
    other: &mut GroundReasoner,
    options: &SampleOptions,
    is_late: &dyn Fn() -> bool,
) -> Result<Comparison, ReasonerError> {
    let names = |it: &GroundReasoner| sorted(it.role_ids().map(|role| it.role_text(role)));
    if let Some((name, expected)) = in_one_only(&names(tested), &names(other)) {
        let difference = Difference::new(Subject::Role, format!("(role {name})"), expected);
        return Ok(Comparison::Disagreement(Box::new(Disagreement {
            difference,
            way: Vec::new(),
        })));
    }
    let roles: Vec<String> = other.role_ids().map(|it| other.role_text(it)).collect();
    let order = roles.iter().filter_map(|it| tested.find_role(it, Case::Exact)).collect();
    let mut run = Run { tested, other, roles, order };
    let mut random = Random::new(options.seed);
    for _ in 0..options.playouts {
        let found = run.playout(options.max_length, &mut random, is_late)?;
        if !matches!(found, Comparison::Same) {
            return Ok(found);
        }
    }
    Ok(Comparison::Same)
}

/// Both games.
struct Run<'run> {
    tested: &'run mut GroundReasoner,
    other: &'run mut GroundReasoner,
    /// As the reference game has them.
    roles: Vec<String>,
    /// By role of the reference game: which one it is in the game that is tested.
    order: Vec<RoleId>,
}

impl Run<'_> {
    /// The answers of both, by role of the reference game.
    fn answers<T>(
        &mut self,
        mut of: impl FnMut(&mut dyn Reasoner, &T) -> Result<Answers, ReasonerError>,
        [own, expected]: [&T; 2],
    ) -> Result<[Answers; 2], ReasonerError> {
        let mut tested = of(self.tested, own)?;
        for by_role in [&mut tested.legal, &mut tested.goals, &mut tested.percepts] {
            if !by_role.is_empty() {
                let taken = |it: &RoleId| std::mem::take(&mut by_role[it.index()]);
                *by_role = self.order.iter().map(taken).collect();
            }
        }
        Ok([tested, of(self.other, expected)?])
    }

    fn playout(
        &mut self,
        max_length: u32,
        random: &mut Random,
        is_late: &dyn Fn() -> bool,
    ) -> Result<Comparison, ReasonerError> {
        let mut own = self.tested.initial().clone();
        let mut expected = self.other.initial().clone();
        let mut way: Vec<Vec<String>> = Vec::new();
        for _ in 0..max_length {
            if is_late() {
                return Ok(Comparison::Late);
            }
            let mut answers =
                self.answers(|it, state| Answers::of_state(it, state), [&own, &expected])?;
            let is_over = answers[1].terminal == Some(true);
            for it in &mut answers {
                if is_over { it.legal.clear() } else { it.goals.clear() }
            }
            if let Some(difference) = answers[0].difference(&answers[1], &self.roles) {
                return Ok(Comparison::Disagreement(Box::new(Disagreement { difference, way })));
            }
            if is_over || answers[1].legal.iter().any(Vec::is_empty) {
                return Ok(Comparison::Same);
            }
            let mut made = [vec![MoveId(0); self.roles.len()], vec![MoveId(0); self.roles.len()]];
            for (role, texts) in answers[1].legal.iter().enumerate() {
                let text = &texts[(random.next_word() % texts.len() as u64) as usize];
                let (there, here) = (RoleId(role as u32), self.order[role]);
                let found = |it: Option<MoveId>| it.expect("a legal move is one of the role");
                made[0][here.index()] = found(self.tested.find_move(here, text));
                made[1][role] = found(self.other.find_move(there, text));
            }
            way.push(made[1].iter().map(|&it| self.other.move_text(it)).collect());
            let steps = [(own, &made[0][..]), (expected, &made[1][..])];
            let mut answers = self.answers(
                |it, (state, moves)| Answers::of_step(it, state, moves),
                [&steps[0], &steps[1]],
            )?;
            answers.iter_mut().for_each(|it| it.next = None);
            if let Some(difference) = answers[0].difference(&answers[1], &self.roles) {
                return Ok(Comparison::Disagreement(Box::new(Disagreement { difference, way })));
            }
            let (mut next, mut after) = (State::default(), State::default());
            self.tested.next_state(&steps[0].0, &made[0], &mut next)?;
            self.other.next_state(&steps[1].0, &made[1], &mut after)?;
            (own, expected) = (next, after);
        }
        Ok(Comparison::Same)
    }
}

// Where a description speaks of an atom.

/// That an atom holds or does not, at the statement that speaks of it.
pub(super) fn finding(difference: &Difference, description: &Description, by: &str) -> Diagnostic {
    let holds =
        if difference.expected { "should hold and does not" } else { "holds and should not" };
    let keywords = &description.keywords;
    let head = match difference.subject {
        Subject::Role => keywords.role,
        Subject::Initial => keywords.init,
        Subject::Legal => keywords.legal,
        Subject::Terminal => keywords.terminal,
        Subject::Goal => keywords.goal,
        Subject::Percepts => keywords.sees,
        Subject::Next => keywords.next,
    };
    let message = format!("{} {holds}, by {by}", difference.atom);
    Diagnostic::error("", message, statement_about(description, head, &difference.atom))
}

/// A difference from recorded playouts.
pub(super) fn reason(difference: &Difference, description: &Description) -> Reason {
    let mut finding = finding(difference, description, "the recorded playouts")
        .with_help(format!("in the state: {}", difference.state.join(" ")));
    if !difference.moves.is_empty() {
        let moves = difference.moves.iter().map(|(role, it)| format!("{role} {it}"));
        finding = finding.with_help(format!("after: {}", moves.collect::<Vec<_>>().join(", ")));
    }
    Reason { kind: ReasonKind::Trace, finding, edits: Vec::new() }
}

/// The head of the first statement that can derive an atom: of those with the same arguments, else of those about the predicate.
fn statement_about(description: &Description, head: Symbol, atom: &str) -> Span {
    let fits = |trees: &Sexprs| {
        let root = trees.roots().next()?;
        let about = description.statements.iter().filter(|it| it.head.predicate == head);
        let mut fitting =
            about.filter(|it| covers(&it.head, trees, root, atom, &description.symbols));
        fitting.next().map(|it| it.head.span)
    };
    let trees = Sexprs::parse(atom, 512).ok();
    trees.as_ref().and_then(fits).unwrap_or_else(|| explore::place(description, head))
}

/// Whether a head has an atom as an instance, as far as its variables may each be anything.
fn covers(head: &Atom, trees: &Sexprs, atom: NodeId, source: &str, symbols: &Symbols) -> bool {
    if !trees.is_list(atom) {
        return head.arguments.is_empty();
    }
    // An atom of `true` stands for one of `next` or `init`.
    let given: Vec<NodeId> = trees.children(atom).skip(1).collect();
    given.len() == head.arguments.len()
        && head
            .arguments
            .iter()
            .zip(given)
            .all(|(it, node)| stands_for(it, trees, node, source, symbols))
}

fn stands_for(term: &Term, trees: &Sexprs, node: NodeId, source: &str, symbols: &Symbols) -> bool {
    match term {
        Term::Variable(_) => true,
        Term::Constant(name) => trees.span(node).text(source) == symbols.name(*name),
        Term::Compound(compound) => {
            let mut parts = trees.children(node);
            let name = parts.next().map(|it| trees.span(it).text(source));
            let arguments: Vec<NodeId> = parts.collect();
            trees.is_list(node)
                && name == Some(symbols.name(compound.functor))
                && arguments.len() == compound.arguments.len()
                && compound
                    .arguments
                    .iter()
                    .zip(arguments)
                    .all(|(term, node)| stands_for(term, trees, node, source, symbols))
        }
    }
}
