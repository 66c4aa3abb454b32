//! The memory of the process, which all matches share.
//!
//! Each evaluation counts its own tables and rules. What they and everything else come to is seen from outside only: so the memory
//! of the process is measured again and again, and while it is above what is allowed, evaluations end that hold much or have
//! taken long. Those of ordinary games beside them are too small and too short to notice.

use std::fmt::{self, Debug, Formatter};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use groundfrog::{Budget, Stop};

/// How often the memory is measured.
const INTERVAL: Duration = Duration::from_millis(10);
/// Where there is a shortage, evaluations end that hold more than this part of what is allowed,
const PART: u64 = 32;
/// or that have taken longer than this.
const LONG: Duration = Duration::from_millis(100);
/// So much above what is allowed, all evaluations end.
const EXCESS: u64 = 32 << 20;

/// Bytes that a built-in player takes before it has begun: its threads, each with pages of its own.
pub const PLAYER_MEMORY: u64 = 8 << 20;

/// What the process may use, and what it uses.
pub struct ProcessMemory {
    allowed: u64,
    reached: AtomicU64,
}

impl ProcessMemory {
    /// Without a limit.
    pub fn unlimited() -> Arc<Self> {
        Arc::new(ProcessMemory { allowed: u64::MAX, reached: AtomicU64::new(0) })
    }

    /// So many bytes, if that is limited. `measure` tells what the process has, if it is known; a thread asks it as long as anybody
    /// holds this.
    pub fn watched(allowed: Option<u64>, measure: fn() -> Option<u64>) -> Arc<Self> {
        let Some(allowed) = allowed else { return Self::unlimited() };
        let memory = Arc::new(ProcessMemory { allowed, reached: AtomicU64::new(0) });
        let watched = Arc::downgrade(&memory);
        // Without the thread each evaluation still heeds its own limits.
        let builder = thread::Builder::new().name("memory".to_owned());
        let _ = builder.spawn(move || watch(&watched, measure));
        memory
    }

    /// Whether there is more than is allowed.
    pub fn is_short(&self) -> bool {
        self.reached.load(Ordering::Relaxed) > self.allowed
    }

    /// Waits until a moment for memory that evaluations give back as they end. Says whether there is no shortage then.
    pub fn wait(&self, until: Instant) -> bool {
        while self.is_short() && Instant::now() < until {
            thread::sleep(INTERVAL / 2);
        }
        !self.is_short()
    }

    /// What is allowed and what there is, if it is short and a match that holds so many bytes has to give them up.
    pub fn shortage_of_match(&self, bytes: u64) -> Option<(u64, u64)> {
        let reached = self.reached.load(Ordering::Relaxed);
        let is_short = reached > self.allowed && bytes > self.allowed / PART;
        is_short.then_some((self.allowed, reached))
    }

    /// The budget of a match: it ends when the flag is raised, and its evaluations when memory is short.
    pub fn bounds(self: &Arc<Self>, flag: &Arc<AtomicBool>) -> Budget {
        Budget::until(None, Some(Arc::clone(flag) as _)).with_stop(Arc::clone(self) as _)
    }
}

impl Debug for ProcessMemory {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let reached = self.reached.load(Ordering::Relaxed);
        write!(out, "{reached} bytes of {}", self.allowed)
    }
}

fn watch(memory: &Weak<ProcessMemory>, measure: fn() -> Option<u64>) {
    let mut is_known = false;
    while let Some(memory) = memory.upgrade() {
        match measure() {
            Some(reached) => memory.reached.store(reached, Ordering::Relaxed),
            // For a moment there may be no descriptor to ask with.
            None if is_known => {}
            None => return,
        }
        is_known = true;
        drop(memory);
        thread::sleep(INTERVAL);
    }
}

/// Ends evaluations when memory is short.
impl Stop for ProcessMemory {
    fn is_raised(&self) -> bool {
        false
    }

    fn shortage(&self, bytes: u64, age: Duration) -> Option<(u64, u64)> {
        let (allowed, reached) = (self.allowed, self.reached.load(Ordering::Relaxed));
        if reached <= allowed {
            return None;
        }
        let is_excess = reached - allowed > EXCESS;
        let ends = is_excess || bytes > allowed / PART || age > LONG;
        ends.then_some((allowed, reached))
    }

    fn is_tight(&self) -> bool {
        self.reached.load(Ordering::Relaxed) > self.allowed / 4 * 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_long_evaluations_end_where_memory_is_short() {
        let memory = Arc::new(ProcessMemory { allowed: 64 << 20, reached: AtomicU64::new(0) });
        let stop = memory.bounds(&Arc::default());
        assert_eq!(stop.shortage(u64::MAX, LONG * 2), None);
        memory.reached.store(60 << 20, Ordering::Relaxed);
        assert!(stop.is_tight() && !memory.is_short());
        memory.reached.store(65 << 20, Ordering::Relaxed);
        assert!(memory.is_short());
        assert_eq!(stop.shortage(1 << 20, Duration::ZERO), None, "others go on");
        assert_eq!(stop.shortage(3 << 20, Duration::ZERO), Some((64 << 20, 65 << 20)));
        assert_eq!(stop.shortage(0, LONG * 2), Some((64 << 20, 65 << 20)));
        memory.reached.store(97 << 20, Ordering::Relaxed);
        assert!(stop.shortage(0, Duration::ZERO).is_some());
        assert!(!memory.wait(Instant::now()));
        let given_back = thread::spawn({
            let memory = Arc::clone(&memory);
            move || memory.reached.store(1, Ordering::Relaxed)
        });
        assert!(memory.wait(Instant::now() + Duration::from_secs(60)), "it is waited for");
        given_back.join().expect("it ends");
    }

    #[test]
    fn what_is_measured_counts() {
        let memory = ProcessMemory::watched(Some(10), || Some(11));
        let until = Instant::now() + Duration::from_secs(10);
        while !memory.is_short() && Instant::now() < until {
            thread::sleep(INTERVAL);
        }
        assert!(memory.is_short());
        assert!(!ProcessMemory::watched(None, || Some(11)).is_short());
    }
}
