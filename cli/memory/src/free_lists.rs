//! Small blocks: each thread has lists of free ones, one list for each size, and cuts new ones from a chunk.
//!
//! Segregated free lists, as in Wilson, Johnstone, Neely and Boles, "Dynamic Storage Allocation: A Survey and Critical
//! Review" (1995), section 3.6.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr;

#[cfg(any(not(target_os = "linux"), miri))]
use dlmalloc::GlobalDlmalloc as Medium;

#[cfg(all(target_os = "linux", not(miri)))]
use crate::linux::Medium;

/// The sizes of small blocks are multiples of this many bytes, and so are their addresses.
pub(crate) const STEP: usize = 16;

/// How many steps the largest small block has: 1 KiB.
const LARGEST: usize = 64;

/// Small blocks are cut from chunks of this many bytes: few of them, and little that is never used, also by a thread
/// that does little.
const CHUNK: usize = 16 * 1024;

/// What a thread has to give.
///
/// Blocks are addresses here: a pointer that was given back may reach no further than what its owner had asked for,
/// while [`block_at`] reaches the whole chunk.
struct FreeLists {
    /// For each number of steps, the first free block, or 0; its first word is the address of the next one.
    first: [usize; LARGEST + 1],
    /// Where the rest of the chunk begins.
    rest: usize,
    /// How many bytes are left there, a multiple of `STEP`.
    left: usize,
}

thread_local! {
    // Without a destructor, so that it can be used until the thread has ended, and without asking for memory.
    static FREE: UnsafeCell<FreeLists> =
        const { UnsafeCell::new(FreeLists { first: [0; LARGEST + 1], rest: 0, left: 0 }) };
}

/// How many steps a block of this layout has, if it is a small one.
#[inline]
pub(crate) fn steps(layout: Layout) -> Option<usize> {
    (layout.size() <= LARGEST * STEP && layout.align() <= STEP)
        .then(|| layout.size().div_ceil(STEP))
}

/// A block of so many [`steps`], at least one, or null where there is no memory.
#[inline]
pub(crate) fn take(steps: usize) -> *mut u8 {
    with_lists(|lists| {
        if lists.first[steps] == 0 {
            return lists.cut(steps * STEP);
        }
        let block = block_at(lists.first[steps]);
        // SAFETY: what is in a list belongs to nobody else and begins with the address that `put` wrote.
        lists.first[steps] = unsafe { block.cast::<usize>().read() };
        block
    })
}

/// Keeps a block of so many [`steps`] for the next who asks for that size.
///
/// # Safety
/// The block is one that `take` gave for that many steps, and nobody uses it any more.
#[inline]
pub(crate) unsafe fn put(block: *mut u8, steps: usize) {
    with_lists(|lists| {
        // SAFETY: by the contract it may be written to; it is aligned to STEP, and an address fits into one step.
        unsafe { block.cast::<usize>().write(lists.first[steps]) };
        lists.first[steps] = block.addr();
    });
}

#[inline]
fn with_lists<T>(work: impl FnOnce(&mut FreeLists) -> T) -> T {
    // SAFETY: the lists are this thread's, and none of the work above asks the allocator that they are part of for
    // memory or calls anything that might, so there is no second reference.
    FREE.with(|lists| work(unsafe { &mut *lists.get() }))
}

impl FreeLists {
    /// A block of so many bytes, a multiple of `STEP`, from the rest of the chunk or the begin of a new one.
    #[inline]
    fn cut(&mut self, bytes: usize) -> *mut u8 {
        if self.left < bytes && !self.begin_chunk() {
            return ptr::null_mut();
        }
        let block = block_at(self.rest);
        self.rest += bytes;
        self.left -= bytes;
        block
    }

    /// Gets a new chunk, which is never given back, if there is memory.
    #[cold]
    #[inline(never)]
    fn begin_chunk(&mut self) -> bool {
        let layout = Layout::from_size_align(CHUNK, STEP)
            .expect("STEP is a power of two, and CHUNK far below the limit");
        // SAFETY: the layout is not empty.
        let chunk = unsafe { Medium.alloc(layout) };
        if chunk.is_null() {
            return false;
        }
        self.rest = chunk.expose_provenance();
        self.left = CHUNK;
        true
    }
}

/// The block of a chunk that begins at this address.
#[inline]
fn block_at(address: usize) -> *mut u8 {
    // `begin_chunk` exposed the chunk that it is in.
    ptr::with_exposed_provenance_mut(address)
}
