//! An attribute for tests that need what is not there everywhere: they are reported as ignored where it is missing.

use std::path::{Path, PathBuf};

use proc_macro::TokenStream;

/// Marks a test that needs something from outside:
///
/// - `#[needs(games)]`: the public games, in the folder that `GROUNDFROG_GAMES` names, or in `../shared/games` beside the project;
/// - `#[needs(permissions)]`: a user who may not read everything;
/// - `#[needs(clingo)]` and the like: a program of this name.
///
/// It stands before `#[test]`. What is there is found out when the test is compiled.
#[proc_macro_attribute]
pub fn needs(what: TokenStream, test: TokenStream) -> TokenStream {
    let needed: Vec<String> = what.to_string().split(',').map(|it| it.trim().to_owned()).collect();
    let missing: Vec<&str> = needed.iter().map(String::as_str).filter(|it| !is_there(it)).collect();
    let mut marked = String::new();
    if !missing.is_empty() {
        marked += &format!("#[ignore = \"needs {}\"]", missing.join(" and "));
    }
    let mut marked: TokenStream = marked.parse().expect("an attribute");
    marked.extend(test);
    if needed.iter().any(|it| it == "games") {
        // With another folder the test is compiled anew.
        let tracked = "const _: Option<&str> = option_env!(\"GROUNDFROG_GAMES\");";
        marked.extend(tracked.parse::<TokenStream>().expect("an item"));
    }
    marked
}

fn is_there(what: &str) -> bool {
    match what {
        "games" => games().is_dir(),
        "permissions" => !is_superuser(),
        program => std::env::var_os("PATH").is_some_and(|path| {
            std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
        }),
    }
}

fn games() -> PathBuf {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match std::env::var_os("GROUNDFROG_GAMES") {
        // What is relative is so to the crate that is tested.
        Some(folder) => project.join("needs").join(folder),
        None => project.join("../shared/games"),
    }
}

#[cfg(unix)]
fn is_superuser() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}

#[cfg(not(unix))]
fn is_superuser() -> bool {
    true
}
