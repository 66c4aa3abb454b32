//! The processor time of processes, user and system together, as far as the operating system reports it.

/// Seconds that this process has taken so far, all threads together; known on Unix only.
#[cfg(unix)]
pub fn current() -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let microseconds =
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Some(microseconds as f64 / 1e6)
}

/// Seconds that this process has taken so far, all threads together; known on Unix only.
#[cfg(not(unix))]
pub fn current() -> Option<f64> {
    None
}

/// Seconds that a process has taken, to a hundredth, also when it has ended and was not waited for; known
/// on Linux only.
pub fn of(process: u32) -> Option<f64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is a name in parentheses, which may contain anything.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace().skip(11);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    /// What the kernel counts in here, whatever its own clock is.
    const TICKS_PER_SECOND: f64 = 100.0;
    Some((user + system) as f64 / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        let start = std::time::Instant::now();
        let mut sum = 0u64;
        while start.elapsed() < std::time::Duration::from_millis(30) {
            sum = sum.wrapping_mul(31).wrapping_add(1);
        }
        assert_ne!(sum, 1);
        assert_eq!(current().is_some(), cfg!(unix));
        let coarse = of(std::process::id());
        assert_eq!(coarse.is_some(), cfg!(target_os = "linux"));
        if let (Some(fine), Some(coarse)) = (current(), coarse) {
            assert!(fine > 0.0 && coarse <= fine + 0.05, "{fine} {coarse}");
        }
    }
}
