//! Infix notation of GDL, as in `legal(X, mark(Y)) :- true(control(X)) & ~true(cell(Y, full)).`, made KIF.
//!
//! - `:-`, `<=`, `<-` or `←` begins the body; `,`, `&` or `∧` is and, `;`, `|` or `∨` or; `not`, `~`, `¬`, `\+` or `naf` not. Not binds
//!   tightest, then and, then or. `X != Y` (also `\=`, `\==`, `≠`) and `distinct(X, Y)` say that terms differ.
//! - Names that begin with a capital letter or `_` are variables: `X` is `?X`. Each `_` alone is another one. Names in single quotes are
//!   constants.
//! - A statement ends at a dot, or at the end of a line behind which no operator follows. `%` begins a comment to the end of the line,
//!   and `/*` one that ends with `*/`.
//!
//! Lines stay what they are, so that messages about the KIF name the lines of the text.

mod grammar;

use grammar::{Kind, Node};

use super::{DEFAULT_NESTING, Diagnostic, Span, SyntaxError};

/// Whether a name is read as a constant without quotes.
#[must_use]
pub fn is_plain(name: &str) -> bool {
    !name.starts_with(grammar::begins_variable)
        && !name.is_empty()
        && name.chars().all(grammar::is_name_character)
        && name != "not"
        && name != "naf"
}

/// Whether a name is read as a variable.
#[must_use]
pub fn is_variable(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.chars().all(grammar::is_name_character)
}

/// Whether a text is in infix notation: its first statement is a word right before a parenthesis, before a dot or before the sign of a
/// rule. Words alone on their lines leave it to the next.
#[must_use]
pub fn is_infix(text: &str) -> bool {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        rest = rest.trim_start();
        if rest.starts_with([';', '%']) {
            rest = rest.find(['\n', '\r']).map_or("", |it| &rest[it..]);
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.find("*/").map_or("", |it| &comment[it + 2..]);
            continue;
        }
        let length = match rest.starts_with('\'') {
            true => grammar::length_of_quoted(rest),
            false => rest.find(|it: char| !is_word_character(it)).unwrap_or(rest.len()),
        };
        let begins_rule =
            |it: &str| [":-", "<=", "<-", "←"].iter().any(|sign| it.starts_with(sign));
        let behind = &rest[length..];
        if length == 0 {
            return rest.starts_with(":-");
        }
        if behind.starts_with(['(', '.']) || begins_rule(behind.trim_start()) {
            return true;
        }
        let line = behind.split(['\n', '\r']).next().unwrap_or_default().trim();
        if !line.is_empty() && !line.starts_with(';') && !line.starts_with('%') {
            return false;
        }
        rest = behind;
    }
}

/// What the first word of a text may consist of, whatever its notation.
fn is_word_character(character: char) -> bool {
    !character.is_whitespace() && !"()&,|~'%;:!=<>.\"←".contains(character)
}

/// The text as KIF.
///
/// # Errors
/// What is not expected, and where.
///
/// ```
/// let kif = groundfrog::kif::infix::to_kif("goal(X, 100) :- role(X) & ~true(lit(b)).")?;
/// assert_eq!(kif.trim(), "(<= (goal ?X 100) (role ?X) (not (true (lit b))))");
/// # Ok::<(), Box<groundfrog::kif::Diagnostic>>(())
/// ```
pub fn to_kif(text: &str) -> Result<String, Box<Diagnostic>> {
    let kif = translate(text, DEFAULT_NESTING, &|| false)?;
    Ok(kif.unwrap_or_default())
}

/// Statements that are read before the time is looked at again.
const BETWEEN_LOOKS: u64 = 64;

/// The same, nested no deeper than allowed; `None` if it is late.
pub(crate) fn translate(
    text: &str,
    deepest: usize,
    is_late: &dyn Fn() -> bool,
) -> Result<Option<String>, Box<Diagnostic>> {
    let mut writer = Writer { text, place: 0, out: String::with_capacity(text.len()) };
    let mut input = grammar::begin(text, deepest.min(DEFAULT_NESTING));
    for count in 0u64.. {
        if count % BETWEEN_LOOKS == 0 && is_late() {
            return Ok(None);
        }
        if grammar::is_done(&input) {
            break;
        }
        match grammar::statement(&mut input) {
            Ok(statement) => writer.node(&statement),
            Err(fault) => {
                let what = fault.into_inner().ok().and_then(|it| it.context().next().copied());
                return Err(Box::new(fault_at(text, grammar::place(&input), what, deepest)));
            }
        }
    }
    writer.pass_lines(text.len());
    Ok(Some(writer.out))
}

/// The error that something else is expected at a place.
fn fault_at(text: &str, place: usize, what: Option<&str>, deepest: usize) -> Diagnostic {
    let rest = &text[place..];
    let marks =
        ["<=>", "<=", "=>", "->", "<-", ":-", "\\=", "\\+", "!=", "==", "/*", "*/", "||", "&&"];
    let length = match rest.find(|it| !grammar::is_name_character(it)).unwrap_or(rest.len()) {
        0 => match marks.iter().find(|it| rest.starts_with(**it)) {
            Some(mark) => mark.len(),
            None => rest.chars().next().map_or(0, char::len_utf8),
        },
        length => length,
    };
    let span = Span::new(place, place + length);
    if what == Some(grammar::LESS_NESTING) {
        return (&SyntaxError::TooDeep { limit: deepest, span }).into();
    }
    let found = match &rest[..length] {
        "" => "the end of the text".to_owned(),
        "\n" | "\r" => "the end of the line".to_owned(),
        found => format!("`{found}`"),
    };
    let what = what.unwrap_or("something else");
    let message = format!("{what} is expected here, not {found}");
    let help = match &rest[..length] {
        ";" if what.starts_with("a name,") => "`;` is or: a comment begins with `%`",
        ":-" if what.starts_with("a name,") => "directives of Prolog are not read: delete them",
        "=" | "==" => {
            "terms are equal where they are written alike; `X != Y` says that they differ"
        }
        "(" => "the `(` of arguments stands right after the name; KIF is another notation",
        "/*" => "this comment has no end: `*/` is missing",
        _ => {
            "infix notation looks like `legal(X, mark(Y)) :- true(control(X)) & ~true(full(Y)).`; names that are more than letters, \
             digits and `_` stand in single quotes"
        }
    };
    Diagnostic::error("GF0111", message, span).with_help(help)
}

/// Writes KIF on the lines of the text.
struct Writer<'text> {
    text: &'text str,
    /// To where the line ends of the text are written.
    place: usize,
    out: String,
}

impl Writer<'_> {
    fn pass_lines(&mut self, place: usize) {
        let passed = &self.text[self.place..place.max(self.place)];
        self.out.extend(passed.chars().filter(|it| matches!(it, '\n' | '\r')));
        self.place = place.max(self.place);
    }

    fn node(&mut self, node: &Node<'_>) {
        self.pass_lines(node.span.start);
        if !self.out.is_empty() && !self.out.ends_with(['(', '\n']) {
            self.out.push(' ');
        }
        match &node.kind {
            Kind::Word(word) => self.out.push_str(word),
            Kind::List(nodes) => {
                self.out.push('(');
                nodes.iter().for_each(|it| self.node(it));
                self.out.push(')');
            }
        }
    }
}
