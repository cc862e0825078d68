//! What calls that are not followed may have to do with.

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
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    let mut found = BTreeSet::new();
    let mut note = |it: Variable| {
        if program.variable(it).owner.is_none() {
            found.insert(it);
        }
    };
    while let Some(id) = open.pop() {
        for block in &program.procedure(id).blocks {
            block.variables().for_each(&mut note);
        }
        open.extend(calls.callees(id).chain([program.followed(id)]).filter(|it| seen.insert(*it)));
    }
    found
}
