//! `groundfrog propnet`.

use super::{Folder, corpus, run};

#[test]
fn counts_are_those_of_the_file() {
    let folder = Folder::new();
    let file = folder.text_path("net.json");
    let run = run(["propnet", &corpus("tictactoe"), "--format", "json", "-o", &file]).succeeds();
    assert_eq!(run.stdout, "");
    let text = std::fs::read_to_string(file).expect("a file");
    let net: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(net["format"], "groundfrog-propnet");
    let components = net["components"].as_array().expect("a list");
    let counted = |kind: &str| components.iter().filter(|it| it["kind"] == kind).count();
    for kind in ["base", "input", "view", "and", "or", "transition"] {
        let line = format!("\n{kind} {}\n", counted(kind));
        assert!(run.stderr.contains(&line), "no `{line}` in:\n{}", run.stderr);
    }
    assert_eq!(counted("base"), counted("transition"));
    assert!(run.stderr.starts_with(&format!("components {}\n", components.len())));
}

#[test]
fn quiet_and_missing() {
    assert_eq!(run(["propnet", &corpus("tictactoe"), "-q"]).succeeds().stderr, "");
    run(["propnet", "nowhere.kif"]).fails(4, &["nowhere.kif`: no such file"]);
}
