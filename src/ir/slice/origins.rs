//! Which objects pointers may lead to, as far as the program makes them itself (Andersen, *Program
//! analysis and specialization for the C programming language*, 1994, without what memory holds).
//!
//! ```text
//!   p, q: only to objects made at some places    no place for both
//!   ────────────────────────────────────────────────────────────── APART
//!   an access at p + i and one at q + j are of different objects
//!
//!   p: only to objects made at some places    no address of these is stored, kept as a number, or
//!   q: to any                                 handed to what is not known
//!   ────────────────────────────────────────────────────────────── HIDDEN
//!   an access at p + i and one at q + j are of different objects
//! ```
//!
//! What C does not define is none: no address is moved from one object to another.

use super::cells::HELD;
use super::definitions::comes_in;
use crate::cutpoint::CallGraph;
use crate::{
    Callee, Command, Expr, HavocSource, Instruction, ProcedureId, Program, ScalarType, Terminator,
    Variable,
};
use std::collections::BTreeSet;

/// Objects, by the variables that get their addresses when they are made.
type Sites = BTreeSet<Variable>;

/// Where pointers lead.
pub(super) struct Origins {
    /// By variable, and by procedure of its result; nothing where it may be anywhere.
    of: Vec<Option<Sites>>,
    /// Those that only variables lead to.
    hidden: Sites,
    /// Those whose variables never lead anywhere else.
    named: Sites,
}

impl Origins {
    pub(super) fn of(program: &Program) -> Self {
        let flows = Flows::of(program);
        let of = flows.solved();
        let hidden = if flows.has_wild { Sites::new() } else { flows.hidden(&of) };
        Self { of, hidden, named: flows.named }
    }

    /// Whether what lies where the one leads is never where the other one does.
    pub(super) fn are_apart(&self, one: Variable, other: Variable) -> bool {
        match (self.made(one), self.made(other)) {
            (Some(one), Some(other)) => one.is_disjoint(other),
            (Some(known), None) | (None, Some(known)) => known.is_subset(&self.hidden),
            (None, None) => false,
        }
    }

    /// Whether a variable always leads to the start of the object that was made for it.
    pub(super) fn is_named(&self, variable: Variable) -> bool {
        self.named.contains(&variable)
    }

    /// The objects that a pointer leads to, if the program makes all of them.
    pub(super) fn made(&self, pointer: Variable) -> Option<&BTreeSet<Variable>> {
        // What was never given a value may have got one unseen.
        self.of.get(pointer.index())?.as_ref().filter(|it| !it.is_empty())
    }
}

/// How addresses flow.
struct Flows<'a> {
    program: &'a Program,
    /// From variables and results of procedures to others.
    edges: Vec<(usize, usize)>,
    /// To what an object is made, and the name of that.
    made: Vec<(usize, Variable)>,
    /// What may be anything.
    any: BTreeSet<usize>,
    /// The variables whose values others may come to know.
    shown: BTreeSet<Variable>,
    /// Whether pointers come from what is not known.
    has_wild: bool,
    /// Those to which an object is made, and nothing else.
    named: Sites,
}

impl<'a> Flows<'a> {
    fn of(program: &'a Program) -> Self {
        let (edges, made, any, shown) = (Vec::new(), Vec::new(), BTreeSet::new(), BTreeSet::new());
        let named = Sites::new();
        let mut flows = Self { program, edges, made, any, shown, has_wild: false, named };
        let calls = CallGraph::of_program(program);
        let callbacks = program.open.iter().flat_map(|it| &it.callbacks);
        for id in calls.address_taken().iter().chain(callbacks) {
            flows.any.extend(program.procedure(*id).parameters.iter().map(|it| it.index()));
        }
        for (index, procedure) in program.procedures.iter().enumerate() {
            for block in &procedure.blocks {
                for Instruction { command, .. } in &block.commands {
                    flows.command(command);
                    // What comes in was there before all that is made.
                    flows.has_wild |= index != program.entry.index() && flows.is_wild(command);
                }
                if let Terminator::Return(Some(value)) = &block.terminator {
                    flows.flow(value, flows.result(ProcedureId::at(index)));
                    if procedure.result != Some(ScalarType::Pointer) {
                        flows.show(value);
                    }
                }
            }
        }
        let others: BTreeSet<usize> = flows.edges.iter().map(|it| it.1).collect();
        let is_named =
            |it: &Variable| !others.contains(&it.index()) && !flows.any.contains(&it.index());
        flows.named = flows.made.iter().map(|it| it.1).filter(is_named).collect();
        let variables = (0..program.variables.len()).map(Variable::at);
        let from_callers = variables.filter(|it| comes_in(program, *it));
        flows.any.extend(from_callers.map(Variable::index));
        flows
    }

    fn result(&self, id: ProcedureId) -> usize {
        self.program.variables.len() + id.index()
    }

    fn is_pointer(&self, variable: Variable) -> bool {
        self.program.variable(variable).ty == ScalarType::Pointer
    }

    /// Whether a command gives a pointer that what is not known may have kept.
    fn is_wild(&self, command: &Command) -> bool {
        match command {
            Command::Havoc { target, source } => {
                let is_held = matches!(source, HavocSource::Approximation(it) if it == HELD);
                self.is_pointer(*target) && *source != HavocSource::Uninitialised && !is_held
            }
            _ => false,
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Assign { target, value } => self.give(*target, value),
            Command::Allocate { target, size, .. } => {
                self.show(size);
                self.made.push((target.index(), *target));
            }
            Command::Call { target, callee, arguments } => {
                self.call(*target, callee, arguments);
            }
            Command::Havoc { target, .. }
            | Command::Load { target, .. }
            | Command::Measure { target, .. } => {
                self.any.insert(target.index());
            }
            Command::Store { value, .. } => self.show(value),
            Command::Unsupported { .. } => command.expressions().for_each(|it| self.show(it)),
            Command::Free { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Assume { .. }
            | Command::Error { .. } => {}
        }
    }

    fn call(&mut self, target: Option<Variable>, callee: &Callee, arguments: &[Expr]) {
        let Callee::Direct(callee) = callee else {
            arguments.iter().for_each(|it| self.show(it));
            self.any.extend(target.map(Variable::index));
            return;
        };
        let program = self.program;
        for id in program.entered(*callee) {
            let procedure = program.procedure(id);
            for (index, argument) in arguments.iter().enumerate() {
                match procedure.parameters.get(index) {
                    Some(parameter) if procedure.is_defined() => self.give(*parameter, argument),
                    _ => self.show(argument),
                }
            }
            let Some(target) = target else { continue };
            if procedure.is_defined() {
                self.edges.push((self.result(id), target.index()));
            } else {
                self.any.insert(target.index());
            }
        }
    }

    /// A variable gets a value. Others know what numbers and globals hold.
    fn give(&mut self, target: Variable, value: &Expr) {
        self.flow(value, target.index());
        if !self.is_pointer(target) || self.program.variable(target).owner.is_none() {
            self.show(value);
        }
    }

    fn flow(&mut self, value: &Expr, to: usize) {
        let pointers: Vec<Variable> = value.variables().filter(|it| self.is_pointer(*it)).collect();
        if pointers.is_empty() && *value != Expr::Constant(0) {
            self.any.insert(to);
        }
        self.edges.extend(pointers.into_iter().map(|it| (it.index(), to)));
    }

    fn show(&mut self, value: &Expr) {
        self.shown.extend(value.variables());
    }

    /// The objects to which only variables lead of which all is known.
    fn hidden(&self, of: &[Option<Sites>]) -> Sites {
        let is_any = |node: usize| of[node].is_none();
        let mut hidden: Sites = self.made.iter().map(|(_, site)| *site).collect();
        for (_, site) in self.made.iter().filter(|it| is_any(it.0)) {
            hidden.remove(site);
        }
        let shown = self.shown.iter().map(|it| it.index());
        let lost = self.edges.iter().filter(|it| is_any(it.1)).map(|it| it.0);
        for site in shown.chain(lost).flat_map(|node| of[node].iter().flatten()) {
            hidden.remove(site);
        }
        hidden
    }

    /// By variable, and by procedure of its result.
    fn solved(&self) -> Vec<Option<Sites>> {
        let n_nodes = self.program.variables.len() + self.program.procedures.len();
        let mut of = vec![Some(Sites::new()); n_nodes];
        for (to, site) in &self.made {
            of[*to].get_or_insert_default().insert(*site);
        }
        for any in &self.any {
            of[*any] = None;
        }
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for (from, to) in &self.edges {
                if from == to || of[*to].is_none() {
                    continue;
                }
                match of[*from].clone() {
                    None => (of[*to], is_changed) = (None, true),
                    Some(sites) => {
                        let known = of[*to].get_or_insert_default();
                        let n_before = known.len();
                        known.extend(sites);
                        is_changed |= known.len() > n_before;
                    }
                }
            }
        }
        of
    }
}

#[cfg(test)]
mod tests {
    use super::Origins;
    use crate::{ProcedureId, text};

    /// Whether what two pointers of a function lead to is never the same.
    fn are_apart(body: &str, [one, other]: [&str; 2]) -> bool {
        let text = format!(
            "global kept: ptr
            procedure same(x: ptr) -> ptr {{ b: return x }}
            procedure f(p: ptr) {{
              local a: ptr, b: ptr, q: ptr, n: i64
            s:
              a := allocate stack 8
              b := allocate stack 8
              {body}
              return
            }}
            procedure main() {{ s: halt }} entry main"
        );
        let program = text::parse("origins.goto", &text).unwrap().program;
        let program = program.opened_at(ProcedureId(1));
        let variable = |name: &str| {
            let is_named = |it: &crate::VariableInfo| it.name == name;
            crate::Variable::at(program.variables.iter().position(is_named).unwrap())
        };
        Origins::of(&program).are_apart(variable(one), variable(other))
    }

    #[test]
    fn what_is_made_is_apart_from_what_else_is_made_or_comes_in() {
        assert!(are_apart("", ["a", "b"]));
        assert!(are_apart("", ["a", "p"]));
        assert!(are_apart("q := a + 4", ["q", "b"]));
        assert!(are_apart("q := call same(a)", ["q", "b"]));
        // What memory holds is none of what is nowhere in memory.
        assert!(are_apart("q := [p : ptr]", ["q", "a"]));
        // Not the same way round each time.
        assert!(!are_apart("q := a q := b", ["q", "b"]));
        assert!(!are_apart("q := call same(a) q := call same(b)", ["q", "b"]));
        assert!(!are_apart("q := a q := p", ["q", "p"]));
        assert!(!are_apart("q := a q := p", ["q", "a"]));
        assert!(!are_apart("q := call same(a) q := call same(p)", ["q", "a"]));
        assert!(are_apart("q := a q := p", ["q", "b"]));
    }

    #[test]
    fn what_others_know_of_may_be_where_any_pointer_leads() {
        for shows in
            ["[p : ptr] := a", "kept := a", "n := a", "clobber a \"others\"", "call *(p)(a)"]
        {
            let body = format!("{shows} q := [p : ptr]");
            assert!(!are_apart(&body, ["q", "a"]), "{shows}");
            assert!(are_apart(&body, ["a", "b"]), "{shows}");
        }
        assert!(!are_apart("q := arbitrary \"outside\"", ["q", "a"]));
    }
}
