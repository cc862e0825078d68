//! Who sees `errno`, for the order of evaluation: nearly every function of the library may set
//! it, and hardly any program could tell which of two did so last. And what calls leave there.

use wane_grammar::c::ast::{Expr, ExprKind};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::effects::Cell;
use super::{Lowered, Lowering};
use crate::library::models;

/// What the C library calls, and its model, to find `errno`.
const LOCATION: &str = "__errno_location";
const MODEL_LOCATION: &str = "__wane___errno_location";
/// What the models keep of it (`models/errno.c`).
const VARIABLES: [&str; 2] = ["__model_errno_cell", "__model_errno_is_old"];

/// `errno`, where a program mentions it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Errno {
    locations: [Option<Symbol>; 2],
    variables: [Option<Symbol>; 2],
    /// What it is to the program: nothing, if it never looks; or memory, if it may have a pointer
    /// to it.
    pub(super) cell: Option<Cell>,
}

impl Errno {
    /// Whether this is a call that yields the address of `errno`.
    pub(super) fn is_location(&self, expr: &Expr) -> bool {
        let ExprKind::Call(callee, _) = &expr.kind else { return false };
        matches!(callee.kind, ExprKind::Name(name) if self.locations.contains(&Some(name)))
    }

    /// Whether a variable is of the models and holds `errno`.
    pub(super) fn is_held_by(&self, name: Symbol) -> bool {
        self.variables.contains(&Some(name))
    }
}

impl Lowering<'_> {
    /// `errno` as this program sees it.
    pub(super) fn errno(&self) -> Errno {
        let locations = [LOCATION, MODEL_LOCATION].map(|it| self.source.find(it));
        let variables = VARIABLES.map(|it| self.source.find(it));
        let cell = locations[0].and_then(|location| {
            if self.taken.is_used_whole(location) {
                Some(Cell::Memory)
            } else {
                self.taken.is_dereferenced(location).then_some(Cell::Errno)
            }
        });
        Errno { locations, variables, cell }
    }

    /// A function of the library may leave any number in `errno`, where the program looks.
    pub(super) fn disturb_errno(&mut self, name: &str, place: Place) -> Lowered<()> {
        let disturb = self.function_named("__model_disturb");
        if let (Some(disturb), None, true) =
            (disturb, &self.models.site, models::may_set_errno(name))
        {
            self.call_model(disturb, name, Vec::new(), place)?;
        }
        Ok(())
    }
}
