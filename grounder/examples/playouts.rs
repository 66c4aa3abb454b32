//! Measures random playouts: `cargo run --release --example playouts -- SECONDS GAME.kif...`

use std::time::{Duration, Instant};

use groundfrog::description::{Description, ParseOptions};
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog::reasoner::{GroundReasoner, Random};
use groundfrog_engine::observe::Silent;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().ok_or("how many seconds?")?.parse()?;
    println!("game ground_ms build_ms scalar_states_per_s mean_length gates");
    for path in arguments {
        let start = Instant::now();
        let description = Description::parse(&std::fs::read(&path)?, &ParseOptions::default())?;
        let game = ground(&description, &GroundOptions::default(), &mut Silent)?.game;
        let ground_time = start.elapsed();
        let start = Instant::now();
        let mut reasoner = GroundReasoner::new(game)?;
        let build_time = start.elapsed();
        let mut random = Random::new(1);
        let until = Instant::now() + Duration::from_secs_f64(seconds / 4.0);
        while Instant::now() < until {
            reasoner.playout(&mut random, 1000)?;
        }
        let start = Instant::now();
        let (mut states, mut playouts) = (0u64, 0u64);
        while start.elapsed().as_secs_f64() < seconds {
            states += u64::from(reasoner.playout(&mut random, 1000)?.length);
            playouts += 1;
        }
        let rate = states as f64 / start.elapsed().as_secs_f64();
        let name = std::path::Path::new(&path).file_stem().unwrap_or_default().to_string_lossy();
        println!(
            "{name} {:.2} {:.2} {rate:.0} {:.1} {:?}",
            ground_time.as_secs_f64() * 1e3,
            build_time.as_secs_f64() * 1e3,
            states as f64 / playouts as f64,
            reasoner.gate_counts()
        );
    }
    Ok(())
}
