//! Temporary.
use groundfrog::check::explore::*;
use groundfrog::description::*;
use groundfrog::reasoner::*;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).unwrap();
        let name = path.rsplit('/').next().unwrap().to_string();
        let Ok(d) = Description::parse(&text, &ParseOptions::default()) else { continue };
        let o = groundfrog::options::GroundOptions::default();
        let g = match groundfrog::ground::ground(&d, &o, &mut groundfrog_engine::observe::Silent) { Ok(g) => g, Err(e) => { println!("{name}: {e}"); continue } };
        let fl = g.game.fluents().len();
        let mut r = match GroundReasoner::new(g.game) { Ok(r) => r, Err(e) => { println!("{name}: {e}"); continue } };
        let t = std::time::Instant::now();
        let e = explore(&mut r, &ExploreOptions { time: Some(std::time::Duration::from_secs(20)), states: std::env::var("S").map_or(300_000, |s| s.parse().unwrap()), ..Default::default() }, &mut |_| {});
        let s = t.elapsed().as_secs_f64();
        println!("{name}: {} states ({} fl) {} terminal, depth {}, branching {:.2} max {}, limit {:?}; term {} play {} util {} win {:?}; {:.0} B/state, {:.3} s, {:.0} states/s {:.0} moves/s", e.states, fl, e.terminal_states, e.depth, e.branching(), e.max_branching, e.limit, e.termination.name(), e.playability.name(), e.utility.name(), e.winnable.iter().map(|w| w.1.name()).collect::<Vec<_>>(), e.bytes_per_state, s, e.states as f64/s, e.joint_moves as f64 / s);
        for d in findings(&e, &d) { println!("  {} {}", d.code, d.message); for h in &d.help { println!("     = {}", &h[..h.len().min(150)]); } }
    }
}
