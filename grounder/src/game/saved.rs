//! A ground game as data for serde, which is also its JSON; `docs/formats.md` describes every field. What follows from the rest is
//! written for others, and found again when a game is read.

mod load;

use std::borrow::Cow;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AtomId, AtomKind, GroundGame, InvalidGame, RuleStore};
use crate::description::Printer;
use crate::emit::kif;

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
