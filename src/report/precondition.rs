//! Preconditions, in the terms of the program.

use crate::heap::print::{Names, name_of};
use crate::heap::shape::ShapeLibrary;
use crate::heap::state::State;
use crate::heap::{Atom, Block, Instance};
use crate::ir::Program;
use crate::logic::{Constraint, LinearExpr, Var};

/// What must hold when the function is called that is analysed by itself: one of
/// these, as formulas. Empty when nothing must.
#[must_use]
pub fn describe(requires: &[State], program: &Program, library: &ShapeLibrary) -> Vec<String> {
    let formulas = requires.iter().map(|state| {
        let writer = Writer { names: Names::of_state(state, program), state, program, library };
        writer.formula()
    });
    let formulas: Vec<String> = formulas.collect();
    if formulas.iter().any(String::is_empty) { Vec::new() } else { formulas }
}

struct Writer<'a> {
    names: Names,
    state: &'a State,
    program: &'a Program,
    library: &'a ShapeLibrary,
}

impl Writer<'_> {
    /// The formula; empty when it says nothing.
    fn formula(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (variable, value) in self.state.stores.iter().flatten() {
            let (left, right) = (name_of(self.program, *variable), self.expr(value));
            if left != right {
                parts.push(format!("{left} = {right}"));
            }
        }
        let numbers = self.state.facts.numbers.constraints().iter();
        let numbers = numbers.filter(|constraint| !self.is_implied(constraint));
        parts.extend(numbers.map(|constraint| constraint.display(&|it| self.name(it))));
        let nonzero = self.state.facts.nonzero.iter();
        parts.extend(nonzero.map(|value| format!("{} != 0", self.expr(value))));
        let atoms: Vec<String> = self.state.heap.atoms.iter().map(|atom| self.atom(atom)).collect();
        if !atoms.is_empty() {
            parts.push(atoms.join(" * "));
        }
        parts.join(" & ")
    }

    /// Every instance has a node.
    fn is_implied(&self, constraint: &Constraint) -> bool {
        self.state.heap.atoms.iter().any(|atom| match atom {
            Atom::Instance(instance) => *constraint == Constraint::ge(&instance.depth, 1),
            Atom::Block(_) => false,
        })
    }

    fn atom(&self, atom: &Atom) -> String {
        match atom {
            Atom::Block(block) => self.block(block),
            Atom::Instance(instance) => self.instance(instance),
        }
    }

    /// `p |-> struct node { next: q }`.
    fn block(&self, block: &Block) -> String {
        let bytes = block.size.as_constant().map(ToString::to_string);
        let what = match &bytes {
            Some(bytes) => self.type_of(bytes).unwrap_or_else(|| format!("{bytes} bytes")),
            None => "an array".to_owned(),
        };
        let mut fields = Vec::new();
        for cell in &block.cells {
            let field = self.field(bytes.as_deref().unwrap_or_default(), cell.offset);
            fields.push(format!("{field}: {}", self.expr(&cell.value)));
        }
        let fields = match fields.as_slice() {
            [] => String::new(),
            fields => format!(" {{ {} }}", fields.join(", ")),
        };
        format!("{} |-> {what}{fields}", self.name(block.base))
    }

    /// `ls(p, 0) of struct node by next`.
    fn instance(&self, instance: &Instance) -> String {
        let arguments: Vec<String> = instance.arguments.iter().map(|it| self.expr(it)).collect();
        let bytes = instance.template.size.to_string();
        let links = instance.template.links.iter().map(|offset| self.field(&bytes, *offset));
        let links: Vec<String> = links.collect();
        let nodes = self.type_of(&bytes).unwrap_or_else(|| format!("{bytes} bytes"));
        let shape = &self.library.get(instance.shape).name;
        format!("{shape}({}) of {nodes} by {}", arguments.join(", "), links.join(", "))
    }

    /// The type of objects of so many bytes, if the program has one.
    fn type_of(&self, bytes: &str) -> Option<String> {
        let layouts = self.program.open.iter().flat_map(|open| &open.layouts);
        let mut fitting = layouts.filter(|layout| layout.bytes.to_string() == bytes);
        fitting.next().map(|layout| layout.name.clone())
    }

    fn field(&self, bytes: &str, offset: i64) -> String {
        let layouts = self.program.open.iter().flat_map(|open| &open.layouts);
        let fitting = layouts.filter(|layout| layout.bytes.to_string() == bytes);
        let mut fields = fitting.flat_map(|layout| &layout.pointers);
        let field = fields.find(|field| field.offset == offset);
        field.map_or_else(|| offset.to_string(), |field| field.name.clone())
    }

    fn expr(&self, expr: &LinearExpr) -> String {
        expr.display(&|variable| self.name(variable))
    }

    /// The name of a variable; of a block's size, by its address.
    fn name(&self, variable: Var) -> String {
        let measured = self.state.heap.atoms.iter().find_map(|atom| match atom {
            Atom::Block(block) if block.size.as_var() == Some(variable) => Some(block.base),
            Atom::Block(_) | Atom::Instance(_) => None,
        });
        match measured {
            Some(base) => format!("bytes({})", self.names.name(base)),
            None => self.names.name(variable),
        }
    }
}
