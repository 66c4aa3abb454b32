//! Boards that are found from the rules alone.

use groundfrog::{Description, GroundOptions, Limits, ParseOptions, Silent, ground};
use std::time::{Duration, Instant};

use groundfrog_arena::board::{BoardShape, Click, Layout, Look, Place};
use groundfrog_reasoner::{GroundReasoner, InterpretedReasoner, Machine, Reasoner, Vocabulary};

/// More than these games need: what they look like does not depend on how busy the machine is.
const TIME: Duration = Duration::from_secs(6);

struct Seen {
    layout: Layout,
    reasoner: GroundReasoner,
}

impl Seen {
    fn new(text: &str) -> Self {
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = description.expect("is a description");
        let game = ground(&description, &GroundOptions::compact(), &mut Silent).expect("is ground");
        let mut reasoner = GroundReasoner::new(game.game).expect("can be played");
        let layout = Layout::new(&description, &mut reasoner, TIME, &Look::default());
        Seen { layout, reasoner }
    }

    fn of(name: &str) -> Self {
        Self::new(groundfrog_corpus::game(name).expect("is in the corpus").text)
    }

    /// The titles with their columns and rows.
    fn boards(&self) -> Vec<String> {
        let board = |board: &groundfrog_arena::board::Board| {
            let blank = board.blank.as_ref().map_or(String::new(), |it| format!(" blank {it}"));
            format!(
                "{}: {} | {}{blank}",
                board.title,
                board.columns.join(" "),
                board.rows.join(" ")
            )
        };
        self.layout.boards().iter().map(board).collect()
    }

    /// What the initial state has on the boards, as `board column row content`, and in the list.
    fn initial(&self) -> (Vec<String>, Vec<String>) {
        let (mut cells, mut facts) = (Vec::new(), Vec::new());
        for fluent in self.reasoner.initial().fluents() {
            let term = self.reasoner.fluent(fluent);
            match self.layout.place(&term, self.reasoner.symbols()) {
                Place::Cell { board, column, row, content } => {
                    let board = &self.layout.boards()[board];
                    let (column, row) = (&board.columns[column], &board.rows[row]);
                    cells.push(format!("{column} {row} {content}").replace("  ", " "));
                }
                Place::Edge(..) => {}
                Place::Fact => facts.push(self.reasoner.fluent_text(fluent)),
            }
        }
        (cells, facts)
    }

    /// The clicks of a move of the first role, as names.
    fn clicks(&mut self, text: &str) -> Vec<String> {
        let role = self.reasoner.role_ids().next().expect("has roles");
        let it = self.reasoner.find_move(role, text).expect("is a move");
        let term = self.reasoner.move_term(it).1;
        let clicks = self.layout.clicks(&term, self.reasoner.symbols());
        let name = |click: &groundfrog_arena::board::Click| {
            let board = &self.layout.boards()[click.board];
            let column = click.column.map_or("*", |it| board.columns[it].as_str());
            let row = click.row.map_or("*", |it| board.rows[it].as_str());
            format!("{column} {row}")
        };
        clicks.iter().map(name).collect()
    }
}

#[test]
fn a_grid_with_its_contents_is_a_board_and_moves_on_it_are_clicks() {
    let mut seen = Seen::of("tictactoe");
    let boards = seen.layout.boards().to_vec();
    assert_eq!(boards.len(), 1, "{:?}", seen.boards());
    assert_eq!(boards[0].columns, ["1", "2", "3"]);
    assert_eq!(boards[0].rows, ["1", "2", "3"]);
    let (cells, facts) = seen.initial();
    assert_eq!(cells.len(), 9, "{cells:?} {facts:?}");
    assert_eq!(facts.len(), 1, "whose turn it is has no place: {facts:?}");
    assert_eq!(seen.clicks("(place 1 3)").len(), 1);
    assert_ne!(seen.clicks("(place 1 3)"), seen.clicks("(place 3 1)"));
}

#[test]
fn a_game_without_places_has_no_board() {
    let text = "(role ann) (init (done a)) (legal ann stop) (<= (next (done b)) (does ann stop))
        (<= terminal (true (done b))) (goal ann 100)";
    let seen = Seen::new(text);
    assert!(seen.boards().iter().all(|it| !it.contains("1 2")), "{:?}", seen.boards());
}

#[test]
fn a_clock_is_no_board_and_pieces_have_owners() {
    let seen = Seen::of("small_chess");
    assert_eq!(seen.layout.boards().len(), 1, "{:?}", seen.boards());
    let board = &seen.layout.boards()[0];
    assert_eq!((board.columns.len(), board.rows.len()), (5, 5), "{:?}", seen.boards());
    let owner = |text: &str| board.contents.iter().find(|it| it.text == text).map(|it| it.owner);
    let named = |role: &str, owned: usize| {
        let mut own = board.contents.iter().filter(|it| it.text.contains(role));
        own.all(|it| owner(&it.text) == Some(Some(owned)))
    };
    assert!(named("white", 0) && named("black", 1), "{:?}", board.contents);
}

#[test]
fn places_where_nothing_can_be_are_holes() {
    let seen = Seen::of("peg_solitaire");
    let board = &seen.layout.boards()[0];
    let places = board.columns.len() * board.rows.len() - board.holes.len();
    assert_eq!((places, board.columns.len()), (33, 7), "{:?}", seen.boards());
}

#[test]
fn boards_have_one_way_up() {
    let below = |name: &str| Seen::of(name).layout.first_row_below();
    // Things fall; and white begins in the first rows.
    assert!(below("connect_four") && below("small_chess") && below("breakthrough"));
    assert!(!below("tictactoe"));
}

#[test]
fn shapes_are_those_of_the_rules() {
    let shape = |name: &str| Seen::of(name).layout.boards()[0].shape;
    assert_eq!(shape("hex_five"), BoardShape::Hexagonal);
    assert_eq!(shape("hanoi"), BoardShape::Stacks);
    assert_eq!(shape("blocks_world"), BoardShape::Stacks);
    assert_eq!(shape("small_kalaha"), BoardShape::Pits);
    assert_eq!(shape("breakthrough"), BoardShape::Grid);
}

#[test]
fn numbers_that_are_to_differ_make_blocks() {
    let text = groundfrog_corpus::game("sudoku_four").expect("is in the corpus").text;
    let (before, rest) = text.split_once("(<= (rivals ?x ?y ?u ?v)").expect("blocks are rivals");
    let (_, rest) = rest.split_once("(distinct ?y ?v))").expect("the rule ends");
    let by_block = "(<= (taken ?h ?k ?d) (holds ?x ?y ?d) (half ?x ?h) (half ?y ?k))
        (<= (excluded ?x ?y ?d) (half ?x ?h) (half ?y ?k) (digit ?d) (taken ?h ?k ?d))";
    let seen = Seen::new(&format!("{before}{by_block}{rest}"));
    let board = &seen.layout.boards()[0];
    assert_eq!((board.columns.len(), board.blocks), (4, (2, 2)), "{:?}", seen.boards());
    let without = Seen::new(&format!("{before}{rest}"));
    assert_eq!(without.layout.boards()[0].blocks, (0, 0), "{:?}", without.boards());
}

#[test]
fn numbers_that_nobody_clicks_on_are_facts() {
    let seen = Seen::of("connect_four");
    assert_eq!(seen.layout.boards().len(), 1, "{:?}", seen.boards());
    assert!(seen.initial().1.iter().any(|it| it.contains("height")), "{:?}", seen.initial());
}

#[test]
fn moves_are_told_by_pieces_and_places() {
    let mut seen = Seen::of("small_chess");
    let words = |seen: &mut Seen, texts: &[&str]| {
        let role = seen.reasoner.role_ids().next().expect("has roles");
        let mut term = |text: &&str| {
            let found = seen.reasoner.find_move(role, text).expect("is a move");
            seen.reasoner.move_term(found).1
        };
        let moves: Vec<_> = texts.iter().map(&mut term).collect();
        let state: Vec<Place> = seen
            .reasoner
            .initial()
            .fluents()
            .map(|it| seen.layout.place(&seen.reasoner.fluent(it), seen.reasoner.symbols()))
            .collect();
        let held = |click: &Click| {
            state.iter().find_map(|place| match place {
                Place::Cell { column, row, content, .. }
                    if Some(*column) == click.column && Some(*row) == click.row =>
                {
                    Some(content.clone())
                }
                _ => None,
            })
        };
        let words = seen.layout.words(moves.iter(), seen.reasoner.symbols(), held);
        words.into_iter().map(|it| it.map(|it| it.to_string())).collect::<Vec<_>>()
    };
    let told = words(&mut seen, &["(move 2 1 3 3)", "(move 2 1 1 3)"]);
    let expected = ["white knight 2,1 to 3,3", "white knight 2,1 to 1,3"];
    assert_eq!(told, expected.map(|it| Some(it.to_owned())));
    let mut seen = Seen::of("tictactoe");
    assert_eq!(words(&mut seen, &["(place 1 3)"]), [Some("place 1,3".to_owned())]);
    // What would be said alike is said as it is written.
    assert_eq!(words(&mut seen, &["(place 1 3)", "(place 1 3)"]), [None, None]);
}

/// Lines from one point to the next, beyond the last place of the board of boxes.
const BOXES: &str = "(role ann) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (point 1) (point 2) (point 3) (point 4) (point 5)
    (side 1) (side 2) (side 3) (side 4) (<= (init (box ?x ?y empty)) (side ?x) (side ?y))
    (<= (line ?x ?y ?x ?z) (point ?x) (succ ?y ?z)) (<= (line ?x ?y ?z ?y) (point ?y) (succ ?x ?z))
    (<= (legal ann (draw ?a ?b ?c ?d)) (line ?a ?b ?c ?d) (not (true (drawn ?a ?b ?c ?d))))
    (<= (next (drawn ?a ?b ?c ?d)) (does ann (draw ?a ?b ?c ?d)))
    (<= (next (drawn ?a ?b ?c ?d)) (true (drawn ?a ?b ?c ?d)))
    (<= (next (box ?x ?y ?c)) (true (box ?x ?y ?c))) (<= terminal (true (drawn 5 1 5 2))) (goal ann 50)";

/// Moves with functions within, with layers, and with a name that others have too.
const NESTED: &str =
    "(role ann) (axis 1) (axis 2) (axis 3) (succ 1 2) (succ 2 3) (layer low) (layer high)
    (<= (init (cell ?l ?x ?y blank)) (layer ?l) (axis ?x) (axis ?y))
    (<= (legal ann (put (on ?l) ?x ?y ann)) (true (cell ?l ?x ?y blank)))
    (<= (legal ann (put (under ?l) ?x ?y ann)) (true (cell ?l ?x ?y blank)))
    (<= (legal ann (take ?l ?x ?y)) (true (cell ?l ?x ?y ann)))
    (<= (next (cell ?l ?x ?y ann)) (does ann (put (on ?l) ?x ?y ann)))
    (<= (next (cell ?l ?x ?y ?c)) (true (cell ?l ?x ?y ?c)) (does ann (take 1 1 1)))
    (<= terminal (true (cell low 1 1 ann))) (goal ann 50)";

/// All moves of a role that read alike, or whose words do not have each of their constants.
fn lost(seen: &Seen) -> Vec<String> {
    let symbols = seen.reasoner.symbols();
    let (mut known, mut lost) = (std::collections::BTreeMap::new(), Vec::new());
    for number in 0..seen.reasoner.game().moves().len() as u32 {
        let (role, term) = seen.reasoner.move_term(groundfrog_reasoner::MoveId(number));
        let words = seen.layout.words(std::iter::once(&term), symbols, |_| None);
        let Some(words) = words.into_iter().next().flatten() else { continue };
        let (words, text) =
            (words.to_string(), seen.reasoner.move_text(groundfrog_reasoner::MoveId(number)));
        let constants = text.split([' ', '(', ')']).filter(|it| !it.is_empty()).skip(1);
        let has = |it: &&str| words.contains(*it);
        let is_nested = text.matches('(').count() > 1;
        if !is_nested && !constants.clone().all(|it| has(&it)) {
            lost.push(format!("{text} is `{words}`"));
        }
        if let Some(other) = known.insert((role, words.clone()), text.clone()) {
            lost.push(format!("{text} and {other} are `{words}`"));
        }
    }
    lost
}

#[test]
fn words_of_moves_lose_nothing() {
    let own = [("boxes", BOXES), ("nested", NESTED)];
    let corpus = groundfrog_corpus::games().iter().map(|it| (it.name, it.text));
    let mut told = 0;
    for (name, text) in own.into_iter().chain(corpus) {
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let Ok(description) = description else { continue };
        let limits = Limits { rules: Some(20_000), ..Limits::default() };
        let options = GroundOptions { limits, ..GroundOptions::compact() };
        let Ok(game) = ground(&description, &options, &mut Silent) else { continue };
        let Ok(mut reasoner) = GroundReasoner::new(game.game) else { continue };
        let layout =
            Layout::new(&description, &mut reasoner, Duration::from_secs(1), &Look::default());
        let seen = Seen { layout, reasoner };
        assert_eq!(lost(&seen), Vec::<String>::new(), "{name}: {:?}", seen.boards());
        told += usize::from(seen.layout.most_clicks() > 0);
    }
    assert!(told > 10, "games whose moves are on boards: {told}");
    let mut seen = Seen::new(BOXES);
    let role = seen.reasoner.role_ids().next().expect("has roles");
    let found = seen.reasoner.find_move(role, "(draw 5 1 5 2)").expect("is a move");
    let term = seen.reasoner.move_term(found).1;
    let words = seen.layout.words(std::iter::once(&term), seen.reasoner.symbols(), |_| None);
    let words = words[0].as_ref().expect("is on the board").to_string();
    assert_eq!(words, "draw 5,1 to 5,2", "{:?}", seen.boards());
}

#[test]
fn a_state_that_takes_for_ever_takes_no_longer_than_it_may() {
    let holes: String = (0..11).map(|it| format!("(hole {it}) ")).collect();
    let pigeons: Vec<String> = (0..12).map(|it| format!("?x{it}")).collect();
    let apart = (0..12).flat_map(|it| (it + 1..12).map(move |other| (it, other)));
    let apart: String = apart.map(|(it, other)| format!("(distinct ?x{it} ?x{other})")).collect();
    let sits: String = pigeons.iter().map(|it| format!("(hole {it})")).collect();
    let text = format!(
        "(role r) (init (s 0)) {holes} (legal r a) (<= (legal r b) (true (s 0)) {sits} {apart}) (<= (next (s 1)) (does r a)) (<= terminal (true (s 1))) (goal r 50)"
    );
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("is a description");
    let rules = InterpretedReasoner::new(&description, Limits::default());
    let mut machine = Machine::Interpreted(Box::new(rules.expect("is there at once")));
    let start = Instant::now();
    let time = Duration::from_millis(300);
    let layout = Layout::of_machine(&description, &mut machine, time, &Look::default());
    // Its one state alone takes minutes.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(layout.boards().is_empty());
}

#[test]
fn a_game_that_is_not_ground_has_the_board_that_its_matches_show() {
    for name in ["tictactoe", "breakthrough", "connect_four"] {
        let text = groundfrog_corpus::game(name).expect("is in the corpus").text;
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = description.expect("is a description");
        let rules = InterpretedReasoner::new(&description, Limits::default());
        let mut rules = rules.expect("can be interpreted");
        let time = Duration::from_secs(1);
        let layout = Layout::of_matches(&description, &mut rules, time, &Look::default());
        let known = Seen::of(name);
        let (shown, proved) = (&layout.boards()[0], &known.layout.boards()[0]);
        assert_eq!((&shown.columns, &shown.rows), (&proved.columns, &proved.rows), "{name}");
        assert_eq!(layout.first_row_below(), known.layout.first_row_below(), "{name}");
        let place = |fluent| layout.place(&rules.fluent(fluent), rules.symbols());
        let first = rules.initial().fluents().map(place);
        assert_eq!(
            first.filter(|it| matches!(it, Place::Cell { .. })).count(),
            known.initial().0.len(),
            "{name}"
        );
    }
}
