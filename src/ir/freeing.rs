//! Loops in which blocks of the heap are freed, by the loop itself or by what it calls.

use super::cutpoint::CallGraph;
use super::{
    Block, BlockId, Callee, Command, Expr, MemoryKind, Procedure, ProcedureId, Program, ScalarType,
};
use base::graph::weak_topological_order;

/// What the innermost loops around the blocks of a program do.
#[derive(Clone, Debug, Default)]
pub struct Freeing(Vec<Vec<Work>>);

/// What a loop does, or a procedure, by itself or by what it calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Work {
    /// Blocks of the heap are freed.
    frees: bool,
    /// Pointers that may not be null are stored.
    links: bool,
}

/// Which loops are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loops {
    /// Those that free blocks and store no pointers but null: nothing else becomes of what they
    /// come to.
    Emptying,
    /// All that free blocks.
    Freeing,
}

impl Freeing {
    /// Those of a program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let by_call = procedures(program);
        Self(program.procedures.iter().map(|it| in_procedure(program, it, &by_call)).collect())
    }

    /// Whether the innermost loop around a block of a procedure is one of these.
    #[must_use]
    pub fn contains(&self, loops: Loops, (procedure, block): (ProcedureId, BlockId)) -> bool {
        let blocks = self.0.get(procedure.index());
        let work = blocks.and_then(|it| it.get(block.index())).copied().unwrap_or_default();
        work.frees && (loops == Loops::Freeing || !work.links)
    }

    /// Whether some loops free blocks and store pointers.
    #[must_use]
    pub fn has_others(&self) -> bool {
        self.0.iter().flatten().any(|it| it.frees && it.links)
    }
}

impl Work {
    fn and(self, other: Self) -> Self {
        Self { frees: self.frees || other.frees, links: self.links || other.links }
    }

    fn of_all(works: impl Iterator<Item = Self>) -> Self {
        works.fold(Self::default(), Self::and)
    }
}

/// What procedures do that are called, by procedure.
fn procedures(program: &Program) -> Vec<Work> {
    let calls = CallGraph::of_program(program);
    let mut found = vec![Work::default(); program.procedures.len()];
    for component in calls.bottom_up() {
        let blocks = component.iter().flat_map(|it| &program.procedure(*it).blocks);
        let work = Work::of_all(blocks.map(|it| of_block(program, it, &found)));
        component.iter().for_each(|it| found[it.index()] = work);
    }
    found
}

fn of_block(program: &Program, block: &Block, by_call: &[Work]) -> Work {
    Work::of_all(block.commands.iter().map(|it| match &it.command {
        Command::Free { kind, .. } => Work { frees: *kind == MemoryKind::Heap, links: false },
        Command::Store { value, ty: ScalarType::Pointer, .. } => {
            Work { frees: false, links: *value != Expr::Constant(0) }
        }
        Command::Call { callee: Callee::Direct(callee), .. } => {
            Work::of_all(program.entered(*callee).map(|it| by_call[it.index()]))
        }
        Command::Call { callee: Callee::Indirect(_), .. } => Work::of_all(by_call.iter().copied()),
        _ => Work::default(),
    }))
}

fn in_procedure(program: &Program, procedure: &Procedure, by_call: &[Work]) -> Vec<Work> {
    let order = weak_topological_order(&procedure.successor_lists(), 0);
    let mut found = vec![Work::default(); procedure.blocks.len()];
    // Inner loops come after those around them.
    for (position, end) in order.component_end.iter().enumerate() {
        let blocks = &order.order[position..end.unwrap_or(position)];
        let works = blocks.iter().map(|it| of_block(program, &procedure.blocks[*it], by_call));
        let work = Work::of_all(works);
        blocks.iter().for_each(|it| found[*it] = work);
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::text;

    const LOOPS: &str = "procedure main() {
  local p: ptr, i: i32
b0:
  p := allocate heap 8
  goto reads
reads:
  i := [p : i32]
  if i > 0 goto reads else frees
frees:
  call drop(p)
  if i > 1 goto frees else outer
outer:
  goto inner
inner:
  [p : ptr] := p
  if i > 2 goto inner else behind
behind:
  free heap p
  if i > 3 goto outer else done
done:
  halt
}
procedure drop(q: ptr) {
b0:
  [q : ptr] := 0
  free heap q
  return
}
entry main
";

    #[test]
    fn loops_free_by_themselves_and_by_calls() {
        let program = text::parse("test.goto", LOOPS).unwrap().program;
        let found = Freeing::of(&program);
        let of = |loops| -> Vec<bool> {
            let blocks = (0..7).map(|block| (program.entry, BlockId(block)));
            blocks.map(|it| found.contains(loops, it)).collect()
        };
        // The start, what reads, what frees, the outer loop, the inner one, behind that, the end.
        assert_eq!(of(Loops::Freeing), [false, false, true, true, false, true, false]);
        assert_eq!(of(Loops::Emptying), [false, false, true, false, false, false, false]);
        assert!(found.has_others());
    }
}
