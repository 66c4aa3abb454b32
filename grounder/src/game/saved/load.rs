//! From saved data to a game, everything checked.

use std::ops::Range;

use fxhash::FxHashSet;
use groundfrog_engine::Table;
use groundfrog_engine::instantiate::{ExtraAtoms, RuleStore};

use super::{Saved, SavedSpace, SavedTable, TermPart};
use crate::description::{Keywords, MAX_NESTING, Term};
use crate::game::{
    AtomId, AtomKind, AtomShape, GroundGame, GroundLiteral, InvalidGame, Space, TermShape,
};
use crate::rules::compound;
use crate::symbols::{Symbol, Symbols};

type Loaded<T> = Result<T, InvalidGame>;

impl Saved {
    /// The game, if the data are one.
    pub(super) fn load(self) -> Loaded<GroundGame> {
        if self.format != InvalidGame::FORMAT || self.version != InvalidGame::VERSION {
            return Err(InvalidGame::Format { format: self.format, version: self.version });
        }
        let mut symbols = Symbols::new();
        for (number, name) in self.symbols.iter().enumerate() {
            if symbols.intern(name).index() != number {
                return Err(InvalidGame::part("symbol", number, "stated twice"));
            }
        }
        let known = symbols.len();
        let keywords = Keywords::intern(&mut symbols);
        let tables = numbered(self.tables, |number, it| it.load(number, known))?;
        let mut start = 0u32;
        let spaces = numbered(self.spaces, |number, it| {
            it.load(number, known, &keywords, &tables, &mut start)
        })?;
        check_apart(&spaces)?;
        let extra = load_extra(&self.extra, known, &spaces, &tables, start)?;
        let roles = numbered(self.roles, |number, nodes| load_role(number, &nodes, known))?;
        let rules = load_rules(&self.heads, &self.lengths, &self.literals)?;
        let mut game = GroundGame {
            symbols,
            keywords,
            fluents: range(&spaces, AtomKind::True)?,
            inputs: range(&spaces, AtomKind::Does)?,
            spaces,
            tables,
            extra,
            first_extra: start,
            rules,
            roles,
            init: self.init.into_iter().map(AtomId).collect(),
            next: Vec::new(),
            moves: Vec::new(),
            goals: Vec::new(),
            terminal: None,
        };
        game.check_invariants()?;
        game.find_meanings();
        Ok(game)
    }
}

/// Loads each element of a list, with its number.
fn numbered<S, T>(list: Vec<S>, mut load: impl FnMut(usize, S) -> Loaded<T>) -> Loaded<Vec<T>> {
    list.into_iter().enumerate().map(|(number, it)| load(number, it)).collect()
}

impl SavedTable {
    fn load(self, number: usize, symbols: usize) -> Loaded<Table> {
        let fail = |fault| Err(InvalidGame::part("table", number, fault));
        let arity = self.arity as usize;
        if u64::from(self.arity) * u64::from(self.rows) != self.values.len() as u64 {
            return fail("the number of values is not rows times arity");
        }
        if self.values.iter().any(|&value| value as usize >= symbols) {
            return fail("a value is no symbol");
        }
        let mut table = Table::new(arity);
        if arity == 0 && self.rows > 1 {
            return fail("a row is stated twice");
        }
        for row in 0..self.rows as usize {
            if !table.insert(&self.values[row * arity..][..arity]).1 {
                return fail("a row is stated twice");
            }
        }
        Ok(table)
    }
}

impl SavedSpace {
    fn load(
        self,
        number: usize,
        symbols: usize,
        keywords: &Keywords,
        tables: &[Table],
        start: &mut u32,
    ) -> Loaded<Space> {
        let fail = |fault| InvalidGame::part("space", number, fault);
        let predicate = symbol(self.predicate, symbols).ok_or(fail("no such predicate"))?;
        let mut arguments = Vec::new();
        let mut nodes = self.shape.iter();
        while nodes.len() > 0 {
            let argument = shape(&mut nodes, symbols, 0).ok_or(fail("its shape is none"))?;
            arguments.push(argument);
        }
        if kind(predicate, keywords) != self.kind
            || keywords.arity(predicate).is_some_and(|arity| arity as usize != arguments.len())
        {
            return Err(fail("its predicate is not of its kind"));
        }
        let table = self.table as usize;
        let rows = tables.get(table).ok_or(fail("no such table"))?;
        if rows.len() != self.rows as usize {
            return Err(fail("not as many atoms as its table has rows"));
        }
        if rows.arity() != arguments.iter().map(TermShape::holes).sum::<usize>() {
            return Err(fail("its table has another arity"));
        }
        let shape = AtomShape { predicate, arguments };
        let space = Space { kind: self.kind, shape, table, start: *start, len: self.rows };
        *start = start
            .checked_add(self.rows)
            .filter(|&end| end <= GroundLiteral::MAX_ATOM)
            .ok_or(fail("too many atoms"))?;
        Ok(space)
    }
}

fn symbol(number: u32, symbols: usize) -> Option<Symbol> {
    ((number as usize) < symbols).then_some(Symbol(number))
}

/// What atoms of a predicate say.
fn kind(predicate: Symbol, keywords: &Keywords) -> AtomKind {
    match predicate {
        it if it == keywords.true_ => AtomKind::True,
        it if it == keywords.next => AtomKind::Next,
        it if it == keywords.does => AtomKind::Does,
        it if it == keywords.legal => AtomKind::Legal,
        it if it == keywords.goal => AtomKind::Goal,
        it if it == keywords.terminal => AtomKind::Terminal,
        it if it == keywords.sees => AtomKind::Sees,
        _ => AtomKind::View,
    }
}

/// The shape that nodes begin with.
fn shape(
    nodes: &mut std::slice::Iter<'_, TermPart>,
    symbols: usize,
    depth: usize,
) -> Option<TermShape> {
    match *nodes.next()? {
        TermPart::Hole => Some(TermShape::Constant),
        TermPart::Function(functor, arity) if depth < MAX_NESTING => {
            let functor = symbol(functor, symbols)?;
            let arguments = (0..arity).map(|_| shape(nodes, symbols, depth + 1));
            Some(TermShape::Function(functor, arguments.collect::<Option<_>>()?))
        }
        TermPart::Function(..) | TermPart::Constant(_) => None,
    }
}

fn load_role(number: usize, nodes: &[TermPart], symbols: usize) -> Loaded<Term> {
    let mut nodes = nodes.iter();
    let role = term(&mut nodes, symbols, 0).filter(|_| nodes.len() == 0);
    role.ok_or(InvalidGame::part("role", number, "not a term"))
}

/// The term that nodes begin with.
fn term(nodes: &mut std::slice::Iter<'_, TermPart>, symbols: usize, depth: usize) -> Option<Term> {
    match *nodes.next()? {
        TermPart::Constant(name) => Some(Term::Constant(symbol(name, symbols)?)),
        TermPart::Function(functor, arity) if depth < MAX_NESTING => {
            let functor = symbol(functor, symbols)?;
            let arguments = (0..arity).map(|_| term(nodes, symbols, depth + 1));
            Some(compound(functor, arguments.collect::<Option<_>>()?))
        }
        TermPart::Function(..) | TermPart::Hole => None,
    }
}

/// No two spaces have atoms in common.
fn check_apart(spaces: &[Space]) -> Loaded<()> {
    let mut shapes = FxHashSet::default();
    match spaces.iter().position(|space| !shapes.insert(&space.shape)) {
        Some(number) => Err(InvalidGame::part("space", number, "its shape is stated twice")),
        None => Ok(()),
    }
}

/// The atoms of a kind; its spaces must stand together.
fn range(spaces: &[Space], kind: AtomKind) -> Loaded<Range<u32>> {
    let mut all: Option<Range<u32>> = None;
    for (number, space) in spaces.iter().enumerate().filter(|(_, space)| space.kind == kind) {
        let start =
            all.map_or(
                space.start,
                |range| {
                    if range.end == space.start { range.start } else { u32::MAX }
                },
            );
        if start == u32::MAX {
            let fault = "apart from the others of its kind";
            return Err(InvalidGame::part("space", number, fault));
        }
        all = Some(start..space.start + space.len);
    }
    Ok(all.unwrap_or(0..0))
}

fn load_extra(
    atoms: &[(u32, Vec<u32>)],
    symbols: usize,
    spaces: &[Space],
    tables: &[Table],
    first: u32,
) -> Loaded<ExtraAtoms> {
    let mut extra = ExtraAtoms::with_arities(spaces.iter().map(|it| tables[it.table].arity()));
    for (number, (space, constants)) in atoms.iter().enumerate() {
        let fail = |fault| Err(InvalidGame::part("extra atom", number, fault));
        let Some(of) = spaces.get(*space as usize) else { return fail("no such space") };
        if constants.len() != tables[of.table].arity() {
            return fail("not as many constants as its shape has");
        }
        if constants.iter().any(|&constant| constant as usize >= symbols) {
            return fail("a constant is no symbol");
        }
        if tables[of.table].contains(constants) {
            return fail("it is in a table");
        }
        if extra.intern(*space, constants) as usize != number {
            return fail("stated twice");
        }
        if number as u64 + u64::from(first) > u64::from(GroundLiteral::MAX_ATOM) {
            return fail("too many atoms");
        }
    }
    Ok(extra)
}

fn load_rules(heads: &[u32], lengths: &[u32], literals: &[u32]) -> Loaded<RuleStore> {
    let mut rules = RuleStore::default();
    if heads.len() != lengths.len() {
        let (rule, fault) = (heads.len().min(lengths.len()), "it has no head or no length");
        return Err(InvalidGame::Rule { rule, fault });
    }
    if u32::try_from(literals.len()).is_err() {
        return Err(InvalidGame::Rule { rule: 0, fault: "too many literals" });
    }
    rules.reserve(heads.len(), literals.len());
    let mut rest = literals;
    let mut body = Vec::new();
    for (rule, (&head, &length)) in heads.iter().zip(lengths).enumerate() {
        let Some((own, others)) = rest.split_at_checked(length as usize) else {
            return Err(InvalidGame::Rule { rule, fault: "its body is cut off" });
        };
        rest = others;
        body.clear();
        body.extend(own.iter().map(|&code| GroundLiteral::from_code(code)));
        rules.push(head, &body);
    }
    if !rest.is_empty() {
        let fault = "there is no such rule, but literals of it";
        return Err(InvalidGame::Rule { rule: heads.len(), fault });
    }
    Ok(rules)
}
