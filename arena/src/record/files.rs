//! Files of records: read within limits, and replaced in one step.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Bytes of a file that is read.
pub const LONGEST: u64 = 1 << 28;

/// Reads a text. It has to be a regular file: a pipe may have no end, and nobody at its other end.
///
/// # Errors
/// It is no regular file, it is too long, it is not encoded in UTF-8, or it cannot be read.
pub fn read(path: &Path) -> io::Result<String> {
    read_within(path, LONGEST)
}

fn read_within(path: &Path, longest: u64) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut text = String::new();
    let read = File::open(path)?.take(longest + 1).read_to_string(&mut text)?;
    if read as u64 > longest {
        return Err(io::Error::other(format!("it has more than {longest} bytes")));
    }
    Ok(text)
}

/// Creates or replaces a file in one step; a link is replaced and not followed. If that fails, all is as it was.
///
/// # Errors
/// The folder cannot be written to, or there is no room.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary_beside(path)?;
    file.write_all(bytes)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// How the names of temporary files begin and end.
const TEMPORARY: (&str, &str) = (".groundfrog-", ".tmp");

/// How often a new file may be taken away before it is locked.
const ATTEMPTS: usize = 8;

/// Whether a file is what a process that was killed has left of [`temporary_beside`].
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

/// Removes what processes that were killed have left of [`temporary_beside`] in a folder, as far as that can be done. What a process
/// still writes is locked.
pub fn remove_left(folder: &Path) {
    // Elsewhere it is not known what is locked.
    let entries = if cfg!(unix) { fs::read_dir(folder).ok() } else { None };
    for entry in entries.into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|it| it.is_file());
        if !is_file || !is_temporary(&entry.file_name().to_string_lossy()) {
            continue;
        }
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            // The lock is held until it is gone. What others own may stay.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A new file in the folder of another, which it is to replace. It goes away unless it does. Its mode is that of any new file. As long
/// as it is open, [`remove_left`] leaves it alone.
///
/// # Errors
/// The folder cannot be written to.
pub fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    for _ in 0..ATTEMPTS {
        let file = new_temporary(folder(path))?;
        // Who clears up may have been faster than the lock.
        let is_taken = matches!(file.as_file().try_lock(), Err(fs::TryLockError::WouldBlock));
        if !is_taken && file.path().exists() {
            return Ok(file);
        }
    }
    new_temporary(folder(path))
}

fn new_temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask takes away what it takes away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// The folder that a file is in.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_found_for_bare_names() {
        assert_eq!(folder(Path::new("a.kif")), Path::new("."));
        assert_eq!(folder(Path::new("b/a.kif")), Path::new("b"));
        assert_eq!(folder(Path::new("/a.kif")), Path::new("/"));
    }

    #[test]
    fn only_regular_files_of_limited_size_are_read() {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let at = folder.path().join("record.json");
        replace(&at, b"12345678").expect("it can be written");
        assert_eq!(read_within(&at, 8).expect("it can be read"), "12345678");
        let error = read_within(&at, 7).expect_err("it is too long");
        assert_eq!(error.to_string(), "it has more than 7 bytes");
        let error = read(folder.path()).expect_err("it is a folder");
        assert_eq!(error.to_string(), "it is not a regular file");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_replaced_and_the_mode_is_that_of_new_files() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("other"), "kept").expect("it can be written");
        symlink(at("other"), at("record.json")).expect("a link");
        replace(&at("record.json"), b"{}").expect("it can be written");
        assert_eq!(fs::read_to_string(at("other")).expect("it can be read"), "kept");
        let mode =
            |name: &str| fs::symlink_metadata(at(name)).expect("is there").permissions().mode();
        assert_eq!(mode("record.json"), mode("other"));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn what_killed_processes_left_is_removed_and_what_is_written_stays() {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let at = |name: &str| folder.path().join(name);
        fs::write(at(".groundfrog-dead.tmp"), "half").expect("it can be written");
        fs::write(at("other.tmp"), "kept").expect("it can be written");
        fs::create_dir(at(".groundfrog-folder.tmp")).expect("a folder");
        let mut written = temporary_beside(&at("out")).expect("a temporary file");
        remove_left(folder.path());
        written.write_all(b"whole").expect("it can be written");
        written.persist(at("out")).expect("it is still there");
        let names = fs::read_dir(folder.path())
            .expect("a folder")
            .map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        assert_eq!(names, [".groundfrog-folder.tmp", "other.tmp", "out"]);
    }
}
