//! From syntax tree to goto program.
//!
//! The files' declarations are read once, in order. Then procedures are lowered
//! on demand, starting from the entry: a function, global or string literal
//! that nothing reachable mentions leaves no trace.

mod access;
mod ahead;
mod assign;
mod atomic;
mod body;
mod builtin;
mod caller;
mod call;
mod condition;
mod convert;
mod declare;
mod declarations;
mod library_effects;
mod element;
mod entry;
mod enumeration;
mod errno;
mod expression;
mod extension;
mod fold;
mod gift;
mod global;
mod heap_blocks;
mod initializer;
mod jump;
mod ownership_assumptions;
mod external_calls;
mod format;
mod forms;
mod link;
mod linkage;
mod literal;
mod local;
mod lvalue;
mod members;
mod model;
mod observed;
mod open;
mod operator;
mod order;
mod overlap;
mod program;
mod real;
mod scope;
mod scramble;
mod source;
mod specifier;
mod statement;
pub(super) mod symbols;
mod address_taken;
mod temporary;
mod effects;
mod atomic_objects;
mod attributes;
pub(crate) mod unsequenced;
mod watched_calls;
mod variadic;
mod vector;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use wane_grammar::c::ast::{Item, TranslationUnit};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use self::address_taken::Taken;
use self::body::Body;
pub(super) use self::declarations::Declarations;
use self::global::{FunctionEntry, GlobalEntry};
use self::link::Shared;
use self::literal::Strings;
use self::members::Accesses;
use self::model::ModelSite;
use self::open::IncomingPointer;
use self::order::Orders;
use self::program::Parts;
use self::scope::{Entity, Scopes, TypeAlias};
use self::source::Source;
use super::external::External;
use super::parsed::{Extent, Files};
use super::shared_list::SharedList;
use super::types::{Integer, Qualifiers, Type, Types};
use super::{Compiled, Input, Options, Rejection, SyntaxError};
use base::source::Span;
use ir::open::OpenEntry;
use ir::{Instruction, ProcedureId, Program, Variable};
use ownership_assumptions::Kept;

/// The result of lowering a construct.
type Lowered<T> = Result<T, SyntaxError>;

/// The helpers of the models that read input which ends.
const INPUT_HELPERS: [&str; 2] = ["__model_consume", "__model_read_some"];

/// Functions of the library that wait for others, who need not ever come.
const WAITING: [&str; 12] = [
    "accept",
    "accept4",
    "epoll_wait",
    "flock",
    "pclose",
    "poll",
    "recv",
    "recvfrom",
    "select",
    "system",
    "wait",
    "waitpid",
];

/// More errors than this are not listed.
const ERROR_LIMIT: usize = 20;

/// The front end's state while it lowers the files of a program.
#[derive(Clone)]
struct Lowering<'a> {
    options: Options,
    source: Source<'a>,
    types: Types,
    scopes: Scopes,
    shared: Shared,
    taken: Arc<Taken>,
    declared: Declared<'a>,
    /// What has been made so far.
    parts: Parts,
    strings: Strings,
    /// The types of the blocks whose addresses variables hold.
    forms: Vec<(Variable, Type)>,
    outside: Outside,
    opened: Opened,
    models: Models,
    atomics: Atomics,
    /// What is known of the order of evaluation.
    orders: Orders,
    /// The procedure being made.
    body: Body,
    context: Context,
}

/// What the files declare.
#[derive(Clone, Default)]
struct Declared<'a> {
    functions: SharedList<FunctionEntry<'a>>,
    globals: SharedList<GlobalEntry<'a>>,
    /// What is not modelled of the types and constants that files declare: functions may
    /// depend on it.
    gaps: Vec<Instruction>,
    /// The file of the entry function, as the user named it.
    entry_file: &'a str,
}

/// What the program uses and does not have.
#[derive(Clone, Default)]
struct Outside {
    /// The functions that are called and have no body, by name.
    functions: BTreeMap<String, External>,
    /// Functions without a body that the program relies on, by name.
    relied_on: BTreeSet<String>,
    /// What a function that is analysed by itself relies on when it hands out memory.
    kept: Kept,
}

/// What is known of a function that is analysed by itself.
#[derive(Clone, Default)]
struct Opened {
    /// The pointers in globals when it is called.
    incoming: Vec<IncomingPointer>,
    /// The function and what it is given.
    entry: Option<OpenEntry>,
    /// Whether members of unions are used that may hold addresses.
    uses_unions: bool,
    /// Which members of structures are read and written where.
    accesses: Accesses,
    /// Whether any pointers come in.
    has_incoming: bool,
    /// The scalar variables that other files know, and that are no memory here.
    shared: Vec<String>,
}

/// The copies of models of the library.
#[derive(Clone, Default)]
struct Models {
    /// The call whose model is being lowered.
    site: Option<Arc<ModelSite>>,
    /// By function and call.
    procedures: HashMap<(usize, Arc<ModelSite>), ProcedureId>,
    /// Those that have no body yet.
    waiting: Vec<(usize, Arc<ModelSite>, ProcedureId)>,
}

/// What is declared with `_Atomic`, or points at it.
#[derive(Clone, Default)]
struct Atomics {
    /// The names, with their files.
    names: HashSet<(usize, Symbol)>,
    /// At which distances they are, where there are several threads: for each way in which a
    /// name is declared.
    unities: HashMap<(usize, Symbol), Vec<atomic_objects::Unity>>,
}

/// What the code that is being lowered stands in.
#[derive(Clone, Default)]
struct Context {
    /// Whether signed numbers wrap around at the moment, whatever the model.
    wraps: bool,
    /// Whether it is only asked if an expression is a constant.
    is_trying: bool,
    /// The call whose result nobody wants.
    unused: Option<Place>,
    /// The call whose result is only compared with zero.
    tested: Option<Place>,
}

/// Lowers what the entry function of a program reaches.
pub(super) fn compile<'a>(
    files: &'a Files,
    known: &Declarations<'a>,
    options: &Options,
) -> Result<Compiled, Rejection> {
    let (lowering, errors) = known.of(files, options);
    lowering.finish(errors)
}

impl<'a> Lowering<'a> {
    /// Nothing is lowered yet.
    fn of(files: &'a Files, options: &Options, apart: BTreeSet<Symbol>) -> Self {
        let mut parts = Parts::default();
        let start = parts.procedure("$start", Span::NOWHERE);
        let mut body = Body::new(start, Type::Void, Span::NOWHERE);
        body.is_start = true;
        Self {
            options: options.clone(),
            source: Source::new(files),
            types: Types::new(options.data_model),
            scopes: Scopes::new(),
            shared: Shared::without(apart),
            taken: Arc::new(Taken::of(&files.unit.items)),
            declared: Declared::default(),
            parts,
            strings: Strings::default(),
            forms: Vec::new(),
            outside: Outside::default(),
            opened: Opened::default(),
            models: Models::default(),
            atomics: Atomics::default(),
            orders: Orders::default(),
            body,
            context: Context::default(),
        }
    }

    /// The program, unless there are errors in the files or in what is reached.
    fn finish(mut self, mut errors: Vec<SyntaxError>) -> Result<Compiled, Rejection> {
        let entry = self.body.procedure;
        if errors.is_empty() {
            errors = self.program();
        }
        self.declared_externals();
        let open = self.opened.entry.take().map(|it| self.with_whole_file(it));
        let forms = self.noted_forms();
        let assumptions = self.assumptions();
        let externals = self.outside.functions.into_values().collect();
        let sources = self.source.into_map();
        if !errors.is_empty() {
            errors.truncate(ERROR_LIMIT);
            return Err(Rejection { sources, errors });
        }
        let program = Program {
            procedures: self.parts.procedures,
            variables: self.parts.variables,
            entry,
            sources,
            pointer_bytes: self.options.data_model.pointer_bytes(),
            open,
            forms,
        };
        let file = self.declared.entry_file.to_owned();
        Ok(Compiled { program, externals, assumptions, file })
    }

    /// Declares what the files declare. Returns the errors met.
    fn files(&mut self, unit: &'a TranslationUnit) -> Vec<SyntaxError> {
        self.declare_builtins();
        let mut errors = Vec::new();
        let mut unknown = unit.unknown.as_slice();
        for file in unit.items.split_inclusive(|item| matches!(item, Item::EndOfFile(_))) {
            for item in file {
                errors.extend(self.file_item(item).err());
            }
            let end = match file.last() {
                Some(Item::EndOfFile(place)) => place.start,
                _ => u32::MAX,
            };
            let n_own = unknown.partition_point(|(place, _)| place.start < end);
            let (own, rest) = unknown.split_at(n_own);
            self.note_unknown(file, own);
            unknown = rest;
            if end != u32::MAX {
                self.begin_file();
            }
        }
        errors
    }

    fn file_item(&mut self, item: &'a Item) -> Lowered<()> {
        match item {
            Item::Declaration(declaration) => self.file_declaration(declaration),
            Item::Function(function) => self.function_definition(function),
            Item::Asm(text, place) => {
                if !text.trim().is_empty() {
                    self.unsupported("assembly outside of functions", *place);
                }
                Ok(())
            }
            Item::EndOfFile(_) => Ok(()),
        }
    }

    /// Attributes that nobody understands matter where what they belong to is used:
    /// functions when they are called, all else from the start.
    fn note_unknown(&mut self, items: &[Item], unknown: &[(Place, String)]) {
        let mut items = items.iter().peekable();
        for (place, what) in unknown {
            while items.next_if(|item| item.place().end <= place.start).is_some() {}
            let names: Vec<Symbol> = match items.peek() {
                // Of these the place says too little about what they belong to.
                Some(_) if what.ends_with("in double brackets") => Vec::new(),
                Some(item) if !what.starts_with("#pragma") => item.functions(),
                _ => Vec::new(),
            };
            let mut is_noted = !names.is_empty();
            for name in names {
                match self.scopes.file_entity(name) {
                    Some(Entity::Function(index)) => {
                        self.declared.functions[*index].linkage.obstacle = Some(what.clone());
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
        for function in self.declared.functions.iter() {
            let name = self.source.name(function.name);
            if function.definition.is_none()
                && !self.outside.functions.contains_key(name)
                && self.source.is_users(function.place)
            {
                self.outside
                    .functions
                    .insert(name.to_owned(), External::of(name, &function.ty.result));
            }
        }
    }

    /// What the program takes for granted of functions without body and of its input.
    fn assumptions(&self) -> Vec<String> {
        let reads = self.models.procedures.keys().any(|(index, _)| {
            let name = self.name(self.declared.functions[*index].name);
            INPUT_HELPERS.contains(&name)
        });
        let mut assumptions = Vec::new();
        if reads && self.options.input == Input::Ends {
            assumptions.push("what the program reads ends".to_owned());
        }
        let waits = self.models.procedures.keys().any(|(_, site)| WAITING.contains(&&*site.name));
        if waits {
            assumptions.push("what the program waits for comes".to_owned());
        }
        if self.source.extent() == Extent::Chosen {
            assumptions
                .push("the other files that were given are no part of the program".to_owned());
        }
        let relied_on =
            self.outside.relied_on.iter().filter(|name| !self.outside.kept.relies_on(name));
        assumptions.extend(relied_on.map(|name| {
            let memory = if self.is_open() { " and no memory that it is not handed" } else { "" };
            format!(
                "`{name}`, which has no body here, returns and changes no variable of the file{memory}"
            )
        }));
        assumptions.extend(self.apart_from_globals());
        assumptions.extend(self.outside.kept.assumptions());
        assumptions
    }

    fn declare_builtins(&mut self) {
        if let Some(name) = self.source.find("__builtin_va_list") {
            let (ty, qualifiers) = (Type::VaList, Qualifiers::default());
            let alias = TypeAlias { ty, qualifiers, alignment: 0 };
            self.scopes.declare(name, Entity::Typedef(alias));
        }
        // Keywords of C23; older programs may give them another meaning.
        for (word, value) in [("false", 0), ("true", 1)] {
            if let Some(name) = self.source.find(word) {
                self.scopes.declare(name, Entity::Constant(value, Some(Integer::Bool)));
            }
        }
    }

    fn error<T>(&self, place: Place, message: impl Into<String>) -> Lowered<T> {
        Err(self.source.error(place, message))
    }

    fn name(&self, symbol: Symbol) -> &'a str {
        self.source.name(symbol)
    }

    fn span(&self, place: Place) -> Span {
        match &self.models.site {
            Some(site) => site.span,
            None => self.source.span(place),
        }
    }
}
