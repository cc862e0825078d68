//! Variables of the library to which its functions give values.

use wane_grammar::c::place::Place;

use super::scope::Home;
use super::{Lowered, Lowering};
use crate::library::{self, models};
use ir::{Command, HavocSource};

impl Lowering<'_> {
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

    /// A function of the library may give its variables new values.
    pub(super) fn disturb_variables(&mut self, name: &str, place: Place) {
        let changed = library::variables_changed_by(models::plain_name(name));
        for index in 0..self.declared.globals.len() {
            let global = &self.declared.globals[index];
            let is_changed = !global.is_defined && changed.contains(&self.name(global.name));
            if is_changed && let Home::Register(target) = self.home_of_global(index) {
                let source = HavocSource::Approximation(name.to_owned());
                self.emit(Command::Havoc { target, source }, place);
            }
        }
    }
}
