//! Resolves the names of a shape file.

use super::{
    Case, CellPlace, Kin, PatternAtom, PatternInstance, PatternTerm, Rule, ShapeDef, ShapeError,
    ShapeId, Unfolding,
};
use smallvec::{SmallVec, smallvec};
use wane_grammar::shape::ast;

/// Resolves the shapes of a file; `scope` has the names and arities of all that
/// it may use, its own at the end, `known` the definitions of the others.
pub(super) fn resolve(
    shapes: &[ast::Shape],
    scope: &[(String, usize)],
    known: &[ShapeDef],
) -> Result<Vec<ShapeDef>, ShapeError> {
    let labels = labels_of(shapes);
    let inner = inner_of(shapes, scope, known.len());
    let resolve = |shape| {
        let resolver = Resolver { scope, shape, labels: &labels, inner: &inner };
        resolver.resolve(known)
    };
    let mut resolved = shapes.iter().map(resolve).collect::<Result<Vec<ShapeDef>, _>>()?;
    // Nodes of a family lie in memory in the same way.
    let mut shared: Vec<usize> = resolved.iter().flat_map(|it| it.shared.clone()).collect();
    shared.sort_unstable();
    shared.dedup();
    resolved.iter_mut().for_each(|shape| shape.shared.clone_from(&shared));
    Ok(resolved)
}

/// The shapes of other files that these use, in order of first appearance.
fn inner_of(shapes: &[ast::Shape], scope: &[(String, usize)], n_known: usize) -> Vec<ShapeId> {
    let mut inner = Vec::new();
    let lemmas = shapes.iter().flat_map(|shape| &shape.lemmas).map(|lemma| &lemma.judgment.have);
    for item in cases_of(shapes).chain(lemmas).flat_map(|formula| &formula.items) {
        if let ast::Item::Instance { shape, .. } = item
            && let Some(id) = scope.iter().position(|(name, _)| *name == shape.text)
            && id < n_known
            && !inner.contains(&ShapeId::at(id))
        {
            inner.push(ShapeId::at(id));
        }
    }
    inner
}

fn cases_of(shapes: &[ast::Shape]) -> impl Iterator<Item = &ast::Formula> {
    shapes.iter().flat_map(|shape| &shape.unfoldings).flat_map(|unfolding| &unfolding.cases)
}

fn labels_of(shapes: &[ast::Shape]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    let cases = cases_of(shapes);
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
    labels: &'a [String],
    inner: &'a [ShapeId],
}

/// The parts of a formula, with its variables numbered.
struct Parts {
    names: Vec<String>,
    atoms: Vec<PatternAtom>,
    equalities: Vec<(PatternTerm, PatternTerm)>,
}

impl Resolver<'_> {
    fn resolve(&self, known: &[ShapeDef]) -> Result<ShapeDef, ShapeError> {
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
            family: ShapeId::at(known.len()),
            trunk: self.trunk(known),
            doc: self.shape.doc.clone(),
            parameters: self.parameter_names(),
            labels: self.labels.to_vec(),
            owners: self.owners(&unfoldings, known),
            shared: self.shared(&unfoldings),
            inner: self.inner.to_vec(),
            unfoldings,
            rules,
            syntax: self.shape.clone(),
        })
    }

    /// The labels of fields that point at nodes of other families.
    fn owners(&self, unfoldings: &[Unfolding], known: &[ShapeDef]) -> Vec<usize> {
        let is_anchor = |instance: &PatternInstance, term: PatternTerm| {
            instance.kin != Kin::Family
                && known.get(instance.shape.index()).is_some_and(|shape| {
                    shape.anchors().any(|anchor| instance.arguments.get(anchor) == Some(&term))
                })
        };
        let cases = || unfoldings.iter().flat_map(|unfolding| &unfolding.cases);
        let owns = |label: &usize| {
            cases().any(|case| {
                let term = case.links.get(*label).copied().flatten();
                term.is_some_and(|term| case.instances.iter().any(|it| is_anchor(it, term)))
            })
        };
        (0..self.labels.len()).filter(owns).collect()
    }

    /// The labels that hold the same parameter in every case, handed on to the rest.
    fn shared(&self, unfoldings: &[Unfolding]) -> Vec<usize> {
        let cases =
            || unfoldings.iter().flat_map(|it| it.cases.iter().map(move |case| (it.anchor, case)));
        let is_kept = |label: usize, parameter: usize| {
            cases().all(|(anchor, case)| {
                let term = Some(PatternTerm::Variable(parameter));
                let mut family = case.instances.iter().filter(|it| it.kin == Kin::Family);
                anchor != parameter
                    && case.links.get(label).copied().flatten() == term
                    && family.all(|it| it.arguments.get(parameter).copied() == term)
            })
        };
        let parameters = 0..self.shape.parameters.len();
        (0..self.labels.len()).filter(|it| parameters.clone().any(|p| is_kept(*it, p))).collect()
    }

    fn trunk(&self, known: &[ShapeDef]) -> ShapeId {
        let base = self
            .shape
            .base
            .as_ref()
            .and_then(|base| known.iter().find(|it| it.name == base.name.text));
        base.map_or(ShapeId::at(known.len()), |base| base.trunk)
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
        let is_linear = |case: &Case| {
            let mut family = case.instances.iter().filter(|it| it.kin == Kin::Family);
            family.next().is_none_or(|it| it.shape == own) && family.next().is_none()
        };
        if !cases().all(is_linear) {
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
        let same = |term: PatternTerm| {
            case.equalities
                .iter()
                .fold(term, |term, (keep, drop)| if term == *drop { *keep } else { term })
        };
        let unify = |term: PatternTerm| match term {
            PatternTerm::Field(root, label) => match same(PatternTerm::Variable(root)) {
                PatternTerm::Variable(root) => PatternTerm::Field(root, label),
                PatternTerm::Field(..) | PatternTerm::Null => term,
            },
            PatternTerm::Variable(_) | PatternTerm::Null => same(term),
        };
        let links = case.links.iter().map(|link| link.map(unify)).collect();
        let mut left = vec![PatternAtom::Cell(unify(PatternTerm::Variable(anchor)), links)];
        left.extend(case.instances.iter().map(|instance| {
            PatternAtom::Instance(PatternInstance {
                shape: instance.shape,
                arguments: instance.arguments.iter().copied().map(unify).collect(),
                kin: instance.kin,
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
                    if [left, right].iter().any(|it| matches!(it, PatternTerm::Field(..))) {
                        return Err(ShapeError::at(
                            &self.shape.name,
                            "an equality is one of names and 0",
                        ));
                    }
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
        let shape = ShapeId::at(id);
        let inner = self.inner.iter().position(|inner| *inner == shape);
        let kin = inner.map_or(Kin::Family, Kin::Inner);
        Ok(PatternAtom::Instance(PatternInstance { shape, arguments, kin }))
    }

    fn term(&self, term: &ast::Term, names: &mut Vec<String>) -> Result<PatternTerm, ShapeError> {
        match term.summands.as_slice() {
            [(0, None)] => Ok(PatternTerm::Null),
            [(1, Some(name))] => {
                let (value, label) = match name.text.split_once('.') {
                    Some((value, label)) => (value, Some(label)),
                    None => (name.text.as_str(), None),
                };
                let position = names.iter().position(|known| known == value);
                let number = position.unwrap_or_else(|| {
                    names.push(value.to_owned());
                    names.len() - 1
                });
                let Some(label) = label else { return Ok(PatternTerm::Variable(number)) };
                match self.labels.iter().position(|known| known == label) {
                    Some(label) => Ok(PatternTerm::Field(number, label)),
                    None => Err(ShapeError::at(name, "no case of the shape has this link")),
                }
            }
            _ => Err(ShapeError::at(&self.shape.name, "a term of a definition is a name or 0")),
        }
    }
}
