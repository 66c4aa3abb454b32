//! Groundfrog grounds games: it reads a description in GDL, the Game Description Language, and returns its
//! rules without variables, quickly enough to do so in the start clock of a match.
//!
//! A player gets the rules in a START message, and so many seconds to prepare:
//!
//! ```
//! use std::time::Duration;
//! use groundfrog::{Description, GroundError, GroundOptions, Limits, ParseOptions, RulesByHead, Silent, ground};
//!
//! let rules = "(role ann) (role bob) (init (heap 3)) (init (turn ann)) (less 3 2) (less 2 1) (less 1 0)
//!     (turns ann bob) (turns bob ann)
//!     (<= (legal ?r take) (true (turn ?r)))
//!     (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
//!     (<= (next (heap ?m)) (true (heap ?n)) (less ?n ?m))
//!     (<= (next (turn ?s)) (true (turn ?r)) (turns ?r ?s))
//!     (<= terminal (true (heap 0)))
//!     (<= (goal ?r 100) (true (heap 0)) (true (turn ?r)))
//!     (<= (goal ?r 0) (role ?r) (not (true (turn ?r))))";
//!
//! let description = Description::parse(rules.as_bytes(), &ParseOptions::default())?;
//! let limits = Limits { time: Some(Duration::from_secs(8)), ..Limits::default() };
//! let options = GroundOptions { limits, ..GroundOptions::compact() };
//! let game = match ground(&description, &options, &mut Silent) {
//!     Ok(grounding) => grounding.game,
//!     Err(GroundError::Limit { exceeded, .. }) => panic!("play by other means: {exceeded}"),
//!     Err(fault) => return Err(fault.into()),
//! };
//!
//! assert_eq!(game.role_names().collect::<Vec<_>>(), ["ann", "bob"]);
//! let init: Vec<String> = game.init().iter().map(|&atom| game.display(atom).to_string()).collect();
//! assert_eq!(init, ["(true (heap 3))", "(true (turn ann))"]);
//! let by_head = RulesByHead::new(&game);
//! for action in game.moves() {
//!     let rules = action.legal.map_or(&[][..], |legal| by_head.rules(legal));
//!     for &rule in rules {
//!         println!("{}", game.display_rule(rule as usize));
//!     }
//! }
//! let next = game.next(game.init()[1]).expect("somebody is to move again");
//! let rule = by_head.rules(next)[0] as usize;
//! assert_eq!(game.display_rule(rule).to_string(), "(<= (next (turn ann)) (true (turn bob)))");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A description comes from [a string](Description::parse), [a file](Description::from_file) or
//! [any reader](Description::from_reader). [`ground()`] does the work within its [`Limits`], calls an
//! [`Observer`] as it goes, and returns a [`Grounding`]: the [`GroundGame`], a [`Report`] of times and
//! counts, and warnings. [`emit`] writes games as text, and serde saves and loads
//! them. The crate `groundfrog-reasoner` plays matches on them.
//!
//! The modules follow a game through the house:
//! text, [`kif`], [`description`], `rewrite`, `flat`, `restrictions`, [`prepare`], `domains`, the tables of `groundfrog_engine`,
//! [`simplify`], [`compact`], [`game`], [`emit`]. [`ground`](mod@ground) leads it from door to door.

pub mod compact;
pub mod description;
pub(crate) mod domains;
pub mod emit;
#[doc(hidden)]
pub mod error;
pub mod explain;
pub mod export;
#[doc(hidden)]
pub mod flat;
pub mod game;
pub mod ground;
pub mod kif;
pub mod options;
pub mod prepare;
#[doc(hidden)]
pub mod restrictions;
#[doc(hidden)]
pub mod rewrite;
#[doc(hidden)]
pub mod rules;
pub mod simplify;
pub mod symbols;
#[doc(hidden)]
pub mod ticker;
mod tuning;
pub mod visible;

pub use groundfrog_engine::observe::{Observer, Silent};
pub use groundfrog_engine::{Budget, Exceeded, Limit, Stop};

pub use description::{Description, Language, ParseError, ParseOptions, ReadError, Term};
pub use emit::Format;
pub use error::{Faults, GroundError};
pub use game::{AtomId, AtomKind, GroundGame, RoleId, RulesByHead};
pub use ground::{Grounding, Report, ground};
pub use options::{Domains, Engine, GroundOptions, Limits};

/// The example of the project's README is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
