//! Whether passes take time in proportion to the rules: chains, rings and stars of growing size, each made for some passes.
//!
//! ```sh
//! cargo run --release -p groundfrog-benches --example pass_scaling -- [SIZE ...]
//! ```
//!
//! A line of Markdown for each family: the seconds of processor time that grounding takes at each size, the median of three
//! runs, and the slope of a line through them where both axes are logarithmic. 1 is in proportion, 2 is quadratic.

use std::error::Error;
use std::fmt::Write;

use groundfrog::description::{Description, ParseOptions};
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog_benches::processor_time;
use groundfrog_engine::observe::Silent;

const SIZES: [u32; 4] = [1_000, 4_000, 16_000, 32_000];
const RUNS: usize = 3;

/// A game with one role, which can do nothing.
const GAME: &str =
    "(role ann) (init (at n1)) (<= terminal (true (at n0))) (goal ann 100) (legal ann noop)
(num n0) (num n1) (num n2)
";

/// Descriptions of any size.
struct Family {
    name: &'static str,
    /// The passes that it is made for.
    passes: &'static str,
    /// What is said once. `{n}` is the size.
    once: &'static str,
    /// What is said for each `{i}` below the size; `{j}` is the next one, in a ring that of the last is 0.
    each: &'static str,
    is_ring: bool,
}

const fn chain(
    name: &'static str,
    passes: &'static str,
    once: &'static str,
    each: &'static str,
) -> Family {
    Family { name, passes, once, each, is_ring: false }
}

const FAMILIES: [Family; 9] = [
    chain(
        "chain of aliases",
        "inline",
        "(<= (v{n} ?x) (true (at ?x))) (<= (next (at ?x)) (v0 ?x))",
        "(<= (v{i} ?x) (v{j} ?x))",
    ),
    Family {
        name: "ring of aliases",
        passes: "inline",
        once: "(<= (v0 ?x) (true (at ?x))) (<= (next (at ?x)) (v0 ?x))",
        each: "(<= (v{i} ?x) (v{j} ?x))",
        is_ring: true,
    },
    chain(
        "star of views",
        "inline, equal-views, factoring",
        "(<= (next (at ?x)) (s ?x))",
        "(<= (s ?x) (v{i} ?x)) (<= (v{i} ?x) (num ?x) (true (at ?x)))",
    ),
    chain(
        "chain of static views",
        "tables",
        "(<= (v{n} ?x) (num ?x)) (<= (next (at ?x)) (v0 ?x) (true (at ?x)))",
        "(<= (v{i} ?x) (v{j} ?x) (num ?x))",
    ),
    chain(
        "chain of negations",
        "simplification",
        "(<= (v{n} ?x) (num ?x) (true (at ?x))) (<= (next (at ?x)) (v0 ?x))",
        "(<= (v{i} ?x) (num ?x) (not (v{j} ?x)))",
    ),
    Family {
        name: "ring of fluents",
        passes: "rigid-atoms, state-invariants",
        once: "(init (f 0))",
        each: "(<= (next (f {j})) (true (f {i})))",
        is_ring: true,
    },
    chain(
        "two chains of fluents",
        "equal-views, relevance",
        "(<= (next (f{n})) (true (at n1))) (<= (next (g{n})) (true (at n1)))
         (<= (next (at n1)) (true (f0)) (true (g0)))",
        "(<= (next (f{i})) (true (f{j}))) (<= (next (g{i})) (true (g{j})))",
    ),
    chain(
        "star of moves",
        "moves, factoring",
        "",
        "(<= (legal ann (m {i})) (true (at n1))) (<= (next (at n1)) (does ann (m {i})))
         (<= (next (k {i})) (does ann (m {i})) (true (at n1)))",
    ),
    chain(
        "star of negated fluents",
        "subsumption, inline",
        "",
        "(<= p{i} (not (true (f {i}))) (true (at n1))) (<= (next (f {i})) p{i})",
    ),
];

impl Family {
    fn text(&self, size: u32) -> String {
        let mut text = GAME.to_owned();
        text += &self.once.replace("{n}", &size.to_string());
        for number in 0..size {
            let next = if self.is_ring { (number + 1) % size } else { number + 1 };
            let each = self.each.replace("{i}", &number.to_string());
            text += &each.replace("{j}", &next.to_string());
            text.push('\n');
        }
        text
    }

    /// The median of the processor times of some runs, in seconds.
    fn measure(&self, size: u32) -> Result<f64, Box<dyn Error>> {
        let text = self.text(size);
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let before = processor_time::current().ok_or("no processor time on this system")?;
            let description = Description::parse(text.as_bytes(), &ParseOptions::default())?;
            ground(&description, &GroundOptions::default(), &mut Silent)?;
            times.push(processor_time::current().ok_or("no processor time")? - before);
        }
        times.sort_unstable_by(f64::total_cmp);
        Ok(times[RUNS / 2])
    }
}

/// The slope of the line that fits best where both axes are logarithmic.
fn slope(points: &[(u32, f64)]) -> f64 {
    let points = points.iter().map(|&(size, time)| (f64::from(size).ln(), time.max(1e-9).ln()));
    let count = points.len() as f64;
    let (x, y) = points.clone().fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let (x, y) = (x / count, y / count);
    let (over, under) = points
        .fold((0.0, 0.0), |sum, it| (sum.0 + (it.0 - x) * (it.1 - y), sum.1 + (it.0 - x).powi(2)));
    over / under
}

fn main() -> Result<(), Box<dyn Error>> {
    let sizes: Vec<u32> =
        std::env::args().skip(1).map(|it| it.parse()).collect::<Result<_, _>>()?;
    let sizes = if sizes.is_empty() { SIZES.to_vec() } else { sizes };
    let mut head = "| family | made for |".to_owned();
    let mut line = "| --- | --- |".to_owned();
    for size in &sizes {
        write!(head, " {size} |")?;
        line.push_str(" ---: |");
    }
    println!("{head} slope |\n{line} ---: |");
    for family in &FAMILIES {
        let mut row = format!("| {} | {} |", family.name, family.passes);
        let mut points = Vec::new();
        for &size in &sizes {
            let time = family.measure(size).map_err(|it| format!("{}: {it}", family.name))?;
            write!(row, " {time:.3} |")?;
            points.push((size, time));
        }
        println!("{row} {:.2} |", slope(&points));
    }
    Ok(())
}
