//! A termination argument in terms of the source program: which loop ends
//! because of what.
//!
//! The argument speaks of abstract states and their logical variables. Here a
//! depth becomes "the length of the list from `c`", and a number the program
//! variable that holds it.

use super::descent::{Descent, Parts, Steps};
use super::quantities::{Quantities, Times};
use super::{Location, LoopInvariant, LoopStory, Repetition};
use base::source::Span;
use descent::AffineFunction;
use evidence::certificate::Certificate;
use evidence::place::{Place, Site};
use heap::print::formula;
use heap::shape::ShapeLibrary;
use heap::state::{Kind, State};
use ir::cutpoint::{self, CutSet};
use ir::{BlockId, Program};
use logic::{LinearExpr, Var};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// How many different measures of one loop are told.
const TOLD_MEASURES: usize = 3;
/// The model that makes what `main` is given: its loops are none of the program.
const ARGUMENTS: &str = "argv";

/// Why each loop and each recursion that the argument meets ends, in the order of
/// the source.
#[must_use]
pub fn loops(
    program: &Program,
    library: &ShapeLibrary,
    certificate: &Certificate,
) -> Vec<LoopStory> {
    let cuts: Vec<CutSet> = program.procedures.iter().map(CutSet::of_procedure).collect();
    let heads: Vec<_> = program.procedures.iter().map(cutpoint::heads).collect();
    let is_cutpoint = |site: Site| {
        site.command == 0
            && cuts.get(site.procedure.index()).is_some_and(|cut_set| cut_set.contains(site.block))
    };
    let kind_of = |place: &Place| {
        let site = place.site()?;
        if place.is_entry() && site.procedure != program.entry {
            Some(Repetition::Recursion)
        } else {
            is_cutpoint(site).then_some(Repetition::Loop)
        }
    };
    let mut groups: BTreeMap<(Repetition, SmallVec<[Site; 3]>), Vec<usize>> = BTreeMap::new();
    let mut in_bodies: Vec<(SmallVec<[Site; 3]>, usize)> = Vec::new();
    for (position, node) in certificate.nodes.iter().enumerate() {
        if node.steps.is_none() || is_of_arguments(program, &node.place) {
            continue;
        }
        if let Some(kind) = kind_of(&node.place) {
            groups.entry((kind, node.place.sites.clone())).or_default().push(position);
        } else if let Some(sites) = head_around(&heads, &node.place) {
            in_bodies.push((sites, position));
        }
    }
    // A loop that is cut in its body has no states at its head, nor one whose head is gone as
    // nothing happens there.
    let cut_at_heads: BTreeSet<SmallVec<[Site; 3]>> =
        groups.keys().map(|(_, sites)| sites.clone()).collect();
    for (sites, position) in in_bodies {
        if !cut_at_heads.contains(&sites) {
            groups.entry((Repetition::Loop, sites)).or_default().push(position);
        }
    }
    let steps = Steps::of(certificate);
    let parts = Parts::of(certificate, &steps);
    let mut stories: Vec<LoopStory> = Vec::new();
    for ((kind, sites), nodes) in groups {
        let cells: Vec<(usize, usize)> =
            nodes.iter().flat_map(|node| steps.cells_of(*node)).collect();
        let measures = cells.iter().filter_map(|(node, cell)| {
            let own = parts.of_loop(&steps, &nodes, *cell);
            let descent = Descent::of_cell(certificate, *cell, &own);
            let times = Times {
                is_within: parts.are_within_others(*cell, &own),
                has_cases: cells.iter().filter(|(_, cell)| parts.comes_back(*cell)).count() > 1,
            };
            Measure::of((program, library), certificate, *node, (&descent, times))
        });
        let whole = story(program, kind, &sites, measures.collect());
        let calls = match kind {
            Repetition::Loop => BTreeSet::new(),
            Repetition::Recursion => steps.calls_into(certificate, &nodes),
        };
        if calls.is_empty() {
            stories.push(whole);
        }
        for call in calls {
            let descents = steps.descents_by(certificate, &nodes, call);
            let measures = descents.filter_map(|(node, descent)| {
                let times = Times { is_within: false, has_cases: nodes.len() > 1 };
                Measure::of((program, library), certificate, node, (&descent, times))
            });
            let of_call = story(program, kind, &sites, measures.collect());
            let location = Location::of_span(span_of_call(program, call), &program.sources);
            stories.push(LoopStory { location, ..of_call });
        }
    }
    stories.sort();
    stories.dedup_by(|again, first| {
        let is_same = LoopStory { measure: first.measure.clone(), ..again.clone() } == *first;
        if is_same && !first.measure.split(" | ").any(|it| it == again.measure) {
            first.measure = format!("{} | {}", first.measure, again.measure);
        }
        is_same
    });
    stories
}

/// Whether a place is in what makes the arguments of `main`.
fn is_of_arguments(program: &Program, place: &Place) -> bool {
    let mut procedures = place.sites.iter().map(|site| program.procedure(site.procedure));
    procedures.any(|it| it.is_of_library() && it.shown_name() == ARGUMENTS)
}

/// The head of the innermost loop around a place.
fn head_around(heads: &[Vec<Option<BlockId>>], place: &Place) -> Option<SmallVec<[Site; 3]>> {
    let site = place.site().filter(|site| site.command == 0)?;
    let head = heads.get(site.procedure.index())?.get(site.block.index()).copied().flatten()?;
    let mut sites = place.sites.clone();
    *sites.last_mut()? = Site { block: head, ..site };
    Some(sites)
}

/// The abstract states at the head of each loop, in the order of the source.
#[must_use]
pub fn invariants(
    program: &Program,
    library: &ShapeLibrary,
    certificate: &Certificate,
) -> Vec<LoopInvariant> {
    let cuts: Vec<CutSet> = program.procedures.iter().map(CutSet::of_procedure).collect();
    let mut loops: BTreeMap<(Location, String), Vec<String>> = BTreeMap::new();
    for node in certificate.nodes.iter().filter(|node| node.steps.is_some()) {
        let Some(site) = node.place.site() else { continue };
        let is_head = site.command == 0
            && cuts.get(site.procedure.index()).is_some_and(|set| set.contains(site.block));
        if !is_head || is_of_arguments(program, &node.place) {
            continue;
        }
        let location = Location::of_span(span_of(program, site), &program.sources);
        let function = program.procedure(site.procedure).shown_name().to_owned();
        let states = loops.entry((location, function)).or_default();
        let formula = formula(&node.state, program, library);
        if !states.contains(&formula) {
            states.push(formula);
        }
    }
    let one = |((location, function), states)| LoopInvariant { location, function, states };
    loops.into_iter().map(one).collect()
}

/// What a person calls the integers of a node, in the order of the ranked system.
pub(super) fn names_of_integers(program: &Program, state: &State) -> Vec<String> {
    let quantities = Quantities::of_state(program, state);
    state.vocabulary.of_kind(Kind::Integer).map(|number| quantities.name(number)).collect()
}

fn story(program: &Program, kind: Repetition, sites: &[Site], measures: Vec<Measure>) -> LoopStory {
    let measures = without_repetition(measures);
    let relations = measures.iter().flat_map(|measure| measure.relations.iter().cloned());
    let relations = without_repetition(relations.collect());
    let (text, explanation) = match measures.as_slice() {
        [] => ("0".to_owned(), "its rounds are followed one by one, and end".to_owned()),
        [only] => (only.text.clone(), only.explanation.clone()),
        several => several_cases(several),
    };
    let (last, callers) =
        sites.split_last().map_or((None, &[][..]), |(last, rest)| (Some(last), rest));
    let procedure = last.map(|site| program.procedure(site.procedure));
    let span = match kind {
        Repetition::Loop => last.map(|site| span_of(program, *site)),
        Repetition::Recursion => procedure.map(|procedure| procedure.span),
    };
    let is_users = |site: &&Site| !program.procedure(site.procedure).name.contains('$');
    let calls = callers.iter().filter(is_users).map(|site| span_of_call(program, *site));
    LoopStory {
        location: Location::of_span(span.unwrap_or(Span::NOWHERE), &program.sources),
        kind,
        function: procedure.map_or_else(String::new, |it| it.shown_name().to_owned()),
        called_from: calls.map(|span| Location::of_span(span, &program.sources)).collect(),
        measure: text,
        explanation,
        relations,
    }
}

fn without_repetition<T: PartialEq>(items: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(items.len());
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

/// Abstract states of one loop may need different measures.
fn several_cases(measures: &[Measure]) -> (String, String) {
    let texts: Vec<&str> = measures.iter().map(|measure| measure.text.as_str()).collect();
    let explanations = measures.iter().map(|measure| measure.explanation.as_str());
    let mut sentences = without_repetition(explanations.collect());
    if let [only] = sentences.as_slice() {
        return (texts.join(" | "), (*only).to_owned());
    }
    if sentences.len() > TOLD_MEASURES {
        sentences.truncate(TOLD_MEASURES);
        sentences.push("and so on");
    }
    (texts.join(" | "), format!("by cases: {}", sentences.join("; ")))
}

/// The place of a call, or of the branch that ends a block.
pub(super) fn span_of(program: &Program, site: Site) -> Span {
    let block = program.procedure(site.procedure).block(site.block);
    match block.commands.get(site.command) {
        Some(instruction) if site.command > 0 || block.span == Span::NOWHERE => instruction.span,
        _ => block.span,
    }
}

/// Where a call stands.
fn span_of_call(program: &Program, site: Site) -> Span {
    let block = program.procedure(site.procedure).block(site.block);
    block.commands.get(site.command).map_or(block.span, |call| call.span)
}

/// What decreases at one node.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Measure {
    text: String,
    explanation: String,
    relations: Vec<String>,
}

impl Measure {
    /// The measure of a descent at a node, if it has one that is not constant.
    fn of(
        (program, library): (&Program, &ShapeLibrary),
        certificate: &Certificate,
        node: usize,
        (descent, times): (&Descent<'_>, Times),
    ) -> Option<Self> {
        let state = &certificate.nodes.get(node)?.state;
        let variables: Vec<Var> = state.vocabulary.of_kind(Kind::Integer).collect();
        let quantities = Quantities::of_state(program, state);
        let mut relations = Vec::new();
        let mut parts_of = |all: &[&[AffineFunction]]| -> Vec<(String, String)> {
            let described = all.iter().filter_map(|functions| {
                let exprs = functions.iter().map(|function| function.of(&variables));
                let phases: Vec<LinearExpr> = exprs.map(|it| quantities.fixed(&it)).collect();
                let told = quantities.descent(&phases, library)?;
                relations
                    .extend(phases.iter().filter_map(|phase| quantities.relation(phase, times)));
                Some(told)
            });
            described.collect()
        };
        let (tuple, union) = (parts_of(&descent.tuple), parts_of(&descent.union));
        let relations = without_repetition(relations);
        let clauses = |parts: &[(String, String)], between: &str| {
            let clauses = parts.iter().map(|(_, clause)| clause.as_str()).collect();
            without_repetition(clauses).join(between)
        };
        let texts = |parts: &[(String, String)], [open, close]: [&str; 2]| {
            let texts: Vec<&str> = parts.iter().map(|(text, _)| text.as_str()).collect();
            match texts.as_slice() {
                [only] => (*only).to_owned(),
                several => format!("{open}{}{close}", several.join(", ")),
            }
        };
        let explanation = [clauses(&tuple, ", or that stays and "), clauses(&union, " or ")];
        let text = match (tuple.is_empty(), union.is_empty()) {
            (true, true) => return None,
            (false, true) => texts(&tuple, ["(", ")"]),
            (true, false) => texts(&union, ["{", "}"]),
            (false, false) => {
                format!("({}, {})", texts(&tuple, ["(", ")"]), texts(&union, ["{", "}"]))
            }
        };
        let explanation: Vec<String> =
            explanation.into_iter().filter(|clause| !clause.is_empty()).collect();
        let explanation = explanation.join(", or that stays and from one time to any later one ");
        let explanation = if tuple.is_empty() && union.len() > 1 {
            format!("from one time to any later one, {explanation}")
        } else {
            explanation
        };
        Some(Self { text, explanation, relations })
    }
}
