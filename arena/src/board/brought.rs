//! Whose moves bring what is drawn, by the ground rules.

use groundfrog::AtomKind;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{FluentId, GroundReasoner, Vocabulary};

use super::contents::Votes;
use super::{Layout, Place};

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
