//! The choices of a run that is carried out again, and what they are called.

use super::inputs::is_made_up;
use concrete::choices::{Choices, Occasion};
use ir::HavocSource;
use ir::expr::ScalarType;

/// What a choice stands for that has no value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unset {
    /// Nothing.
    No,
    /// A variable that is declared.
    Declared,
    /// Memory that is read.
    Memory,
}

/// A choice, as a clause if it can be told.
pub(super) struct Made {
    pub(super) message: Option<String>,
    /// The input that it is for, if it is for one.
    pub(super) input: Option<String>,
    pub(super) number: i128,
    pub(super) what: Unset,
}

/// Gives the values of a run, and says what they are.
pub(super) struct Told<'a> {
    pub(super) values: std::slice::Iter<'a, i128>,
    pub(super) made: Vec<Made>,
    /// Whether one of them stands for what nothing was written to.
    pub(super) reads_unset: bool,
}

impl Choices for Told<'_> {
    fn choose(&mut self, ty: ScalarType, occasion: Occasion<'_>) -> i128 {
        let value = self.values.next().copied().unwrap_or(0);
        let what = match occasion {
            Occasion::Havoc(HavocSource::Uninitialised) => Unset::Declared,
            Occasion::UninitialisedMemory | Occasion::LibraryText => Unset::Memory,
            Occasion::Havoc(_) | Occasion::UnassignedVariable => Unset::No,
        };
        // What a floating-point number is, nobody knows.
        if let ScalarType::Float(_) = ty {
            self.made.push(Made { message: None, input: None, number: value, what });
            return value;
        }
        self.reads_unset |= matches!(
            occasion,
            Occasion::Havoc(HavocSource::Uninitialised)
                | Occasion::UnassignedVariable
                | Occasion::UninitialisedMemory
        );
        let input = match occasion {
            Occasion::Havoc(HavocSource::Input(name)) => Some(name.clone()),
            _ => None,
        };
        let message = match occasion {
            Occasion::Havoc(HavocSource::Input(name)) if name == HavocSource::ORDER => {
                "C leaves the order open here: another part is evaluated first".to_owned()
            }
            Occasion::Havoc(HavocSource::Input(name)) => format!("`{name}` gives {value}"),
            // Whether anything reads it shows later.
            Occasion::Havoc(HavocSource::Uninitialised) => String::new(),
            Occasion::UnassignedVariable => {
                format!("a variable without a value is read as {value}")
            }
            Occasion::UninitialisedMemory | Occasion::LibraryText => {
                format!("memory without a value is read as {value}")
            }
            Occasion::Havoc(HavocSource::Approximation(what)) => format!("`{what}` gives {value}"),
        };
        let is_made_up = input.as_ref().is_some_and(|it| is_made_up(it, value));
        let message = Some(message).filter(|_| what != Unset::Declared && !is_made_up);
        self.made.push(Made { message, input, number: value, what });
        value
    }
}
