//! MSL: the market maker's steps, safety, properties of auctions.

mod explore;
mod network;
mod rules;
mod scripts;

use groundfrog::description::Language;
use groundfrog::options::Limits;
use groundfrog_corpus::relative;
use groundfrog_languages::market::{Market, Policy, Script, check, run};
use groundfrog_languages::rules::Rulebook;

fn book(text: &str) -> Rulebook {
    Rulebook::read(text.as_bytes(), Language::Market, "t", &Limits::default()).expect("it is read")
}

/// The findings about a description: code, message and help.
fn findings(text: &str) -> Vec<String> {
    let found = check(&book(text));
    found.iter().map(|it| format!("{} {} [{}]", it.code, it.message, it.help.join("; "))).collect()
}

/// A market of the corpus.
fn market(name: &str) -> Market {
    let text = relative(name).expect("of the corpus").text;
    Market::new(&book(text), Limits::default()).expect("rules")
}

/// What a script leads to, line by line.
fn lines_with(name: &str, script: &str, policy: &mut Policy) -> Vec<String> {
    let mut market = market(name);
    let script = Script::read(script, &mut market).expect("a script");
    let mut text = String::new();
    let told = run(&mut market, &script, policy, 50, &mut |line| {
        text += line;
        true
    });
    told.expect("it closes");
    text.lines().map(str::to_owned).collect()
}

fn lines(name: &str, script: &str) -> Vec<String> {
    lines_with(name, script, &mut Policy::First)
}
