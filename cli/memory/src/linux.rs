//! The allocators of blocks that are not small, on Linux.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dlmalloc::Dlmalloc;

use crate::pages::{self, Pages};

static DLMALLOC: Mutex<Dlmalloc<Pages>> = Mutex::new(Dlmalloc::new_with_allocator(Pages));

/// Doug Lea's allocator in huge pages.
pub(crate) struct Medium;

fn dlmalloc() -> MutexGuard<'static, Dlmalloc<Pages>> {
    // Nothing panics while it is locked.
    DLMALLOC.lock().unwrap_or_else(PoisonError::into_inner)
}

// SAFETY: Doug Lea's allocator keeps the contract, and is used by one thread at a time.
unsafe impl GlobalAlloc for Medium {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout, with the same contract.
        unsafe { dlmalloc().malloc(layout.size(), layout.align()) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's block and layout, with the same contract.
        unsafe { dlmalloc().free(block, layout.size(), layout.align()) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout, with the same contract.
        unsafe { dlmalloc().calloc(layout.size(), layout.align()) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's block, layout and size, with the same contract.
        unsafe { dlmalloc().realloc(block, layout.size(), layout.align(), new_size) }
    }
}

/// Each block is a mapping of huge pages of its own.
pub(crate) struct Large;

// SAFETY: a new mapping is nobody else's, aligned to more than any block that comes here, and all zero.
unsafe impl GlobalAlloc for Large {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        pages::map(layout.size())
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's block has its layout's size.
        unsafe { pages::unmap(block, layout.size()) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        pages::map(layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's block has its layout's size, and what is done with it afterwards is the same.
        unsafe { pages::resize(block, layout.size(), new_size) }
    }
}
