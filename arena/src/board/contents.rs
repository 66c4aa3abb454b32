//! What can be at the places of a board, whose it is, and which way up that turns the board.

use std::collections::BTreeSet;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::AtomKind;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_knowledge::structures::{Output, Placed, Structures};
use groundfrog_reasoner::{FluentId, GroundReasoner, Reasoner, Vocabulary};

use super::build::Flat;
use super::{BoardShape, Layout, Look, Part, Place};

/// No more contents of a board are listed.
const MOST: usize = 256;
/// Strips that are shorter have no empty places.
const SHORTEST_ROW: usize = 6;
/// What an empty place is called.
const BLANKS: [&str; 9] =
    ["blank", "empty", "none", "nothing", "free", "vacant", "gap", "space", "zerocoins"];
/// Letters at the beginning or the end of a content that may stand for its owner, at most.
const LONGEST_END: usize = 8;

/// What can be at a place.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Content {
    /// What it is, as in [`Place::Cell`].
    pub text: String,
    /// The role that it belongs to, as a position among the roles, where that could be found out.
    pub owner: Option<usize>,
    /// Whether it says more of what else is at its place.
    pub secondary: bool,
    /// Whether it is the name of a fluent: it is there or it is not.
    pub bare: bool,
    /// Whether it is proved to be at one place at most.
    pub piece: bool,
    /// Whether it is there in the initial state.
    pub first: bool,
}

/// How many rules let a content appear by a move of a role alone: by board, content and role.
pub(super) type Votes = FxHashMap<(usize, String), Vec<usize>>;

impl Layout {
    /// Finds what is drawn as an empty place: what the hint file says; nothing of a number; where each place always has one content, that
    /// which most places begin with; or what is called so.
    pub(super) fn find_blanks(
        &mut self,
        found: &Structures,
        reasoner: &GroundReasoner,
        look: &Look,
    ) {
        let roles: Vec<String> = reasoner.role_ids().map(|it| reasoner.role_text(it)).collect();
        let mut counts: Vec<FxHashMap<String, usize>> =
            vec![FxHashMap::default(); self.boards.len()];
        for (fluent, place) in self.places(reasoner) {
            if let Place::Cell { board, content, .. } = place {
                let is_there = reasoner.initial().contains(fluent);
                *counts[board].entry(content).or_default() += usize::from(is_there);
            }
        }
        let is_one = |it: &&Placed| it.output == Output::One;
        let full = found.boards.iter().flat_map(|it| &it.fluents).filter(is_one);
        let full: Vec<usize> = full
            .filter_map(|it| self.fluents.get(&it.pattern))
            .flat_map(|it| self.grounds[it.ground].boards.clone())
            .collect();
        for (number, counts) in counts.into_iter().enumerate() {
            let board = &mut self.boards[number];
            let is_plain = |text: &&String| {
                text.parse::<i64>().is_err() && !text.contains(['(', ' ']) && !roles.contains(text)
            };
            let called = counts.keys().find(|it| BLANKS.contains(&it.as_str()));
            let all: usize = counts.values().sum();
            let most = counts.values().copied().max().unwrap_or(0);
            let mut often = counts.iter().filter(|it| *it.1 == most).map(|it| it.0);
            let frequent = match (often.next(), often.next()) {
                (Some(one), None) if full.contains(&number) && most * 5 >= all * 2 => Some(one),
                _ => None,
            };
            let said = look.blank.as_ref();
            let is_b = counts.len() > 2
                && counts
                    .get("b")
                    .is_some_and(|it| it * 2 > all || (*it > 0 && full.contains(&number)));
            let own = called
                .or(frequent.filter(is_plain))
                .cloned()
                .or_else(|| is_b.then(|| "b".to_owned()));
            let is_strip = board.rows.len() == 1 && board.columns.len() < SHORTEST_ROW;
            board.blank = said.cloned().or(own.filter(|_| !is_strip && !board.quantities));
        }
    }

    /// Lists the contents and the holes of all boards.
    pub(super) fn find_contents(&mut self, found: &Structures, reasoner: &GroundReasoner) {
        let boards = self.boards.len();
        let mut used: Vec<FxHashSet<(usize, usize)>> = vec![FxHashSet::default(); boards];
        let mut contents: Vec<Vec<Content>> = vec![Vec::new(); boards];
        let markers = found.boards.iter().flat_map(|it| &it.markers).filter(|it| it.is_piece);
        let pieces: FxHashSet<&str> = markers.map(|it| it.content.as_str()).collect();
        let first: FxHashSet<FluentId> = reasoner.initial().fluents().collect();
        for (fluent, place) in self.places(reasoner) {
            let (board, text) = match place {
                Place::Cell { board, column, row, content } => {
                    used[board].insert((column, row));
                    (board, content)
                }
                Place::Edge(edge, content) => (edge.0, content),
                Place::Fact => continue,
            };
            let is_first = first.contains(&fluent);
            if let Some(known) = contents[board].iter_mut().find(|it| it.text == text) {
                known.first |= is_first;
            } else if contents[board].len() < MOST {
                let term = reasoner.fluent(fluent);
                let drawn = &self.fluents[&Flat::new(&term, reasoner.symbols()).pattern];
                contents[board].push(Content {
                    owner: None,
                    secondary: drawn.secondary,
                    bare: drawn.bare,
                    piece: pieces.contains(text.as_str()),
                    first: is_first,
                    text,
                });
            }
        }
        let roles: Vec<String> = reasoner.role_ids().map(|it| reasoner.role_text(it)).collect();
        let votes = self.brought(reasoner);
        for (number, mut contents) in contents.into_iter().enumerate() {
            let board = &mut self.boards[number];
            let texts: Vec<String> = contents.iter().map(|it| it.text.clone()).collect();
            let owners = owners(&texts, number, &roles, &votes, board.blank.as_deref());
            contents.iter_mut().zip(owners).for_each(|(it, owner)| it.owner = owner);
            board.holes = (0..board.columns.len())
                .flat_map(|column| (0..board.rows.len()).map(move |row| (column, row)))
                .filter(|place| {
                    board.points.is_empty()
                        && board.shape != BoardShape::Stacks
                        && !used[number].contains(place)
                })
                .collect();
            board.contents = contents;
        }
    }
}

/// Whose each content is: the role that it names, by its initial letter too, or that nearly always brings it. Where the first or last
/// letters of these tell the owners apart, they do so for all others. Nobody's if there is a single role.
fn owners(
    texts: &[String],
    board: usize,
    roles: &[String],
    votes: &Votes,
    blank: Option<&str>,
) -> Vec<Option<usize>> {
    if roles.len() < 2 {
        return vec![None; texts.len()];
    }
    let names_role = |word: &str, role: &str| {
        let rest = word.strip_prefix(role);
        // As in `whiteRook`.
        rest.is_some_and(|it| it.is_empty() || it.starts_with(|it: char| it.is_ascii_uppercase()))
    };
    let by_name =
        |text: &String| roles.iter().position(|role| words(text).any(|it| names_role(it, role)));
    let mover = |counts: &Vec<usize>| {
        let (role, most) = counts.iter().enumerate().max_by_key(|it| it.1)?;
        (most * 5 > counts.iter().sum::<usize>() * 4).then_some(role)
    };
    let voted: Vec<&Vec<usize>> =
        texts.iter().filter_map(|it| votes.get(&(board, it.clone()))).collect();
    // Where most of what came more than once was brought by several, what came once says nothing.
    let often = || voted.iter().filter(|it| it.iter().sum::<usize>() > 1);
    let is_shared = often().filter(|it| mover(it).is_none()).count() * 2 > often().count();
    let by_votes = |text: &String| {
        let counts = votes.get(&(board, text.clone())).filter(|_| !is_shared)?;
        mover(counts).filter(|_| text.parse::<i64>().is_err())
    };
    let initials = by_initials(texts, roles, blank);
    let by_initial = |number: usize| initials.as_ref().and_then(|it| it[number]);
    let mut owners: Vec<Option<usize>> = (0..texts.len())
        .map(|it| by_name(&texts[it]).or_else(|| by_initial(it)).or_else(|| by_votes(&texts[it])))
        .collect();
    let known: Vec<(&str, usize)> = texts
        .iter()
        .zip(&owners)
        .filter_map(|(text, owner)| Some((text.as_str(), (*owner)?)))
        .collect();
    let ends: [fn(&str, usize) -> Option<&str>; 2] = [
        |text, length| text.get(..length),
        |text, length| text.get(text.len().checked_sub(length)?..),
    ];
    let Some((end, length, named)) = ends.into_iter().find_map(|end| {
        let named = |length| Some((end, length, names(&known, |it| end(it, length))?));
        (1..=LONGEST_END).find_map(named)
    }) else {
        return owners;
    };
    for (text, owner) in texts.iter().zip(&mut owners) {
        if owner.is_none() && blank != Some(text) {
            let own = end(text, length);
            *owner = named.iter().find(|it| Some(it.0.as_str()) == own).map(|it| it.1);
        }
    }
    owners
}

/// Whose each content is by the initials of the roles: all contents but the blank and numbers begin, or all end, with the initial of one
/// role, and all roles have some of the same kind, such as `wp` and `bp` of `white` and `black`.
fn by_initials(
    texts: &[String],
    roles: &[String],
    blank: Option<&str>,
) -> Option<Vec<Option<usize>>> {
    let initials: Vec<char> = roles.iter().map(|it| it.chars().next()).collect::<Option<_>>()?;
    let mut distinct = initials.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < initials.len() {
        return None;
    }
    let role = |letter: Option<char>| initials.iter().position(|it| Some(*it) == letter);
    let first = |text: &str| {
        let mut rest = text.chars();
        role(rest.next()).map(|it| (it, rest.as_str().to_owned()))
    };
    let last = |text: &str| {
        let mut rest = text.chars();
        role(rest.next_back()).map(|it| (it, rest.as_str().to_owned()))
    };
    [&first as &dyn Fn(&str) -> _, &last].into_iter().find_map(|end| {
        let mut owners = Vec::new();
        let mut kinds: Vec<FxHashSet<String>> = vec![FxHashSet::default(); roles.len()];
        for text in texts {
            if blank == Some(text) || text.parse::<i64>().is_ok() {
                owners.push(None);
                continue;
            }
            let (owner, kind) = end(text)?;
            owners.push(Some(owner));
            kinds[owner].insert(kind);
        }
        let is_common = |kind: &String| kinds.iter().all(|it| it.contains(kind));
        kinds[0].iter().any(is_common).then_some(owners)
    })
}

/// Which end of a name stands for which owner, if each owner has one of its own; there are two owners at least.
fn names<'t>(
    known: &[(&'t str, usize)],
    end: impl Fn(&'t str) -> Option<&'t str>,
) -> Option<Vec<(String, usize)>> {
    let mut named: Vec<(String, usize)> = Vec::new();
    for (text, owner) in known {
        let own = end(text)?;
        match named.iter().find(|it| it.0 == own || it.1 == *owner) {
            Some(it) if it.0 != own || it.1 != *owner => return None,
            Some(_) => {}
            None => named.push((own.to_owned(), *owner)),
        }
    }
    (named.len() > 1).then_some(named)
}

/// The words that a content is made of.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '(', ')', '_', '-'])
}

/// Roles from this number on are not told apart.
const MOST_ROLES: usize = 64;

impl Layout {
    /// How many rules let a content begin to hold somewhere by a move of one role alone, by role. Rules by which it goes on to hold are left out.
    pub(super) fn brought(&self, reasoner: &GroundReasoner) -> Votes {
        let game = reasoner.game();
        let movers = movers(game);
        let mut fluent_of: Vec<Option<FluentId>> = vec![None; game.atom_count()];
        for (fluent, number) in game.fluents().zip(0..) {
            if let Some(next) = game.next(fluent) {
                fluent_of[next.index()] = Some(FluentId(number));
            }
        }
        let first = game.fluents().next().map_or(0, |it| it.0);
        let mut votes = Votes::default();
        for rule in game.rules().iter() {
            let Some(fluent) = fluent_of[rule.head as usize] else { continue };
            let mut positive = rule.body.iter().filter(|it| !it.is_negated());
            let by = positive.clone().fold(0, |all, it| all | movers[it.atom() as usize]);
            let goes_on = positive.any(|it| it.atom() == first + fluent.0);
            if goes_on || by.count_ones() != 1 {
                continue;
            }
            let place = self.place(&reasoner.fluent(fluent), reasoner.symbols());
            if let Place::Cell { board, content, .. } = place {
                let count = votes.entry((board, content)).or_default();
                count.resize(game.roles().len(), 0);
                count[by.trailing_zeros() as usize] += 1;
            }
        }
        votes
    }
}

/// By atom: the roles whose moves let it hold, one bit for each.
fn movers(game: &GroundGame) -> Vec<u64> {
    let mut movers = vec![0; game.atom_count()];
    for made in game.moves().iter().filter(|it| it.role.index() < MOST_ROLES) {
        movers[made.does.index()] = 1 << made.role.0;
    }
    let is_view = |atom: u32| game.kind(AtomId(atom)) == AtomKind::View;
    loop {
        let mut has_changed = false;
        for rule in game.rules().iter().filter(|it| is_view(it.head)) {
            let positive = rule.body.iter().filter(|it| !it.is_negated());
            let by = positive.fold(0, |all, it| all | movers[it.atom() as usize]);
            let known = &mut movers[rule.head as usize];
            has_changed |= *known | by != *known;
            *known |= by;
        }
        if !has_changed {
            return movers;
        }
    }
}

impl Layout {
    /// Whether the first row is to be drawn below: where things fall to it, that is, some moves are columns alone; where letters go
    /// across and numbers upwards, as in chess; or where otherwise the first role's things would be above those of the second
    /// in the initial state. It is the same for a game whatever the state of a match.
    pub(super) fn find_orientation(&mut self, reasoner: &dyn Reasoner) {
        let Some(board) = self.boards.first() else { return };
        let falls = self.moves.values().any(|steps| {
            steps.iter().all(|step| {
                self.grounds[step.ground].boards.first() == Some(&0) && step.part == Part::Column
            })
        });
        let is_letter = |it: &String| it.len() == 1 && it.as_bytes()[0].is_ascii_alphabetic();
        let is_number = |it: &String| it.bytes().all(|it| it.is_ascii_digit());
        let is_chess = board.columns.iter().all(is_letter)
            && board.rows.iter().all(|it| !it.is_empty() && is_number(it));
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); reasoner.roles().len()];
        for fluent in reasoner.initial().fluents() {
            let place = self.place(&reasoner.fluent(fluent), reasoner.symbols());
            let Place::Cell { board: 0, row, content, .. } = place else { continue };
            let known = board.contents.iter().find(|it| it.text == content);
            if let Some(owner) = known.and_then(|it| it.owner) {
                rows[owner].push(row);
            }
        }
        let mean = |it: &Vec<usize>| it.iter().sum::<usize>() as f64 / it.len() as f64;
        let means: Vec<f64> = rows.iter().filter(|it| !it.is_empty()).map(mean).collect();
        self.first_row_below = match means[..] {
            [first, second, ..] if first != second => first < second,
            _ => falls || is_chess,
        };
    }
}

// Blocks of a board of numbers, by the rules that join their places.

/// Larger boards have no blocks of numbers.
const MOST_PLACES: usize = 26 * 26;

/// A place of a board, as column and row.
type At = (usize, usize);

impl Layout {
    /// Divides boards of numbers into blocks: rectangles alike, each with as many places as there are numbers, and each read by a condition
    /// of its own. Places where nothing can be are in none.
    pub(super) fn find_blocks(&mut self, reasoner: &GroundReasoner) {
        for number in 0..self.boards.len() {
            let board = &self.boards[number];
            let places = board.columns.len() * board.rows.len();
            if board.blocks == (0, 0)
                && board.shape == BoardShape::Grid
                && board.rows.len() > 1
                && places <= MOST_PLACES
                && let Some(blocks) = self.blocks(number, reasoner)
            {
                self.boards[number].blocks = blocks;
            }
        }
    }

    fn blocks(&self, number: usize, reasoner: &GroundReasoner) -> Option<(usize, usize)> {
        let game = reasoner.game();
        let mut places: Vec<Option<At>> = vec![None; game.atom_count()];
        let mut numbers: BTreeSet<i64> = BTreeSet::new();
        for (fluent, (_, place)) in game.fluents().zip(self.places(reasoner)) {
            if let Place::Cell { board, column, row, content } = place
                && board == number
            {
                places[fluent.index()] = Some((column, row));
                numbers.extend(content.parse::<i64>().ok());
            }
        }
        if numbers.len() < 4 {
            return None;
        }
        let (columns, rows) = (self.boards[number].columns.len(), self.boards[number].rows.len());
        let there: BTreeSet<At> = places.iter().flatten().copied().collect();
        let groups = groups(game, &places, numbers.len());
        let sides = (2..columns).filter(|it| numbers.len().is_multiple_of(*it));
        let mut sides = sides.map(|width| (width, numbers.len() / width));
        sides.find(|&(width, height)| {
            let is_whole = columns.is_multiple_of(width) && rows.is_multiple_of(height);
            let corners = (0..columns)
                .step_by(width)
                .flat_map(|column| (0..rows).step_by(height).map(move |row| (column, row)));
            let block = |(column, row): At| -> BTreeSet<At> {
                let all = (column..column + width)
                    .flat_map(|column| (row..row + height).map(move |row| (column, row)));
                all.filter(|it| there.contains(it)).collect()
            };
            height > 1 && is_whole && corners.map(block).all(|it| groups.contains(&it))
        })
    }
}

/// The sets of places, so many at most, that conditions read.
fn groups(game: &GroundGame, places: &[Option<At>], size: usize) -> BTreeSet<BTreeSet<At>> {
    let mut read: Vec<BTreeSet<At>> =
        places.iter().map(|it| it.iter().copied().collect()).collect();
    // What reads more places is about no block.
    let mut is_large = vec![false; read.len()];
    let is_condition = |atom: u32| {
        matches!(game.kind(AtomId(atom)), AtomKind::View | AtomKind::Goal | AtomKind::Terminal)
    };
    loop {
        let mut has_changed = false;
        for rule in game.rules().iter().filter(|it| is_condition(it.head)) {
            let head = rule.head as usize;
            if is_large[head] {
                continue;
            }
            let before = read[head].len();
            let mut own = std::mem::take(&mut read[head]);
            for literal in rule.body {
                let atom = literal.atom() as usize;
                is_large[head] |= is_large[atom];
                own.extend(&read[atom]);
            }
            is_large[head] |= own.len() > size;
            has_changed |= is_large[head] || own.len() != before;
            read[head] = own;
        }
        if !has_changed {
            break;
        }
    }
    read.into_iter().zip(is_large).filter(|it| !it.1).map(|it| it.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(names: &[&str]) -> Vec<String> {
        names.iter().map(|&it| it.to_owned()).collect()
    }

    #[test]
    fn what_is_named_like_all_that_a_role_brings_is_its_own() {
        let roles = texts(&["ann", "bob"]);
        let names = texts(&["blank", "wp", "wn", "wk", "bp", "bn", "bk"]);
        let mut votes = Votes::default();
        for (name, count) in [("wp", [9, 0]), ("wn", [2, 0]), ("bp", [0, 7])] {
            votes.insert((0, name.to_owned()), count.to_vec());
        }
        let found = owners(&names, 0, &roles, &votes, Some("blank"));
        assert_eq!(found, [None, Some(0), Some(0), Some(0), Some(1), Some(1), Some(1)]);
    }

    #[test]
    fn initials_of_roles_tell_owners_without_a_move() {
        let roles = texts(&["white", "black"]);
        let found =
            |names: &[&str], blank| owners(&texts(names), 0, &roles, &Votes::default(), blank);
        // The blank of public chess begins like the pieces of black.
        let names = ["b", "wp", "wk", "bp", "bk", "3"];
        let own = [None, Some(0), Some(0), Some(1), Some(1), None];
        assert_eq!(found(&names, Some("b")), own);
        assert_eq!(found(&["pawnw", "pawnb"], None), [Some(0), Some(1)]);
        // Nothing is of the same kind, or one of them is nobody's.
        assert_eq!(found(&["wall", "bush"], None), [None, None]);
        assert_eq!(found(&["wp", "bp", "rock"], None), [None; 3]);
    }

    #[test]
    fn what_all_roles_bring_is_nobodys() {
        let names = texts(&["tall", "small", "thin"]);
        let mut votes = Votes::default();
        for (name, count) in [("tall", [4, 3]), ("small", [2, 5]), ("thin", [0, 1])] {
            votes.insert((0, name.to_owned()), count.to_vec());
        }
        let found = owners(&names, 0, &texts(&["ann", "bob"]), &votes, None);
        assert_eq!(found, [None; 3]);
    }

    #[test]
    fn contents_that_name_a_role_are_the_roles() {
        let roles = texts(&["white", "black"]);
        let names = texts(&["white_pawn", "pawn black", "stone", "whiteRook", "blackened"]);
        let found = owners(&names, 0, &roles, &Votes::default(), None);
        assert_eq!(found, [Some(0), Some(1), None, Some(0), None]);
    }
}
