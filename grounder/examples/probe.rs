//! Temporary.
use groundfrog::check::*;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).unwrap();
        let t = std::time::Instant::now();
        let name = path.rsplit('/').next().unwrap().to_string();
        let r = check_text(&text, &groundfrog::description::ParseOptions{name, ..Default::default()}, &CheckOptions::default());
        let ms = t.elapsed().as_secs_f64()*1e3;
        println!("TIME {:.2} {} {:?} {:?} {:?}", ms, r.name, r.fragment, r.counts, r.undecided);
        for d in &r.diagnostics {
            println!("{:?} {} {}", d.severity, d.code, d.display(&r.name, &r.source));
            if std::env::var_os("V").is_some() {
                for l in &d.labels { println!("    | {} -- {}", l.span.text(&r.source).replace('\n', " "), l.text); }
                for l in &d.help { println!("    = {l}"); }
            }
        }
    }
}
