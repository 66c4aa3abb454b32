//! Signed nodes.

/// A node with a sign, in one `u32`: twice the node's number, plus one if negated. Two codes are constants.
pub(crate) type Code = u32;

/// Always holds.
pub(crate) const TRUE: Code = u32::MAX - 1;

/// Never holds: the negation of [`TRUE`].
pub(crate) const FALSE: Code = u32::MAX;

/// Whether the signed node holds; it must not be a constant.
#[inline]
pub(crate) fn holds(code: Code, values: &[u8]) -> bool {
    values[(code >> 1) as usize] != (code & 1) as u8
}

/// Whether the signed node or constant holds.
#[inline]
pub(crate) fn holds_or_constant(code: Code, values: &[u8]) -> bool {
    if code >= TRUE { code == TRUE } else { holds(code, values) }
}
