//! The matches under way, by name.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use web_time::Instant;

use super::game::Game;

/// A match is forgotten that has been silent for so many times its start and play clock together,
const PATIENCE: u32 = 3;
/// and for as long as this.
const LEAST_PATIENCE: Duration = Duration::from_secs(5);

/// What is known of all matches.
#[derive(Default)]
pub(super) struct Matches(BTreeMap<String, Entry>);

/// A match: `None` until START has been answered.
pub(super) type Slot = Arc<Mutex<Option<Game>>>;

struct Entry {
    game: Slot,
    stop: Arc<AtomicBool>,
    /// Who sent START.
    sender: IpAddr,
    /// When the last answer was given, or when the clock under way ends: from then on the next message is waited for.
    silent_since: Instant,
    clocks: (Duration, Duration),
}

impl Entry {
    /// Whether its server has gone: one that goes on at all does so far sooner, even if all others use their whole clocks.
    fn is_forgotten(&self, now: Instant) -> bool {
        let patience = (self.clocks.0 + self.clocks.1) * PATIENCE;
        now.saturating_duration_since(self.silent_since) > patience.max(LEAST_PATIENCE)
    }
}

impl Matches {
    /// Ends all.
    pub(super) fn clear(&mut self) {
        self.0.values().for_each(|it| it.stop.store(true, Ordering::Relaxed));
        self.0.clear();
    }

    /// How many there are, without those that are forgotten: these are ended.
    pub(super) fn count(&mut self, now: Instant) -> usize {
        self.0.retain(|_, entry| {
            let is_forgotten = entry.is_forgotten(now);
            if is_forgotten {
                entry.stop.store(true, Ordering::Relaxed);
            }
            !is_forgotten
        });
        self.0.len()
    }

    /// Whether a match is played for a server at that address.
    pub(super) fn are_with(&self, server: IpAddr) -> bool {
        self.0.values().any(|it| it.sender == server)
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// Begins a match that is not there yet.
    pub(super) fn begin(
        &mut self,
        id: &str,
        sender: IpAddr,
        arrived: Instant,
        clocks: (Duration, Duration),
    ) -> (Slot, Arc<AtomicBool>) {
        let (game, stop) = (Slot::default(), Arc::<AtomicBool>::default());
        let found = (Arc::clone(&game), Arc::clone(&stop));
        let entry = Entry { game, stop, sender, silent_since: arrived + clocks.0, clocks };
        self.0.insert(id.to_owned(), entry);
        found
    }

    /// A message about a match has come: the match, and its play clock.
    pub(super) fn heard(&mut self, id: &str) -> Option<(Slot, Duration)> {
        let entry = self.0.get_mut(id)?;
        entry.silent_since = Instant::now() + entry.clocks.1;
        Some((Arc::clone(&entry.game), entry.clocks.1))
    }

    /// An answer to PLAY has been given.
    pub(super) fn answered(&mut self, id: &str) {
        if let Some(entry) = self.0.get_mut(id) {
            entry.silent_since = Instant::now();
        }
    }

    /// Ends a match. Says whether there was one.
    pub(super) fn remove(&mut self, id: &str) -> bool {
        let removed = self.0.remove(id);
        if let Some(entry) = &removed {
            entry.stop.store(true, Ordering::Relaxed);
        }
        removed.is_some()
    }

    /// Ends the match that began with this flag.
    pub(super) fn remove_this(&mut self, id: &str, stop: &Arc<AtomicBool>) {
        if self.0.get(id).is_some_and(|it| Arc::ptr_eq(&it.stop, stop)) {
            self.remove(id);
        }
        stop.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn a_match_is_forgotten_when_it_is_silent_for_much_longer_than_its_clocks() {
        let server = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let seconds = |start, play| (Duration::from_secs(start), Duration::from_secs(play));
        for (clocks, longest) in [(seconds(10, 5), 45), (seconds(0, 1), 5)] {
            let (mut matches, begin) = (Matches::default(), Instant::now());
            let (_, stop) = matches.begin("m", server, begin, clocks);
            let after = |them: &mut Matches, silence| {
                them.count(begin + clocks.0 + Duration::from_secs(silence))
            };
            // Others may use their whole clocks, and more.
            assert_eq!(after(&mut matches, longest), 1);
            assert!(matches.are_with(server) && !stop.load(Ordering::Relaxed));
            assert_eq!(after(&mut matches, longest + 1), 0);
            assert!(!matches.are_with(server) && stop.load(Ordering::Relaxed));
        }
    }

    #[test]
    fn whatever_is_heard_ends_the_silence() {
        let clocks = (Duration::from_secs(1), Duration::from_secs(1));
        let mut matches = Matches::default();
        let begin = Instant::now().checked_sub(Duration::from_secs(60)).expect("a time before");
        matches.begin("m", IpAddr::V4(Ipv4Addr::LOCALHOST), begin, clocks);
        assert!(matches.heard("m").is_some());
        matches.answered("m");
        assert_eq!(matches.count(Instant::now()), 1);
    }
}
