//! A run that never ends, in terms of the source program: which inputs lead to
//! it, what is repeated, and what holds again each time.

use super::fed;
use super::harness::{Given, Shows};
use super::inputs;
use super::parts::{Parts, quoted};
use super::path::Teller;
use super::run::{Event, EventKind, Rounds};
use super::{Cause, EndlessRun, Input, Location, Repetition};
use base::source::Span;
use concolic::shadow::{Choice, ChoiceSource, Slot, Symbol};
use concolic::texts::is_reader;
use concrete::Outcome;
use concrete::choices::ChoiceList;
use concrete::interpreter::Interpreter;
use concrete::value::{Pointer, Value};
use ir::cutpoint::CutSet;
use ir::expr::ScalarType;
use ir::{BlockId, HavocSource, MemoryKind, ProcedureId, Program, Variable};
use logic::{Constraint, Var};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use verdict::Refutation;
use verdict::violation::Chosen;
use verdict::witness::{Lasso, Witness};

/// How many inputs a person is shown.
const SHOWN_INPUTS: usize = 6;
/// How many facts a person is shown.
const SHOWN_FACTS: usize = 4;
/// How many links the name of a cell may follow.
const MAX_LINKS: u32 = 4;

/// The run that a refutation speaks of.
#[must_use]
pub fn run(program: &Program, refutation: &Refutation) -> EndlessRun {
    let Refutation { witness, lasso } = refutation;
    let (function, _) = repeated(program, refutation);
    let name = |symbol: Var| name_of(program, lasso, symbol);
    let is_users = |it: &Constraint| !it.expr().variables().any(|v| is_made_up(program, lasso, v));
    let recurrent: Vec<Constraint> =
        witness.recurrent.iter().filter(|it| is_users(it)).cloned().collect();
    let told = |it: &Constraint| {
        null_pointer(program, lasso, it)
            .map_or_else(|| it.display(&name), |pointer| format!("{} = null", name(pointer)))
    };
    let invariant: Vec<String> = recurrent.iter().map(told).collect();
    let Round { path, visited, inputs } = path(program, refutation);
    let [inputs, cycle_inputs] = inputs;
    EndlessRun {
        kind: kind(lasso),
        function: function.map_or_else(String::new, |it| program.procedure(it).name.clone()),
        inputs,
        stem_steps: witness.n_stem_steps,
        cycle_steps: witness.n_cycle_steps,
        rounds: rounds(refutation),
        explanation: explanation(
            (&recurrent, &invariant),
            &cycle_inputs,
            (rounds(refutation), witness),
        ),
        cycle_inputs,
        invariant,
        path,
        visited,
    }
}

/// Whether the rounds of a run are all like the first one.
#[must_use]
pub fn rounds(refutation: &Refutation) -> Rounds {
    let Refutation { witness, .. } = refutation;
    let are_alike = match (&witness.rounds, &witness.trap, &witness.restriction) {
        (Some(rounds), _, _) => rounds.are_alike(),
        (None, _, Some(_)) => false,
        // Without inputs there is nothing that could differ.
        (None, Some(_), None) => witness.cycle.is_empty(),
        (None, None, None) => true,
    };
    if are_alike { Rounds::Alike } else { Rounds::Differ }
}

/// Whether a choice is none of an automaton that runs beside the program, no number that may be any
/// as it is not modelled, and no floating-point number: what these are, nobody knows.
fn is_told(choice: &Choice) -> bool {
    let is_automatons = matches!(&choice.source, ChoiceSource::Input(name) if inputs::is_made_up(name, choice.value));
    let is_float = matches!(choice.ty, ScalarType::Float(_));
    !is_automatons && !is_float && choice.unmodelled_range().is_none()
}

/// Whether a number is one of an automaton that runs beside the program, or of a model of the
/// library.
fn is_made_up(program: &Program, lasso: &Lasso, symbol: Var) -> bool {
    let Symbol::Entry(index) = Symbol::of(symbol) else { return false };
    match lasso.entries.get(index).map(|entry| entry.slot) {
        Some(Slot::Global(variable)) => {
            let name = &program.variable(variable).name;
            ["$", "__model_"].iter().any(|it| name.starts_with(it))
        }
        Some(Slot::Local(_, variable)) => {
            let owner = program.variable(variable).owner;
            owner.is_some_and(|it| program.procedure(it).is_of_library())
        }
        // What a stream knows of itself, and what never changes.
        Some(Slot::Memory(pointer, _)) => {
            let kind = lasso.state.memory().block(pointer.block).kind;
            matches!(kind, MemoryKind::Stream | MemoryKind::Constant)
        }
        _ => false,
    }
}

/// The pointer that is null, if that is what a constraint says.
fn null_pointer(program: &Program, lasso: &Lasso, constraint: &Constraint) -> Option<Var> {
    let expr = constraint.expr();
    let [(symbol, _)] = expr.terms() else { return None };
    let Symbol::Entry(index) = Symbol::of(*symbol) else { return None };
    let ty = match lasso.entries.get(index)?.slot {
        Slot::Global(variable) | Slot::Local(_, variable) => program.variable(variable).ty,
        Slot::Memory(_, ty) => ty,
    };
    let is_null = constraint.is_equality() && expr.constant_part().is_zero();
    (is_null && ty == ScalarType::Pointer).then_some(*symbol)
}

/// What is told of the stem and of one round.
struct Round {
    path: Vec<Event>,
    /// The places that the round passes.
    visited: Vec<Location>,
    /// What the stem is given, the texts first that the program is started with; and the round.
    inputs: [Vec<Input>; 2],
}

/// What happens on the stem and in one round.
fn path(program: &Program, refutation: &Refutation) -> Round {
    let Refutation { witness, lasso } = refutation;
    let place = cause(program, refutation).location;
    let mut teller = Teller::new(program);
    teller.run(&witness.stem, witness.n_stem_steps);
    let here = place.clone().unwrap_or_else(|| Location::of_file(""));
    if let Some(place) = &place {
        teller.note(EventKind::Cycle, "what is repeated for ever begins".to_owned(), place.clone());
    }
    teller.take_visited();
    teller.run(&witness.cycle, witness.n_cycle_steps);
    let visited = teller.take_visited();
    let [stem, cycle] = &lasso.choices;
    let own = |at: usize, _: &Chosen| {
        let choice = stem.iter().chain(cycle).nth(at).filter(|it| is_told(it))?;
        (!teller.is_hidden(at)).then(|| input(program, choice, teller.name_of_unset(at)))
    };
    let of = |choices: &[Choice], first: usize| {
        let choices: Vec<Chosen> = choices.iter().map(Chosen::from).collect();
        inputs::of_choices(program, (&choices, first), &teller, own)
    };
    let started = teller.started_with().into_iter();
    let inputs = [started.chain(of(stem, 0)).collect(), of(cycle, stem.len())];
    let path = teller.finish(EventKind::Cycle, "and begins again".to_owned(), Some(here));
    Round { path, visited, inputs }
}

/// Why the property does not hold, with the place of the loop or the function.
#[must_use]
pub fn cause(program: &Program, refutation: &Refutation) -> Cause {
    let lasso = &refutation.lasso;
    let (_, span) = repeated(program, refutation);
    let message = match kind(lasso) {
        Repetition::Loop => "this loop can run for ever",
        Repetition::Recursion => "this function can call itself for ever",
    };
    let location = span.is_somewhere().then(|| Location::of_span(span, &program.sources));
    Cause { code: Refutation::CODE, message: message.to_owned(), location }
}

/// The function that does not end, and the head of its loop, or the function itself where it
/// calls itself. Wherever in its round the cycle was found: the loop is that of the outermost
/// call that the round stays in.
fn repeated(program: &Program, refutation: &Refutation) -> (Option<ProcedureId>, Span) {
    let Refutation { witness, lasso } = refutation;
    let Some(start) = lasso.state.frames().last().map(|it| it.location()) else {
        return (None, Span::NOWHERE);
    };
    if kind(lasso) == Repetition::Recursion {
        return (Some(start.procedure), program.procedure(start.procedure).span);
    }
    let interpreter = Interpreter::new(program);
    let (mut state, mut choices) = (lasso.state.clone(), ChoiceList::new(witness.cycle.clone()));
    let (mut depth, mut procedure) = (lasso.state.frames().len(), start.procedure);
    let mut visited = BTreeSet::from([start.block]);
    for _ in 0..witness.n_cycle_steps {
        if interpreter.step(&mut state, &mut choices) != Outcome::Running {
            break;
        }
        let Some(location) = state.location() else { break };
        if state.frames().len() < depth {
            (depth, procedure) = (state.frames().len(), location.procedure);
            visited.clear();
        }
        if state.frames().len() == depth {
            visited.insert(location.block);
        }
    }
    let body = program.procedure(procedure);
    let cuts = CutSet::of_procedure(body);
    let heads = visited.iter().copied().filter(|block| cuts.contains(*block));
    let place = |block: BlockId| {
        let span = body.block(block).span;
        (cuts.nesting(block).len(), span.file, span.line, span.column)
    };
    let head = heads.min_by_key(|block| place(*block)).unwrap_or(start.block);
    (Some(procedure), body.block(head).span)
}

/// So many rounds of the cycle convince.
const ROUNDS: u64 = 100_000;
/// A step of the interpreter is at most so many of the compiler's.
const STEPS_PER_STEP: u64 = 8;

/// What a test case supplies.
pub struct Supplied {
    /// What the stem and each round of the cycle are given; nothing of what the run does not read.
    pub given: [Vec<Given>; 2],
    /// What the run reads from the standard input, where that is known and its rounds read nothing more.
    pub read: Option<Vec<u8>>,
}

/// What a test case for the run supplies.
#[must_use]
pub fn supplied(program: &Program, refutation: &Refutation) -> Supplied {
    let Refutation { witness, lasso } = refutation;
    let mut teller = Teller::new(program);
    // Of what is given by calls alone, the run need not be told again.
    let is_plain = |it: &Choice| match &it.source {
        ChoiceSource::Input(name) => !fed::reads(name),
        _ => false,
    };
    if !lasso.choices.iter().flatten().all(is_plain) {
        teller.run(&witness.stem, witness.n_stem_steps);
        teller.run(&witness.cycle, witness.n_cycle_steps);
    }
    let read = read(lasso, &teller);
    let is_fed = |position: usize| read.is_some() && teller.is_from_call(position);
    let one = |(position, it): (usize, &Choice)| match &it.source {
        ChoiceSource::Input(name) => Some(Given { function: Some(name.clone()), value: it.value }),
        _ if teller.is_hidden(position) || is_fed(position) => None,
        _ if matches!(it.ty, ScalarType::Float(_)) => None,
        ChoiceSource::Uninitialised | ChoiceSource::Memory | ChoiceSource::Approximation => {
            Some(Given { function: None, value: it.value })
        }
    };
    let [stem, cycle] = &lasso.choices;
    let in_cycle = cycle.iter().enumerate().map(|(at, it)| (stem.len() + at, it));
    let given =
        [stem.iter().enumerate().filter_map(one).collect(), in_cycle.filter_map(one).collect()];
    Supplied { given, read }
}

fn read(lasso: &Lasso, teller: &Teller<'_>) -> Option<Vec<u8>> {
    let [stem, cycle] = lasso.choices.each_ref().map(|choices| {
        let chosen: Vec<Chosen> = choices.iter().map(Chosen::from).collect();
        chosen
    });
    let reads = |it: &Chosen| it.function.as_deref().is_some_and(fed::reads);
    match cycle.iter().any(reads) {
        true => fed::endless_input(&stem, &cycle),
        false => fed::standard_input(&stem, teller),
    }
}

/// How a test case shows that the run does not end.
#[must_use]
pub fn shows(refutation: &Refutation) -> Shows {
    let Refutation { witness, .. } = refutation;
    let cycles = witness.n_cycle_steps.saturating_mul(ROUNDS);
    let n_steps = witness.n_stem_steps.saturating_add(cycles).saturating_mul(STEPS_PER_STEP);
    Shows::Hang { n_steps }
}

fn kind(lasso: &Lasso) -> Repetition {
    if lasso.next.frames().len() > lasso.state.frames().len() {
        Repetition::Recursion
    } else {
        Repetition::Loop
    }
}

fn input(program: &Program, choice: &Choice, unset: Option<&str>) -> Input {
    let name = match (&choice.source, unset) {
        (ChoiceSource::Input(name), _) => name.as_str(),
        (ChoiceSource::Approximation, _) => "a value that is not modelled",
        (_, Some(name)) => name,
        (ChoiceSource::Uninitialised, None) => "a variable without a value",
        (ChoiceSource::Memory, None) => "memory without a value",
    };
    let location = Location::of_span(choice.span, &program.sources);
    let handed = |name: &str, value: String| {
        // Nothing in the program asks for it.
        let location = Location { line: None, column: None, length: 0, ..location.clone() };
        Input { name: name.to_owned(), value, location }
    };
    if let Some(pointer) = name.strip_prefix(HavocSource::LEADS) {
        let value = if choice.value == 0 { "null" } else { "a pointer to an object" };
        return handed(pointer, value.to_owned());
    }
    if let Some(name) = name.strip_prefix(HavocSource::HANDED) {
        return handed(name, choice.value.to_string());
    }
    if name == HavocSource::ORDER {
        return inputs::another_order(location);
    }
    Input { name: name.to_owned(), value: choice.value.to_string(), location }
}

fn explanation(
    (set, facts): (&[Constraint], &[String]),
    given: &[Input],
    (rounds, witness): (Rounds, &Witness),
) -> String {
    let is_pinned = |it: &Constraint| it.is_equality() && it.expr().terms().len() == 1;
    if set.is_empty() {
        return match given {
            [] if witness.restriction.is_some() => {
                "rounds differ, but none of them leads to the end of the program".to_owned()
            }
            _ if witness.restriction.is_some() => {
                "with what each round is given, none of them leads to the end of the program"
                    .to_owned()
            }
            _ if witness.trap.is_some() => {
                "whichever way a round goes, nothing in it leads out of it".to_owned()
            }
            _ if rounds == Rounds::Differ => "some way always leads to another round".to_owned(),
            [] => "nothing in a round can lead out of it".to_owned(),
            _ => "with what a round is given, nothing in it can lead out of it".to_owned(),
        };
    }
    let facts = shortened(facts);
    let shown: Vec<String> = facts.iter().take(SHOWN_FACTS).map(|it| format!("`{it}`")).collect();
    let mut shown = shown.join(" and ");
    if facts.len() > SHOWN_FACTS {
        shown.push_str(" and more");
    }
    if set.iter().all(is_pinned) {
        let verb = if facts.len() == 1 { "holds" } else { "hold" };
        format!("{shown} {verb} again after each round")
    } else if rounds == Rounds::Differ {
        format!(
            "as long as {shown} it can go on, in one way or another, and after each round this holds again"
        )
    } else {
        format!("as long as {shown} it goes on, and after each round this holds again")
    }
}

/// The facts, with `a = b` in place of `a <= b` and `b <= a`, and `a < b` in place of
/// `a + 1 <= b`.
fn shortened(facts: &[String]) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    for fact in facts {
        let turned = fact.split_once(" <= ").map(|(left, right)| format!("{right} <= {left}"));
        match turned.and_then(|turned| shown.iter().position(|it| *it == turned)) {
            Some(position) => shown[position] = shown[position].replacen(" <= ", " = ", 1),
            None => shown.push(fact.clone()),
        }
    }
    for fact in &mut shown {
        if let Some((left, right)) = fact.split_once(" + 1 <= ") {
            *fact = format!("{left} < {right}");
        }
    }
    shown
}

/// What the program calls a number of the footprint.
fn name_of(program: &Program, lasso: &Lasso, symbol: Var) -> String {
    let Symbol::Entry(index) = Symbol::of(symbol) else { return "an input".to_owned() };
    let Some(entry) = lasso.entries.get(index) else { return "a number".to_owned() };
    slot_name(program, lasso, entry.slot, MAX_LINKS)
}

fn slot_name(program: &Program, lasso: &Lasso, slot: Slot, n_links: u32) -> String {
    match slot {
        Slot::Global(variable) | Slot::Local(_, variable) => variable_name(program, variable),
        Slot::Memory(pointer, ty) => cell_name(program, lasso, (pointer, ty), n_links),
    }
}

fn variable_name(program: &Program, variable: Variable) -> String {
    let name = &program.variable(variable).name;
    if name.contains('$') { "a temporary".to_owned() } else { name.clone() }
}

/// A cell by a variable or a cell from which the run knows its block.
fn cell_name(
    program: &Program,
    lasso: &Lasso,
    (cell, ty): (Pointer, ScalarType),
    n_links: u32,
) -> String {
    let part = Parts::of(program, &lasso.state).part(cell, ty);
    let block = lasso.state.memory().block(cell.block);
    let holder = lasso.entries.iter().find_map(|entry| match entry.value {
        Value::Pointer(held) if held.block == cell.block => Some((entry.slot, held)),
        Value::Pointer(_) | Value::Int(_) | Value::Procedure(_) => None,
    });
    match holder {
        Some((slot @ (Slot::Global(_) | Slot::Local(..)), held))
            if matches!(
                block.kind,
                MemoryKind::Stack | MemoryKind::Static | MemoryKind::Constant
            ) =>
        {
            let name = slot_name(program, lasso, slot, 0);
            match (part, cell.offset - held.offset) {
                (Some(part), _) => format!("{name}{}", part.path),
                (None, 0) => name,
                (None, distance) => format!("byte {distance} of {name}"),
            }
        }
        Some((slot, held)) if n_links > 0 => {
            let name = slot_name(program, lasso, slot, n_links - 1);
            match part.filter(|_| held.offset == 0) {
                Some(part) => part.behind(&name),
                None => format!("byte {} behind {name}", cell.offset - held.offset),
            }
        }
        Some(_) | None => format!("byte {} of a block", cell.offset),
    }
}

impl EndlessRun {
    /// The run for a person, a line at a time.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let what = match self.kind {
            Repetition::Loop => "the loop",
            Repetition::Recursion => "the function",
        };
        let mut lines = vec![self.explanation.clone()];
        if self.inputs.iter().any(is_shown) {
            let given = shown_inputs(&self.inputs);
            let steps = counted(self.stem_steps, "step");
            lines.push(format!("{what} is reached, after {steps}, with {given}"));
        }
        if !self.cycle_inputs.is_empty() {
            let given = shown_inputs(&self.cycle_inputs);
            let steps = counted(self.cycle_steps, "step");
            let which = match self.rounds {
                Rounds::Alike => "each round",
                Rounds::Differ => "the first round",
            };
            lines.push(format!("{which}, of {steps}, goes with {given}"));
        }
        lines
    }
}

/// Inputs as a list; one that is given several times in a row stands there once, and the place
/// of several once before them.
pub(super) fn shown_inputs(inputs: &[Input]) -> String {
    let is_where =
        |one: &Input, other: &Input| (&one.name, &one.location) == (&other.name, &other.location);
    let read = lines_read(inputs);
    let mut runs: Vec<(&Input, usize)> = Vec::new();
    for input in read.iter().filter(|it| is_shown(it)) {
        match runs.last_mut() {
            Some((last, times)) if *last == input => *times += 1,
            _ => runs.push((input, 1)),
        }
    }
    let mut text = String::new();
    for (position, (input, times)) in runs.iter().take(SHOWN_INPUTS).enumerate() {
        let before = position.checked_sub(1).map(|it| runs[it].0);
        let source = match before {
            Some(before) if is_where(before, input) => ", then ".to_owned(),
            Some(_) => format!(", {} = ", source_of(input)),
            None => format!("{} = ", source_of(input)),
        };
        let times = if *times > 1 { format!(" ({times} times)") } else { String::new() };
        let _ = write!(text, "{source}{}{times}", input.value);
    }
    if runs.len() > SHOWN_INPUTS {
        text.push_str(", and so on");
    }
    text
}

/// The inputs with the bytes that are read one after the other as lines of text.
fn lines_read(inputs: &[Input]) -> Vec<Input> {
    let byte = |it: &Input| {
        let byte: u8 = it.value.parse().ok()?;
        let is_text = byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        (is_text && is_reader(&it.name)).then_some(byte)
    };
    let mut read: Vec<Input> = Vec::new();
    let mut line: Vec<(&Input, u8)> = Vec::new();
    let end = |line: &mut Vec<(&Input, u8)>, read: &mut Vec<Input>| {
        let text = quoted(line.iter().map(|it| Some(it.1)));
        if let [(first, _), ..] = line.as_slice() {
            read.push(Input { value: text, ..(*first).clone() });
        }
        line.clear();
    };
    for input in inputs {
        let byte = byte(input);
        let is_same = line.last().is_none_or(|(last, byte)| {
            (&last.name, &last.location, *byte != b'\n') == (&input.name, &input.location, true)
        });
        if byte.is_none() || !is_same {
            end(&mut line, &mut read);
        }
        match byte {
            Some(byte) => line.push((input, byte)),
            // Nothing more is there to be read.
            None if is_reader(&input.name) && input.value == "-1" => {
                read.push(Input { value: "its end".to_owned(), ..input.clone() });
            }
            None => read.push(input.clone()),
        }
    }
    end(&mut line, &mut read);
    read
}

/// Whether an input says anything: how much there is to be read at most is far more than what a
/// run reads.
pub(super) fn is_shown(input: &Input) -> bool {
    ![HavocSource::INPUT_LENGTH, HavocSource::SHARED_LITERALS].contains(&input.name.as_str())
}

/// What asks for an input, and where in the program it does.
fn source_of(input: &Input) -> String {
    let place = match (input.location.line, input.location.column) {
        (Some(line), Some(column)) => format!(" at {line}:{column}"),
        _ => String::new(),
    };
    let is_function = !input.name.contains(' ');
    let quote = if is_function { "`" } else { "" };
    format!("{quote}{}{quote}{place}", input.name)
}

/// `1 byte`, `2 bytes`.
pub(super) fn counted(number: impl std::fmt::Display, noun: &str) -> String {
    let number = number.to_string();
    let ending = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::{Input, Location, shown_inputs};
    use ir::HavocSource;

    #[test]
    fn how_much_there_is_to_be_read_is_not_shown() {
        let location =
            Location { file: "a.c".to_owned(), line: Some(2), column: Some(7), length: 1 };
        let input = |name: &str, value: &str| Input {
            name: name.to_owned(),
            value: value.to_owned(),
            location: location.clone(),
        };
        let inputs = [input(HavocSource::INPUT_LENGTH, "0"), input("f", "3"), input("f", "3")];
        assert_eq!(shown_inputs(&inputs), "`f` at 2:7 = 3 (2 times)");
        let bytes = |text: &str| -> Vec<Input> {
            text.bytes().map(|it| input("fgets", &it.to_string())).collect()
        };
        let lines = [bytes("up 2\nup"), vec![input("fgets", "-1")]].concat();
        assert_eq!(shown_inputs(&lines), "`fgets` at 2:7 = \"up 2\\n\", then \"up\", then its end");
    }
}
