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

/// A file in that folder or beside it, such as `ticTacToe.kif`; `None`, with a message, where it is not there.
pub fn read(file: &str) -> Option<Vec<u8>> {
    let path = folder().join(file);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        eprintln!("skipped: no {} (set GROUNDFROG_GAMES)", path.display());
    }
    bytes
}
