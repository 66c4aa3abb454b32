//! How the allocator of the program behaves, which it reads from the environment before anything else runs.

#[cfg(unix)]
use std::env;

/// Milliseconds that mimalloc keeps what is free: until the next time that somebody allocates, whenever that is.
#[cfg(unix)]
const DELAY: &str = "MIMALLOC_PURGE_DELAY";

/// Lets the program give memory back as soon as it is free, unless its environment says when. It starts itself anew for that, in the
/// same process: where it waits for others nobody allocates, and what is over would count as used.
pub(crate) fn give_back_at_once() {
    #[cfg(unix)]
    if env::var_os(DELAY).is_none()
        && let Ok(program) = env::current_exe()
    {
        use std::os::unix::process::CommandExt;
        let mut arguments = env::args_os();
        let name = arguments.next().unwrap_or_default();
        // It returns only where it fails: then memory is given back later.
        let _ =
            std::process::Command::new(program).arg0(name).args(arguments).env(DELAY, "0").exec();
    }
}
