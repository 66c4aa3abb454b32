//! The index of the games.

/// A game description of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Game {
    /// The name: that of the file, in lower case with underscores.
    pub name: &'static str,
    /// The description itself.
    pub text: &'static str,
    /// What a grounder has to do with it.
    pub expect: Outcome,
    /// How many states can be reached, play ending at terminal ones; none where that is not known.
    pub positions: Option<u32>,
    /// What kind of game it is and what it exercises, as words to select by.
    pub tags: &'static [&'static str],
    /// The rules of the game in a sentence.
    pub summary: &'static str,
}

/// What a grounder has to do with a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Ground it; the ground game can be played.
    Groundable,
    /// Refuse it with an error that says why.
    Refused,
}

/// All games, sorted by name.
pub fn games() -> &'static [Game] {
    GAMES
}

/// The game of that name.
pub fn game(name: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.name == name)
}

/// The index: name, outcome, positions, tags and summary of each game; the text is the file of that name.
macro_rules! index {
    ($($name:literal $expect:ident $($positions:literal)? [$($tag:literal)*] $summary:literal)*) => {
        &[$(Game {
            name: $name,
            text: include_str!(concat!("../", $name, ".kif")),
            expect: Outcome::$expect,
            positions: [$($positions)?].as_slice().first().copied(),
            tags: &[$($tag),*],
            summary: $summary,
        }),*]
    };
}

static GAMES: &[Game] = index! {
    "atari_go" Groundable ["board" "recursion" "nested_terms" "two_players"]
        "Two players set stones on 4x4; the first to capture an enemy group wins; suicide is forbidden."
    "blocks_world" Groundable 417 ["puzzle" "recursion"]
        "A gripper takes four blocks off and stacks them in the wanted order within eight moves."
    "breakthrough" Groundable ["board" "two_players"]
        "Two armies of sixteen pawns step straight or diagonally forward on 8x8, capture diagonally, and win by reaching the far row."
    "card_draw" Groundable 31 ["gdl_ii" "chance"]
        "Each of two players is dealt a card by chance and sees only that one; the bolder bet wins or loses."
    "checkers_six" Groundable ["board" "two_players" "chained_moves" "nested_terms" "or"]
        "Checkers on 6x6: captures are compulsory and go on with the same piece while it can capture."
    "connect_four" Groundable ["board" "two_players"]
        "Two players drop discs into the seven columns of a board six rows high; four in a line win."
    "derived_roles" Groundable 49 ["derived_roles" "simultaneous" "nested_terms"]
        "Four sailors on a ring of ships pass coins to the left or right for five rounds; who has one wins."
    "dots_and_boxes" Groundable 5559 ["board" "two_players" "or" "not_distinct"]
        "Two players draw the sides of four boxes; who completes a box owns it and moves again."
    "early_literals" Groundable 625 ["literal_order"]
        "A gardener plants four kinds of seeds in four beds so that no bad neighbours share a hedge."
    "eight_puzzle" Groundable 181440 ["puzzle" "no_counter"]
        "Slide the eight tiles of a 3x3 frame into order."
    "eight_puzzle_counted" Groundable ["puzzle"]
        "Slide the eight tiles of a 3x3 frame into order within forty slides."
    "frame_rule" Groundable 11127 ["puzzle" "whole_term_variable"]
        "A painter paints five houses and a fence for twelve days; what nobody touches stays as it is."
    "given_domains" Groundable 24 ["own_domains"]
        "A keeper carries a lantern round four places for six hours and wants to end in the wood."
    "hanoi" Groundable 4940 ["puzzle" "recursion"]
        "Move a tower of five disks from the left to the right peg, never a larger disk on a smaller one."
    "hex_five" Groundable ["board" "recursion" "two_players"]
        "Two players fill a 5x5 rhombus of hexagons; one connects west and east, the other north and south."
    "knights_tour" Groundable ["puzzle"]
        "A knight visits the squares of a 5x5 board, each at most once, until it is stuck."
    "kuhn_poker" Groundable ["gdl_ii" "chance"]
        "Two players hold one of three cards each; one chip is in from both, and one more may be bet and called."
    "legal_in_bodies" Groundable 32 ["board" "two_players" "keyword_in_body"]
        "Two frogs hop along a lane of seven stones towards each other; who cannot hop loses a point."
    "light_trails" Groundable ["board" "simultaneous"]
        "Two riders move at the same time on a 7x7 board and leave walls; who runs into a wall has lost."
    "lights_out" Groundable ["puzzle" "no_counter"]
        "Press lamps on a 5x5 board, each of which toggles itself and its neighbours, until all are dark."
    "little_quarto" Groundable ["board" "two_players"]
        "Eight pieces differ in three traits; a player sets the piece that the other chose on a 3x3 board, and wins with a row whose pieces share a trait."
    "long_march" Groundable 16850 ["step_counter"]
        "A wanderer walks round a ring of six towns for exactly 200 days and wants to end at home."
    "majority_vote" Groundable 1057 ["simultaneous" "ground_stratified"]
        "Five voters choose a colour at the same time, twice; who votes with the larger side scores."
    "missing_domains" Groundable 24 ["own_domains" "wrong_domains"]
        "A keeper carries a lantern round four places for six hours and wants to end in the wood."
    "mixed_case" Groundable 62 ["symbols" "comments"]
        "A robot in a row of four bays presses button On or button on; only the two together start it."
    "monty_hall" Groundable ["gdl_ii" "chance"]
        "A guest points at one of three doors, the host opens another one without the prize, and the guest may switch."
    "negative_cycle" Refused ["unstratified"]
        "A barber shaves exactly those who do not shave themselves, the barber included."
    "nested_logic" Groundable 44 ["or" "nested_not" "not_distinct" "literal_order" "simultaneous"]
        "Three switches work three lamps through odd wiring; two electricians flip them for six rounds."
    "nested_terms" Groundable 212 ["puzzle" "nested_terms"]
        "A courier carries two parcels between the shelves of two rooms until each lies where it belongs."
    "nim" Groundable 752 ["two_players" "recursion"]
        "Four heaps of 1, 3, 5 and 7 objects: take any number from one heap, the last object wins."
    "nullary_terms" Groundable 47 ["symbols" "nullary_terms"]
        "A diver opens and closes the valve and surfaces before the air, five breaths, has gone."
    "outsiders" Groundable 28 ["two_players" "undefined_predicate" "non_roles" "many_goals"]
        "Two guests take turns at ringing a bell; a cat, who is no player, has moves and a goal as well."
    "overloaded_names" Groundable 174 ["symbols"]
        "A scribe writes three words, each with one of two inks, and signs the page when it likes."
    "peek" Groundable ["gdl_ii" "chance"]
        "A seeker guesses at once in which of four boxes a coin is, or looks first, which costs a tenth of the prize."
    "peg_solitaire" Groundable ["puzzle" "or"]
        "On the English cross of 33 holes pegs jump over each other and are taken; one should remain."
    "prisoners_dilemma" Groundable 85 ["simultaneous"]
        "Two suspects keep silent or talk, at the same time, in three hearings; the last hearing pays."
    "reversi_six" Groundable ["board" "recursion" "arithmetic" "two_players"]
        "Reversi on 6x6: a disc must enclose enemy discs, which turn; who cannot move passes; most discs win."
    "rival_railways" Groundable ["recursion" "two_players"]
        "Two companies lay track between eight towns; who first joins its own two termini by rail wins."
    "rock_paper_scissors" Groundable 286 ["simultaneous" "arithmetic"]
        "Two players choose at the same time, ten rounds long; more rounds won wins the match."
    "rope_bridges" Groundable 708 ["recursion" "nested_terms" "two_players"]
        "A fox ties rope bridges between five islands, a hare cuts the ropes first; the fox wants a way to the beacon."
    "small_amazons" Groundable ["board" "recursion" "two_players"]
        "One amazon each on 4x4 moves like a queen and then shoots a burning arrow; who is stuck loses."
    "small_chess" Groundable ["board" "recursion" "two_players" "large"]
        "Chess on 5x5 with all six kinds of pieces; checkmate wins, stalemate and sixty moves are a draw."
    "small_kalaha" Groundable 4549 ["board" "arithmetic" "recursion" "two_players"]
        "Two players sow seeds round six pits and their own store; captures, extra turns; most seeds win."
    "succ_arithmetic" Groundable 273 ["arithmetic" "recursion" "simultaneous"]
        "Two players choose numbers in turn; the sum of the first two products must hit a hidden target."
    "sudoku_four" Groundable 10898 ["puzzle" "no_init"]
        "Fill a 4x4 square so that each row, column and quarter holds each of four digits once."
    "three_player_tictactoe" Groundable ["board" "three_players"]
        "Three players mark the cells of a 5x5 board in a cycle; three in a straight line win."
    "tictactoe" Groundable 5478 ["board" "two_players"]
        "Two players mark the cells of a 3x3 board in turn; three in a row win."
    "unbounded" Refused ["unbounded"]
        "A gardener lets a hedge grow by one link each day and stops when it pleases."
    "unbounded_view" Refused ["unbounded"]
        "A clerk stamps one letter; the rules count its stamps by a recursive rule without an end."
    "unsafe_rule" Refused ["unsafe"]
        "A player leaves a room by any door, also by doors that the description never names."
    "warehouse" Groundable 10140 ["puzzle" "or"]
        "A keeper pushes two crates through a small walled yard onto their marks within thirty moves."
    "wide_domains" Groundable 24 ["own_domains" "wrong_domains"]
        "A keeper carries a lantern round four places for six hours and wants to end in the wood."
};

#[cfg(test)]
mod tests;
