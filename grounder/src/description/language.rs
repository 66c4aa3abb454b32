//! The languages that descriptions are written in, told apart by keywords and by how many arguments these take.

use std::fmt;

use crate::kif::{Diagnostic, NodeId, Parser, Sexprs, Span, SyntaxError, infix};

/// A language of game descriptions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// GDL, and GDL-II, which has the same form.
    #[default]
    Gdl,
    /// rtGDL, the language of real-time games (Kowalski & Kisielewicz 2016): fluents have lifetimes.
    RealTime,
    /// MSL, the language of markets (Thielscher & Zhang 2010): traders and a market maker send each other messages.
    Market,
}

/// How many arguments keywords take that GDL does not have, or has with another number.
const REAL_TIME: &[(&str, u32)] = &[("init", 2), ("true", 2), ("next", 2), ("expired", 1)];
const MARKET: &[(&str, u32)] = &[
    ("trader", 1),
    ("message", 2),
    ("receive", 2),
    ("send", 2),
    ("time", 1),
    ("legal", 1),
    ("does", 1),
    ("<", 2),
    (">", 2),
    ("<=", 2),
    (">=", 2),
];
/// Keywords of GDL that are names like others in markets.
const NOT_OF_MARKETS: &[&str] = &["role", "goal", "sees", "base", "input"];

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::Gdl, Language::RealTime, Language::Market];

    /// The name that people use: `GDL`, `rtGDL` or `MSL`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Gdl => "GDL",
            Language::RealTime => "rtGDL",
            Language::Market => "MSL",
        }
    }

    /// How many arguments a name takes, where the language says another thing than GDL; `Some(None)` where any number.
    pub(super) fn own_arity(self, name: &str) -> Option<Option<u32>> {
        let own = match self {
            Language::Gdl => return None,
            Language::RealTime => REAL_TIME,
            Language::Market => MARKET,
        };
        let found = own.iter().find(|it| it.0 == name).map(|it| Some(it.1));
        let is_plain = || self == Language::Market && NOT_OF_MARKETS.contains(&name);
        found.or_else(|| is_plain().then_some(None))
    }

    /// Whether `<=` between two words is a comparison.
    pub(super) fn compares(self) -> bool {
        self == Language::Market
    }

    /// How a keyword is written whose number of arguments is not that of GDL.
    pub(super) fn form(self, keyword: &str) -> Option<&'static str> {
        Some(match (self, keyword) {
            (Language::RealTime, "init") => "write `(init LIFETIME FLUENT)`, as `(init 1.5 timer)`",
            (Language::RealTime, "true") => "write `(true LIFETIME FLUENT)`, as `(true ?t timer)`",
            (Language::RealTime, "next") => "write `(next LIFETIME FLUENT)`, as `(next ?t timer)`",
            (Language::RealTime, "expired") => "write `(expired FLUENT)`, as `(expired timer)`",
            (Language::Market, "legal" | "does") => {
                "only the market maker acts: write `(legal ACTION)` and `(does ACTION)`"
            }
            (Language::Market, "message") => "write `(message TRADER MESSAGE)`",
            (Language::Market, "receive") => "write `(receive TRADER MESSAGE)`",
            (Language::Market, "send") => "write `(send TRADER MESSAGE)`",
            (Language::Market, "trader") => "write `(trader NAME)`",
            (Language::Market, "time") => "write `(time T)`, as `(time 1)`",
            _ => return None,
        })
    }

    /// The language of a text, by keywords and by how many arguments they take.
    ///
    /// Two arguments of `init`, `true` or `next`, and `expired` where nothing derives it, are rtGDL; one argument of `legal` or
    /// `does`, and `trader` where nothing is a role, are MSL; everything else is GDL.
    ///
    /// # Errors
    /// The text is in neither notation, or a mixture of languages: the error names a place for each.
    pub fn of_text(source: &str, max_nesting: usize) -> Result<Self, Box<Diagnostic>> {
        let kif = infix::is_infix(source).then(|| infix::to_kif(source)).transpose()?;
        let source = kif.as_deref().unwrap_or(source);
        let signs = Signs::of(source, max_nesting).map_err(|error| Box::new((&error).into()))?;
        let Signs { one_state, timed, expired, derives_expired, .. } = signs;
        let timed = timed.or(expired.filter(|_| !derives_expired));
        let maker = signs.maker.or(signs.trader.filter(|_| signs.role.is_none()));
        let player = signs.player.or(signs.role);
        let found = |is: Language, of: Span, but: Language, other: Span| {
            let message = format!("the description is a mixture of {is} and {but}");
            let diagnostic = Diagnostic::error("GF0801", message, of)
                .with_remark(format!("this is {is}"))
                .with_label(other, format!("this is {but}"))
                .with_help("`--language` says which of them is meant");
            Err(Box::new(diagnostic))
        };
        match (timed, one_state, maker, player) {
            (Some(timed), Some(other), ..) => {
                let but = if maker.is_some() { Language::Market } else { Language::Gdl };
                found(Language::RealTime, timed, but, other)
            }
            (Some(timed), None, Some(maker), _) => {
                found(Language::RealTime, timed, Language::Market, maker)
            }
            (Some(_), None, None, _) => Ok(Language::RealTime),
            (None, _, Some(maker), Some(player)) => {
                found(Language::Market, maker, Language::Gdl, player)
            }
            (None, _, Some(_), None) => Ok(Language::Market),
            (None, _, None, _) => Ok(Language::Gdl),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The first places of what tells languages apart.
#[derive(Default)]
struct Signs {
    /// `init`, `true` or `next` with one argument, and with two.
    one_state: Option<Span>,
    timed: Option<Span>,
    expired: Option<Span>,
    derives_expired: bool,
    /// `legal` or `does` with one argument, and with two.
    maker: Option<Span>,
    player: Option<Span>,
    trader: Option<Span>,
    role: Option<Span>,
}

impl Signs {
    fn of(source: &str, max_nesting: usize) -> Result<Self, SyntaxError> {
        let mut signs = Signs::default();
        let mut parser = Parser::new(source, max_nesting);
        let mut trees = Sexprs::new();
        loop {
            trees.clear();
            let Some(node) = parser.read(&mut trees)? else { return Ok(signs) };
            super::for_each_statement(source, &trees, node, |it| {
                signs.statement(source, &trees, it);
            });
        }
    }

    fn statement(&mut self, source: &str, trees: &Sexprs, node: NodeId) {
        if name(source, trees, node).is_some_and(|it| it == "<=") {
            let mut parts = trees.children(node).skip(1);
            if let Some(head) = parts.next() {
                self.atom(source, trees, head, true);
            }
            parts.for_each(|it| self.formula(source, trees, it));
        } else {
            self.atom(source, trees, node, true);
        }
    }

    fn formula(&mut self, source: &str, trees: &Sexprs, node: NodeId) {
        // Connectives may be nested as deep as the notation allows.
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match name(source, trees, node) {
                Some(word)
                    if ["not", "or", "and"].iter().any(|it| word.eq_ignore_ascii_case(it)) =>
                {
                    open.extend(trees.children(node).skip(1));
                }
                _ => self.atom(source, trees, node, false),
            }
        }
    }

    fn atom(&mut self, source: &str, trees: &Sexprs, node: NodeId, is_head: bool) {
        let Some(name) = name(source, trees, node) else { return };
        let arguments = trees.children(node).count().saturating_sub(1);
        let is = |word: &str| name.eq_ignore_ascii_case(word);
        let place = match arguments {
            1 if is("init") || is("true") || is("next") => &mut self.one_state,
            2 if is("init") || is("true") || is("next") => &mut self.timed,
            1 if is("legal") || is("does") => &mut self.maker,
            2 if is("legal") || is("does") => &mut self.player,
            1 if is("trader") && is_head => &mut self.trader,
            1 if is("role") && is_head => &mut self.role,
            1 if is("expired") && is_head => {
                self.derives_expired = true;
                return;
            }
            1 if is("expired") => &mut self.expired,
            _ => return,
        };
        place.get_or_insert(trees.span(node));
    }
}

/// The word at a node, or the first of the list there.
fn name<'s>(source: &'s str, trees: &Sexprs, node: NodeId) -> Option<&'s str> {
    let word = match trees.is_list(node) {
        true => trees.children(node).next().filter(|&it| !trees.is_list(it))?,
        false => node,
    };
    Some(trees.span(word).text(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Language, Box<Diagnostic>> {
        Language::of_text(text, 100)
    }

    #[test]
    fn languages_are_known_by_arity_and_keywords() {
        assert_eq!(of("(role a) (init f) (<= (next f) (true f))"), Ok(Language::Gdl));
        assert_eq!(of("(role a) (init 1.0 f)"), Ok(Language::RealTime));
        assert_eq!(of("(role a) (<= terminal (not (expired f)))"), Ok(Language::RealTime));
        assert_eq!(of("(role a) (expired f) (<= (goal a 0) (expired f))"), Ok(Language::Gdl));
        assert_eq!(of("(trader a) (init f) (<= terminal (time 3))"), Ok(Language::Market));
        assert_eq!(of("(role a) (trader a) (legal a (sell 1))"), Ok(Language::Gdl));
        assert_eq!(of("(<= (legal clear) (true f))"), Ok(Language::Market));
    }

    #[test]
    fn a_mixture_names_both_places() {
        let text = "(role a) (init 1.0 f)\n(<= (next f) (or (true ?t g) (true f)))";
        let error = of(text).expect_err("a mixture");
        assert_eq!(error.message, "the description is a mixture of rtGDL and GDL");
        let places: Vec<&str> = error.labels.iter().map(|it| it.span.text(text)).collect();
        assert_eq!(places, ["(init 1.0 f)", "(next f)"]);
        let text = "(trader a) (legal clear) (<= (legal a bid) (true f))";
        let error = of(text).expect_err("a mixture");
        let places: Vec<&str> = error.labels.iter().map(|it| it.span.text(text)).collect();
        assert_eq!(places, ["(legal clear)", "(legal a bid)"]);
        assert!(of("(role").is_err());
    }
}
