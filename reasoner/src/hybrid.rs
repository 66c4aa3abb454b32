//! A reasoner at once, and a faster one as soon as there is one.
//!
//! Grounding takes a while, and some games cannot be ground. [`Play`] answers from the rules with variables from the first
//! moment on, grounds the game in the background, and changes to the ground rules when they are ready. States are carried
//! over. What cannot be ground within the limits is interpreted to the end.

mod background;

use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

use super::{
    BuildError, GroundReasoner, InterpretError, InterpretedReasoner, Reasoner, ReasonerError,
    State, Vocabulary,
};
use background::{Background, Preparing};
use groundfrog::description::Description;
use groundfrog::error::GroundError;
use groundfrog::options::Limits;

/// Plays a game by its rules with variables until its ground rules are ready.
///
/// The ground rules are made by a thread. It ends soon after the value is dropped: grounding looks at a flag; only the
/// compilation of ground rules that are there already is done to its end.
///
/// ```
/// use std::time::Duration;
/// use groundfrog::{Description, Limits, ParseOptions};
/// use groundfrog_reasoner::{Play, Reasoner};
///
/// let rules = "(role ann) (init (heap 2)) (less 2 1) (less 1 0) (legal ann take)
///     (<= (next (heap ?m)) (does ann take) (true (heap ?n)) (less ?n ?m))
///     (<= terminal (true (heap 0))) (goal ann 100)";
/// let description = Description::parse(rules.as_bytes(), &ParseOptions::default())?;
/// let mut play = Play::begin(&description, Limits::default())?;
/// let mut state = play.reasoner().initial().clone();
/// assert!(!play.reasoner().is_terminal(&state)?);
///
/// assert!(play.wait(Duration::from_secs(60)), "so small a game is ground at once");
/// let search = play.ground().expect("it is ready").clone();
/// assert_eq!(search.game().moves().len(), 1);
/// play.switch(&mut [&mut state])?;
/// assert!(play.is_ground(), "from here on the state is one of the ground reasoner");
/// assert_eq!(play.reasoner().state_text(&state)?, ["(heap 2)"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Play {
    interpreted: Option<InterpretedReasoner>,
    /// There from the change on.
    ground: Option<GroundReasoner>,
    background: Arc<Background>,
}

/// Why a game is not ground.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotGround {
    /// It cannot be ground, or not within the limits.
    #[error(transparent)]
    Grounding(#[from] GroundError),
    /// Its ground rules cannot be compiled.
    #[error(transparent)]
    Compilation(#[from] BuildError),
    /// Grounding was given up.
    #[error("grounding was stopped")]
    Stopped,
    /// The thread could not be started.
    #[error("no thread could be started to ground the game: {0}")]
    Thread(String),
    /// The thread has left nothing behind: an error of this program.
    #[error("grounding ended without a result, which is an error of this program")]
    NoResult,
}

impl Play {
    /// Begins to ground a game in the background, and prepares to play it by its rules with variables until then.
    ///
    /// `limits` are those of grounding, and of each evaluation of rules with variables; memory is counted for both apart.
    /// The stop flag ends both.
    ///
    /// # Errors
    /// The game can be played neither way: as [`InterpretedReasoner::new`]. Where only the rules with variables cannot be
    /// prepared, the ground rules are waited for.
    pub fn begin(description: &Description, limits: Limits) -> Result<Self, InterpretError> {
        let background = Background::start(description, &limits);
        let preparing: Arc<Preparing> = Arc::new(Preparing(Arc::clone(&background)));
        let within = Limits { stop: Some(preparing), ..limits.clone() };
        let mut play = Play { interpreted: None, ground: None, background };
        match InterpretedReasoner::new(description, within) {
            Ok(mut interpreted) => {
                interpreted.set_limits(limits);
                play.interpreted = Some(interpreted);
            }
            Err(error) => {
                let Ok(ground) = play.background.result() else { return Err(error) };
                play.ground = Some(ground.clone());
            }
        }
        Ok(play)
    }

    /// The reasoner in use: the interpreted one until [`Play::switch`] has changed to the ground one. States, fluents and
    /// moves are those of one reasoner.
    pub fn reasoner(&mut self) -> &mut dyn Reasoner {
        match (&mut self.ground, &mut self.interpreted) {
            (Some(ground), _) => ground,
            (None, interpreted) => {
                interpreted.as_mut().expect("interpreted unless it is ground from the beginning")
            }
        }
    }

    /// The interpreted reasoner. There is none if the game was ground before this one was prepared, or if it cannot be
    /// interpreted.
    pub fn interpreted(&self) -> Option<&InterpretedReasoner> {
        self.interpreted.as_ref()
    }

    /// The ground reasoner when it is ready, whether it is in use or not. A clone shares the rules and can play in a thread of
    /// its own; its [`GroundGame`](groundfrog::game::GroundGame) is what [`BitParallel`](crate::BitParallel) wants.
    pub fn ground(&self) -> Option<&GroundReasoner> {
        self.background.known()?.as_ref().ok()
    }

    /// Why there will be no ground reasoner, once that is known.
    pub fn not_ground(&self) -> Option<&NotGround> {
        self.background.known()?.as_ref().err()
    }

    /// Whether [`Play::reasoner`] is the ground one.
    pub fn is_ground(&self) -> bool {
        self.ground.is_some()
    }

    /// Waits until it is known whether the game can be ground, for so long at most. Returns whether the ground reasoner is
    /// ready.
    pub fn wait(&self, time: Duration) -> bool {
        self.background.wait(time);
        self.ground().is_some()
    }

    /// Changes to the ground reasoner if it is ready, and makes states of the interpreted one its own. Returns whether it was
    /// changed by this call; if not, the states are as they were.
    ///
    /// # Errors
    /// As [`Vocabulary::import_state`](crate::Vocabulary::import_state), so for a state that the ground game does not have; then nothing is changed.
    pub fn switch(&mut self, states: &mut [&mut State]) -> Result<bool, ReasonerError> {
        let (Some(ready), Some(interpreted)) = (self.ground(), &self.interpreted) else {
            return Ok(false);
        };
        if self.is_ground() {
            return Ok(false);
        }
        let mut ground = ready.clone();
        let carried: Result<Vec<State>, ReasonerError> =
            states.iter().map(|it| ground.import_state(interpreted, it)).collect();
        states.iter_mut().zip(carried?).for_each(|(state, own)| **state = own);
        self.ground = Some(ground);
        Ok(true)
    }

    /// A state of the interpreted reasoner for the ground one, without a change to it; `None` if either is not there.
    ///
    /// # Errors
    /// As [`Play::switch`].
    pub fn carried(&self, state: &State) -> Option<Result<State, ReasonerError>> {
        let interpreted = self.interpreted.as_ref()?;
        Some(self.ground()?.clone().import_state(interpreted, state))
    }

    /// Lets no evaluation of rules with variables go on behind a deadline: it then ends with an error of which
    /// [`ReasonerError::is_late`](crate::ReasonerError::is_late). A step on ground rules is short and takes no notice.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        if let Some(interpreted) = &mut self.interpreted {
            interpreted.set_deadline(deadline);
        }
    }

    /// Ends grounding if it is still under way; the game is interpreted from then on.
    pub fn stop_grounding(&self) {
        self.background.stop();
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        self.background.stop();
    }
}

#[cfg(test)]
mod tests;
