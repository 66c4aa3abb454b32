//! Tests of whole reports.

use roxmltree::{Document, Node};

use super::samples::{failed, records};
use super::*;
use crate::record::{Status, Times};

/// A file of a report.
fn file(records: &[Record], name: &str) -> String {
    let found = files(records).into_iter().find(|it| it.0 == name);
    found.expect("the report has such a file").1
}

/// All drawings of a report, by name.
fn drawings(records: &[Record]) -> Vec<(String, String)> {
    files(records).into_iter().filter(|it| it.0.ends_with(".svg")).collect()
}

#[test]
fn drawings_and_pages_are_well_formed() {
    // No clock and no game has such numbers, but a file may.
    let mut absurd = records(4, 6);
    for (record, seconds) in absurd.iter_mut().zip([1e300, -1.0, 0.0, 5e-324]) {
        for grounding in record.groundings.values_mut() {
            grounding.time = Some(Times { median: seconds, runs: vec![] });
            grounding.rules = Some(u64::MAX);
        }
    }
    let mut mixed = records(40, 3);
    mixed.push(failed("zero", Status::Description, "4:2: a variable is unsafe"));
    for records in [absurd, vec![], records(1, 2), mixed] {
        for (name, svg) in &drawings(&records) {
            let document = Document::parse(svg).expect("a drawing is XML");
            for node in document.descendants() {
                for place in ["x", "y", "cx", "cy"].iter().filter_map(|&it| node.attribute(it)) {
                    let place: i32 = place.parse().expect("a whole number");
                    assert!((-60..=5460).contains(&place), "{name}: {place} is outside");
                }
            }
        }
        let page = file(&records, "report.html").replace("<!DOCTYPE html>", "");
        let (before, after) = page.split_once("<script>").expect("a script");
        let mut metas = before.split("<meta ");
        let mut xml = metas.next().unwrap_or_default().to_owned();
        for meta in metas {
            xml += &format!("<meta {}", meta.replacen("\">", "\"/>", 1));
        }
        xml += after.split_once("</script>").expect("the end of the script").1;
        let document = Document::parse(&xml).expect("all elements are closed");
        let figures = document.descendants().filter(|it| it.has_tag_name("figure")).count();
        assert_eq!(figures, drawings(&records).len());
    }
}

#[test]
fn nothing_is_fetched_from_elsewhere() {
    for (name, text) in files(&records(20, 1)) {
        let text = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for pattern in ["http:", "https:", "src=", "href=", "url(", "@import", "<link", "fetch("] {
            assert!(!text.contains(pattern), "{name} has {pattern}");
        }
    }
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let all = records(30, 9);
    let turned: Vec<Record> = all.iter().rev().cloned().collect();
    assert_eq!(files(&all), files(&turned));
    let read = |it: &Record| {
        let line = serde_json::to_string(it).expect("a record");
        serde_json::from_str(&line).expect("a record")
    };
    assert_eq!(files(&all), files(&all.iter().map(read).collect::<Vec<Record>>()));
}

#[test]
fn odd_names_stay_names() {
    let mut all = records(2, 4);
    all[0].game = "<script>alert('x')</script>&amp;\u{1}\"".to_owned();
    all[0].machine.model = Some("</dd><b>".to_owned());
    (all[1].reason, all[1].status) = (Some("<i>".to_owned()), Status::Limit);
    let page = file(&all, "report.html");
    assert_eq!(page.matches("<script>").count(), 1);
    let escaped = "&lt;script&gt;alert('x')&lt;/script&gt;&amp;amp;\\u{1}";
    assert!(page.contains(&format!(">{escaped}&quot;</th>")), "{page}");
    assert!(page.contains("&lt;/dd&gt;&lt;b&gt;") && page.contains("title=\"&lt;i&gt;\""));
    for (name, svg) in drawings(&all) {
        Document::parse(&svg).expect("a drawing is XML");
        assert!(svg.contains(&format!("<title>{escaped}")), "{name}");
    }
}

#[test]
fn what_failed_and_what_was_done_is_told() {
    let mut all = records(8, 4);
    all.push(failed("broken", Status::Description, "4:2: the variable ?x is unsafe"));
    let page = file(&all, "report.html").replace('\u{a0}', " ");
    for record in &all {
        assert!(page.contains(&format!("\">{}</th><td", record.game)), "{}", record.game);
    }
    let broken = "<tr><th scope=\"row\">broken</th><td>one-step, iterative, flat, compact</td>\
                  <td>at fault</td><td>4:2: the variable ?x is unsafe</td></tr>";
    let slow = "<tr><th scope=\"row\">game007</th><td>flat</td><td>over the limit</td>\
                <td>the time limit of 10 s was exceeded, while deriving `wide` (3 M so far)</td></tr>";
    for part in [
        broken,
        slow,
        "Of 2 games, something that was requested was not done.",
        "7 of 9 games could be grounded to the flat form, half of all games within ",
        "Compact games have 0.20 times the rules of flat ones.",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    assert!(!file(&records(3, 1), "report.html").contains("was not done."));
    let nothing = [failed("a", Status::Crash, "signal 11")];
    for (name, svg) in drawings(&nothing) {
        assert!(svg.contains(">nothing measured</text>"), "{name}");
    }
    assert!(file(&[], "report.html").contains("There are no games in this report."));
}

/// Where a game is in a drawing.
fn centre(svg: &str, game: &str) -> (i32, i32) {
    let document = Document::parse(svg).expect("a drawing is XML");
    let is_title = |node: &Node<'_, '_>| {
        let names_it = |it: &str| it.starts_with(&format!("{game}: compact"));
        node.has_tag_name("title") && node.text().is_some_and(names_it)
    };
    let title = document.descendants().find(is_title).expect("the game is drawn");
    let at = |name: &str| {
        let circle = title.parent().expect("the title is of something");
        circle.attribute(name).expect("a circle").parse().expect("a whole number")
    };
    (at("cx"), at("cy"))
}

#[test]
fn points_are_where_they_belong() {
    let mut all = records(2, 1);
    for (record, seconds) in all.iter_mut().zip([1e-3, 1e-1]) {
        record.domains.clear();
        record.options.domains = "iterative".to_owned();
        for grounding in record.groundings.values_mut() {
            grounding.time = Some(Times { median: seconds, runs: vec![seconds] });
        }
    }
    // The axis goes from 1 ms to 100 ms, and each game is half of all.
    let svg = file(&all, "budget.svg");
    assert_eq!((centre(&svg, "game000"), centre(&svg, "game001")), ((900, 2130), (5180, 760)));
}
