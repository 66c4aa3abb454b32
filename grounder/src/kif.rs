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

mod diagnostic;
pub mod infix;
mod lexer;
mod parser;

pub use diagnostic::{
    Diagnostic, Identity, Label, LineColumn, Severity, Span, SyntaxError, locate,
};
pub use lexer::{Lexer, Token, TokenKind, decode};
pub use parser::{Children, DEFAULT_NESTING, NodeId, Parser, Sexprs};
