//! Copying and comparing bytes, in place of musl's functions: most of what is copied or compared here is a few
//! bytes long, where `rep movs` takes longer to start than the work takes, and musl compares byte by byte.
//!
//! A few bytes are read whole before anything is written, with two reads that overlap in the middle where the
//! length is none of the sizes of a register; so it does not matter whether source and destination overlap.

use std::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_storeu_si128,
};
use std::cmp::Ordering;

/// Bytes in a vector register that every x86-64 has.
const VECTOR: usize = size_of::<__m128i>();
const FOUR: usize = 4 * VECTOR;

/// The functions under the names by which the compiler calls them, and which win over those of the C library.
#[cfg(target_env = "musl")]
mod exported {
    /// # Safety
    /// As for C: `length` bytes can be read from `source` and written to `destination`.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcpy(destination: *mut u8, source: *const u8, length: usize) -> *mut u8 {
        // SAFETY: the same contract.
        unsafe { super::copy(destination, source, length) };
        destination
    }

    /// # Safety
    /// As for C: `length` bytes can be read from `source` and written to `destination`; they may overlap.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memmove(
        destination: *mut u8,
        source: *const u8,
        length: usize,
    ) -> *mut u8 {
        // SAFETY: the same contract.
        unsafe { super::copy(destination, source, length) };
        destination
    }

    /// # Safety
    /// As for C: `length` bytes can be read from both.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, length: usize) -> i32 {
        // SAFETY: the same contract.
        unsafe { super::compare(left, right, length) as i32 }
    }

    /// # Safety
    /// As for C: `length` bytes can be read from both.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn bcmp(left: *const u8, right: *const u8, length: usize) -> i32 {
        // SAFETY: the same contract.
        unsafe { super::compare(left, right, length) as i32 }
    }
}

/// Copies `length` bytes, which may overlap.
///
/// # Safety
/// They can be read from `source` and written to `destination`.
#[inline]
unsafe fn copy(destination: *mut u8, source: *const u8, length: usize) {
    // SAFETY: each arm reads and writes within the first `length` bytes, by its lower bound.
    unsafe {
        match length {
            0 => {}
            1 => *destination = *source,
            2..4 => copy_ends::<u16>(destination, source, length),
            4..8 => copy_ends::<u32>(destination, source, length),
            8..16 => copy_ends::<u64>(destination, source, length),
            16..=32 => {
                let first = load(source, 0);
                let last = load(source, length - VECTOR);
                store(destination, 0, first);
                store(destination, length - VECTOR, last);
            }
            33..=64 => {
                let first = (load(source, 0), load(source, VECTOR));
                let last = (load(source, length - 2 * VECTOR), load(source, length - VECTOR));
                store(destination, 0, first.0);
                store(destination, VECTOR, first.1);
                store(destination, length - 2 * VECTOR, last.0);
                store(destination, length - VECTOR, last.1);
            }
            // What is written is not read later, unless the destination begins within the source.
            _ if destination.addr().wrapping_sub(source.addr()) >= length => {
                copy_forward(destination, source, length)
            }
            _ => copy_backward(destination, source, length),
        }
    }
}

/// Copies as the first and the last bytes that a `T` has, for lengths up to twice that.
#[inline]
unsafe fn copy_ends<T>(destination: *mut u8, source: *const u8, length: usize) {
    let last = length - size_of::<T>();
    // SAFETY: `length` is at least the size of a `T`, and all those bytes may be read and written.
    unsafe {
        let ends =
            (source.cast::<T>().read_unaligned(), source.add(last).cast::<T>().read_unaligned());
        destination.cast::<T>().write_unaligned(ends.0);
        destination.add(last).cast::<T>().write_unaligned(ends.1);
    }
}

#[inline]
unsafe fn load(source: *const u8, at: usize) -> __m128i {
    // SAFETY: the caller sees to it that a vector can be read there.
    unsafe { _mm_loadu_si128(source.add(at).cast()) }
}

#[inline]
unsafe fn store(destination: *mut u8, at: usize, bytes: __m128i) {
    // SAFETY: the caller sees to it that a vector can be written there.
    unsafe { _mm_storeu_si128(destination.add(at).cast(), bytes) }
}

/// Four vectors at a time; the last four, which overlap the others, are read before anything is written.
unsafe fn copy_forward(destination: *mut u8, source: *const u8, length: usize) {
    let end = length - FOUR;
    // SAFETY: `length` is more than four vectors.
    unsafe {
        let last = load_four(source, end);
        let mut at = 0;
        while at < end {
            store_four(destination, at, load_four(source, at));
            at += FOUR;
        }
        store_four(destination, end, last);
    }
}

/// The same from the end.
unsafe fn copy_backward(destination: *mut u8, source: *const u8, length: usize) {
    // SAFETY: `length` is more than four vectors.
    unsafe {
        let first = load_four(source, 0);
        let mut at = length;
        while at > FOUR {
            at -= FOUR;
            store_four(destination, at, load_four(source, at));
        }
        store_four(destination, 0, first);
    }
}

/// Four vectors, not as an array: a compiler may copy arrays by calling `memcpy`.
type Four = (__m128i, __m128i, __m128i, __m128i);

#[inline]
unsafe fn load_four(source: *const u8, at: usize) -> Four {
    // SAFETY: the caller sees to it that four vectors can be read there.
    unsafe {
        (
            load(source, at),
            load(source, at + VECTOR),
            load(source, at + 2 * VECTOR),
            load(source, at + 3 * VECTOR),
        )
    }
}

#[inline]
unsafe fn store_four(destination: *mut u8, at: usize, bytes: Four) {
    // SAFETY: the caller sees to it that four vectors can be written there.
    unsafe {
        store(destination, at, bytes.0);
        store(destination, at + VECTOR, bytes.1);
        store(destination, at + 2 * VECTOR, bytes.2);
        store(destination, at + 3 * VECTOR, bytes.3);
    }
}

/// How the first bytes that differ compare.
///
/// # Safety
/// `length` bytes can be read from both.
#[inline]
unsafe fn compare(left: *const u8, right: *const u8, length: usize) -> Ordering {
    let mut at = 0;
    // SAFETY: everything is read below `length`.
    unsafe {
        while length - at >= VECTOR {
            let equal = _mm_movemask_epi8(_mm_cmpeq_epi8(load(left, at), load(right, at)));
            if equal != 0xffff {
                let different = at + (!equal).trailing_zeros() as usize;
                return (*left.add(different)).cmp(&*right.add(different));
            }
            at += VECTOR;
        }
        while length - at >= 8 {
            let (left, right) = (left.add(at).cast::<u64>(), right.add(at).cast::<u64>());
            let (left, right) = (left.read_unaligned(), right.read_unaligned());
            if left != right {
                return left.swap_bytes().cmp(&right.swap_bytes());
            }
            at += 8;
        }
        while at < length {
            let order = (*left.add(at)).cmp(&*right.add(at));
            if order.is_ne() {
                return order;
            }
            at += 1;
        }
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::{compare, copy};

    /// Around every length at which something else is done.
    const LENGTHS: [usize; 22] =
        [0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 200, 1000];

    fn numbered(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at * 7 % 251) as u8).collect()
    }

    #[test]
    fn bytes_are_copied_wherever_source_and_destination_are() {
        for length in LENGTHS {
            for source in [0, 1, 5, 16, 63, 64, 65, 130] {
                for destination in [0, 1, 5, 16, 63, 64, 65, 130] {
                    let mut bytes = numbered(length + 200);
                    let mut expected = bytes.clone();
                    expected.copy_within(source..source + length, destination);
                    let start = bytes.as_mut_ptr();
                    // SAFETY: both begin at most 130 bytes in, and 200 more than `length` are there.
                    unsafe { copy(start.add(destination), start.add(source), length) };
                    assert_eq!(bytes, expected, "{length} bytes from {source} to {destination}");
                }
            }
        }
    }

    #[test]
    fn the_first_bytes_that_differ_decide() {
        for length in LENGTHS {
            let left = numbered(length);
            // SAFETY: both are as long as the slice.
            assert!(unsafe { compare(left.as_ptr(), left.clone().as_ptr(), length) }.is_eq());
            for at in 0..length {
                for (byte, rest) in [(left[at].wrapping_add(1), 0), (left[at] ^ 0x80, 255)] {
                    let mut right = left.clone();
                    right[at] = byte;
                    right[at + 1..].fill(rest);
                    // SAFETY: both are as long as the slice.
                    let order = unsafe { compare(left.as_ptr(), right.as_ptr(), length) };
                    assert_eq!(order, left.cmp(&right), "{length} bytes that differ at {at}");
                }
            }
        }
    }
}
