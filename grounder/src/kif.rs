//! Reading and writing KIF, the notation of game descriptions: lists in parentheses.
//!
//! Reading takes three steps, none of which recurses on the nesting of the text:
//!
//! 1. [`decode`] turns the bytes of a file into text. Comments may be in Latin-1.
//! 2. [`Lexer`] splits the text into parentheses and words.
//! 3. [`Parser`] builds trees of lists and words ([`Sexprs`]), one statement at a time.
//!
//! What the lists mean, and how it is written down as text again, is the business of the module `description`. Places in a
//! text are [`Span`]s of byte offsets, and everything that can be wrong with a text is reported by a [`Diagnostic`].

mod decode;
mod diagnostic;
mod error;
pub mod infix;
mod lexer;
mod parser;
mod sexprs;
mod span;

pub use decode::decode;
pub use diagnostic::{Diagnostic, Identity, Label, Severity};
pub use error::SyntaxError;
pub use lexer::{Lexer, Token, TokenKind};
pub use parser::{DEFAULT_NESTING, Parser};
pub use sexprs::{Children, NodeId, Sexprs};
pub use span::{LineColumn, Span, locate};
