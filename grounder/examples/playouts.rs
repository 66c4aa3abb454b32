//! Measures random playouts: `cargo run --release --example playouts -- SECONDS GAME.kif...`

use std::time::{Duration, Instant};

use groundfrog::description::{Description, ParseOptions};
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog::reasoner::{BitParallel, GroundReasoner};
use groundfrog::simulate::{SimulateOptions, simulate};
use groundfrog_engine::observe::Silent;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().ok_or("how many seconds?")?.parse()?;
    println!(
        "game ground_ms build_ms scalar_states_per_s mean_length gates bit_parallel_states_per_s"
    );
    for path in arguments {
        let start = Instant::now();
        let description = Description::parse(&std::fs::read(&path)?, &ParseOptions::default())?;
        let game = ground(&description, &GroundOptions::default(), &mut Silent)?.game;
        let ground_time = start.elapsed();
        let start = Instant::now();
        let mut reasoner = GroundReasoner::new(game)?;
        let build_time = start.elapsed();
        let options = SimulateOptions {
            warm_up: Duration::from_secs_f64(seconds / 4.0),
            time: Duration::from_secs_f64(seconds),
            ..SimulateOptions::default()
        };
        let game = reasoner.game().clone();
        let scalar = simulate(&mut reasoner, &options, &mut ())?;
        let parallel = match BitParallel::new(game) {
            Ok(mut play) => {
                let simulation = simulate(&mut play, &options, &mut ())?;
                format!("{:.0} {:?}", simulation.states_per_second(), play.program_size())
            }
            Err(error) => error.to_string(),
        };
        let name = std::path::Path::new(&path).file_stem().unwrap_or_default().to_string_lossy();
        println!(
            "{name} {:.2} {:.2} {:.0} {:.1} {:?} {parallel}",
            ground_time.as_secs_f64() * 1e3,
            build_time.as_secs_f64() * 1e3,
            scalar.states_per_second(),
            scalar.statistics.mean_length().unwrap_or(0.0),
            reasoner.gate_counts()
        );
    }
    Ok(())
}
