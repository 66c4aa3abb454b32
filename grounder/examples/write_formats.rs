//! Grounds a game and writes it in every format to nowhere: bytes, time and rate of each.
//!
//! `cargo run --release -p groundfrog --example write_formats -- GAME.kif`

use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;

use groundfrog::{Description, Format, GroundOptions, ParseOptions, Silent, emit, ground};

/// Takes everything and counts it.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: write_formats GAME.kif")?;
    let description = Description::from_file(path, &ParseOptions::default());
    let description = description.map_err(|error| error.to_string())?;
    let game = ground(&description, &GroundOptions::flat(), &mut Silent)?.game;
    println!("{}", emit::Summary::new(&game));
    for format in Format::ALL {
        let mut count = Count(0);
        let start = Instant::now();
        emit::write(&game, format, &mut count)?;
        let seconds = start.elapsed().as_secs_f64();
        let rate = count.0 as f64 / seconds / 1e6;
        println!("{format:<10} {:>12} bytes {:>9.1} ms {rate:>7.0} MB/s", count.0, seconds * 1e3);
    }
    Ok(())
}
