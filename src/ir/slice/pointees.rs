//! Which variables may point into the same blocks (Steensgaard, *Points-to analysis in almost
//! linear time*, POPL 1996): what flows into each other is one class, and so is what is kept
//! in blocks of one class.
//!
//! It is a guess that only the choice of a slice depends on: addresses that are made of numbers
//! or copied with the memory around them are not followed.

use crate::{Callee, Command, Expr, Program, ScalarType, Terminator};

/// For each variable, a name of the blocks that it may point into.
pub(super) fn pointees(program: &Program) -> Vec<usize> {
    let n_variables = program.variables.len();
    let mut classes = Classes {
        program,
        parent: (0..n_variables + program.procedures.len()).collect(),
        content: Vec::new(),
    };
    classes.content = vec![None; classes.parent.len()];
    for (index, procedure) in program.procedures.iter().enumerate() {
        let result = n_variables + index;
        for block in &procedure.blocks {
            for instruction in &block.commands {
                classes.command(&instruction.command);
            }
            if let Terminator::Return(Some(value)) = &block.terminator {
                classes.flows(value, result);
            }
        }
    }
    (0..n_variables).map(|index| classes.root(index)).collect()
}

/// Variables, results of procedures, and what is kept in blocks.
struct Classes<'a> {
    program: &'a Program,
    parent: Vec<usize>,
    /// By class: what is kept in the blocks that its members point into.
    content: Vec<Option<usize>>,
}

impl Classes<'_> {
    fn command(&mut self, command: &Command) {
        match command {
            Command::Assign { target, value } => self.flows(value, target.index()),
            Command::Load { target, address, ty: ScalarType::Pointer } => {
                for base in self.pointers(address) {
                    let content = self.content_of(base);
                    self.unite(content, target.index());
                }
            }
            Command::Store { address, value, ty: ScalarType::Pointer } => {
                for base in self.pointers(address) {
                    let content = self.content_of(base);
                    self.flows(value, content);
                }
            }
            Command::Call { target, callee: Callee::Direct(callee), arguments } => {
                let parameters = &self.program.procedure(*callee).parameters;
                for (parameter, argument) in parameters.iter().zip(arguments) {
                    self.flows(argument, parameter.index());
                }
                let result = self.program.variables.len() + callee.index();
                target.iter().for_each(|target| self.unite(target.index(), result));
            }
            _ => {}
        }
    }

    fn flows(&mut self, value: &Expr, to: usize) {
        for from in self.pointers(value) {
            self.unite(from, to);
        }
    }

    fn pointers(&self, value: &Expr) -> Vec<usize> {
        let mut pointers = Vec::new();
        value.variables().for_each(|variable| {
            if self.program.variable(variable).ty == ScalarType::Pointer {
                pointers.push(variable.index());
            }
        });
        pointers
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn content_of(&mut self, pointer: usize) -> usize {
        let class = self.root(pointer);
        if let Some(content) = self.content[class] {
            return self.root(content);
        }
        let content = self.parent.len();
        self.parent.push(content);
        self.content.push(None);
        self.content[class] = Some(content);
        content
    }

    fn unite(&mut self, left: usize, right: usize) {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            let (left, right) = (self.root(left), self.root(right));
            if left == right {
                continue;
            }
            let (kept, gone) = (left.min(right), left.max(right));
            self.parent[gone] = kept;
            match (self.content[kept], self.content[gone]) {
                (Some(one), Some(other)) => pending.push((one, other)),
                (None, other) => self.content[kept] = other,
                (Some(_), None) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pointees;
    use crate::text;

    #[test]
    fn what_flows_into_each_other_is_one_class() {
        let text = "
            procedure same(p: ptr) -> ptr { b: return p }
            procedure main(a: ptr, b: ptr, c: ptr) {
              local d: ptr, e: ptr
            s:
              d := call same(a)
              [b : ptr] := c
              e := [b + 8 : ptr]
              return
            }
            entry main";
        let program = text::parse("pointees.goto", text).unwrap().program;
        let classes = pointees(&program);
        let of =
            |name: &str| classes[program.variables.iter().position(|it| it.name == name).unwrap()];
        assert_eq!([of("p"), of("d")], [of("a"); 2]);
        assert_eq!(of("c"), of("e"));
        assert_ne!(of("a"), of("b"));
        assert_ne!(of("a"), of("c"));
        assert_ne!(of("b"), of("c"));
    }
}
