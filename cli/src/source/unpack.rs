//! Unpacking what gzip has packed, within limits: a few bytes may unpack to any number.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use crate::failure::Failure;
use crate::supervisor::Supervisor;

/// No more than this is unpacked: some ten million rules.
const LONGEST: u64 = 1 << 30;
/// So much is unpacked between two looks at the limits.
const PIECE: u64 = 1 << 20;

/// Why something could not be unpacked.
pub(super) enum UnpackError {
    /// It is damaged.
    Damaged(io::Error),
    /// There is too much of it.
    TooLong,
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
            UnpackError::TooLong => Failure::TooLong(format!(
                "`{name}` would unpack to more than {LONGEST} bytes: unpack it, and give what comes of it"
            )),
            UnpackError::Stopped(failure) => failure,
        }
    }
}

/// Whether bytes begin as what gzip writes does.
pub(super) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1F, 0x8B])
}

/// Unpacks all members of what gzip has packed.
///
/// # Errors
/// It is damaged, too long, or a limit of the program was exceeded meanwhile.
pub(super) fn unpack(packed: &[u8], supervisor: &Supervisor) -> Result<Vec<u8>, UnpackError> {
    let mut reader = MultiGzDecoder::new(packed);
    let mut bytes = Vec::new();
    while (&mut reader).take(PIECE).read_to_end(&mut bytes).map_err(UnpackError::Damaged)? > 0 {
        supervisor.check().map_err(UnpackError::Stopped)?;
        if bytes.len() as u64 > LONGEST {
            return Err(UnpackError::TooLong);
        }
    }
    Ok(bytes)
}
