//! Unpacking what gzip has packed, within limits: a few bytes may unpack to any number.

use std::io::{self, Read};

use flate2::bufread::GzDecoder;

use crate::failure::Failure;

/// No more than this is unpacked: some millions of rules.
const LONGEST: u64 = 1 << 28;
/// Which part of the memory that the process may have is for what is unpacked: to read it takes more.
const SHARE: u64 = 4;
/// So much is unpacked between two looks at the limits.
const PIECE: u64 = 1 << 20;

/// Why something could not be unpacked.
pub(super) enum UnpackError {
    /// It is damaged.
    Damaged(io::Error),
    /// It would be longer than so many bytes.
    TooLong(u64),
    /// A limit was exceeded.
    Stopped(Failure),
}

impl UnpackError {
    /// The failure to report about a file.
    pub(super) fn in_file(self, name: &str) -> Failure {
        match self {
            UnpackError::Damaged(source) => Failure::Io {
                what: format!("cannot unpack `{name}`, which gzip has packed"),
                source,
            },
            UnpackError::TooLong(most) => Failure::TooLong(format!(
                "`{name}` would unpack to more than {most} bytes: unpack it, and give what comes of it"
            )),
            UnpackError::Stopped(failure) => failure,
        }
    }
}

/// Whether bytes begin as what gzip writes does.
pub(super) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1F, 0x8B])
}

/// Unpacks all members of what gzip has packed, in a process that may have so much memory. `check` is asked for each piece and each
/// member, however empty.
///
/// # Errors
/// It is damaged, too long, or a limit was exceeded meanwhile.
pub(super) fn unpack(
    mut packed: &[u8],
    memory: Option<u64>,
    check: &dyn Fn() -> Result<(), Failure>,
) -> Result<Vec<u8>, UnpackError> {
    let most = memory.map_or(LONGEST, |it| LONGEST.min(it / SHARE));
    let mut bytes = Vec::new();
    while !packed.is_empty() {
        let mut member = GzDecoder::new(&mut packed);
        loop {
            check().map_err(UnpackError::Stopped)?;
            let piece = (&mut member).take(PIECE).read_to_end(&mut bytes);
            if piece.map_err(UnpackError::Damaged)? == 0 {
                break;
            }
            if bytes.len() as u64 > most {
                return Err(UnpackError::TooLong(most));
            }
        }
    }
    Ok(bytes)
}
