//! rtGDL: its model, lag, translation, recorded matches.

mod chicken;
mod lag;
mod lifetimes;
mod network;
mod random;
mod rules;
mod translation;

use groundfrog::description::Language;
use groundfrog::options::Limits;
use groundfrog_languages::number::{Number, parse};
use groundfrog_languages::realtime::simulate::{read_script, role_names};
use groundfrog_languages::realtime::{Event, RealTimeReasoner, Timeline, check};
use groundfrog_languages::rules::{Rulebook, term_text};

/// A number as it is written.
fn number(text: &str) -> Number {
    parse(text).expect("a number")
}

/// The rules of a description.
fn book(text: &str) -> Rulebook {
    Rulebook::read(text.as_bytes(), Language::RealTime, "t", &Limits::default())
        .expect("it is read")
}

/// The findings about a description: code, message and help.
fn findings(text: &str) -> Vec<String> {
    let found = check(&book(text));
    found.iter().map(|it| format!("{} {} [{}]", it.code, it.message, it.help.join("; "))).collect()
}

/// A description that nothing is found in, at its beginning.
fn start(text: &str) -> Timeline {
    assert_eq!(findings(text), [""; 0]);
    begin(text)
}

/// A description at its beginning.
fn begin(text: &str) -> Timeline {
    let reasoner = RealTimeReasoner::new(&book(text), Limits::default()).expect("rules");
    Timeline::new(reasoner, 1, None).expect("a beginning")
}

/// Plays a script to its end.
fn play(timeline: &mut Timeline, script: &str, until: &str) {
    for it in read_script(script, timeline.reasoner()).expect("a script") {
        timeline.add_move(it.time, it.role, it.term);
    }
    timeline.advance_to(&number(until)).expect("the rules are evaluated");
}

/// The lines of all events but the beginning.
fn lines(timeline: &mut Timeline) -> Vec<String> {
    (1..timeline.events().len()).map(|it| timeline.line(it)).collect()
}

/// An event with everything that belongs to it, as text.
fn shown(timeline: &mut Timeline, event: &Event) -> String {
    let names = role_names(timeline.reasoner());
    let symbols = timeline.reasoner().symbols();
    let about = |all: &[(usize, groundfrog::Term)]| {
        let text = |(role, term): &(usize, groundfrog::Term)| {
            format!("{} {}", names[*role], term_text(term, symbols))
        };
        let mut texts: Vec<String> = all.iter().map(text).collect();
        texts.sort();
        texts.join(", ")
    };
    let (moves, percepts) = (about(&event.moves), about(&event.percepts));
    let mut legal: Vec<String> = Vec::new();
    for (role, terms) in event.situation.legal.iter().enumerate() {
        legal.extend(terms.iter().map(|it| format!("{} {}", names[role], term_text(it, symbols))));
    }
    legal.sort();
    format!(
        "{}: {moves} | {} | legal {} | {} {:?} | sees {percepts}",
        event.time,
        event.state.texts(symbols).join(" "),
        legal.join(", "),
        event.situation.is_terminal,
        event.situation.goals
    )
}

/// All events as text.
fn all_shown(timeline: &mut Timeline) -> Vec<String> {
    let events = timeline.events().to_vec();
    let mut all: Vec<String> = events.iter().map(|it| shown(timeline, it)).collect();
    let ignored = timeline.ignored().to_vec();
    let symbols = timeline.reasoner().symbols();
    all.extend(
        ignored.iter().map(|it| format!("ignored {} {} {}", it.0, it.1, term_text(&it.2, symbols))),
    );
    all
}
