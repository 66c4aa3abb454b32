//! Places for work on descriptions: reading, grounding, drawing and checking them.
//!
//! One person, and one text, has one place at a time; texts that persons give never have the last one, which is left for the games that are
//! offered. Who waits stands in line.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use super::lock;

/// So much work is done at the same time,
const MOST: usize = 3;
/// and so much of it for texts that persons give.
const MOST_GIVEN: usize = MOST - 1;

/// For whom work is done, and on what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errand {
    /// Who asks, or, where all who ask may have one address, what is worked on.
    whose: u64,
    /// Whether somebody gave the text.
    is_given: bool,
}

impl Errand {
    /// Work on a text for a peer. All persons behind loopback, a proxy for one, have one address: there each text has a place of its own.
    pub(super) fn new(peer: IpAddr, text: &[u8], is_given: bool) -> Self {
        let hasher = fxhash::FxBuildHasher;
        let whose = match peer.to_canonical() {
            it if it.is_loopback() => hasher.hash_one(text),
            it => hasher.hash_one(it),
        };
        Errand { whose, is_given }
    }
}

/// The places.
#[derive(Debug)]
pub(super) struct WorkPlaces {
    all: Arc<Semaphore>,
    given: Arc<Semaphore>,
    own: Mutex<HashMap<u64, Weak<Semaphore>>>,
}

/// A place, until this is dropped.
#[derive(Debug)]
pub(super) struct WorkPlace {
    _own: OwnedSemaphorePermit,
    _given: Option<OwnedSemaphorePermit>,
    _one: OwnedSemaphorePermit,
}

impl Default for WorkPlaces {
    fn default() -> Self {
        WorkPlaces {
            all: Arc::new(Semaphore::new(MOST)),
            given: Arc::new(Semaphore::new(MOST_GIVEN)),
            own: Mutex::default(),
        }
    }
}

impl WorkPlaces {
    /// Waits for a place.
    pub(super) async fn enter(&self, errand: Errand) -> Result<WorkPlace, AcquireError> {
        // In this order, so that who waits behind oneself keeps nobody else waiting.
        let own = self.own(errand.whose).acquire_owned().await?;
        let given = match errand.is_given {
            true => Some(Arc::clone(&self.given).acquire_owned().await?),
            false => None,
        };
        let one = Arc::clone(&self.all).acquire_owned().await?;
        Ok(WorkPlace { _own: own, _given: given, _one: one })
    }

    fn own(&self, whose: u64) -> Arc<Semaphore> {
        let mut all = lock(&self.own);
        all.retain(|_, it| it.strong_count() > 0);
        if let Some(own) = all.get(&whose).and_then(Weak::upgrade) {
            return own;
        }
        let own = Arc::new(Semaphore::new(1));
        all.insert(whose, Arc::downgrade(&own));
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place, if there is one now.
    fn enter(places: &WorkPlaces, peer: &str, text: &str, is_given: bool) -> Option<WorkPlace> {
        let errand = Errand::new(peer.parse().expect("an address"), text.as_bytes(), is_given);
        let mut entering = std::pin::pin!(places.enter(errand));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match entering.as_mut().poll(&mut context) {
            std::task::Poll::Ready(place) => Some(place.expect("the places are open")),
            std::task::Poll::Pending => None,
        }
    }

    #[test]
    fn one_text_or_person_never_takes_the_last_place() {
        let places = WorkPlaces::default();
        let here = |text, is_given| enter(&places, "127.0.0.1", text, is_given);
        let there = |text| enter(&places, "10.0.0.7", text, true);
        let first = here("hard", true).expect("a place");
        assert!(here("hard", true).is_none(), "of one text");
        let second = there("harder").expect("a place");
        assert!(there("another").is_none(), "of one person");
        assert!(here("third", true).is_none(), "of texts that are given");
        let offered = here("chess", false).expect("the last place");
        assert!(here("lamps", false).is_none());
        drop(second);
        assert!(there("another").is_some());
        drop((first, offered));
        assert!(here("hard", true).is_some());
        assert!(lock(&places.own).len() <= 2, "who is gone is forgotten");
    }
}
