//! State machines: programs with variables that say where they are, such as the `state` of
//! `switch (state)` in a loop.
//!
//! Two things follow from what such a *control variable* holds. States in which it holds different
//! constants are not joined: they are states of different places of the machine. And what will be
//! read depends on it:
//!
//! ```text
//!   for (;;) switch (state) {                 where state = 1, p is dead: each way that is
//!     case 1: p = malloc(8); state = 2;       open from there writes p before it is read
//!     case 2: free(p); state = 1;
//!   }
//! ```
//!
//! Where that is so, what the variable holds is forgotten, and so are pointers in memory that no
//! variable which holds their block is used to read (as in [`heap_liveness`](crate::heap_liveness)). Both
//! are guesses: nothing that is said of the program depends on them.

mod effects;
mod graph;
mod variables;

use crate::Machine;
use crate::heap_liveness::{Field, Use, all_reached, forget_pointer, use_of};
use base::dataflow::backward;
use effects::Effects;
use evidence::place::Place;
use graph::{Ending, Graph, Stretch};
use heap::Atom;
use heap::state::{Kind, State};
use ir::{Command, Program, ScalarType, Terminator, Variable};
use logic::Integer;
use rules::arbitrary::any_of_type;
use std::collections::BTreeSet;

/// The control variables of a program, and what they say of its ways.
#[derive(Debug)]
pub(crate) struct Control {
    graph: Graph,
    /// The variables that may be read before they are written, for each point.
    live: Vec<BTreeSet<Variable>>,
}

impl Control {
    /// Those of the program, if it has any.
    pub(crate) fn of(machine: &Machine<'_>) -> Option<Self> {
        let variables = variables::control_variables(machine.program);
        if variables.is_empty() {
            return None;
        }
        let effects = Effects::of(machine.program);
        let graph = Graph::of(machine, &effects, variables)?;
        let live = live(machine, &effects, &graph);
        Some(Self { graph, live })
    }

    /// The control variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.graph.variables.iter().copied()
    }

    /// Forgets what no way from the place reads whose control variables hold what they do in the
    /// state.
    pub(crate) fn forget(&self, machine: &Machine<'_>, state: &mut State, place: &Place) {
        let points: Vec<usize> = {
            let value = |variable| known(state, variable);
            self.graph.at(place, &value).collect()
        };
        if points.is_empty() {
            return;
        }
        self.forget_variables(machine, state, &points);
        for atom in 0..state.heap.atoms.len() {
            let Atom::Block(block) = &state.heap.atoms[atom] else { continue };
            let is_address = |cell: usize| {
                let cell = &block.cells[cell];
                cell.ty == ScalarType::Pointer
                    && cell.value.variables().any(|v| state.vocabulary.kind(v) == Kind::Address)
            };
            let unread: Vec<usize> = (0..block.cells.len())
                .filter(|cell| {
                    is_address(*cell) && self.is_unread(machine, state, (atom, *cell), &points)
                })
                .collect();
            for cell in unread {
                forget_pointer(state, atom, cell);
            }
        }
    }

    /// Forgets the values of dead variables, but for those that alone lead to some memory.
    fn forget_variables(&self, machine: &Machine<'_>, state: &mut State, points: &[usize]) {
        let is_live = |it: &Variable| points.iter().any(|point| self.live[*point].contains(it));
        let before = all_reached(state);
        for store in 0..state.stores.len() {
            for index in 0..state.stores[store].len() {
                let (variable, value) = state.stores[store][index].clone();
                let is_own = variable.index() < machine.program.variables.len();
                if !is_own || is_live(&variable) || self.graph.variables.contains(&variable) {
                    continue;
                }
                let ty = machine.type_of(variable);
                state.stores[store][index].1 = any_of_type(state, ty);
                if all_reached(state) != before {
                    state.stores[store][index].1 = value;
                }
            }
        }
    }

    /// Whether variables alone hold a block, and none of them is used to read a cell of it.
    fn is_unread(
        &self,
        machine: &Machine<'_>,
        state: &State,
        (atom, cell): (usize, usize),
        points: &[usize],
    ) -> bool {
        let Atom::Block(block) = &state.heap.atoms[atom] else { return false };
        let mut in_memory = state.heap.atoms.iter().flat_map(|it| it.targets(state));
        if in_memory.any(|it| it == block.base) {
            return false;
        }
        let mut is_held = false;
        for (variable, value) in state.stores.iter().flatten() {
            let start = value.sub(&block.base.into());
            let Some(start) = start.as_constant().and_then(Integer::to_i128) else { continue };
            let bytes = i128::from(machine.program.pointer_bytes);
            let offset = i128::from(block.cells[cell].offset) - start;
            is_held = true;
            if self.may_read(machine, Field { variable: *variable, offset, bytes }, points) {
                return false;
            }
        }
        is_held
    }

    /// Whether a way from one of these points reads a field through its variable, or takes its
    /// address elsewhere.
    fn may_read(&self, machine: &Machine<'_>, field: Field, points: &[usize]) -> bool {
        let mut seen: BTreeSet<usize> = points.iter().copied().collect();
        let mut open: Vec<usize> = points.to_vec();
        while let Some(point) = open.pop() {
            let stretch = &self.graph.stretches[point];
            match fate(machine, field, stretch) {
                Use::Read => return true,
                Use::Written | Use::Lost => {}
                Use::None => {
                    open.extend(stretch.next.iter().copied().filter(|it| seen.insert(*it)));
                }
            }
        }
        false
    }
}

/// What a stretch of commands does to a field first.
fn fate(machine: &Machine<'_>, field: Field, stretch: &Stretch) -> Use {
    let block = machine.program.procedure(stretch.from.procedure).block(stretch.from.block);
    let commands = &block.commands[stretch.from.command..stretch.end];
    let (call, plain) = match stretch.ending {
        Ending::Call => commands.split_last().map_or((None, commands), |(a, b)| (Some(a), b)),
        Ending::Block | Ending::Return(_) => (None, commands),
    };
    let mut uses = plain.iter().map(|it| use_of(machine, field, &it.command, 0));
    if let Some(found) = uses.find(|it| !matches!(it, Use::None)) {
        return found;
    }
    if let Some(call) = call {
        let mut is_passed = false;
        call.command.expressions().for_each(|it| is_passed |= it.mentions(field.variable));
        return if is_passed { Use::Read } else { Use::None };
    }
    match (&block.terminator, stretch.ending) {
        (Terminator::Return(Some(value)), _) if value.mentions(field.variable) => Use::Read,
        (_, Ending::Return(Some(target))) if target == field.variable => Use::Lost,
        _ => Use::None,
    }
}

/// The constant that a variable is known to hold.
fn known(state: &State, variable: Variable) -> Option<i128> {
    let mut stores = (0..state.stores.len()).rev();
    let value = stores.find_map(|store| state.value_in(store, variable))?;
    let constant = match value.as_constant() {
        Some(constant) => Some(constant.clone()),
        None => state.facts.numbers.implied_constant(value.as_var()?),
    };
    constant?.to_i128()
}

/// The variables that may be read before they are written, for each point of a graph.
fn live(machine: &Machine<'_>, effects: &Effects, graph: &Graph) -> Vec<BTreeSet<Variable>> {
    let nexts: Vec<Vec<usize>> = graph.stretches.iter().map(|it| it.next.clone()).collect();
    backward(&nexts, |point, behind| {
        flow_over(machine.program, effects, &graph.stretches[point], behind.clone())
    })
}

/// What is live before a stretch of commands if this is so behind it.
fn flow_over(
    program: &Program,
    effects: &Effects,
    stretch: &Stretch,
    mut live: BTreeSet<Variable>,
) -> BTreeSet<Variable> {
    let block = program.procedure(stretch.from.procedure).block(stretch.from.block);
    if let Ending::Return(Some(target)) = stretch.ending {
        live.remove(&target);
    }
    if stretch.ending != Ending::Call
        && stretch.end == block.commands.len()
        && let Some(expr) = block.terminator.expression()
    {
        live.extend(expr.variables());
    }
    let commands = &block.commands[stretch.from.command..stretch.end];
    for (index, instruction) in commands.iter().enumerate().rev() {
        let command = &instruction.command;
        let is_followed = stretch.ending == Ending::Call && index + 1 == commands.len();
        // The result of a call that is followed comes with its return.
        if let Some(target) = command.target().filter(|_| !is_followed) {
            live.remove(&target);
        }
        if let Command::Call { callee, .. } = command
            && !is_followed
        {
            live.extend(effects.of_call(program, callee));
        }
        live.extend(command.variables_read());
    }
    live
}

#[cfg(test)]
mod tests {
    use super::{Control, Field};
    use crate::Machine;
    use evidence::place::{Place, Site};
    use heap::shape::ShapeLibrary;
    use ir::text::parse;
    use ir::{BlockId, Variable};
    use obligation::{Goal, Obligation};

    const TEXT: &str = "
global at: i32
global p: ptr
global q: ptr
procedure main() {
b0:
  at := 1
  goto b1
b1:
  call step()
  goto b1
}

procedure step() {
  local old: i32
b0:
  old := at
  at := at + 1
  switch old { 1 => b1, 2 => b2, 3 => b3, else => b4 }
b1:
  p := allocate heap 16
  return
b2:
  [p + 8 : ptr] := q
  return
b3:
  q := [p + 8 : ptr]
  free heap p
  at := 1
  return
b4:
  q := 0
  return
}

entry main
";

    #[test]
    fn what_is_dead_depends_on_the_state() {
        let program = parse("stages.goto", TEXT).expect("a program").program;
        let library = ShapeLibrary::builtin().expect("shapes");
        let obligation = Obligation::new(&program, Goal::Ends);
        let machine = Machine::new(&obligation, &library);
        let control = Control::of(&machine).expect("control variables");
        let place = Place {
            entry: None,
            sites: [Site { procedure: program.entry, block: BlockId(1), command: 0 }]
                .into_iter()
                .collect(),
        };
        let [p, q] = [Variable(1), Variable(2)];
        let link = Field { variable: p, offset: 8, bytes: 8 };
        let fate = |at: i128| {
            let value = |it: Variable| (it == Variable(0)).then_some(at);
            let points: Vec<usize> = control.graph.at(&place, &value).collect();
            let is_live = |it| points.iter().any(|point| control.live[*point].contains(&it));
            (is_live(p), is_live(q), control.may_read(&machine, link, &points))
        };
        assert_eq!(fate(1), (false, true, false), "`p` is written first");
        assert_eq!(fate(2), (true, true, false), "what it points at is written first");
        assert_eq!(fate(3), (true, false, true), "`q` is written first");
        assert_eq!(fate(4), (false, false, false), "no run comes there");
    }
}
