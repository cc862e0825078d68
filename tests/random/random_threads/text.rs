//! Programs as C.

use super::tree::{
    AtomicOp, Cell, Expr, Function, Home, Kind, Object, Place, Program, Role, Statement, What,
};
use super::words::{cells_of, is_balanced, is_called, mentions, symbol, uses_local};
use std::fmt::Write as _;

/// What programs need of `pthread.h` and `stdlib.h`.
const HEADER: &str = "\
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
pthread_t pthread_self(void);
void pthread_exit(void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
void *malloc(unsigned long);
void exit(int);
int atexit(void (*)(void));
int nondet(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
struct fields { unsigned a : 2, b : 2; };
struct device { int n; struct device *peer; };
";

pub(crate) fn text(program: &Program) -> String {
    let mut text = Text { program, text: String::new() };
    text.all();
    // What is not used is left out.
    let (mut kept, mut used) = (Vec::new(), text.text);
    let lines: Vec<&str> = HEADER.lines().collect();
    for line in lines.into_iter().rev() {
        let name = |it: &str| it.chars().filter(|it| it.is_alphanumeric() || *it == '_').collect();
        let name: String = match line.split_once('(') {
            Some((declared, _)) => name(declared.rsplit(' ').next().unwrap()),
            None if line.starts_with("typedef") => name(line.rsplit(' ').next().unwrap()),
            None => line.split(' ').take(2).collect::<Vec<_>>().join(" "),
        };
        let is_used = mentions(&used, &name) || kept.iter().any(|it: &&str| mentions(it, &name));
        if is_used {
            kept.push(line);
        }
    }
    let header: String = kept.into_iter().rev().map(|it| format!("{it}\n")).collect();
    used.insert_str(0, &header);
    used
}

struct Text<'a> {
    program: &'a Program,
    text: String,
}

fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "int",
        Kind::Volatile => "volatile int",
        Kind::Atomic => "_Atomic int",
        Kind::Bool => "_Bool",
        Kind::AtomicBool => "_Atomic _Bool",
    }
}

impl Text<'_> {
    fn all(&mut self) {
        let program = self.program;
        let used = self.used();
        let helpers = self.program.functions.iter().enumerate();
        let actions: Vec<usize> = helpers
            .filter(|(_, it)| matches!(it.role, Role::Helper { parameters: 0, returns: false }))
            .map(|(number, _)| number)
            .collect();
        for action in actions.iter().filter(|it| is_called(program, **it)) {
            let name = &self.program.functions[*action].name;
            writeln!(self.text, "{}void {name}(void);", self.linkage(*action)).unwrap();
        }
        for object in self.program.objects.iter().filter(|it| it.what == What::Device) {
            if object.home == Home::File && used.contains(&object.first) {
                writeln!(self.text, "struct device {};", object.name).unwrap();
            }
        }
        for object in &self.program.objects {
            let is_exported = object.what == What::Action && self.program.main().is_none();
            let is_used = is_exported || used.contains(&object.first);
            if object.home == Home::File && is_used {
                let line = self.declaration(object);
                writeln!(self.text, "{line};").unwrap();
            }
        }
        if self.program.main().is_some() {
            for number in 0..self.program.threads.len() {
                if self.id_of(number.try_into().unwrap()).is_none() {
                    continue;
                }
                writeln!(self.text, "pthread_t p{number};").unwrap();
            }
        }
        let mut order: Vec<usize> = (0..self.program.functions.len()).collect();
        // Callees first.
        order.sort_by_key(|it| match self.program.functions[*it].role {
            Role::Helper { .. } => (0, usize::MAX - it),
            Role::Thread => (1, *it),
            Role::Main => (2, *it),
        });
        for number in order.into_iter().filter(|it| is_called(program, *it)) {
            self.function(number, &self.program.functions[number], &used);
        }
        for (number, given) in self.program.given.iter().enumerate() {
            let name = &self.program.functions[usize::from(*given)].name;
            writeln!(self.text, "void (*get{number}(void))(void)\n{{\n    return {name};\n}}")
                .unwrap();
        }
    }

    /// The objects that are mentioned, by their first cells.
    fn used(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> =
            self.program.threads.iter().filter_map(|it| it.argument).collect();
        self.program.for_each_expression(&mut |expr| cells.extend(cells_of(expr)));
        let mut used: Vec<Cell> = Vec::new();
        while let Some(cell) = cells.pop() {
            let (object, _) = self.program.object(cell);
            if !used.contains(&object.first) {
                used.push(object.first);
                let values = object.initial.iter().copied();
                match object.what {
                    What::Device => cells.extend(object.initial.get(1).filter(|it| **it > 0)),
                    What::Pointer(_)
                    | What::Hidden(_)
                    | What::Table(_)
                    | What::DevicePointer
                    | What::LockPointer => cells.extend(values.filter(|it| *it > 0)),
                    _ => {}
                }
            }
        }
        used
    }

    fn linkage(&self, function: usize) -> &'static str {
        // Without `main`, who is not reached by others' calls is no part of the question.
        match self.program.main() {
            Some(_) => "static ",
            None if self.program.functions[function].role == Role::Thread => "",
            None => "static ",
        }
    }

    fn declaration(&self, object: &Object) -> String {
        let name = &object.name;
        let value = |index: usize| object.initial[index];
        let address = |index: usize| match value(index) {
            0 => "0".to_owned(),
            cell => self.address(cell),
        };
        let both = |it: &dyn Fn(usize) -> String| format!("{{{}, {}}}", it(0), it(1));
        let number = |index: usize| value(index).to_string();
        let fields = |index: usize| format!("{{{}, {}}}", value(index) & 3, value(index) >> 2);
        match object.what {
            What::Number(kind) => format!("{} {name} = {}", type_of(kind), value(0)),
            What::Array(kind) => format!("{} {name}[2] = {}", type_of(kind), both(&number)),
            What::Fields => format!("struct fields {name} = {}", fields(0)),
            What::FieldArray => format!("struct fields {name}[2] = {}", both(&fields)),
            What::Device => format!("struct device {name} = {{{}, {}}}", value(0), address(1)),
            What::Pointer(kind) => format!("{} *{name} = {}", type_of(kind), address(0)),
            What::Hidden(_) => {
                format!("unsigned long {name} = (unsigned long){}", address(0))
            }
            What::Table(kind) => format!("{} *{name}[2] = {}", type_of(kind), both(&address)),
            What::DevicePointer => format!("struct device *{name} = {}", address(0)),
            What::Action => {
                let function = &self.program.functions[usize::try_from(value(0)).unwrap()];
                format!("void (*{name})(void) = {}", function.name)
            }
            What::Lock => format!("pthread_mutex_t {name} = {{{{0}}}}"),
            What::LockPointer => format!("pthread_mutex_t *{name} = {}", address(0)),
            What::Condition => format!("pthread_cond_t {name} = {{{{0}}}}"),
            What::Id => format!("pthread_t {name}"),
        }
    }

    /// The name of a cell.
    fn cell(&self, cell: Cell) -> String {
        let (object, index) = self.program.object(cell);
        let name = &object.name;
        match object.what {
            What::Array(_) | What::FieldArray | What::Table(_) => format!("{name}[{index}]"),
            What::Device if index == 0 => format!("{name}.n"),
            What::Device => format!("{name}.peer"),
            _ => name.clone(),
        }
    }

    /// What points at a cell: at the whole of a device.
    fn address(&self, cell: Cell) -> String {
        match self.program.object(cell) {
            (Object { what: What::Device, name, home: Home::File, .. }, 0) => format!("&{name}"),
            (Object { home: Home::Heap, what: What::Number(kind), .. }, _) => {
                format!("malloc(sizeof({}))", type_of(*kind))
            }
            (Object { home: Home::Heap, .. }, _) => "malloc(sizeof(struct device))".to_owned(),
            _ => format!("&{}", self.cell(cell)),
        }
    }

    fn function(&mut self, number: usize, function: &Function, used: &[Cell]) {
        let name = &function.name;
        let own = u8::try_from(number).unwrap();
        let attribute = match () {
            () if self.program.constructors.contains(&own) => "__attribute__((constructor)) ",
            () if self.program.destructors.contains(&own) => "__attribute__((destructor)) ",
            () => "",
        };
        let linkage = self.linkage(number);
        let (head, first_local) = match function.role {
            Role::Main => ("int main(void)".to_owned(), 0),
            Role::Thread if self.program.main().is_none() => (format!("void {name}(void)"), 0),
            Role::Thread => (format!("{linkage}void *{name}(void *a)"), 0),
            Role::Helper { parameters, returns } => {
                let own: Vec<String> = (0..parameters).map(|it| format!("int k{it}")).collect();
                let own = if own.is_empty() { "void".to_owned() } else { own.join(", ") };
                let result = if returns { "int" } else { "void" };
                (format!("{attribute}{linkage}{result} {name}({own})"), parameters)
            }
        };
        writeln!(self.text, "{head}\n{{").unwrap();
        let program = self.program;
        for object in &program.objects {
            if object.home == Home::Function(number) && used.contains(&object.first) {
                let line = self.declaration(object);
                writeln!(self.text, "    static {line};").unwrap();
            }
        }
        let arguments = program.threads.iter().filter(|it| it.function == number);
        let argument = arguments.filter_map(|it| it.argument).next();
        for local in (first_local..function.n_locals).filter(|it| uses_local(function, *it)) {
            let line = match argument.filter(|_| local == 0) {
                Some(cell) => match program.object(cell).0.what {
                    What::Device => "struct device *k0 = a".to_owned(),
                    _ => format!("{} *k0 = a", type_of(program.kind(cell).unwrap())),
                },
                None => format!("int k{local} = 0"),
            };
            writeln!(self.text, "    {line};").unwrap();
        }
        self.statements(&function.body, function.role, 1, &mut Vec::new());
        match function.role {
            _ if matches!(function.body.last(), Some(Statement::Return(_))) => {}
            Role::Thread if program.main().is_none() => {}
            Role::Helper { returns: false, .. } => {}
            _ => self.text.push_str("    return 0;\n"),
        }
        self.text.push_str("}\n");
    }

    fn line(&mut self, depth: usize, line: &str) {
        writeln!(self.text, "{}{line}", "    ".repeat(depth)).unwrap();
    }

    /// Statements, where locks are held: those of the loop around behind the last nothing.
    fn statements(
        &mut self,
        body: &[Statement],
        role: Role,
        depth: usize,
        held: &mut Vec<Option<String>>,
    ) {
        for statement in body {
            self.statement(statement, role, depth, held);
        }
    }

    fn block(
        &mut self,
        body: &[Statement],
        role: Role,
        depth: usize,
        held: &mut Vec<Option<String>>,
        around: Option<String>,
    ) {
        held.push(around);
        self.statements(body, role, depth + 1, held);
        held.pop();
    }

    fn statement(
        &mut self,
        statement: &Statement,
        role: Role,
        depth: usize,
        held: &mut Vec<Option<String>>,
    ) {
        let unlock = |lock: &str| format!("pthread_mutex_unlock({lock});");
        match statement {
            Statement::Do(expr) => {
                let expr = self.outer(expr);
                self.line(depth, &format!("{expr};"));
            }
            Statement::Set(local, expr) => {
                let expr = self.outer(expr);
                self.line(depth, &format!("k{local} = {expr};"));
            }
            Statement::If(condition, then, otherwise) => {
                let condition = self.outer(condition);
                self.line(depth, &format!("if ({condition}) {{"));
                self.statements(then, role, depth + 1, held);
                self.otherwise(otherwise, role, depth, held);
            }
            Statement::While(condition, body) => {
                let condition = self.outer(condition);
                if body.is_empty() {
                    return self.line(depth, &format!("while ({condition});"));
                }
                self.line(depth, &format!("while ({condition}) {{"));
                self.block(body, role, depth, held, None);
                self.line(depth, "}");
            }
            Statement::DoWhile(body, condition) => {
                let condition = self.outer(condition);
                self.line(depth, "do {");
                self.block(body, role, depth, held, None);
                self.line(depth, &format!("}} while ({condition});"));
            }
            Statement::Repeat(local, times, body) => {
                let head = format!("for (k{local} = 0; k{local} < {times}; k{local}++) {{");
                self.line(depth, &head);
                self.block(body, role, depth, held, None);
                self.line(depth, "}");
            }
            Statement::Locked(lock, body) => {
                let lock = self.outer(lock);
                self.line(depth, &format!("pthread_mutex_lock({lock});"));
                held.push(Some(lock.clone()));
                self.statements(body, role, depth, held);
                held.pop();
                self.line(depth, &unlock(&lock));
            }
            Statement::TryLocked(lock, body, otherwise) => {
                let lock = self.outer(lock);
                self.line(depth, &format!("if (pthread_mutex_trylock({lock}) == 0) {{"));
                self.block(body, role, depth, held, Some(lock.clone()));
                self.line(depth + 1, &unlock(&lock));
                self.otherwise(otherwise, role, depth, held);
            }
            Statement::Section(body) => {
                self.line(depth, "__VERIFIER_atomic_begin();");
                self.statements(body, role, depth, held);
                self.line(depth, "__VERIFIER_atomic_end();");
            }
            Statement::Break | Statement::Return(_) => self.leave(statement, role, depth, held),
        }
    }

    /// A break or a return, before which locks are given back.
    fn leave(&mut self, statement: &Statement, role: Role, depth: usize, held: &[Option<String>]) {
        let unlock = |lock: &str| format!("pthread_mutex_unlock({lock});");
        match statement {
            Statement::Break => {
                let inner = held.iter().rev().map_while(|it| it.as_deref());
                let unlocks: Vec<String> = inner.map(unlock).collect();
                unlocks.iter().for_each(|it| self.line(depth, it));
                self.line(depth, "break;");
            }
            Statement::Return(value) => {
                let all = held.iter().rev().filter_map(|it| it.as_deref());
                let unlocks: Vec<String> = all.map(unlock).collect();
                unlocks.iter().for_each(|it| self.line(depth, it));
                let value = match role {
                    Role::Helper { returns: true, .. } => format!(" {}", self.outer(value)),
                    Role::Helper { .. } => String::new(),
                    Role::Thread if self.program.main().is_none() => String::new(),
                    Role::Thread | Role::Main => " 0".to_owned(),
                };
                self.line(depth, &format!("return{value};"));
            }
            other => panic!("{other:?} leaves nothing"),
        }
    }

    fn otherwise(
        &mut self,
        otherwise: &[Statement],
        role: Role,
        depth: usize,
        held: &mut Vec<Option<String>>,
    ) {
        if !otherwise.is_empty() {
            self.line(depth, "} else {");
            self.statements(otherwise, role, depth + 1, held);
        }
        self.line(depth, "}");
    }

    /// An expression without parentheses around it; a comma keeps them, for behind `=` only what
    /// is left of it would be assigned.
    fn outer(&self, expr: &Expr) -> String {
        let text = self.expr(expr);
        if let Expr::Comma(..) = expr {
            return text;
        }
        match text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
            Some(inner) if is_balanced(inner) => inner.to_owned(),
            _ => text,
        }
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::At(cell) => self.cell(*cell),
            Place::Element(first, index) => {
                format!("{}[{}]", self.program.object(*first).0.name, self.outer(index))
            }
            Place::Pointed(address, offset) => self.pointed(address, *offset),
            Place::Field(place, field) => {
                format!("{}.{}", self.place(place), if *field == 0 { "a" } else { "b" })
            }
        }
    }

    fn pointed(&self, address: &Expr, offset: i8) -> String {
        let text = self.expr(address);
        if offset == 1 {
            return format!("{text}->peer");
        }
        match address {
            Expr::Read(Place::Pointed(_, 1)) => format!("{text}->n"),
            Expr::Read(Place::At(cell) | Place::Element(cell, _)) => {
                match self.program.object(*cell).0.what {
                    What::Hidden(kind) => format!("(*({} *){text})", type_of(kind)),
                    What::DevicePointer | What::Device => format!("{text}->n"),
                    _ => format!("(*{text})"),
                }
            }
            _ => format!("(*{text})"),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        let inner = |it: &Expr| self.expr(it);
        let outer = |it: &Expr| self.outer(it);
        let function = |it: &u8| self.program.functions[usize::from(*it)].name.clone();
        match expr {
            Expr::Value(value) => value.to_string(),
            Expr::Address(cell) => self.address(*cell),
            Expr::Function(it) => function(it),
            Expr::Local(local) => format!("k{local}"),
            Expr::Read(place) => self.place(place),
            Expr::Not(operand) => format!("!{}", inner(operand)),
            Expr::Binary(op, left, right) => {
                format!("({} {} {})", inner(left), symbol(*op), inner(right))
            }
            Expr::Both(left, right) => format!("({} && {})", inner(left), inner(right)),
            Expr::Either(left, right) => format!("({} || {})", inner(left), inner(right)),
            Expr::Choice(condition, then, otherwise) => {
                format!("({} ? {} : {})", inner(condition), inner(then), inner(otherwise))
            }
            Expr::Comma(left, right) => format!("({}, {})", outer(left), inner(right)),
            Expr::Assign(place, value) => {
                let is_id = matches!(place, Place::At(cell)
                    if matches!(self.program.object(*cell).0.what, What::Id));
                let value = if is_id { inner(value) } else { outer(value) };
                format!("({} = {value})", self.place(place))
            }
            Expr::Update(op, place, by, _) => {
                format!("({} {}= {})", self.place(place), symbol(*op), outer(by))
            }
            Expr::Count { up, old, place, .. } => {
                let sign = if *up { "++" } else { "--" };
                match old {
                    true => format!("{}{sign}", self.place(place)),
                    false => format!("{sign}{}", self.place(place)),
                }
            }
            Expr::Atomic(op, operands) => self.atomic(*op, operands),
            Expr::Call(callee, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(outer).collect();
                format!("{}({})", inner(callee), arguments.join(", "))
            }
            Expr::Nondet => "(nondet() != 0)".to_owned(),
            Expr::Itself => "pthread_self()".to_owned(),
            Expr::Lock(lock) => format!("pthread_mutex_lock({})", outer(lock)),
            Expr::Unlock(lock) => format!("pthread_mutex_unlock({})", outer(lock)),
            Expr::TryLock(lock) => format!("pthread_mutex_trylock({})", outer(lock)),
            Expr::Wait(condition, lock) => {
                format!("pthread_cond_wait({}, {})", self.address(*condition), outer(lock))
            }
            Expr::Signal(condition) => {
                format!("pthread_cond_signal({})", self.address(*condition))
            }
            Expr::Create(thread, into) => {
                let it = &self.program.threads[usize::from(*thread)];
                let name = &self.program.functions[it.function].name;
                let argument = it.argument.map_or_else(|| "0".to_owned(), |it| self.address(it));
                let argument = argument.trim_start_matches("(").to_owned();
                let id = into.map_or_else(|| format!("&p{thread}"), |it| self.address(it));
                format!("pthread_create({id}, 0, {name}, {argument})")
            }
            Expr::Join(thread) => match self.id_of(*thread).flatten() {
                Some(id) => format!("pthread_join({}, 0)", self.cell(id)),
                None => format!("pthread_join(p{thread}, 0)"),
            },
            Expr::Register(it) => format!("atexit({})", function(it)),
            Expr::Exit => "exit(0)".to_owned(),
            Expr::ExitThread => "pthread_exit(0)".to_owned(),
            Expr::Running(_) | Expr::Write(..) => panic!("{expr:?} is no text"),
        }
    }

    /// The object where the name of a thread is put, if that is none of its own, and if it is
    /// started, or waited for.
    fn id_of(&self, thread: u8) -> Option<Option<Cell>> {
        let mut found = None;
        self.program.for_each_expression(&mut |expr| match expr {
            Expr::Create(it, into) if *it == thread => found = Some(*into),
            Expr::Join(it) if *it == thread => found = found.or(Some(None)),
            _ => {}
        });
        found
    }

    fn atomic(&self, op: AtomicOp, operands: &[Expr]) -> String {
        let all: Vec<String> = operands.iter().map(|it| self.outer(it)).collect();
        let all = all.join(", ");
        match op {
            AtomicOp::Load => format!("__atomic_load_n({all}, 5)"),
            AtomicOp::Store => format!("__atomic_store_n({all}, 5)"),
            AtomicOp::Exchange => format!("__atomic_exchange_n({all}, 5)"),
            AtomicOp::FetchAdd => format!("__atomic_fetch_add({all}, 5)"),
            AtomicOp::FetchSubtract => format!("__sync_fetch_and_sub({all})"),
            AtomicOp::FetchAnd => format!("__atomic_fetch_and({all}, 5)"),
            AtomicOp::AddFetch => format!("__sync_add_and_fetch({all})"),
            AtomicOp::Swap => format!("__sync_bool_compare_and_swap({all})"),
        }
    }
}
