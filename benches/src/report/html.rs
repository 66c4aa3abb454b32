//! What pages of HTML have in common: style, sorting of a table, figures; also for pages that are not about grounding.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use super::axis::Axis;
pub use super::markup::{escape, glue};
pub use super::numbers::count;
use super::plot::{Plot, Sample, Spread};
use super::style::{FIGURE, PAGE, SCRIPT, Series};

/// A page that needs nothing else. `title` is plain text, `body` is what `main` holds, and `scripts` are run besides the page's own. Nothing else is,
/// nor is anything loaded, whatever the body holds: the page's policy names each script by its hash. A table with the id `games` whose head has
/// two rows is sorted by its columns, if a paragraph with the id `sorting` precedes it.
pub fn page(title: &str, body: &str, scripts: &[String]) -> String {
    let scripts: Vec<String> =
        scripts.iter().map(String::as_str).chain([SCRIPT]).map(|it| format!("\n{it}")).collect();
    let hash =
        |script: &String| format!(" 'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(script)));
    let hashes: String = scripts.iter().map(hash).collect();
    let scripts: String = scripts.iter().map(|it| format!("<script>{it}</script>\n")).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src{hashes}; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{PAGE}{FIGURE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n\
         {scripts}</body>\n</html>\n",
        escape(title)
    )
}

/// A share with an interval, 0 to 1.
#[derive(Clone, Debug)]
pub struct Interval {
    /// Whose it is.
    pub name: String,
    /// The share.
    pub middle: f64,
    /// The ends of the interval.
    pub ends: (f64, f64),
    /// What is shown on pointing at it.
    pub title: String,
}

/// A figure with a row for each interval, the first at the top. `about` is what it shows, `axis` what is measured, `legend` what a bar is.
pub fn intervals(about: &str, axis: &str, legend: &str, rows: &[Interval]) -> String {
    /// More letters have no room beside the axis.
    const LONGEST: usize = 12;
    let name = |interval: &Interval| match interval.name.chars().count() {
        0..=LONGEST => interval.name.clone(),
        _ => interval.name.chars().take(LONGEST - 1).chain(['…']).collect(),
    };
    let names = rows.iter().rev().map(name).collect();
    let mut plot = Plot::new(Axis::share(axis), Axis::names("", names));
    plot.explain(Series::Default, Sample::Bar, legend);
    for (place, row) in rows.iter().rev().enumerate() {
        let (low, high) = row.ends;
        plot.spread(Spread {
            series: Series::Default,
            y: place as f64,
            percentiles: [low, low, row.middle, high, high],
            title: row.title.clone(),
        });
    }
    plot.inline(about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_runs_its_own_scripts_and_no_others() {
        let page = page("cup", "<script>alert(1)</script>", &["const a = \"ä\";".to_owned()]);
        let policy = page.split_once("Content-Security-Policy\" content=\"").expect("a policy").1;
        let policy = policy.split_once("\">").expect("an end").0;
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        assert!(!policy.contains("script-src 'unsafe-inline'"), "{policy}");
        let scripts: Vec<&str> = page
            .split("<script>")
            .skip(1)
            .map(|it| it.split_once("</script>").expect("an end").0)
            .collect();
        let is_allowed = |script: &str| {
            let hash = BASE64_STANDARD.encode(Sha256::digest(script));
            policy.contains(&format!("'sha256-{hash}'"))
        };
        assert_eq!(
            scripts.iter().map(|it| is_allowed(it)).collect::<Vec<_>>(),
            [false, true, true]
        );
        // As browsers and `openssl dgst -sha256 -binary | base64` have it.
        let hash = BASE64_STANDARD.encode(Sha256::digest("alert(1)"));
        assert_eq!(hash, "bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=");
    }

    #[test]
    fn pages_and_figures_can_be_read_back() {
        let row = |name: &str, middle| Interval {
            name: name.to_owned(),
            middle,
            ends: (middle / 2.0, 1.0),
            title: format!("{name}: {middle}"),
        };
        let rows = [row("a name that has no room", 0.25), row("<b>", 1.0)];
        let figure = intervals("scores & more", "score", "95 %", &rows);
        assert!(figure.contains("a name that…") && figure.contains("<title>&lt;b&gt;: 1</title>"));
        let page = page("cup <1>", &format!("<h1>x</h1>{figure}"), &[]);
        assert!(page.contains("<title>cup &lt;1&gt;</title>") && page.ends_with("</html>\n"));
        let inside =
            page.split_once("<main>").expect("main").1.split_once("</main>").expect("main").0;
        roxmltree::Document::parse(&format!("<main>{inside}</main>")).expect("well-formed");
    }
}
