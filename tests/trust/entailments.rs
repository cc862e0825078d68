//! The judgments of `entailments.txt`: what the prover says of them, and
//! whether small heaps agree.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use std::collections::BTreeSet;
use support::small_heaps::graphs;
use wane::base::source::{SourceMap, Span};
use wane::concrete::interpreter::Interpreter;
use wane::concrete::memory::MemoryBlockId;
use wane::concrete::state::State as ConcreteState;
use wane::concrete::value::{Pointer, Value};
use wane::entail::entailment::entail;
use wane::heap::State;
use wane::heap::assertion::state_of;
use wane::heap::graph::lay_out;
use wane::heap::model::{satisfies, valuations};
use wane::heap::shape::ShapeLibrary;
use wane::ir::{
    Block, IntKind, Procedure, ProcedureId, Program, ScalarType, Terminator, Variable, VariableInfo,
};
use wane::logic::LinearExpr;
use wane_grammar::shape::ast::{Claim, Formula, Item, Judgment, Term};
use wane_grammar::shape::parse_judgment;

/// A line of the file.
struct Line {
    text: String,
    judgment: Judgment,
    /// Whether a `|/-` is a weakness of the prover.
    holds: bool,
}

fn lines() -> Vec<Line> {
    let judgments = include_str!("../entailments.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("//"));
    judgments
        .map(|line| {
            let (text, mark) = line.split_once("//").unwrap_or((line, ""));
            let judgment =
                parse_judgment(text).unwrap_or_else(|error| panic!("{error:?} in {line}"));
            Line { text: line.to_owned(), judgment, holds: mark.trim() == "holds" }
        })
        .collect()
}

/// The names of a formula, and those among them that are numbers.
fn names(formula: &Formula) -> (BTreeSet<String>, BTreeSet<String>) {
    let of = |term: &Term| {
        term.summands.iter().filter_map(|(_, name)| Some(name.as_ref()?.text.clone())).collect()
    };
    let (mut all, mut addresses) = (BTreeSet::new(), BTreeSet::new());
    for item in &formula.items {
        let (numbers, others): (Vec<&Term>, Vec<&Term>) = match item {
            Item::Cell { root, fields } => {
                (vec![], fields.iter().map(|(_, value)| value).chain([root]).collect())
            }
            Item::Instance { depth, arguments, .. } => {
                (depth.iter().collect(), arguments.iter().collect())
            }
            Item::Comparison { left, right, .. } => (vec![left, right], vec![]),
            Item::Emp | Item::Junk => (vec![], vec![]),
        };
        let names_of = |terms: &[&Term]| {
            terms.iter().flat_map(|term| -> Vec<String> { of(term) }).collect::<Vec<_>>()
        };
        all.extend(names_of(&numbers));
        all.extend(names_of(&others));
        addresses.extend(names_of(&others));
    }
    (all, addresses)
}

/// A program whose globals are the names of both sides. Names of the letters
/// i to l and n are numbers unless they are used as addresses.
fn program_of(judgment: &Judgment) -> Program {
    let (left, left_addresses) = names(&judgment.have);
    let (right, right_addresses) = names(&judgment.want);
    let is_number = |name: &str| {
        !left_addresses.contains(name)
            && !right_addresses.contains(name)
            && name.starts_with(['i', 'j', 'k', 'l', 'n'])
    };
    let int = ScalarType::Int(IntKind { bits: 64, signed: true });
    let info = |name: &String| VariableInfo {
        name: name.clone(),
        ty: if is_number(name) { int } else { ScalarType::Pointer },
        owner: None,
        span: Span::NOWHERE,
    };
    let block = Block { commands: Vec::new(), terminator: Terminator::Halt, span: Span::NOWHERE };
    Program {
        procedures: vec![Procedure {
            shortcut: None,
            name: "main".to_owned(),
            parameters: Vec::new(),
            lasting: Vec::new(),
            result: None,
            blocks: vec![block],
            span: Span::NOWHERE,
        }],
        variables: left.intersection(&right).map(info).collect(),
        entry: ProcedureId(0),
        sources: SourceMap::default(),
        pointer_bytes: 8,
        open: None,
        forms: wane::ir::forms::Forms::default(),
    }
}

fn is_proved(have: &State, want: &State, library: &ShapeLibrary) -> bool {
    entail(have, want, library).is_some_and(|found| {
        found.lost_nonzero.is_empty() && found.numbers(have, want).leq(&want.facts.numbers)
    })
}

/// Concrete states that `have` describes, with all variables assigned.
fn models(
    program: &Program,
    have: &State,
    library: &ShapeLibrary,
    n_links: usize,
) -> Vec<ConcreteState> {
    let interpreter = Interpreter::new(program);
    let mut found = Vec::new();
    for graph in (0..=3).flat_map(|n_nodes| graphs(n_nodes, n_links)) {
        let mut open = interpreter.initial();
        lay_out(open.memory_mut(), &graph).unwrap();
        for model in valuations(&open, have, library) {
            let value_of = |symbolic: &LinearExpr| {
                let variables: Vec<_> = symbolic.variables().collect();
                let is_known = variables.iter().all(|variable| model.value(*variable).is_some());
                is_known.then(|| {
                    symbolic.map(|variable| model.value(variable).cloned().unwrap_or_default())
                })
            };
            let known: Vec<Option<Value>> = (0..program.variables.len())
                .map(|index| {
                    have.value_in(0, Variable::at(index))
                        .and_then(value_of)
                        .map(|it| concrete_value(&it))
                })
                .collect();
            for values in completions(program, &known, graph.len()) {
                let mut state = open.clone();
                for (index, value) in values.into_iter().enumerate() {
                    state.assign(Variable::at(index), value);
                }
                if satisfies(&state, have, library) {
                    found.push(state);
                }
            }
        }
    }
    found
}

/// All ways to give a value to the variables that have none.
fn completions(program: &Program, known: &[Option<Value>], n_nodes: usize) -> Vec<Vec<Value>> {
    let elsewhere = Value::Pointer(Pointer { block: MemoryBlockId::at(n_nodes), offset: 0 });
    let mut all = vec![Vec::new()];
    for (info, value) in program.variables.iter().zip(known) {
        let choices = match (value, info.ty) {
            (Some(value), _) => vec![*value],
            (None, ScalarType::Pointer) => vec![Value::NULL, elsewhere],
            (None, ScalarType::Int(_) | ScalarType::Float(_)) => (0..4).map(Value::Int).collect(),
        };
        let longer =
            |values: &Vec<Value>, choice: &Value| values.iter().chain([choice]).copied().collect();
        all = all
            .iter()
            .flat_map(|values| choices.iter().map(move |choice| longer(values, choice)))
            .collect();
    }
    all
}

fn concrete_value(value: &LinearExpr) -> Value {
    match value.as_var() {
        Some(block) => Value::Pointer(Pointer { block: MemoryBlockId(block.0), offset: 0 }),
        None => Value::Int(value.as_constant().and_then(|number| number.to_i128()).unwrap()),
    }
}

/// The states of both sides.
fn states(line: &Line, library: &ShapeLibrary) -> (Program, State, State) {
    let program = program_of(&line.judgment);
    let state = |formula: &Formula| {
        let assertion = state_of(formula, &program, ProcedureId(0), library);
        assertion.unwrap_or_else(|error| panic!("{error:?} in {}", line.text)).state
    };
    let (have, want) = (state(&line.judgment.have), state(&line.judgment.want));
    (program, have, want)
}

#[test]
fn the_prover_says_what_the_file_says() {
    let library = ShapeLibrary::builtin().unwrap();
    let wrong: Vec<String> = lines()
        .into_iter()
        .filter(|line| {
            let (_, have, want) = states(line, &library);
            is_proved(&have, &want, &library) != (line.judgment.claim == Claim::Entails)
        })
        .map(|line| line.text)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn small_heaps_agree() {
    let library = ShapeLibrary::builtin().unwrap();
    let mut wrong = Vec::new();
    for line in lines() {
        let (program, have, want) = states(&line, &library);
        let n_links = if line.text.contains("prev") || line.text.contains("dls") { 2 } else { 1 };
        let models = models(&program, &have, &library, n_links);
        let holds = models.iter().all(|state| satisfies(state, &want, &library));
        let claimed = line.judgment.claim == Claim::Entails || line.holds;
        if models.is_empty() || holds != claimed {
            wrong.push(format!("{} ({} models, holds: {holds})", line.text, models.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
