//! Programs without memory: addresses are numbers, and what is read there is any value.
//!
//! ```text
//!   nothing is said of memory    w the bytes of an address
//!   ─────────────────────────────────────────────────────── NUMBERS
//!   x := [E], [E] := F, dispose(E), …  ⟶  the same at E, if that moves, or else somewhere
//!   p := E                             ⟶  p := E reduced to w bytes
//!   clobber                            ⟶  nothing, but n := *
//!   s.left := s.left - 1 > 0           ⟶  assume 0 < n, n := n - 1
//! ```
//!
//! Here n is how often all streams together can still be read, at most. It has a start, as there
//! are never more than finitely many, with finitely much in each; whatever opens one sets it anew.
//!
//! Each run that C defines is a run of the result, up to what memory holds: it is for proofs that
//! take for granted that each access is valid. A valid access is at an address above 0 and, in
//! an address space of 64 bits, below the upper half of it: so a pointer that moves on from
//! access to access comes to an end. This is said of a pointer with a signed number or a counter
//! added only: with an unsigned number, the sum may have gone round the ends of memory.
//!
//! The program's own procedures, variables and blocks stay what they were.

use super::callees::Outside;
use super::cells::again::KnownPointers;
use super::chains::{self, Walks};
use super::motion::{MOST_COUNTED, Motion, motions};
use super::{any, callees, cells, private};
use crate::semantics::{address_kind, wrap};
use crate::{
    BinaryOp, Callee, Command, Expr, Gap, HavocSource, InputChange, InputSort, Instruction,
    IntKind, MemoryKind, Procedure, Program, ScalarType, Shortcut, Terminator, Variable,
    VariableInfo,
};
use base::source::Span;

/// Which addresses are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// None.
    Forgotten,
    /// Those made of variables that are moved on: `p := p + 4`; and what lies behind pointers that
    /// a function by itself is handed (`slice::cells`).
    Moving,
    /// None, but the same is known of what lies there, and links that are found lead to an end
    /// (`slice::chains`).
    Linked,
    /// Those that are moved on, and links that are found lead to an end.
    MovingAndLinked,
    /// The same, whichever of several links a loop takes.
    MovingAndBranching,
}

impl Addresses {
    /// Whether accesses at some addresses are made where these are, and go wrong there.
    #[must_use]
    pub fn are_kept(self) -> bool {
        matches!(self, Self::Moving | Self::MovingAndLinked | Self::MovingAndBranching)
    }

    /// How links are followed that are found.
    fn walks(self) -> Option<Walks> {
        match self {
            Self::Forgotten | Self::Moving => None,
            Self::Linked | Self::MovingAndLinked => Some(Walks::Apart),
            Self::MovingAndBranching => Some(Walks::Together),
        }
    }
}

/// What stands for an address that is not kept: some number that one may be.
const SOMEWHERE: Expr = Expr::Constant(1);

/// What changes nothing.
const NOTHING: Command = Command::Assume { condition: Expr::Constant(1) };

/// The program in which nothing is said of memory. Calls through pointers are choices between
/// procedures (`slice::callees`).
#[must_use]
pub fn as_numbers(program: &Program, addresses: Addresses) -> Program {
    let mut program = program.clone();
    let parts = private::add(&mut program);
    if addresses != Addresses::Forgotten {
        let cells = cells::add(&mut program, &[]);
        let told = cells.into_iter().map(|it| it.0).chain(parts.variables()).collect();
        cells::again::add(&mut program, (&told, KnownPointers::OnSomeWay), &[]);
    }
    let mut program = callees::as_choices(&program, Outside::LeavesMemory);
    let inputs = with_inputs(&mut program);
    if let Some(walks) = addresses.walks() {
        chains::add(&mut program, walks);
    }
    let kind = address_kind(program.pointer_bytes);
    let view = View { program: &program, kind, motions: motions(&program), addresses, inputs };
    let mut numbers = program.clone();
    for variable in &mut numbers.variables {
        variable.ty = view.number(variable.ty);
    }
    for procedure in &mut numbers.procedures {
        view.procedure(procedure);
    }
    numbers
}

/// How often all things of a sort can be read.
#[derive(Clone, Copy)]
struct Input {
    sort: InputSort,
    /// How often they can still be read together.
    left: Variable,
    /// What the program counts itself.
    counted: Variable,
}

/// Variables that say how often all things of a sort can still be read together, for the sorts of
/// which any are.
fn with_inputs(program: &mut Program) -> Vec<Input> {
    let shortcuts = program.procedures.iter().filter_map(|it| it.shortcut);
    let read: Vec<InputSort> = shortcuts
        .filter_map(|it| match it {
            Shortcut::Input(sort, _) => Some(sort),
            Shortcut::StringLength { .. } | Shortcut::Summary(_) => None,
        })
        .collect();
    let mut inputs = Vec::new();
    for sort in InputSort::ALL.into_iter().filter(|it| read.contains(it)) {
        let mut number = |name: &str, signed: bool| {
            let ty = ScalarType::Int(IntKind { bits: 64, signed });
            let (name, span) = (name.to_owned(), Span::NOWHERE);
            program.variables.push(VariableInfo { name, ty, owner: None, span });
            Variable::at(program.variables.len() - 1)
        };
        let left = number("what is left to be read", true);
        let counted = number("what was counted", false);
        inputs.push(Input { sort, left, counted });
    }
    let begun =
        |span| inputs.iter().map(move |it| Instruction { command: any_input(it.left), span });
    // What is not modelled may set all of them back.
    for block in program.procedures.iter_mut().flat_map(|it| &mut it.blocks) {
        let commands = std::mem::take(&mut block.commands);
        block.commands = commands
            .into_iter()
            .flat_map(|it| {
                let is_gap = matches!(
                    it.command,
                    Command::Unsupported { gap: Gap::Contents | Gap::Handed(_), .. }
                );
                let more: Vec<Instruction> = if is_gap { begun(it.span).collect() } else { vec![] };
                std::iter::once(it).chain(more)
            })
            .collect();
    }
    let entry = &mut program.procedures[program.entry.index()];
    if let Some(first) = entry.blocks.first_mut() {
        first.commands.splice(0..0, begun(Span::NOWHERE));
    }
    inputs
}

/// More or less may be read.
fn any_input(input: Variable) -> Command {
    any(input, "what is left to be read")
}

/// The same program where memory is not accessed: what is read there is an input, and so is what
/// a function by itself is called with, and what is not modelled gives.
#[must_use]
pub fn reading_inputs(mut numbers: Program) -> Program {
    let entry = &mut numbers.procedures[numbers.entry.index()];
    for instruction in entry.blocks.iter_mut().flat_map(|it| &mut it.commands) {
        if let Command::Havoc { source, .. } = &mut instruction.command {
            *source = HavocSource::Input("what a caller gives".to_owned());
        }
    }
    let blocks = numbers.procedures.iter_mut().flat_map(|it| &mut it.blocks);
    for instruction in blocks.flat_map(|it| &mut it.commands) {
        let command = &mut instruction.command;
        match command {
            Command::Havoc { source, .. } => {
                if let HavocSource::Approximation(what) = source {
                    *source = HavocSource::Input(std::mem::take(what));
                }
            }
            _ if command.is_about_memory() => {
                let input = |target| {
                    let source = HavocSource::Input(cells::HELD.to_owned());
                    Command::Havoc { target, source }
                };
                *command = command.target().map_or(NOTHING, input);
            }
            _ => {}
        }
    }
    numbers
}

struct View<'a> {
    program: &'a Program,
    /// The type of a number that is an address.
    kind: IntKind,
    /// By variable.
    motions: Vec<Motion>,
    addresses: Addresses,
    inputs: Vec<Input>,
}

impl View<'_> {
    fn number(&self, ty: ScalarType) -> ScalarType {
        match ty {
            ScalarType::Pointer => ScalarType::Int(self.kind),
            ScalarType::Int(_) | ScalarType::Float(_) => ty,
        }
    }

    fn is_pointer(&self, variable: Variable) -> bool {
        self.program.variable(variable).ty == ScalarType::Pointer
    }

    fn procedure(&self, procedure: &mut Procedure) {
        let result = procedure.result;
        procedure.result = result.map(|ty| self.number(ty));
        match procedure.shortcut {
            Some(Shortcut::StringLength { width }) => {
                procedure.shortcut = None;
                self.measure(procedure, width);
            }
            Some(Shortcut::Input(sort, change)) => {
                procedure.shortcut = None;
                self.change_input(procedure, (sort, change));
            }
            Some(Shortcut::Summary(_)) | None => {}
        }
        for block in &mut procedure.blocks {
            self.say_bytes(&mut block.commands);
            for instruction in &mut block.commands {
                self.command(&mut instruction.command);
                instruction.command.for_each_expression_mut(&mut |it| self.compared(it));
            }
            block.terminator.expression_mut().into_iter().for_each(|it| self.compared(it));
            if let Terminator::Return(Some(value)) = &mut block.terminator
                && result == Some(ScalarType::Pointer)
            {
                self.reduce(value);
            }
        }
    }

    /// Adds the writes of first bytes that copies and fills of some bytes come to. What is read is
    /// valid as well, and nothing is said of what memory holds.
    fn say_bytes(&self, commands: &mut Vec<Instruction>) {
        let is_some = |size: &Expr| matches!(size, Expr::Constant(1..));
        let ty = ScalarType::Int(IntKind { bits: 8, signed: true });
        let all = std::mem::take(commands);
        for Instruction { command, span } in all {
            let ends: Vec<&Expr> = match &command {
                Command::Copy { target, source, size, .. } if is_some(size) => vec![source, target],
                Command::Fill { address, size, .. } if is_some(size) => vec![address],
                _ => Vec::new(),
            };
            let moving = ends.into_iter().filter(|it| self.is_kept(it)).cloned();
            let said: Vec<Instruction> = moving
                .map(|address| Command::Store { address, value: Expr::Constant(0), ty })
                .map(|command| Instruction { command, span })
                .collect();
            commands.extend(said);
            commands.push(Instruction { command, span });
        }
    }

    fn command(&self, command: &mut Command) {
        match command {
            Command::Assign { target, value } if self.is_pointer(*target) => self.reduce(value),
            Command::Load { address, ty, .. } => {
                *ty = self.number(*ty);
                self.keep_moving(address);
            }
            Command::Store { address, value, ty } => {
                (*ty, *value) = (self.number(*ty), Expr::Constant(0));
                self.keep_moving(address);
            }
            Command::Allocate { size, kind, .. } if *kind != MemoryKind::Stack => {
                *size = SOMEWHERE;
            }
            Command::Measure { address, .. } | Command::Free { address, .. } => {
                *address = SOMEWHERE;
            }
            Command::Fill { address, byte, size } => {
                [address, byte, size].into_iter().for_each(|it| *it = SOMEWHERE);
            }
            Command::Copy { target, source, size, .. } => {
                [target, source, size].into_iter().for_each(|it| *it = SOMEWHERE);
            }
            Command::Call { callee: Callee::Direct(callee), arguments, .. } => {
                let parameters = &self.program.procedure(*callee).parameters;
                for (parameter, argument) in parameters.iter().zip(arguments) {
                    if self.is_pointer(*parameter) {
                        self.reduce(argument);
                    }
                }
            }
            Command::Unsupported { gap: Gap::Contents | Gap::Handed(_), .. } => *command = NOTHING,
            Command::Assign { .. }
            | Command::Havoc { .. }
            | Command::Allocate { .. }
            | Command::Assume { .. }
            | Command::Call { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => {}
        }
    }

    fn keep_moving(&self, address: &mut Expr) {
        if !self.is_kept(address) {
            *address = SOMEWHERE;
        }
    }

    fn is_kept(&self, address: &Expr) -> bool {
        let mut moves = false;
        address.variables().for_each(|it| moves |= self.motions[it.index()].moves);
        moves && self.addresses.are_kept() && self.pointers_in(address) == Some(1)
    }

    /// How many pointers a sum is made of, beside signed numbers and counters; `None` for what
    /// is no such sum.
    fn pointers_in(&self, value: &Expr) -> Option<u32> {
        match value {
            Expr::Variable(variable) => match self.program.variable(*variable).ty {
                ScalarType::Pointer => Some(1),
                ScalarType::Int(kind) => {
                    let is_narrow = kind.signed || kind.bits < self.kind.bits;
                    (is_narrow || self.motions[variable.index()].counts).then_some(0)
                }
                ScalarType::Float(_) => None,
            },
            Expr::Constant(number) => (number.abs() <= MOST_COUNTED).then_some(0),
            Expr::Binary(BinaryOp::Add, left, right) => {
                Some(self.pointers_in(left)? + self.pointers_in(right)?)
            }
            Expr::Binary(BinaryOp::Subtract, left, right) => {
                (self.pointers_in(right)? == 0).then_some(self.pointers_in(left)?)
            }
            Expr::Binary(BinaryOp::Multiply, left, right) => {
                let is_constant = |it: &Expr| matches!(it, Expr::Constant(_));
                let is_number = self.pointers_in(left)? == 0 && self.pointers_in(right)? == 0;
                (is_number && (is_constant(left) || is_constant(right))).then_some(0)
            }
            Expr::Procedure(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Wrap(..) => None,
        }
    }

    /// Addresses that are compared are reduced as well: what is added may be the number of bytes
    /// to a lower address.
    fn compared(&self, expr: &mut Expr) {
        match expr {
            Expr::Binary(op, left, right) => {
                let is_of_pointers = self.is_of_pointer(left) || self.is_of_pointer(right);
                for side in [left, right] {
                    self.compared(side);
                    if op.is_comparison() && is_of_pointers {
                        self.reduce(side);
                    }
                }
            }
            _ => expr.operands_mut().for_each(|it| self.compared(it)),
        }
    }

    /// Whether an expression is a pointer, or one with something added.
    fn is_of_pointer(&self, value: &Expr) -> bool {
        match value {
            Expr::Variable(variable) => self.is_pointer(*variable),
            Expr::Binary(BinaryOp::Add, left, right) => {
                self.is_of_pointer(left) || self.is_of_pointer(right)
            }
            // The distance of two is none.
            Expr::Binary(BinaryOp::Subtract, left, right) => {
                self.is_of_pointer(left) && !self.is_of_pointer(right)
            }
            Expr::Constant(_)
            | Expr::Procedure(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Wrap(..) => false,
        }
    }

    /// What a pointer is that gets a value.
    fn reduce(&self, value: &mut Expr) {
        match value {
            Expr::Constant(number) => {
                if let Ok(reduced) = wrap(self.kind, *number) {
                    *number = reduced;
                }
            }
            Expr::Procedure(_) => {}
            Expr::Variable(variable) if self.is_pointer(*variable) => {}
            _ => {
                let number = std::mem::replace(value, SOMEWHERE);
                *value = Expr::Wrap(self.kind, Box::new(number));
            }
        }
    }

    /// What streams hold is not known, but how often all of them together can be read. How often
    /// each can is any number.
    fn change_input(&self, procedure: &mut Procedure, (sort, change): (InputSort, InputChange)) {
        let input = self.inputs.iter().find(|it| it.sort == sort);
        let (Some(Input { left, counted, .. }), Some(first)) =
            (input.copied(), procedure.blocks.first_mut())
        else {
            return;
        };
        let by = |op| Expr::binary(op, left.into(), Expr::Constant(1));
        let to = |value| Command::Assign { target: left, value };
        let changes = match change {
            InputChange::Begun => vec![any_input(left)],
            InputChange::Less => {
                let condition = Expr::binary(BinaryOp::Less, Expr::Constant(0), left.into());
                vec![Command::Assume { condition }, to(by(BinaryOp::Subtract))]
            }
            InputChange::More => vec![to(by(BinaryOp::Add))],
        };
        let span = procedure.span;
        let all = changes.into_iter().chain([any(counted, "what a stream holds")]);
        first.commands = all.map(|command| Instruction { command, span }).collect();
        first.terminator = Terminator::Return(Some(counted.into()));
    }

    /// The length of a string is some number, and the end is found that far behind its start: a
    /// string does not go round the ends of memory, however long it is.
    fn measure(&self, procedure: &mut Procedure, width: u32) {
        let result = procedure.blocks.iter().find_map(|block| match &block.terminator {
            Terminator::Return(Some(Expr::Variable(result))) => Some(*result),
            _ => None,
        });
        let (Some(result), Some(first)) = (result, procedure.blocks.first_mut()) else { return };
        let ty = ScalarType::Int(IntKind { bits: 8, signed: true });
        let end = match procedure.parameters.as_slice() {
            [text] if self.addresses.are_kept() && self.motions[text.index()].moves => {
                let bytes = Expr::Constant(width.into());
                let length = Expr::binary(BinaryOp::Multiply, bytes, result.into());
                Expr::binary(BinaryOp::Add, Expr::from(*text), length)
            }
            _ => SOMEWHERE,
        };
        // Objects lie in the lower half of an address space of 64 bits.
        let most = Expr::Constant(i64::MAX.into());
        let commands = [
            any(result, "the length of a string"),
            Command::Assume { condition: Expr::binary(BinaryOp::LessEqual, result.into(), most) },
            Command::Store { address: end, value: Expr::Constant(0), ty },
        ];
        let span = first.commands.first().map_or(procedure.span, |it| it.span);
        first.commands = commands.map(|command| Instruction { command, span }).into();
        first.terminator = Terminator::Return(Some(result.into()));
    }
}
