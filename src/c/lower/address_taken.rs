//! Which variables have their address taken, and so must live in memory.

use std::collections::BTreeSet;

use hashbrown::HashSet;
use wane_grammar::c::ast::{
    Asm, Attribute, Block, Declaration, Declarator, Derivation, Designator, Expr, ExprKind,
    FunctionDefinition, Initializer, InitializerItem, Item, Parameters, Specifier, Stmt, StmtKind,
    Storage, TypeName, TypeofArgument, UnaryOperator,
};
use wane_grammar::c::name::Symbol;

/// The variables whose address is taken somewhere in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    /// Locals and parameters, by where their name is declared.
    locals: HashSet<u32>,
    globals: HashSet<Symbol>,
    /// Globals that some part of the file may write to.
    written: HashSet<Symbol>,
    /// Globals that are used as a whole: of an array, the address is handed on.
    whole: HashSet<Symbol>,
    /// Globals and functions that are used as values: not only called.
    values: HashSet<Symbol>,
    /// Whether there is assembly, which may write to any of them.
    has_assembly: bool,
    /// Globals of which a part is used somewhere.
    parts: BTreeSet<Symbol>,
    /// Functions of which what a result points at is used, and never the result itself.
    dereferenced: BTreeSet<Symbol>,
}

impl Taken {
    /// Looks through some items.
    pub(super) fn of<'a>(items: impl IntoIterator<Item = &'a Item>) -> Self {
        let mut walk = Walk::default();
        for item in items {
            match item {
                Item::Function(function) => walk.function(function),
                Item::Declaration(declaration) => walk.initializers(declaration),
                Item::Asm(..) | Item::EndOfFile(_) => {}
            }
        }
        walk.taken
    }

    /// The names of functions and variables outside of functions that are mentioned.
    pub(super) fn mentioned(self) -> impl Iterator<Item = Symbol> {
        let Self { globals, written, whole, mut parts, dereferenced, .. } = self;
        parts.extend(globals);
        parts.extend(written);
        parts.extend(whole);
        parts.extend(dereferenced);
        parts.into_iter()
    }

    /// Whether a local's address is taken; `declarator` declares it.
    pub(super) fn is_local_taken(&self, declarator: &Declarator) -> bool {
        self.locals.contains(&declarator.place.start)
    }

    /// Whether a global may change.
    pub(super) fn may_change(&self, name: Symbol) -> bool {
        self.has_assembly || self.globals.contains(&name) || self.written.contains(&name)
    }

    /// Whether a global is used as a whole somewhere: of an array, the address is
    /// handed on.
    pub(super) fn is_used_whole(&self, name: Symbol) -> bool {
        self.whole.contains(&name)
    }

    /// Whether a function's address is taken.
    pub(super) fn is_value(&self, name: Symbol) -> bool {
        self.values.contains(&name)
    }

    /// Whether what a function's result points at is used.
    pub(super) fn is_dereferenced(&self, name: Symbol) -> bool {
        self.dereferenced.contains(&name)
    }

    /// Whether a global's address is taken.
    pub(super) fn is_global_taken(&self, name: Symbol) -> bool {
        self.globals.contains(&name)
    }
}

/// A walk that knows which local a name means.
#[derive(Default)]
struct Walk {
    taken: Taken,
    /// Declared names, innermost last, with the place of the declaration.
    declared: Vec<(Symbol, u32)>,
}

impl Walk {
    fn function(&mut self, function: &FunctionDefinition) {
        if let Some(Derivation::Function(head)) = function.declarator.derivations.first()
            && let Parameters::Typed(parameters) = &head.parameters
        {
            for parameter in parameters {
                self.declare(&parameter.declarator);
            }
        }
        for declaration in &function.parameter_declarations {
            for item in &declaration.declarators {
                self.declare(&item.declarator);
            }
        }
        self.block(&function.body);
        self.declared.clear();
    }

    fn declare(&mut self, declarator: &Declarator) {
        if let Some(name) = declarator.name {
            self.declared.push((name, declarator.place.start));
        }
        for step in &declarator.derivations {
            if let Derivation::Array(Some(length)) = step {
                self.expr(length);
            }
        }
    }

    fn block(&mut self, block: &Block) {
        let length = self.declared.len();
        block.items.iter().for_each(|item| self.stmt(item));
        self.declared.truncate(length);
    }

    fn initializers(&mut self, declaration: &Declaration) {
        self.words(&declaration.specifiers.list);
        for item in &declaration.declarators {
            self.words(&item.declarator.attributes);
            if let Some(initializer) = &item.initializer {
                self.initializer(initializer);
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let is_cleanup =
            |word: &Specifier| matches!(word, Specifier::Attribute(Attribute::Cleanup(_)));
        let all_cleaned = declaration.specifiers.list.iter().any(is_cleanup);
        let is_extern = declaration
            .specifiers
            .list
            .iter()
            .any(|word| matches!(word, Specifier::Storage(Storage::Extern)));
        self.words(&declaration.specifiers.list);
        for item in &declaration.declarators {
            self.words(&item.declarator.attributes);
            let is_function =
                matches!(item.declarator.derivations.first(), Some(Derivation::Function(_)));
            // These name something outside of the function.
            if is_extern || is_function {
                self.declared.retain(|(name, _)| Some(*name) != item.declarator.name);
                // What a function inside of this one does.
                item.initializer.iter().for_each(|body| self.initializer(body));
                continue;
            }
            self.declare(&item.declarator);
            if all_cleaned || item.declarator.attributes.iter().any(is_cleanup) {
                self.taken.locals.insert(item.declarator.place.start);
            }
            if let Some(initializer) = &item.initializer {
                self.initializer(initializer);
            }
        }
    }

    /// Attributes that name something, and expressions whose types are meant.
    fn words(&mut self, words: &[Specifier]) {
        for word in words {
            match word {
                Specifier::Attribute(Attribute::Alias(name) | Attribute::Cleanup(name)) => {
                    self.taken.globals.insert(*name);
                    self.taken.written.insert(*name);
                }
                Specifier::Typeof(argument) => match argument.as_ref() {
                    TypeofArgument::Expr(value) => self.expr(value),
                    TypeofArgument::Type(ty) => self.type_name(ty),
                },
                _ => {}
            }
        }
    }

    /// The lengths in the name of a type.
    fn type_name(&mut self, name: &TypeName) {
        self.words(&name.specifiers.list);
        for step in &name.declarator.derivations {
            if let Derivation::Array(Some(length)) = step {
                self.expr(length);
            }
        }
    }

    fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expr(value) => self.expr(value),
            Initializer::List(items, _) => self.list(items),
        }
    }

    fn list(&mut self, items: &[InitializerItem]) {
        for item in items {
            for step in &item.designators {
                match step {
                    Designator::Member(..) => {}
                    Designator::Index(index) => self.expr(index),
                    Designator::Range(first, last) => {
                        self.expr(first);
                        self.expr(last);
                    }
                }
            }
            self.initializer(&item.value);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(value) | StmtKind::Return(value) => self.optional(value.as_ref()),
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.expr(condition);
                    self.stmt(body);
                }
                if let Some(body) = otherwise {
                    self.stmt(body);
                }
            }
            StmtKind::While { condition, body, .. } | StmtKind::DoWhile { condition, body, .. } => {
                self.expr(condition);
                self.stmt(body);
            }
            StmtKind::For { start, condition, step, body, .. } => {
                let length = self.declared.len();
                if let Some(start) = start {
                    self.stmt(start);
                }
                self.optional(condition.as_ref());
                self.optional(step.as_ref());
                self.stmt(body);
                self.declared.truncate(length);
            }
            StmtKind::Switch { value, body } => {
                self.expr(value);
                self.stmt(body);
            }
            StmtKind::ComputedGoto(value) => self.expr(value),
            StmtKind::Asm(asm) => self.assembly(asm),
            StmtKind::Label(_)
            | StmtKind::Case(..)
            | StmtKind::Default
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Break => {}
        }
    }

    fn assembly(&mut self, asm: &Asm) {
        self.taken.has_assembly |= !asm.text.trim().is_empty();
        asm.outputs.iter().for_each(|operand| self.write(&operand.value));
        asm.outputs.iter().chain(&asm.inputs).for_each(|operand| self.expr(&operand.value));
    }

    fn optional(&mut self, expr: Option<&Expr>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Unary(UnaryOperator::AddressOf, operand) => {
                if let ExprKind::Unary(UnaryOperator::Dereference, pointer) = &operand.kind {
                    self.write(operand);
                    return self.expr(pointer);
                }
                self.take(operand);
                self.write(operand);
                self.expr(operand);
            }
            ExprKind::Unary(
                UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement,
                operand,
            ) => {
                self.write(operand);
                self.expr(operand);
            }
            ExprKind::Unary(UnaryOperator::Dereference, operand) => self.pointed_at(operand),
            ExprKind::Member(operand, _) if matches!(operand.kind, ExprKind::Name(_)) => {
                self.part(operand);
            }
            ExprKind::Index(array, index) if matches!(array.kind, ExprKind::Name(_)) => {
                self.part(array);
                self.expr(index);
            }
            ExprKind::Assign(_, left, right) => {
                self.write(left);
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Compound(_, items) => self.list(items),
            ExprKind::Statements(block) => self.block(block),
            ExprKind::Generic(selector, cases) => {
                self.expr(selector);
                cases.iter().for_each(|case| self.expr(&case.value));
            }
            ExprKind::Name(name) => {
                let name = self.whole(*name);
                self.taken.values.extend(name);
            }
            ExprKind::Call(callee, arguments) if matches!(callee.kind, ExprKind::Name(_)) => {
                if let ExprKind::Name(name) = callee.kind {
                    self.whole(name);
                }
                arguments.iter().for_each(|it| self.expr(it));
            }
            _ => {
                expr.types().into_iter().for_each(|name| self.type_name(name));
                expr.parts().into_iter().for_each(|part| self.expr(part));
            }
        }
    }

    /// A name is used as a whole; gives it, if it means a global or a function.
    fn whole(&mut self, name: Symbol) -> Option<Symbol> {
        let is_global = self.declared.iter().all(|(declared, _)| *declared != name);
        let name = is_global.then_some(name);
        self.taken.whole.extend(name);
        name
    }

    /// What a pointer points at is used.
    fn pointed_at(&mut self, pointer: &Expr) {
        match &pointer.kind {
            ExprKind::Call(callee, arguments) if arguments.is_empty() => match callee.kind {
                ExprKind::Name(name) => drop(self.taken.dereferenced.insert(name)),
                _ => self.expr(callee),
            },
            _ => self.expr(pointer),
        }
    }

    /// A part of a variable is used.
    fn part(&mut self, whole: &Expr) {
        if let ExprKind::Name(name) = whole.kind
            && self.declared.iter().all(|(declared, _)| *declared != name)
        {
            self.taken.parts.insert(name);
        }
    }

    /// The variable that a place is a part of is written, or its address is taken.
    fn write(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Name(name) => {
                let is_global = self.declared.iter().all(|(declared, _)| declared != name);
                self.taken.written.extend(is_global.then_some(*name));
            }
            ExprKind::Member(inner, _)
            | ExprKind::Arrow(inner, _)
            | ExprKind::Index(inner, _)
            | ExprKind::Cast(_, inner)
            | ExprKind::Unary(_, inner) => self.write(inner),
            ExprKind::Binary(_, left, right) => {
                self.write(left);
                self.write(right);
            }
            ExprKind::Generic(_, cases) => cases.iter().for_each(|case| self.write(&case.value)),
            // `__builtin_choose_expr` is a place if its operands are.
            ExprKind::Call(_, arguments) => arguments.iter().for_each(|it| self.write(it)),
            _ => {}
        }
    }

    /// `&operand`: the variable, if it is one.
    fn take(&mut self, operand: &Expr) {
        match &operand.kind {
            ExprKind::Generic(_, cases) => cases.iter().for_each(|case| self.take(&case.value)),
            ExprKind::Call(_, arguments) => arguments.iter().for_each(|it| self.take(it)),
            _ => {}
        }
        let ExprKind::Name(name) = operand.kind else { return };
        match self.declared.iter().rev().find(|(declared, _)| *declared == name) {
            Some((_, place)) => {
                self.taken.locals.insert(*place);
            }
            None => {
                self.taken.globals.insert(name);
            }
        }
    }
}
