//! What the documents show is what the program prints.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn groundfrog(words: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_groundfrog"));
    command.current_dir(root()).args(words).output().expect("the program runs")
}

/// The counts of a summary's first line: all but its times.
#[test]
fn the_command_line_page_shows_counts_that_are_true() {
    let page = std::fs::read_to_string(root().join("docs/command-line.md")).expect("the page");
    let mut lines = page.lines().peekable();
    let mut tried = 0;
    while let Some(line) = lines.next() {
        let Some(words) = line.strip_prefix("$ groundfrog ground corpus/") else { continue };
        let game = format!("corpus/{}", words.split(' ').next().expect("a game"));
        let Some(shown) = lines.peek().filter(|it| it.contains(" ground rules, ")) else {
            continue;
        };
        let output = groundfrog(&["ground", &game, "-o", "-"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.lines().any(|it| it == *shown), "the page shows\n{shown}\nbut it is\n{said}");
        tried += 1;
    }
    assert!(tried > 0, "the page shows no summary");
}

#[test]
fn a_path_alone_is_ground_and_commands_have_help_and_manuals() {
    let alone = groundfrog(&["corpus/breakthrough.kif", "--quiet"]);
    let asked = groundfrog(&["ground", "corpus/breakthrough.kif", "--quiet"]);
    assert!(alone.status.success() && !alone.stdout.is_empty());
    assert_eq!(alone.stdout, asked.stdout);
    assert!(String::from_utf8_lossy(&groundfrog(&["help", "verify"]).stdout).contains("Usage"));
    let manual = groundfrog(&["man", "ground"]);
    assert!(String::from_utf8_lossy(&manual.stdout).contains(".TH groundfrog-ground"));
    assert_eq!(groundfrog(&["man", "grnd"]).status.code(), Some(2));
    let version = groundfrog(&["--version"]);
    assert!(String::from_utf8_lossy(&version.stdout).starts_with("groundfrog 0."));
}

#[test]
fn folders_are_searched_by_check_and_verify_and_not_ground() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).expect("a folder in it");
    for game in ["nim.kif", "breakthrough.kif"] {
        std::fs::copy(root().join("corpus").join(game), inner.join(game)).expect("a game");
    }
    let path = folder.path().to_str().expect("a path");
    let checked = groundfrog(&["check", path]);
    let text = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(text.contains("nim") && text.contains("breakthrough"), "{text}");
    let verified = groundfrog(&["verify", path, "--playouts", "1", "--quiet"]);
    assert_eq!(verified.status.code(), Some(0), "{}", String::from_utf8_lossy(&verified.stderr));
    let ground = groundfrog(&["ground", path]);
    assert_eq!(ground.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&ground.stderr).contains("`bench` take folders"));
}

#[test]
fn what_is_installed_is_in_the_checkout() {
    let mut lines = 0;
    for page in ["README.md", "cli/README.md", "python/README.md"] {
        let text = std::fs::read_to_string(root().join(page)).expect("the page");
        for command in text.split('`').filter(|it| it.contains("install ")) {
            let Some(place) = command
                .strip_prefix("pip install ")
                .or_else(|| command.strip_prefix("cargo install --locked --path "))
            else {
                panic!("{page}: `{command}` takes what is not published");
            };
            let folder = root().join(page).with_file_name("").join(place);
            assert!(
                folder.join("Cargo.toml").exists() || folder.join("pyproject.toml").exists(),
                "{page}: `{command}`"
            );
            lines += 1;
        }
    }
    assert!(lines >= 3, "{lines}");
}
