//! The memory of processes, as far as the operating system reports it.

use std::fs::File;
use std::io::Read;

/// The most memory that the process has had so far, in bytes; known on Linux only.
pub fn peak() -> Option<u64> {
    field("self", "VmHWM:")
}

/// The most memory that another process has had so far, in bytes; known on Linux only.
pub fn peak_of(process: u32) -> Option<u64> {
    field(&process.to_string(), "VmHWM:")
}

/// The memory that the process has now, in bytes; known on Linux only.
pub fn current() -> Option<u64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Most of what the test below holds: the system's counts may lag by some pages for each core.
    const NEARLY: u64 = 30 << 20;

    #[test]
    fn the_peak_remains_when_memory_is_given_back() {
        assert_eq!(current().is_some(), cfg!(target_os = "linux"));
        if !cfg!(target_os = "linux") {
            return;
        }
        let held = std::hint::black_box(vec![1_u8; 32 << 20]);
        assert!(current() >= Some(NEARLY), "{:?}", current());
        drop(held);
        assert!(peak() >= Some(NEARLY), "{:?}", peak());
        assert!(peak_of(std::process::id()) >= Some(NEARLY));
    }
}
