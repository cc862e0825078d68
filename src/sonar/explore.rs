//! The transition relation from cutpoint to cutpoint (CAV'06 Fig. 4).

use super::eval::Context;
use super::execute::leave_frame;
use super::merge::merge;
use super::place::{Place, PlaceKey};
use super::{Alarm, AlarmKind, Machine};
use crate::base::budget::{Budget, Exhausted};
use crate::heap::facts::CODE_ADDRESSES;
use crate::heap::state::{State, Store};
use crate::ir::{BinaryOp, BlockId, Callee, Command, Expr, Instruction, ProcedureId, Terminator};
use crate::logic::Integer;
use std::collections::BTreeMap;

/// What comes of running on from a state.
#[derive(Debug, Default)]
pub struct Exploration {
    /// The states in which cutpoints are reached, not yet abstracted.
    pub arrivals: Vec<(Place, State)>,
    /// What may go wrong on the way.
    pub alarms: Vec<Alarm>,
}

/// Runs on from a state until each path reaches a cutpoint or ends: `SONAR`
/// without abstraction. At least one command or terminator is executed.
///
/// # Errors
/// When the budget runs out.
pub fn explore(
    machine: &Machine<'_>,
    place: &Place,
    state: State,
    budget: &mut Budget,
) -> Result<Exploration, Exhausted> {
    let mut explorer = Explorer {
        context: Context::new(machine),
        open: BTreeMap::new(),
        arrivals: Vec::new(),
    };
    explorer.push(place.clone(), state);
    while let Some((_, (place, states))) = explorer.open.pop_first() {
        let meets = states.len() > 1 && place.site().command == 0;
        let states = if meets { merge(machine, &place, states) } else { states };
        for state in states {
            explorer.run_block(&place, state, budget)?;
        }
    }
    let mut alarms = explorer.context.alarms;
    alarms.sort();
    alarms.dedup();
    Ok(Exploration { arrivals: explorer.arrivals, alarms })
}

struct Explorer<'a> {
    context: Context<'a>,
    /// States that wait, in an order in which no path comes back to a place.
    open: BTreeMap<PlaceKey, (Place, Vec<State>)>,
    arrivals: Vec<(Place, State)>,
}

impl Explorer<'_> {
    /// Executes the rest of a block.
    fn run_block(&mut self, place: &Place, state: State, budget: &mut Budget) -> Result<(), Exhausted> {
        let program = self.context.machine.program;
        let site = place.site();
        let block = program.procedure(site.procedure).block(site.block);
        let mut states = vec![state];
        for (index, instruction) in block.commands.iter().enumerate().skip(site.command) {
            self.context.span = instruction.span;
            budget.spend(1 + states.len() as u64)?;
            if let Command::Call { .. } = instruction.command {
                let here = place.moved(site.block, index);
                states.into_iter().for_each(|state| self.call(&here, state, instruction));
                return Ok(());
            }
            states = states
                .into_iter()
                .flat_map(|state| self.context.execute(state, &instruction.command))
                .collect();
        }
        self.context.span = block.span;
        budget.spend(1 + states.len() as u64)?;
        for state in states {
            self.terminate(place, state, &block.terminator);
        }
        Ok(())
    }

    fn push(&mut self, place: Place, state: State) {
        let key = place.key(&self.context.machine.cuts);
        self.open.entry(key).or_insert_with(|| (place, Vec::new())).1.push(state);
    }

    fn jump(&mut self, place: &Place, target: BlockId, state: State) {
        let procedure = place.site().procedure;
        let next = place.moved(target, 0);
        if self.context.machine.cuts[procedure.index()].contains(target) {
            self.arrivals.push((next, state));
        } else {
            self.push(next, state);
        }
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
            Terminator::Switch { value, cases, default } => self.switch(place, state, value, cases, *default),
            Terminator::Return(value) => self.give_back(place, state, value.as_ref()),
            Terminator::Halt => {}
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
        let mut rest = vec![state];
        for (low, high, target) in cases {
            let at_least = Expr::binary(BinaryOp::GreaterEqual, value.clone(), (*low).into());
            let at_most = Expr::binary(BinaryOp::LessEqual, value.clone(), (*high).into());
            let mut others = Vec::new();
            for state in rest {
                let above = self.context.assume(state.clone(), &at_least);
                others.extend(self.context.refute(state, &at_least));
                for state in above {
                    for next in self.context.assume(state.clone(), &at_most) {
                        self.jump(place, *target, next);
                    }
                    others.extend(self.context.refute(state, &at_most));
                }
            }
            rest = others;
        }
        for state in rest {
            self.jump(place, default, state);
        }
    }

    /// Back to the caller, with a result.
    fn give_back(&mut self, place: &Place, state: State, value: Option<&Expr>) {
        let Some((next, target)) = place.returned(self.context.machine.program) else { return };
        let results = match value {
            Some(value) => {
                let values = self.context.values(state, value);
                values.into_iter().map(|(state, value)| (state, Some(value))).collect()
            }
            None => vec![(state, None)],
        };
        for (mut state, value) in results {
            leave_frame(&mut state);
            if let Some(target) = target {
                let ty = self.context.machine.program.variable(target).ty;
                let value = value.unwrap_or_else(|| super::eval::any_of_type(&mut state, ty));
                self.context.write(&mut state, target, value);
            }
            self.push(next.clone(), state);
        }
    }

    fn call(&mut self, place: &Place, state: State, instruction: &Instruction) {
        let Command::Call { callee, arguments, .. } = &instruction.command else { return };
        match callee {
            Callee::Direct(procedure) => self.enter(place, state, *procedure, arguments),
            Callee::Indirect(pointer) => {
                for (state, value) in self.context.values(state, pointer) {
                    match code_address(&value) {
                        Some(procedure) if procedure.index() < self.context.machine.cuts.len() => {
                            self.enter(place, state, procedure, arguments);
                        }
                        _ => self.context.alarm(AlarmKind::UnknownCallee),
                    }
                }
            }
        }
    }

    fn enter(&mut self, place: &Place, state: State, procedure: ProcedureId, arguments: &[Expr]) {
        let machine = self.context.machine;
        let callee = machine.program.procedure(procedure);
        if !callee.is_defined() {
            let what = format!("a call of `{}`, which has no body", callee.name);
            self.context.alarm(AlarmKind::Unsupported(what));
            return;
        }
        if place.is_inside(procedure) {
            self.context.alarm(AlarmKind::Recursion(callee.name.clone()));
            return;
        }
        let mut ready = vec![(state, Store::new())];
        for (parameter, argument) in callee.parameters.iter().zip(arguments) {
            ready = ready
                .into_iter()
                .flat_map(|(state, store)| {
                    self.context.values(state, argument).into_iter().map(move |(state, value)| {
                        let mut store = store.clone();
                        store.push((*parameter, value));
                        (state, store)
                    })
                })
                .collect();
        }
        for (mut state, mut store) in ready {
            store.sort_by_key(|(variable, _)| *variable);
            state.stores.push(store);
            let entered = place.called(procedure);
            if machine.cuts[procedure.index()].contains(BlockId(0)) {
                self.arrivals.push((entered, state));
            } else {
                self.push(entered, state);
            }
        }
    }
}

/// The procedure whose address a value is.
fn code_address(value: &crate::logic::LinearExpr) -> Option<ProcedureId> {
    let number = value.as_constant().and_then(Integer::to_i128)?;
    u32::try_from(number.checked_sub(CODE_ADDRESSES)?).ok().map(ProcedureId)
}
