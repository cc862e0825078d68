//! From syntax tree to goto program.
//!
//! The file's declarations are read once, in order. Then procedures are lowered
//! on demand, starting from the entry: a function, global or string literal
//! that nothing reachable mentions leaves no trace.

mod access;
mod assign;
mod atomic;
mod body;
mod builtin;
mod call;
mod condition;
mod convert;
mod declare;
mod entry;
mod enumeration;
mod expression;
mod extension;
mod fold;
mod global;
mod initializer;
mod jump;
mod known;
mod format;
mod linkage;
mod literal;
mod local;
mod model;
mod open;
mod operator;
mod order;
mod program;
mod real;
mod scope;
mod source;
mod specifier;
mod statement;
mod taken;
mod temporary;
mod touched;
mod variadic;
mod vector;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hashbrown::{HashMap, HashSet};

use wane_grammar::c::ast::{Item, TranslationUnit};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::{LineMap, Place};

use self::body::Body;
use self::global::{FunctionEntry, GlobalEntry};
use self::literal::Strings;
use self::model::ModelSite;
use self::open::IncomingPointer;
use self::order::Orders;
use self::program::Parts;
use self::scope::{Entity, Scopes, TypeAlias};
use self::source::Source;
use self::taken::Taken;
use super::external::External;
use super::library::models;
use super::types::{Qualifiers, Type, Types};
use super::{Compiled, Input, Options, PreprocessedSource, Rejection, SyntaxError};
use crate::base::source::{SourceMap, Span};
use crate::ir::open::OpenEntry;
use crate::ir::{ProcedureId, Program};

/// The result of lowering a construct.
type Lowered<T> = Result<T, SyntaxError>;

/// The helpers of the models that read input which ends.
const INPUT_HELPERS: [&str; 2] = ["__model_consume", "__model_read_some"];

/// More errors than this are not listed.
const ERROR_LIMIT: usize = 20;

/// The front end's state while it lowers one file.
struct Lowering<'a> {
    options: &'a Options,
    source: Source<'a>,
    types: Types,
    scopes: Scopes,
    taken: Taken,
    /// What has been made so far.
    parts: Parts,
    functions: Vec<FunctionEntry<'a>>,
    globals: Vec<GlobalEntry<'a>>,
    strings: Strings,
    /// The pointers in globals when a function is called that is analysed by itself.
    incoming: Vec<IncomingPointer>,
    /// What is known of that function.
    open: Option<OpenEntry>,
    /// The functions that are called and have no body, by name.
    externals: BTreeMap<String, External>,
    /// Functions without a body that the program relies on, by name.
    relied_on: BTreeSet<String>,
    /// The call whose model is being lowered.
    model: Option<Rc<ModelSite>>,
    /// The copies of models, by function and call.
    model_procedures: HashMap<(usize, Rc<ModelSite>), ProcedureId>,
    waiting_models: Vec<(usize, Rc<ModelSite>, ProcedureId)>,
    /// Names of what is declared with `_Atomic`, or points at it.
    atomics: HashSet<Symbol>,
    /// Whether signed numbers wrap around at the moment, whatever the model.
    wraps: bool,
    /// The call whose result nobody wants.
    unused: Option<Place>,
    /// What is known of the order of evaluation.
    orders: Orders,
    /// The procedure being made.
    body: Body,
}

/// Lowers a preprocessed file.
pub(super) fn compile(
    source: &PreprocessedSource,
    options: &Options,
) -> Result<Compiled, Rejection> {
    let name = source.name.replace('\\', "\\\\").replace('"', "\\\"");
    let text = format!(
        "# 1 \"<wane library>\"\nenum {{ __model_endless_input = {} }};\n{}\n# 1 \"{name}\"\n{}",
        u8::from(options.input == Input::Endless),
        models::text_for(&source.text),
        source.text
    );
    match wane_grammar::c::parse(&text) {
        Ok(unit) => compile_unit(source, &text, &unit, options),
        Err(error) => {
            let lines = LineMap::new(&source.name, &text);
            let mut sources = SourceMap::default();
            let position = lines.position(&text, error.place);
            lines.files.iter().for_each(|file| {
                sources.intern(file);
            });
            let file = lines.files.get(position.file).map_or(0, |file| sources.intern(file));
            let span = Span {
                file,
                line: position.line,
                column: position.column,
                length: position.length,
            };
            Err(Rejection { sources, errors: vec![SyntaxError { span, message: error.message }] })
        }
    }
}

fn compile_unit(
    source: &PreprocessedSource,
    text: &str,
    unit: &TranslationUnit,
    options: &Options,
) -> Result<Compiled, Rejection> {
    let mut parts = Parts::default();
    let start = parts.procedure("$start", Span::NOWHERE);
    let mut lowering = Lowering {
        options,
        source: Source::new(&source.name, text, &unit.names),
        types: Types::new(options.data_model),
        scopes: Scopes::new(),
        taken: Taken::of(unit),
        parts,
        functions: Vec::new(),
        globals: Vec::new(),
        strings: Strings::default(),
        incoming: Vec::new(),
        open: None,
        externals: BTreeMap::new(),
        relied_on: BTreeSet::new(),
        model: None,
        model_procedures: HashMap::new(),
        waiting_models: Vec::new(),
        atomics: HashSet::new(),
        wraps: false,
        unused: None,
        orders: Orders::default(),
        body: Body::new(start, Type::Void, Span::NOWHERE),
    };
    lowering.body.is_start = true;
    let mut errors = lowering.file(unit);
    if errors.is_empty() {
        errors = lowering.program();
    }
    lowering.declared_externals();
    let open = lowering.open.take();
    let assumptions = lowering.assumptions();
    let externals = lowering.externals.into_values().collect();
    let sources = lowering.source.into_map();
    if !errors.is_empty() {
        errors.truncate(ERROR_LIMIT);
        return Err(Rejection { sources, errors });
    }
    let program = Program {
        procedures: lowering.parts.procedures,
        variables: lowering.parts.variables,
        entry: start,
        sources,
        pointer_bytes: options.data_model.pointer_bytes(),
        open,
    };
    Ok(Compiled { program, externals, assumptions })
}

impl<'a> Lowering<'a> {
    /// Declares what the file declares. Returns the errors met.
    fn file(&mut self, unit: &'a TranslationUnit) -> Vec<SyntaxError> {
        self.declare_builtins();
        let mut errors = Vec::new();
        for item in &unit.items {
            let result = match item {
                Item::Declaration(declaration) => self.file_declaration(declaration),
                Item::Function(function) => self.function_definition(function),
                Item::Asm(text, place) => {
                    if !text.trim().is_empty() {
                        self.unsupported("assembly outside of functions", *place);
                    }
                    Ok(())
                }
            };
            errors.extend(result.err());
        }
        self.note_unknown(unit);
        errors
    }

    /// Attributes that nobody understands matter where what they belong to is used:
    /// functions when they are called, all else from the start.
    fn note_unknown(&mut self, unit: &TranslationUnit) {
        let mut items = unit.items.iter().peekable();
        for (place, what) in &unit.unknown {
            while items.next_if(|item| item.place().end <= place.start).is_some() {}
            let names: Vec<Symbol> = match items.peek() {
                Some(item) if !what.starts_with("#pragma") => item.functions(),
                _ => Vec::new(),
            };
            let mut is_noted = !names.is_empty();
            for name in names {
                match self.scopes.file_entity(name) {
                    Some(Entity::Function(index)) => {
                        self.functions[*index].linkage.obstacle = Some(what.clone());
                    }
                    _ => is_noted = false,
                }
            }
            if !is_noted {
                self.unsupported(what.clone(), *place);
            }
        }
    }

    /// Notes the functions that the file declares and does not define, reached or not,
    /// except for what the system's headers declare.
    fn declared_externals(&mut self) {
        for function in &self.functions {
            let name = self.source.name(function.name);
            if function.definition.is_none()
                && !self.externals.contains_key(name)
                && self.source.is_users(function.place)
            {
                self.externals.insert(name.to_owned(), External::of(name, &function.ty.result));
            }
        }
    }

    /// What the program takes for granted of functions without body and of its input.
    fn assumptions(&self) -> Vec<String> {
        let reads = self.model_procedures.keys().any(|(index, _)| {
            let name = self.name(self.functions[*index].name);
            INPUT_HELPERS.contains(&name)
        });
        let mut assumptions = Vec::new();
        if reads && self.options.input == Input::Ends {
            assumptions.push("what the program reads ends".to_owned());
        }
        assumptions.extend(self.relied_on.iter().map(|name| {
            format!("`{name}`, which has no body here, returns and changes no variable of the file")
        }));
        assumptions
    }

    fn declare_builtins(&mut self) {
        if let Some(name) = self.source.find("__builtin_va_list") {
            let (ty, qualifiers) = (Type::VaList, Qualifiers::default());
            let alias = TypeAlias { ty, qualifiers, alignment: 0 };
            self.scopes.declare(name, Entity::Typedef(alias));
        }
    }

    fn error<T>(&self, place: Place, message: impl Into<String>) -> Lowered<T> {
        Err(self.source.error(place, message))
    }

    fn name(&self, symbol: Symbol) -> &'a str {
        self.source.name(symbol)
    }

    fn span(&self, place: Place) -> Span {
        match &self.model {
            Some(site) => site.span,
            None => self.source.span(place),
        }
    }
}
