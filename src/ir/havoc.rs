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
    /// What is said behind that of what is asked for: a decimal number, ones of other bases, one
    /// with a fraction, a word, bytes, something that is not stored, anything else.
    pub const NUMBER: &'static str = ", a number";
    /// See [`Self::NUMBER`].
    pub const IN_BASE_16: &'static str = ", a number of base 16";
    /// See [`Self::NUMBER`].
    pub const IN_BASE_8: &'static str = ", a number of base 8";
    /// See [`Self::NUMBER`].
    pub const FRACTION: &'static str = ", a fraction";
    /// See [`Self::NUMBER`].
    pub const WORD: &'static str = ", a word";
    /// See [`Self::NUMBER`].
    pub const BYTES: &'static str = ", bytes";
    /// See [`Self::NUMBER`].
    pub const SKIPPED: &'static str = ", skipped";
    /// See [`Self::NUMBER`].
    pub const OTHER: &'static str = ", something else";
    /// What the inputs are called, before the text, that say whether it comes next in a stream.
    pub const NEXT_TEXT: &'static str = "the input has ";
    /// The input that says whether a call of the error function counts as the error.
    pub const IS_ERROR: &'static str = "$error";
    /// What may have changed by itself since it was written.
    pub const VOLATILE: &'static str = "volatile object";
    /// What chooses whether equal string literals are one object.
    pub const SHARED_LITERALS: &'static str = "sharing of equal string literals";

    /// Whether an input of this name says how a function of the library fares, where it is not its
    /// result.
    #[must_use]
    pub fn is_in_library(name: &str) -> bool {
        let kind = name.strip_prefix(Self::IN_LIBRARY);
        kind.is_some_and(|it| it.is_empty() || it.starts_with(','))
            || name.starts_with(Self::NEXT_TEXT)
    }
}
