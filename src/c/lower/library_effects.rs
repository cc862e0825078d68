//! What calls of functions without body may do, for the order of evaluation.

use super::Lowering;
use super::atomic::Atomic;
use super::builtin::Checked;
use super::effects::{Cell, Touched};
use crate::library::{self, Model, models};

impl Lowering<'_> {
    /// What a call of a function without body does.
    pub(super) fn touched_by_library(&self, name: &str) -> Touched {
        let mut touched = Touched::default();
        let memory = [Cell::Memory];
        if Atomic::of(name).is_some() || Checked::of(name).is_some() {
            touched.own.reads.extend(memory);
            touched.own.writes.extend(memory);
            touched.calls.may_fail = true;
            return touched;
        }
        // Their models are those of functions that may store where a number ends.
        if let "atoi" | "atol" | "atoll" = models::plain_name(name) {
            touched.own.reads.extend(memory);
            touched.own.writes.extend(self.errno().cell);
            touched.calls.may_fail = true;
            return touched;
        }
        // Their models write to nothing that was there before.
        if let "strdup" | "strndup" = models::plain_name(name) {
            touched.own.reads.extend(memory);
            touched.own.writes.extend(self.errno().cell);
            touched.calls.may_fail = true;
            return touched;
        }
        let disturb = models::may_set_errno(name).then(|| "__model_disturb".to_owned());
        let optional = models::optional(name);
        let is_optional = optional.is_some();
        let helpers = disturb.into_iter().chain(optional);
        let helpers = helpers.filter_map(|helper| self.source.find(&helper));
        touched
            .calls
            .named
            .extend(helpers.filter(|helper| self.scopes.file_entity(*helper).is_some()));
        if is_optional {
            return touched;
        }
        match library::model(name) {
            // No run is followed that comes there.
            Some(Model::Unsupported | Model::Undefined) if models::is_of_models(name) => {}
            Some(model) => touch_by_model(&mut touched, model),
            None => {
                let model = format!("{}{}", models::MODEL, models::plain_name(name));
                let stand_in = self.source.find(&model);
                match stand_in.filter(|it| self.scopes.file_entity(*it).is_some()) {
                    Some(stand_in) => drop(touched.calls.named.insert(stand_in)),
                    None => {
                        touched.calls.foreign = true;
                        touched.calls.has_input = true;
                    }
                }
            }
        }
        touched
    }
}

/// Adds what the model of a function does.
fn touch_by_model(touched: &mut Touched, model: Model) {
    let memory = [Cell::Memory];
    match model {
        // Memory that nobody frees is an error, too.
        Model::Allocate
        | Model::AllocateZeroed
        | Model::AllocateOnStack
        | Model::AllocateForEver => touched.calls.may_fail = true,
        Model::Input | Model::Rounds | Model::Guess => touched.calls.has_input = true,
        Model::Assume
        | Model::Nothing
        | Model::Step
        | Model::First
        | Model::Absolute
        | Model::Awaits
        | Model::Zero => {}
        Model::Halt | Model::Error | Model::Assert | Model::Undefined => {
            touched.calls.may_end = true;
            touched.calls.may_fail = true;
        }
        Model::PrintAndExit => {
            touched.own.reads.extend(memory);
            touched.calls.may_end = true;
            touched.calls.may_fail = true;
        }
        Model::Reallocate
        | Model::Free
        | Model::BeginStream
        | Model::EndStream
        | Model::Fill
        | Model::Copy
        | Model::CopyApart
        | Model::Seal
        | Model::Print(..)
        | Model::Scan(..) => {
            touched.own.reads.extend(memory);
            touched.own.writes.extend(memory);
            touched.calls.may_fail = true;
            touched.calls.has_input = true;
        }
        Model::Clobber | Model::Unsupported => {
            touched.calls.anything = true;
            touched.calls.may_fail = true;
        }
    }
}
