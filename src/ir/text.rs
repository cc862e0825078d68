//! The `.goto` text of a program: print it and parse it back.
//!
//! The text is the papers' small language of goto programs, widened to what C
//! needs. Variables hold scalars, `[e : T]` is memory:
//!
//! ```text
//! global head: ptr
//!
//! procedure push(value: i32) {
//!   local p: ptr
//! b0:
//!   p := allocate heap 16          // stack, alloca, static; `zeroed` may follow
//!   [p : i32] := value
//!   [p + 8 : ptr] := head
//!   head := p
//!   return
//! }
//!
//! procedure main() -> i32 requires "emp" {
//!   local n: i32, p: ptr
//! b0:
//!   n := input "nondet"            // also: uninitialised, arbitrary "why"
//!   goto b1
//! b1:
//!   if n > 0 goto b2 else b3
//! b2:
//!   call push(n)                   // x := call f(…), call *(e)(…) through &f
//!   n := (n - 1) as u32            // reduced to the range of the type
//!   goto b1
//! b3:
//!   p := [head + 8 : ptr]
//!   [head; 16] := fill 0           // memset; `copy e` is memcpy
//!   free heap head
//!   assume p != 0                  // also: error "what", unsupported "what", undefined "what"
//!   switch n { 0 => b1, -3..-1 => b3, else => b4 }
//! b4:
//!   halt
//! }
//!
//! entry main
//! ```
//!
//! `requires` says what holds when the entry is called, beside its arguments.
//!
//! `pointer_bytes 4` at the top says that addresses have 4 bytes; otherwise
//! they have 8. A procedure without `{ … }` is only declared. Types are `ptr`,
//! `i` or `u` with a width in bits, `f` with a width in bytes. Odd names stand
//! between backquotes. Operators bind as in Rust: `-x` before `x as u8`, that
//! before `*`, `+`, `<<`, `&`, `^`, `|`, and comparisons last.
//!
//! Printing gives every block a label `b0`, `b1`, … and renames variables that
//! share a name with one in scope. So parsing what was printed gives the
//! program back up to spans, numbers of variables and such names; printing that
//! again gives the same text.

mod fingerprint;
mod print;
mod resolve;

use super::{ProcedureId, Program};
use base::source::Span;
use wane_grammar::SyntaxError;

pub use fingerprint::Fingerprint;
pub use print::{Names, print, print_command, print_expr, print_terminator};

/// What a `.goto` text says.
#[derive(Clone, Debug)]
pub struct ParsedGoto {
    /// The program.
    pub program: Program,
    /// The assertions that stand at procedures, not parsed.
    pub contracts: Vec<Contract>,
}

/// An assertion at a procedure, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The procedure.
    pub procedure: ProcedureId,
    /// When the assertion is to hold.
    pub moment: Moment,
    /// The assertion.
    pub assertion: String,
    /// The place of the quoted text.
    pub span: Span,
}

/// When an assertion is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// `requires`: when the procedure starts.
    Before,
    /// `ensures`: when it returns.
    After,
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GotoError {
    /// The place.
    pub span: Span,
    /// A sentence without its full stop.
    pub message: String,
}

/// Parses a `.goto` text; spans name the file `file_name`.
///
/// # Errors
/// All lexical errors, or else the first syntax error, or else all names and
/// numbers that mean nothing.
pub fn parse(file_name: &str, text: &str) -> Result<ParsedGoto, Vec<GotoError>> {
    let lines = Lines::of(text);
    let located = |error: SyntaxError| GotoError {
        span: lines.span(error.start, error.end),
        message: error.message,
    };
    let file = wane_grammar::goto::parse(text)
        .map_err(|errors| errors.into_iter().map(located).collect::<Vec<_>>())?;
    resolve::resolve(&file, file_name, &lines)
}

/// The lines of a text, to turn byte offsets into spans.
pub struct Lines<'text> {
    text: &'text str,
    starts: Vec<usize>,
}

impl<'text> Lines<'text> {
    /// Finds the lines.
    #[must_use]
    pub fn of(text: &'text str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(offset, _)| offset + 1);
        Self { text, starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The span of the bytes from `start` to `end`, cut at the end of the line.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let line = self.starts.partition_point(|line_start| *line_start <= start);
        let line_start = self.starts[line - 1];
        let line_end = self.starts.get(line).map_or(self.text.len(), |next| next - 1);
        let characters = |from: usize, to: usize| {
            let count = self.text.get(from..to).map_or(0, |it| it.chars().count());
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        Span {
            file: 0,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: characters(line_start, start).saturating_add(1),
            length: characters(start, end.min(line_end)).max(1),
        }
    }
}
