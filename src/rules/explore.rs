//! The transition relation from cutpoint to cutpoint (CAV'06 Fig. 4).

mod call;
mod sides;
mod sort;

use super::constants::result_of_constants;
use super::eval::{Context, Missing};
use super::execute::leave_frame;
use super::forgetting::{forget, forget_dead, tidy};
use super::joins::{Entered, Joins};
use super::semantics::{DeadVariables, Semantics};
use super::summary::CallSplit;
use base::budget::{Budget, Exhausted};
use evidence::alarm::{Alarm, AlarmKind};
use evidence::place::{NodeId, Place, PlaceKey, Site};
use heap::code;
use heap::state::{Junk, State, Store};
use ir::{BlockId, Command, Expr, ProcedureId, Shortcut, Terminator, Variable};
use logic::{Integer, LinearExpr};
use std::collections::{BTreeMap, BTreeSet};

/// So many states stay apart where paths meet.
pub const MAX_APART: usize = 6;

/// What comes of running on from a state.
#[derive(Debug, Default)]
pub struct Exploration {
    /// The states in which cutpoints are reached, not yet abstracted.
    pub arrivals: Vec<Arrival>,
    /// The recursive procedures that were called.
    pub called: BTreeSet<ProcedureId>,
    /// What may go wrong on the way.
    pub alarms: Vec<Alarm>,
    /// What is taken for granted not to.
    pub assumed: Vec<Alarm>,
    /// The memory without which it does.
    pub missing: Vec<Missing>,
}

/// A state in which a cutpoint is reached.
#[derive(Debug)]
pub struct Arrival {
    /// Which cutpoint: the head of a loop, the start of a recursive procedure
    /// that is called, or the end of one that returns.
    pub place: Place,
    /// The state.
    pub state: State,
    /// For a call, the entry state whose exits stood for the call's return, and
    /// what its variables were bound to. `None` for a call that was not
    /// followed: no entry state describes it yet.
    pub callee: Option<Entered>,
    /// Where the call is, for a call.
    pub call: Option<Site>,
}

/// Runs on from a state until each path reaches a cutpoint or ends: `SONAR`
/// without abstraction. At least one command or terminator is executed. What the
/// rules leave open, the joins decides.
///
/// # Errors
/// When the budget runs out.
pub fn explore(
    machine: &Semantics<'_>,
    joins: &mut dyn Joins<'_>,
    place: &Place,
    state: State,
    budget: &mut Budget,
) -> Result<Exploration, Exhausted> {
    let mut explorer = Explorer {
        context: Context::new(machine),
        joins,
        open: BTreeMap::new(),
        arrivals: Vec::new(),
        called: BTreeSet::new(),
    };
    explorer.push(place.clone(), state);
    while let Some((_, (place, states))) = explorer.open.pop_first() {
        let is_behind_call = place.site().is_none_or(|site| site.command > 0);
        let meets = states.len() > if is_behind_call { MAX_APART } else { 1 };
        let states = if meets { explorer.merged(&place, states, budget)? } else { states };
        for state in states {
            explorer.run_block(&place, state, budget)?;
        }
    }
    let Explorer { context: Context { alarms, assumed, missing, .. }, arrivals, called, .. } =
        explorer;
    let (alarms, assumed) = (in_order(alarms), in_order(assumed));
    Ok(Exploration { arrivals, called, alarms, assumed, missing })
}

fn in_order(mut alarms: Vec<Alarm>) -> Vec<Alarm> {
    alarms.sort();
    alarms.dedup();
    alarms
}

struct Explorer<'a, 's> {
    context: Context<'a>,
    /// States that wait, in an order in which no path comes back to a place.
    open: BTreeMap<PlaceKey, (Place, Vec<State>)>,
    joins: &'a mut dyn Joins<'s>,
    arrivals: Vec<Arrival>,
    called: BTreeSet<ProcedureId>,
}

impl Explorer<'_, '_> {
    /// The states that are left of those at a place where paths meet.
    fn merged(
        &mut self,
        place: &Place,
        mut states: Vec<State>,
        budget: &mut Budget,
    ) -> Result<Vec<State>, Exhausted> {
        let machine = self.context.machine;
        if let Some(site) = place.site() {
            let block = machine.program.procedure(site.procedure).block(site.block);
            self.context.span = block.commands.first().map_or(block.span, |it| it.span);
        }
        for state in &mut states {
            self.forget(state, place);
        }
        self.joins.meet(machine, place, states, budget)
    }

    /// Forgets what is dead. Memory that only dead variables point at is lost
    /// then, if not before.
    fn forget(&mut self, state: &mut State, place: &Place) {
        let before = state.junk;
        forget(self.context.machine, state, place);
        if state.junk > before {
            self.context.alarm(AlarmKind::Leak);
        }
    }

    /// Drops locals that may be out of scope: the run ends here, and what they hold
    /// may have been lost before.
    fn keep_lasting(&self, place: &Place, state: &mut State) {
        for (site, store) in place.sites.iter().zip(state.stores.iter_mut().skip(1)) {
            let procedure = self.context.machine.program.procedure(site.procedure);
            store.retain(|(variable, _)| procedure.keeps(*variable));
        }
    }

    /// Drops what will not be read when the call here has returned, before the
    /// call takes what it sees out of the state. It may never return.
    fn forget_before_call(
        &mut self,
        place: &Place,
        state: &mut State,
        procedure: ProcedureId,
        parameters: &Store,
    ) {
        match self.context.machine.dead() {
            DeadVariables::Forgotten => return,
            DeadVariables::KeptIfOwning => {}
        }
        state.stores.push(parameters.clone());
        forget_dead(self.context.machine, state, &place.called(procedure));
        if let Some(store) = state.stores.last_mut() {
            store.clone_from(parameters);
        }
        self.note_leak(state);
        state.stores.pop();
    }

    /// Notes whether a command, or the end of a call, has lost memory.
    fn note_leak(&mut self, state: &mut State) {
        let is_lost = state.junk == Junk::None && !self.context.machine.holds_all(state);
        if is_lost || state.junk == Junk::Lost {
            self.context.alarm(AlarmKind::Leak);
            state.junk = Junk::Some;
        }
    }

    /// Executes the rest of a block.
    fn run_block(
        &mut self,
        place: &Place,
        state: State,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let program = self.context.machine.program;
        let Some(site) = place.site() else { return Ok(()) };
        let block = program.procedure(site.procedure).block(site.block);
        budget.spend(state.weight())?;
        budget.note_state();
        let mut states = vec![state];
        for (index, instruction) in block.commands.iter().enumerate().skip(site.command) {
            self.context.span = instruction.span;
            budget.spend(1 + states.len() as u64)?;
            if let Command::Call { .. } = instruction.command {
                let here = place.moved(site.block, index);
                for state in states {
                    self.call(&here, state, instruction, budget)?;
                }
                return Ok(());
            }
            self.context.sort = sort::by_calls(self.context.machine, place, &instruction.command);
            self.context.given_up =
                block.commands.get(index + 1).and_then(|it| match &it.command {
                    Command::Free { address, .. } => Some(address),
                    _ => None,
                });
            if let Command::Error { .. } = instruction.command {
                states.iter_mut().for_each(|state| {
                    self.note_unfreed(place, state);
                    self.keep_lasting(place, state);
                    self.note_leak(state);
                });
            }
            states = states
                .into_iter()
                .flat_map(|state| self.context.execute(state, &instruction.command))
                .collect();
            for state in &mut states {
                if may_lose(&instruction.command) || state.junk == Junk::Lost {
                    self.note_leak(state);
                }
            }
        }
        self.context.span = block.span;
        budget.spend(1 + states.len() as u64)?;
        for state in states {
            self.terminate(place, state, &block.terminator);
        }
        Ok(())
    }

    fn push(&mut self, place: Place, state: State) {
        let key = place.key(&self.context.machine.approach.cuts);
        self.open.entry(key).or_insert_with(|| (place, Vec::new())).1.push(state);
    }

    fn jump(&mut self, place: &Place, target: BlockId, state: State) {
        let Some(Site { procedure, .. }) = place.site() else { return };
        let next = place.moved(target, 0);
        let machine = self.context.machine;
        if machine.approach.cuts[procedure.index()].contains(target) {
            let parts = machine.approach.parts(state).into_iter().flat_map(sides::of);
            parts.for_each(|part| self.arrive(next.clone(), part));
        } else {
            self.push(next, state);
        }
    }

    fn arrive(&mut self, place: Place, state: State) {
        self.arrivals.push(Arrival { place, state, callee: None, call: None });
    }

    fn terminate(&mut self, place: &Place, state: State, terminator: &Terminator) {
        match terminator {
            Terminator::Goto(next) => self.jump(place, *next, state),
            Terminator::Branch { condition, then, otherwise } => {
                for next in self.context.assume(state.clone(), condition) {
                    self.jump(place, *then, next);
                }
                for next in self.context.refute(state, condition) {
                    self.jump(place, *otherwise, next);
                }
            }
            Terminator::Switch { value, cases, default } => {
                self.switch(place, state, value, cases, *default)
            }
            Terminator::Return(value) => self.give_back(place, state, value.as_ref()),
            Terminator::Halt => self.end(place, &state),
        }
    }

    /// Notes whether the program, when it ends here, leaves memory behind.
    fn note_unfreed(&mut self, place: &Place, state: &State) {
        let has_heap = state.junk != Junk::None
            || state.heap.atoms.iter().any(|atom| atom.is_heap() || state.owns_by_rows(atom));
        if place.entry.is_some() || has_heap {
            self.context.alarm(AlarmKind::Unfreed);
        }
    }

    /// The program ends, in a call perhaps. What only locals point at is lost
    /// then, and what is not freed never will be. Of the memory of callers
    /// around a recursive procedure nothing is known. The caller of a function
    /// that is analysed by itself goes on.
    fn end(&mut self, place: &Place, state: &State) {
        self.note_unfreed(place, state);
        let has_frame = place.entry.is_some();
        let mut last = state.clone();
        let n_left = 1 + usize::from(self.context.machine.program.open.is_some());
        while last.stores.len() > n_left {
            leave_frame(&mut last);
        }
        if state.junk != Junk::Some
            && (has_frame || !self.context.machine.holds_all_at_the_end(&last))
        {
            self.context.alarm(AlarmKind::Leak);
        }
    }

    fn switch(
        &mut self,
        place: &Place,
        state: State,
        value: &Expr,
        cases: &[(i128, i128, BlockId)],
        default: BlockId,
    ) {
        for (state, value) in self.context.values(state, value) {
            let mut rest = vec![state];
            for (low, high, target) in cases {
                let at_least = value.neg().add_constant(*low);
                let at_most = value.add_constant(-Integer::from(*high));
                let mut others = Vec::new();
                for state in rest {
                    let within = bounded(state.clone(), &[&at_least, &at_most]);
                    within.into_iter().for_each(|next| self.jump(place, *target, next));
                    others.extend(bounded(state.clone(), &[&at_least.neg().add_constant(1)]));
                    others.extend(bounded(state, &[&at_most.neg().add_constant(1)]));
                }
                rest = others;
            }
            for state in rest {
                self.jump(place, default, state);
            }
        }
    }

    /// Back to the caller, with a result.
    fn give_back(&mut self, place: &Place, state: State, value: Option<&Expr>) {
        let results = match value {
            Some(value) => {
                let result = place
                    .site()
                    .and_then(|site| self.context.machine.program.procedure(site.procedure).result);
                let values = match result {
                    Some(ty) => self.context.values_as(state, ty, value),
                    None => self.context.values(state, value),
                };
                values.into_iter().map(|(state, value)| (state, Some(value))).collect()
            }
            None => vec![(state, None)],
        };
        let next = place.returned(self.context.machine.program);
        for (mut state, value) in results {
            if next.is_none() && place.entry.is_none() {
                self.end(place, &state);
                continue;
            }
            leave_frame(&mut state);
            match (&next, place.entry, place.site()) {
                (Some((next, target)), ..) => self.go_on(next.clone(), state, *target, value),
                (None, Some(entry), Some(site)) => {
                    if let Some(value) = value {
                        state.set_in(0, self.context.machine.result_slot(site.procedure), value);
                    }
                    self.note_leak(&mut state);
                    self.arrive(Place::exit(entry), state);
                }
                (None, ..) => {}
            }
        }
    }

    /// Goes on behind a call, with its result.
    fn go_on(
        &mut self,
        place: Place,
        mut state: State,
        target: Option<Variable>,
        value: Option<LinearExpr>,
    ) {
        self.receive(&mut state, target, value);
        self.note_leak(&mut state);
        self.push(place, state);
    }

    fn receive(&mut self, state: &mut State, target: Option<Variable>, value: Option<LinearExpr>) {
        let Some(target) = target else { return };
        let ty = self.context.machine.program.variable(target).ty;
        let value = value.unwrap_or_else(|| self.context.machine.any_value(state, ty));
        self.context.write(state, target, value);
    }

    fn enter(
        &mut self,
        place: &Place,
        state: State,
        (procedure, arguments): (ProcedureId, &[Expr]),
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let machine = self.context.machine;
        let callee = machine.program.procedure(procedure);
        if !callee.is_defined() {
            let what = format!("a call of `{}`, which has no body", callee.name);
            self.context.alarm(AlarmKind::Unsupported(what));
            return Ok(());
        }
        let mut ready = vec![(state, Store::new())];
        for (parameter, argument) in callee.parameters.iter().zip(arguments) {
            let ty = machine.program.variable(*parameter).ty;
            ready = ready
                .into_iter()
                .flat_map(|(state, store)| {
                    self.context.values_as(state, ty, argument).into_iter().map(
                        move |(state, value)| {
                            let mut store = store.clone();
                            store.push((*parameter, value));
                            (state, store)
                        },
                    )
                })
                .collect();
        }
        for (state, mut store) in ready {
            store.sort_by_key(|(variable, _)| *variable);
            match &machine.contract {
                Some(contract) if contract.is_for(machine.program, place, procedure) => {
                    for (state, store) in contract.begin(&state, &store) {
                        self.begin(place, state, (procedure, store), budget)?;
                    }
                }
                _ => self.begin(place, state, (procedure, store), budget)?,
            }
        }
        Ok(())
    }

    /// Calls a procedure that has a summary: constants may decide the result, else the
    /// summary runs.
    fn call_summary(
        &mut self,
        place: &Place,
        state: State,
        (procedure, summary): (ProcedureId, ProcedureId),
        parameters: &Store,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let machine = self.context.machine;
        let Some(arguments) = arguments_of(machine, procedure, parameters) else { return Ok(()) };
        if let Some(value) = result_of_constants(machine, &state, procedure, &arguments)
            && let Some((next, target)) = place.called(procedure).returned(machine.program)
        {
            self.go_on(next, state, target, Some(value));
            return Ok(());
        }
        let formals = &machine.program.procedure(summary).parameters;
        let mut store: Store = formals.iter().copied().zip(arguments).collect();
        store.sort_by_key(|(variable, _)| *variable);
        self.begin(place, state, (summary, store), budget)
    }

    /// Begins a call with these parameters.
    fn begin(
        &mut self,
        place: &Place,
        mut state: State,
        (procedure, parameters): (ProcedureId, Store),
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let machine = self.context.machine;
        let shortcut = machine.program.procedure(procedure).shortcut;
        if let Some(Shortcut::Summary(summary)) = shortcut {
            return self.call_summary(place, state, (procedure, summary), &parameters, budget);
        }
        if let Some(Shortcut::StringLength { width }) = shortcut
            && let Some(cases) = self.measured(&state, procedure, &parameters, width)
            && let Some((next, target)) = place.called(procedure).returned(machine.program)
        {
            for (state, length) in cases {
                self.go_on(next.clone(), state, target, Some(length));
            }
            return Ok(());
        }
        if machine.is_tabulated(procedure) {
            self.forget_before_call(place, &mut state, procedure, &parameters);
            return self.tabulated(place, &state, (procedure, parameters), budget);
        }
        state.stores.push(parameters);
        let entered = place.called(procedure);
        if machine.approach.cuts[procedure.index()].contains(BlockId(0)) {
            self.arrive(entered, state);
        } else {
            self.push(entered, state);
        }
        Ok(())
    }

    /// The length of the string that a procedure measures, if it is known to end.
    fn measured(
        &self,
        state: &State,
        procedure: ProcedureId,
        parameters: &Store,
        width: u32,
    ) -> Option<Vec<(State, LinearExpr)>> {
        let machine = self.context.machine;
        let arguments = arguments_of(machine, procedure, parameters)?;
        let callee = machine.program.procedure(procedure);
        self.context.string_length(state, callee, &arguments, width)
    }

    /// A call of a recursive procedure: a step to its entry states, and beyond
    /// the call with what their exit states say.
    fn tabulated(
        &mut self,
        place: &Place,
        state: &State,
        (procedure, parameters): (ProcedureId, Store),
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let machine = self.context.machine;
        self.called.insert(procedure);
        // The body of the program's entry has no entry state that a call could go to.
        let split = (procedure != machine.program.entry)
            .then(|| machine.split_call(state, parameters))
            .flatten();
        let Some(split) = split else {
            let name = machine.program.procedure(procedure).shown_name().to_owned();
            self.context.alarm(AlarmKind::Inseparable(name));
            return Ok(());
        };
        let start = Place::start(procedure);
        let callee = match tidy(machine, split.entry.clone(), &start) {
            Some(tidied) => self.joins.enter(machine, &start, &tidied, budget)?,
            None => None,
        };
        if let Some((id, binding)) = &callee {
            self.resume(place, &split, *id, binding, procedure);
        }
        let call = place.site();
        self.arrivals.push(Arrival { place: start, state: split.entry, callee, call });
        Ok(())
    }

    fn resume(
        &mut self,
        place: &Place,
        split: &CallSplit,
        entry: NodeId,
        binding: &[LinearExpr],
        procedure: ProcedureId,
    ) {
        let machine = self.context.machine;
        let callee = place.called(procedure);
        let Some((next, target)) = callee.returned(machine.program) else { return };
        for exit in self.joins.exits(entry) {
            if let Some((mut after, value)) =
                machine.resume(split, binding, exit, machine.result_slot(procedure))
            {
                self.receive(&mut after, target, value);
                self.note_leak(&mut after);
                // Or what all calls of a block leave behind would pile up.
                self.forget(&mut after, &next);
                self.push(next.clone(), after);
            }
        }
    }
}

/// The part of a state in which these numbers are at most 0, if there is one.
fn bounded(mut state: State, numbers: &[&LinearExpr]) -> Option<State> {
    let is_empty = numbers.iter().any(|number| state.assume_at_most_zero(number).is_empty());
    (!is_empty).then_some(state)
}

/// Whether a command may overwrite a pointer or end what holds one.
fn may_lose(command: &Command) -> bool {
    match command {
        Command::Assign { .. }
        | Command::Havoc { .. }
        | Command::Load { .. }
        | Command::Store { .. }
        | Command::Allocate { .. }
        | Command::Measure { .. }
        | Command::Free { .. }
        | Command::Fill { .. }
        | Command::Copy { .. }
        | Command::Call { .. } => true,
        Command::Assume { .. } | Command::Error { .. } | Command::Unsupported { .. } => false,
    }
}

/// The values of a call's parameters, in the order in which they are declared.
fn arguments_of(
    machine: &Semantics<'_>,
    procedure: ProcedureId,
    parameters: &Store,
) -> Option<Vec<LinearExpr>> {
    let value = |wanted: &Variable| {
        let known = parameters.iter().find(|(variable, _)| variable == wanted);
        known.map(|(_, value)| value.clone())
    };
    machine.program.procedure(procedure).parameters.iter().map(value).collect()
}

/// The procedure whose address a value is.
fn code_address(value: &logic::LinearExpr) -> Option<ProcedureId> {
    value.as_constant().and_then(code::procedure_at)
}
