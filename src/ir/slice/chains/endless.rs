//! Loops that walk along links and are not left at null.

use super::Walk;
use super::compared::Compared;
use super::flows::Holder;
use crate::{BlockId, Callee, Command, Procedure, ProcedureId, Program, Variable};
use base::graph::strongly_connected_components;
use std::collections::{BTreeMap, BTreeSet};

/// By procedure and block, the pointers that go round there without one of their family being
/// compared with null on the way.
#[derive(Default)]
pub(super) struct Endless(BTreeSet<(ProcedureId, usize, Variable)>);

impl Endless {
    /// Of the families that have walks. The last argument says whose end it tells that a variable
    /// is null.
    pub(super) fn of(
        program: &Program,
        (of, walks): (&BTreeMap<Holder, usize>, &BTreeMap<usize, Vec<Walk>>),
        ends: &impl Fn(&Variable) -> BTreeSet<usize>,
    ) -> Self {
        let mut endless = Self::default();
        let compared: Vec<Vec<BTreeSet<usize>>> = program
            .procedures
            .iter()
            .map(|it| it.blocks.iter().map(Compared::of_block))
            .map(|it| it.map(|it| it.with_null.iter().flat_map(ends).collect()).collect())
            .collect();
        for (index, procedure) in program.procedures.iter().enumerate() {
            let mut own: BTreeMap<usize, BTreeSet<Variable>> = BTreeMap::new();
            for variable in going_round(procedure) {
                if let Some(family) = of.get(&Holder::Variable(variable))
                    && walks.contains_key(family)
                {
                    own.entry(*family).or_default().insert(variable);
                }
            }
            for (family, variables) in own {
                let is_left = |block: usize| {
                    let of_called = called(procedure, block, |argument| {
                        of.get(&Holder::Variable(argument)) == Some(&family)
                    });
                    compared[index][block].contains(&family)
                        || of_called.into_iter().any(|callee| {
                            compared[callee.index()].iter().any(|it| it.contains(&family))
                        })
                };
                for block in on_ways_back(procedure, &is_left) {
                    let id = ProcedureId::at(index);
                    endless.0.extend(variables.iter().map(|it| (id, block, *it)));
                }
            }
        }
        endless
    }

    pub(super) fn contains(
        &self,
        (procedure, block): (ProcedureId, usize),
        holder: Holder,
    ) -> bool {
        match holder {
            Holder::Variable(variable) => self.0.contains(&(procedure, block, variable)),
            Holder::Result(_) => false,
        }
    }
}

/// The variables whose values a procedure makes of their own earlier ones.
fn going_round(procedure: &Procedure) -> Vec<Variable> {
    let mut made_of: BTreeMap<Variable, BTreeSet<Variable>> = BTreeMap::new();
    for instruction in procedure.blocks.iter().flat_map(|it| &it.commands) {
        if let Some(target) = instruction.command.target() {
            made_of.entry(target).or_default().extend(instruction.command.variables_read());
        }
    }
    let variables: Vec<Variable> = made_of.keys().copied().collect();
    let successors = |it: &BTreeSet<Variable>| -> Vec<usize> {
        it.iter().filter_map(|it| variables.binary_search(it).ok()).collect()
    };
    let successors: Vec<Vec<usize>> = made_of.values().map(successors).collect();
    let components = strongly_connected_components(&successors);
    (0..variables.len()).filter(|it| components.is_on_cycle(*it)).map(|it| variables[it]).collect()
}

/// What a block calls with such an argument.
fn called(
    procedure: &Procedure,
    block: usize,
    is_own: impl Fn(Variable) -> bool,
) -> Vec<ProcedureId> {
    let commands = procedure.blocks[block].commands.iter();
    let calls = commands.filter_map(|it| match &it.command {
        Command::Call { callee: Callee::Direct(callee), arguments, .. } => {
            let mut variables = arguments.iter().flat_map(|it| it.variables());
            variables.any(&is_own).then_some(*callee)
        }
        _ => None,
    });
    calls.collect()
}

/// The blocks from which a way leads back to them through none that is left out.
fn on_ways_back(procedure: &Procedure, is_left_out: &impl Fn(usize) -> bool) -> Vec<usize> {
    let blocks = &procedure.blocks;
    let is_left_out: Vec<bool> = (0..blocks.len()).map(is_left_out).collect();
    let successors = |block: usize| -> Vec<usize> {
        let all = blocks[block].terminator.successors().into_iter().map(BlockId::index);
        all.filter(|it| !is_left_out[block] && !is_left_out[*it]).collect()
    };
    let successors: Vec<Vec<usize>> = (0..blocks.len()).map(successors).collect();
    let components = strongly_connected_components(&successors);
    (0..blocks.len()).filter(|it| components.is_on_cycle(*it)).collect()
}
