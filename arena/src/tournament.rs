//! Tournaments: which matches are played, and what comes of them.
//!
//! * [`Plan`]: what a file in TOML says.
//! * [`Schedule`]: the matches of each round; the same plan gives the same schedule, that of a Swiss tournament from the results so far.
//! * [`Tournament`]: plays what is not yet in the [`RecordFolder`], several matches at once.
//! * [`Standings`]: points, ratings, and what went wrong.

mod folder;
mod plan;
mod run;
mod schedule;
mod standings;

pub use folder::{Existing, FolderError, RecordFolder};
pub use plan::{Format, Plan, PlanError, PlannedGame, PlannedPlayer, PlayerSource};
pub use run::{Progress, Tournament, TournamentError, TournamentGame, TournamentObserver};
pub use schedule::{Pairing, Schedule};
pub use standings::{
    FaultCounts, MatchResult, Meeting, PlayerStanding, SeatScore, Share, Standings,
};
