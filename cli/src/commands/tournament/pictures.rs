//! The last states of matches, drawn on their boards.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use groundfrog::{Description, GroundOptions, Limits, Silent, ground};
use groundfrog_arena::board::{Layout, Look, Picture};
use groundfrog_arena::record::{MatchRecord, files};
use groundfrog_arena::tournament::{MatchResult, Tournament};
use groundfrog_player::text;
use groundfrog_reasoner::GroundReasoner;

/// So many matches of each game are shown, and so many of all.
const MOST_OF_GAME: usize = 4;
const MOST: usize = 48;
/// Time to ground a game, and to find out what it looks like.
const TIME: Duration = Duration::from_secs(3);

/// A game as it is drawn.
struct Drawn {
    reasoner: GroundReasoner,
    layout: Layout,
}

impl Drawn {
    /// `None` of a game that cannot be ground in time.
    fn new(description: &Description) -> Option<Self> {
        let limits = Limits { time: Some(TIME), ..Limits::default() };
        let options = GroundOptions { limits, ..GroundOptions::compact() };
        let grounding = ground(description, &options, &mut Silent).ok()?;
        let mut reasoner = GroundReasoner::new(grounding.game).ok()?;
        let layout = Layout::new(description, &mut reasoner, TIME, &Look::default());
        Some(Drawn { reasoner, layout })
    }
}

/// Pictures of the last states of the first matches of each game, by the records in a folder. What cannot be drawn is left out.
pub(super) fn pictures(
    tournament: &Tournament,
    games: &[(String, Arc<Description>)],
    results: &[MatchResult],
    records: &Path,
) -> Vec<Picture> {
    let mut pictures = Vec::new();
    for (name, description) in games {
        let own = results.iter().filter(|it| tournament.game(it.pairing.game) == name);
        let own: Vec<&MatchResult> = own.take(MOST_OF_GAME).collect();
        if own.is_empty() || pictures.len() >= MOST {
            continue;
        }
        let Some(mut drawn) = Drawn::new(description) else { continue };
        for result in own {
            let path = records.join(format!("{}.json", tournament.id(&result.pairing)));
            let record = files::read(&path).ok().and_then(|it| MatchRecord::parse(&it).ok());
            let last = record.and_then(|it| text::elements(it.states.last()?));
            let Some(fluents) = last else { continue };
            let seats = result.pairing.seats.iter().map(|it| &tournament.plan().players[*it].name);
            let goals = |seat: usize| match &result.goals {
                Some(goals) => format!(" {}", goals[seat]),
                None => String::new(),
            };
            let players: Vec<String> =
                seats.enumerate().map(|(seat, it)| format!("{it}{}", goals(seat))).collect();
            let caption = format!("{name}: {}", players.join(", "));
            let look = (&drawn.layout, &Look::default());
            pictures.extend(Picture::new(look, &mut drawn.reasoner, &fluents, caption));
        }
    }
    pictures
}
