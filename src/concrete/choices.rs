//! Where arbitrary values come from.

use ir::HavocSource;
use ir::expr::{IntKind, ScalarType};

/// Why a value has to be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion<'program> {
    /// A havoc command.
    Havoc(&'program HavocSource),
    /// A variable is read that nothing was assigned to.
    UnassignedVariable,
    /// Bytes are read that nothing was written to.
    UninitialisedMemory,
    /// The same in a constant object: a text that only the library knows.
    LibraryText,
}

/// Decides what is arbitrary. The answer may be any number; it is then reduced
/// to the range of the type.
pub trait Choices {
    /// The value to use for a scalar of type `ty`.
    fn choose(&mut self, ty: ScalarType, occasion: Occasion<'_>) -> i128;
}

/// Choices from a list, then zero for ever; notes what was asked.
#[derive(Clone, Debug, Default)]
pub struct ChoiceList {
    values: Vec<i128>,
    n_asked: usize,
    n_approximations: usize,
}

impl ChoiceList {
    /// The choices in the order in which they are to be used.
    #[must_use]
    pub fn new(values: Vec<i128>) -> Self {
        Self { values, n_asked: 0, n_approximations: 0 }
    }

    /// How many choices the run has asked for.
    #[must_use]
    pub fn n_asked(&self) -> usize {
        self.n_asked
    }

    /// How many of them stand for a value that is not modelled, floating-point numbers
    /// left out. A run with any is no counterexample.
    #[must_use]
    pub fn n_approximations(&self) -> usize {
        self.n_approximations
    }
}

impl Choices for ChoiceList {
    fn choose(&mut self, ty: ScalarType, occasion: Occasion<'_>) -> i128 {
        let value = self.values.get(self.n_asked).copied().unwrap_or(0);
        self.n_asked += 1;
        let is_float = matches!(ty, ScalarType::Float(_));
        if let Occasion::Havoc(HavocSource::Approximation(_)) = occasion
            && !is_float
        {
            self.n_approximations += 1;
        }
        value
    }
}

/// `choice` brought into the range of `ty`. For an address this is a number
/// below 2^(address bits): null, or the address of no block.
#[must_use]
pub fn reduced(choice: i128, ty: ScalarType, pointer_bytes: u32) -> i128 {
    match ty {
        ScalarType::Int(kind) if kind.signed => kind.wrap(choice),
        ScalarType::Int(kind) => kind.wrap(choice).max(0),
        ScalarType::Pointer | ScalarType::Float(_) => {
            let bytes = ty.bytes(pointer_bytes).min(15);
            let bits = u8::try_from(8 * bytes).unwrap_or(120);
            IntKind { bits, signed: false }.wrap(choice)
        }
    }
}
