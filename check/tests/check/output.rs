//! The output for programs.

use serde_json::{Value, json};

use super::check;
use groundfrog_check::{CheckReport, json, sarif};

const TEXT: &str = "(role r)\n(init é)\n(<= (legal r ?m)\n    (true ?m)\n    (not (other ?m)))\n";

fn written(write: impl Fn(&mut Vec<u8>)) -> Value {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    write(&mut first);
    write(&mut second);
    assert_eq!(first, second, "the same input gives the same bytes");
    assert!(first.ends_with(b"\n"));
    serde_json::from_slice(&first).expect("JSON")
}

#[test]
fn json_has_places_and_counts() {
    let report = check(TEXT);
    let all = written(|out| json::write(&[report.clone(), report.clone()], out).expect("a vector"));
    assert_eq!(all["format"], "groundfrog-check");
    assert_eq!(all["version"], 1);
    assert_eq!(all["files"].as_array().map(Vec::len), Some(2));
    let file = &all["files"][0];
    assert_eq!(file["name"], "game.kif");
    assert_eq!(file["fragment"], "bounded");
    assert_eq!(file["counts"]["facts"], 2);
    assert_eq!(file["counts"]["roles"], 1);
    let undefined = file["diagnostics"]
        .as_array()
        .and_then(|all| all.iter().find(|it| it["code"] == "GF0201"))
        .expect("`other` is not defined");
    assert_eq!(undefined["severity"], "warning");
    assert_eq!(
        undefined["labels"][0],
        json!({
            "text": "", "line": 5, "column": 10, "end_line": 5, "end_column": 20,
            "start": 59, "end": 69,
        })
    );
}

#[test]
fn sarif_lists_rules_and_results() {
    let mut report = check(TEXT);
    report.name = "games/my game.kif".to_owned();
    let log = written(|out| sarif::write(std::slice::from_ref(&report), out).expect("a vector"));
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "Groundfrog");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), report.diagnostics.len());
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let level = result["level"].as_str().expect("a word");
        assert!(["error", "warning", "note"].contains(&level));
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "games/my%20game.kif");
        assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line >= 1));
    }
    assert!(
        rules.iter().all(|rule| rule["help"]["markdown"].as_str().is_some_and(|it| it.len() > 40))
    );
}

/// The properties that SARIF 2.1.0 has for an object, as far as they are written, by the property that the
/// object stands in; `!` marks those that it must have.
const SARIF: &[(&str, &str)] = &[
    ("log", "$schema !version !runs"),
    ("runs", "!tool invocations artifacts columnKind results"),
    ("artifacts", "location properties"),
    ("location", "uri"),
    ("properties", "fragment"),
    ("tool", "!driver"),
    ("driver", "!name semanticVersion rules"),
    ("rules", "!id shortDescription help defaultConfiguration"),
    ("shortDescription", "!text markdown"),
    ("help", "!text markdown"),
    ("defaultConfiguration", "level"),
    ("invocations", "!executionSuccessful toolExecutionNotifications"),
    ("toolExecutionNotifications", "!message level locations"),
    ("results", "!message ruleId ruleIndex level locations relatedLocations"),
    ("message", "!text"),
    ("locations", "physicalLocation message"),
    ("relatedLocations", "physicalLocation message"),
    ("physicalLocation", "!artifactLocation region"),
    ("artifactLocation", "uri"),
    ("region", "startLine startColumn endLine endColumn"),
];

/// Checks an object and all within it.
fn is_sarif(value: &Value, name: &str) {
    match value {
        Value::Array(all) => all.iter().for_each(|it| is_sarif(it, name)),
        Value::Object(object) => {
            let known = SARIF.iter().find(|it| it.0 == name);
            let (_, properties) = known.unwrap_or_else(|| panic!("no object belongs in {name}"));
            for property in properties.split(' ').filter_map(|it| it.strip_prefix('!')) {
                assert!(object.contains_key(property), "{name} without {property}");
            }
            for (property, value) in object {
                let allowed =
                    properties.split(' ').any(|it| it.trim_start_matches('!') == property);
                assert!(allowed, "{name} has no {property}");
                is_sarif(value, property);
            }
            if name == "region" {
                let number = |of: &str| object[of].as_u64().unwrap_or_default();
                assert!(number("startLine") >= 1 && number("startColumn") >= 1, "{object:?}");
                let (start, end) = (number("startLine"), number("endLine"));
                let columns = number("startColumn") <= number("endColumn");
                assert!(start < end || (start == end && columns), "{object:?}");
            }
        }
        Value::String(text) => match name {
            "level" => assert!(["error", "warning", "note"].contains(&&**text), "{text}"),
            "columnKind" => assert_eq!(text, "unicodeCodePoints"),
            "version" => assert_eq!(text, "2.1.0"),
            _ => {}
        },
        Value::Number(_) => {
            let numbers = ["ruleIndex", "startLine", "startColumn", "endLine", "endColumn"];
            assert!(numbers.contains(&name) && value.is_u64(), "{name}: {value}");
        }
        Value::Bool(_) | Value::Null => {
            assert_eq!((name, value), ("executionSuccessful", &json!(true)))
        }
    }
}

#[test]
fn sarif_has_the_structure_of_the_standard() {
    let mut reports = vec![check(""), check("(role"), check(TEXT)];
    let games = groundfrog_corpus::games().iter().filter(|it| it.text.len() < 4000);
    for game in games {
        reports.push(check(game.text));
        for &fault in groundfrog_corpus::faults() {
            let damaged = groundfrog_corpus::damage(game.text, fault, 1);
            reports.extend(damaged.map(|it| check(it.text)));
        }
    }
    reports.push(CheckReport { undecided: Some("time is up".to_owned()), ..check(TEXT) });
    let log = written(|out| sarif::write(&reports, out).expect("a vector"));
    is_sarif(&log, "log");
    let run = &log["runs"][0];
    assert!(run["results"].as_array().is_some_and(|it| it.len() > 200));
    let notifications = &run["invocations"][0]["toolExecutionNotifications"];
    let told = notifications.as_array().expect("a list").iter();
    let told = told.filter(|it| it["message"]["text"] == "not decided: time is up");
    assert_eq!(told.count(), 1, "{notifications}");
}
