//! Descriptions from files and other readers.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{Description, ParseError, ParseOptions};

/// The most bytes that a description may have, one less than 4 GiB: places in it are counted in 32 bits.
pub const MAX_SOURCE_BYTES: u64 = u32::MAX as u64;

/// Why no description came out of a file.
#[derive(thiserror::Error)]
pub enum ReadError {
    /// The file could not be opened or read.
    #[error("cannot read {name}: {source}")]
    Io {
        /// The name of the file, or what the options call it.
        name: String,
        /// What the system says.
        source: io::Error,
    },
    /// There is more text than [`MAX_SOURCE_BYTES`].
    #[error("{name} has more than {MAX_SOURCE_BYTES} bytes; no game description is that long")]
    TooLong {
        /// The name of the file, or what the options call it.
        name: String,
    },
    /// The text is no description.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

/// As for [`fmt::Display`]: `main` may return the error, and what is then printed is for people.
impl fmt::Debug for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Description {
    /// Reads a file. Messages call it by its path, unless the options have a name for it.
    ///
    /// # Errors
    /// [`ReadError::Io`] if the file cannot be read; else those of [`Description::from_reader`].
    ///
    /// ```
    /// use groundfrog::{Description, ParseOptions, ReadError};
    ///
    /// let error = Description::from_file("missing.kif", &ParseOptions::default()).unwrap_err();
    /// assert!(matches!(error, ReadError::Io { .. }));
    /// assert!(error.to_string().starts_with("cannot read missing.kif: "));
    /// ```
    pub fn from_file(path: impl AsRef<Path>, options: &ParseOptions) -> Result<Self, ReadError> {
        let mut options = options.clone();
        if options.name == ParseOptions::default().name {
            options.name = path.as_ref().to_string_lossy().into_owned();
        }
        match File::open(path) {
            Ok(file) => Self::from_reader(file, &options),
            Err(source) => Err(ReadError::Io { name: options.name, source }),
        }
    }

    /// Reads to the end of a reader, such as standard input.
    ///
    /// # Errors
    /// [`ReadError::Io`] if the reader fails, [`ReadError::TooLong`] if it does not end, and
    /// [`ReadError::Parse`] as [`Description::parse`].
    pub fn from_reader(reader: impl Read, options: &ParseOptions) -> Result<Self, ReadError> {
        read_at_most(reader, options, MAX_SOURCE_BYTES)
    }
}

fn read_at_most(
    reader: impl Read,
    options: &ParseOptions,
    limit: u64,
) -> Result<Description, ReadError> {
    let name = || options.name.clone();
    let mut source = Vec::new();
    let read = reader.take(limit + 1).read_to_end(&mut source);
    read.map_err(|source| ReadError::Io { name: name(), source })?;
    if source.len() as u64 > limit {
        return Err(ReadError::TooLong { name: name() });
    }
    Ok(Description::parse(&source, options)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_end_is_refused() {
        let options = ParseOptions { name: "endless".to_owned(), ..ParseOptions::default() };
        let error = read_at_most(io::repeat(b' '), &options, 1000).expect_err("it does not end");
        assert!(matches!(&error, ReadError::TooLong { name } if name == "endless"), "{error}");
        let description = read_at_most(&b"(role r)"[..], &options, 8).expect("it just fits");
        assert_eq!(description.statements.len(), 1);
    }

    #[test]
    fn what_fails_is_passed_on() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        let error = Description::from_reader(Broken, &ParseOptions::default());
        let Err(ReadError::Io { source, name }) = error else { panic!("it was read: {error:?}") };
        assert_eq!((source.kind(), &*name), (io::ErrorKind::ConnectionReset, "<input>"));
    }

    #[test]
    fn errors_in_a_file_name_it() {
        let path = std::env::temp_dir().join(format!("groundfrog-{}.kif", std::process::id()));
        std::fs::write(&path, "(role r) (").expect("a temporary file");
        let error = Description::from_file(&path, &ParseOptions::default());
        std::fs::remove_file(&path).expect("it was written");
        let Err(ReadError::Parse(error)) = error else { panic!("it was read: {error:?}") };
        assert_eq!(error.name, path.to_string_lossy().into_owned());
    }
}
