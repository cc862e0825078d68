//! A termination argument in terms of the source program: which loop ends
//! because of what.
//!
//! The argument speaks of abstract states and their logical variables. Here a
//! depth becomes "the length of the list from `c`", and a number the program
//! variable that holds it.

use super::{Location, LoopStory};
use crate::base::source::Span;
use crate::heap::state::State;
use crate::heap::{Atom, Instance, Region};
use crate::ir::cutpoint::CutSet;
use crate::ir::{MemoryKind, Program};
use crate::logic::{LinearExpr, Var};
use crate::sonar::place::{Place, Site};
use crate::verdict::{Certificate, CertifiedNode};
use std::collections::BTreeMap;

/// What decreases at each node of a certificate: expressions over the node's
/// variables, most significant first; none where nothing needs to.
pub type Measures = Vec<Vec<LinearExpr>>;

/// How many different measures of one loop are told.
const TOLD_MEASURES: usize = 3;

/// Why each loop that the argument meets ends, in the order of the source.
#[must_use]
pub fn loops(program: &Program, certificate: &Certificate, measures: &Measures) -> Vec<LoopStory> {
    let cuts: Vec<CutSet> = program.procedures.iter().map(CutSet::of_procedure).collect();
    let is_cutpoint = |site: Site| {
        site.command == 0 && cuts.get(site.procedure.index()).is_some_and(|cut_set| cut_set.contains(site.block))
    };
    let mut by_place: BTreeMap<&Place, Vec<Measure>> = BTreeMap::new();
    for (position, node) in certificate.nodes.iter().enumerate() {
        if node.steps.is_none() || !is_cutpoint(node.place.site()) {
            continue;
        }
        let told = by_place.entry(&node.place).or_default();
        let expressions = measures.get(position).map_or(&[][..], Vec::as_slice);
        told.extend(Measure::of_node(program, node, expressions));
    }
    let mut stories: Vec<LoopStory> =
        by_place.into_iter().map(|(place, measures)| story(program, place, measures)).collect();
    stories.sort();
    stories
}

fn story(program: &Program, place: &Place, measures: Vec<Measure>) -> LoopStory {
    let mut told: Vec<Measure> = Vec::new();
    for measure in measures {
        if !told.contains(&measure) {
            told.push(measure);
        }
    }
    let (text, explanation) = match told.as_slice() {
        [] => ("0".to_owned(), "it is never repeated".to_owned()),
        [only] => (only.text.clone(), only.explanation.clone()),
        several => several_cases(several),
    };
    let (last, callers) = place.sites.split_last().map_or((None, &[][..]), |(last, rest)| (Some(last), rest));
    let location = last.map_or(Span::NOWHERE, |site| span_of(program, *site));
    let function = last.map_or_else(String::new, |site| program.procedure(site.procedure).name.clone());
    let calls = callers.iter().map(|site| span_of(program, *site)).filter(|span| span.is_somewhere());
    LoopStory {
        location: Location::of_span(location, &program.sources),
        function,
        called_from: calls.map(|span| Location::of_span(span, &program.sources)).collect(),
        measure: text,
        explanation,
    }
}

/// Abstract states of one loop may need different measures.
fn several_cases(measures: &[Measure]) -> (String, String) {
    let texts: Vec<&str> = measures.iter().map(|measure| measure.text.as_str()).collect();
    let mut sentences: Vec<&str> =
        measures.iter().take(TOLD_MEASURES).map(|measure| measure.explanation.as_str()).collect();
    if measures.len() > TOLD_MEASURES {
        sentences.push("and so on");
    }
    (texts.join(" | "), format!("by cases: {}", sentences.join("; ")))
}

/// The place of a call, or of the branch that ends a block.
fn span_of(program: &Program, site: Site) -> Span {
    let block = program.procedure(site.procedure).block(site.block);
    match block.commands.get(site.command) {
        Some(instruction) if site.command > 0 || block.span == Span::NOWHERE => instruction.span,
        _ => block.span,
    }
}

/// What decreases at one node.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Measure {
    text: String,
    explanation: String,
}

impl Measure {
    /// The measure of a node, if it has one that is not constant.
    fn of_node(program: &Program, node: &CertifiedNode, expressions: &[LinearExpr]) -> Option<Self> {
        let quantities = Quantities { program, state: &node.state };
        let varying: Vec<&LinearExpr> = expressions.iter().filter(|it| it.as_constant().is_none()).collect();
        let texts: Vec<String> = varying.iter().map(|it| it.display(&|v| quantities.name(v))).collect();
        let clauses: Vec<String> = varying.iter().map(|it| quantities.clause(it)).collect();
        let (first, rest) = clauses.split_first()?;
        let mut explanation = first.clone();
        for clause in rest {
            explanation.push_str(", or that stays and ");
            explanation.push_str(clause);
        }
        let text = match texts.as_slice() {
            [only] => only.clone(),
            several => format!("({})", several.join(", ")),
        };
        Some(Self { text, explanation })
    }
}

/// Names the numbers of a state in the program's terms.
struct Quantities<'a> {
    program: &'a Program,
    state: &'a State,
}

impl Quantities<'_> {
    /// `… gets smaller`, as a clause.
    fn clause(&self, expression: &LinearExpr) -> String {
        let without_constant = expression.add_constant(-expression.constant_part().clone());
        if let Some(instance) = without_constant.as_var().and_then(|only| self.instance_of_depth(only)) {
            return match self.start_of(instance) {
                Some(start) => format!("the list from `{start}` gets shorter"),
                None => "a list gets shorter".to_owned(),
            };
        }
        format!("`{}` gets smaller", without_constant.display(&|variable| self.name(variable)))
    }

    /// What a person calls a number.
    fn name(&self, variable: Var) -> String {
        if let Some(name) = self.name_of_value(&LinearExpr::var(variable)) {
            return name;
        }
        if let Some(instance) = self.instance_of_depth(variable) {
            return match self.start_of(instance) {
                Some(start) => format!("length({start})"),
                None => format!("length{}", variable.0),
            };
        }
        format!("n{}'", variable.0)
    }

    fn instance_of_depth(&self, depth: Var) -> Option<&Instance> {
        self.state.heap.atoms.iter().find_map(|atom| match atom {
            Atom::Instance(instance) if instance.depth.as_var() == Some(depth) => Some(instance),
            Atom::Instance(_) | Atom::Block(_) => None,
        })
    }

    /// Who points at a node of the instance.
    fn start_of(&self, instance: &Instance) -> Option<String> {
        instance.anchors().find_map(|(_, address)| self.name_of_value(address))
    }

    /// The variable or field that holds a value, perhaps plus a constant.
    fn name_of_value(&self, value: &LinearExpr) -> Option<String> {
        self.variable_with(value).or_else(|| self.field_with(value))
    }

    /// The variable that holds a value; innermost frame first, the user's own
    /// before made-up ones.
    fn variable_with(&self, value: &LinearExpr) -> Option<String> {
        let stores = self.state.stores.iter().rev().flatten();
        let holders = stores.filter_map(|(variable, held)| {
            let name = &self.program.variable(*variable).name;
            let difference = value.sub(held).as_constant()?.to_i64()?;
            Some((name.contains('$'), difference != 0, plus(name, difference)))
        });
        holders.min_by_key(|(made_up, shifted, _)| (*made_up, *shifted)).map(|(_, _, text)| text)
    }

    /// The field of a known block that holds a value.
    fn field_with(&self, value: &LinearExpr) -> Option<String> {
        self.state.heap.atoms.iter().find_map(|atom| {
            let Atom::Block(block) = atom else { return None };
            let cell = block.cells.iter().find(|cell| cell.value == *value)?;
            let owner = self.variable_with(&LinearExpr::var(block.base))?;
            Some(field(&owner, block.region, cell.offset))
        })
    }
}

/// A C variable that lives in memory stands for its own first bytes.
fn field(owner: &str, region: Region, offset: i64) -> String {
    match (region.kind, offset) {
        (MemoryKind::Stack | MemoryKind::Static, 0) => owner.to_owned(),
        (MemoryKind::Stack | MemoryKind::Static, _) => format!("{owner}.[{offset}]"),
        (MemoryKind::Heap | MemoryKind::Alloca, _) => format!("{owner}->[{offset}]"),
    }
}

fn plus(name: &str, difference: i64) -> String {
    match difference {
        0 => name.to_owned(),
        1.. => format!("{name} + {difference}"),
        _ => format!("{name} - {}", difference.unsigned_abs()),
    }
}
