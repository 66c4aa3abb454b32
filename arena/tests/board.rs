//! Boards that are found from the rules alone.

use groundfrog::{Description, GroundOptions, ParseOptions, Silent, ground};
use groundfrog_arena::board::{Layout, Place};
use groundfrog_reasoner::{GroundReasoner, Reasoner, Vocabulary};

struct Seen {
    layout: Layout,
    reasoner: GroundReasoner,
}

impl Seen {
    fn new(text: &str) -> Self {
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = description.expect("is a description");
        let game = ground(&description, &GroundOptions::compact(), &mut Silent).expect("is ground");
        let (fluents, moves) = (game.game.fluents().len(), game.game.moves().len());
        let mut reasoner = GroundReasoner::new(game.game).expect("can be played");
        let layout = Layout::new(&description, &mut reasoner, fluents, moves);
        Seen { layout, reasoner }
    }

    fn of(name: &str) -> Self {
        Self::new(groundfrog_corpus::game(name).expect("is in the corpus").text)
    }

    /// The titles with their columns and rows.
    fn boards(&self) -> Vec<String> {
        let board = |it: &groundfrog_arena::board::Board| {
            let blank = it.blank.as_ref().map_or(String::new(), |it| format!(" blank {it}"));
            format!("{}: {} | {}{blank}", it.title, it.columns.join(" "), it.rows.join(" "))
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
        let name = |it: &groundfrog_arena::board::Click| {
            let board = &self.layout.boards()[it.board];
            let column = it.column.map_or("*", |it| board.columns[it].as_str());
            let row = it.row.map_or("*", |it| board.rows[it].as_str());
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
fn interpreted_rules_give_the_owners_that_ground_ones_give() {
    let text = "(role white) (role black) (init (at a 1 wk)) (init (at b 1 wp)) (init (at a 2 none))
        (init (at b 2 none)) (init (at a 3 none)) (init (at b 3 none)) (init (at a 4 bk)) (init (at b 4 bp))
        (<= (legal white (go ?x ?y)) (true (at ?x ?y none))) (legal black noop)
        (<= (next (at ?x ?y wk)) (does white (go ?x ?y)))
        (<= (next (at ?x ?y ?c)) (true (at ?x ?y ?c)) (distinct ?c none))
        (<= (next (at ?x ?y none)) (true (at ?x ?y none)) (not (gone ?x ?y)))
        (<= (gone ?x ?y) (does white (go ?x ?y))) (goal white 50) (goal black 50)
        (<= terminal (not (true (at a 2 none))))";
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("is a description");
    let limits = groundfrog::Limits::default();
    let mut interpreted =
        groundfrog_reasoner::InterpretedReasoner::new(&description, limits).expect("is playable");
    let found = Layout::new(&description, &mut interpreted, 0, 0);
    let ground = Seen::new(text);
    let owners = |layout: &Layout| {
        let contents = layout.boards()[0].contents.iter();
        let mut owners: Vec<_> = contents.map(|it| (it.text.clone(), it.owner)).collect();
        owners.sort();
        owners
    };
    assert_eq!(owners(&found), owners(&ground.layout));
    let pawn = |layout: &Layout| owners(layout).into_iter().find(|it| it.0 == "bp");
    assert_eq!(pawn(&found), Some(("bp".to_owned(), Some(1))));
    assert_eq!(found.first_row_below(), ground.layout.first_row_below());
}
