//! The page about the languages has a description in each, and they are what it says.

use groundfrog::description::{Description, Language, ParseOptions};
use groundfrog::kif::Severity;
use groundfrog::options::Limits;
use groundfrog_languages::rules::Rulebook;
use groundfrog_languages::{market, realtime};

#[test]
fn descriptions_are_in_their_languages() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/languages.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let mut seen = Vec::new();
    for block in page.split("\n```kif ").skip(1) {
        let (language, rest) = block.split_once('\n').expect("a block");
        let text = rest.split("\n```").next().expect("an end");
        let found = Language::of_text(text, 100).expect("no mixture");
        assert_eq!(found.name().to_lowercase(), language, "{text}");
        if found == Language::Gdl {
            let read = Description::parse(text.as_bytes(), &ParseOptions::default());
            assert_eq!(read.expect("GDL").warnings, []);
        } else {
            let book = Rulebook::read(text.as_bytes(), found, "page", &Limits::default());
            let book = book.expect("it is read");
            let findings = match found {
                Language::Market => market::check(&book),
                _ => realtime::check(&book),
            };
            let worst = findings.iter().map(|it| it.severity).max();
            assert!(worst < Some(Severity::Warning), "{findings:?}");
        }
        seen.push(language.to_owned());
    }
    assert_eq!(seen, ["gdl", "gdl", "rtgdl", "msl"]);
}
