//! Ctrl-C and termination: they raise a flag.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[cfg(unix)]
use crate::exit::Exit;

/// Raises the flag when the process is to end. Without a handler, where none can be set, a signal
/// still ends the process, only less tidily.
#[cfg(unix)]
pub(crate) fn raise_on_signal(flag: &Arc<AtomicBool>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // The handler itself raises the flag: no thread has to wait for signals.
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let _ = signal_hook::flag::register(signal, Arc::clone(flag));
    }
}

/// The same for what takes a while to end, since others are told: a second signal ends the process at once, whatever it waits for.
#[cfg(unix)]
pub(crate) fn raise_then_end(flag: &Arc<AtomicBool>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // Handlers are called in the order in which they were set: this one first, when the flag is not raised yet.
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let code = Exit::Interrupted.code().into();
        let _ = signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(flag));
    }
    raise_on_signal(flag);
}

/// The same for what takes a while to end: here as [`raise_on_signal`].
#[cfg(not(unix))]
pub(crate) fn raise_then_end(flag: &Arc<AtomicBool>) {
    raise_on_signal(flag);
}

/// Raises the flag when the process is to end. Without a handler, where none can be set, that
/// still ends the process, only less tidily.
#[cfg(not(unix))]
pub(crate) fn raise_on_signal(flag: &Arc<AtomicBool>) {
    let flag = Arc::clone(flag);
    let _ = ctrlc::set_handler(move || flag.store(true, std::sync::atomic::Ordering::Relaxed));
}
