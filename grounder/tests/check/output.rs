//! The output for programs.

use serde_json::{Value, json};

use super::check;
use groundfrog::check::{json, sarif};

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
