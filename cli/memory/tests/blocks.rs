//! Blocks are aligned, do not overlap, and keep what was written to them, whatever is asked in whatever order,
//! on one thread and when a thread gives back what another one took.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::mpsc;
use std::thread;

use groundfrog_memory::Allocator;

/// Everything in these tests, the test harness too, lives in it.
#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// How often each thing is tried; Miri, which sees every wrong access, is slow.
const SEEDS: u64 = if cfg!(miri) { 1 } else { 20 };
const ROUNDS: usize = if cfg!(miri) { 200 } else { 5000 };

/// Numbers that follow from a seed (a linear congruential generator, its upper half).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// A block that is filled with one byte.
struct Block {
    start: *mut u8,
    layout: Layout,
    filling: u8,
}

// SAFETY: a block is used by one thread at a time, and the allocator lets any thread give it back.
unsafe impl Send for Block {}

impl Block {
    fn new(size: usize, align: usize, filling: u8, zeroed: bool) -> Self {
        let layout = Layout::from_size_align(size, align).expect("a power of two, and small");
        // SAFETY: the size is not zero.
        let start = unsafe {
            if zeroed { ALLOCATOR.alloc_zeroed(layout) } else { ALLOCATOR.alloc(layout) }
        };
        assert!(!start.is_null() && start.addr().is_multiple_of(align));
        let block = Self { start, layout, filling: 0 };
        if zeroed {
            block.check(size);
        }
        block.filled(filling)
    }

    fn filled(mut self, filling: u8) -> Self {
        // SAFETY: the block has its layout's size.
        unsafe { self.start.write_bytes(filling, self.layout.size()) };
        self.filling = filling;
        self
    }

    /// Whether its first bytes are what it was filled with.
    fn check(&self, bytes: usize) {
        // SAFETY: inside the block, which was written to or zeroed.
        let kept = unsafe { std::slice::from_raw_parts(self.start, bytes) };
        let lost = kept.iter().filter(|&&byte| byte != self.filling).count();
        assert_eq!(lost, 0, "bytes of {:?}", self.layout);
    }

    fn resized(mut self, size: usize) -> Self {
        let kept = self.layout.size().min(size);
        // SAFETY: the block's own layout, and a size that is not zero.
        self.start = unsafe { ALLOCATOR.realloc(self.start, self.layout, size) };
        assert!(!self.start.is_null() && self.start.addr().is_multiple_of(self.layout.align()));
        self.layout = Layout::from_size_align(size, self.layout.align())
            .expect("as before, but for the size");
        self.check(kept);
        let filling = self.filling;
        self.filled(filling)
    }

    fn free(self) {
        self.check(self.layout.size());
        // SAFETY: allocated with this layout, and not used again.
        unsafe { ALLOCATOR.dealloc(self.start, self.layout) };
    }
}

/// A size around which something changes, or any small one.
fn size(numbers: &mut Numbers) -> usize {
    const EDGES: [usize; 16] = [
        1, 15, 16, 17, 1008, 1023, 1024, 1025, 1040, 4096, 65_536, 1_048_576, 1_048_577, 2_097_152,
        2_097_153, 5_000_000,
    ];
    const LARGEST: usize = if cfg!(miri) { 100 } else { 1200 };
    if numbers.below(4) == 0 {
        EDGES[numbers.below(if cfg!(miri) { 9 } else { EDGES.len() })]
    } else {
        1 + numbers.below(LARGEST)
    }
}

fn work(seed: u64, rounds: usize, blocks: &mut Vec<Block>) {
    let mut numbers = Numbers(seed);
    for _ in 0..rounds {
        let filling = numbers.below(256) as u8;
        match numbers.below(5) {
            0 | 1 => {
                let align = 1 << numbers.below(7);
                blocks.push(Block::new(size(&mut numbers), align, filling, numbers.below(3) == 0));
            }
            2 | 3 if !blocks.is_empty() => {
                let at = numbers.below(blocks.len());
                blocks.swap_remove(at).free();
            }
            _ if !blocks.is_empty() => {
                let at = numbers.below(blocks.len());
                let block = blocks.swap_remove(at).resized(size(&mut numbers));
                blocks.push(block);
            }
            _ => {}
        }
    }
}

#[test]
fn blocks_keep_what_is_written_to_them() {
    for seed in 0..SEEDS {
        let mut blocks = Vec::new();
        work(seed, ROUNDS, &mut blocks);
        blocks.into_iter().for_each(Block::free);
    }
}

#[test]
fn a_block_that_is_given_back_is_used_again() {
    let layout = Layout::from_size_align(48, 8).expect("a power of two, and small");
    // SAFETY: the layout is not empty, and each block is given back once with it.
    unsafe {
        let first = ALLOCATOR.alloc(layout);
        ALLOCATOR.dealloc(first, layout);
        let second = ALLOCATOR.alloc(layout);
        assert_eq!(first, second);
        // The same number of steps: it stays where it is.
        assert_eq!(ALLOCATOR.realloc(second, layout, 33), second);
        ALLOCATOR
            .dealloc(second, Layout::from_size_align(33, 8).expect("a power of two, and small"));
    }
}

#[test]
fn threads_give_back_what_others_took() {
    let (sender, receiver) = mpsc::channel::<Vec<Block>>();
    let taker = thread::spawn(move || {
        let mut freed = 0;
        for blocks in receiver {
            freed += blocks.len();
            blocks.into_iter().for_each(Block::free);
        }
        freed
    });
    let givers: Vec<_> = (0..3)
        .map(|giver| {
            let sender = sender.clone();
            thread::spawn(move || {
                let mut sent = 0;
                for seed in 0..SEEDS {
                    let mut blocks = Vec::new();
                    work(giver * 100 + seed, ROUNDS / 5, &mut blocks);
                    sent += blocks.len();
                    sender.send(blocks).expect("the other end waits until all senders are gone");
                }
                sent
            })
        })
        .collect();
    drop(sender);
    let sent: usize =
        givers.into_iter().map(|giver| giver.join().expect("no assertion failed there")).sum();
    assert!(sent > 0);
    assert_eq!(taker.join().expect("no assertion failed there"), sent);
}

#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn the_most_memory_is_known() {
    const BYTES: usize = 64 << 20;
    let bytes = vec![1_u8; BYTES];
    let most = Allocator::most_mapped();
    drop(bytes);
    assert!(most >= Some(BYTES), "{most:?}");
    assert!(Allocator::most_mapped() >= most, "what is given back has been there");
}
