//! A memory allocator for short work with many small blocks, as grounding a game is: each thread keeps lists of
//! free blocks, one list for each size, before the system's allocator.
//!
//! Grounding a small game asks for some thousand blocks within a millisecond, and a sixth of that time went into
//! the system's allocator. Here a small block is taken from the head of a list or from the rest of a chunk, and
//! goes back to the head of the list of its size: segregated free lists (Wilson, Johnstone, Neely and Boles,
//! "Dynamic Storage Allocation: A Survey and Critical Review", 1995, section 3.6).
//!
//! What it costs: the memory of small blocks is used again but not returned to the system while the program runs,
//! blocks of one size do not become blocks of another, and what a thread that ends has in its lists is lost to the
//! others. That suits a program that does one thing and ends, not a server whose threads come and go.
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: groundfrog_allocator::FreeLists = groundfrog_allocator::FreeLists;
//! # assert_eq!(vec![1; 3], [1, 1, 1]);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr;

/// The sizes of small blocks are multiples of this many bytes, and so are their addresses.
const STEP: usize = 16;

/// Blocks of more bytes than this are the system's: few, and worth its care for fragmentation.
const LARGEST: usize = 1024;

/// Small blocks are cut from chunks of this many bytes: few calls of the system, little that is never used.
const CHUNK: usize = 64 * 1024;

/// An allocator with lists of free blocks for each thread. See the [crate's documentation](crate).
#[derive(Clone, Copy, Debug, Default)]
pub struct FreeLists;

/// What a thread has to give: free blocks by size, and the rest of its chunk.
///
/// Blocks are addresses here: a pointer that was given back may reach no further than what its owner had asked for,
/// while [`block_at`] reaches the whole chunk.
struct Stock {
    /// For each number of steps, the first free block, or 0; its first word is the address of the next one.
    free: [usize; LARGEST / STEP + 1],
    /// Where the rest of the chunk begins.
    rest: usize,
    /// How many bytes are left there, a multiple of `STEP`.
    left: usize,
}

thread_local! {
    // Without a destructor, so that it can be used until the thread has ended, and without asking for memory.
    static STOCK: UnsafeCell<Stock> = const {
        UnsafeCell::new(Stock { free: [0; LARGEST / STEP + 1], rest: 0, left: 0 })
    };
}

impl Stock {
    /// A block of so many steps, or null where the system has no memory.
    #[inline]
    fn take(&mut self, steps: usize) -> *mut u8 {
        if self.free[steps] == 0 {
            return self.cut(steps * STEP);
        }
        let block = block_at(self.free[steps]);
        // SAFETY: what is in a list belongs to nobody else and begins with the address that `put` wrote.
        self.free[steps] = unsafe { block.cast::<usize>().read() };
        block
    }

    /// Keeps a block of so many steps for the next who asks for that size.
    ///
    /// # Safety
    /// The block is one that `take` gave for that many steps, and nobody uses it any more.
    #[inline]
    unsafe fn put(&mut self, block: *mut u8, steps: usize) {
        // SAFETY: by the contract it may be written to; it is aligned to STEP, and an address fits into one step.
        unsafe { block.cast::<usize>().write(self.free[steps]) };
        self.free[steps] = block.addr();
    }

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

    /// Gets a new chunk from the system, if it has one.
    #[cold]
    #[inline(never)]
    fn begin_chunk(&mut self) -> bool {
        let layout = Layout::from_size_align(CHUNK, STEP)
            .expect("STEP is a power of two, and CHUNK far below the limit");
        // SAFETY: the layout is not empty.
        let chunk = unsafe { System.alloc(layout) };
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

/// How many steps a block of this layout has, if it is a small one.
#[inline]
fn steps(layout: Layout) -> Option<usize> {
    (layout.size() <= LARGEST && layout.align() <= STEP).then(|| layout.size().div_ceil(STEP))
}

#[inline]
fn with_stock<T>(work: impl FnOnce(&mut Stock) -> T) -> T {
    // SAFETY: the stock is this thread's, and none of the work asks the allocator for memory or calls anything
    // that might (`System` is below), so there is no second reference.
    STOCK.with(|stock| work(unsafe { &mut *stock.get() }))
}

// SAFETY: blocks are cut from chunks that are never given back, disjoint, aligned to STEP and at least as long as
// the layout asks; one is in a list only between `dealloc` and `alloc`. Whether a block is small depends on its layout alone,
// which is the same when it is given back, so blocks of the system go back to the system. Nothing here unwinds.
unsafe impl GlobalAlloc for FreeLists {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match steps(layout) {
            Some(steps) => with_stock(|stock| stock.take(steps)),
            // SAFETY: the caller's layout, with the same contract.
            None => unsafe { System.alloc(layout) },
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match steps(layout) {
            // SAFETY: the block was allocated with this layout, so it has so many steps, and the caller is done with it.
            Some(steps) => with_stock(|stock| unsafe { stock.put(block, steps) }),
            // SAFETY: it was the system's, see above.
            None => unsafe { System.dealloc(block, layout) },
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if steps(layout).is_none() {
            // SAFETY: the caller's layout, with the same contract.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: as above.
        let block = unsafe { self.alloc(layout) };
        if !block.is_null() {
            // SAFETY: the block is new and has the layout's size.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: by the caller's contract, `new_size` is not zero and does not overflow with this alignment.
        let new_layout = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        match (steps(layout), steps(new_layout)) {
            (Some(old), Some(new)) if old == new => return block,
            // SAFETY: the block is the system's, and stays so.
            (None, None) => return unsafe { System.realloc(block, layout, new_size) },
            _ => {}
        }
        // SAFETY: the layout is the caller's but for the size, which is not zero.
        let new_block = unsafe { self.alloc(new_layout) };
        if !new_block.is_null() {
            // SAFETY: both blocks are at least so long and differ; the old one is not used after this.
            unsafe {
                ptr::copy_nonoverlapping(block, new_block, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
        }
        new_block
    }
}
