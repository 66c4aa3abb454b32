//! UCT on any game, for any number of players, also where they move at the same time: the game plays itself.
//! `cargo run --release --example uct -- GAME.kif SIMULATIONS_A_MOVE`
//!
//! Each role chooses by what its own moves were worth in a state (decoupled UCT; Kocsis & Szepesvári, "Bandit based
//! Monte-Carlo planning", 2006). The example does without what makes a player strong.

use groundfrog_reasoner::{
    GroundReasoner, MoveId, Random, Reasoner, ReasonerError, State, Uniform, Vocabulary,
};
use std::collections::HashMap;

/// Joint moves after which a match is a draw.
const CAP: usize = 1000;
/// By role and legal move: how often it was made, and the sum of what that was worth.
type Tree = HashMap<State, Vec<Vec<(MoveId, f64, f64)>>>;
type Answer<T> = Result<T, ReasonerError>;

/// Follows known states by their statistics, adds the first new one, plays on at random, and passes back the result.
fn simulate(
    game: &mut GroundReasoner,
    tree: &mut Tree,
    start: &State,
    random: &mut Random,
) -> Answer<()> {
    let (mut state, mut path, mut values) = (start.clone(), Vec::new(), Vec::new());
    while path.len() < CAP && !game.is_terminal(&state)? {
        let Some(known) = tree.get(&state) else {
            let (mut legal, mut moves) = (Vec::new(), Vec::new());
            for role in game.role_ids() {
                game.legal_moves(&state, role, &mut legal)?;
                moves.push(legal.iter().map(|&it| (it, 0.0, 0.0)).collect());
            }
            tree.insert(state.clone(), moves);
            break;
        };
        let mut chosen = Vec::new();
        for moves in known {
            let all: f64 = moves.iter().map(|it| it.1).sum();
            let bound = |at: usize| match moves[at] {
                (_, 0.0, _) => f64::INFINITY,
                (_, made, sum) => sum / made + 40.0 * (all.ln() / made).sqrt(),
            };
            chosen.extend(
                (0..moves.len()).max_by(|&one, &other| bound(one).total_cmp(&bound(other))),
            );
        }
        if chosen.len() < known.len() {
            break; // A role has no move.
        }
        let moves: Vec<MoveId> =
            known.iter().zip(&chosen).map(|(moves, &at)| moves[at].0).collect();
        path.push((state.clone(), chosen));
        game.advance_unchecked(&mut state, &moves)?;
    }
    let playout = game.playout_from(&state, &mut Uniform(random), CAP as u32)?;
    game.final_values(playout, 50, &mut values);
    for (state, chosen) in path {
        let known = tree.get_mut(&state).into_iter().flatten();
        for ((moves, at), &value) in known.zip(chosen).zip(&values) {
            moves[at] = (moves[at].0, moves[at].1 + 1.0, moves[at].2 + value as f64);
        }
    }
    Ok(())
}

/// The joint move of which each role made its part most often; `None` if a role has no move.
pub fn search(
    game: &mut GroundReasoner,
    state: &State,
    simulations: u32,
    random: &mut Random,
) -> Answer<Option<Vec<MoveId>>> {
    let mut tree = Tree::new();
    (0..=simulations).try_for_each(|_| simulate(game, &mut tree, state, random))?;
    let most = |moves: &Vec<(MoveId, f64, f64)>| {
        moves.iter().max_by(|one, other| one.1.total_cmp(&other.1)).map(|it| it.0)
    };
    Ok(tree.get(state).and_then(|known| known.iter().map(most).collect()))
}

#[allow(dead_code, reason = "a test calls the search itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, simulations] = &arguments[..] else {
        return Err("GAME.kif SIMULATIONS_A_MOVE".into());
    };
    let mut game = GroundReasoner::of_text(&std::fs::read_to_string(path)?)?;
    let (mut state, mut random) = (game.initial().clone(), Random::new(1));
    while let Some(moves) = search(&mut game, &state, simulations.parse()?, &mut random)? {
        game.advance(&mut state, &moves)?;
        println!("{}", moves.iter().map(|&it| game.move_text(it)).collect::<Vec<_>>().join("  "));
    }
    for role in game.role_ids() {
        println!("{}: {}", game.role_text(role), game.goal(&state, role)?);
    }
    Ok(())
}
