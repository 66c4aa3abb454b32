//! The literals of ground rules.

/// An atom number with a sign, in one `u32`: twice the number, plus one if negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    /// The greatest atom number that fits.
    pub const MAX_ATOM: u32 = u32::MAX >> 1;

    /// The negated literal of the greatest atom.
    pub(crate) const LAST: Self = GroundLiteral(u32::MAX);

    /// The literal of an atom below 2^31.
    #[inline]
    pub fn new(atom: u32, negated: bool) -> Self {
        debug_assert!(atom <= Self::MAX_ATOM);
        GroundLiteral(atom << 1 | u32::from(negated))
    }

    /// The literal with an encoded form, the inverse of [`GroundLiteral::code`].
    #[inline]
    pub fn from_code(code: u32) -> Self {
        GroundLiteral(code)
    }

    /// The atom's number.
    #[inline]
    pub fn atom(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is negated.
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The encoded form.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }
}
