//! What the shapes of a file claim, tried on small heaps: lemmas, and that each
//! unfolding is complete. The definition of a shape is its first unfolding.
//!
//! This is no proof: a claim that is true of all heaps of a few nodes may be false of
//! larger ones. The shapes that come with wane are tried on more of them by its tests.

use super::Template;
use super::assertion::standard_template;
use super::definitions::{Definitions, PatternModel};
use super::graph::{Graph, LINK_BYTES, Link, lay_out};
use super::shape::{PatternAtom, Rule, ShapeDef, ShapeError, ShapeId, ShapeLibrary};
use super::small_models::{Most, any_instance, graphs_of};
use concrete::memory::{Memory, MemoryBlockId};
use logic::LinearExpr;
use std::collections::BTreeSet;

/// Heaps of so many nodes are tried,
const MAX_NODES: usize = 4;
/// or of fewer nodes where they have more links than this,
const FEW_LINKS: usize = 2;
/// and so many heaps a claim.
const MAX_HEAPS: usize = 4_000;

/// Tries what a shape claims.
///
/// # Errors
/// The first claim that is false, at its name, with a heap that shows it.
pub fn check(library: &ShapeLibrary, id: ShapeId) -> Result<(), ShapeError> {
    let shape = library.get(id);
    let trial = Trial {
        shape_library: library,
        id,
        shape,
        template: standard_template(shape, LINK_BYTES, library),
    };
    for rule in &shape.rules {
        if let Some(heap) = trial.against_rule(rule) {
            return Err(trial.error(&rule.name, &heap));
        }
    }
    match trial.against_unfoldings() {
        Some((anchor, heap)) => Err(trial.incomplete(anchor, &heap)),
        None => Ok(()),
    }
}

struct Trial<'a> {
    shape_library: &'a ShapeLibrary,
    id: ShapeId,
    shape: &'a ShapeDef,
    template: Template,
}

impl Trial<'_> {
    fn graphs(&self, atoms: &[PatternAtom], n_variables: usize) -> Vec<Graph> {
        let is_small = self.shape.labels.len() <= FEW_LINKS;
        let nodes = if is_small { MAX_NODES } else { MAX_NODES - 1 };
        let most = Most { nodes, heaps: MAX_HEAPS };
        graphs_of(atoms, n_variables, self.shape, self.shape_library, most)
    }

    /// A heap in which the left side of a rule holds, and no instance has the same
    /// nodes, in the same order if the rule says so.
    fn against_rule(&self, rule: &Rule) -> Option<Graph> {
        let left = rule.parts_in_order();
        let is_false = |graph: &Graph| {
            let mut memory = Memory::new(LINK_BYTES);
            if lay_out(&mut memory, graph).is_none() {
                return false;
            }
            let heap = Definitions { memory: &memory, shape_library: self.shape_library };
            let empty = PatternModel::empty(vec![None; rule.n_variables]);
            let models = heap.models_parts(&self.template, &left, empty, &nothing());
            models.iter().any(|parts| {
                let head = rule.head.iter();
                let arguments: Vec<Option<LinearExpr>> =
                    head.map(|term| term.value(&self.template, &parts.values)).collect();
                let whole = heap.models_instance(self.id, &self.template, &arguments, &nothing());
                let is_same = |whole: &PatternModel| {
                    let in_order = rule.order.is_none() || whole.nodes == parts.nodes;
                    whole.has_nodes_of(parts) && in_order
                };
                !whole.iter().any(is_same)
            })
        };
        self.graphs(&rule.left, rule.n_variables).into_iter().find(is_false)
    }

    /// A heap in which an instance holds, and no case of an unfolding, with the
    /// parameter of that.
    fn against_unfoldings(&self) -> Option<(usize, Graph)> {
        let n_parameters = self.shape.parameters.len();
        let atoms = [any_instance(self.id, self.shape)];
        let fails = |graph: &Graph| {
            let mut memory = Memory::new(LINK_BYTES);
            lay_out(&mut memory, graph)?;
            let heap = Definitions { memory: &memory, shape_library: self.shape_library };
            let unknown = vec![None; n_parameters];
            let models = heap.models_instance(self.id, &self.template, &unknown, &nothing());
            models.iter().find_map(|model| self.missing_at(&heap, model))
        };
        self.graphs(&atoms, n_parameters)
            .into_iter()
            .find_map(|graph| Some((fails(&graph)?, graph)))
    }

    /// The parameter of an unfolding of which no case holds in a model.
    fn missing_at(&self, heap: &Definitions<'_>, model: &PatternModel) -> Option<usize> {
        let holds = |anchor: usize| {
            let unfolding = self.shape.unfolding_at(anchor);
            unfolding.into_iter().flat_map(|it| &it.cases).any(|case| {
                let cases =
                    heap.models_case(anchor, case, &self.template, &model.values, &nothing());
                cases.iter().any(|case| case.has_nodes_of(model))
            })
        };
        self.shape.anchors().find(|anchor| !holds(*anchor))
    }

    fn error(&self, rule: &str, heap: &Graph) -> ShapeError {
        let syntax = &self.shape.syntax;
        let lemma = syntax.lemmas.iter().find(|lemma| lemma.name.text == rule);
        let name = lemma.map_or(&syntax.name, |lemma| &lemma.name);
        let what = if lemma.is_some() { "lemma" } else { "rule" };
        ShapeError::at(name, format!("the {what} `{rule}` is false where {}", self.describe(heap)))
    }

    fn incomplete(&self, anchor: usize, heap: &Graph) -> ShapeError {
        let parameter = &self.shape.parameters[anchor];
        let message =
            format!("no case at `{parameter}` fits the instance where {}", self.describe(heap));
        ShapeError::at(&self.shape.syntax.name, message)
    }

    fn describe(&self, heap: &Graph) -> String {
        let value = |link: &Link| match link {
            Link::Null => "0".to_owned(),
            Link::Elsewhere => "elsewhere".to_owned(),
            Link::Node(node) => format!("n{node}"),
            Link::Field(node, label) => format!("n{node}.{}", self.shape.labels[*label]),
        };
        let node = |(index, links): (usize, &Vec<Link>)| {
            let fields = links.iter().zip(&self.shape.labels);
            let fields: Vec<String> =
                fields.map(|(link, label)| format!("{label}: {}", value(link))).collect();
            format!("n{index} |-> {{ {} }}", fields.join(", "))
        };
        heap.iter().enumerate().map(node).collect::<Vec<_>>().join(" * ")
    }
}

fn nothing() -> BTreeSet<MemoryBlockId> {
    BTreeSet::new()
}
