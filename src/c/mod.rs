//! C to goto programs.

use crate::base::source::{SourceMap, Span};

/// Widths of integer types and addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// 64-bit `long` and addresses (Linux and macOS on 64-bit machines).
    Lp64,
    /// 32-bit `int`, `long` and addresses.
    Ilp32,
}

impl DataModel {
    /// Bytes in an address.
    #[must_use]
    pub fn pointer_bytes(self) -> u32 {
        match self {
            Self::Lp64 => 8,
            Self::Ilp32 => 4,
        }
    }
}

/// What integers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntModel {
    /// Signed integers are unbounded; unsigned ones wrap.
    Math,
    /// All integers wrap at their width.
    Machine,
}

/// What `malloc` may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MallocModel {
    /// Always a block.
    Succeeds,
    /// A block or null.
    MayFail,
}

/// How a C file is to be understood.
#[derive(Clone, Debug)]
pub struct Options {
    /// Widths and alignments.
    pub data_model: DataModel,
    /// What integers are.
    pub int_model: IntModel,
    /// What `malloc` may answer.
    pub malloc: MallocModel,
    /// The function where execution starts, called with arbitrary arguments.
    pub entry: Option<String>,
}

/// What is wrong with a C file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where it was found.
    pub span: Span,
    /// What is wrong, as a phrase without a full stop.
    pub message: String,
}

/// A C file that cannot be read.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// The files that the spans point into.
    pub sources: SourceMap,
    /// What is wrong; at least one.
    pub errors: Vec<SyntaxError>,
}

/// C text after preprocessing.
#[derive(Clone, Debug)]
pub struct PreprocessedSource {
    /// The file's name, as the user gave it.
    pub name: String,
    /// Its text, perhaps with line markers.
    pub text: String,
}
