//! Time and memory per ground rule against the size of the board, over generated families.
//!
//! ```sh
//! cargo run --release -p groundfrog-benches --example scaling -- [--runs 5] [--svg docs/scaling.svg]
//! ```
//!
//! JSON lines go to standard output, one a family and size: times are medians of the runs, and the fastest run,
//! to which other work on the machine has added least. With `--svg` the fastest are drawn.

use std::error::Error;
use std::time::Duration;

use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::ground::{Stage, ground};
use groundfrog::options::GroundOptions;
use groundfrog_benches::report::chart::{Axis, Chart, Series};
use groundfrog_corpus::{Parameters, family};
use groundfrog_engine::observe::Silent;

/// Families with the sides of their boards.
const FAMILIES: [(&str, &[u32]); 6] = [
    ("breakthrough", &[4, 6, 8, 12, 16, 24, 32, 48]),
    ("connect_four", &[4, 6, 8, 12, 16, 24, 32, 48]),
    ("hex", &[4, 6, 8, 12, 16, 24, 32, 40]),
    ("lights_out", &[4, 6, 8, 12, 16, 24, 32, 48]),
    ("sliding_puzzle", &[3, 4, 5, 6, 7, 8, 9]),
    ("tic_tac_toe", &[4, 6, 8, 12, 16, 24, 32, 48]),
];

/// Before each run of a game with more rules than this.
const PAUSE: Duration = Duration::from_millis(10);
const SHORT: u64 = 5_000;

/// What was measured of one member of a family.
struct Point {
    family: &'static str,
    cells: u32,
    /// Rules of the flat program.
    rules: u64,
    /// From text to ground game, without output.
    total: Duration,
    /// The same, the fastest run.
    fastest: Duration,
    /// The store pass.
    store: Duration,
    /// Of the ground rules.
    rule_bytes: u64,
    /// Of the tables.
    table_bytes: u64,
    /// Rules of the compact game.
    compact_rules: u64,
    /// From text to compact game.
    compact: Duration,
}

impl Point {
    fn per_rule(&self, amount: f64) -> f64 {
        amount / self.rules.max(1) as f64
    }

    fn nanoseconds_per_rule(&self) -> f64 {
        self.per_rule(self.fastest.as_nanos() as f64)
    }

    fn bytes_per_rule(&self) -> f64 {
        self.per_rule(self.rule_bytes as f64)
    }

    fn json(&self) -> String {
        let ms = |it: Duration| it.as_secs_f64() * 1e3;
        format!(
            "{{\"family\":\"{}\",\"cells\":{},\"rules\":{},\"total_ms\":{:.3},\"fastest_ms\":{:.3},\"store_ms\":{:.3},\
             \"rule_bytes\":{},\"table_bytes\":{},\"ns_per_rule\":{:.1},\"bytes_per_rule\":{:.1},\
             \"compact_rules\":{},\"compact_ms\":{:.3}}}",
            self.family,
            self.cells,
            self.rules,
            ms(self.total),
            ms(self.fastest),
            ms(self.store),
            self.rule_bytes,
            self.table_bytes,
            self.nanoseconds_per_rule(),
            self.bytes_per_rule(),
            self.compact_rules,
            ms(self.compact),
        )
    }
}

fn text(name: &str, size: u32) -> Result<String, Box<dyn Error>> {
    let family = family(name).ok_or("no such family")?;
    let has = |wanted: &str| family.parameters().iter().any(|it| it.name == wanted);
    let sides = ["width", "height", "size"].into_iter().filter(|&it| has(it));
    let parameters = sides.fold(Parameters::new(), |all, side| all.with(side, size));
    Ok(family.generate(&parameters)?)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn measure(name: &'static str, size: u32, runs: usize) -> Result<Point, Box<dyn Error>> {
    let text = text(name, size)?;
    let compact_options = GroundOptions { passes: Passes::ALL, ..GroundOptions::flat() };
    let flat_options =
        GroundOptions { simplify: false, passes: Passes::NONE, ..GroundOptions::flat() };
    let run = |options: &GroundOptions| -> Result<_, Box<dyn Error>> {
        let start = std::time::Instant::now();
        let description = Description::parse(text.as_bytes(), &ParseOptions::default())?;
        let grounding = ground(&description, options, &mut Silent)?;
        Ok((start.elapsed(), grounding))
    };
    let (_, flat) = run(&flat_options)?;
    let (mut totals, mut stores, mut compacts) = (Vec::new(), Vec::new(), Vec::new());
    let mut compact_rules = 0;
    // The two take turns, so that neither profits from a quiet moment.
    for _ in 0..runs {
        // What takes milliseconds is interrupted less by a scheduler that shares the processor out if it
        // comes rested; what is shorter is better measured warm.
        if flat.report.flat_rules > SHORT {
            std::thread::sleep(PAUSE);
        }
        let (time, grounding) = run(&flat_options)?;
        totals.push(time);
        let stages = grounding.report.stages.iter();
        stores.push(stages.filter(|it| it.stage == Stage::Store).map(|it| it.time).sum());
        let (time, grounding) = run(&compact_options)?;
        compacts.push(time);
        compact_rules = grounding.game.rules().len() as u64;
    }
    Ok(Point {
        family: name,
        cells: size * size,
        rules: flat.report.flat_rules,
        fastest: totals.iter().copied().min().unwrap_or_default(),
        total: median(totals),
        store: median(stores),
        rule_bytes: flat.report.rule_bytes,
        table_bytes: flat.report.table_bytes,
        compact_rules,
        compact: median(compacts),
    })
}

/// Cells of the board against the time for a ground rule.
fn figure(points: &[Point]) -> String {
    let seconds = |it: &Point| it.nanoseconds_per_rule() / 1e9;
    let mut chart = Chart::new(
        Axis::count("cells of the board", points.iter().map(|it| f64::from(it.cells))),
        Axis::time("time for a ground rule", points.iter().map(seconds)),
    );
    let puzzle = "sliding_puzzle";
    for (series, words) in [(Series::First, "boards"), (Series::Second, puzzle)] {
        let own = points.iter().filter(|it| (it.family == puzzle) == (words == puzzle));
        let own = own.map(|it| (f64::from(it.cells), seconds(it), it.json()));
        chart.scatter(series, words, &own.collect::<Vec<_>>());
    }
    chart.standalone("Time for a ground rule against the size of the board").into_string()
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut runs, mut svg) = (5, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--runs" => runs = value()?.parse::<usize>()?.max(1),
            "--svg" => svg = Some(value()?),
            other => return Err(format!("unknown argument {other}: --runs N, --svg FILE").into()),
        }
    }
    let mut points = Vec::new();
    for (name, sizes) in FAMILIES {
        for &size in sizes {
            let point = measure(name, size, runs)?;
            println!("{}", point.json());
            points.push(point);
        }
    }
    if let Some(path) = svg {
        std::fs::write(path, figure(&points))?;
    }
    Ok(())
}
