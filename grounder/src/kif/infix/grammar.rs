//! The grammar of infix notation, by the parser library winnow.
//!
//! ```text
//! statement   = head [ IF formula ] ( "." | line end | end of text )
//! formula     = conjunction { OR conjunction }
//! conjunction = negation { AND negation }
//! negation    = { NOT } ( "(" formula ")" | ( "or" | "and" ) "(" formula { "," formula } ")" | literal )
//! literal     = term [ UNEQUAL term ]
//! term        = name [ "(" [ term { "," term } ] ")" ]
//! ```
//!
//! Blanks and comments may stand between any two of these, but the `(` of arguments stands right after the name. A formula between
//! the commas of `or(...)` has none of its own outside of parentheses.

use std::borrow::Cow;
use std::ops::Range;

use winnow::Parser;
use winnow::ascii::digit1;
use winnow::combinator::{alt, cut_err, fail, not, opt, repeat, separated, terminated};
use winnow::error::{ContextError, ErrMode};
use winnow::stream::{LocatingSlice, Location, Stateful, Stream};
use winnow::token::{none_of, one_of, take_till, take_until, take_while};

/// A text that is being read.
pub(super) type Input<'text> = Stateful<LocatingSlice<&'text str>, State<'text>>;
/// What was expected.
type Fault = ErrMode<ContextError<&'static str>>;
type Read<T> = Result<T, Fault>;

/// What is expected where nothing is wrong but the depth.
pub(super) const LESS_NESTING: &str = "less nesting";

/// What a text is read with.
#[derive(Debug)]
pub(super) struct State<'text> {
    text: &'text str,
    deepest: usize,
    depth: usize,
    /// Variables without a name so far.
    unnamed: usize,
}

/// A word or a list of KIF, and where what it stands for is written.
pub(super) struct Node<'text> {
    pub(super) span: Range<usize>,
    pub(super) kind: Kind<'text>,
}

pub(super) enum Kind<'text> {
    Word(Cow<'text, str>),
    List(Vec<Node<'text>>),
}

impl<'text> Node<'text> {
    fn word(word: impl Into<Cow<'text, str>>, span: Range<usize>) -> Self {
        Node { span, kind: Kind::Word(word.into()) }
    }

    /// A list of nodes behind a keyword.
    fn list(keyword: &'static str, nodes: Vec<Self>, span: Range<usize>) -> Self {
        let keyword = Node::word(keyword, span.start..span.start);
        Node { span, kind: Kind::List([keyword].into_iter().chain(nodes).collect()) }
    }

    /// A node alone, or more of them behind a keyword.
    fn joined(keyword: &'static str, mut nodes: Vec<Self>) -> Self {
        match (nodes.len(), nodes.pop()) {
            (1, Some(node)) => node,
            (_, last) => {
                nodes.extend(last);
                let start = nodes.first().map_or(0, |it| it.span.start);
                let end = nodes.last().map_or(0, |it| it.span.end);
                Node::list(keyword, nodes, start..end)
            }
        }
    }

    /// The word, or that in front.
    fn name(&self) -> &str {
        match &self.kind {
            Kind::Word(word) => word,
            Kind::List(nodes) => nodes.first().map_or("", Node::name),
        }
    }
}

/// What names and variables consist of.
pub(super) fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// What variables begin with.
pub(super) fn begins_variable(character: char) -> bool {
    character.is_uppercase() || character == '_'
}

/// A text from its beginning.
fn input(text: &str, deepest: usize) -> Input<'_> {
    let state = State { text, deepest, depth: 0, unnamed: 0 };
    Input { input: LocatingSlice::new(text), state }
}

/// How long the name in quotes is with which a text begins; 0 if there is none.
pub(super) fn length_of_quoted(text: &str) -> usize {
    let mut input = input(text, 0);
    quoted(&mut input).map_or(0, |_| place(&input))
}

/// A text, behind the blanks at its beginning.
pub(super) fn begin(text: &str, deepest: usize) -> Input<'_> {
    let mut input = input(text, deepest);
    // What is no blank is left to the first statement.
    let _: Read<_> = (opt('\u{feff}'), blank).parse_next(&mut input);
    input
}

/// Whether all is read.
pub(super) fn is_done(input: &Input<'_>) -> bool {
    input.eof_offset() == 0
}

/// How far a text is read.
pub(super) fn place(input: &Input<'_>) -> usize {
    input.current_token_start()
}

/// A rule or a fact.
///
/// # Errors
/// The first in its context is what was expected at the place where the input stands.
pub(super) fn statement<'text>(input: &mut Input<'text>) -> Read<Node<'text>> {
    let before = input.checkpoint();
    let what = "a name, with which a statement begins,";
    let start = place(input);
    let head = term(input, what)?;
    let is_sign =
        ["not", "naf"].contains(&head.name()) && !input.state.text[start..].starts_with('\'');
    if is_sign || head.name().starts_with('?') {
        input.reset(&before);
        return refuse(input, what);
    }
    if head.name() == "<=" {
        input.reset(&before);
        return refuse(input, "another name than `<=`");
    }
    if opt(mark(alt((":-", "<=", "<-", "←")))).parse_next(input)?.is_none() {
        end(input, head.span.end, "`:-`, `.` or a line end")?;
        // In parentheses, since a word alone would be taken for a stray one.
        return Ok(match head.kind {
            Kind::Word(_) => Node { span: head.span.clone(), kind: Kind::List(vec![head]) },
            Kind::List(_) => head,
        });
    }
    let mut branches = branches(input, true)?;
    let body = match branches.pop() {
        Some(conjunction) if branches.is_empty() => conjunction,
        last => vec![disjunction(branches.into_iter().chain(last).collect())],
    };
    let span = head.span.start..body.last().map_or(head.span.end, |it| it.span.end);
    end(input, span.end, "an operator, `.` or a line end")?;
    Ok(Node::list("<=", [head].into_iter().chain(body).collect(), span))
}

/// The end of a statement whose last word ends at a place.
fn end(input: &mut Input<'_>, place: usize, what: &'static str) -> Read<()> {
    if opt(mark(".")).parse_next(input)?.is_some() {
        return Ok(());
    }
    let passed = &input.state.text[place..input.current_token_start()];
    match is_done(input) || passed.contains(['\n', '\r']) {
        true => Ok(()),
        false => refuse(input, what),
    }
}

/// Formulae of which one is to hold, each as what is all to hold.
fn branches<'text>(input: &mut Input<'text>, with_commas: bool) -> Read<Vec<Vec<Node<'text>>>> {
    let and = |input: &mut Input<'text>| match with_commas {
        true => mark(alt(("&", "∧", ","))).parse_next(input),
        false => mark(alt(("&", "∧"))).parse_next(input),
    };
    let conjunction = |input: &mut Input<'text>| -> Read<Vec<Node<'text>>> {
        separated(1.., negation, and).parse_next(input)
    };
    separated(1.., conjunction, mark(alt((";", "|", "∨")))).parse_next(input)
}

fn disjunction<'text>(branches: Vec<Vec<Node<'text>>>) -> Node<'text> {
    Node::joined("or", branches.into_iter().map(|it| Node::joined("and", it)).collect())
}

fn negation<'text>(input: &mut Input<'text>) -> Read<Node<'text>> {
    let word = bare.verify(|it: &str| it == "not" || it == "naf");
    let sign = mark(alt(("~", "¬", "\\+", word))).with_span();
    let signs: Vec<_> = repeat(0.., sign.map(|(_, span)| span.start)).parse_next(input)?;
    deeper(input, signs.len())?;
    let mut node = primary(input)?;
    input.state.depth -= signs.len();
    for &start in signs.iter().rev() {
        let span = start..node.span.end;
        node = Node::list("not", vec![node], span);
    }
    Ok(node)
}

fn primary<'text>(input: &mut Input<'text>) -> Read<Node<'text>> {
    let start = input.current_token_start();
    let open = alt((terminated("or", '('), terminated("and", '('), "("));
    let Some(opened) = opt(open).parse_next(input)? else { return literal(input) };
    deeper(input, 1)?;
    blank(input)?;
    let with_commas = !matches!(opened, "or" | "and");
    let formula = |input: &mut Input<'text>| branches(input, with_commas).map(disjunction);
    let nodes: Vec<Node<'text>> = match with_commas {
        true => vec![formula(input)?],
        false => separated(1.., formula, mark(",")).parse_next(input)?,
    };
    expected("an operator or `)`", ')').parse_next(input)?;
    let span = start..input.previous_token_end();
    input.state.depth -= 1;
    blank(input)?;
    Ok(match opened {
        "or" => Node::list("or", nodes, span),
        "and" => Node::list("and", nodes, span),
        _ => Node { span, kind: Node::joined("and", nodes).kind },
    })
}

/// An atom, or two terms that are to differ.
fn literal<'text>(input: &mut Input<'text>) -> Read<Node<'text>> {
    let left = term(input, "a formula")?;
    let unequal = mark(alt(("!=", "\\==", "\\=", "≠")));
    if opt(unequal).parse_next(input)?.is_none() {
        return match left.name().starts_with('?') {
            true => refuse(input, "`!=`, since a variable alone is no formula,"),
            false => Ok(left),
        };
    }
    let right = term(input, "a term")?;
    let span = left.span.start..right.span.end;
    Ok(Node::list("distinct", vec![left, right], span))
}

/// An atom or a term, which may be called otherwise where it is missing.
fn term<'text>(input: &mut Input<'text>, what: &'static str) -> Read<Node<'text>> {
    let before = input.checkpoint();
    let start = input.current_token_start();
    let word = expected(what, word).parse_next(input)?;
    let name = Node::word(word, start..input.previous_token_end());
    if opt('(').parse_next(input)?.is_none() {
        blank(input)?;
        return Ok(name);
    }
    if name.name().starts_with('?') {
        input.reset(&before);
        return refuse(input, "a name that begins with a small letter, as arguments follow,");
    }
    deeper(input, 1)?;
    blank(input)?;
    let mut nodes = vec![name];
    if opt(')').parse_next(input)?.is_none() {
        let argument = |input: &mut Input<'text>| term(input, "a term");
        let arguments: Vec<_> = separated(1.., argument, mark(",")).parse_next(input)?;
        nodes.extend(arguments);
        expected("`,` or `)`", ')').parse_next(input)?;
    }
    let span = start..input.previous_token_end();
    input.state.depth -= 1;
    blank(input)?;
    Ok(Node { span, kind: Kind::List(nodes) })
}

/// A name or a variable as KIF has it.
fn word<'text>(input: &mut Input<'text>) -> Read<Cow<'text, str>> {
    let variable = (one_of(begins_variable), take_while(0.., is_name_character)).take();
    if let Some(name) = opt(variable).parse_next(input)? {
        if name != "_" {
            return Ok(format!("?{name}").into());
        }
        // No variable with a name can be called so.
        input.state.unnamed += 1;
        return Ok(format!("?_-{}", input.state.unnamed).into());
    }
    alt((number.map(Cow::from), bare.map(Cow::from), string.map(Cow::from), quoted.map(Cow::from)))
        .parse_next(input)
}

fn number<'text>(input: &mut Input<'text>) -> Read<&'text str> {
    let digits = (opt('-'), digit1, opt(('.', digit1))).take();
    terminated(digits, not(one_of(is_name_character))).parse_next(input)
}

/// A name without quotes. Those that begin with a letter may have hyphens inside.
fn bare<'text>(input: &mut Input<'text>) -> Read<&'text str> {
    let part = || take_while(1.., is_name_character);
    let begins_part = |it: char| is_name_character(it) && !begins_variable(it);
    let hyphen = ('-', one_of(begins_part), take_while(0.., is_name_character));
    let digits = (one_of(char::is_numeric), take_while(0.., is_name_character)).take();
    alt((
        digits,
        (not(one_of(begins_variable)), part(), repeat::<_, _, (), _, _>(0.., hyphen)).take(),
    ))
    .parse_next(input)
}

/// A name in double quotes, which belong to it.
fn string<'text>(input: &mut Input<'text>) -> Read<&'text str> {
    let before = input.checkpoint();
    let inside = take_till(0.., ['"', '\n', '\r']);
    let mut string = ('"', inside, expected("`\"`, the end of the string,", '"')).take();
    let string = string.parse_next(input)?;
    checked(input, &before, string)
}

fn quoted(input: &mut Input<'_>) -> Read<String> {
    let before = input.checkpoint();
    let plain = none_of(['\'', '\\', '\n', '\r']);
    let character = alt(("''".value('\''), "\\'".value('\''), "\\\\".value('\\'), plain));
    '\''.parse_next(input)?;
    let name: String = repeat(0.., character).parse_next(input)?;
    expected("`'`, the end of the name,", '\'').parse_next(input)?;
    checked(input, &before, name)
}

/// What was in quotes, if it can be a name of KIF.
fn checked<'text, T: AsRef<str>>(
    input: &mut Input<'text>,
    before: &<Input<'text> as Stream>::Checkpoint,
    name: T,
) -> Read<T> {
    let is_odd = |it: char| it.is_whitespace() || "();".contains(it);
    if !name.as_ref().is_empty()
        && !name.as_ref().starts_with('?')
        && !name.as_ref().contains(is_odd)
    {
        return Ok(name);
    }
    input.reset(before);
    refuse(input, "a name with no blank, parenthesis or `;` in it and no `?` in front")
}

/// An operator or another mark, and the blanks after it.
fn mark<'text>(
    parser: impl Parser<Input<'text>, &'text str, Fault>,
) -> impl Parser<Input<'text>, &'text str, Fault> {
    terminated(parser, blank)
}

/// Blanks and comments.
fn blank(input: &mut Input<'_>) -> Read<()> {
    let space = take_while(1.., char::is_whitespace).void();
    let line = ('%', take_till(0.., ['\n', '\r'])).void();
    let comment = ("/*", take_until(0.., "*/"), "*/").void();
    repeat(0.., alt((space, line, comment))).parse_next(input)
}

/// What has to come next, and what it is called where it does not.
fn expected<'text, T>(
    what: &'static str,
    parser: impl Parser<Input<'text>, T, Fault>,
) -> impl Parser<Input<'text>, T, Fault> {
    cut_err(parser).context(what)
}

/// Says what is expected in the place of what comes next.
fn refuse<'text, T>(input: &mut Input<'text>, what: &'static str) -> Read<T> {
    expected(what, fail).parse_next(input)
}

/// Goes deeper by some levels, if that is allowed.
fn deeper(input: &mut Input<'_>, levels: usize) -> Read<()> {
    input.state.depth += levels;
    match input.state.depth > input.state.deepest {
        true => refuse(input, LESS_NESTING),
        false => Ok(()),
    }
}
