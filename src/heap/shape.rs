//! Inductive shapes as data: what `shapes/*.shape` says, resolved.
//!
//! To add a shape, add a file to `shapes/` and a case to `tests/cases`; nothing
//! here changes. Unfolding, folding and depths are derived from the definition:
//! every case owns exactly one cell, so the *depth* of an instance is its number
//! of unfoldings, that is, of cells (CAV'06 §3 "Symbolic Heaps and Depths").

use crate::typed_index;
use smallvec::{SmallVec, smallvec};
use wane_grammar::shape::ast;

typed_index!(
    /// A shape of the library.
    ShapeId
);

/// All shapes that an analysis may use, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct ShapeLibrary {
    shapes: Vec<ShapeDef>,
}

/// One inductive predicate.
#[derive(Clone, Debug)]
pub struct ShapeDef {
    /// Its name.
    pub name: String,
    /// Its documentation, line by line.
    pub doc: Vec<String>,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Names of the link fields, in order of first appearance.
    pub labels: Vec<String>,
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
}

/// A term of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternTerm {
    /// The variable with this number.
    Variable(usize),
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
    fn at(name: &ast::Name, message: impl Into<String>) -> Self {
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
        for shape in &file.shapes {
            if scope.iter().any(|(known, _)| *known == shape.name.text) {
                return Err(ShapeError::at(&shape.name, "a shape of this name exists already"));
            }
            scope.push((shape.name.text.clone(), shape.parameters.len()));
        }
        for shape in file.shapes {
            let resolved =
                Resolver { scope: &scope, shape: &shape, labels: labels_of(&shape) }.resolve()?;
            self.shapes.push(resolved);
        }
        Ok(())
    }

    /// The shape with this index.
    #[must_use]
    pub fn get(&self, id: ShapeId) -> &ShapeDef {
        &self.shapes[id.index()]
    }

    /// The shape with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<ShapeId> {
        self.shapes.iter().position(|shape| shape.name == name).map(ShapeId::at)
    }

    /// All shapes, those with the most links first: a doubly linked segment is
    /// tried before a singly linked one.
    pub fn by_specificity(&self) -> impl Iterator<Item = ShapeId> {
        let mut order: Vec<ShapeId> = (0..self.shapes.len()).map(ShapeId::at).collect();
        order.sort_by_key(|id| std::cmp::Reverse(self.get(*id).labels.len()));
        order.into_iter()
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

    /// The parameters that always point at a cell of the instance.
    pub fn anchors(&self) -> impl Iterator<Item = usize> + '_ {
        self.unfoldings.iter().map(|unfolding| unfolding.anchor)
    }
}

impl PatternTerm {
    /// The variable, if it is one.
    #[must_use]
    pub fn variable(self) -> Option<usize> {
        match self {
            Self::Variable(number) => Some(number),
            Self::Null => None,
        }
    }
}

fn labels_of(shape: &ast::Shape) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    let cases = shape.unfoldings.iter().flat_map(|unfolding| &unfolding.cases);
    for item in cases.flat_map(|case| &case.items) {
        if let ast::Item::Cell { fields, .. } = item {
            for (label, _) in fields {
                if !labels.contains(&label.text) {
                    labels.push(label.text.clone());
                }
            }
        }
    }
    labels
}

/// The parts of a rule that own nodes, from the first node to the last.
fn order_of(rule: &Rule, own: ShapeId, first: usize) -> Option<SmallVec<[usize; 2]>> {
    let start = |part: &PatternAtom| match part {
        PatternAtom::Cell(root, _) => Some(*root),
        PatternAtom::Instance(instance) if instance.shape == own => {
            instance.arguments.get(first).copied()
        }
        PatternAtom::Instance(_) => None,
    };
    let parts: Vec<(usize, PatternTerm)> = rule
        .left
        .iter()
        .enumerate()
        .filter_map(|(index, part)| Some((index, start(part)?)))
        .collect();
    let begins = |term: PatternTerm| rule.head.get(first) == Some(&term);
    match parts.as_slice() {
        [(only, _)] => Some(smallvec![*only]),
        [(one, start), (other, next)] if begins(*start) && !begins(*next) => {
            Some(smallvec![*one, *other])
        }
        [(other, next), (one, start)] if begins(*start) && !begins(*next) => {
            Some(smallvec![*one, *other])
        }
        _ => None,
    }
}

/// Resolves the names of one shape.
struct Resolver<'a> {
    scope: &'a [(String, usize)],
    shape: &'a ast::Shape,
    labels: Vec<String>,
}

/// The parts of a formula, with its variables numbered.
struct Parts {
    names: Vec<String>,
    atoms: Vec<PatternAtom>,
    equalities: Vec<(PatternTerm, PatternTerm)>,
}

impl Resolver<'_> {
    fn resolve(&self) -> Result<ShapeDef, ShapeError> {
        let mut unfoldings = Vec::new();
        let mut rules = Vec::new();
        for unfolding in &self.shape.unfoldings {
            let anchor = self.parameter(&unfolding.anchor)?;
            let mut cases = Vec::new();
            for formula in &unfolding.cases {
                let case = self.case(formula, anchor, &unfolding.anchor)?;
                rules.push(self.rule_of_case(&case, anchor, rules.len() + 1));
                cases.push(case);
            }
            unfoldings.push(Unfolding { anchor, cases });
        }
        for lemma in &self.shape.lemmas {
            rules.push(self.rule_of_lemma(lemma)?);
        }
        self.find_orders(&mut unfoldings, &mut rules);
        Ok(ShapeDef {
            name: self.shape.name.text.clone(),
            doc: self.shape.doc.clone(),
            parameters: self.parameter_names(),
            labels: self.labels.clone(),
            unfoldings,
            rules,
            syntax: self.shape.clone(),
        })
    }

    fn parameter_names(&self) -> Vec<String> {
        self.shape.parameters.iter().map(|name| name.text.clone()).collect()
    }

    fn parameter(&self, name: &ast::Name) -> Result<usize, ShapeError> {
        let position = self.shape.parameters.iter().position(|other| other.text == name.text);
        position.ok_or_else(|| ShapeError::at(name, "this is not a parameter of the shape"))
    }

    /// A case owns exactly the cell at the anchor: that is what makes the
    /// recursion well-founded, for each unfolding takes a cell away.
    fn case(
        &self,
        formula: &ast::Formula,
        anchor: usize,
        place: &ast::Name,
    ) -> Result<Case, ShapeError> {
        let parts = self.parts(formula, self.parameter_names())?;
        let mut cell = None;
        let mut instances = Vec::new();
        for atom in parts.atoms {
            match atom {
                PatternAtom::Cell(PatternTerm::Variable(root), links)
                    if root == anchor && cell.is_none() =>
                {
                    cell = Some(links);
                }
                PatternAtom::Cell(..) => {
                    return Err(ShapeError::at(
                        place,
                        "a case may have one cell only, at its anchor",
                    ));
                }
                PatternAtom::Instance(instance) => instances.push(instance),
            }
        }
        let links = cell.ok_or_else(|| {
            ShapeError::at(
                place,
                "a case needs a cell at its anchor: the recursion would not be well-founded",
            )
        })?;
        let equalities = parts.equalities;
        let n_variables = parts.names.len();
        Ok(Case { n_variables, links, instances, equalities, place: CellPlace::Unordered })
    }

    /// The shape's own place in the library.
    fn own(&self) -> Option<ShapeId> {
        self.scope.iter().position(|(name, _)| *name == self.shape.name.text).map(ShapeId::at)
    }

    /// Finds out how the parts of each rule follow each other: the part that
    /// begins where the whole does is the first. Where a case has several
    /// instances of the shape, its nodes have no order.
    fn find_orders(&self, unfoldings: &mut [Unfolding], rules: &mut [Rule]) {
        let Some((own, first)) = self.own().zip(unfoldings.first().map(|first| first.anchor))
        else {
            return;
        };
        let cases = || unfoldings.iter().flat_map(|unfolding| &unfolding.cases);
        let n_own = |case: &Case| case.instances.iter().filter(|it| it.shape == own).count();
        if cases().any(|case| n_own(case) > 1) {
            return;
        }
        for rule in rules.iter_mut() {
            rule.order = order_of(rule, own, first);
        }
        let cases = unfoldings.iter_mut().flat_map(|unfolding| &mut unfolding.cases);
        for (case, rule) in cases.zip(rules) {
            // The cell is the first part of a rule that comes from a case.
            case.place = match rule.order.as_deref() {
                Some([0, ..]) => CellPlace::First,
                Some([.., 0]) => CellPlace::Last,
                _ => CellPlace::Unordered,
            };
        }
    }

    fn rule_of_case(&self, case: &Case, anchor: usize, number: usize) -> Rule {
        let unify = |term: PatternTerm| {
            case.equalities
                .iter()
                .fold(term, |term, (keep, drop)| if term == *drop { *keep } else { term })
        };
        let links = case.links.iter().map(|link| link.map(unify)).collect();
        let mut left = vec![PatternAtom::Cell(unify(PatternTerm::Variable(anchor)), links)];
        left.extend(case.instances.iter().map(|instance| {
            PatternAtom::Instance(PatternInstance {
                shape: instance.shape,
                arguments: instance.arguments.iter().copied().map(unify).collect(),
            })
        }));
        let head =
            (0..self.shape.parameters.len()).map(|p| unify(PatternTerm::Variable(p))).collect();
        let name = format!("case {number}");
        Rule { name, n_variables: case.n_variables, left, head, order: None }
    }

    fn rule_of_lemma(&self, lemma: &ast::Lemma) -> Result<Rule, ShapeError> {
        let have = self.parts(&lemma.judgment.have, Vec::new())?;
        let n_left = have.names.len();
        let want = self.parts(&lemma.judgment.want, have.names)?;
        let own = self.own();
        let refuse = |why: &str| Err(ShapeError::at(&lemma.name, why));
        let [PatternAtom::Instance(head)] = want.atoms.as_slice() else {
            return refuse("the right side of a lemma is one instance of the shape");
        };
        if Some(head.shape) != own || !want.equalities.is_empty() || !have.equalities.is_empty() {
            return refuse(
                "the right side of a lemma is one instance of the shape, without equalities",
            );
        }
        if want.names.len() > n_left {
            return refuse("a name on the right side does not occur on the left side");
        }
        Ok(Rule {
            name: lemma.name.text.clone(),
            n_variables: n_left,
            left: have.atoms,
            head: head.arguments.clone(),
            order: None,
        })
    }

    fn parts(&self, formula: &ast::Formula, names: Vec<String>) -> Result<Parts, ShapeError> {
        let mut parts = Parts { names, atoms: Vec::new(), equalities: Vec::new() };
        for item in &formula.items {
            match item {
                ast::Item::Cell { root, fields } => {
                    let root = self.term(root, &mut parts.names)?;
                    let mut links = vec![None; self.labels.len()];
                    for (label, value) in fields {
                        let Some(slot) = self.labels.iter().position(|known| *known == label.text)
                        else {
                            return Err(ShapeError::at(
                                label,
                                "no case of the shape has this link",
                            ));
                        };
                        links[slot] = Some(self.term(value, &mut parts.names)?);
                    }
                    parts.atoms.push(PatternAtom::Cell(root, links));
                }
                ast::Item::Instance { shape, depth, arguments } => {
                    parts.atoms.push(self.instance(
                        shape,
                        depth.as_ref(),
                        arguments,
                        &mut parts.names,
                    )?);
                }
                ast::Item::Comparison { left, operator: ast::Comparison::Equal, right } => {
                    let left = self.term(left, &mut parts.names)?;
                    let right = self.term(right, &mut parts.names)?;
                    parts.equalities.push((left, right));
                }
                ast::Item::Emp => {}
                ast::Item::Comparison { .. } | ast::Item::Junk => {
                    return Err(ShapeError::at(
                        &self.shape.name,
                        "a definition is made of cells, instances and equalities",
                    ));
                }
            }
        }
        Ok(parts)
    }

    fn instance(
        &self,
        shape: &ast::Name,
        depth: Option<&ast::Term>,
        arguments: &[ast::Term],
        names: &mut Vec<String>,
    ) -> Result<PatternAtom, ShapeError> {
        let Some(id) = self.scope.iter().position(|(name, _)| *name == shape.text) else {
            return Err(ShapeError::at(shape, "no shape has this name"));
        };
        if self.scope[id].1 != arguments.len() {
            let expected = self.scope[id].1;
            return Err(ShapeError::at(shape, format!("this shape takes {expected} arguments")));
        }
        if depth.is_some() {
            return Err(ShapeError::at(shape, "depths add up by themselves: leave them out"));
        }
        let arguments =
            arguments.iter().map(|term| self.term(term, names)).collect::<Result<_, _>>()?;
        Ok(PatternAtom::Instance(PatternInstance { shape: ShapeId::at(id), arguments }))
    }

    fn term(&self, term: &ast::Term, names: &mut Vec<String>) -> Result<PatternTerm, ShapeError> {
        match term.summands.as_slice() {
            [(0, None)] => Ok(PatternTerm::Null),
            [(1, Some(name))] => {
                let position = names.iter().position(|known| *known == name.text);
                Ok(PatternTerm::Variable(position.unwrap_or_else(|| {
                    names.push(name.text.clone());
                    names.len() - 1
                })))
            }
            _ => Err(ShapeError::at(&self.shape.name, "a term of a definition is a name or 0")),
        }
    }
}
