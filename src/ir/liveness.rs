//! Live variables: which locals of a procedure may still be read.
//!
//! A backward data-flow analysis per procedure. Only the procedure's own
//! variables are tracked (parameters and locals); globals count as live
//! everywhere. What is not live may be forgotten by an abstract state.

use super::{
    Block, BlockId, Command, Expr, Instruction, Procedure, ProcedureId, Program, Variable,
};
use base::graph::{reverse_postorder, reversed};
use std::collections::BTreeMap;

/// A set of variables of one procedure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariableSet {
    /// The least variable that may be a member: bit 0 of word 0.
    base: u32,
    words: Vec<u64>,
}

impl VariableSet {
    fn empty(base: u32, n_variables: usize) -> Self {
        Self { base, words: vec![0; n_variables.div_ceil(64)] }
    }

    /// Whether `variable` is a member. False for variables of other procedures
    /// and for globals.
    #[must_use]
    pub fn contains(&self, variable: Variable) -> bool {
        self.position(variable).is_some_and(|(word, bit)| self.words[word] & bit != 0)
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Variable> + '_ {
        let without_lowest = |rest: u64| rest & rest.wrapping_sub(1);
        let bases = (self.base..).step_by(64);
        self.words.iter().zip(bases).flat_map(move |(&word, base)| {
            let rests = std::iter::successors(Some(word), move |&rest| Some(without_lowest(rest)));
            let members = rests.take_while(|&rest| rest != 0);
            members.map(move |rest| Variable(base + rest.trailing_zeros()))
        })
    }

    fn position(&self, variable: Variable) -> Option<(usize, u64)> {
        let offset = variable.0.checked_sub(self.base)?;
        let word = (offset / 64) as usize;
        (word < self.words.len()).then(|| (word, 1 << (offset % 64)))
    }

    fn insert(&mut self, variable: Variable) {
        if let Some((word, bit)) = self.position(variable) {
            self.words[word] |= bit;
        }
    }

    fn remove(&mut self, variable: Variable) {
        if let Some((word, bit)) = self.position(variable) {
            self.words[word] &= !bit;
        }
    }

    /// Adds all members of `other`; tells whether that added any.
    fn absorb(&mut self, other: &Self) -> bool {
        let mut grew = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            grew |= *more & !*word != 0;
            *word |= more;
        }
        grew
    }
}

/// The live variables of every procedure of a program.
#[derive(Clone, Debug)]
pub struct Liveness {
    procedures: Vec<ProcedureLiveness>,
}

/// The live variables of one procedure.
#[derive(Clone, Debug)]
pub struct ProcedureLiveness {
    /// The procedure's own variables; the only ones tracked.
    own: VariableSet,
    at_start: Vec<VariableSet>,
    after_call: BTreeMap<(BlockId, usize), VariableSet>,
}

impl Liveness {
    /// Computes the live variables of all procedures.
    #[must_use]
    pub fn of_program(program: &Program) -> Self {
        let mut own: Vec<Vec<Variable>> = vec![Vec::new(); program.procedures.len()];
        for (index, info) in program.variables.iter().enumerate() {
            if let Some(variables) = info.owner.and_then(|owner| own.get_mut(owner.index())) {
                variables.push(Variable::at(index));
            }
        }
        let each = program.procedures.iter().zip(own);
        let procedures = each.map(|(it, own)| ProcedureLiveness::compute(it, &own)).collect();
        Self { procedures }
    }

    /// The live variables of one procedure.
    #[must_use]
    pub fn of(&self, procedure: ProcedureId) -> &ProcedureLiveness {
        &self.procedures[procedure.index()]
    }
}

impl ProcedureLiveness {
    fn compute(procedure: &Procedure, own: &[Variable]) -> Self {
        let base = own.first().map_or(0, |first| first.0);
        let n_variables = own.last().map_or(0, |last| (last.0 - base) as usize + 1);
        let empty = VariableSet::empty(base, n_variables);
        let mut own_set = empty.clone();
        own.iter().for_each(|variable| own_set.insert(*variable));
        let at_start = vec![empty; procedure.blocks.len()];
        let mut liveness = Self { own: own_set, at_start, after_call: BTreeMap::new() };
        liveness.solve(procedure);
        liveness.remember_calls(procedure);
        liveness
    }

    fn solve(&mut self, procedure: &Procedure) {
        let successors = procedure.successor_lists();
        let predecessors = reversed(&successors);
        let mut is_pending = vec![true; successors.len()];
        // Popped from the end: unreachable blocks last, the others in postorder.
        let mut pending: Vec<usize> = (0..successors.len()).collect();
        if procedure.is_defined() {
            pending.extend(reverse_postorder(&successors, 0));
        }
        while let Some(index) = pending.pop() {
            if !std::mem::replace(&mut is_pending[index], false) {
                continue;
            }
            let live = self.walk(&procedure.blocks[index], &mut |_, _| {});
            if self.at_start[index].absorb(&live) {
                for &predecessor in &predecessors[index] {
                    is_pending[predecessor] = true;
                    pending.push(predecessor);
                }
            }
        }
    }

    fn flow_over(&self, instruction: &Instruction, live: &mut VariableSet) {
        if let Some(target) = instruction.command.target() {
            live.remove(target);
        }
        instruction.command.expressions().for_each(|expr| self.read(expr, live));
    }

    fn read(&self, expr: &Expr, live: &mut VariableSet) {
        expr.variables().for_each(|variable| {
            if self.own.contains(variable) {
                live.insert(variable);
            }
        });
    }

    fn before_terminator(&self, block: &Block) -> VariableSet {
        let mut live = self.after_terminator(block);
        if let Some(expr) = block.terminator.expression() {
            self.read(expr, &mut live);
        }
        live
    }

    fn after_terminator(&self, block: &Block) -> VariableSet {
        let mut live = VariableSet { base: self.own.base, words: vec![0; self.own.words.len()] };
        for next in block.terminator.successors() {
            live.absorb(&self.at_start[next.index()]);
        }
        live
    }

    /// The variables of this procedure, live or not.
    #[must_use]
    pub fn own_variables(&self) -> &VariableSet {
        &self.own
    }

    /// The variables that are live when `block` is entered.
    #[must_use]
    pub fn at_start(&self, block: BlockId) -> &VariableSet {
        &self.at_start[block.index()]
    }

    /// The variables live right after a call (of the procedure this was computed
    /// for): what the caller still needs, without the call's target if that is not
    /// read. `None` if that command is no call.
    #[must_use]
    pub fn after_call(&self, block: BlockId, command: usize) -> Option<&VariableSet> {
        self.after_call.get(&(block, command))
    }

    /// Walks backwards over the block's commands, with what is live after each;
    /// returns what is live before the first.
    pub(super) fn walk(
        &self,
        block: &Block,
        visit: &mut dyn FnMut(usize, &VariableSet),
    ) -> VariableSet {
        let mut live = self.before_terminator(block);
        for (index, instruction) in block.commands.iter().enumerate().rev() {
            visit(index, &live);
            self.flow_over(instruction, &mut live);
        }
        live
    }

    fn remember_calls(&mut self, procedure: &Procedure) {
        let mut after_call = BTreeMap::new();
        for (index, block) in procedure.blocks.iter().enumerate() {
            self.walk(block, &mut |command, live| {
                if matches!(block.commands[command].command, Command::Call { .. }) {
                    after_call.insert((BlockId::at(index), command), live.clone());
                }
            });
        }
        self.after_call = after_call;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// The names of the variables in `set`.
    fn names(program: &Program, set: &VariableSet) -> String {
        let names: Vec<&str> = set.iter().map(|it| program.variable(it).name.as_str()).collect();
        names.join(" ")
    }

    const LOOP: &str = "
        global g: i32
        procedure id(x: i32) -> i32 { b: return x }
        procedure main() {
          local n: i32, sum: i32, step: i32, dead: i32, r: i32
        start:
          n := input \"n\"
          sum := 0
          step := 1
          dead := n
          goto head
        head:
          if n > 0 goto body else done
        body:
          sum := sum + g
          r := call id(sum)
          n := n - step
          goto head
        done:
          g := sum
          return
        }
        entry main";

    fn program() -> Program {
        text::parse("loop.goto", LOOP).unwrap().program
    }

    #[test]
    fn loops_keep_alive_what_the_next_round_reads() {
        let program = program();
        let liveness = Liveness::of_program(&program);
        let of = |procedure, block| {
            names(&program, liveness.of(ProcedureId(procedure)).at_start(BlockId(block)))
        };
        assert_eq!(of(0, 0), "x");
        assert_eq!(of(1, 0), "");
        assert_eq!(of(1, 1), "n sum step");
        assert_eq!(of(1, 2), "n sum step");
        assert_eq!(of(1, 3), "sum");
        let own = liveness.of(ProcedureId(1)).own_variables();
        assert_eq!(names(&program, own), "n sum step dead r");
    }

    #[test]
    fn within_a_block_each_command_has_its_own_set() {
        let program = program();
        let main = &program.procedures[1];
        let liveness = Liveness::of_program(&program);
        let after = |block: usize| {
            let mut after = Vec::new();
            let mut visit = |_, live: &VariableSet| after.insert(0, names(&program, live));
            liveness.of(ProcedureId(1)).walk(&main.blocks[block], &mut visit);
            after
        };
        assert_eq!(after(0), ["n", "n sum", "n sum step", "n sum step"]);
        assert_eq!(after(2), ["n sum step", "n sum step", "n sum step"]);
    }
}
