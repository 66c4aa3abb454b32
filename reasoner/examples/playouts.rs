//! Measures random playouts: `cargo run --release --example playouts -- SECONDS GAME.kif...`

use std::time::{Duration, Instant};

use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::simulate::{SimulateOptions, Simulation, Simulator, simulate};
use groundfrog_reasoner::{BitParallel, GroundReasoner, ReasonerError};

/// States a second of processor time, where the system tells it, so that other work disturbs less.
fn measure(
    simulator: &mut dyn Simulator,
    options: &SimulateOptions,
) -> Result<(Simulation, f64), ReasonerError> {
    let warm_up = SimulateOptions { time: options.warm_up, warm_up: Duration::ZERO, ..*options };
    simulate(simulator, &warm_up, &mut Silent)?;
    let before = processor_time();
    let options = SimulateOptions { warm_up: Duration::ZERO, ..*options };
    let simulation = simulate(simulator, &options, &mut Silent)?;
    let rate = match (before, processor_time()) {
        (Some(before), Some(after)) => simulation.statistics.states as f64 * 1e9 / (after - before),
        _ => simulation.states_per_second(),
    };
    Ok((simulation, rate))
}

/// Nanoseconds that this thread has run.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().ok_or("how many seconds?")?.parse()?;
    println!(
        "game ground_ms build_ms scalar_states_per_s mean_length gates bit_parallel_states_per_s"
    );
    let compact = GroundOptions { passes: Passes::ALL, ..GroundOptions::flat() };
    for path in arguments {
        let start = Instant::now();
        let description = Description::parse(&std::fs::read(&path)?, &ParseOptions::default())?;
        let game = ground(&description, &compact, &mut Silent)?.game;
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
        let (scalar, scalar_rate) = measure(&mut reasoner, &options)?;
        let parallel = match BitParallel::new(game) {
            Ok(mut play) => {
                let (_, rate) = measure(&mut play, &options)?;
                format!("{rate:.0} {:?}", play.program_size())
            }
            Err(error) => error.to_string(),
        };
        let name = std::path::Path::new(&path).file_stem().unwrap_or_default().to_string_lossy();
        println!(
            "{name} {:.2} {:.2} {:.0} {:.1} {:?} {parallel}",
            ground_time.as_secs_f64() * 1e3,
            build_time.as_secs_f64() * 1e3,
            scalar_rate,
            scalar.statistics.mean_length().unwrap_or(0.0),
            reasoner.gate_counts()
        );
    }
    Ok(())
}
