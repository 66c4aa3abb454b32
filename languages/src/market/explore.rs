//! All courses of a market with some messages, and what holds in each of them.
//!
//! In each step each trader says nothing, or one of the messages that it may send, whose numbers are some samples; the maker does each of its
//! legal actions. *Properties* are rules about a whole course: `(violates NAME)` is derived from `(received T A M)`, `(did T X)` and
//! `(sent T A M)`. One property is looked at in every market: whether the mail of a trader depends on the messages of others before the
//! maker has done anything.

use std::collections::BTreeMap;

use fxhash::FxHashSet;
use groundfrog::description::{Atom, Predicate, Term};
use groundfrog::options::Limits;
use groundfrog::rules::{Literal, Rule, Rules};
use groundfrog::symbols::{Symbol, Symbols};
use smallvec::smallvec;

use super::{Letter, Market, MarketError, MarketKeywords, MarketState, comparisons};
use crate::evaluation::{Context, Evaluator, Query};
use crate::number::{self, Number};
use crate::rules::Rulebook;

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

/// Something that has happened, with its step.
#[derive(Clone, Debug)]
enum Fact {
    Received(u64, Letter),
    Did(u64, Term),
    Sent(u64, Letter),
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
        self.log.extend(received.iter().map(|it| Fact::Received(time, it.clone())));
        self.log.extend(action.map(|it| Fact::Did(time, it.clone())));
        self.has_acted |= action.is_some();
        let outcome = self.market.step(state, received, action)?;
        self.log.extend(outcome.mail.iter().map(|it| Fact::Sent(time, it.clone())));
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
            let own = self.log.iter().filter_map(|fact| match fact {
                Fact::Received(step, (who, message)) if *who == trader => {
                    Some(format!("{step} {}", self.market.text(message)))
                }
                _ => None,
            });
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
        let names = self.market.trader_names();
        let text = |it: &Term| self.market.text(it);
        let line = |fact: &Fact| match fact {
            Fact::Received(time, (who, it)) => {
                format!("{time}  receive {} {}", names[*who], text(it))
            }
            Fact::Did(time, it) => format!("{time}  does {}", text(it)),
            Fact::Sent(time, (who, it)) => format!("{time}  send {} {}", names[*who], text(it)),
        };
        if self.log.is_empty() {
            return vec!["   nobody has sent anything, and nothing was done".to_owned()];
        }
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
    query: Query,
    candidate: Predicate,
    sample: Predicate,
    keywords: MarketKeywords,
    samples: Vec<Number>,
    limits: Limits,
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
        let budget = options.limits.budget();
        let evaluator = Evaluator::new(&rules, &given, None, &comparisons, &budget)?;
        let query = evaluator.query(&[candidate]);
        let samples = options.samples.clone();
        let limits = options.limits.clone();
        Ok(Candidates { evaluator, query, candidate, sample, keywords, samples, limits })
    }

    /// By trader: the messages that it may send in a step.
    fn of(&self, state: &MarketState, market: &mut Market) -> Result<Vec<Vec<Term>>, MarketError> {
        // The market's names begin with the same ones, but for the predicates that are only here.
        let time = Term::Constant(market.symbols().intern(&state.time.to_string()));
        let mut facts = vec![(self.keywords.time, smallvec![time])];
        facts.extend(state.fluents.iter().map(|it| (self.keywords.true_, smallvec![it.clone()])));
        for number in &self.samples {
            let name = number::to_symbol(number, market.symbols());
            facts.push((self.sample, smallvec![Term::Constant(name)]));
        }
        let budget = self.limits.budget();
        let symbols = market.symbols().clone();
        let context = Context { symbols: &symbols, budget: &budget };
        let model = self.evaluator.evaluate(&self.query, facts, context)?;
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
    let mut bound: FxHashSet<Symbol> = FxHashSet::default();
    for literal in &rule.body {
        if let Literal::Positive(atom) = literal
            && !(atom.arguments.len() == 2 && comparisons.contains(&atom.predicate))
        {
            literal.for_each_variable(&mut |it| _ = bound.insert(it));
        }
    }
    let mut free: Vec<Symbol> = Vec::new();
    for term in &rule.head.arguments {
        groundfrog::rules::for_each_variable(term, &mut |variable| {
            if !bound.contains(&variable) && !free.contains(&variable) {
                free.push(variable);
            }
        });
    }
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
    query: Query,
    rules: Rules,
    names: Vec<String>,
    violates: Predicate,
    received: Predicate,
    did: Predicate,
    sent: Predicate,
    limits: Limits,
}

impl Judge {
    fn new(book: &Rulebook, options: &MarketOptions) -> Result<Self, MarketError> {
        let mut rules = book.rules.clone();
        let comparisons = comparisons(&mut rules.symbols);
        let mut predicate =
            |name: &str, arity| Predicate { name: rules.symbols.intern(name), arity };
        let violates = predicate("violates", 1);
        let (received, did, sent) =
            (predicate("received", 3), predicate("did", 2), predicate("sent", 3));
        let budget = options.limits.budget();
        let given = [received, did, sent];
        let evaluator = Evaluator::new(&rules, &given, None, &comparisons, &budget)?;
        let mut names = Vec::new();
        for rule in rules.rules.iter().filter(|it| it.head.predicate() == violates) {
            if let Term::Constant(name) = rule.head.arguments[0] {
                let name = rules.symbols.name(name).to_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let query = evaluator.query(&[violates]);
        let limits = options.limits.clone();
        Ok(Judge { evaluator, query, rules, names, violates, received, did, sent, limits })
    }

    /// The properties that do not hold of a course.
    fn violated(&mut self, log: &[Fact], market: &Market) -> Result<Vec<String>, MarketError> {
        let names = market.trader_names();
        let mut facts = Vec::new();
        for fact in log {
            let mut read = |text: &str| {
                crate::rules::ground_term(text, &mut self.rules.symbols)
                    .expect("what was written as a term is read as one")
            };
            let mut time = |it: &u64| read(&it.to_string());
            facts.push(match fact {
                Fact::Received(step, (who, it)) => {
                    let time = time(step);
                    (self.received, smallvec![time, read(&names[*who]), read(&market.text(it))])
                }
                Fact::Did(step, it) => {
                    let time = time(step);
                    (self.did, smallvec![time, read(&market.text(it))])
                }
                Fact::Sent(step, (who, it)) => {
                    let time = time(step);
                    (self.sent, smallvec![time, read(&names[*who]), read(&market.text(it))])
                }
            });
        }
        let budget = self.limits.budget();
        let context = Context { symbols: &self.rules.symbols, budget: &budget };
        let model = self.evaluator.evaluate(&self.query, facts, context)?;
        let rows = model.rows(self.violates).iter();
        Ok(rows.map(|it| crate::rules::term_text(&it[0], &self.rules.symbols)).collect())
    }
}
