//! The start of the program on Linux, in place of the standard library's, which asks for the ends of the stack so that it
//! can tell when it overflows: 0.11 ms with glibc, which reads them from a file, and 0.07 with musl. A small game takes a
//! millisecond. A stack that overflows still ends the program, by the system's signal and without a message.
#![allow(unsafe_code)]

#[cfg(target_env = "gnu")]
mod functions;

use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::panic::catch_unwind;
use std::process;

use crate::exit::Exit;

/// What the C library calls.
#[unsafe(no_mangle)]
extern "C" fn main(count: c_int, words: *const *const c_char) -> c_int {
    #[cfg(placed)]
    ask_for_large_page();
    open_standard_files();
    ignore_closed_pipes();
    // SAFETY: the C library hands on what the system wrote for this process, which nobody changes.
    let words = unsafe { owned(count, words) };
    let exit = catch_unwind(|| crate::run(words)).unwrap_or(Exit::Crash);
    // Not returned, as what was printed is still to be written.
    process::exit(exit.code().into())
}

/// Asks for what grounding runs in one large page, in case it has to be read from the disk: this process and later ones
/// then have it mapped at once, and the processor finds it faster. Where the file system has no large pages, it is read as
/// always.
#[cfg(placed)]
fn ask_for_large_page() {
    const LARGE: usize = 1 << 21;
    unsafe extern "C" {
        /// Where `often.ld` begins, at a multiple of this size.
        static groundfrog_often: [u8; LARGE];
    }
    // SAFETY: it advises on how to read, and nothing is read here.
    unsafe {
        libc::madvise((&raw const groundfrog_often).cast_mut().cast(), LARGE, libc::MADV_HUGEPAGE);
    }
}

/// The words of a command line.
///
/// # Safety
/// There are so many pointers to texts that end with a zero.
unsafe fn owned(count: c_int, words: *const *const c_char) -> Vec<OsString> {
    (0..usize::try_from(count).unwrap_or(0))
        .map(|at| {
            // SAFETY: the caller's promise.
            let word = unsafe { CStr::from_ptr(*words.add(at)) };
            OsStr::from_bytes(word.to_bytes()).to_owned()
        })
        .collect()
}

/// Opens those of the three standard files that are closed, or the next file that is opened would be taken for one.
fn open_standard_files() {
    for file in [libc::STDIN_FILENO, libc::STDOUT_FILENO, libc::STDERR_FILENO] {
        // SAFETY: it only asks. What is opened gets the lowest number that is free, which is this one.
        unsafe {
            if libc::fcntl(file, libc::F_GETFD) == -1 {
                libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
            }
        }
    }
}

/// Lets writing to a pipe that nobody reads from fail, instead of ending the program.
fn ignore_closed_pipes() {
    // SAFETY: there is no other thread yet, and nothing runs when the signal comes.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
}
