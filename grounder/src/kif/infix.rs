//! Infix notation of GDL, as in `legal(X, mark(Y)) :- true(control(X)) & ~true(cell(Y, full)).`, made KIF.
//!
//! - `:-` or `<=` begins the body; `&` or `,` is and, `|` or, `~` or `not` not; `X != Y` and `distinct(X, Y)` say that terms differ.
//! - Names that begin with a capital letter or `_` are variables: `X` is `?X`. Each `_` alone is another one. Names in single quotes are
//!   constants.
//! - A statement ends at a dot, or where the next one begins. `%` or `;` begins a comment.
//!
//! Lines stay what they are, so that messages about the KIF name the lines of the text.

use super::{Diagnostic, Span};

/// What names consist of, apart from `.` between them and other characters.
fn is_name_character(character: char) -> bool {
    !character.is_whitespace() && !"()&,|~'%;:!=<>.\"".contains(character)
}

/// Whether a name is read as a constant without quotes.
#[must_use]
pub fn is_plain(name: &str) -> bool {
    let starts = |first: char| is_name_character(first) && !first.is_uppercase() && first != '_';
    name.starts_with(starts) && name.chars().all(is_name_character) && name != "not"
}

/// Whether a name is read as a variable.
#[must_use]
pub fn is_variable(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.chars().all(is_name_character)
}

/// Whether a text is in infix notation: a word stands right before a parenthesis, and none right after the first.
#[must_use]
pub fn is_infix(text: &str) -> bool {
    for line in text.lines() {
        let line = line.split([';', '%']).next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let name = line.split(|it: char| !is_name_character(it)).next().unwrap_or_default();
        return !name.is_empty()
            && (line[name.len()..].starts_with('(')
                || line[name.len()..].trim_start().starts_with(":-"));
    }
    false
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
    let mut translation = Translation {
        text,
        place: 0,
        out: String::with_capacity(text.len()),
        unnamed: 0,
        depth: 0,
    };
    loop {
        translation.skip();
        if translation.place == text.len() {
            return Ok(translation.out);
        }
        translation.statement()?;
    }
}

/// How deep terms and formulae may be nested.
const DEEPEST: usize = 200;

struct Translation<'text> {
    text: &'text str,
    place: usize,
    out: String,
    /// Variables without a name so far.
    unnamed: usize,
    depth: usize,
}

/// What is translated, or what was expected and where.
type Translated<T> = Result<T, Box<Diagnostic>>;

impl<'text> Translation<'text> {
    fn rest(&self) -> &'text str {
        &self.text[self.place..]
    }

    /// Passes over blanks and comments; line ends are kept.
    fn skip(&mut self) {
        while let Some(next) = self.rest().chars().next() {
            if matches!(next, '%' | ';') {
                self.place += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if next.is_whitespace() {
                if next == '\n' {
                    self.out.push('\n');
                }
                self.place += next.len_utf8();
            } else {
                return;
            }
        }
    }

    /// Passes over a mark, if it comes next.
    fn take(&mut self, mark: &str) -> bool {
        self.skip();
        let is_there = self.rest().starts_with(mark);
        self.place += if is_there { mark.len() } else { 0 };
        is_there
    }

    fn expected<T>(&self, what: &str) -> Translated<T> {
        let start = self.place;
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        let message = format!("{what} is expected here");
        let help =
            "infix notation looks like `legal(X, mark(Y)) :- true(control(X)) & ~true(full(Y)).`";
        let error = Diagnostic::error("GF0111", message, Span::new(start, start + length));
        Err(Box::new(error.with_help(help)))
    }

    fn statement(&mut self) -> Translated<()> {
        let start = self.out.len();
        self.atom()?;
        if self.take(":-") || self.take("<=") {
            self.out.insert_str(start, "(<= ");
            loop {
                self.out.push(' ');
                self.alternatives()?;
                if !(self.take("&") || self.take(",")) {
                    break;
                }
            }
            self.out.push(')');
        }
        self.take(".");
        self.out.push(' ');
        Ok(())
    }

    /// One or more formulae with `|` between them.
    fn alternatives(&mut self) -> Translated<()> {
        let start = self.out.len();
        self.formula()?;
        let mut is_single = true;
        while self.take("|") {
            if is_single {
                self.out.insert_str(start, "(or ");
                is_single = false;
            }
            self.out.push(' ');
            self.formula()?;
        }
        if !is_single {
            self.out.push(')');
        }
        Ok(())
    }

    fn formula(&mut self) -> Translated<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.expected("less nesting");
        }
        self.skip();
        let is_not = self.rest().strip_prefix("not").is_some_and(|rest| {
            rest.starts_with(|next: char| next.is_whitespace() || next == '(' || next == '~')
        });
        if is_not || self.rest().starts_with('~') {
            self.place += if is_not { "not".len() } else { 1 };
            self.out.push_str("(not ");
            self.formula()?;
            self.out.push(')');
        } else if self.take("(") {
            let start = self.out.len();
            self.alternatives()?;
            let mut is_single = true;
            while self.take("&") || self.take(",") {
                if is_single {
                    self.out.insert_str(start, "(and ");
                    is_single = false;
                }
                self.out.push(' ');
                self.alternatives()?;
            }
            if !is_single {
                self.out.push(')');
            }
            if !self.take(")") {
                return self.expected("`)`");
            }
        } else {
            let start = self.out.len();
            self.atom()?;
            if self.take("!=") || self.take("\\=") {
                self.out.insert_str(start, "(distinct ");
                self.out.push(' ');
                self.atom()?;
                self.out.push(')');
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// An atom or a term.
    fn atom(&mut self) -> Translated<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.expected("less nesting");
        }
        self.skip();
        let start = self.out.len();
        self.name()?;
        if self.rest().starts_with('(') {
            self.place += 1;
            self.out.insert(start, '(');
            if !self.take(")") {
                loop {
                    self.out.push(' ');
                    self.atom()?;
                    if self.take(")") {
                        break;
                    }
                    if !self.take(",") {
                        return self.expected("`,` or `)`");
                    }
                }
            }
            self.out.push(')');
        }
        self.depth -= 1;
        Ok(())
    }

    fn name(&mut self) -> Translated<()> {
        if self.rest().starts_with('\'') {
            return self.quoted();
        }
        let rest = self.rest();
        let length = rest.find(|it| !is_name_character(it)).unwrap_or(rest.len());
        let name = &rest[..length];
        let Some(first) = name.chars().next() else { return self.expected("a name") };
        self.place += length;
        if name == "_" {
            self.unnamed += 1;
            self.out.push_str(&format!("?_{}", self.unnamed));
        } else {
            if first.is_uppercase() || first == '_' {
                self.out.push('?');
            }
            self.out.push_str(name);
        }
        Ok(())
    }

    fn quoted(&mut self) -> Translated<()> {
        let rest = self.rest();
        let (mut name, mut is_escaped) = (String::new(), false);
        for (place, character) in rest.char_indices().skip(1) {
            match character {
                '\'' if !is_escaped => {
                    let is_word = !name.is_empty()
                        && !name.contains(|it: char| it.is_whitespace() || "();".contains(it));
                    if !is_word {
                        return self.expected("a name without blanks and parentheses");
                    }
                    self.place += place + 1;
                    self.out.push_str(&name);
                    return Ok(());
                }
                '\\' if !is_escaped => is_escaped = true,
                _ => {
                    name.push(character);
                    is_escaped = false;
                }
            }
        }
        self.expected("a name that ends with `'`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kif(text: &str) -> String {
        to_kif(text).expect("the text is well formed").trim().to_owned()
    }

    #[test]
    fn statements_need_no_dot() {
        let text = "role(white) % who plays\nrole(black)\nlegal(W, mark(X, _)) :-\n  true(control(W)) & ~true(done) &\n  X != 3\nterminal :- true(a) | true(b)";
        let expected = "(role white) \n(role black) \n(<= (legal ?W (mark ?X ?_1)) \n (true (control ?W)) (not (true done)) \n (distinct ?X 3)\n) \
                        (<= terminal (or (true a) (true b)))";
        let joined =
            |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" )", ")");
        assert_eq!(joined(&kif(text)), joined(expected));
        assert_eq!(kif(text).lines().count(), text.lines().count());
    }

    #[test]
    fn alternatives_inside_conjunctions_and_quoted_names() {
        assert_eq!(
            kif("p('X', 'a.b') :- (q & r | s), not t(Y)."),
            "(<= (p X a.b) (and q (or r s)) (not (t ?Y)))"
        );
    }

    #[test]
    fn faults_have_their_place() {
        for (text, place) in [("p(a", 3), ("p(a,,b)", 4), ("p :- (q", 7), ("p('a b')", 2)] {
            let fault = to_kif(text).expect_err("it is not well formed");
            assert_eq!(fault.span().start, place, "{text}: {}", fault.message);
        }
    }

    #[test]
    fn kif_is_not_taken_for_infix() {
        assert!(is_infix("% a game\nrole(white)\n"));
        assert!(is_infix("terminal :- true(a)"));
        assert!(!is_infix("; a game\n(role white)"));
        assert!(!is_infix("terminal (role white)"));
        assert!(!is_infix(""));
    }
}
