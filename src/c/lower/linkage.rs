//! Which function a name means for the linker, and what runs before and after `main`.

use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::attributes::Traits;
use super::global::FunctionEntry;
use super::link::Reach;
use super::{Lowered, Lowering};
use crate::types::Type;
use ir::{Callee, Command};

/// How a function is found by the linker.
#[derive(Clone, Debug, Default)]
pub(super) struct Linkage {
    /// What it is another name of.
    pub(super) alias: Option<Symbol>,
    /// Its name for the assembler, where the file gives one.
    pub(super) asm_name: Option<String>,
    /// Whether its address is null if nobody defines it.
    pub(super) weak: bool,
    /// The files that say so.
    weak_in: Vec<usize>,
    /// What is said of it that nobody understands.
    pub(super) obstacle: Option<String>,
    /// Whether it stands inside of another function (GNU C).
    pub(super) is_nested: bool,
}

impl Linkage {
    /// Whether a file says that a function is weak.
    pub(super) fn is_weak_in(&self, file: usize) -> bool {
        self.weak_in.contains(&file)
    }
}

impl FunctionEntry<'_> {
    /// Notes what one more declaration in a file says.
    pub(super) fn note(&mut self, traits: &Traits, file: usize) {
        self.no_return |= traits.no_return;
        self.gift = self.gift.and(traits.gift);
        self.constructor = self.constructor.or(traits.constructor);
        self.destructor = self.destructor.or(traits.destructor);
        self.linkage.alias = self.linkage.alias.or(traits.alias);
        self.linkage.weak |= traits.weak;
        self.linkage.weak_in.extend(traits.weak.then_some(file));
        if self.linkage.asm_name.is_none() {
            self.linkage.asm_name.clone_from(&traits.asm_name);
        }
    }
}

impl Lowering<'_> {
    /// A user's declaration that gives a function a name for the assembler speaks of its file
    /// alone.
    pub(super) fn note_assembler_name(&mut self, index: usize, traits: &Traits, place: Place) {
        let name = self.name(self.declared.functions[index].name);
        let is_other = traits.asm_name.as_ref().is_some_and(|known| known != name);
        if is_other && self.source.n_files() > 1 && self.source.is_users(place) {
            let what = format!("`{name}`, which has another name for the assembler");
            self.declared.functions[index].linkage.obstacle.get_or_insert(what);
        }
    }

    /// The functions that run before `main`, in their order.
    pub(super) fn constructors(&self) -> Vec<usize> {
        let all =
            self.declared.functions.iter().enumerate().filter(|(_, it)| it.definition.is_some());
        let mut found: Vec<(u32, usize)> =
            all.filter_map(|(index, it)| Some((it.constructor?, index))).collect();
        found.sort_by_key(|(priority, index)| {
            (*priority, self.declared.functions[*index].place.start)
        });
        found.into_iter().map(|(_, index)| index).collect()
    }

    /// The functions that run after `main`, in their order: the constructors' order
    /// turned around.
    pub(super) fn destructors(&self) -> Vec<usize> {
        let all =
            self.declared.functions.iter().enumerate().filter(|(_, it)| it.definition.is_some());
        let mut found: Vec<(u32, usize)> =
            all.filter_map(|(index, it)| Some((it.destructor?, index))).collect();
        found.sort_by_key(|(priority, index)| {
            (*priority, self.declared.functions[*index].place.start)
        });
        found.into_iter().rev().map(|(_, index)| index).collect()
    }

    /// What `exit` and the end of `main` call: first what the program has asked for.
    pub(super) fn call_destructors(&mut self, place: Place) -> Lowered<()> {
        self.run_calls("__model_run_exit_calls", place)?;
        self.destructors().iter().for_each(|index| self.call_without_arguments(*index));
        Ok(())
    }

    /// Calls the model that runs what the program has asked for, if it asks for anything.
    pub(super) fn run_calls(&mut self, model: &str, place: Place) -> Lowered<()> {
        if let Some(index) = self.function_named(model) {
            self.call_model(index, "exit", Vec::new(), place)?;
        }
        Ok(())
    }

    pub(super) fn call_without_arguments(&mut self, index: usize) {
        let callee = Callee::Direct(self.procedure_of(index));
        let has_parameters = self.declared.functions[index]
            .ty
            .parameters
            .as_ref()
            .is_some_and(|list| !list.is_empty());
        let place = self.declared.functions[index].place;
        if has_parameters || !matches!(self.declared.functions[index].ty.result, Type::Void) {
            self.unsupported("a constructor or destructor with parameters or a result", place);
            return;
        }
        self.emit(Command::Call { target: None, callee, arguments: Vec::new() }, place);
    }

    /// The function that is called by another one's name: an alias stands for its
    /// target, and a function without body for the one that the assembler knows by
    /// the same name.
    pub(super) fn defined(&self, index: usize) -> usize {
        let function = &self.declared.functions[index];
        let linkage = &function.linkage;
        let is_files_own = linkage.alias.is_some() && self.source.n_files() > 1;
        if function.definition.is_some() || is_files_own || linkage.is_nested {
            return index;
        }
        let wanted = match (linkage.alias, &linkage.asm_name) {
            (Some(target), _) => self.source.name(target),
            (None, Some(name)) => name.as_str(),
            (None, None) => self.source.name(function.name),
        };
        let found = self.declared.functions.iter().position(|other| {
            let own = other.linkage.asm_name.as_deref();
            // The assembler's names are those of a file.
            let is_known = match linkage.alias {
                Some(_) => !other.is_replaceable && other.unit == function.unit,
                None => other.reach == Reach::Program || other.unit == function.unit,
            };
            is_known
                && other.definition.is_some()
                && own.unwrap_or(self.source.name(other.name)) == wanted
        });
        found
            .filter(|found| self.declared.functions[*found].ty == self.declared.functions[index].ty)
            .unwrap_or(index)
    }

    /// Says what keeps a function from being understood, where it is used.
    pub(super) fn report_obstacle(&mut self, index: usize, place: Place) {
        let function = &self.declared.functions[index];
        let name = self.source.name(function.name);
        let is_renamed = |known: &String| known != name && self.source.is_users(function.place);
        let linkage = &function.linkage;
        let what = match &linkage.obstacle {
            Some(what) => what.clone(),
            None if linkage.is_nested => format!("`{name}`, a function inside of a function"),
            // What it stands for is a matter of the file that says so.
            None if linkage.alias.is_some() && self.source.n_files() > 1 => {
                format!("`{name}`, another name of a function")
            }
            None if function.is_replaceable && self.source.is_part() => {
                format!("`{name}`, which another file may define")
            }
            None if function.definition.is_some() => return,
            None if linkage.alias.is_some() => format!("`{name}`, another name of a function"),
            None if linkage.asm_name.as_ref().is_some_and(is_renamed) => {
                format!("`{name}`, which has another name for the assembler")
            }
            None => return,
        };
        self.unsupported(what, place);
    }
}
