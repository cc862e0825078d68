//! What calls that are not followed may have to do with.

use base::graph::reachable;
use ir::cutpoint::CallGraph;
use ir::{Callee, ProcedureId, Program, Variable};
use std::collections::BTreeSet;

/// The global variables that calls mention, directly or through other calls.
#[derive(Debug)]
pub(super) struct Effects {
    of_procedure: Vec<BTreeSet<Variable>>,
    of_indirect: BTreeSet<Variable>,
}

impl Effects {
    pub(super) fn of(program: &Program) -> Self {
        let calls = CallGraph::of_program(program);
        let all = (0..program.procedures.len()).map(ProcedureId::at);
        let of_procedure: Vec<_> = all.map(|it| mentioned(program, &calls, it)).collect();
        let taken = calls.address_taken().iter();
        let of_indirect = taken.flat_map(|it| &of_procedure[it.index()]).copied().collect();
        Self { of_procedure, of_indirect }
    }

    /// The global variables that a call may read or write.
    pub(super) fn of_call(&self, program: &Program, callee: &Callee) -> &BTreeSet<Variable> {
        match callee {
            Callee::Direct(callee) => &self.of_procedure[program.followed(*callee).index()],
            Callee::Indirect(_) => &self.of_indirect,
        }
    }
}

fn mentioned(program: &Program, calls: &CallGraph, from: ProcedureId) -> BTreeSet<Variable> {
    let leads_to = |it| calls.callees(it).chain([program.followed(it)]);
    let blocks =
        reachable([from], leads_to).into_iter().flat_map(|it| &program.procedure(it).blocks);
    let variables = blocks.flat_map(ir::Block::variables);
    variables.filter(|it| program.variable(*it).owner.is_none()).collect()
}
