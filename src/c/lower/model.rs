//! Calls of library functions that have a model (`src/c/models`).
//!
//! Each call has a copy of the model's procedures of its own, all of whose places are
//! the call's: so an error in a model is shown where the program makes the call.

use std::sync::Arc;

use wane_grammar::c::ast::{Expr as Tree, ExprKind};
use wane_grammar::c::place::Place;

use super::convert::Value;
use super::scope::Entity;
use super::{Lowered, Lowering};
use crate::Threads;
use crate::library::models;
use crate::types::{Function, Type};
use base::source::Span;
use ir::{Callee, InputChange, InputSort, ProcedureId, Shortcut};

/// The call of the program for which a model is lowered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ModelSite {
    /// The function that the program calls.
    pub(super) name: String,
    /// Where it does.
    pub(super) span: Span,
    /// What becomes of the result.
    pub(super) result: Fate,
}

/// An end of a step of several accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionEnd {
    Begin,
    End,
}

/// Whether somebody looks at a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fate {
    Used,
    /// It is zero or it is not: nothing else matters.
    Tested,
    Unused,
}

impl<'a> Lowering<'a> {
    /// The model of a library function, by its name.
    pub(super) fn model_of(&self, name: &str) -> Option<usize> {
        if self.options.threads == Threads::Many
            && let Some(model) = self.thread_model_of(name)
        {
            return Some(model);
        }
        self.function_named(&format!("{}{}", models::MODEL, models::plain_name(name)))
    }

    fn thread_model_of(&self, name: &str) -> Option<usize> {
        self.function_named(&format!("{}{}", models::THREADS, models::plain_name(name)))
    }

    /// What follows is one step of its thread, or is no more.
    pub(super) fn mark_section(&mut self, end: SectionEnd, place: Place) -> Lowered<()> {
        if self.options.threads == Threads::One {
            return Ok(());
        }
        let name = models::SECTION[end as usize];
        if let Some(index) = self.function_named(name) {
            self.call_model(index, name, Vec::new(), place)?;
        }
        Ok(())
    }

    /// The function of exactly this name.
    pub(super) fn function_named(&self, name: &str) -> Option<usize> {
        match self.scopes.file_entity(self.source.find(name)?) {
            Some(Entity::Function(index)) => Some(*index),
            _ => None,
        }
    }

    /// Calls a function of the models for the function `name` of the program.
    pub(super) fn call_model(
        &mut self,
        index: usize,
        name: &str,
        values: Vec<Value>,
        place: Place,
    ) -> Lowered<Value> {
        let site = match &self.models.site {
            Some(site) => {
                let is_tested = site.result == Fate::Tested && name.starts_with(models::HELPER);
                if is_tested && name == models::NONZERO {
                    return Ok(Value::new(Type::INT, 1));
                }
                let result = if is_tested { Fate::Tested } else { Fate::Used };
                Arc::new(ModelSite { result, ..(**site).clone() })
            }
            None => {
                let own = self.name(self.declared.functions[index].name);
                let result = match Some(place) {
                    _ if is_part(own) => Fate::Used,
                    unused if unused == self.context.unused => Fate::Unused,
                    tested if tested == self.context.tested => Fate::Tested,
                    _ => Fate::Used,
                };
                let name = models::plain_name(name).to_owned();
                Arc::new(ModelSite { name, span: self.span(place), result })
            }
        };
        let ty = Arc::clone(&self.declared.functions[index].ty);
        let values = self.as_parameters(&ty, values, place)?;
        let callee = Callee::Direct(self.model_procedure(index, site));
        self.emit_call(callee, &ty, values, place)
    }

    fn as_parameters(
        &mut self,
        ty: &Function,
        values: Vec<Value>,
        place: Place,
    ) -> Lowered<Vec<Value>> {
        let formals = ty.parameters.iter().flatten();
        values
            .into_iter()
            .zip(formals)
            .map(|(value, formal)| match (&value.ty, formal) {
                // The address of a list of arguments is passed as it is.
                (Type::VaList, _) => Ok(value),
                _ => self.convert(value, formal, place),
            })
            .collect()
    }

    /// The copy of a function of the models for one call of the program.
    fn model_procedure(&mut self, index: usize, site: Arc<ModelSite>) -> ProcedureId {
        let key = (index, Arc::clone(&site));
        if let Some(known) = self.models.procedures.get(&key) {
            return *known;
        }
        let own = self.name(self.declared.functions[index].name);
        let kinds = [models::MODEL, models::THREADS];
        let shown = kinds.iter().find_map(|kind| own.strip_prefix(kind)).unwrap_or(&site.name);
        let name = format!("{shown}${}", self.parts.procedures.len());
        let procedure = self.parts.procedure(&name, site.span);
        self.models.procedures.insert(key, procedure);
        self.models.waiting.push((index, Arc::clone(&site), procedure));
        let summary = models::summary_of(own).and_then(|name| self.function_named(&name));
        let shortcut = match summary {
            Some(summary) => Some(Shortcut::Summary(self.model_procedure(summary, site))),
            None => shortcut(own),
        };
        self.parts.procedures[procedure.index()].shortcut = shortcut;
        procedure
    }

    /// Lowers a model for one call.
    pub(super) fn lower_model(
        &mut self,
        index: usize,
        site: Arc<ModelSite>,
        procedure: ProcedureId,
    ) -> Lowered<()> {
        let outer = self.models.site.replace(site);
        let result = self.lower_into(index, procedure);
        self.models.site = outer;
        result
    }

    /// Whether an expression only makes up a result that nobody looks at.
    pub(super) fn is_needless_result(&self, tree: &Tree) -> bool {
        let is_unused = self.models.site.as_ref().is_some_and(|site| site.result == Fate::Unused);
        let is_result = match &tree.kind {
            ExprKind::Call(callee, arguments) => {
                let has_no_calls =
                    arguments.iter().all(|it| !matches!(it.kind, ExprKind::Call(..)));
                matches!(callee.kind, ExprKind::Name(name)
                    if self.name(name).strip_prefix(models::HELPER).is_some_and(|name|
                        name.starts_with("result_") && name != "result_status"
                            || name.starts_with("unknown_")))
                    && has_no_calls
            }
            _ => false,
        };
        is_unused && is_result
    }
}

/// Whether a function of the models does a part of what a call does: what it gives decides what
/// happens next, whatever becomes of the result of the call.
fn is_part(name: &str) -> bool {
    name.strip_prefix(models::HELPER).is_some_and(|name| !name.starts_with("result_"))
}

/// What is known of calls of a function of the models.
fn shortcut(name: &str) -> Option<Shortcut> {
    match name.strip_prefix(models::MODEL).or_else(|| name.strip_prefix(models::HELPER))? {
        "strlen" | "strnlen" => Some(Shortcut::StringLength { width: 1 }),
        "wcslen" => Some(Shortcut::StringLength { width: 4 }),
        "stream_begun" => Some(Shortcut::Input(InputSort::Streams, InputChange::Begun)),
        "stream_less" => Some(Shortcut::Input(InputSort::Streams, InputChange::Less)),
        "stream_more" => Some(Shortcut::Input(InputSort::Streams, InputChange::More)),
        "folder_begun" => Some(Shortcut::Input(InputSort::Folders, InputChange::Begun)),
        "folder_less" => Some(Shortcut::Input(InputSort::Folders, InputChange::Less)),
        "text_begun" => Some(Shortcut::Input(InputSort::Texts, InputChange::Begun)),
        "text_less" => Some(Shortcut::Input(InputSort::Texts, InputChange::Less)),
        "option_begun" => Some(Shortcut::Input(InputSort::Options, InputChange::Begun)),
        "option_less" => Some(Shortcut::Input(InputSort::Options, InputChange::Less)),
        _ => None,
    }
}
