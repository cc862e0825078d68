//! Where values that nothing in the program determines come from.

/// Why a value is arbitrary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HavocSource {
    /// An input: the named function's result. A counterexample fixes it.
    Input(String),
    /// An uninitialised variable: any value, chosen once.
    Uninitialised,
    /// The true value is not modelled (floating point, inline assembly, an
    /// unknown function); all values are an over-approximation, so no
    /// counterexample may depend on it.
    Approximation(String),
}

impl HavocSource {
    /// The input that says how much there is to be read.
    pub const INPUT_LENGTH: &'static str = "the length of the input";
    /// The input that says how a function of the library fares, where it is not its result.
    pub const IN_LIBRARY: &'static str = "the input";
    /// What the inputs are called, before the text, that say whether it comes next in a stream.
    pub const NEXT_TEXT: &'static str = "the input has ";
    /// The input that says whether a call of the error function counts as the error.
    pub const IS_ERROR: &'static str = "$error";
    /// What chooses whether equal string literals are one object.
    pub const SHARED_LITERALS: &'static str = "sharing of equal string literals";

    /// Whether an input of this name says how a function of the library fares, where it is not its
    /// result.
    #[must_use]
    pub fn is_in_library(name: &str) -> bool {
        name == Self::IN_LIBRARY || name.starts_with(Self::NEXT_TEXT)
    }
}
