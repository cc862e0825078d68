//! A termination argument in terms of the source program: which loop ends
//! because of what.
//!
//! The argument speaks of abstract states and their logical variables. Here a
//! depth becomes "the length of the list from `c`", and a number the program
//! variable that holds it.

use super::descent::{Descent, Steps, components_of_loop};
use super::{Location, LoopInvariant, LoopStory, Repetition};
use base::source::Span;
use descent::AffineFunction;
use evidence::certificate::Certificate;
use evidence::place::{Place, Site};
use heap::print::{formula, name_of};
use heap::shape::{Order, ShapeLibrary};
use heap::state::{Kind, State};
use heap::{Atom, FloatingCell, Instance, Region};
use ir::cutpoint::{self, CutSet};
use ir::forms::{FormId, Part};
use ir::{BlockId, MemoryKind, Program};
use logic::equalities::Equalities;
use logic::{Integer, LinearExpr, Var};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How many different measures of one loop are told.
const TOLD_MEASURES: usize = 3;
/// The model that makes what `main` is given: its loops are none of the program.
const ARGUMENTS: &str = "argv";
/// How a whole number changes that gets smaller or larger.
const LATER: &str = "by at least 1 at any later time";
/// How many fields a name may follow: `x->next->next`.
const MAX_STEPS: u32 = 2;

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
    let mut stories: Vec<LoopStory> = Vec::new();
    for ((kind, sites), nodes) in groups {
        let parts = components_of_loop(certificate, &steps.ends(), &nodes);
        let cells = nodes.iter().flat_map(|node| steps.cells_of(*node));
        let measures = cells.filter_map(|(node, cell)| {
            let descent = Descent::of_cell(certificate, cell, &parts);
            Measure::of((program, library), certificate, node, &descent)
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
                Measure::of((program, library), certificate, node, &descent)
            });
            let of_call = story(program, kind, &sites, measures.collect());
            let location = Location::of_span(span_of_call(program, call), &program.sources);
            stories.push(LoopStory { location, ..of_call });
        }
    }
    stories.sort();
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
        descent: &Descent<'_>,
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
                relations.extend(phases.iter().filter_map(|phase| quantities.relation(phase)));
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

/// Names the numbers of a state in the program's terms.
struct Quantities<'a> {
    program: &'a Program,
    state: &'a State,
    /// What the numbers equal each other in.
    equalities: Equalities,
}

impl<'a> Quantities<'a> {
    fn of_state(program: &'a Program, state: &'a State) -> Self {
        let mut equalities = Equalities::default();
        for constraint in state.facts.numbers.equalities() {
            equalities.add(constraint.expr());
        }
        Self { program, state, equalities }
    }

    /// The difference of two values, if it is always the same.
    fn difference(&self, left: &LinearExpr, right: &LinearExpr) -> Option<i64> {
        let (reduced, scale) = self.equalities.reduce(&left.sub(right));
        let constant = reduced.as_constant()?;
        scale.divides(constant).then(|| constant.div_exact(&scale).to_i64())?
    }

    /// The expression without numbers that are always the same.
    fn fixed(&self, expression: &LinearExpr) -> LinearExpr {
        expression.map(|variable| {
            let value = LinearExpr::var(variable);
            match self.difference(&value, &LinearExpr::zero()) {
                Some(number) => LinearExpr::constant(number),
                None => value,
            }
        })
    }

    /// The pairs of states s and later t in which a function decreases that was not
    /// negative, in words. Nothing for a constant.
    fn relation(&self, function: &LinearExpr) -> Option<String> {
        let terms = function.terms();
        let factor = terms.iter().fold(Integer::ZERO, |gcd, (_, number)| gcd.gcd(number));
        if factor.is_zero() {
            return None;
        }
        // f = factor * e + constant >= 0, for integers.
        let bound = function.constant_part().div_floor(&factor);
        let divided = terms.iter().map(|(variable, number)| (*variable, number.div_exact(&factor)));
        let e = LinearExpr::from_terms(divided, Integer::ZERO);
        if e.terms().iter().all(|(_, number)| number.is_negative()) {
            let name = quoted(&self.expression(&e.neg()));
            return Some(format!("{name} is at most {bound} here, and larger {LATER}"));
        }
        let name = quoted(&self.expression(&e));
        Some(format!("{name} is at least {} here, and smaller {LATER}", -bound))
    }

    /// What decreases, as an expression and as a clause; nothing if it is
    /// constant. Several functions are phases: the next one decreases as soon as
    /// those before are negative.
    fn descent(&self, phases: &[LinearExpr], library: &ShapeLibrary) -> Option<(String, String)> {
        if let [only] = phases {
            let clause = self.clause(only, library);
            return only.as_constant().is_none().then(|| (self.expression(only), clause));
        }
        let texts: Vec<String> = phases.iter().map(|it| self.expression(it)).collect();
        let clauses: Vec<String> = phases.iter().map(|it| self.clause(it, library)).collect();
        let clauses = format!("in phases, {}", clauses.join(", then "));
        (!phases.is_empty()).then(|| (format!("<{}>", texts.join(", ")), clauses))
    }

    /// `… gets smaller`, as a clause. What is added to a measure, and what it is
    /// multiplied by, does not matter here.
    fn clause(&self, measure: &LinearExpr, library: &ShapeLibrary) -> String {
        let factor =
            measure.terms().iter().fold(Integer::from(0), |gcd, (_, number)| gcd.gcd(number));
        if factor.is_zero() {
            return "nothing changes".to_owned();
        }
        let terms =
            measure.terms().iter().map(|(variable, number)| (*variable, number.div_exact(&factor)));
        let measure = LinearExpr::from_terms(terms, Integer::from(0));
        if let Some(instance) = measure.as_var().and_then(|only| self.instance_of_depth(only)) {
            let shape = library.get(instance.shape);
            let (what, smaller) = match shape.order() {
                Order::Linear => ("list", "shorter"),
                Order::None => (shape.name.as_str(), "smaller"),
            };
            return match self.start_of(instance) {
                Some(start) => format!("the {what} from `{start}` gets {smaller}"),
                None => format!("a {what} gets {smaller}"),
            };
        }
        if measure.terms().iter().all(|(_, number)| number.is_negative()) {
            let grown = quoted(&self.expression(&measure.neg()));
            return format!("{grown} gets larger, up to a bound");
        }
        format!("{} gets smaller", quoted(&self.expression(&measure)))
    }

    /// An expression in the program's terms, what is added first.
    fn expression(&self, expression: &LinearExpr) -> String {
        let (added, taken): (Vec<_>, Vec<_>) =
            expression.terms().iter().partition(|(_, number)| !number.is_negative());
        let mut text = String::new();
        for (variable, number) in added.into_iter().chain(taken) {
            let sign = match (text.is_empty(), number.is_negative()) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let factor =
                if number.abs().is_one() { String::new() } else { format!("{}*", number.abs()) };
            let _ = write!(text, "{sign}{factor}{}", self.name(*variable));
        }
        let constant = expression.constant_part();
        match (text.is_empty(), constant.signum()) {
            (true, _) => constant.to_string(),
            (false, 0) => text,
            (false, 1..) => format!("{text} + {constant}"),
            (false, _) => format!("{text} - {}", constant.abs()),
        }
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
        self.pointer_by(variable)
            .map(|name| format!("offset({name})"))
            .or_else(|| self.part_of_block(variable))
            .unwrap_or_else(|| format!("n{}'", variable.0))
    }

    /// The pointer in whose value an address, or its offset from the start of its object, is.
    fn pointer_by(&self, part: Var) -> Option<String> {
        let stores = self.state.stores.iter().rev().flatten();
        let pointers = stores.filter(|(_, value)| {
            !value.coefficient(part).is_zero() && self.state.kind_of(value) != Kind::Integer
        });
        let mut names = pointers.map(|(variable, _)| name_of(self.program, *variable));
        names.find(|name| !name.contains('$'))
    }

    /// Where the text in a block ends that a pointer points into, or how many bytes the block has.
    fn part_of_block(&self, number: Var) -> Option<String> {
        self.state.heap.atoms.iter().find_map(|atom| {
            let Atom::Block(block) = atom else { return None };
            let is_end =
                |it: &FloatingCell| it.value.is_zero() && it.offset.as_var() == Some(number);
            let part = if block.floats().any(is_end) {
                "end"
            } else if block.size.as_var() == Some(number) {
                "bytes"
            } else {
                return None;
            };
            Some(format!("{part}({})", self.pointer_by(block.base)?))
        })
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
        self.reached_value(value, MAX_STEPS).map(|named| named.text)
    }

    fn reached_value(&self, value: &LinearExpr, steps: u32) -> Option<Named> {
        self.variable_with(value).or_else(|| self.field_with(value, steps.checked_sub(1)?))
    }

    /// The variable that holds a value; innermost frame first, the user's own
    /// before made-up ones.
    fn variable_with(&self, value: &LinearExpr) -> Option<Named> {
        let stores = self.state.stores.iter().rev().flatten();
        let holders = stores.filter_map(|(variable, held)| {
            let name = name_of(self.program, *variable);
            let difference = self.difference(value, held)?;
            let form = self.program.forms.of(*variable).filter(|_| difference == 0);
            let named = Named { text: plus(&name, difference), form };
            Some((name.contains('$'), difference != 0, named))
        });
        holders.min_by_key(|(made_up, shifted, _)| (*made_up, *shifted)).map(|(_, _, named)| named)
    }

    /// The field of a known block that holds a value.
    fn field_with(&self, value: &LinearExpr, steps: u32) -> Option<Named> {
        self.state.heap.atoms.iter().find_map(|atom| {
            let Atom::Block(block) = atom else { return None };
            let cell =
                block.cells.iter().find(|cell| self.difference(&cell.value, value) == Some(0))?;
            let owner = self.reached_value(&LinearExpr::var(block.base), steps)?;
            let bytes = i64::from(cell.ty.bytes(self.program.pointer_bytes));
            let size = block.size.as_constant().and_then(Integer::to_i128);
            let part = owner.form.and_then(|form| {
                let (offset, bytes) = (i128::from(cell.offset), i128::from(bytes));
                self.program.forms.part_of_row((form, size), offset, bytes)
            });
            let is_stream = block.region.kind == MemoryKind::Stream;
            let is_whole = is_stream || size == Some(i128::from(bytes));
            let text = match &part {
                Some(part) => field(&owner.text, block.region, part),
                None if is_whole => whole(&owner.text, block.region),
                None => format!("byte {} behind {}", cell.offset, owner.text),
            };
            Some(Named { text, form: part.and_then(|it| it.pointee) })
        })
    }
}

/// What a person calls a value, and the form of what it points at.
struct Named {
    text: String,
    form: Option<FormId>,
}

/// What of a stream gets smaller when it is read.
const LEFT: &str = "what is left of ";

/// A part of a block. The block of a C variable that lives in memory stands for the variable.
fn field(owner: &str, region: Region, part: &Part) -> String {
    match region.kind {
        MemoryKind::Stream => format!("{LEFT}{owner}"),
        MemoryKind::Stack | MemoryKind::Static | MemoryKind::Constant => {
            format!("{owner}{}", part.path)
        }
        MemoryKind::Heap | MemoryKind::Alloca | MemoryKind::Any => part.behind(owner),
    }
}

/// All of a block.
fn whole(owner: &str, region: Region) -> String {
    match region.kind {
        MemoryKind::Stream => format!("{LEFT}{owner}"),
        MemoryKind::Stack | MemoryKind::Static | MemoryKind::Constant => owner.to_owned(),
        MemoryKind::Heap | MemoryKind::Alloca | MemoryKind::Any => format!("*{owner}"),
    }
}

fn plus(name: &str, difference: i64) -> String {
    match difference {
        0 => name.to_owned(),
        1.. => format!("{name} + {difference}"),
        _ => format!("{name} - {}", difference.unsigned_abs()),
    }
}

/// An expression in the way of code; what has a name in words only is no code.
fn quoted(expression: &str) -> String {
    let is_words = expression.starts_with(LEFT)
        || expression.contains(' ') && expression.chars().all(|it| it.is_alphabetic() || it == ' ');
    if is_words { expression.to_owned() } else { format!("`{expression}`") }
}
