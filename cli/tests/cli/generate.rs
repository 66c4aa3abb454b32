//! `groundfrog generate` and `groundfrog completions`.

use groundfrog_corpus::families;

use super::{Folder, corpus, ground, run};

#[test]
fn every_family_has_a_subcommand() {
    let list = run(["generate", "--list"]).succeeds().stdout;
    for family in families() {
        let name = family.name().replace('_', "-");
        assert!(list.contains(&format!("{name}\n    {}", family.summary())), "{name}");
        let game = run(["generate", &name]).succeeds();
        assert_eq!(run(["generate", family.name()]).stdout, game.stdout);
        let help = run(["generate", &name, "--help"]).succeeds().stdout;
        for parameter in family.parameters() {
            assert!(help.contains(&format!("--{}", parameter.name.replace('_', "-"))), "{help}");
        }
    }
}

#[test]
fn parameters_are_passed_on() {
    let folder = Folder::new();
    let path = folder.text_path("game.kif");
    let run = run(["generate", "breakthrough", "--width", "5", "--height", "6", "-o", &path]);
    assert_eq!(run.succeeds().stdout, "");
    let text = std::fs::read_to_string(path).expect("a file");
    assert!(text.contains("width = 5, height = 6"), "{text}");
    ground(text).succeeds();
}

#[test]
fn random_games_depend_on_their_seed() {
    let game = |seed: &str| run(["generate", "random", "--seed", seed]).succeeds().stdout;
    assert_eq!(game("7"), game("7"));
    assert_ne!(game("7"), game("8"));
    ground(game("7")).succeeds();
}

#[test]
fn without_a_family_there_is_help() {
    run(["generate"]).fails(2, &["Usage: groundfrog generate", "breakthrough", "random"]);
}

#[test]
fn completions_know_the_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(["completions", shell]).succeeds().stdout;
        assert!(script.contains("groundfrog") && script.contains("max-memory"), "{shell}");
        assert!(script.contains("rule-width"), "{shell}");
    }
    run(["completions", &corpus("nim")]).fails(2, &["possible values: bash"]);
}
