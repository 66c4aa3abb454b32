//! Memory for a program that does short work with many small blocks, as grounding a game is: an [`Allocator`],
//! and, in programs that are linked with musl, the functions that copy and compare bytes.
//!
//! Grounding a small game asks for some thousand blocks within a millisecond; a sixth of that time went into
//! the system's allocator. A program that is linked with musl instead of glibc starts several times faster in a virtual
//! machine, where each of glibc's questions about the processor leaves the guest, but musl copies a few bytes slowly.
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: groundfrog_memory::Allocator = groundfrog_memory::Allocator;
//! # assert_eq!(vec![1; 3], [1, 1, 1]);
//! ```

mod allocator;
#[cfg(all(target_arch = "x86_64", any(target_env = "musl", test)))]
mod bytes;
mod free_lists;
#[cfg(all(target_os = "linux", not(miri)))]
mod linux;
#[cfg(all(target_os = "linux", not(miri)))]
mod pages;

pub use allocator::Allocator;
