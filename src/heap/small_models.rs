//! All small heaps in which some atoms of a definition hold, made from the
//! definition: where a formula is false, a claim about it says nothing.

use super::graph::{Graph, Link};
use super::shape::{
    Case, Kin, PatternAtom, PatternInstance, PatternTerm, ShapeDef, ShapeId, ShapeLibrary,
};
use std::collections::BTreeMap;

/// Atoms taken apart into cells.
#[derive(Clone, Default)]
struct Sketch {
    n_variables: usize,
    cells: Vec<(PatternTerm, Vec<Option<PatternTerm>>)>,
    open: Vec<PatternInstance>,
    equalities: Vec<(PatternTerm, PatternTerm)>,
}

/// How many heaps are listed, and of what size.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Nodes of a heap.
    pub nodes: usize,
    /// Heaps; more may be listed, but no more are begun.
    pub heaps: usize,
}

/// The graphs of at most so many nodes in which the atoms hold together. Nodes
/// have as many links as the shape has labels; links without a meaning are null.
#[must_use]
pub fn graphs_of(
    atoms: &[PatternAtom],
    n_variables: usize,
    shape: &ShapeDef,
    library: &ShapeLibrary,
    most: Most,
) -> Vec<Graph> {
    let mut start = Sketch { n_variables, ..Sketch::default() };
    for atom in atoms {
        match atom {
            PatternAtom::Cell(root, links) => start.cells.push((*root, links.clone())),
            PatternAtom::Instance(instance) => start.open.push(instance.clone()),
        }
    }
    let mut sketches = vec![start];
    let mut found = Vec::new();
    while let Some(mut sketch) = sketches.pop() {
        if sketch.cells.len() + sketch.open.len() > most.nodes {
            continue;
        }
        if found.len() >= most.heaps {
            break;
        }
        match sketch.open.pop() {
            Some(instance) => sketches.extend(cases(&sketch, &instance, library)),
            None => found.extend(assignments(&sketch, shape.labels.len(), most.heaps)),
        }
    }
    found.sort();
    found.dedup();
    found
}

/// An instance of a shape with variables for arguments.
#[must_use]
pub fn any_instance(id: ShapeId, shape: &ShapeDef) -> PatternAtom {
    let arguments = (0..shape.parameters.len()).map(PatternTerm::Variable).collect();
    PatternAtom::Instance(PatternInstance { shape: id, arguments, kin: Kin::Family })
}

fn cases(sketch: &Sketch, instance: &PatternInstance, library: &ShapeLibrary) -> Vec<Sketch> {
    let unfolding = &library.get(instance.shape).unfoldings[0];
    let n_parameters = instance.arguments.len();
    let open_case = |case: &Case| {
        let mut next = sketch.clone();
        let first = next.n_variables;
        next.n_variables += case.n_variables - n_parameters;
        let variable = |number: usize| match number.checked_sub(n_parameters) {
            None => instance.arguments[number],
            Some(own) => PatternTerm::Variable(first + own),
        };
        let image = |term: PatternTerm| match term {
            PatternTerm::Null => PatternTerm::Null,
            PatternTerm::Variable(number) => variable(number),
            // The cell whose field it is has a variable for its address.
            PatternTerm::Field(number, label) => match variable(number) {
                PatternTerm::Variable(number) => PatternTerm::Field(number, label),
                PatternTerm::Field(..) | PatternTerm::Null => PatternTerm::Null,
            },
        };
        let links = case.links.iter().map(|link| link.map(image)).collect();
        next.cells.push((instance.arguments[unfolding.anchor], links));
        next.open.extend(case.instances.iter().map(|inner| PatternInstance {
            arguments: inner.arguments.iter().copied().map(image).collect(),
            ..inner.clone()
        }));
        let equalities = case.equalities.iter();
        next.equalities.extend(equalities.map(|(left, right)| (image(*left), image(*right))));
        next
    };
    unfolding.cases.iter().map(open_case).collect()
}

/// All graphs that a sketch without open instances stands for: node `i` is its
/// cell `i`.
fn assignments(sketch: &Sketch, n_links: usize, most: usize) -> Vec<Graph> {
    let mut classes: Vec<usize> = (0..=sketch.n_variables).collect();
    let null = sketch.n_variables;
    let number = |term: PatternTerm| match term {
        PatternTerm::Variable(number) | PatternTerm::Field(number, _) => number,
        PatternTerm::Null => null,
    };
    for (left, right) in &sketch.equalities {
        let (left, right) = (classes[number(*left)], classes[number(*right)]);
        classes.iter_mut().filter(|class| **class == left).for_each(|class| *class = right);
    }
    let mut known = BTreeMap::from([(classes[null], Link::Null)]);
    for (node, (root, _)) in sketch.cells.iter().enumerate() {
        if known.insert(classes[number(*root)], Link::Node(node)).is_some() {
            return Vec::new();
        }
    }
    let values = [Link::Null, Link::Elsewhere];
    let values: Vec<Link> =
        values.into_iter().chain((0..sketch.cells.len()).map(Link::Node)).collect();
    let used = sketch.cells.iter().flat_map(|(_, links)| links.iter().flatten());
    let mut free: Vec<usize> =
        used.map(|term| classes[number(*term)]).filter(|it| !known.contains_key(it)).collect();
    free.sort_unstable();
    free.dedup();
    let mut tables = vec![known];
    for class in free {
        let with = |table: &BTreeMap<usize, Link>, value: &Link| {
            let mut longer = table.clone();
            longer.insert(class, *value);
            longer
        };
        let longer = tables.iter().flat_map(|table| values.iter().map(|it| with(table, it)));
        tables = longer.take(most).collect();
    }
    let node = |table: &BTreeMap<usize, Link>, links: &[Option<PatternTerm>]| {
        let value = |link: &Option<PatternTerm>| {
            link.map_or(Link::Null, |term| match (term, table[&classes[number(term)]]) {
                (PatternTerm::Field(_, label), Link::Node(node)) => Link::Field(node, label),
                (_, value) => value,
            })
        };
        let mut all: Vec<Link> = links.iter().map(value).collect();
        all.resize(n_links, Link::Null);
        all
    };
    let graph = |table: &BTreeMap<usize, Link>| {
        sketch.cells.iter().map(|(_, links)| node(table, links)).collect()
    };
    tables.iter().map(graph).collect()
}
