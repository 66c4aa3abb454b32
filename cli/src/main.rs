//! Temporary driver.
use groundfrog::description::{Description, ParseOptions};
use groundfrog::options::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut o = GroundOptions::default();
    let mut canonical = false;
    for a in &args[2..] {
        match a.as_str() {
            "--iterative" => o.domains = Domains::Iterative,
            "--given" => o.domains = Domains::Given,
            "--naive" => o.engine = Engine::Naive,
            "--compare" => o.engine = Engine::Compare,
            "--flat" => o.simplify = false,
            "--canonical" => canonical = true,
            "--compact" => o.passes = groundfrog::compact::Passes::ALL,
            "--threads" => o.threads = 2,
            _ => {}
        }
    }
    o.limits.time = Some(std::time::Duration::from_secs(20));
    let t = std::time::Instant::now();
    let text = std::fs::read(&args[1]).unwrap();
    let d = match Description::parse(
        &text,
        &ParseOptions { name: args[1].clone(), ..Default::default() },
    ) {
        Ok(d) => d,
        Err(e) => {
            println!("ERR {e}");
            std::process::exit(1)
        }
    };
    let parse = t.elapsed();
    match groundfrog::ground::ground(&d, &o, &mut groundfrog_engine::observe::Silent) {
        Ok(g) => {
            if canonical {
                groundfrog::emit::canonical::write(&g.game, &mut std::io::stdout().lock()).unwrap();
            }
            let name =
                std::path::Path::new(&args[1]).file_stem().unwrap().to_string_lossy().to_string();
            eprintln!(
                "{{\"game\":\"{name}\",\"base\":{},\"input\":{},\"rules\":{},\"flat\":{},\"answers\":{},\"tuples\":{},\"rounds\":{},\"matches\":{},\"parse\":{:.3},\"total\":{:.3},\"stages\":{:?}}}",
                g.game.fluents().len(),
                g.game.inputs().len(),
                g.game.rules().len(),
                g.report.flat_rules,
                g.report.answers,
                g.report.tuples,
                g.report.rounds,
                g.report.matches,
                parse.as_secs_f64() * 1e3,
                t.elapsed().as_secs_f64() * 1e3,
                g.report
                    .stages
                    .iter()
                    .map(|s| (s.stage.name(), (s.time.as_secs_f64() * 1e6) as u64))
                    .collect::<Vec<_>>()
                    .iter()
                    .map(|(a, b)| format!("{a}:{b}"))
                    .collect::<Vec<_>>()
                    .join(" ")
            );
            std::process::exit(0);
        }
        Err(e) => {
            eprintln!("ERR {e} {:.1}", t.elapsed().as_secs_f64() * 1e3);
            std::process::exit(2)
        }
    }
}
