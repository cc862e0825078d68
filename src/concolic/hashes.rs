//! Hashes of runs.

use super::explore::Trace;
use super::futures::Hash;
use super::machine::Run;
use concrete::state::Frame;
use concrete::value::Value;

/// A hash of what a run passed and decided.
pub(super) fn signature(trace: &Trace) -> u64 {
    let mut hash = Hash::EMPTY;
    for (procedure, block) in &trace.blocks {
        hash.add(&procedure.0.to_le_bytes());
        hash.add(&block.0.to_le_bytes());
    }
    for decision in &trace.decisions {
        hash.add(format!("{:?}", decision.constraint).as_bytes());
    }
    hash.0
}

/// A hash of the numbers in globals and in variables of the innermost call.
pub(super) fn numbers(run: &Run) -> u64 {
    let mut hash = Hash::EMPTY;
    let locals = run.state.frames().last().into_iter().flat_map(Frame::variables);
    for (variable, value) in run.state.globals().chain(locals) {
        if let Value::Int(number) = value {
            hash.add(&variable.0.to_le_bytes());
            hash.add(&number.to_le_bytes());
        }
    }
    hash.0
}
