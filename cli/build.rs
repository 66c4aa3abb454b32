//! Tells the program which commit it is built from, for `--version`. Without a repository or `git`, it has its number alone.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../.git/HEAD");
    println!("cargo::rerun-if-changed=../.git/logs/HEAD");
    let output = Command::new("git").args(["rev-parse", "--short=9", "HEAD"]).output();
    let Ok(output) = output else { return };
    let commit = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && !commit.trim().is_empty() {
        let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
        println!("cargo::rustc-env=GROUNDFROG_COMMIT={version} ({})", commit.trim());
    }
}
