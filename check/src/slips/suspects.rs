//! Names that are hardly meant, and what may be meant instead.

use std::cmp::Reverse;

use fxhash::{FxHashMap, FxHashSet};

use groundfrog::description::{Description, slip};
use groundfrog::kif::{Diagnostic, Span, TokenKind};
use groundfrog::symbols::Symbol;

use super::names::{Key, Kind, Names, Place, Uses, key};
use crate::edit::{Edit, SUGGESTION, tokens};

/// So many names that stand once are tried, with so many others in their place.
const MOST_SUSPECTS: usize = 8;
const MOST_NAMES: usize = 3;
/// In a text with more names that stand once, or a sort with more names, those are not compared.
const MOST_COMPARED: usize = 512;
/// So many ways to mend a wrong number of arguments are tried.
const MOST_MENDS: usize = 12;

/// A name that stands once, and may be a slip.
pub(super) struct Suspect<'n> {
    pub(super) finding: Diagnostic,
    /// What may be meant.
    pub(super) names: Vec<&'n str>,
    /// Whether they are spelled like it.
    pub(super) is_alike: bool,
}

/// The slips that the text itself shows.
pub(super) fn findings(names: &Names<'_>) -> Vec<Diagnostic> {
    let mut found = Findings { names, found: Vec::new(), blamed: FxHashSet::default() };
    Kind::ALL.into_iter().for_each(|kind| found.unread_and_unmade(kind));
    found.rare();
    found.found
}

struct Findings<'n> {
    names: &'n Names<'n>,
    found: Vec<Diagnostic>,
    blamed: FxHashSet<Symbol>,
}

impl Findings<'_> {
    fn name(&self, key: Key) -> &str {
        self.names.description.symbols.name(key.0)
    }

    /// What is read and never made, and what is made and never read, beside what is nearly the same.
    fn unread_and_unmade(&mut self, kind: Kind) {
        let flow = self.names.flow(kind);
        let missing = |some: &FxHashMap<Key, Uses>, other: &FxHashMap<Key, Uses>| {
            let mut alone: Vec<(Key, Uses)> = some
                .iter()
                .filter(|it| !other.contains_key(it.0))
                .map(|(&key, &uses)| (key, uses))
                .collect();
            alone.sort_unstable_by_key(|it| it.1.first);
            alone.truncate(MOST_COMPARED);
            alone
        };
        let mut unread = if flow.reads_any { Vec::new() } else { missing(&flow.made, &flow.read) };
        let unmade = if flow.makes_any { Vec::new() } else { missing(&flow.read, &flow.made) };
        for (key, uses) in unmade {
            let Some((other, its)) = self.partner(key, &flow.made) else { continue };
            let is_unread = unread.iter().any(|it| it.0 == other);
            if is_unread && its.count < uses.count {
                self.report(kind, (other, its), (key, uses), true);
            } else if kind != Kind::Predicate {
                self.report(kind, (key, uses), (other, its), false);
            }
            unread.retain(|it| it.0 != other);
        }
        for (key, uses) in unread {
            let partner = self.partner(key, &flow.read).filter(|(other, _)| {
                other.0 == key.0 || is_plain_slip(self.name(key), self.name(*other))
            });
            match partner {
                Some(partner) => self.report(kind, (key, uses), partner, true),
                None if kind == Kind::Predicate => self.keyword(key, uses),
                None => {}
            }
        }
    }

    /// What has the same name and another number of arguments, or nearly the same name and as many.
    fn partner(&self, key: Key, others: &FxHashMap<Key, Uses>) -> Option<(Key, Uses)> {
        let rank = |other: &Key| match other.0 == key.0 {
            // `(open)` beside `open` is another matter.
            true if other.1.unwrap_or(0) == key.1.unwrap_or(0) => None,
            true => Some(0),
            false if other.1 == key.1 => slip(self.name(key), self.name(*other)),
            false => None,
        };
        let near = others.iter().filter_map(|(other, uses)| Some((rank(other)?, *other, *uses)));
        let best = near.min_by_key(|(rank, key, uses)| (*rank, Reverse(uses.count), *key));
        best.map(|(_, key, uses)| (key, uses))
    }

    /// Reports the first of two, the second being what may be meant.
    fn report(
        &mut self,
        kind: Kind,
        (key, uses): (Key, Uses),
        (other, its): (Key, Uses),
        is_made: bool,
    ) {
        self.blamed.insert(key.0);
        let name = self.name(key);
        let what = match kind {
            Kind::Fluent => "fluent",
            Kind::Move => "move",
            Kind::Predicate => "predicate",
        };
        let lacks = match (kind, is_made) {
            (Kind::Move, true) => "no rule reads",
            (Kind::Move, false) => "no rule makes legal",
            (_, true) => "no rule reads",
            (_, false) => "no rule makes true",
        };
        let place = word(uses.first, name, &self.names.description.source);
        self.found.push(if key.0 == other.0 {
            let (own, others) = (arguments(key), arguments(other));
            Diagnostic::error("GF0208", format!("`{name}` has {own} here and {others} elsewhere"), uses.first)
                .with_remark(format!("{lacks} a {what} `{name}` with {own}"))
                .with_label(its.first, format!("`{name}` with {others}"))
                .with_help("with another number of arguments it is something else: add what is missing, or leave out what is too much")
        } else {
            Diagnostic::warning("GF0207", format!("`{name}` is a {what} that {lacks}"), place)
                .with_label(its.first, format!("spelled like `{}`", self.name(other)))
                .with_help(format!("{SUGGESTION}{}`?", self.name(other)))
        });
    }

    /// Reports an unused predicate whose name is nearly a keyword.
    fn keyword(&mut self, key: Key, uses: Uses) {
        let Names { description, .. } = self.names;
        let keywords = &description.keywords;
        let words = [
            keywords.role,
            keywords.init,
            keywords.next,
            keywords.legal,
            keywords.goal,
            keywords.terminal,
            keywords.sees,
            keywords.base,
            keywords.input,
        ];
        let name = self.name(key);
        let near = words.into_iter().filter(|&it| {
            let fits = keywords.arity(it).map(|it| it as usize) == Some(key.1.unwrap_or(0));
            // Few games need these, so that there are none about them tells nothing.
            let is_optional = [keywords.sees, keywords.base, keywords.input].contains(&it);
            let is_near = !is_optional || is_plain_slip(name, description.symbols.name(it));
            fits && is_near && self.may_be(it, uses.first)
        });
        let near = near.filter_map(|it| Some((slip(name, description.symbols.name(it))?, it)));
        let Some((_, keyword)) = near.min_by_key(|it| it.0) else { return };
        let place = word(uses.first, name, &description.source);
        let keyword = description.symbols.name(keyword);
        self.found.push(
            Diagnostic::warning(
                "GF0207",
                format!("`{name}` is a predicate that no rule reads"),
                place,
            )
            .with_remark(format!("nearly the keyword `{keyword}`"))
            .with_help(format!("{SUGGESTION}{keyword}`?")),
        );
        self.blamed.insert(key.0);
    }

    /// Whether a head could be one of a keyword: nothing else is, or it is about a known fluent or somebody who plays.
    fn may_be(&self, keyword: Symbol, head: Span) -> bool {
        let Names { description, .. } = self.names;
        let statements = &description.statements;
        if statements.iter().all(|it| it.head.predicate != keyword) {
            return true;
        }
        let head = statements.iter().map(|it| &it.head).find(|it| it.span == head);
        let Some(term) = head.and_then(|it| it.arguments.first()) else { return false };
        let keywords = &description.keywords;
        let (fluents, name) = (self.names.flow(Kind::Fluent), key(term));
        match name {
            Some(name) if [keywords.init, keywords.next, keywords.base].contains(&keyword) => {
                fluents.read.contains_key(&name) || fluents.made.contains_key(&name)
            }
            Some(name) => self.names.places.iter().any(|it| it.is_player && it.name == name),
            None => true,
        }
    }

    /// Names that stand once, where what is spelled nearly the same stands several times.
    fn rare(&mut self) {
        let sorts = Sorts::of(self.names);
        for place in sorts.rare(self.names) {
            if place.is_player || self.blamed.contains(&place.name.0) {
                continue;
            }
            let name = self.name(place.name);
            let near = sorts.others(self.names, place).filter(|(other, count)| {
                *count > 1 && other.1 == place.name.1 && is_plain_slip(name, self.name(*other))
            });
            let Some((other, _)) = near.max_by_key(|&(key, count)| (count, Reverse(key))) else {
                continue;
            };
            let found =
                once(self.names, place).with_help(format!("{SUGGESTION}{}`?", self.name(other)));
            self.found.push(found);
        }
    }
}

/// By sort: the names that stand at its places, and how often.
struct Sorts(FxHashMap<usize, FxHashMap<Key, usize>>);

impl Sorts {
    fn of(names: &Names<'_>) -> Self {
        let mut sorts: FxHashMap<usize, FxHashMap<Key, usize>> = FxHashMap::default();
        for place in &names.places {
            *sorts.entry(names.sort(place)).or_default().entry(place.name).or_default() += 1;
        }
        Sorts(sorts)
    }

    /// The places of names that stand nowhere else.
    fn rare<'n>(&self, names: &'n Names<'_>) -> Vec<&'n Place> {
        let is_rare = |it: &&Place| names.counts.get(&it.name.0) == Some(&1);
        let rare: Vec<&Place> = names.places.iter().filter(is_rare).collect();
        if rare.len() > MOST_COMPARED { Vec::new() } else { rare }
    }

    /// The other names of the same sort, and how often they stand there.
    fn others(&self, names: &Names<'_>, place: &Place) -> impl Iterator<Item = (Key, usize)> {
        let own = place.name;
        let sort = self.0.get(&names.sort(place)).filter(|it| it.len() <= MOST_COMPARED);
        let all = sort.into_iter().flatten().map(|(&key, &count)| (key, count));
        all.filter(move |it| it.0 != own)
    }
}

/// A finding about a name that stands once.
fn once(names: &Names<'_>, place: &Place) -> Diagnostic {
    let description = names.description;
    let name = description.symbols.name(place.name.0);
    let span = word(place.atom, name, &description.source);
    Diagnostic::warning("GF0207", format!("`{name}` stands nowhere else"), span)
}

/// The names that stand once and may be slips, those that are spelled like another one first.
pub(super) fn rare<'n>(names: &Names<'n>) -> Vec<Suspect<'n>> {
    let symbols = &names.description.symbols;
    let sorts = Sorts::of(names);
    let mut suspects = Vec::new();
    for place in sorts.rare(names) {
        let name = symbols.name(place.name.0);
        let others = sorts.others(names, place).filter(|it| it.0.1 == place.name.1);
        let mut others: Vec<(Key, usize)> = others.collect();
        others.sort_unstable_by_key(|&(key, count)| (Reverse(count), key));
        let others: Vec<&str> = others.into_iter().map(|it| symbols.name(it.0.0)).collect();
        let mut near: Vec<&str> =
            others.iter().copied().filter(|it| slip(name, it).is_some()).collect();
        near.truncate(MOST_NAMES);
        let finding = once(names, place);
        if !near.is_empty() {
            suspects.extend(near.into_iter().map(|other| {
                let finding = finding.clone().with_help(format!("{SUGGESTION}{other}`?"));
                (0, Suspect { finding, names: vec![other], is_alike: true })
            }));
        } else if place.is_first && !others.is_empty() && !name.contains(char::is_numeric) {
            let shown: Vec<String> = others.iter().take(5).map(|it| format!("`{it}`")).collect();
            let help = format!("in its place stand elsewhere: {}", shown.join(", "));
            let names = others.into_iter().take(MOST_NAMES).collect();
            let finding = finding.with_help(help);
            suspects.push((1, Suspect { finding, names, is_alike: false }));
        }
    }
    suspects.sort_by_key(|it| it.0);
    suspects.into_iter().map(|it| it.1).take(MOST_SUSPECTS).collect()
}

/// What may mend a slip: one of these lists of edits.
pub(super) fn mends(finding: &Diagnostic, description: &Description) -> Vec<Vec<Edit>> {
    let source = &*description.source;
    if finding.code != "GF0208" {
        return vec![Edit::suggested(finding, source)];
    }
    // The word with its arguments, and the number that it should have.
    let wanted =
        finding.labels.get(1).and_then(|it| it.text.rsplit(' ').nth(1)?.parse::<usize>().ok());
    let (Some(name), Some(wanted)) = (crate::edit::quoted(&finding.message), wanted) else {
        return Vec::new();
    };
    let place = word(finding.span(), name, source);
    let Some(statement) = description
        .statements
        .iter()
        .find(|it| it.span.start <= place.start && place.end <= it.span.end)
    else {
        return Vec::new();
    };
    let arguments = argument_spans(place, source);
    if arguments.len() == wanted + 1 {
        let one = |span: &Span| vec![Edit { span: *span, text: String::new() }];
        return arguments.iter().map(one).collect();
    }
    if arguments.len() + 1 != wanted {
        return Vec::new();
    }
    let mut terms: Vec<&str> = words(statement.span, source)
        .map(|it| it.text(source))
        .filter(|it| it.starts_with('?'))
        .collect();
    terms.sort_unstable();
    terms.dedup();
    let is_body = place.start >= statement.head.span.end;
    let terms = if is_body { vec!["?any"] } else { terms };
    let places = std::iter::once(place.end).chain(arguments.iter().map(|it| it.end));
    let mends = places.flat_map(|place| {
        terms.iter().map(move |term| {
            vec![Edit { span: Span { start: place, end: place }, text: format!(" {term}") }]
        })
    });
    mends.take(MOST_MENDS).collect()
}

/// The places of the arguments behind a word.
fn argument_spans(word: Span, source: &str) -> Vec<Span> {
    let rest = source.get(word.range().end..).unwrap_or_default();
    let (mut found, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for token in tokens(rest) {
        match token.kind {
            TokenKind::Close if depth == 0 => break,
            TokenKind::Close => depth -= 1,
            TokenKind::Open | TokenKind::Word => {
                if depth == 0 {
                    start = token.span.start;
                }
                depth += usize::from(token.kind == TokenKind::Open);
            }
        }
        if depth == 0 {
            found.push(Span { start: word.end + start, end: word.end + token.span.end });
        }
    }
    found
}

/// The words within a place.
fn words(place: Span, source: &str) -> impl Iterator<Item = Span> {
    let words = tokens(place.text(source)).filter(|it| it.kind == TokenKind::Word);
    words.map(move |it| Span { start: place.start + it.span.start, end: place.start + it.span.end })
}

/// Where a name stands within an atom.
fn word(atom: Span, name: &str, source: &str) -> Span {
    words(atom, source).find(|it| it.text(source).eq_ignore_ascii_case(name)).unwrap_or(atom)
}

/// Whether a name is surely a slip for another: letters are missing, added, or swapped, and not only another one stands at the
/// beginning or the end, as in `xwins` and `owins`.
fn is_plain_slip(name: &str, other: &str) -> bool {
    let letters: Vec<char> = name.chars().collect();
    let others: Vec<char> = other.chars().collect();
    let differing: Vec<usize> =
        (0..letters.len().min(others.len())).filter(|&it| letters[it] != others[it]).collect();
    let at_an_end = match differing[..] {
        [only] => only == 0 || only + 1 == letters.len(),
        _ => false,
    };
    let is_systematic = letters.len() == others.len() && at_an_end;
    let most = if letters.len() < 8 { 1 } else { 2 };
    // Of three letters none is another one.
    (letters.len() > 3 || (letters.len() == 3 && others.len() != 3))
        && !is_systematic
        && slip(name, other).is_some_and(|it| (1..=most).contains(&it))
}

/// How many arguments, in words.
fn arguments(key: Key) -> String {
    match key.1.unwrap_or(0) {
        0 => "0 arguments".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}
