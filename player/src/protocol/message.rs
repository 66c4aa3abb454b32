//! What servers say to players.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::time::Duration;

use groundfrog::kif::{Lexer, NodeId, Sexprs, Span, SyntaxError, TokenKind};

use crate::PeerText;
use crate::clock::LONGEST;
use crate::text::{compact, elements_of, is_nil, parse};

/// A message of a server. Its [`Display`] is the message as it goes over the wire.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// `(INFO)`: what the player is and whether it is free.
    Info,
    /// `info`, a word: only whether it is free.
    Status,
    /// `ping`, or nothing at all, where the answer tells that the player is there.
    Ping,
    /// `(PREVIEW (rules) clock)`.
    Preview {
        /// The description.
        rules: String,
        /// Time to look at it.
        clock: Duration,
    },
    /// `(START id role (rules) startclock playclock)`.
    Start {
        /// The match.
        id: String,
        /// The role to play, which may be a compound term.
        role: String,
        /// The description.
        rules: String,
        /// Time to prepare.
        start_clock: Duration,
        /// Time for a move.
        play_clock: Duration,
    },
    /// `(PLAY id ...)`.
    Play {
        /// The match.
        id: String,
        /// What has happened.
        news: News,
    },
    /// `(STOP id ...)`.
    Stop {
        /// The match.
        id: String,
        /// What has happened.
        news: News,
    },
    /// `(ABORT id)`.
    Abort {
        /// The match.
        id: String,
    },
}

/// What PLAY and STOP tell of the last turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// `NIL` before the first move, else the moves of all roles; or the percepts in the older form of GDL-II, which looks the same.
    List(Option<Vec<String>>),
    /// The newer form of GDL-II: `turn lastmove (percepts)`.
    Percepts {
        /// Joint moves made so far.
        turn: u64,
        /// The move that was made for the player; `None` before the first.
        own: Option<String>,
        /// What the player sees.
        percepts: Vec<String>,
    },
}

/// Why a message cannot be understood.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MessageError {
    /// It is no KIF.
    #[error("the message is no KIF: {0}")]
    Syntax(#[from] SyntaxError),
    /// It is more than one list or word.
    #[error("the message has text after its end: send one list, such as `(INFO)`")]
    Several,
    /// Nobody knows what it asks for.
    #[error("unknown message `{0}`: expected INFO, PREVIEW, START, PLAY, STOP, ABORT or ping")]
    Unknown(PeerText),
    /// It has too many or too few fields.
    #[error("{kind} has {given} fields: expected `{form}`")]
    Fields {
        /// What it asks for.
        kind: &'static str,
        /// How many fields there are after that.
        given: usize,
        /// What it should look like.
        form: &'static str,
    },
    /// A field is not what it should be.
    #[error("{kind}: `{text}` is no {expected}")]
    Field {
        /// What the message asks for.
        kind: &'static str,
        /// The field.
        text: PeerText,
        /// What should be there.
        expected: &'static str,
    },
}

const START: &str = "(START id role (rules) startclock playclock)";
const PREVIEW: &str = "(PREVIEW (rules) clock)";
const PLAY: &str = "(PLAY id (moves)) or (PLAY id turn move (percepts))";
const STOP: &str = "(STOP id (moves)) or (STOP id turn move (percepts))";
const ABORT: &str = "(ABORT id)";

impl Message {
    /// The kind of a message about a match, in lower case, and the name of the match, whatever comes after. `None` if it is none.
    pub fn match_of(text: &str) -> Option<(&'static str, &str)> {
        let mut lexer = Lexer::new(text);
        let mut next = |kind| {
            let token = lexer.next_token().ok()??;
            (token.kind == kind).then(|| token.span.text(text))
        };
        next(TokenKind::Open)?;
        let word = next(TokenKind::Word)?;
        let kinds = ["start", "play", "stop", "abort"];
        let kind = kinds.into_iter().find(|it| it.eq_ignore_ascii_case(word))?;
        Some((kind, next(TokenKind::Word)?))
    }

    /// Reads a message, in any case and with any white space. Nothing at all is a ping.
    ///
    /// # Errors
    /// It is no message of the protocol.
    pub fn parse(text: &str) -> Result<Self, MessageError> {
        let trees = parse(text)?;
        let mut roots = trees.roots();
        let Some(root) = roots.next() else { return Ok(Message::Ping) };
        if roots.next().is_some() {
            return Err(MessageError::Several);
        }
        let nodes: Vec<NodeId> =
            if trees.is_list(root) { trees.children(root).collect() } else { vec![root] };
        let Some((&first, fields)) = nodes.split_first() else { return Ok(Message::Ping) };
        let word = trees.span(first).text(text);
        Fields { text, trees: &trees, kind: "", fields }.message(word, trees.is_list(root))
    }
}

/// How many moves or percepts a message may tell.
const MOST_ELEMENTS: usize = 100_000;

/// The fields of a message after its first word.
struct Fields<'m> {
    text: &'m str,
    trees: &'m Sexprs,
    kind: &'static str,
    fields: &'m [NodeId],
}

impl Fields<'_> {
    fn message(mut self, word: &str, list: bool) -> Result<Message, MessageError> {
        let count = self.fields.len();
        match word.to_ascii_lowercase().as_str() {
            "info" if list => Ok(Message::Info),
            "info" => Ok(Message::Status),
            "ping" => Ok(Message::Ping),
            "preview" => {
                self.kind = "PREVIEW";
                self.expect(count >= 2, PREVIEW)?;
                let last = count - 1;
                Ok(Message::Preview { rules: self.rules(0..last)?, clock: self.clock(last)? })
            }
            "start" => {
                self.kind = "START";
                self.expect(count >= 5, START)?;
                let clocks = count - 2;
                Ok(Message::Start {
                    id: self.word(0, "name of a match")?,
                    role: compact(self.text(1)).ok_or_else(|| self.wrong(1, "role"))?,
                    rules: self.rules(2..clocks)?,
                    start_clock: self.clock(clocks)?,
                    play_clock: self.clock(clocks + 1)?,
                })
            }
            "play" => {
                self.kind = "PLAY";
                self.expect(count == 2 || count == 4, PLAY)?;
                Ok(Message::Play { id: self.word(0, "name of a match")?, news: self.news()? })
            }
            "stop" => {
                self.kind = "STOP";
                self.expect(count >= 1, STOP)?;
                Ok(Message::Stop { id: self.word(0, "name of a match")?, news: self.last_news()? })
            }
            "abort" => {
                self.kind = "ABORT";
                self.expect(count == 1, ABORT)?;
                Ok(Message::Abort { id: self.word(0, "name of a match")? })
            }
            _ => Err(MessageError::Unknown(word.into())),
        }
    }

    fn expect(&self, right: bool, form: &'static str) -> Result<(), MessageError> {
        let (kind, given) = (self.kind, self.fields.len());
        if right { Ok(()) } else { Err(MessageError::Fields { kind, given, form }) }
    }

    fn wrong(&self, field: usize, expected: &'static str) -> MessageError {
        let text = self.text(field).into();
        MessageError::Field { kind: self.kind, text, expected }
    }

    fn text(&self, field: usize) -> &str {
        self.trees.span(self.fields[field]).text(self.text)
    }

    fn word(&self, field: usize, expected: &'static str) -> Result<String, MessageError> {
        let list = self.trees.is_list(self.fields[field]);
        if list { Err(self.wrong(field, expected)) } else { Ok(self.text(field).to_owned()) }
    }

    /// The rules without the parentheses around all of them, which some servers leave out.
    fn rules(&self, fields: Range<usize>) -> Result<String, MessageError> {
        let field = fields.start;
        if fields.len() > 1 {
            let place = |it: usize| self.trees.span(self.fields[it]);
            let all = Span { start: place(field).start, end: place(fields.end - 1).end };
            return Ok(all.text(self.text).to_owned());
        }
        let text = self.text(field).strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        text.map(str::to_owned).ok_or_else(|| self.wrong(field, "list of rules"))
    }

    fn clock(&self, field: usize) -> Result<Duration, MessageError> {
        let seconds =
            self.text(field).parse().ok().filter(|it| (0.0..=LONGEST.as_secs_f64()).contains(it));
        let expected = "number of seconds, a day at most";
        seconds.map(Duration::from_secs_f64).ok_or_else(|| self.wrong(field, expected))
    }

    fn list(&self, field: usize, expected: &'static str) -> Result<Vec<String>, MessageError> {
        let node = self.fields[field];
        if self.trees.children(node).nth(MOST_ELEMENTS).is_some() {
            return Err(self.wrong(field, "list of at most 100000 elements"));
        }
        elements_of(self.text, self.trees, node).ok_or_else(|| self.wrong(field, expected))
    }

    fn news(&self) -> Result<News, MessageError> {
        if self.fields.len() == 4 {
            return self.percepts();
        }
        if is_nil(self.text(1)) {
            return Ok(News::List(None));
        }
        Ok(News::List(Some(self.list(1, "list of moves")?)))
    }

    fn percepts(&self) -> Result<News, MessageError> {
        let turn = self.text(1).parse().map_err(|_| self.wrong(1, "number of a turn"))?;
        let own = compact(self.text(2)).filter(|it| !is_nil(it));
        Ok(News::Percepts { turn, own, percepts: self.list(3, "list of percepts")? })
    }

    /// As [`Fields::news`], but moves may stand without parentheses, or may be left out.
    fn last_news(&self) -> Result<News, MessageError> {
        match self.fields.len() {
            1 => Ok(News::List(None)),
            2 => self.news(),
            4 if self.text(1).parse::<u64>().is_ok() => self.percepts(),
            count => {
                let moves = (1..count.min(MOST_ELEMENTS)).filter_map(|it| compact(self.text(it)));
                Ok(News::List(Some(moves.collect())))
            }
        }
    }
}

impl Display for Message {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => out.write_str("( INFO )"),
            Message::Status => out.write_str("info"),
            Message::Ping => out.write_str("ping"),
            Message::Preview { rules, clock } => {
                write!(out, "( PREVIEW ({rules}) {} )", clock.as_secs_f64())
            }
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let clocks = (start_clock.as_secs_f64(), play_clock.as_secs_f64());
                write!(out, "( START {id} {role} ({rules}) {} {})", clocks.0, clocks.1)
            }
            Message::Play { id, news } => write!(out, "( PLAY {id} {news} )"),
            Message::Stop { id, news } => write!(out, "( STOP {id} {news} )"),
            Message::Abort { id } => write!(out, "( ABORT {id} )"),
        }
    }
}

impl Display for News {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            News::List(None) => out.write_str("NIL"),
            News::List(Some(all)) => write!(out, "({})", all.join(" ")),
            News::Percepts { turn, own, percepts } => {
                write!(out, "{turn} {} ", own.as_deref().unwrap_or("NIL"))?;
                match &percepts[..] {
                    [] => out.write_str("NIL"),
                    all => write!(out, "({})", all.join(" ")),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Message {
        Message::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn moves(texts: &[&str]) -> News {
        News::List(Some(texts.iter().map(|&it| it.to_owned()).collect()))
    }

    #[test]
    fn any_case_spaces_and_line_ends() {
        let news = moves(&["(mark 1 1)", "noop"]);
        let expected = Message::Play { id: "m.1".into(), news };
        for text in [
            "( PLAY m.1 ( ( mark 1 1 ) noop ) )",
            "(play m.1((mark 1\r\n1)noop))\r\n",
            "\t(Play\nm.1 ((mark 1 1) noop))",
        ] {
            assert_eq!(read(text), expected);
            assert_eq!(read(&expected.to_string()), expected);
        }
        for text in ["( INFO )", "(info)", "(Info )"] {
            assert_eq!(read(text), Message::Info);
        }
        assert_eq!(read("INFO"), Message::Status);
        for text in ["", " \r\n", "()", "ping", "(PING)", "(ping m.1)"] {
            assert_eq!(read(text), Message::Ping);
        }
    }

    #[test]
    fn start_and_preview_have_rules() {
        let Message::Start { id, role, rules, start_clock, play_clock } =
            read("( START m white ((role white) (init (a 1))) 30 1.5)")
        else {
            panic!("it is START")
        };
        assert_eq!(
            (id.as_str(), role.as_str(), rules.as_str()),
            ("m", "white", "(role white) (init (a 1))")
        );
        assert_eq!((start_clock.as_secs(), play_clock.as_millis()), (30, 1500));
        // Some leave the list around the rules out, and roles may be compound.
        let Message::Start { role, rules, play_clock, .. } =
            read("(START m ( P  1) (role (p 1)) (<= terminal (true a)) (init a) 30 5)")
        else {
            panic!("it is START")
        };
        assert_eq!((role.as_str(), play_clock.as_secs()), ("(P 1)", 5));
        assert_eq!(rules, "(role (p 1)) (<= terminal (true a)) (init a)");
        let bare =
            Message::Preview { rules: "(role a) (init b)".into(), clock: Duration::from_secs(5) };
        assert_eq!(read("(PREVIEW (role a) (init b) 5)"), bare);
        let preview = Message::Preview { rules: "(role a)".into(), clock: Duration::from_secs(5) };
        assert_eq!(read("(preview ((role a)) 5)"), preview);
        assert_eq!(read(&preview.to_string()), preview);
    }

    #[test]
    fn kind_and_match_are_known_before_the_rest() {
        let of = Message::match_of;
        assert_eq!(of("( PLAY m.1 ((mark"), Some(("play", "m.1")));
        assert_eq!(of("(Abort m)"), Some(("abort", "m")));
        assert_eq!(of("(start m white ((role"), Some(("start", "m")));
        for text in
            ["", "ping", "(INFO)", "(PLAY)", "(PLAY (m) NIL)", "((PLAY m NIL))", "(PREVIEW m)"]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn both_forms_of_percepts() {
        let first = News::Percepts { turn: 0, own: None, percepts: Vec::new() };
        assert_eq!(read("(PLAY m 0 NIL NIL)"), Message::Play { id: "m".into(), news: first });
        let own = Some("(bet 3)".to_owned());
        let later =
            News::Percepts { turn: 2, own, percepts: vec!["(card k)".into(), "win".into()] };
        let stop = Message::Stop { id: "m".into(), news: later };
        assert_eq!(read("(STOP m 2 (bet 3) ((card k) win))"), stop);
        assert_eq!(read(&stop.to_string()), stop);
        assert_eq!(
            read("(PLAY m ((card k)))"),
            Message::Play { id: "m".into(), news: moves(&["(card k)"]) }
        );
        assert_eq!(read("(PLAY m NIL)"), Message::Play { id: "m".into(), news: News::List(None) });
    }

    #[test]
    fn stop_needs_no_parentheses() {
        let stop = |news| Message::Stop { id: "m".into(), news };
        assert_eq!(read("(STOP m noop)"), stop(moves(&["noop"])));
        assert_eq!(read("(stop m noop (mark 1 1))"), stop(moves(&["noop", "(mark 1 1)"])));
        assert_eq!(read("(stop m)"), stop(News::List(None)));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let cases = [
            ("(PLAY m", "no KIF"),
            ("(PLAY m NIL) (INFO)", "after its end"),
            ("(MOVE m)", "unknown message `MOVE`"),
            ("((PLAY m))", "unknown message"),
            ("(PLAY m)", "expected `(PLAY id (moves))"),
            ("(PLAY m NIL x)", "PLAY has 3 fields"),
            ("(PLAY (m) NIL)", "`(m)` is no name of a match"),
            ("(START m w (rules) ten 5)", "`ten` is no number of seconds"),
            ("(START m w (rules) -1 5)", "no number of seconds"),
            ("(START m w (rules) nan 5)", "no number of seconds"),
            ("(START m w (rules) 5 86401)", "a day at most"),
            ("(START m w rules 5 5)", "no list of rules"),
            ("(PLAY m one NIL NIL)", "no number of a turn"),
            ("(ABORT)", "ABORT has 0 fields"),
        ];
        for (text, expected) in cases {
            let error = Message::parse(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
