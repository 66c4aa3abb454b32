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

/// Corpora from nothing to many games.
fn corpora() -> Vec<Vec<Record>> {
    let fail = |name: &str| failed(name, Status::Description, "4:2: a variable is unsafe");
    let mut mixed = records(40, 3);
    mixed.insert(0, fail("zero"));
    let mut sizeless = records(3, 5);
    for record in &mut sizeless {
        record.domains.values_mut().for_each(|it| it.time = None);
        for grounding in record.groundings.values_mut() {
            (grounding.rules, grounding.literals, grounding.components) = (Some(0), None, Some(0));
            grounding.time = Some(Times { median: 0.0, runs: vec![0.0] });
        }
    }
    // No clock and no game has such numbers, but a file may.
    let mut absurd = records(4, 6);
    for (record, seconds) in absurd.iter_mut().zip([1e300, -1.0, 0.0, 5e-324]) {
        for domains in record.domains.values_mut() {
            domains.time = Some(Times { median: seconds, runs: vec![] });
        }
        for grounding in record.groundings.values_mut() {
            grounding.time = Some(Times { median: seconds, runs: vec![] });
            grounding.rules = Some(u64::MAX);
            grounding.literals = Some(u64::MAX);
        }
    }
    vec![absurd, vec![], records(1, 2), vec![fail("a"), fail("b")], mixed, sizeless]
}

#[test]
fn drawings_are_well_formed() {
    for records in corpora() {
        let drawings = drawings(&records);
        assert_eq!(drawings.len(), 9);
        for (name, svg) in &drawings {
            let document = Document::parse(svg).expect("a drawing is XML");
            let root = document.root_element();
            assert!(root.has_tag_name(("http://www.w3.org/2000/svg", "svg")), "{name}");
            for node in root.descendants().flat_map(|it| it.attributes()) {
                let value = node.value();
                assert!(!value.contains("NaN") && !value.contains("inf"), "{name}: {value}");
                // Colours are those of the style sheet.
                assert!(!value.starts_with('#'), "{name}: {}={value}", node.name());
            }
            let places = ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy"];
            for node in root.descendants() {
                for place in places.iter().filter_map(|&it| node.attribute(it)) {
                    let place: i32 = place.parse().expect("a whole number");
                    assert!((-60..=5460).contains(&place), "{name}: {place} is outside");
                }
            }
        }
    }
}

#[test]
fn pages_are_well_formed_up_to_what_html_leaves_open() {
    for records in corpora() {
        let page = file(&records, "report.html");
        let xml = page.replace("<!DOCTYPE html>", "");
        let (before, after) = xml.split_once("<script>").expect("a script");
        let after = after.split_once("</script>").expect("the end of the script").1;
        let mut metas = before.split("<meta ");
        let mut xml = metas.next().unwrap_or_default().to_owned();
        for meta in metas {
            xml += &format!("<meta {}", meta.replacen("\">", "\"/>", 1));
        }
        xml += after;
        let document = Document::parse(&xml).expect("all elements are closed");
        let figures = document.descendants().filter(|it| it.has_tag_name("figure")).count();
        assert_eq!(figures, 9);
    }
}

#[test]
fn nothing_is_fetched_from_elsewhere() {
    for (name, text) in files(&records(20, 1)) {
        let text = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for pattern in
            ["http:", "https:", "//", "src=", "href=", "url(", "@import", "<link", "fetch("]
        {
            let found = match pattern {
                // Comments of the script.
                "//" => text
                    .lines()
                    .filter(|it| it.contains("//"))
                    .any(|it| !it.trim_start().starts_with("// ")),
                _ => text.contains(pattern),
            };
            assert!(!found, "{name} has {pattern}");
        }
    }
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let all = records(30, 9);
    let turned: Vec<Record> = all.iter().rev().cloned().collect();
    assert_eq!(files(&all), files(&all));
    assert_eq!(files(&all), files(&turned));
    let lines: Vec<String> =
        all.iter().map(|it| serde_json::to_string(it).expect("a record")).collect();
    let read: Vec<Record> =
        lines.iter().map(|it| serde_json::from_str(it).expect("a record")).collect();
    assert_eq!(files(&all), files(&read));
}

#[test]
fn every_game_is_in_the_page() {
    let mut all = records(25, 4);
    all.push(failed("unreadable", Status::Io, "no such file"));
    let page = file(&all, "report.html");
    for record in &all {
        assert!(page.contains(&format!("\">{}</th><td", record.game)), "{}", record.game);
    }
    assert_eq!(page.matches("<tr><th scope=\"row\" title=").count(), 26);
}

#[test]
fn odd_names_stay_names() {
    let mut all = records(2, 4);
    all[0].game = "<script>alert('x')</script>&amp;\u{1}\"".to_owned();
    all[0].machine.model = Some("</dd><b>".to_owned());
    all[1].reason = Some("<i>".to_owned());
    all[1].status = Status::Limit;
    let page = file(&all, "report.html");
    assert_eq!(page.matches("<script>").count(), 1);
    let escaped = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;\\u{1}&quot;";
    assert!(page.contains(&format!(">{escaped}</th>")));
    assert!(page.contains("&lt;/dd&gt;&lt;b&gt;"));
    for (name, svg) in drawings(&all) {
        assert!(Document::parse(&svg).is_ok(), "{name}");
    }
    let svg = file(&all, "compact-flat.svg");
    assert!(svg.contains(&format!("<title>{escaped}: ")));
}

#[test]
fn failures_are_told_with_their_reasons() {
    let mut all = records(8, 4);
    all.push(failed("broken", Status::Description, "4:2: the variable ?x is unsafe"));
    let page = file(&all, "report.html");
    let broken = "<tr><th scope=\"row\">broken</th><td>one-step, iterative, flat, compact</td>\
                  <td>description at fault</td><td>4:2: the variable ?x is unsafe</td></tr>";
    assert!(page.contains(broken));
    let slow = "<tr><th scope=\"row\">game007</th><td>flat</td><td>limit exceeded</td>\
                <td>the time limit of 10 s was exceeded, while deriving `wide` (3 M so far)</td></tr>";
    assert!(page.contains(slow));
    assert!(page.contains("Of 2 games, something that was requested was not done."));
    assert!(!file(&records(3, 1), "report.html").contains("was not done."));
}

#[test]
fn nothing_measured_is_said() {
    let all = [failed("a", Status::Crash, "signal 11")];
    for (name, svg) in drawings(&all) {
        assert!(svg.contains(">nothing measured</text>"), "{name}");
    }
    let page = file(&all, "report.html").replace('\u{a0}', " ");
    assert!(page.contains("<b>0 of 1 game</b> could be grounded to the flat form."));
    let page = file(&[], "report.html");
    assert!(page.contains("There are no games in this report."));
}

/// The circle of a game in a drawing: its centre.
fn centre(svg: &str, game: &str) -> (i32, i32) {
    let document = Document::parse(svg).expect("a drawing is XML");
    let is_title = |node: &Node<'_, '_>| {
        node.has_tag_name("title")
            && node.text().is_some_and(|it| it.starts_with(&format!("{game}:")))
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
    let mut all = records(3, 1);
    for (record, (one_step, iterative)) in
        all.iter_mut().zip([(1e-3, 1e-3), (1e-1, 1e-1), (1e-3, 1e-1)])
    {
        for (method, seconds) in [("one-step", one_step), ("iterative", iterative)] {
            let domains = record.domains.get_mut(method).expect("a method");
            domains.time = Some(Times { median: seconds, runs: vec![seconds] });
        }
    }
    // Both axes go from 1 ms to 100 ms: two corners, and the lower right one.
    let svg = file(&all, "one-step-iterative.svg");
    let [low, high, mixed] = ["game000", "game001", "game002"].map(|it| centre(&svg, it));
    assert_eq!((low.0, low.1), (600, 3500));
    assert_eq!((high.0, high.1), (5180, 560));
    assert_eq!(mixed, (high.0, low.1));
    let page = file(&all, "report.html").replace('\u{a0}', " ");
    assert!(page.contains(
        "One-step was faster in 1 of 3 games (points below the diagonal), slower in 0; 4.64 times faster \
         in the geometric mean. Both found the same base and input everywhere."
    ));
}

#[test]
fn known_sizes() {
    let mut all = records(3, 1);
    for (record, (described, ground)) in
        all.iter_mut().zip([(10, 20), (100, 2000), (1000, 200_000)])
    {
        record.description.as_mut().expect("it was parsed").literals = described;
        for (form, factor) in [("flat", 1), ("compact", 2)] {
            let grounding = record.groundings.get_mut(form).expect("a form");
            grounding.literals = Some(ground);
            grounding.rules = Some(8000 / factor);
        }
    }
    let page = file(&all, "report.html").replace('\u{a0}', " ");
    // 20 · (n / 10)²
    assert!(page.contains("Of 3 games, the flat form has about 0.20 · n^2.00 literals"));
    assert!(page.contains("flat: 0.20 · n^2.00, R² = 1.00</text>"));
    assert!(page.contains(
        "The compact game has 0.50 times the rules of the flat one in the geometric mean: fewer in 3 of \
         3 games, at most a tenth in 0."
    ));
    assert!(
        page.contains("flat rules: median 8\u{202f}000, 90th percentile 8\u{202f}000 (3 games)")
    );
}
