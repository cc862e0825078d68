//! Calls of functions without body that hooks watch.

use wane_grammar::c::ast::Expr as Tree;
use wane_grammar::c::place::Place;

use super::convert::Value;
use super::{Lowered, Lowering};
use crate::hooks::Moment;
use ir::{Callee, Command};

impl Lowering<'_> {
    /// Calls a function without body, and the hooks that watch it. `trees` are the arguments as
    /// written.
    pub(super) fn call_watched(
        &mut self,
        index: usize,
        values: Vec<Value>,
        trees: &[Tree],
        place: Place,
    ) -> Lowered<Value> {
        let name = self.name(self.declared.functions[index].name);
        self.call_hooks((name, Moment::Entry), &values, place);
        let mut given = values.clone();
        let result = self.call_undefined(index, values, trees, place)?;
        given.push(result.clone());
        self.call_hooks((name, Moment::Exit), &given, place);
        Ok(result)
    }

    /// Calls the hooks of a function with these values, or as many of them as a hook takes.
    fn call_hooks(&mut self, (name, moment): (&str, Moment), values: &[Value], place: Place) {
        let hooks: Vec<&str> = self.source.hooks(name, moment).collect();
        for hook in hooks {
            let Some(index) = self.hook_named(hook) else { continue };
            let n_wanted =
                self.declared.functions[index].ty.parameters.as_ref().map_or(0, Vec::len);
            // What stands between the fixed parameters and the result is variable arguments.
            let n_fixed = self.function_named(name).map_or(0, |index| {
                self.declared.functions[index].ty.parameters.as_ref().map_or(0, Vec::len)
            });
            let fixed = values.iter().take(n_fixed.min(n_wanted));
            let result = values.last().filter(|_| n_wanted > n_fixed);
            let arguments = fixed.chain(result).map(|value| value.expr.clone()).collect();
            let callee = Callee::Direct(self.procedure_of(index));
            self.emit(Command::Call { target: None, callee, arguments }, place);
        }
    }

    /// The function of more text for the program that has this name, in whatever file.
    pub(super) fn hook_named(&self, name: &str) -> Option<usize> {
        let symbol = self.source.find(name)?;
        self.declared.functions.iter().position(|it| it.name == symbol && it.definition.is_some())
    }
}
