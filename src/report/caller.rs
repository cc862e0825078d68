//! The caller of a function by itself, as C: `main` makes what a run hands over, and calls it.
//!
//! Types of the program are not known to that file: objects are bytes, and numbers in them lie so
//! many bytes from their start.

use concrete::Outcome;
use concrete::choices::ChoiceList;
use concrete::interpreter::Interpreter;
use concrete::memory::{Content, MemoryBlockId};
use concrete::state::State;
use concrete::value::{Pointer, Value};
use ir::{MemoryKind, Program, ScalarType};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// So many steps are done before the call at most.
const MAX_STEPS: usize = 20_000;

/// A caller, and whether the program has a `main` of its own.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The definition of `main`, and what that needs.
    pub text: String,
    /// Whether another `main` has to go by another name.
    pub hides_main: bool,
}

/// How a run that makes these choices calls the function; nothing where C cannot say it by bytes.
#[must_use]
pub fn caller(program: &Program, function: &str, choices: &[i128]) -> Option<String> {
    let state = called(program, function, choices)?;
    let frame = state.frames().last()?;
    let callee = program.procedure(frame.location().procedure);
    let parameters = callee.parameters.iter();
    let given = parameters.map(|it| Some((program.variable(*it).ty, frame.value(*it)?)));
    let given: Vec<(ScalarType, Value)> = given.collect::<Option<_>>()?;
    let mut objects = Objects { state: &state, names: BTreeMap::new(), found: Vec::new() };
    given.iter().for_each(|(_, value)| objects.note(*value));
    let (declared, contents) = (objects.declared(), objects.contents()?);
    let formals: Vec<&str> = given.iter().map(|(ty, _)| type_name(*ty)).collect::<Option<_>>()?;
    let formals = if formals.is_empty() { "void".to_owned() } else { formals.join(", ") };
    let actuals = given.iter().map(|(_, value)| objects.value(*value));
    let actuals = actuals.collect::<Option<Vec<_>>>()?.join(", ");
    Some(format!(
        "\nextern void *wane_zeros(__SIZE_TYPE__ count, __SIZE_TYPE__ size) WANE_NAMED(\"calloc\");\n\
         extern void wane_called({formals}) WANE_NAMED(\"{function}\");\n\
         #undef main\n\n\
         {declared}WANE_UNCOUNTED int main(void)\n{{\n{contents}    wane_called({actuals});\n    return 0;\n}}\n"
    ))
}

/// The state where the function begins.
fn called(program: &Program, function: &str, choices: &[i128]) -> Option<State> {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let mut source = ChoiceList::new(choices.to_vec());
    for _ in 0..MAX_STEPS {
        if interpreter.step(&mut state, &mut source) != Outcome::Running {
            return None;
        }
        let procedure = state.frames().last()?.location().procedure;
        if state.frames().len() == 2 && program.procedure(procedure).name == function {
            return Some(state);
        }
    }
    None
}

/// A type of C for values of a scalar type.
fn type_name(ty: ScalarType) -> Option<&'static str> {
    Some(match ty {
        ScalarType::Pointer => "void *",
        ScalarType::Float(_) => return None,
        ScalarType::Int(kind) => match (kind.bits, kind.signed) {
            (1, _) => "_Bool",
            (8, true) => "signed char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) => "int",
            (32, false) => "unsigned",
            (64, true) => "long long",
            (64, false) => "unsigned long long",
            _ => return None,
        },
    })
}

/// The objects that are handed over.
struct Objects<'a> {
    state: &'a State,
    names: BTreeMap<MemoryBlockId, String>,
    /// In the order in which they are made.
    found: Vec<MemoryBlockId>,
}

impl Objects<'_> {
    fn note(&mut self, value: Value) {
        let Value::Pointer(Pointer { block, .. }) = value else { return };
        let mut open = vec![block];
        while let Some(block) = open.pop() {
            let name = format!("object{}", self.found.len() + 1);
            if let std::collections::btree_map::Entry::Vacant(entry) = self.names.entry(block) {
                entry.insert(name);
                self.found.push(block);
                open.extend(self.state.memory().block(block).targets().map(|it| it.block));
            }
        }
    }

    /// The variables that lead to them: of the file, so that what the function leaves alone is not
    /// lost.
    fn declared(&self) -> String {
        let names = self.found.iter().map(|id| &self.names[id]);
        names.map(|name| format!("static unsigned char *{name};\n")).collect()
    }

    /// The commands that make them; nothing if one is none of the heap, or holds what no number is.
    fn contents(&self) -> Option<String> {
        let mut text = String::new();
        for id in &self.found {
            let (block, name) = (self.state.memory().block(*id), &self.names[id]);
            if block.kind != MemoryKind::Heap {
                return None;
            }
            let _ = writeln!(text, "    {name} = wane_zeros(1, {});", block.size);
        }
        for id in &self.found {
            for (offset, cell) in self.state.memory().block(*id).cells() {
                let (ty, value) = match cell.content {
                    Content::Scalar { ty, value } => (ty, value),
                    Content::Run(0) => continue,
                    Content::Run(_) | Content::Opaque | Content::Moved => return None,
                };
                let (name, ty) = (&self.names[id], type_name(ty)?);
                let value = self.value(value)?;
                let star = if ty.ends_with('*') { "*" } else { " *" };
                let _ = writeln!(text, "    *({ty}{star})({name} + {offset}) = {value};");
            }
        }
        Some(text)
    }

    fn value(&self, value: Value) -> Option<String> {
        match value {
            Value::Int(number) => Some(super::harness::literal(number)),
            Value::Pointer(Pointer { block, offset: 0 }) => self.names.get(&block).cloned(),
            Value::Pointer(Pointer { block, offset }) => {
                Some(format!("{} + {offset}", self.names.get(&block)?))
            }
            Value::Procedure(_) => None,
        }
    }
}
