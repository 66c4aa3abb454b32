//! Memory straight from the system, in huge pages where it has any.
//!
//! The first access to a page of 4 KiB costs one to two microseconds in a virtual machine, which for most games is more than
//! what is done with the page. Huge pages cost a sixth of that for the same memory: one takes as long as eighty small
//! ones, and most games need more than that. Systems that do not have them give pages of the usual size.
//!
//! A virtual machine that gave free memory back to its host has to get each huge page again, which takes some milliseconds:
//! longer than as many small ones. The first page of whatever is mapped tells how long they take, and if one takes long
//! no more of them are asked for.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::mm::{
    Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mremap, munmap,
};

/// A huge page: 2 MiB, but on rare systems.
const HUGE: usize = 2 << 20;
/// Clearing a huge page takes a tenth of this, getting it from the host of a virtual machine several times as long; small
/// pages for the same memory take about as long as this.
const LONG: Duration = Duration::from_millis(1);

/// Whether a huge page took long.
static ARE_SLOW: AtomicBool = AtomicBool::new(false);
/// How many bytes are mapped.
static MAPPED: AtomicUsize = AtomicUsize::new(0);
/// The most that they have been.
static MOST_MAPPED: AtomicUsize = AtomicUsize::new(0);

/// The most bytes that have been mapped at a time.
pub(crate) fn most_mapped() -> usize {
    MOST_MAPPED.load(Ordering::Relaxed)
}

/// The bytes that are mapped for so many, a multiple of huge pages.
fn whole(size: usize) -> Result<usize, Errno> {
    size.checked_next_multiple_of(HUGE).ok_or(Errno::NOMEM)
}

fn or_null(mapping: Result<*mut u8, Errno>) -> *mut u8 {
    mapping.unwrap_or(ptr::null_mut())
}

/// So many bytes, all zero, or null where there is no memory.
pub(crate) fn map(size: usize) -> *mut u8 {
    or_null(whole(size).and_then(map_huge))
}

/// Gives back what [`map`] gave.
///
/// # Safety
/// The block has this size, and nobody uses it any more.
pub(crate) unsafe fn unmap(block: *mut u8, size: usize) {
    let unmapped = whole(size).and_then(|bytes| {
        MAPPED.fetch_sub(bytes, Ordering::Relaxed);
        // SAFETY: all that was mapped for the block, which is the caller's to give back.
        unsafe { munmap(block.cast(), bytes) }
    });
    debug_assert_eq!(unmapped, Ok(()), "it was mapped");
}

/// What [`map`] gave, with another size and perhaps elsewhere; null, and the block as it was, where there is no
/// memory.
///
/// # Safety
/// The block has the size `old`, and unless null is returned nobody uses it any more.
pub(crate) unsafe fn resize(block: *mut u8, old: usize, size: usize) -> *mut u8 {
    let resize = || {
        let (old, bytes) = (whole(old)?, whole(size)?);
        if old == bytes {
            return Ok(block);
        }
        // SAFETY: all that was mapped for the block, which is the caller's to move.
        let block = unsafe { mremap(block.cast(), old, bytes, MremapFlags::MAYMOVE)? };
        if bytes > old {
            advise(block.cast(), bytes, bytes - old);
        } else {
            MAPPED.fetch_sub(old - bytes, Ordering::Relaxed);
        }
        Ok(block.cast())
    };
    or_null(resize())
}

/// Maps huge pages; `bytes` is a multiple of them.
fn map_huge(bytes: usize) -> Result<*mut u8, Errno> {
    let mut block = map_any(bytes)?;
    // Linux aligns as much as this since version 6.7.
    if !block.addr().is_multiple_of(HUGE) {
        // SAFETY: nobody has seen it.
        unsafe { munmap(block.cast(), bytes)? };
        block = map_aligned(bytes)?;
    }
    advise(block, bytes, bytes);
    Ok(block)
}

/// Counts so many bytes more at the end of a mapping, and tells the system what pages it should have.
fn advise(block: *mut u8, bytes: usize, more: usize) {
    let mapped = MAPPED.fetch_add(more, Ordering::Relaxed).saturating_add(more);
    MOST_MAPPED.fetch_max(mapped, Ordering::Relaxed);
    let tell = |advice| {
        // SAFETY: this changes nothing of what the memory holds, which is as good if the advice is not taken.
        let _untaken = unsafe { madvise(block.cast(), bytes, advice) };
    };
    if ARE_SLOW.load(Ordering::Relaxed) {
        return tell(Advice::LinuxNoHugepage);
    }
    tell(Advice::LinuxHugepage);
    let start = Instant::now();
    // SAFETY: it is mapped, and nobody has seen what is new of it, which is zero.
    unsafe { block.add(bytes - more).write_volatile(0) };
    if start.elapsed() > LONG {
        ARE_SLOW.store(true, Ordering::Relaxed);
        tell(Advice::LinuxNoHugepage);
    }
}

/// Maps more than is wanted and gives back what is before and after an aligned part.
fn map_aligned(bytes: usize) -> Result<*mut u8, Errno> {
    let longer = bytes.checked_add(HUGE).ok_or(Errno::NOMEM)?;
    let start = map_any(longer)?;
    let before = start.addr().next_multiple_of(HUGE) - start.addr();
    let block = start.wrapping_add(before);
    for (rest, bytes) in [(start, before), (block.wrapping_add(bytes), HUGE - before)] {
        if bytes > 0 {
            // SAFETY: nobody has seen it. No harm is done if it stays.
            let _stays = unsafe { munmap(rest.cast(), bytes) };
        }
    }
    Ok(block)
}

fn map_any(bytes: usize) -> Result<*mut u8, Errno> {
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: where the system has room, so no other memory is concerned.
    unsafe { mmap_anonymous(ptr::null_mut(), bytes, access, MapFlags::PRIVATE) }.map(|it| it.cast())
}

/// Where Doug Lea's allocator gets its memory, which it never gives back.
pub(crate) struct Pages;

// SAFETY: what is given is mapped, belongs to nobody else, and is as long as is told.
unsafe impl dlmalloc::Allocator for Pages {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        let mapping = whole(size).and_then(|bytes| Ok((map_huge(bytes)?, bytes)));
        let (block, bytes) = mapping.unwrap_or((ptr::null_mut(), 0));
        (block, bytes, 0)
    }

    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 {
        ptr::null_mut()
    }

    fn free_part(&self, _: *mut u8, _: usize, _: usize) -> bool {
        false
    }

    fn free(&self, _: *mut u8, _: usize) -> bool {
        false
    }

    fn can_release_part(&self, _: u32) -> bool {
        false
    }

    fn allocates_zeros(&self) -> bool {
        true
    }

    fn page_size(&self) -> usize {
        4096
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_of_huge_pages_are_aligned_to_them() {
        for bytes in [HUGE, 3 * HUGE] {
            for mapping in [map_huge(bytes), map_aligned(bytes)] {
                let block = mapping.expect("a few megabytes");
                assert!(block.addr().is_multiple_of(HUGE));
                // SAFETY: all of it is mapped, and nobody else's.
                unsafe {
                    assert_eq!((block.read(), block.add(bytes - 1).read()), (0, 0));
                    block.add(bytes - 1).write(1);
                    munmap(block.cast(), bytes).expect("it was mapped");
                }
            }
        }
    }

    #[test]
    fn what_is_longer_than_the_memory_is_refused() {
        assert!(map(usize::MAX).is_null());
        assert!(map(isize::MAX as usize).is_null());
        let block = map(1);
        assert!(!block.is_null());
        // SAFETY: the block is used as long as it has not moved.
        unsafe {
            block.write(7);
            assert!(resize(block, 1, usize::MAX).is_null());
            assert!(resize(block, 1, isize::MAX as usize).is_null());
            assert_eq!(block.read(), 7);
            unmap(block, 1);
        }
    }
}
