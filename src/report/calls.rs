//! Calls of library functions in a run: what the program sees of them.
//!
//! What a model of the library chooses is its own affair. A person knows the function, what it
//! gives back, and the bytes that it reads.

use super::Location;
use concrete::state::State;
use concrete::value::Value;
use ir::expr::ScalarType;
use ir::{Program, Variable};
use std::collections::BTreeMap;

/// A null pointer as a result.
pub(super) const NULL: &str = "null";

/// A call of a library function from the program.
pub(super) struct LibraryCall {
    /// Its name.
    pub(super) name: String,
    /// Where it is called.
    pub(super) place: Location,
    /// What it gives back, and its type, where the program takes that.
    result: Option<(Value, ScalarType)>,
    /// Whether the program reads that.
    is_read: bool,
}

/// The calls of a run, and the choices that were made in them.
#[derive(Default)]
pub(super) struct LibraryCalls {
    calls: Vec<LibraryCall>,
    /// The call that goes on: how many calls there are around it, and where its result goes.
    open: Option<(usize, Option<Variable>)>,
    /// Of each choice, the call that it is made in.
    of_choices: Vec<Option<usize>>,
    /// The variables that hold results which nothing has read so far.
    waiting: BTreeMap<(usize, Variable), usize>,
}

impl LibraryCalls {
    /// A choice is made.
    pub(super) fn chosen(&mut self) {
        self.of_choices.push(self.current());
    }

    /// The call that goes on.
    pub(super) fn current(&self) -> Option<usize> {
        self.open.and_then(|_| self.calls.len().checked_sub(1))
    }

    /// The name of what a call is of.
    pub(super) fn name(&self, call: usize) -> &str {
        &self.calls[call].name
    }

    /// A call has just begun, at so many calls before, or not.
    pub(super) fn begun(
        &mut self,
        (program, state): (&Program, &State),
        (depth, target): (usize, Option<Variable>),
        place: &Location,
    ) {
        let Some(callee) = state.location().map(|it| program.procedure(it.procedure)) else {
            return;
        };
        if self.open.is_none() && state.frames().len() > depth && callee.is_of_library() {
            let name = callee.shown_name().to_owned();
            self.calls.push(LibraryCall {
                name,
                place: place.clone(),
                result: None,
                is_read: false,
            });
            self.open = Some((depth, target));
        }
    }

    /// A step was done: the call may be over.
    pub(super) fn stepped(&mut self, program: &Program, state: &State) {
        let Some((depth, target)) = self.open.filter(|(depth, _)| state.frames().len() <= *depth)
        else {
            return;
        };
        self.open = None;
        if let (Some(call), true) = (self.calls.last_mut(), state.frames().len() == depth) {
            call.result = target.and_then(|it| Some((state.value(it)?, program.variable(it).ty)));
            let index = self.calls.len() - 1;
            self.waiting.extend(target.map(|it| ((depth, it), index)));
        }
    }

    /// A variable is read, where there are so many calls.
    pub(super) fn reads(&mut self, depth: usize, variable: Variable) {
        if let Some(index) = self.waiting.remove(&(depth, variable)) {
            self.calls[index].is_read = true;
        }
    }

    /// The call that a choice is made in, and which of the calls that is.
    pub(super) fn of_choice(&self, choice: usize) -> Option<(usize, &LibraryCall)> {
        let index = (*self.of_choices.get(choice)?)?;
        Some((index, &self.calls[index]))
    }
}

impl LibraryCall {
    /// What it gives back, for a person, if the program looks at that.
    pub(super) fn told(&self) -> Option<String> {
        match self.result.filter(|_| self.is_read)? {
            (Value::Int(0), ScalarType::Pointer) => Some(NULL.to_owned()),
            (Value::Int(number), _) => Some(number.to_string()),
            (Value::Pointer(_), _) => Some("a pointer".to_owned()),
            (Value::Procedure(_), _) => None,
        }
    }
}
