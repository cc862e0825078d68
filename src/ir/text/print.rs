//! Prints a goto program as `.goto` text.

use super::super::expr::{BinaryOp, Expr, ScalarType, UnaryOp};
use super::super::{
    Block, Callee, Command, Gap, HavocSource, InitialContent, MemoryKind, Overlap, Procedure,
    ProcedureId, Program, Terminator, Variable, VariableInfo,
};
use hashbrown::HashMap;
use std::fmt::Write;
use wane_grammar::goto::token::{quoted_name, quoted_text};

/// The names that variables and procedures have in the text: unique in their
/// scope and quoted where they are odd.
#[derive(Clone, Debug)]
pub struct Names {
    variables: Vec<String>,
    procedures: Vec<String>,
}

impl Names {
    /// The names of all variables and procedures of `program`. A local is told
    /// apart from all globals, so that nothing is shadowed.
    #[must_use]
    pub fn of_program(program: &Program) -> Self {
        let mut procedure_names = UniqueNames::default();
        let procedures =
            program.procedures.iter().map(|it| procedure_names.pick(&it.name)).collect();
        let mut variables = vec![String::new(); program.variables.len()];
        let mut global_names = UniqueNames::default();
        name_all(program, |info| info.owner.is_none(), &mut global_names, &mut variables);
        let mut own: Vec<Vec<usize>> = vec![Vec::new(); program.procedures.len()];
        for (index, info) in program.variables.iter().enumerate() {
            if let Some(owner) = info.owner {
                own[owner.index()].push(index);
            }
        }
        for locals in own {
            let mut names = UniqueNames { outer: Some(&global_names), ..UniqueNames::default() };
            for index in locals {
                variables[index] = names.pick(&program.variables[index].name);
            }
        }
        Self { variables, procedures }
    }

    /// The name of a variable.
    #[must_use]
    pub fn variable(&self, variable: Variable) -> &str {
        &self.variables[variable.index()]
    }

    /// The name of a procedure.
    #[must_use]
    pub fn procedure(&self, procedure: ProcedureId) -> &str {
        &self.procedures[procedure.index()]
    }
}

fn name_all(
    program: &Program,
    is_wanted: impl Fn(&VariableInfo) -> bool,
    names: &mut UniqueNames<'_>,
    variables: &mut [String],
) {
    for (index, info) in program.variables.iter().enumerate() {
        if is_wanted(info) {
            variables[index] = names.pick(&info.name);
        }
    }
}

/// Gives names that are not taken yet; the map is only asked, never listed.
#[derive(Default)]
struct UniqueNames<'outer> {
    /// Each taken name, with the last suffix that was tried for it.
    taken: HashMap<String, u32>,
    outer: Option<&'outer UniqueNames<'outer>>,
}

impl UniqueNames<'_> {
    fn is_taken(&self, name: &str) -> bool {
        self.taken.contains_key(name) || self.outer.is_some_and(|outer| outer.is_taken(name))
    }

    /// `wanted`, or `wanted$2`, `wanted$3` …; quoted.
    fn pick(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut suffix = self.taken.get(wanted).copied().unwrap_or(1);
        while self.is_taken(&name) {
            suffix += 1;
            name = format!("{wanted}${suffix}");
        }
        self.taken.insert(wanted.to_owned(), suffix);
        let quoted = quoted_name(&name);
        if name != wanted {
            self.taken.insert(name, 1);
        }
        quoted
    }
}

/// The whole program as text.
#[must_use]
pub fn print(program: &Program) -> String {
    let names = Names::of_program(program);
    let mut text = String::new();
    if program.pointer_bytes != 8 {
        line(&mut text, &format!("pointer_bytes {}\n", program.pointer_bytes));
    }
    let mut locals: Vec<Vec<Variable>> = vec![Vec::new(); program.procedures.len()];
    for (index, info) in program.variables.iter().enumerate() {
        let variable = Variable::at(index);
        match info.owner {
            None => line(&mut text, &format!("global {}", declaration(program, &names, variable))),
            Some(owner) if !program.procedure(owner).parameters.contains(&variable) => {
                locals[owner.index()].push(variable);
            }
            Some(_) => {}
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    for (index, own) in locals.iter().enumerate() {
        print_procedure(&mut text, program, &names, ProcedureId::at(index), own);
    }
    line(&mut text, &format!("entry {}", names.procedure(program.entry)));
    text
}

fn line(text: &mut String, content: &str) {
    text.push_str(content);
    text.push('\n');
}

fn declaration(program: &Program, names: &Names, variable: Variable) -> String {
    format!("{}: {}", names.variable(variable), type_name(program.variable(variable).ty))
}

fn print_procedure(
    text: &mut String,
    program: &Program,
    names: &Names,
    id: ProcedureId,
    locals: &[Variable],
) {
    let procedure = program.procedure(id);
    text.push_str(&signature(program, names, id, procedure));
    if !procedure.is_defined() {
        text.push_str("\n\n");
        return;
    }
    text.push_str(" {\n");
    for variable in locals {
        line(text, &format!("  local {}", declaration(program, names, *variable)));
    }
    for (index, block) in procedure.blocks.iter().enumerate() {
        line(text, &format!("b{index}:"));
        print_block(text, names, block);
    }
    text.push_str("}\n\n");
}

fn signature(program: &Program, names: &Names, id: ProcedureId, procedure: &Procedure) -> String {
    let parameters: Vec<String> =
        procedure.parameters.iter().map(|it| declaration(program, names, *it)).collect();
    let result = procedure.result.map_or(String::new(), |ty| format!(" -> {}", type_name(ty)));
    format!("procedure {}({}){result}", names.procedure(id), parameters.join(", "))
}

fn print_block(text: &mut String, names: &Names, block: &Block) {
    for instruction in &block.commands {
        line(text, &format!("  {}", print_command(names, &instruction.command)));
    }
    line(text, &format!("  {}", print_terminator(names, &block.terminator)));
}

fn type_name(ty: ScalarType) -> String {
    match ty {
        ScalarType::Int(kind) => kind.to_string(),
        ScalarType::Pointer => "ptr".to_owned(),
        ScalarType::Float(bytes) => format!("f{bytes}"),
    }
}

/// One command as text.
#[must_use]
pub fn print_command(names: &Names, command: &Command) -> String {
    let expr = |it: &Expr| print_expr(names, it);
    let assign = |it: Variable, value: String| format!("{} := {value}", names.variable(it));
    match command {
        Command::Assign { target, value } => assign(*target, expr(value)),
        Command::Havoc { target, source } => assign(*target, havoc_source(source)),
        Command::Load { target, address, ty } => {
            assign(*target, format!("[{} : {}]", expr(address), type_name(*ty)))
        }
        Command::Store { address, value, ty } => {
            format!("[{} : {}] := {}", expr(address), type_name(*ty), expr(value))
        }
        Command::Allocate { target, size, kind, content } => {
            let suffix = match content {
                InitialContent::Arbitrary => "",
                InitialContent::Zero => " zeroed",
            };
            assign(*target, format!("allocate {} {}{suffix}", memory_kind(*kind), expr(size)))
        }
        Command::Measure { target, address } => {
            assign(*target, format!("measure {}", expr(address)))
        }
        Command::Free { address, kind } => format!("free {} {}", memory_kind(*kind), expr(address)),
        Command::Fill { address, byte, size } => {
            format!("[{}; {}] := fill {}", expr(address), expr(size), expr(byte))
        }
        Command::Copy { target, source, size, overlap } => {
            let how = match overlap {
                Overlap::Allowed => "copy",
                Overlap::Undefined => "copy apart",
            };
            format!("[{}; {}] := {how} {}", expr(target), expr(size), expr(source))
        }
        Command::Assume { condition } => format!("assume {}", expr(condition)),
        Command::Call { target, callee, arguments } => {
            let call = print_call(names, callee, arguments);
            target.map_or(call.clone(), |target| assign(target, call))
        }
        Command::Error { what } => format!("error {}", quoted_text(what)),
        Command::Unsupported { what, gap } => {
            let word = match gap {
                Gap::NotModelled => "unsupported",
                Gap::Undefined => "undefined",
                Gap::Contents => "clobber",
                Gap::Handed(handed) => &format!("clobber {}", expr(handed)),
                Gap::Granted(_) => "granted",
            };
            format!("{word} {}", quoted_text(what))
        }
    }
}

fn havoc_source(source: &HavocSource) -> String {
    match source {
        HavocSource::Input(function) => format!("input {}", quoted_text(function)),
        HavocSource::Uninitialised => "uninitialised".to_owned(),
        HavocSource::Approximation(why) => format!("arbitrary {}", quoted_text(why)),
    }
}

fn memory_kind(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Heap => "heap",
        MemoryKind::Stack => "stack",
        MemoryKind::Alloca => "alloca",
        MemoryKind::Static => "static",
        MemoryKind::Stream => "stream",
        MemoryKind::Constant => "constant",
        MemoryKind::Any => "any",
    }
}

fn print_call(names: &Names, callee: &Callee, arguments: &[Expr]) -> String {
    let callee = match callee {
        Callee::Direct(procedure) => names.procedure(*procedure).to_owned(),
        Callee::Indirect(address) => format!("*({})", print_expr(names, address)),
    };
    let arguments: Vec<String> = arguments.iter().map(|it| print_expr(names, it)).collect();
    format!("call {callee}({})", arguments.join(", "))
}

/// A terminator as text; the block with index 3 is called `b3`.
#[must_use]
pub fn print_terminator(names: &Names, terminator: &Terminator) -> String {
    let expr = |it: &Expr| print_expr(names, it);
    match terminator {
        Terminator::Goto(next) => format!("goto b{}", next.0),
        Terminator::Branch { condition, then, otherwise } => {
            format!("if {} goto b{} else b{}", expr(condition), then.0, otherwise.0)
        }
        Terminator::Switch { value, cases, default } => {
            let mut text = format!("switch {} {{", expr(value));
            for (low, high, target) in cases {
                let range = if low == high { String::new() } else { format!("..{high}") };
                // Writing to a string cannot fail.
                let _ = write!(text, " {low}{range} => b{},", target.0);
            }
            format!("{text} else => b{} }}", default.0)
        }
        Terminator::Return(None) => "return".to_owned(),
        Terminator::Return(Some(value)) => format!("return {}", expr(value)),
        Terminator::Halt => "halt".to_owned(),
    }
}

/// How tightly the outermost operator of an expression binds; more is tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Lowest,
    Comparison,
    Or,
    Xor,
    And,
    Shift,
    Additive,
    Multiplicative,
    Wrap,
    Unary,
    Leaf,
}

impl Tightness {
    fn of(expr: &Expr) -> Self {
        match expr {
            Expr::Constant(value) if *value < 0 => Self::Unary,
            Expr::Constant(_) | Expr::Variable(_) | Expr::Procedure(_) => Self::Leaf,
            Expr::Unary(..) => Self::Unary,
            Expr::Wrap(..) => Self::Wrap,
            Expr::Binary(op, ..) => Self::of_operator(*op),
        }
    }

    fn of_operator(op: BinaryOp) -> Self {
        match op {
            BinaryOp::Add | BinaryOp::Subtract => Self::Additive,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => Self::Multiplicative,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => Self::Shift,
            BinaryOp::And => Self::And,
            BinaryOp::Or => Self::Or,
            BinaryOp::Xor => Self::Xor,
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => Self::Comparison,
        }
    }

    fn next(self) -> Self {
        match self {
            Self::Lowest => Self::Comparison,
            Self::Comparison => Self::Or,
            Self::Or => Self::Xor,
            Self::Xor => Self::And,
            Self::And => Self::Shift,
            Self::Shift => Self::Additive,
            Self::Additive => Self::Multiplicative,
            Self::Multiplicative => Self::Wrap,
            Self::Wrap => Self::Unary,
            Self::Unary | Self::Leaf => Self::Leaf,
        }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
    }
}

/// An expression as text, with the parentheses it needs.
#[must_use]
pub fn print_expr(names: &Names, expr: &Expr) -> String {
    let mut text = String::new();
    write_expr(&mut text, names, expr, Tightness::Lowest);
    text
}

fn write_expr(text: &mut String, names: &Names, expr: &Expr, at_least: Tightness) {
    let is_bare = Tightness::of(expr) >= at_least;
    if !is_bare {
        text.push('(');
    }
    write_bare(text, names, expr);
    if !is_bare {
        text.push(')');
    }
}

fn write_bare(text: &mut String, names: &Names, expr: &Expr) {
    match expr {
        Expr::Constant(value) => text.push_str(&value.to_string()),
        Expr::Variable(variable) => text.push_str(names.variable(*variable)),
        Expr::Procedure(procedure) => {
            text.push('&');
            text.push_str(names.procedure(*procedure));
        }
        Expr::Unary(op, operand) => write_unary(text, names, *op, operand),
        Expr::Wrap(kind, operand) => {
            write_expr(text, names, operand, Tightness::Wrap);
            text.push_str(" as ");
            text.push_str(&type_name(ScalarType::Int(*kind)));
        }
        Expr::Binary(op, left, right) => {
            let own = Tightness::of_operator(*op);
            let chains = own != Tightness::Comparison;
            write_operand(text, names, left, if chains { own } else { own.next() });
            let _ = write!(text, " {} ", operator(*op));
            write_operand(text, names, right, own.next());
        }
    }
}

/// An operand of a binary operator. Bit operators inside another operator get
/// parentheses even where they need none: C's readers expect another tightness.
fn write_operand(text: &mut String, names: &Names, expr: &Expr, at_least: Tightness) {
    let own = Tightness::of(expr);
    let is_bit_operator = (Tightness::Or..=Tightness::Shift).contains(&own);
    let at_least = if is_bit_operator && own != at_least { Tightness::Leaf } else { at_least };
    write_expr(text, names, expr, at_least);
}

fn write_unary(text: &mut String, names: &Names, op: UnaryOp, operand: &Expr) {
    text.push(match op {
        UnaryOp::Negate => '-',
        UnaryOp::BitNot => '~',
        UnaryOp::Not => '!',
    });
    match operand {
        // `-1` is a number, so the negation of 1 is `-(1)`.
        Expr::Constant(value) if *value >= 0 && op == UnaryOp::Negate => {
            let _ = write!(text, "({value})");
        }
        _ => write_expr(text, names, operand, Tightness::Unary),
    }
}
