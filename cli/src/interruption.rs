//! Ctrl-C and termination: they raise a flag.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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

/// Raises the flag when the process is to end. Without a handler, where none can be set, that
/// still ends the process, only less tidily.
#[cfg(not(unix))]
pub(crate) fn raise_on_signal(flag: &Arc<AtomicBool>) {
    let flag = Arc::clone(flag);
    let _ = ctrlc::set_handler(move || flag.store(true, std::sync::atomic::Ordering::Relaxed));
}
