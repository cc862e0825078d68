//! The assertion language as states: `js = j & is = i & ls[j](y, x) * ls[i](x, 0)`.
//!
//! It is the language of `requires "…"` in `.goto` programs and of judgments.
//! Its meaning:
//!
//! * A name in scope of the procedure (a local, a parameter, a global) is that
//!   variable's value; any other name is a logical variable, existential and
//!   the same wherever it occurs.
//! * Names that atoms use as addresses are addresses, as are names equated with
//!   them; other names are integers, unless they are variables of pointer type.
//! * Nodes are heap blocks in the *standard template*: the `i`-th label of the
//!   shape lies at `i` addresses from the start, and there are no other bytes.
//!   A cell is a node of the shape with the fewest labels that has all of its
//!   own; labels that it does not give hold anything.
//! * An instance without a depth has some depth; all depths are at least 1.

use super::facts::Sat;
use super::shape::{ShapeDef, ShapeId, ShapeLibrary};
use super::state::{Junk, Kind, State};
use super::template::{Ending, Extent};
use super::values::NodeValues;
use super::{Atom, Block, Cell, Content, Instance, Region, Template};
use ir::links::Sort;
use ir::{MemoryKind, ProcedureId, Program, ScalarType, Variable};
use logic::{Constraint, LinearExpr, Var};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::Range;
use wane_grammar::shape::ast::{Comparison, Formula, Item, Name, Term};

/// A formula as a state.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The state.
    pub state: State,
    /// What each name stands for.
    pub names: BTreeMap<String, LinearExpr>,
}

/// What is wrong with an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssertionError {
    /// What is wrong, a sentence without its full stop.
    pub message: String,
    /// Byte range in the assertion's text; the whole when it has no one place.
    pub range: Option<Range<usize>>,
}

impl AssertionError {
    fn at(name: &Name, message: &str) -> Self {
        Self { message: message.to_owned(), range: Some(name.start..name.end) }
    }

    fn general(message: &str) -> Self {
        Self { message: message.to_owned(), range: None }
    }
}

/// The states before a procedure's first command that an assertion describes.
///
/// # Errors
/// When the text does not parse, a shape or label is unknown, a term has no
/// meaning, or no state satisfies the assertion.
pub fn parse(
    text: &str,
    program: &Program,
    procedure: ProcedureId,
    library: &ShapeLibrary,
) -> Result<Assertion, AssertionError> {
    let formula = wane_grammar::shape::parse_formula(text).map_err(|error| AssertionError {
        message: error.message,
        range: Some(error.start..error.end),
    })?;
    state_of(&formula, program, procedure, library)
}

/// As [`parse`], of a syntax tree.
///
/// # Errors
/// As there.
pub fn state_of(
    formula: &Formula,
    program: &Program,
    procedure: ProcedureId,
    library: &ShapeLibrary,
) -> Result<Assertion, AssertionError> {
    let mut translation = Translation {
        program,
        procedure,
        shape_library: library,
        state: State::initial(),
        variables: BTreeMap::new(),
        comparisons: Vec::new(),
    };
    let kinds = translation.kinds(formula);
    for (name, kind) in &kinds {
        translation.declare(name, *kind);
    }
    for item in &formula.items {
        translation.item(item)?;
    }
    translation.finish()
}

/// The template of a shape's nodes in assertions.
#[must_use]
pub fn standard_template(shape: &ShapeDef, pointer_bytes: u32, library: &ShapeLibrary) -> Template {
    let offsets = (0_i64..).map(|index| index * i64::from(pointer_bytes));
    let links: smallvec::SmallVec<[i64; 2]> =
        shape.labels.iter().zip(offsets).map(|(_, offset)| offset).collect();
    let size = i64::from(pointer_bytes) * i64::try_from(links.len()).unwrap_or(i64::MAX);
    let region = Region { kind: MemoryKind::Heap, frame: 0, sort: Sort::default() };
    let inner = shape.inner.iter().map(|inner| {
        let inner = standard_template(library.get(*inner), pointer_bytes, library);
        Template { size, ..inner }
    });
    let (selves, flags) = (SmallVec::new(), SmallVec::new());
    let (ending, extent, always) = (Ending::Any, Extent::Any, SmallVec::new());
    let inner = inner.collect();
    Template { size, root: 0, links, selves, flags, region, ending, extent, inner, always }
}

/// A formula on its way to a state.
struct Translation<'a> {
    program: &'a Program,
    procedure: ProcedureId,
    shape_library: &'a ShapeLibrary,
    state: State,
    variables: BTreeMap<String, Var>,
    /// Assumed when all atoms are there.
    comparisons: Vec<(LinearExpr, Comparison, LinearExpr)>,
}

impl Translation<'_> {
    /// What each name of the formula stands for.
    fn kinds(&self, formula: &Formula) -> BTreeMap<String, Kind> {
        let mut kinds = BTreeMap::new();
        for item in &formula.items {
            match item {
                Item::Cell { root, fields } => {
                    raise(&mut kinds, root, Kind::Address);
                    fields.iter().for_each(|(_, value)| raise(&mut kinds, value, Kind::Unknown));
                }
                Item::Instance { shape, depth, arguments } => {
                    depth.iter().for_each(|depth| raise(&mut kinds, depth, Kind::Integer));
                    let shape =
                        self.shape_library.find(&shape.text).map(|id| self.shape_library.get(id));
                    for (index, argument) in arguments.iter().enumerate() {
                        let is_anchor = shape
                            .is_some_and(|shape| shape.anchors().any(|anchor| anchor == index));
                        raise(
                            &mut kinds,
                            argument,
                            if is_anchor { Kind::Address } else { Kind::Unknown },
                        );
                    }
                }
                Item::Comparison { left, right, .. } => {
                    raise(&mut kinds, left, Kind::Integer);
                    raise(&mut kinds, right, Kind::Integer);
                }
                Item::Emp | Item::Junk => {}
            }
        }
        for (name, kind) in &mut kinds {
            let is_pointer = |it: Variable| self.program.variable(it).ty == ScalarType::Pointer;
            if *kind == Kind::Integer && self.in_scope(name).is_some_and(is_pointer) {
                *kind = Kind::Unknown;
            }
        }
        spread(formula, &mut kinds);
        kinds
    }

    /// The variable of this name that the procedure sees.
    fn in_scope(&self, name: &str) -> Option<Variable> {
        let variables =
            self.program.variables.iter().enumerate().filter(|(_, info)| info.name == name);
        let mut seen: Vec<(usize, Option<ProcedureId>)> =
            variables.map(|(index, info)| (index, info.owner)).collect();
        seen.retain(|(_, owner)| owner.is_none_or(|owner| owner == self.procedure));
        seen.sort_by_key(|(_, owner)| owner.is_none());
        seen.first().map(|(index, _)| Variable::at(*index))
    }

    fn declare(&mut self, name: &str, kind: Kind) {
        let variable = self.state.fresh(kind);
        self.variables.insert(name.to_owned(), variable);
        if let Some(program_variable) = self.in_scope(name) {
            let is_global = self.program.variable(program_variable).owner.is_none();
            self.state.set_in(usize::from(!is_global), program_variable, variable.into());
        }
    }

    fn term(&self, term: &Term) -> LinearExpr {
        let mut sum = LinearExpr::zero();
        for (factor, name) in &term.summands {
            let variable = name.as_ref().and_then(|name| self.variables.get(&name.text));
            sum = sum.add(&match variable {
                Some(variable) => LinearExpr::term(*variable, *factor),
                None => LinearExpr::constant(*factor),
            });
        }
        sum
    }

    fn item(&mut self, item: &Item) -> Result<(), AssertionError> {
        match item {
            Item::Cell { root, fields } => self.cell(root, fields),
            Item::Instance { shape, depth, arguments } => {
                self.instance(shape, depth.as_ref(), arguments)
            }
            Item::Comparison { left, operator, right } => {
                self.comparisons.push((self.term(left), *operator, self.term(right)));
                Ok(())
            }
            Item::Emp => Ok(()),
            Item::Junk => {
                self.state.junk = Junk::Some;
                Ok(())
            }
        }
    }

    fn cell(&mut self, root: &Term, fields: &[(Name, Term)]) -> Result<(), AssertionError> {
        let Some(base) = self.term(root).as_var() else {
            return Err(AssertionError::general("the address of a cell is a name"));
        };
        let (shape, template) = self.template_with(fields)?;
        let mut cells: smallvec::SmallVec<[Cell; 2]> = smallvec::SmallVec::new();
        for (label, value) in fields {
            let position = shape.labels.iter().position(|known| *known == label.text);
            let offset = position.and_then(|index| template.links.get(index));
            let Some(offset) =
                offset.filter(|offset| cells.iter().all(|cell| cell.offset != **offset))
            else {
                return Err(AssertionError::at(label, "this label stands here twice"));
            };
            cells.push(Cell { offset: *offset, ty: ScalarType::Pointer, value: self.term(value) });
        }
        cells.sort();
        let block = Block {
            base,
            size: template.size.into(),
            region: template.region,
            content: Content::Arbitrary,
            cells,
            floating: None,
            recent: Vec::new(),
            segment: None,
            rows: Vec::new(),
        };
        self.state.heap.atoms.push(Atom::Block(block));
        Ok(())
    }

    /// The shape whose nodes a cell with these labels is.
    fn template_with(
        &self,
        fields: &[(Name, Term)],
    ) -> Result<(&ShapeDef, Template), AssertionError> {
        let has_all = |shape: &&ShapeDef| {
            !shape.labels.is_empty()
                && fields.iter().all(|(label, _)| shape.labels.contains(&label.text))
        };
        let shape =
            self.shape_library.iter().filter(has_all).min_by_key(|shape| shape.labels.len());
        match (shape, fields.first()) {
            (Some(shape), _) => Ok((
                shape,
                standard_template(shape, self.program.pointer_bytes, self.shape_library),
            )),
            (None, Some((label, _))) => {
                Err(AssertionError::at(label, "no shape has nodes with these labels"))
            }
            (None, None) => Err(AssertionError::general("there are no shapes")),
        }
    }

    fn instance(
        &mut self,
        shape: &Name,
        depth: Option<&Term>,
        arguments: &[Term],
    ) -> Result<(), AssertionError> {
        let Some(id) = self.shape_library.find(&shape.text) else {
            return Err(AssertionError::at(shape, "no shape has this name"));
        };
        let depth = match depth {
            Some(depth) => self.term(depth),
            None => self.state.fresh(Kind::Integer).into(),
        };
        let instance = self.checked_instance(shape, id, arguments)?;
        if self.state.kind_of(&depth) != Kind::Integer {
            return Err(AssertionError::at(shape, "the depth of this instance is an address"));
        }
        self.comparisons.push((depth.clone(), Comparison::GreaterEqual, 1.into()));
        self.state.heap.atoms.push(Atom::Instance(Instance { depth, ..instance }));
        Ok(())
    }

    fn checked_instance(
        &self,
        name: &Name,
        id: ShapeId,
        arguments: &[Term],
    ) -> Result<Instance, AssertionError> {
        let shape = self.shape_library.get(id);
        if shape.parameters.len() != arguments.len() {
            let message = format!("this shape takes {} arguments", shape.parameters.len());
            return Err(AssertionError::at(name, &message));
        }
        let arguments: smallvec::SmallVec<[LinearExpr; 2]> =
            arguments.iter().map(|term| self.term(term)).collect();
        if shape.anchors().any(|anchor| arguments[anchor].as_constant().is_some()) {
            return Err(AssertionError::at(name, "null is no node: an instance has at least one"));
        }
        let template = standard_template(shape, self.program.pointer_bytes, self.shape_library);
        let values = NodeValues::default();
        let anchor_mask = shape.anchor_mask();
        let depth = LinearExpr::zero();
        Ok(Instance { shape: id, template, arguments, anchor_mask, depth, values })
    }

    /// Assumes the comparisons.
    fn finish(mut self) -> Result<Assertion, AssertionError> {
        // The names' values follow the substitutions that equations make, so
        // they travel as a store of their own.
        let names = self.variables.values().map(|variable| LinearExpr::var(*variable));
        let table = names.enumerate().map(|(index, value)| (Variable::at(index), value)).collect();
        self.state.stores.push(table);
        for (left, operator, right) in std::mem::take(&mut self.comparisons) {
            if self.assume(&left.sub(&right), operator).is_empty() {
                return Err(AssertionError::general("no state satisfies the assertion"));
            }
        }
        let table = self.state.stores.pop().unwrap_or_default();
        let names =
            self.variables.into_keys().zip(table.into_iter().map(|(_, value)| value)).collect();
        Ok(Assertion { state: self.state, names })
    }

    /// Adds `difference operator 0`. Numbers stay named: an equation between
    /// them is a constraint.
    fn assume(&mut self, difference: &LinearExpr, operator: Comparison) -> Sat {
        let state = &mut self.state;
        let value = difference.map(|variable| current(state, &self.variables, variable));
        let is_number = state.kind_of(&value) == Kind::Integer;
        match operator {
            Comparison::Equal if is_number => state.assume_constraint(Constraint::zero(value)),
            Comparison::Equal => state.assume_zero(&value),
            Comparison::NotEqual => state.assume_nonzero(&value),
            Comparison::Less => state.assume_at_most_zero(&value.add_constant(1)),
            Comparison::LessEqual => state.assume_at_most_zero(&value),
            Comparison::Greater => state.assume_at_most_zero(&value.neg().add_constant(1)),
            Comparison::GreaterEqual => state.assume_at_most_zero(&value.neg()),
        }
    }
}

/// What has become of a declared variable; depths that nobody named are not
/// declared and never replaced.
fn current(state: &State, variables: &BTreeMap<String, Var>, variable: Var) -> LinearExpr {
    let position = variables.values().position(|declared| *declared == variable);
    let table = state.stores.last();
    let entry = position.and_then(|index| table.and_then(|table| table.get(index)));
    entry.map_or_else(|| variable.into(), |(_, value)| value.clone())
}

/// Notes that the names of a term stand for at least this.
fn raise(kinds: &mut BTreeMap<String, Kind>, term: &Term, kind: Kind) {
    for name in term.summands.iter().filter_map(|(_, name)| name.as_ref()) {
        let known = kinds.entry(name.text.clone()).or_insert(Kind::Integer);
        *known = match (*known, kind) {
            (Kind::Address, _) | (_, Kind::Address) => Kind::Address,
            (Kind::Unknown | Kind::Foreign, _) | (_, Kind::Unknown | Kind::Foreign) => {
                Kind::Unknown
            }
            (Kind::Integer | Kind::Summary, Kind::Integer | Kind::Summary) => Kind::Integer,
        };
    }
}

/// A name equated or compared with an address is one.
fn spread(formula: &Formula, kinds: &mut BTreeMap<String, Kind>) {
    let alone = |term: &Term| match term.summands.as_slice() {
        [(1, Some(name))] => Some(name.text.clone()),
        _ => None,
    };
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for item in &formula.items {
            let Item::Comparison { left, right, .. } = item else { continue };
            let (Some(left), Some(right)) = (alone(left), alone(right)) else { continue };
            let is_number = |name: &String| kinds.get(name) == Some(&Kind::Integer);
            if is_number(&left) != is_number(&right) {
                let number = if is_number(&left) { left } else { right };
                kinds.insert(number, Kind::Unknown);
                has_changed = true;
            }
        }
    }
}

#[cfg(test)]
#[path = "assertion_tests.rs"]
mod tests;
