//! Where the known games are.
#![allow(dead_code, reason = "not every suite uses all of it")]

use std::path::PathBuf;

/// The folder of the known games.
pub fn folder() -> PathBuf {
    std::env::var_os("GROUNDFROG_GAMES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/games"),
        PathBuf::from,
    )
}

/// A file in that folder or beside it, such as `ticTacToe.kif`.
pub fn read(file: &str) -> Vec<u8> {
    let path = folder().join(file);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.to_string_lossy()))
}
