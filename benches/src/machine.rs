//! What the operating system says of processes and of the machine.

use std::fs::File;
use std::io::Read;

use super::record::Machine;

/// The most memory that the process has had so far, in bytes; known on Linux only.
pub fn peak_memory() -> Option<u64> {
    field("self", "VmHWM:")
}

/// The most memory that another process has had so far, in bytes; known on Linux only.
pub fn peak_memory_of(process: u32) -> Option<u64> {
    field(&process.to_string(), "VmHWM:")
}

/// The memory that the process has now, in bytes; known on Linux only.
pub fn memory() -> Option<u64> {
    field("self", "VmRSS:")
}

/// The address space that the process has taken, in bytes; known on Linux only.
pub fn address_space() -> Option<u64> {
    field("self", "VmSize:")
}

fn field(process: &str, name: &str) -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    // Room for all of it: the system counts anew for each piece that is read.
    let mut status = String::with_capacity(1 << 12);
    File::open(format!("/proc/{process}/status")).ok()?.read_to_string(&mut status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

// The processor time of processes, user and system together, as far as the operating system reports it.

/// Seconds that this process has taken so far, all threads together; known on Unix only.
#[cfg(unix)]
pub fn processor_time() -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let microseconds =
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Some(microseconds as f64 / 1e6)
}

/// Seconds that this process has taken so far, all threads together; known on Unix only.
#[cfg(not(unix))]
pub fn processor_time() -> Option<f64> {
    None
}

/// Seconds that a process has taken, to a hundredth, also when it has ended and was not waited for; known
/// on Linux only.
pub fn processor_time_of(process: u32) -> Option<f64> {
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

// What a machine is, as far as the operating system reports it.

/// The machine that this runs on. Model and memory are known on Linux only.
pub fn this() -> Machine {
    let field = |file: &str, name: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let memory = field("/proc/meminfo", "MemTotal");
    let kibibytes = memory.and_then(|it| it.strip_suffix("kB")?.trim().parse::<u64>().ok());
    Machine {
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        model: field("/proc/cpuinfo", "model name").filter(|it| !it.is_empty()),
        memory: kibibytes.map(|it| it << 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Most of what the test below holds: the system's counts may lag by some pages for each core.
    const NEARLY: u64 = 30 << 20;

    #[test]
    fn the_peak_remains_when_memory_is_given_back() {
        assert_eq!(memory().is_some(), cfg!(target_os = "linux"));
        if !cfg!(target_os = "linux") {
            return;
        }
        let held = std::hint::black_box(vec![1_u8; 32 << 20]);
        assert!(memory() >= Some(NEARLY), "{:?}", memory());
        drop(held);
        assert!(peak_memory() >= Some(NEARLY), "{:?}", peak_memory());
        assert!(peak_memory_of(std::process::id()) >= Some(NEARLY));
    }

    #[test]
    fn work_takes_time() {
        let start = std::time::Instant::now();
        let mut sum = 0u64;
        while start.elapsed() < std::time::Duration::from_millis(30) {
            sum = sum.wrapping_mul(31).wrapping_add(1);
        }
        assert_ne!(sum, 1);
        assert_eq!(processor_time().is_some(), cfg!(unix));
        let coarse = processor_time_of(std::process::id());
        assert_eq!(coarse.is_some(), cfg!(target_os = "linux"));
        if let (Some(fine), Some(coarse)) = (processor_time(), coarse) {
            assert!(fine > 0.0 && coarse <= fine + 0.05, "{fine} {coarse}");
        }
    }
}
