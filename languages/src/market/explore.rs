//! All courses of a market with some messages, and what holds in each of them.
//!
//! In each step each trader says nothing, or one of the messages that it may send, whose numbers are some samples; the maker does each of its
//! legal actions. *Properties* are rules about a whole course: `(violates NAME)` is derived from `(received T A M)`, `(did T X)` and
//! `(sent T A M)`. One property is looked at in every market: whether the mail of a trader depends on the messages of others before the
//! maker has done anything.

use std::collections::BTreeMap;

use groundfrog::description::{Atom, Predicate, Term, Terms};
use groundfrog::options::Limits;
use groundfrog::rules::{Literal, Rule, variables_of};
use groundfrog::symbols::{Symbol, Symbols};
use smallvec::smallvec;

use super::{Letter, Market, MarketError, MarketKeywords, MarketState, comparisons};
use crate::evaluation::Evaluator;
use crate::number::{self, Number};
use crate::rules::{Rulebook, ground_term, term_text, variables_bound};

/// What is explored.
#[derive(Clone, Debug)]
pub struct MarketOptions {
    /// The numbers that messages have, where the rules do not list them.
    pub samples: Vec<Number>,
    /// So many courses at the most.
    pub most_courses: u64,
    /// Courses have so many steps at the most.
    pub most_steps: u64,
    /// What evaluations may use.
    pub limits: Limits,
}

/// Whether something holds in all courses that were looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    /// In all of them.
    Always,
    /// Not in this one: its lines.
    NotIn(Vec<String>),
}

/// What was found.
#[derive(Clone, Debug)]
pub struct MarketExploration {
    /// Courses that came to an end.
    pub courses: u64,
    /// Whether these are all with the samples.
    pub is_complete: bool,
    /// Courses that were not over after as many steps as are looked at.
    pub unfinished: u64,
    /// By name: the properties.
    pub properties: Vec<(String, Holds)>,
    /// Whether no trader's mail depends on others' messages before the maker has acted; else two courses that differ in these alone.
    pub is_private: Holds,
    /// Steps in which the maker had several legal actions, over all courses.
    pub choices: u64,
}

/// What happened in a step.
#[derive(Clone, Debug)]
struct Fact {
    step: u64,
    kind: FactKind,
    /// The trader of a message.
    who: Option<usize>,
    term: Term,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FactKind {
    Received,
    Did,
    Sent,
}

impl Fact {
    fn letter(step: u64, kind: FactKind, (who, term): &Letter) -> Self {
        Fact { step, kind, who: Some(*who), term: term.clone() }
    }

    /// The trader, if there is one, and the term.
    fn words(&self, market: &Market) -> Vec<String> {
        let names = market.trader_names();
        let who = self.who.map(|it| names[it].clone());
        who.into_iter().chain([market.text(&self.term)]).collect()
    }
}

/// Looks at all courses of a market. `properties` are rules about courses.
///
/// # Errors
/// The rules cannot be evaluated.
pub fn explore(
    book: &Rulebook,
    properties: Option<&Rulebook>,
    options: &MarketOptions,
    is_stopped: &dyn Fn() -> bool,
) -> Result<MarketExploration, MarketError> {
    let market = Market::new(book, options.limits.clone())?;
    let candidates = Candidates::new(book, options)?;
    let judge = properties.map(|it| Judge::new(it, options)).transpose()?;
    let names = judge.as_ref().map(|it| it.names.clone()).unwrap_or_default();
    let mut explorer = Explorer {
        market,
        candidates,
        judge,
        options,
        is_stopped,
        log: Vec::new(),
        has_acted: false,
        private: BTreeMap::new(),
        found: MarketExploration {
            courses: 0,
            is_complete: true,
            unfinished: 0,
            properties: names.into_iter().map(|it| (it, Holds::Always)).collect(),
            is_private: Holds::Always,
            choices: 0,
        },
    };
    let initial = explorer.market.initial();
    explorer.visit(&initial)?;
    Ok(explorer.found)
}

/// The mail of a step, and the course in which it came.
type Heard = (Vec<String>, Vec<String>);

struct Explorer<'e> {
    market: Market,
    candidates: Candidates,
    judge: Option<Judge>,
    options: &'e MarketOptions,
    is_stopped: &'e dyn Fn() -> bool,
    log: Vec<Fact>,
    has_acted: bool,
    /// By trader, step and own messages: the mail of the step, and the course in which it came.
    private: BTreeMap<(usize, u64, Vec<String>), Heard>,
    found: MarketExploration,
}

impl Explorer<'_> {
    fn visit(&mut self, state: &MarketState) -> Result<(), MarketError> {
        if self.found.courses + self.found.unfinished >= self.options.most_courses
            || (self.is_stopped)()
        {
            self.found.is_complete = false;
            return Ok(());
        }
        let outlook = self.market.outlook(state)?;
        if outlook.is_terminal {
            self.found.courses += 1;
            return self.judge();
        }
        if state.time > self.options.most_steps {
            self.found.unfinished += 1;
            return Ok(());
        }
        self.found.choices += u64::from(outlook.legal.len() > 1);
        let traders = self.market.traders().len();
        let choices = self.candidates.of(state, &mut self.market)?;
        let actions: Vec<Option<Term>> = match outlook.legal.is_empty() {
            true => vec![None],
            false => outlook.legal.into_iter().map(Some).collect(),
        };
        // Which of its messages each trader sends, 0 for none.
        let mut chosen = vec![0_usize; traders];
        loop {
            let received: Vec<Letter> = chosen
                .iter()
                .enumerate()
                .filter_map(|(trader, &it)| {
                    Some((trader, choices[trader][it.checked_sub(1)?].clone()))
                })
                .collect();
            for action in &actions {
                self.step(state, &received, action.as_ref())?;
                if !self.found.is_complete {
                    return Ok(());
                }
            }
            let Some(trader) = (0..traders).find(|&it| chosen[it] < choices[it].len()) else {
                return Ok(());
            };
            chosen[..trader].fill(0);
            chosen[trader] += 1;
        }
    }

    fn step(
        &mut self,
        state: &MarketState,
        received: &[Letter],
        action: Option<&Term>,
    ) -> Result<(), MarketError> {
        let (length, had_acted) = (self.log.len(), self.has_acted);
        let time = state.time;
        self.log.extend(received.iter().map(|it| Fact::letter(time, FactKind::Received, it)));
        let did = |it: &Term| Fact { step: time, kind: FactKind::Did, who: None, term: it.clone() };
        self.log.extend(action.map(did));
        self.has_acted |= action.is_some();
        let outcome = self.market.step(state, received, action)?;
        self.log.extend(outcome.mail.iter().map(|it| Fact::letter(time, FactKind::Sent, it)));
        if !self.has_acted && self.found.is_private == Holds::Always {
            self.compare(time, &outcome.mail);
        }
        self.visit(&outcome.state)?;
        self.log.truncate(length);
        self.has_acted = had_acted;
        Ok(())
    }

    /// Whether each trader has got what it got in all courses in which it has sent the same.
    fn compare(&mut self, time: u64, mail: &[Letter]) {
        let lines = self.lines();
        for trader in 0..self.market.traders().len() {
            let is_own = |it: &&Fact| it.kind == FactKind::Received && it.who == Some(trader);
            let own = self.log.iter().filter(is_own);
            let own = own.map(|it| format!("{} {}", it.step, self.market.text(&it.term)));
            let key = (trader, time, own.collect());
            let texts = mail.iter().filter(|it| it.0 == trader);
            let texts: Vec<String> = texts.map(|it| self.market.text(&it.1)).collect();
            let (known, other) =
                self.private.entry(key).or_insert_with(|| (texts.clone(), lines.clone()));
            if *known != texts {
                let name = &self.market.trader_names()[trader];
                let mut both = vec![format!("{name} gets other mail in step {time} of")];
                both.extend(other.iter().cloned());
                both.push("than of".to_owned());
                both.extend(lines);
                self.found.is_private = Holds::NotIn(both);
                return;
            }
        }
    }

    fn lines(&self) -> Vec<String> {
        if self.log.is_empty() {
            return vec!["   nobody has sent anything, and nothing was done".to_owned()];
        }
        let line = |it: &Fact| {
            let kind = ["receive", "does", "send"][it.kind as usize];
            format!("{}  {kind} {}", it.step, it.words(&self.market).join(" "))
        };
        self.log.iter().map(line).collect()
    }

    /// Looks at the properties of a course that is over.
    fn judge(&mut self) -> Result<(), MarketError> {
        let Some(judge) = &mut self.judge else { return Ok(()) };
        let violated = judge.violated(&self.log, &self.market)?;
        if violated.is_empty() {
            return Ok(());
        }
        let lines = self.lines();
        for (name, holds) in &mut self.found.properties {
            if *holds == Holds::Always && violated.contains(name) {
                *holds = Holds::NotIn(lines.clone());
            }
        }
        Ok(())
    }
}

/// Lists the messages that traders may send, with samples for the numbers that are only compared.
struct Candidates {
    evaluator: Evaluator,
    candidate: Predicate,
    sample: Predicate,
    samples: Vec<Number>,
}

impl Candidates {
    fn new(book: &Rulebook, options: &MarketOptions) -> Result<Self, MarketError> {
        let mut rules = book.rules.clone();
        let keywords = MarketKeywords::of(&mut rules.symbols);
        let comparisons = comparisons(&mut rules.symbols);
        let fresh = |symbols: &mut Symbols, name: &str| groundfrog::symbols::fresh(symbols, name);
        let candidate = Predicate { name: fresh(&mut rules.symbols, "candidate"), arity: 2 };
        let sample = Predicate { name: fresh(&mut rules.symbols, "sample"), arity: 1 };
        let tests = rules.rules.iter().filter(|it| it.head.predicate() == keywords.message);
        let listed: Vec<Rule> =
            tests.map(|rule| listing(rule, candidate.name, sample.name, &comparisons)).collect();
        rules.rules.retain(|it| it.head.predicate() != keywords.message);
        rules.rules.extend(listed);
        let mut given = keywords.given().to_vec();
        given.push(sample);
        let limits = options.limits.clone();
        let evaluator = Evaluator::new(&rules, &given, None, &comparisons, limits)?;
        Ok(Candidates { evaluator, candidate, sample, samples: options.samples.clone() })
    }

    /// By trader: the messages that it may send in a step.
    fn of(&self, state: &MarketState, market: &mut Market) -> Result<Vec<Vec<Term>>, MarketError> {
        // The market's names begin with the same ones, but for the predicates that are only here.
        let mut facts = market.facts(state);
        for number in &self.samples {
            let name = number::to_symbol(number, market.symbols());
            facts.push((self.sample, smallvec![Term::Constant(name)]));
        }
        let symbols = market.symbols().clone();
        let model = self.evaluator.evaluate(&[self.candidate], facts, &symbols)?;
        let mut found = vec![Vec::new(); market.traders().len()];
        for row in model.rows(self.candidate) {
            if let Some(trader) = market.traders().iter().position(|it| *it == row[0]) {
                found[trader].push(row[1].clone());
            }
        }
        found.iter_mut().for_each(|it| it.sort_by_cached_key(|it| market.text(it)));
        Ok(found)
    }
}

/// A rule about messages that lists them: numbers that nothing else binds are samples.
fn listing(rule: &Rule, candidate: Symbol, sample: Symbol, comparisons: &[Symbol]) -> Rule {
    let bound = variables_bound(rule, comparisons);
    let mut free = variables_of(&rule.head.arguments);
    free.retain(|it| !bound.contains(it));
    free.sort_unstable();
    free.dedup();
    let mut body = rule.body.clone();
    body.extend(free.into_iter().map(|variable| {
        let arguments = smallvec![Term::Variable(variable)];
        Literal::Positive(Atom { predicate: sample, arguments, span: rule.span })
    }));
    Rule { head: Atom { predicate: candidate, ..rule.head.clone() }, body, span: rule.span }
}

/// Judges courses by rules about them. Its names are its own: terms pass as text.
struct Judge {
    evaluator: Evaluator,
    symbols: Symbols,
    names: Vec<String>,
    violates: Predicate,
    /// By kind of fact.
    given: [Predicate; 3],
}

impl Judge {
    fn new(book: &Rulebook, options: &MarketOptions) -> Result<Self, MarketError> {
        let mut rules = book.rules.clone();
        let comparisons = comparisons(&mut rules.symbols);
        let predicate = |(name, arity)| Predicate { name: rules.symbols.intern(name), arity };
        let [violates, received, did, sent] =
            [("violates", 1), ("received", 3), ("did", 2), ("sent", 3)].map(predicate);
        let given = [received, did, sent];
        let limits = options.limits.clone();
        let evaluator = Evaluator::new(&rules, &given, None, &comparisons, limits)?;
        let mut names = Vec::new();
        for rule in rules.rules.iter().filter(|it| it.head.predicate() == violates) {
            if let Term::Constant(name) = rule.head.arguments[0] {
                let name = rules.symbols.name(name).to_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        Ok(Judge { evaluator, symbols: rules.symbols, names, violates, given })
    }

    /// The properties that do not hold of a course.
    fn violated(&mut self, log: &[Fact], market: &Market) -> Result<Vec<String>, MarketError> {
        let mut facts: Vec<(Predicate, Terms)> = Vec::new();
        for fact in log {
            let words = [fact.step.to_string()].into_iter().chain(fact.words(market));
            let read = |text: String| {
                let term = ground_term(&text, &mut self.symbols);
                term.expect("what was written as a term is read as one")
            };
            facts.push((self.given[fact.kind as usize], words.map(read).collect()));
        }
        let model = self.evaluator.evaluate(&[self.violates], facts, &self.symbols)?;
        let rows = model.rows(self.violates).iter();
        Ok(rows.map(|it| term_text(&it[0], &self.symbols)).collect())
    }
}
