//! Which names are typedef names, as the parser goes along; and the other
//! facts that flow from the grammar's actions back to the token stream.

use std::cell::RefCell;

use super::ast::{Declarator, Derivation, Expr, ExprKind, Parameters, Stmt, StmtKind};
use super::name::{Names, Symbol};
use super::place::{Place, SyntaxError};

/// Deepest syntax tree that is accepted. Later phases recurse along it.
pub const DEPTH_LIMIT: u32 = 2_000;

/// What the grammar's actions and the token stream share.
#[derive(Debug, Default)]
pub struct Context {
    state: RefCell<State>,
}

/// What a name means to the parser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Meaning {
    #[default]
    Variable,
    Type,
}

#[derive(Debug, Default)]
struct State {
    /// What each symbol means now, by [`Symbol::index`].
    meanings: Vec<Meaning>,
    /// What each declaration changed, to be undone at the end of its scope.
    undo: Vec<(Symbol, Meaning)>,
    /// Length of `undo` at each open scope.
    open: Vec<usize>,
    /// Length of `undo` at the end of the first file.
    shared: Option<usize>,
    /// A declaration with `typedef` is being read.
    typedef: bool,
    /// `#pragma pack`, and the saved values.
    pack: Option<u32>,
    pack_stack: Vec<Option<u32>>,
    failure: Option<SyntaxError>,
}

impl Context {
    /// The context at the start of a file.
    #[must_use]
    pub fn new(names: &mut Names) -> Self {
        let context = Self::default();
        context.declare(names.intern("__builtin_va_list"), Meaning::Type);
        context
    }

    /// Whether the name is a typedef name here.
    pub(super) fn is_type(&self, symbol: Symbol) -> bool {
        self.state.borrow().meanings.get(symbol.index()) == Some(&Meaning::Type)
    }

    /// Whether something is declared by that name here.
    pub(super) fn is_declared(&self, symbol: Symbol) -> bool {
        self.state.borrow().undo.iter().any(|(declared, _)| *declared == symbol)
    }

    /// A scope begins.
    pub(super) fn push(&self) {
        let mut state = self.state.borrow_mut();
        let length = state.undo.len();
        state.open.push(length);
    }

    /// The innermost scope ends.
    pub(super) fn pop(&self) {
        let mut state = self.state.borrow_mut();
        let length = state.open.pop().unwrap_or(0);
        while state.undo.len() > length {
            if let Some((symbol, before)) = state.undo.pop() {
                state.meanings[symbol.index()] = before;
            }
        }
    }

    /// A file begins after another one. It knows what the first file declares, and nothing
    /// of what those between declare.
    pub(super) fn begin_file(&self) {
        let mut state = self.state.borrow_mut();
        let shared = state.shared.unwrap_or(state.undo.len());
        state.shared = Some(shared);
        while state.undo.len() > shared {
            if let Some((symbol, before)) = state.undo.pop() {
                state.meanings[symbol.index()] = before;
            }
        }
        (state.typedef, state.pack) = (false, None);
        state.pack_stack.clear();
    }

    /// From here on the name means a type, or something else.
    fn declare(&self, symbol: Symbol, meaning: Meaning) {
        let mut state = self.state.borrow_mut();
        if state.meanings.len() <= symbol.index() {
            state.meanings.resize(symbol.index() + 1, Meaning::Variable);
        }
        let before = std::mem::replace(&mut state.meanings[symbol.index()], meaning);
        state.undo.push((symbol, before));
    }

    /// From here on the name means a variable, function or enumerator.
    pub(super) fn declare_variable(&self, symbol: Symbol) {
        self.declare(symbol, Meaning::Variable);
    }

    /// The word `typedef` was read: the declarators to come name types.
    pub(super) fn begin_typedef(&self) {
        self.state.borrow_mut().typedef = true;
    }

    /// Whether a declaration with `typedef` is being read.
    pub(super) fn is_in_typedef(&self) -> bool {
        self.state.borrow().typedef
    }

    /// A declaration ended.
    pub(super) fn end_declaration(&self) {
        self.state.borrow_mut().typedef = false;
    }

    /// A declarator of a declaration was read.
    pub(super) fn declare_declarator(&self, declarator: &Declarator) {
        let is_type = self.state.borrow().typedef;
        let meaning = if is_type { Meaning::Type } else { Meaning::Variable };
        if let Some(name) = declarator.name {
            self.declare(name, meaning);
        }
    }

    /// The head of a function definition was read: its parameters are declared
    /// in a new scope.
    pub(super) fn open_function(&self, declarator: &Declarator) {
        self.end_declaration();
        if let Some(name) = declarator.name {
            self.declare_variable(name);
        }
        self.push();
        let Some(Derivation::Function(function)) = declarator.derivations.first() else { return };
        match &function.parameters {
            Parameters::Typed(parameters) => {
                for name in parameters.iter().filter_map(|parameter| parameter.declarator.name) {
                    self.declare_variable(name);
                }
            }
            Parameters::Names(names) => names.iter().for_each(|name| self.declare_variable(*name)),
            Parameters::Unknown => {}
        }
    }

    /// `#pragma pack` with these arguments.
    pub(super) fn pragma_pack(&self, arguments: &str) {
        let mut state = self.state.borrow_mut();
        let words: Vec<&str> = arguments.split(',').map(str::trim).collect();
        if words.contains(&"push") {
            let current = state.pack;
            state.pack_stack.push(current);
        }
        if words.contains(&"pop") {
            state.pack = state.pack_stack.pop().flatten();
        }
        if let Some(value) = words.iter().find_map(|word| word.parse::<u32>().ok()) {
            state.pack = (value > 0).then_some(value);
        } else if words == [""] {
            state.pack = None;
        }
    }

    /// The largest alignment that `#pragma pack` allows here.
    pub(super) fn pack(&self) -> Option<u32> {
        self.state.borrow().pack
    }

    /// Makes the token stream end with an error.
    pub(super) fn fail(&self, error: SyntaxError) {
        self.state.borrow_mut().failure.get_or_insert(error);
    }

    /// The error that an action met.
    pub(super) fn take_failure(&self) -> Option<SyntaxError> {
        self.state.borrow_mut().failure.take()
    }

    /// A new expression node.
    pub(super) fn expr(&self, start: u32, kind: ExprKind, end: u32) -> Expr {
        let place = Place::new(start, end);
        let depth = 1 + kind.depth_of_parts();
        if depth > DEPTH_LIMIT {
            self.fail(SyntaxError::new(place, "expression is nested too deeply"));
        }
        Expr { kind, place, depth }
    }

    /// A new statement node.
    pub(super) fn stmt(&self, start: u32, kind: StmtKind, end: u32) -> Stmt {
        let place = Place::new(start, end);
        let depth = 1 + kind.depth_of_parts();
        if depth > DEPTH_LIMIT {
            self.fail(SyntaxError::new(place, "statement is nested too deeply"));
        }
        Stmt { kind, place, depth }
    }
}
