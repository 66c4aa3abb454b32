//! A ground game as data for serde, which is also its JSON; `docs/formats.md` describes every field. What follows from the rest is
//! written for others, and found again when a game is read. Everything is checked then: no data, however damaged, make a game that
//! breaks its invariants.

use std::borrow::Cow;
use std::ops::Range;

use fxhash::FxHashMap;
use groundfrog_engine::Table;
use groundfrog_engine::instantiate::{ExtraAtoms, RuleStore};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    AtomId, AtomKind, AtomShape, GroundGame, GroundLiteral, InvalidGame, Space, TermShape,
};
use crate::description::{Keywords, MAX_NESTING, Printer, Term};
use crate::emit::kif;
use crate::kif::{NodeId, Sexprs};
use crate::symbols::{Symbol, Symbols};

/// What is read. Numbers refer to positions in the lists before them.
#[derive(Deserialize)]
struct Saved {
    format: String,
    version: u32,
    roles: Vec<String>,
    atoms: Vec<SavedAtom<'static>>,
    possible: u32,
    init: Vec<u32>,
    rules: SavedRules,
}

#[derive(Deserialize)]
struct SavedRules {
    heads: Vec<u32>,
    offsets: Vec<u32>,
    /// As [`super::GroundLiteral::code`].
    literals: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct SavedAtom<'text> {
    kind: AtomKind,
    text: Cow<'text, str>,
}

#[derive(Serialize)]
struct SavedMove {
    role: u32,
    #[serde(rename = "move")]
    action: String,
    does: u32,
    legal: Option<u32>,
}

#[derive(Serialize)]
struct SavedGoal {
    role: u32,
    value: Option<i64>,
    atom: u32,
}

impl<'de> Deserialize<'de> for GroundGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Saved::deserialize(deserializer)?.load().map_err(serde::de::Error::custom)
    }
}

impl Serialize for GroundGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let texts = kif::atom_texts(self);
        let atom = |atom: u32| {
            let text = std::str::from_utf8(&texts.get(atom as usize)[1..]);
            let text = text.expect("names are UTF-8").into();
            SavedAtom { kind: self.kind(AtomId(atom)), text }
        };
        let printer = Printer::new(&self.symbols);
        let number = |atom: AtomId| atom.0;
        let mut fields = serializer.serialize_struct("GroundGame", 14)?;
        fields.serialize_field("format", InvalidGame::FORMAT)?;
        fields.serialize_field("version", &InvalidGame::VERSION)?;
        fields.serialize_field(
            "roles",
            &List(|| self.roles.iter().map(|it| printer.term(it).to_string())),
        )?;
        fields.serialize_field("atoms", &List(|| (0..self.atom_count() as u32).map(atom)))?;
        fields.serialize_field("possible", &self.first_extra)?;
        fields.serialize_field("init", &List(|| self.init.iter().copied().map(number)))?;
        fields.serialize_field("base", &List(|| self.fluents.clone()))?;
        fields.serialize_field("input", &List(|| self.inputs.clone()))?;
        fields.serialize_field("percept", &List(|| self.percepts().into_iter().map(number)))?;
        fields.serialize_field("next", &List(|| self.next.iter().map(|it| it.map(number))))?;
        let action = |it: &super::Move| SavedMove {
            role: it.role.0,
            action: printer.term(&self.atom(it.does).arguments()[1]).to_string(),
            does: it.does.0,
            legal: it.legal.map(number),
        };
        fields.serialize_field("moves", &List(|| self.moves.iter().map(action)))?;
        let goal =
            |it: &super::Goal| SavedGoal { role: it.role.0, value: it.value, atom: it.atom.0 };
        fields.serialize_field("goals", &List(|| self.goals.iter().map(goal)))?;
        fields.serialize_field("terminal", &self.terminal.map(number))?;
        fields.serialize_field("rules", &Rules(&self.rules))?;
        fields.end()
    }
}

/// A list that is written one by one, and never held in memory.
struct List<F>(F);

impl<I: IntoIterator<Item: Serialize>, F: Fn() -> I> Serialize for List<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

struct Rules<'game>(&'game RuleStore);

impl Serialize for Rules<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules = self.0;
        let ends = || {
            rules.iter().scan(0, |end, rule| {
                *end += rule.body.len();
                Some(*end)
            })
        };
        let mut fields = serializer.serialize_struct("Rules", 3)?;
        fields.serialize_field("heads", rules.heads())?;
        fields.serialize_field("offsets", &List(|| std::iter::once(0).chain(ends())))?;
        fields
            .serialize_field("literals", &List(|| rules.literals().iter().map(|it| it.code())))?;
        fields.end()
    }
}

type Loaded<T> = Result<T, InvalidGame>;

impl Saved {
    /// The game, if the data are one.
    fn load(self) -> Loaded<GroundGame> {
        if self.format != InvalidGame::FORMAT || self.version != InvalidGame::VERSION {
            return Err(InvalidGame::Format { format: self.format, version: self.version });
        }
        let mut symbols = Symbols::new();
        let keywords = Keywords::intern(&mut symbols);
        let mut atoms = Atoms { symbols, ..Atoms::default() };
        for (number, atom) in self.atoms.iter().enumerate() {
            let is_possible = number < self.possible as usize;
            atoms
                .add(atom.kind, &atom.text, is_possible, &keywords)
                .map_err(|fault| InvalidGame::part("atom", number, fault))?;
        }
        if self.possible as usize > self.atoms.len() {
            return Err(InvalidGame::part("atom", self.possible as usize - 1, "there is none"));
        }
        let roles = self.roles.iter().enumerate().map(|(number, text)| {
            let term = atoms.term(text).map(|it| it.0.fill(&mut it.1.into_iter()));
            term.ok_or(InvalidGame::part("role", number, "not a term"))
        });
        let roles = roles.collect::<Loaded<Vec<Term>>>()?;
        let rules = self.rules.load()?;
        let Atoms { symbols, spaces, tables, by_shape: _, extra } = atoms;
        let mut extra_atoms = ExtraAtoms::with_arities(tables.iter().map(Table::arity));
        for (number, (space, constants)) in extra.iter().enumerate() {
            if extra_atoms.intern(*space, constants) as usize != number {
                let number = self.possible as usize + number;
                return Err(InvalidGame::part("atom", number, "stated twice"));
            }
        }
        let mut game = GroundGame {
            symbols,
            keywords,
            fluents: range(&spaces, AtomKind::True)?,
            inputs: range(&spaces, AtomKind::Does)?,
            spaces,
            tables,
            extra: extra_atoms,
            first_extra: self.possible,
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

/// The atoms that were read so far.
#[derive(Default)]
struct Atoms {
    symbols: Symbols,
    spaces: Vec<Space>,
    /// By space.
    tables: Vec<Table>,
    by_shape: FxHashMap<AtomShape, u32>,
    /// Atoms in no table: space and constants.
    extra: Vec<(u32, Vec<u32>)>,
}

impl Atoms {
    /// Adds an atom by its text; one that is not possible is in no table.
    fn add(
        &mut self,
        kind: AtomKind,
        text: &str,
        is_possible: bool,
        keywords: &Keywords,
    ) -> Result<(), &'static str> {
        let (shape, mut constants) = self.term(text).ok_or("its text is no term")?;
        let shape = match shape {
            TermShape::Function(predicate, arguments) => AtomShape { predicate, arguments },
            TermShape::Constant => {
                let predicate = Symbol(constants.pop().ok_or("its text is no term")?);
                AtomShape { predicate, arguments: Vec::new() }
            }
        };
        let arity = keywords.arity(shape.predicate);
        if kind_of(shape.predicate, keywords) != kind
            || arity.is_some_and(|it| it as usize != shape.arguments.len())
        {
            return Err("its predicate is not of its kind");
        }
        let start = self.spaces.last().map_or(0, |it| it.start + it.len);
        if start as usize + self.extra.len() >= GroundLiteral::MAX_ATOM as usize {
            return Err("too many atoms");
        }
        let space = match self.by_shape.get(&shape) {
            Some(space) => *space,
            None => {
                let number = self.spaces.len() as u32;
                self.by_shape.insert(shape.clone(), number);
                self.tables.push(Table::new(constants.len()));
                let table = number as usize;
                self.spaces.push(Space { kind, shape, table, start, len: 0 });
                number
            }
        };
        let table = &mut self.tables[space as usize];
        if !is_possible {
            if table.contains(&constants) {
                return Err("stated twice");
            }
            self.extra.push((space, constants));
            return Ok(());
        }
        if space as usize + 1 != self.spaces.len() {
            return Err("apart from the others of its form");
        }
        if !table.insert(&constants).1 {
            return Err("stated twice");
        }
        self.spaces[space as usize].len += 1;
        Ok(())
    }

    /// The term of a text, as a shape and its constants.
    fn term(&mut self, text: &str) -> Option<(TermShape, Vec<u32>)> {
        let trees = Sexprs::parse(text, MAX_NESTING + 2).ok()?;
        let mut roots = trees.roots();
        let root = roots.next().filter(|_| roots.next().is_none())?;
        let mut constants = Vec::new();
        let shape = self.shape(root, &trees, text, &mut constants)?;
        Some((shape, constants))
    }

    fn shape(
        &mut self,
        node: NodeId,
        trees: &Sexprs,
        text: &str,
        constants: &mut Vec<u32>,
    ) -> Option<TermShape> {
        let word = |it| (!trees.is_list(it)).then(|| trees.span(it).text(text));
        let name = |it| word(it).filter(|it| !it.starts_with('?'));
        if let Some(name) = name(node) {
            constants.push(self.symbols.intern(name).0);
            return Some(TermShape::Constant);
        }
        let mut children = trees.children(node);
        let functor = self.symbols.intern(name(children.next()?)?);
        let arguments = children.map(|it| self.shape(it, trees, text, constants));
        Some(TermShape::Function(functor, arguments.collect::<Option<_>>()?))
    }
}

/// What atoms of a predicate say.
fn kind_of(predicate: Symbol, keywords: &Keywords) -> AtomKind {
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

/// The atoms of a kind in tables, which must stand together.
fn range(spaces: &[Space], kind: AtomKind) -> Loaded<Range<u32>> {
    let mut all: Option<Range<u32>> = None;
    for space in spaces.iter().filter(|space| space.kind == kind && space.len > 0) {
        let end = space.start + space.len;
        all = match all {
            None => Some(space.start..end),
            Some(range) if range.end == space.start => Some(range.start..end),
            Some(_) => {
                let fault = "apart from the others of its kind";
                return Err(InvalidGame::part("atom", space.start as usize, fault));
            }
        };
    }
    Ok(all.unwrap_or(0..0))
}

impl SavedRules {
    fn load(&self) -> Loaded<RuleStore> {
        let mut rules = RuleStore::default();
        if self.offsets.len() != self.heads.len() + 1 || self.offsets.first() != Some(&0) {
            let rule = self.heads.len();
            return Err(InvalidGame::Rule { rule, fault: "there are not as many bodies as heads" });
        }
        if self.offsets.last().map(|it| *it as usize) != Some(self.literals.len()) {
            let rule = self.heads.len();
            return Err(InvalidGame::Rule {
                rule,
                fault: "the last body does not end the literals",
            });
        }
        rules.reserve(self.heads.len(), self.literals.len());
        for (rule, (&head, ends)) in self.heads.iter().zip(self.offsets.windows(2)).enumerate() {
            let Some(body) = self.literals.get(ends[0] as usize..ends[1] as usize) else {
                return Err(InvalidGame::Rule { rule, fault: "its body is cut off" });
            };
            let body: Vec<GroundLiteral> =
                body.iter().map(|&code| GroundLiteral::from_code(code)).collect();
            rules.push(head, &body);
        }
        Ok(rules)
    }
}
