//! Games of GDL as games of rtGDL, where each turn takes the time of a clock (Theorem 3 of Kowalski & Kisielewicz 2016, corrected).
//!
//! A move is kept as the fluent `made` until the clock's end. As printed, a move at the very end comes too late for its turn and stays
//! for the next one; here the rules of the game use `played`, which holds of what was made before the end and of what is done at it. What
//! a turn keeps lives as long as the clock, so that it is gone with it, and fluents of the game, which live for ever, are never mixed up
//! with it, even where a rule speaks of all of them.

use std::fmt::Write;

use groundfrog::description::{
    Atom, Description, Formula, Keywords, Printer, Statement, Term, Terms,
};
use groundfrog::kif::Span;
use groundfrog::symbols::{Symbol, Symbols, fresh};

use crate::number;
use crate::rules::{mapped, renamed};

/// A game of GDL in rtGDL.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The description.
    pub text: String,
    /// The name of the fluent that expires at the end of each turn.
    pub clock: String,
    /// Names of GDL that are numbers of another form in rtGDL, such as `01`, and what stands for them.
    pub renamed: Vec<(String, String)>,
}

/// Translates a game whose turns take so many seconds; the text is a number above 0.
pub fn translate(game: &Description, turn: &str) -> Translation {
    let mut symbols = game.symbols.clone();
    let renamed = other_names(game, &mut symbols);
    let [infinity, expired] = ["infinity", "expired"].map(|it| symbols.intern(it));
    let [clock, made, played, acted, moved, allowed, seen] =
        ["clock", "made", "played", "acted", "moved", "allowed", "seen"]
            .map(|it| fresh(&mut symbols, it));
    let keywords = game.keywords;
    let translator =
        Translator { keywords, renamed: &renamed, infinity, expired, clock, played, allowed, seen };
    let mut text = String::new();
    for statement in &game.statements {
        let translated = translator.statement(statement);
        let _ = writeln!(text, "{}", Printer::new(&symbols).statement(&translated));
    }
    let name = |it: Symbol| symbols.name(it);
    let renamed = renamed.iter().map(|&(from, to)| (name(from).to_owned(), name(to).to_owned()));
    let renamed = renamed.collect();
    let [clock, made, played, acted] = [clock, made, played, acted].map(name);
    let [moved, allowed, seen] = [moved, allowed, seen].map(name);
    let _ = write!(
        text,
        "(init {turn} {clock})
(<= (next {turn} {clock}) (expired {clock}))
(<= (next ?t ?f) (true ?t ?f) (true ?s {clock}))
(<= (next ?t ({made} ?r ?m)) (does ?r ?m) (true ?t {clock}) (not ({acted} ?r)))
(<= ({acted} ?r) (true ?t ({made} ?r ?m)))
(<= ({acted} ?r) (expired ({made} ?r ?m)))
(<= ({played} ?r ?m) (expired ({made} ?r ?m)))
(<= ({played} ?r ?m) (does ?r ?m) (not ({acted} ?r)))
(<= ({moved} ?r) (true ?t ({made} ?r ?m)))
(<= (legal ?r ?m) ({allowed} ?r ?m) (not ({moved} ?r)))
"
    );
    if game.statements.iter().any(|it| it.head.predicate == keywords.sees) {
        // Nothing is seen before the end of the turn.
        let _ = writeln!(text, "(<= (sees ?r ?p) (expired {clock}) ({seen} ?r ?p))");
    }
    Translation { renamed, text, clock: clock.to_owned() }
}

/// What stands for the names of a game.
struct Translator<'g> {
    keywords: Keywords,
    renamed: &'g [(Symbol, Symbol)],
    infinity: Symbol,
    expired: Symbol,
    clock: Symbol,
    played: Symbol,
    allowed: Symbol,
    seen: Symbol,
}

impl Translator<'_> {
    fn statement(&self, statement: &Statement) -> Statement {
        let keywords = &self.keywords;
        let head = &statement.head;
        let mut body: Vec<Formula> = statement
            .body
            .iter()
            .map(|it| mapped(it, &|it| self.atom(it), &|it| self.term(it)))
            .collect();
        if head.predicate == keywords.next {
            let arguments = [Term::Constant(self.clock)].into_iter().collect();
            let span = Span::default();
            body.insert(0, Formula::Atom(Atom { predicate: self.expired, arguments, span }));
        }
        let head = match head.predicate {
            name if name == keywords.init || name == keywords.next => self.timed(head),
            name if name == keywords.sees => self.named(head, self.seen),
            _ => self.atom(head),
        };
        Statement { head, body, span: statement.span }
    }

    fn atom(&self, atom: &Atom) -> Atom {
        let keywords = &self.keywords;
        match (atom.predicate, atom.arguments.len()) {
            (name, 1) if name == keywords.true_ => self.timed(atom),
            (name, 2) if name == keywords.does => self.named(atom, self.played),
            (name, 2) if name == keywords.legal => self.named(atom, self.allowed),
            (name, _) => self.named(atom, name),
        }
    }

    fn named(&self, atom: &Atom, predicate: Symbol) -> Atom {
        Atom { predicate: self.name(predicate), arguments: self.terms(&atom.arguments), ..*atom }
    }

    /// The atom with `infinity` in front.
    fn timed(&self, atom: &Atom) -> Atom {
        let mut arguments = self.terms(&atom.arguments);
        arguments.insert(0, Term::Constant(self.infinity));
        Atom { arguments, ..*atom }
    }

    fn terms(&self, terms: &[Term]) -> Terms {
        terms.iter().map(|it| self.term(it)).collect()
    }

    fn term(&self, term: &Term) -> Term {
        renamed(term, &|it, _| self.name(it))
    }

    fn name(&self, name: Symbol) -> Symbol {
        self.renamed.iter().find(|it| it.0 == name).map_or(name, |it| it.1)
    }
}

/// Names that mean something else in rtGDL: its keyword, and numbers in another form than their one form there, which would become
/// equal to others.
fn other_names(game: &Description, symbols: &mut Symbols) -> Vec<(Symbol, Symbol)> {
    let names: Vec<(Symbol, String)> = game
        .symbols
        .iter()
        .filter(|(_, name)| {
            let is_other_number = number::looks_like_number(name)
                && number::parse(name).is_none_or(|it| number::text(&it) != *name);
            is_other_number || *name == "expired"
        })
        .map(|(symbol, name)| (symbol, name.to_owned()))
        .collect();
    names
        .into_iter()
        .map(|(symbol, name)| {
            let plain = name.replace(['.', '/', '-'], "_");
            (symbol, fresh(symbols, &format!("name_{plain}")))
        })
        .collect()
}
