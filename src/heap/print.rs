//! States as a paper prints them: `x = 0 & k > 1 & ls[k](y, 0)`.
//!
//! A logical variable that is the value of a program variable takes its name;
//! the others are primed. Printing is canonical: it depends on the state only.

use super::row::{Holding, Nulls};
use super::shape::{ShapeId, ShapeLibrary};
use super::state::{Junk, Kind, State};
use super::template::Ending;
use super::{Atom, Block, Content, Instance, Template};
use ir::{Program, Variable};
use logic::{LinearExpr, Var};
use std::collections::BTreeSet;

/// Names for the logical variables of a state.
#[derive(Clone, Debug)]
pub struct Names {
    names: Vec<String>,
}

impl Names {
    /// Names after the program variables that hold the values; depths are
    /// called k, l, …, other numbers n', addresses a', unknown values u'.
    #[must_use]
    pub fn of_state(state: &State, program: &Program) -> Self {
        let mut taken = BTreeSet::new();
        let mut names: Vec<Option<String>> = vec![None; state.vocabulary.len()];
        for (variable, value) in state.stores.iter().flatten() {
            if let Some(slot) = value.as_var().and_then(|value| names.get_mut(value.index()))
                && slot.is_none()
            {
                *slot = Some(unused(&mut taken, &name_of(program, *variable)));
            }
        }
        for atom in &state.heap.atoms {
            if let Atom::Instance(instance) = atom
                && let Some(slot) =
                    instance.depth.as_var().and_then(|depth| names.get_mut(depth.index()))
                && slot.is_none()
            {
                *slot = Some(unused(&mut taken, "k"));
            }
        }
        let names = names.into_iter().enumerate().map(|(index, name)| {
            name.unwrap_or_else(|| {
                let letter = match state.vocabulary.kind(Var::at(index)) {
                    Kind::Integer => "n'",
                    Kind::Address => "a'",
                    Kind::Unknown | Kind::Foreign => "u'",
                    Kind::Summary => "v'",
                };
                unused(&mut taken, letter)
            })
        });
        Self { names: names.collect() }
    }

    /// The name of a variable.
    #[must_use]
    pub fn name(&self, variable: Var) -> String {
        self.names.get(variable.index()).cloned().unwrap_or_else(|| format!("v{}", variable.0))
    }

    /// An expression in these names.
    #[must_use]
    pub fn expr(&self, expr: &LinearExpr) -> String {
        expr.display(&|variable| self.name(variable))
    }
}

/// The name of a program variable, or of a value that the analysis remembers.
#[must_use]
pub fn name_of(program: &Program, variable: Variable) -> String {
    match program.variables.get(variable.index()) {
        Some(info) => info.name.clone(),
        None => format!("$at{}", variable.index() - program.variables.len()),
    }
}

fn unused(taken: &mut BTreeSet<String>, wish: &str) -> String {
    let mut name = wish.to_owned();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        number += 1;
        name = format!("{wish}{number}");
    }
    name
}

/// One state as a formula.
#[must_use]
pub fn formula(state: &State, program: &Program, library: &ShapeLibrary) -> String {
    let names = Names::of_state(state, program);
    let mut pure: Vec<String> = Vec::new();
    for (variable, value) in state.stores.iter().flatten() {
        let (left, right) = (name_of(program, *variable), names.expr(value));
        if left != right {
            pure.push(format!("{left} = {right}"));
        }
    }
    for constraint in state.facts.numbers.constraints() {
        pure.push(constraint.display(&|variable| names.name(variable)));
    }
    for fact in &state.facts.nonzero {
        pure.push(format!("{} != 0", names.expr(fact)));
    }
    for product in &state.facts.products {
        let [left, right, value] =
            [&product.left, &product.right, &product.value].map(|it| names.expr(it));
        let factor =
            if product.factor.is_one() { String::new() } else { format!("{}*", product.factor) };
        let formed = format!("{factor}({left})*({right})");
        pure.push(match product.range {
            None => format!("{formed} = {value}"),
            Some(kind) => format!("({formed}) as {kind} = {value}"),
        });
    }
    let mut spatial: Vec<String> =
        state.heap.atoms.iter().map(|atom| print_atom(atom, &names, library)).collect();
    if state.junk != Junk::None {
        spatial.push("junk".to_owned());
    }
    if spatial.is_empty() {
        spatial.push("emp".to_owned());
    }
    pure.push(spatial.join(" * "));
    pure.join(" & ")
}

fn print_atom(atom: &Atom, names: &Names, library: &ShapeLibrary) -> String {
    match atom {
        Atom::Block(block) => print_block(block, names, library),
        Atom::Instance(instance) => print_instance(instance, names, library),
    }
}

fn print_block(block: &Block, names: &Names, library: &ShapeLibrary) -> String {
    let mut cells: Vec<String> = block
        .cells
        .iter()
        .map(|cell| format!("{}: {}", cell.offset, names.expr(&cell.value)))
        .collect();
    cells.extend(
        block.floats().map(|it| format!("[{}]: {}", names.expr(&it.offset), names.expr(&it.value))),
    );
    if let Some(segment) = &block.segment {
        let fields = segment.values.fields.iter();
        let fields: Vec<String> =
            fields.map(|field| format!("{}: {}", field.offset, names.name(field.value))).collect();
        let position = segment.values.position.map(|it| format!(" at {}", names.name(it)));
        let (first, end) = (segment.first, names.expr(&segment.end));
        cells.push(format!(
            "[{first} <= i < {end}]*{} {{ {}{} }}",
            segment.stride,
            fields.join(", "),
            position.unwrap_or_default()
        ));
    }
    for row in &block.rows {
        let (first, end) = (names.expr(&row.first), names.expr(&row.end));
        let held = row.holds.as_ref().map(|it| print_holding(it, library));
        let held = held.map(|it| match (row.is_of_any_size(), row.sizes.most()) {
            (true, _) => it,
            (false, None) => format!("{it}:{}..", names.expr(&row.room)),
            (false, Some(most)) => format!("{it}:{}..{most}", names.expr(&row.room)),
        });
        let held = match row.nulls {
            Nulls::Some => held.map_or("null".to_owned(), |it| format!("{it} or null")),
            Nulls::None => held.unwrap_or("none".to_owned()),
        };
        cells.push(format!("[{first} <= i < {end}]*{} + {}: {held}", row.stride, row.offset));
    }
    let rest = match block.content {
        Content::Arbitrary => "",
        Content::Zero => "; 0",
    };
    let (base, size) = (names.name(block.base), names.expr(&block.size));
    format!("{base} |-> {{ {}{rest} }}:{size}", cells.join(", "))
}

/// A shape, and whether its nodes hold text that ends: `cell..0`.
fn name_of_shape(shape: ShapeId, template: &Template, library: &ShapeLibrary) -> String {
    let ending = match template.ending {
        Ending::Zero => "..0",
        Ending::Any => "",
    };
    format!("{}{ending}", library.get(shape).name)
}

/// What an element owns: `ls{8: 0..}`.
fn print_holding(holding: &Holding, library: &ShapeLibrary) -> String {
    let end = |it: Option<i128>| it.map_or(String::new(), |it| it.to_string());
    let bounds = holding.bounds.iter();
    let bounds = bounds.map(|it| format!("{}: {}..{}", it.offset, end(it.least), end(it.greatest)));
    let bounds: Vec<String> = bounds.collect();
    let name = name_of_shape(holding.shape, &holding.template, library);
    if bounds.is_empty() { name } else { format!("{name}{{{}}}", bounds.join(", ")) }
}

fn print_instance(instance: &Instance, names: &Names, library: &ShapeLibrary) -> String {
    let arguments: Vec<String> =
        instance.arguments.iter().map(|argument| names.expr(argument)).collect();
    let depth = names.expr(&instance.depth);
    let name = name_of_shape(instance.shape, &instance.template, library);
    format!("{name}[{depth}]({}){}", arguments.join(", "), print_values(instance, names))
}

/// What the nodes hold: `{8: v' at n'}`.
fn print_values(instance: &Instance, names: &Names) -> String {
    let fields = instance.values.fields.iter();
    let fields: Vec<String> =
        fields.map(|field| format!("{}: {}", field.offset, names.name(field.value))).collect();
    match instance.values.position {
        _ if fields.is_empty() => String::new(),
        Some(position) => format!(" {{ {} at {} }}", fields.join(", "), names.name(position)),
        None => format!(" {{ {} }}", fields.join(", ")),
    }
}
