//! Which allocator has blocks of which size.

use std::alloc::{GlobalAlloc, Layout, System};

#[cfg(any(not(target_os = "linux"), miri))]
use {dlmalloc::GlobalDlmalloc as Medium, std::alloc::System as Large};

use crate::free_lists::{self, STEP};
#[cfg(all(target_os = "linux", not(miri)))]
use crate::linux::{Large, Medium};

/// Blocks of more bytes than this come straight from the system, which makes them longer without copying them and gets them
/// back: large tables and ground rules.
const LARGEST_MEDIUM: usize = 1 << 20;

/// An allocator with a way for each size.
///
/// Blocks of up to 1 KiB come from lists of free blocks that each thread has for itself, those of up to 1 MiB from
/// Doug Lea's allocator, and longer ones from the system, on Linux in huge pages. Those that are aligned to more than 16
/// bytes are left to the system's allocator.
///
/// What it costs: the memory of small blocks is used again but not returned while the program runs, blocks of one size do not
/// become blocks of another, and what a thread that ends has in its lists is lost to the others. That suits a
/// program that does one thing and ends, not a server whose threads come and go.
///
/// It is for systems whose linkers know of thread-local variables, such as Linux, macOS and Windows: elsewhere the
/// standard library asks the allocator for their memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator;

impl Allocator {
    /// The most bytes that it has had from the system at a time, used or not, which costs nothing to ask for; known on
    /// Linux only.
    ///
    /// What the process needs besides is its code, its stacks and the few blocks that are aligned to more than 16 bytes.
    #[must_use]
    pub fn most_mapped() -> Option<usize> {
        #[cfg(all(target_os = "linux", not(miri)))]
        return Some(crate::pages::most_mapped());
        #[cfg(any(not(target_os = "linux"), miri))]
        return None;
    }
}

enum Size {
    /// So many steps of the free lists.
    Small(usize),
    Medium,
    Large,
    /// Whatever the system makes of it.
    Other,
}

#[inline]
fn size(layout: Layout) -> Size {
    match free_lists::steps(layout) {
        Some(steps) => Size::Small(steps),
        // Doug Lea's allocator looks before a block for its size, where Miri lets no pointer to the block reach, and
        // Miri does not know of mappings.
        None if layout.align() > STEP || cfg!(miri) => Size::Other,
        None if layout.size() <= LARGEST_MEDIUM => Size::Medium,
        None => Size::Large,
    }
}

// SAFETY: each of the allocators keeps the contract, and whose a block is depends on its layout alone, which is
// the same when it is given back. Nothing here unwinds.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout, with the same contract.
        unsafe {
            match size(layout) {
                Size::Small(steps) => free_lists::take(steps),
                Size::Medium => Medium.alloc(layout),
                Size::Large => Large.alloc(layout),
                Size::Other => System.alloc(layout),
            }
        }
    }

    // Otherwise the optimiser makes a function of it, and what calls that, being short, is put wherever a block is given
    // back: the program's code is then a sixth larger, and small games take longer.
    #[inline(always)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block was allocated above by the same one, with this layout, and the caller is done with it.
        unsafe {
            match size(layout) {
                Size::Small(steps) => free_lists::put(block, steps),
                Size::Medium => Medium.dealloc(block, layout),
                Size::Large => Large.dealloc(block, layout),
                Size::Other => System.dealloc(block, layout),
            }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout, with the same contract; a small block is new and has the layout's size.
        unsafe {
            match size(layout) {
                Size::Small(steps) => {
                    let block = free_lists::take(steps);
                    if !block.is_null() {
                        block.write_bytes(0, layout.size());
                    }
                    block
                }
                Size::Medium => Medium.alloc_zeroed(layout),
                Size::Large => Large.alloc_zeroed(layout),
                Size::Other => System.alloc_zeroed(layout),
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: by the caller's contract, `new_size` is not zero and does not overflow with this alignment.
        let new_layout = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        // SAFETY: where a block stays with the same allocator, the contract is the same. Otherwise both blocks are
        // at least as long as what is copied, they are not the same, and the old one is not used after this.
        unsafe {
            match (size(layout), size(new_layout)) {
                (Size::Small(old), Size::Small(new)) if old == new => block,
                (Size::Medium, Size::Medium) => Medium.realloc(block, layout, new_size),
                (Size::Large, Size::Large) => Large.realloc(block, layout, new_size),
                (Size::Other, Size::Other) => System.realloc(block, layout, new_size),
                _ => {
                    let new_block = self.alloc(new_layout);
                    if !new_block.is_null() {
                        new_block.copy_from_nonoverlapping(block, layout.size().min(new_size));
                        self.dealloc(block, layout);
                    }
                    new_block
                }
            }
        }
    }
}
