//! Inductive shapes as data: what `shapes/*.shape` says, resolved.
//!
//! To add a shape, add a file to `shapes/` and a case to `tests/cases`; nothing
//! here changes. Unfolding, folding and depths are derived from the definition:
//! every case owns exactly one cell, so the *depth* of an instance is its number
//! of unfoldings, that is, of cells (CAV'06 §3 "Symbolic Heaps and Depths").

mod extend;
mod resolve;

use super::Template;
use base::typed_index;
use logic::LinearExpr;
use smallvec::SmallVec;
use wane_grammar::shape::ast;

typed_index!(
    /// A shape of the library.
    ShapeId
);

/// All shapes that an analysis may use, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct ShapeLibrary {
    shapes: Vec<ShapeDef>,
    n_builtin: usize,
}

/// One inductive predicate.
///
/// The shapes of one file are a *family*: their nodes lie in memory in the same
/// way, and a depth counts the nodes of all of them. Shapes of other files that
/// a definition uses have nodes of their own kind and depths of their own.
#[derive(Clone, Debug)]
pub struct ShapeDef {
    /// Its name.
    pub name: String,
    /// Its documentation, line by line.
    pub doc: Vec<String>,
    /// The first shape of its file: the same for a whole family.
    pub family: ShapeId,
    /// The family that it extends, or its own: how its cells are linked.
    pub trunk: ShapeId,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Names of the link fields of the family, in order of first appearance.
    pub labels: Vec<String>,
    /// The labels of addresses of other families' nodes, by position.
    pub owners: Vec<usize>,
    /// The labels of addresses that are the same in all nodes of an instance.
    pub shared: Vec<usize>,
    /// The shapes of other families that the definitions use.
    pub inner: Vec<ShapeId>,
    /// Ways to take an instance apart, each complete by itself.
    pub unfoldings: Vec<Unfolding>,
    /// Ways to put an instance together: one rule a case, one a lemma.
    pub rules: Vec<Rule>,
    /// How the definition was written.
    pub syntax: ast::Shape,
}

/// A complete case distinction on the cell that a parameter points at.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// The parameter that points at the cell.
    pub anchor: usize,
    /// The cases; one of them holds.
    pub cases: Vec<Case>,
}

/// One case: a cell at the anchor, the rest as instances, and equalities.
///
/// Variables are numbered: the parameters first, then the case's own.
#[derive(Clone, Debug)]
pub struct Case {
    /// How many variables there are.
    pub n_variables: usize,
    /// What each link of the cell holds, by label.
    pub links: Vec<Option<PatternTerm>>,
    /// The instances that make up the rest.
    pub instances: Vec<PatternInstance>,
    /// Equal terms.
    pub equalities: Vec<(PatternTerm, PatternTerm)>,
    /// Where the cell stands among the nodes.
    pub place: CellPlace,
}

/// Whether the nodes of a shape follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// They do, as in a list.
    Linear,
    /// They do not.
    None,
}

/// `left ⊢ head`: atoms that together make up an instance.
///
/// The depth of the head is the sum of the depths on the left, a cell counting 1.
#[derive(Clone, Debug)]
pub struct Rule {
    /// `case 2`, or the name of the lemma.
    pub name: String,
    /// How many variables there are.
    pub n_variables: usize,
    /// The atoms put together.
    pub left: Vec<PatternAtom>,
    /// The arguments of the instance that they make.
    pub head: Vec<PatternTerm>,
    /// The parts that own nodes of the shape, from the first node to the last;
    /// `None` where nodes have no order.
    pub order: Option<SmallVec<[usize; 2]>>,
}

/// Where the cell of a case stands among the nodes of the instance. The first
/// unfolding of a shape counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellPlace {
    /// It is the first node.
    First,
    /// It is the last node.
    Last,
    /// The nodes have no order.
    Unordered,
}

/// An atom of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternAtom {
    /// A node: its address and, by label, its links.
    Cell(PatternTerm, Vec<Option<PatternTerm>>),
    /// An instance of a shape.
    Instance(PatternInstance),
}

/// An instance in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternInstance {
    /// Which shape.
    pub shape: ShapeId,
    /// Its arguments.
    pub arguments: Vec<PatternTerm>,
    /// Whose nodes it has.
    pub kin: Kin,
}

/// Whose nodes an instance in a pattern has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kin {
    /// Those of the shape's own family.
    Family,
    /// Those of the shape with this position in [`ShapeDef::inner`].
    Inner(usize),
}

impl Kin {
    /// The position in [`ShapeDef::inner`], of nodes of another family.
    #[must_use]
    pub fn position(self) -> Option<usize> {
        match self {
            Self::Family => None,
            Self::Inner(position) => Some(position),
        }
    }
}

/// A term of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatternTerm {
    /// The variable with this number.
    Variable(usize),
    /// The address of a field, by label, of the node at the variable with this
    /// number.
    Field(usize, usize),
    /// The null address.
    Null,
}

/// What is wrong with a shape file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeError {
    /// What was wrong.
    pub message: String,
    /// Byte range in the file.
    pub range: std::ops::Range<usize>,
}

impl ShapeError {
    pub(super) fn at(name: &ast::Name, message: impl Into<String>) -> Self {
        Self { message: message.into(), range: name.start..name.end }
    }
}

/// File name and text of every file of `shapes/`, in name order.
const BUILTIN_SHAPES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shapes.rs"));

impl ShapeLibrary {
    /// The shapes that come with wane.
    ///
    /// # Errors
    /// The first embedded file that is not well-formed; the test suite shows
    /// that there is none.
    pub fn builtin() -> Result<Self, ShapeError> {
        let mut library = Self::default();
        for (_, text) in BUILTIN_SHAPES {
            library.add_file(text)?;
        }
        library.n_builtin = library.shapes.len();
        Ok(library)
    }

    /// Adds the shapes of a file. A file may use its own shapes and all that
    /// were added before.
    ///
    /// # Errors
    /// A [`ShapeError`] when the text does not parse, a name is unknown or
    /// defined twice, an arity is wrong, or a recursion is not well-founded.
    pub fn add_file(&mut self, text: &str) -> Result<(), ShapeError> {
        let file = wane_grammar::shape::parse_file(text).map_err(|error| ShapeError {
            message: error.message,
            range: error.start..error.end,
        })?;
        let mut scope: Vec<(String, usize)> =
            self.shapes.iter().map(|shape| (shape.name.clone(), shape.parameters.len())).collect();
        let shapes =
            file.shapes.iter().map(|shape| self.expanded(shape)).collect::<Result<Vec<_>, _>>()?;
        for shape in &shapes {
            if scope.iter().any(|(known, _)| *known == shape.name.text) {
                return Err(ShapeError::at(&shape.name, "a shape of this name exists already"));
            }
            scope.push((shape.name.text.clone(), shape.parameters.len()));
        }
        let resolved = resolve::resolve(&shapes, &scope, &self.shapes)?;
        self.shapes.extend(resolved);
        Ok(())
    }

    /// A definition without `extends`.
    fn expanded(&self, shape: &ast::Shape) -> Result<ast::Shape, ShapeError> {
        let Some(extension) = &shape.base else { return Ok(shape.clone()) };
        let known = self.shapes.iter().find(|known| known.name == extension.name.text);
        let Some(base) = known else {
            return Err(ShapeError::at(&extension.name, "no shape before has this name"));
        };
        extend::extended(shape, extension, &base.syntax)
    }

    /// The shape with this index.
    #[must_use]
    pub fn get(&self, id: ShapeId) -> &ShapeDef {
        &self.shapes[id.index()]
    }

    /// Whether nodes of the shape own blocks without links.
    #[must_use]
    pub fn owns_cells(&self, shape: &ShapeDef) -> bool {
        shape.inner.iter().any(|inner| self.get(*inner).labels.is_empty())
    }

    /// How many links the nodes have, at least, that nodes of the shape own.
    #[must_use]
    pub fn n_owned_links(&self, shape: &ShapeDef) -> usize {
        let inner = shape.inner.iter().map(|inner| self.get(*inner));
        inner.map(|inner| inner.labels.len() - inner.owners.len()).min().unwrap_or(0)
    }

    /// Whether the shape came with wane.
    #[must_use]
    pub fn is_builtin(&self, id: ShapeId) -> bool {
        id.index() < self.n_builtin
    }

    /// The shape with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<ShapeId> {
        self.shapes.iter().position(|shape| shape.name == name).map(ShapeId::at)
    }

    /// All shapes, those with the most links first: a doubly linked segment is
    /// tried before a singly linked one. Among those, the one whose nodes own
    /// nodes with the most links.
    pub fn by_specificity(&self) -> impl Iterator<Item = ShapeId> {
        let mut order: Vec<ShapeId> = (0..self.shapes.len()).map(ShapeId::at).collect();
        let n_owned = |shape: &ShapeDef| -> usize {
            shape.inner.iter().map(|inner| self.get(*inner).labels.len()).sum()
        };
        order.sort_by_key(|id| {
            let shape = self.get(*id);
            std::cmp::Reverse((shape.labels.len(), n_owned(shape)))
        });
        order.into_iter()
    }

    /// How many shapes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// All shapes in order of definition.
    pub fn iter(&self) -> impl Iterator<Item = &ShapeDef> {
        self.shapes.iter()
    }
}

impl ShapeDef {
    /// The unfolding at a parameter, if the shape has one there.
    #[must_use]
    pub fn unfolding_at(&self, parameter: usize) -> Option<&Unfolding> {
        self.unfoldings.iter().find(|unfolding| unfolding.anchor == parameter)
    }

    /// Whether the nodes follow each other.
    #[must_use]
    pub fn order(&self) -> Order {
        let mut cases = self.unfoldings.iter().flat_map(|unfolding| &unfolding.cases);
        let is_ordered = cases.all(|case| case.place != CellPlace::Unordered);
        if is_ordered { Order::Linear } else { Order::None }
    }

    /// Whether an instance may have more nodes than one.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        let cases = self.unfoldings.iter().flat_map(|unfolding| &unfolding.cases);
        let mut parts = cases.flat_map(|case| &case.instances);
        parts.any(|part| part.kin == Kin::Family)
    }

    /// How many links hold a family together.
    #[must_use]
    pub fn n_links(&self) -> usize {
        self.labels.len() - self.owners.len() - self.shared.len()
    }

    /// Whether nodes hold addresses of their own fields: of heads of lists in them.
    #[must_use]
    pub fn has_heads(&self) -> bool {
        self.holds_field(|node, anchor| node == anchor)
    }

    /// Whether nodes hold addresses of fields of other nodes.
    #[must_use]
    pub fn holds_places(&self) -> bool {
        self.holds_field(|node, anchor| node != anchor)
    }

    /// Whether a cell at an anchor holds a field's address of such a node.
    fn holds_field(&self, is_such: impl Fn(usize, usize) -> bool) -> bool {
        self.unfoldings.iter().any(|unfolding| {
            let mut terms = unfolding.cases.iter().flat_map(|case| case.links.iter().flatten());
            terms.any(|term| match term {
                PatternTerm::Field(node, _) => is_such(*node, unfolding.anchor),
                PatternTerm::Variable(_) | PatternTerm::Null => false,
            })
        })
    }

    /// The anchors, a bit each.
    #[must_use]
    pub fn anchor_mask(&self) -> u8 {
        self.anchors().fold(0, |mask, anchor| mask | 1 << anchor)
    }

    /// Whether its nodes have no links.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.labels.is_empty()
    }

    /// The parameters that always point at a cell of the instance.
    pub fn anchors(&self) -> impl Iterator<Item = usize> + '_ {
        self.unfoldings.iter().map(|unfolding| unfolding.anchor)
    }
}

impl Rule {
    /// The parts, those that own nodes of the shape in the order of the nodes.
    #[must_use]
    pub fn parts_in_order(&self) -> Vec<PatternAtom> {
        let Some(order) = &self.order else { return self.left.clone() };
        let others = (0..self.left.len()).filter(|part| !order.contains(part));
        order.iter().copied().chain(others).map(|part| self.left[part].clone()).collect()
    }

    /// Whether it makes an instance of a cell alone.
    #[must_use]
    pub fn is_lone_cell(&self) -> bool {
        matches!(self.left.as_slice(), [PatternAtom::Cell(..)])
    }

    /// Whether it makes an instance of a cell and what that owns.
    #[must_use]
    pub fn is_lone_owner(&self) -> bool {
        self.left.len() > 1 && self.is_lone_node()
    }

    /// Whether it makes an instance with one node: of a cell, and what that owns.
    #[must_use]
    pub fn is_lone_node(&self) -> bool {
        let is_owned = |part: &PatternAtom| match part {
            PatternAtom::Cell(..) => false,
            PatternAtom::Instance(instance) => instance.kin != Kin::Family,
        };
        let parts = self.left.split_first();
        parts.is_some_and(|(first, rest)| {
            matches!(first, PatternAtom::Cell(..)) && rest.iter().all(is_owned)
        })
    }
}

impl PatternTerm {
    /// The variable, if it is one.
    #[must_use]
    pub fn variable(self) -> Option<usize> {
        match self {
            Self::Variable(number) => Some(number),
            Self::Field(..) | Self::Null => None,
        }
    }

    /// What the term is worth in nodes of a template, if its variable has a value.
    #[must_use]
    pub fn value(self, template: &Template, values: &[Option<LinearExpr>]) -> Option<LinearExpr> {
        match self {
            Self::Null => Some(LinearExpr::zero()),
            Self::Variable(number) => values.get(number)?.clone(),
            Self::Field(number, label) => template.field_of(values.get(number)?.as_ref()?, label),
        }
    }

    /// What the term's variable is worth if the term is worth this; nothing for
    /// null.
    #[must_use]
    pub fn solved(self, template: &Template, value: &LinearExpr) -> Option<(usize, LinearExpr)> {
        match self {
            Self::Null => None,
            Self::Variable(number) => Some((number, value.clone())),
            Self::Field(number, label) => {
                let offset = template.offset_of(label)?;
                Some((number, value.add_constant(-offset)))
            }
        }
    }
}
