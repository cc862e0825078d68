//! The choices of a run that is carried out again, and what they are called.

use concrete::choices::{Choices, Occasion};
use ir::HavocSource;
use ir::expr::ScalarType;

/// A choice, as a clause if it can be told.
pub(super) struct Made {
    pub(super) message: Option<String>,
    /// The input that it is for, if it is for one.
    pub(super) input: Option<String>,
    pub(super) number: i128,
    /// Whether it is for a variable that is declared without a value.
    pub(super) is_declared: bool,
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
        let is_declared = matches!(occasion, Occasion::Havoc(HavocSource::Uninitialised));
        // What a floating-point number is, nobody knows.
        if let ScalarType::Float(_) = ty {
            self.made.push(Made { message: None, input: None, number: value, is_declared });
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
        let is_made_up = input.as_ref().is_some_and(|it| it.starts_with('$'));
        let message = Some(message).filter(|_| !is_declared && !is_made_up);
        self.made.push(Made { message, input, number: value, is_declared });
        value
    }
}
