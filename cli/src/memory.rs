//! The memory of the program: what it may have, what it has, and how its allocator behaves.
//!
//! An address space that is limited (`ulimit -v`) is as much a limit as `--max-memory`, and so is the memory of a container. Where there
//! is no more of it, nothing can be allocated, and the program would be aborted: so it ends before.

#[cfg(unix)]
use std::env;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use groundfrog_benches::{machine, quantities};

use crate::commands::processors_if_0;
use crate::failure::{Cause, Failure};

/// The limit where nothing else is said, and nothing smaller is allowed.
const USUAL: u64 = 4 << 30;
/// What a thread takes of the address space: its stack of 2 MiB, and a segment that the allocator gives it.
const THREAD: u64 = 36 << 20;
/// How many threads a built-in player has besides those that search.
const PLAYER_THREADS: u64 = 6;
/// Milliseconds that mimalloc keeps what is free: until the next time that somebody allocates, whenever that is.
#[cfg(unix)]
const DELAY: &str = "MIMALLOC_PURGE_DELAY";
/// What mimalloc takes of the address space before it is needed.
#[cfg(unix)]
const RESERVE: &str = "MIMALLOC_ARENA_RESERVE";

/// Lets the program give memory back as soon as it is free, unless its environment says when: where it waits for others nobody
/// allocates, and what is over would count as used.
pub(crate) fn give_back_at_once() {
    #[cfg(unix)]
    restart_with(DELAY);
}

/// Lets the program take no more of a limited address space than it needs, unless its environment says how much.
pub(crate) fn spare_address_space() {
    #[cfg(unix)]
    if address_space().is_some() {
        restart_with(RESERVE);
    }
}

/// Starts the program anew, in the same process, with a variable of its environment set to 0: the allocator looks at it before anything
/// else runs.
#[cfg(unix)]
fn restart_with(variable: &str) {
    if env::var_os(variable).is_none()
        && let Ok(program) = env::current_exe()
    {
        use std::os::unix::process::CommandExt;
        let mut arguments = env::args_os();
        let name = arguments.next().unwrap_or_default();
        let mut command = std::process::Command::new(program);
        // It returns only where it fails: then memory is given back later, or more address space is taken.
        let _ = command.arg0(name).args(arguments).env(variable, "0").exec();
    }
}

/// The address space that is allowed, if it is limited.
fn address_space() -> Option<u64> {
    static ALLOWED: OnceLock<Option<u64>> = OnceLock::new();
    *ALLOWED.get_or_init(|| {
        #[cfg(target_os = "linux")]
        {
            use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
            let limits = getrlimit(Resource::RLIMIT_AS).ok();
            limits.map(|it| it.0).filter(|it| *it != RLIM_INFINITY)
        }
        #[cfg(not(target_os = "linux"))]
        None
    })
}

fn three_quarters(bytes: u64) -> u64 {
    bytes / 4 * 3
}

/// The memory that is allowed where none is named: the least of 4 GiB and three quarters of what address space and container allow.
pub(crate) fn usual_limit() -> u64 {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let container = container(&groups, Path::new("/sys/fs/cgroup"));
    let container = container.map_or(u64::MAX, three_quarters);
    within_address_space(USUAL.min(container))
}

/// So much memory, but no more than three quarters of the address space.
pub(crate) fn within_address_space(bytes: u64) -> u64 {
    address_space().map_or(bytes, |it| bytes.min(three_quarters(it)))
}

/// The memory of the groups of processes (cgroups, version 1 or 2) that the process is in: the least limit of its own and those around it.
fn container(groups: &str, root: &Path) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        // A number, the controllers (none in version 2), and the path.
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (folder, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            it if it.split(',').any(|it| it == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let path = folder.join(path.trim_start_matches('/'));
        let around = path.ancestors().take_while(|it| it.starts_with(&folder));
        let limit = |it: &Path| fs::read_to_string(it.join(file)).ok()?.trim().parse::<u64>().ok();
        around.filter_map(limit).min()
    });
    limits.min()
}

/// The memory that the process has now, as far as that is known. Where its address space is limited, what it has taken of that counts
/// nearly as much: when a seventh of it is left, it has what is allowed at most.
pub(crate) fn in_use() -> Option<u64> {
    let used = machine::memory()?;
    let space = address_space().and_then(|_| machine::address_space());
    Some(used.max(space.unwrap_or(0) / 8 * 7))
}

/// What is allowed of the address space, and what there would be, in bytes, if an evaluation that holds so many bytes were to grow: to
/// twice as many, which it has besides those for a moment. None where that is allowed. `taken` is what the process had lately.
pub(crate) fn shortage_of_space(bytes: u64, taken: u64) -> Option<(u64, u64)> {
    let allowed = address_space()?;
    let needed = taken.saturating_add(bytes.saturating_mul(2));
    (needed > allowed).then_some((allowed, needed))
}

/// The address space that the process has taken, where that is limited.
pub(crate) fn space_taken() -> Option<u64> {
    address_space().and_then(|_| machine::address_space())
}

/// How many threads are meant: 0 stands for as many as there are processors. Each has a stack of so many bytes besides the usual one.
///
/// # Errors
/// The address space has no room for so many.
pub(crate) fn threads(wanted: usize, stack: u64) -> Result<usize, Failure> {
    let threads = processors_if_0(wanted);
    let Some(space) = address_space() else { return Ok(threads) };
    let most = usize::try_from(space / 2 / (THREAD + stack)).unwrap_or(usize::MAX).max(1);
    if wanted == 0 || threads <= most {
        return Ok(threads.min(most));
    }
    Err(no_space(&format!("{threads} threads"), threads as u64 * (THREAD + stack)))
}

/// Checks that the address space has room for so many built-in players, with so many threads that search each.
pub(crate) fn check_players(players: usize, threads: usize) -> Result<(), Failure> {
    let searching = processors_if_0(threads) as u64;
    let needed = (players as u64).saturating_mul(PLAYER_THREADS + searching).saturating_mul(THREAD);
    match address_space() {
        Some(space) if needed > three_quarters(space) => {
            let what = format!("{players} built-in players with {searching} threads each");
            Err(no_space(&what, needed))
        }
        _ => Ok(()),
    }
}

fn no_space(what: &str, needed: u64) -> Failure {
    let allowed = address_space().unwrap_or(u64::MAX);
    let (size, space) = (quantities::size(needed), quantities::size(allowed));
    let message = format!(
        "{what} take {size} of address space, and all may have {space}: take fewer with `--threads`, or allow more with `ulimit -v`"
    );
    Failure::Stopped { cause: Cause::Memory { allowed, reached: needed }, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_of_all_groups_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let limit = |path: &str, file: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(&path).expect("a folder");
            fs::write(path.join(file), text).expect("a file");
        };
        assert_eq!(container("0::/a/b\n", root), None);
        limit("a/b", "memory.max", "max\n");
        assert_eq!(container("0::/a/b\n", root), None);
        limit("a", "memory.max", "3000\n");
        limit("", "memory.max", "5000\n");
        limit("a/b", "memory.max", "4000\n");
        assert_eq!(container("0::/a/b\n", root), Some(3000));
        assert_eq!(container("0::/not/seen/from/here\n", root), Some(5000));
        limit("memory/c", "memory.limit_in_bytes", "2000\n");
        let groups = "5:cpu,cpuacct:/c\n4:memory:/c\n0::/\n";
        assert_eq!(container(groups, root), Some(2000));
        assert_eq!(container("", root), None);
    }
}
