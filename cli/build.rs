//! Links the program so that it starts fast, on Linux: a small game takes half a millisecond, and the start of a process
//! may take as long. Where something is missing or another linker is asked for, the program is linked as always.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the linker is to put the functions that start a process, those that grounding runs, and those that it does not;
/// `often.py` says why.
const PLACES: [&str; 3] = ["start.ld", "often.ld", "seldom.ld"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(placed)");
    if !is("CARGO_CFG_TARGET_OS", "linux") {
        return;
    }
    if is("CARGO_CFG_TARGET_ARCH", "x86_64") && has_usual_linker() {
        place_functions();
    }
    if let Some(folder) = folder_of_unwinder() {
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// Maps the program in few pieces: each block of 64 KiB that is run or read for the first time takes some microseconds.
fn place_functions() {
    // At a fixed address: otherwise four thousand pointers in the program's tables are mended at each start, on pages of
    // their own.
    option("-no-pie");
    // Code and constants are mapped together.
    option("-Wl,-z,noseparate-code");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    // `start` asks for the large page that the scripts have room for.
    println!("cargo::rustc-cfg=placed");
    for script in PLACES {
        println!("cargo::rerun-if-changed={script}");
        option(&format!("-Wl,-T,{}", here.join(script).display()));
    }
}

fn option(option: &str) {
    println!("cargo::rustc-link-arg-bins={option}");
}

fn is(name: &str, value: &str) -> bool {
    env::var(name).is_ok_and(|it| it == value)
}

/// Whether no linker is asked for: some know no scripts.
fn has_usual_linker() -> bool {
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let names_linker = ["fuse-ld", "linker"].iter().any(|it| flags.contains(it));
    env::var_os("RUSTC_LINKER").is_none() && !names_linker
}

/// Where the compiler has the stack unwinder as an archive, if that is wanted: loading one shared library less, on
/// systems with glibc, takes a tenth of a millisecond off each start.
fn folder_of_unwinder() -> Option<PathBuf> {
    println!("cargo::rerun-if-env-changed=CC");
    let is_native = env::var("TARGET").ok()? == env::var("HOST").ok()?;
    if !is_native || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return None;
    }
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let output = Command::new(compiler).arg("-print-file-name=libgcc_eh.a").output().ok()?;
    // What is not found is repeated as it was asked for.
    let archive = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    let folder = archive.parent().filter(|_| archive.is_absolute() && archive.exists());
    folder.map(Path::to_path_buf)
}
