//! The games that Groundfrog is tested and measured with.
//!
//! Every game here was written for Groundfrog from the rules of the game itself. There are four
//! sources:
//!
//! * [`games`]: fixed descriptions, one file each beside this crate's manifest;
//! * [`families`]: generators that write a game of any size from a few numbers;
//! * [`random_game`]: small valid games drawn from a seed, for property tests, and [`random_rough_game`], which has all that a solver has to
//!   be honest about;
//! * [`turing_machine`]: a Turing machine as a game, from its table.
//!
//! [`relatives`] has descriptions in rtGDL and MSL, and [`known_game`] returns what is known of public games, which are not here.
//!
//! [`damage`] breaks a description in one of several ways, to test what finds faults.
//!
//! ```
//! use groundfrog_corpus::{Outcome, Parameters, family, game};
//!
//! let tictactoe = game("tictactoe").expect("one of the games");
//! assert_eq!(tictactoe.expect, Outcome::Groundable);
//!
//! let breakthrough = family("breakthrough").expect("one of the families");
//! let text = breakthrough.generate(&Parameters::new().with("width", 12).with("height", 12))?;
//! assert!(text.contains("(role white)"));
//! # Ok::<(), groundfrog_corpus::GenerateError>(())
//! ```

mod faults;
mod games;
mod generate;
mod index;
mod relatives;

pub use faults::{Damaged, Fault, damage, faults};
pub use games::{Game, Outcome, game, games};
pub use generate::{
    BUSY_BEAVER, Family, GenerateError, Parameter, Parameters, TuringError, TuringMachine,
    families, family, random_game, random_hidden_game, random_rough_game, turing_machine,
};
pub use index::{KnownGame, known_game, known_games};
pub use relatives::{Relative, relative, relatives};
