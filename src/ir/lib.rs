//! The goto program: the one program form that every analysis reads.
//!
//! A [`Program`] is a set of procedures; a procedure is a control-flow graph of
//! basic blocks over a small closed set of commands (CAV'06 §3, widened to C).
//!
//! * **Variables hold scalars**: an integer or an address. Aggregates, and every
//!   C variable whose address is taken, live in memory blocks; the variable
//!   then holds the block's address.
//! * **Expressions are pure**: they read variables only. Memory is touched by
//!   [`Command::Load`] and [`Command::Store`].
//! * **Arithmetic is mathematical**: an operator yields the exact integer. The
//!   front end makes C's rules explicit with [`expr::Expr::Wrap`], which
//!   reduces a value to the range of an integer type; `simplify` removes
//!   those that change nothing.
//! * **Bytes are real**: addresses are `block + offset`, as the data model lays bytes out.
//! * **Execution starts** at [`Program::entry`], a procedure that the front end
//!   makes: it allocates and initialises the globals, then calls `main`.

mod allocators;
pub mod counted;
pub mod cutpoint;
pub mod expr;
pub mod floats;
pub mod forms;
pub mod freeing;
mod grant;
mod havoc;
pub mod incoming;
pub mod indices;
pub mod links;
pub mod liveness;
pub mod open;
pub mod semantics;
pub mod senses;
pub mod shortcut;
pub mod slice;
pub mod text;
mod walk;

use base::source::{SourceMap, Span};
use base::typed_index;
pub use expr::{BinaryOp, Expr, IntKind, ScalarType, UnaryOp};
pub use grant::Grant;
pub use havoc::HavocSource;
pub use shortcut::{InputChange, InputSort, Shortcut};

typed_index!(
    /// A procedure of the program.
    ProcedureId
);
typed_index!(
    /// A program variable; unique in the whole program, local or global.
    Variable
);
typed_index!(
    /// A basic block of one procedure.
    BlockId
);

/// A whole goto program.
#[derive(Clone, Debug, Hash)]
pub struct Program {
    /// All procedures. A procedure without blocks is only declared.
    pub procedures: Vec<Procedure>,
    /// All variables, indexed by [`Variable`].
    pub variables: Vec<VariableInfo>,
    /// Where execution starts. If it has parameters, they are arbitrary.
    pub entry: ProcedureId,
    /// The files that spans point into.
    pub sources: SourceMap,
    /// Bytes in an address: 8 (lp64) or 4 (ilp32).
    pub pointer_bytes: u32,
    /// What is known of the function that the entry calls, if it is analysed by
    /// itself.
    pub open: Option<open::OpenEntry>,
    /// What parts of memory are called, for reports.
    pub forms: forms::Forms,
}

/// What is known of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariableInfo {
    /// Name as in the source; made-up variables have a name with a `$` in it.
    pub name: String,
    /// The type of the scalar it holds.
    pub ty: ScalarType,
    /// The procedure it belongs to, or `None` for a global.
    pub owner: Option<ProcedureId>,
    /// Where it was declared.
    pub span: Span,
}

/// A procedure: parameters, locals and a control-flow graph.
#[derive(Clone, Debug, Hash)]
pub struct Procedure {
    /// Name as in the source.
    pub name: String,
    /// Formal parameters; assigned by the call.
    pub parameters: Vec<Variable>,
    /// Locals that are in scope as long as the call lasts; others may be in scope
    /// in a part of it only.
    pub lasting: Vec<Variable>,
    /// The type of the result, if it has one.
    pub result: Option<ScalarType>,
    /// Basic blocks; block 0 is the entry. Empty when only declared.
    pub blocks: Vec<Block>,
    /// Where it was defined.
    pub span: Span,
    /// What symbolic execution may know of its calls beside the body.
    pub shortcut: Option<Shortcut>,
}

impl Procedure {
    /// The name that a user knows: without the number that tells copies apart.
    #[must_use]
    pub fn shown_name(&self) -> &str {
        match self.name.split_once('$') {
            Some((shown, _)) if !shown.is_empty() => shown,
            _ => &self.name,
        }
    }

    /// Whether it is a copy of a function of the library's models: the only ones with a number.
    #[must_use]
    pub fn is_of_library(&self) -> bool {
        self.name.split_once('$').is_some_and(|(shown, _)| !shown.is_empty())
    }

    /// Whether a variable keeps its value until the call ends, unless it is
    /// given another one: a parameter, or a local that stays in scope.
    #[must_use]
    pub fn keeps(&self, variable: Variable) -> bool {
        self.parameters.contains(&variable) || self.lasting.contains(&variable)
    }
}

/// A straight line of commands and what follows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// The commands, in order.
    pub commands: Vec<Instruction>,
    /// Where control goes next.
    pub terminator: Terminator,
    /// The place of the terminator.
    pub span: Span,
}

/// A command with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// What is done.
    pub command: Command,
    /// Where it was written.
    pub span: Span,
}

/// The primitive steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// `target := value`.
    Assign {
        /// The variable written.
        target: Variable,
        /// Its new value.
        value: Expr,
    },
    /// `target := *`, any value of the variable's type (any address, valid or
    /// not, for a pointer).
    Havoc {
        /// The variable written.
        target: Variable,
        /// Why the value is arbitrary.
        source: HavocSource,
    },
    /// `target := *(ty *)address`.
    Load {
        /// The variable written.
        target: Variable,
        /// The address read.
        address: Expr,
        /// What is read there.
        ty: ScalarType,
    },
    /// `*(ty *)address := value`.
    Store {
        /// The address written.
        address: Expr,
        /// The value written.
        value: Expr,
        /// What is written there.
        ty: ScalarType,
    },
    /// `target :=` the address of a new block of `size` bytes.
    Allocate {
        /// Receives the address.
        target: Variable,
        /// Bytes, a non-negative number; a negative one is an error.
        size: Expr,
        /// What kind of memory.
        kind: MemoryKind,
        /// What the bytes hold at first.
        content: InitialContent,
    },
    /// `target :=` the number of bytes of the live heap block that starts at `address`; 0
    /// for null. Anything else is an error, as it is for `free`.
    Measure {
        /// Receives the number.
        target: Variable,
        /// The start of the block, or null.
        address: Expr,
    },
    /// Ends the lifetime of the block at `address`. For [`MemoryKind::Heap`]
    /// this is `free`: null is ignored, an address that is not the start of a
    /// live heap block is an error. For [`MemoryKind::Stack`] the front end
    /// guarantees that the variable holds the block's start. For
    /// [`MemoryKind::Constant`] the block, a static one, lives on, but may not be
    /// written any more.
    Free {
        /// The start of the block.
        address: Expr,
        /// What kind of memory.
        kind: MemoryKind,
    },
    /// Writes `byte` to `size` bytes at `address` (`memset`).
    Fill {
        /// First byte written.
        address: Expr,
        /// The value of each byte, reduced to 0..=255.
        byte: Expr,
        /// How many bytes.
        size: Expr,
    },
    /// Copies `size` bytes from `source` to `target` (struct assignment,
    /// `memcpy`, `memmove`).
    Copy {
        /// First byte written.
        target: Expr,
        /// First byte read.
        source: Expr,
        /// How many bytes.
        size: Expr,
        /// Whether the bytes written may be some of those read.
        overlap: Overlap,
    },
    /// Ends the run silently unless `condition` is non-zero.
    Assume {
        /// The condition.
        condition: Expr,
    },
    /// A call; the callee's result, if any, goes to `target`.
    Call {
        /// Receives the result.
        target: Option<Variable>,
        /// What is called.
        callee: Callee,
        /// Actual parameters, converted to the formals' types.
        arguments: Vec<Expr>,
    },
    /// A call of `reach_error`, a failing `assert`: the property `reach` is
    /// violated here, and the run ends.
    Error {
        /// The function or assertion, for the report.
        what: String,
    },
    /// What happens here is not known. Reaching this command makes every verdict unknown, but for
    /// what takes for granted that nothing undefined happens.
    Unsupported {
        /// What the construct is.
        what: String,
        /// Who leaves it open.
        gap: Gap,
    },
}

/// Who leaves open what happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Gap {
    /// The construct is not modelled.
    NotModelled,
    /// C defines no run in which it happens.
    Undefined,
    /// What memory holds behind it is not modelled, and all else is: a memory clobber.
    Contents,
    /// Somebody else is handed the object that this leads to, and may give it up or change it. All
    /// else is as it was.
    Handed(Expr),
    /// Nothing happens, but this is taken for granted.
    Granted(Grant),
}

/// What kind of memory a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryKind {
    /// `malloc` and friends: lives until `free`.
    Heap,
    /// A local whose address is taken, or an aggregate: lives until its scope ends.
    Stack,
    /// `alloca`: lives until the procedure returns (the engine frees it).
    Alloca,
    /// Globals and string literals: lives for ever.
    Static,
    /// An open stream of the library: lives until it is closed. Nobody needs to.
    Stream,
    /// String literals and constant objects, once they have their values: lives for
    /// ever, and writing there is an error.
    Constant,
    /// No block is of this kind. To free something as it takes away the block that the address
    /// points into, whatever that is: to use it from here on is an error. No C does that; it
    /// asks whether anybody would.
    Any,
}

/// What a new block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InitialContent {
    /// Arbitrary bytes.
    Arbitrary,
    /// Zero bytes.
    Zero,
}

/// What is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A procedure with a body.
    Direct(ProcedureId),
    /// The procedure whose address the expression yields.
    Indirect(Expr),
}

/// Where control goes at the end of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Terminator {
    /// To one block.
    Goto(BlockId),
    /// To `then` if the condition is non-zero, else to `otherwise`.
    Branch {
        /// The condition.
        condition: Expr,
        /// Next block when it is non-zero.
        then: BlockId,
        /// Next block when it is zero.
        otherwise: BlockId,
    },
    /// To the block of the first equal case, else to `default`.
    Switch {
        /// The value compared.
        value: Expr,
        /// Constants (inclusive ranges, for GNU `case 1 ... 5`) and their blocks.
        cases: Vec<(i128, i128, BlockId)>,
        /// Next block when no case applies.
        default: BlockId,
    },
    /// Back to the caller, with a result if the procedure has one.
    Return(Option<Expr>),
    /// The program ends in good order (`exit`, `abort`, end of `main`).
    Halt,
}

/// Whether the bytes that a copy writes may be some of those that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// They may (`memmove`).
    Allowed,
    /// Only if they are the same ones; else the copy is undefined (`memcpy`).
    Undefined,
}

impl Command {
    /// The variable that the command assigns, if any.
    #[must_use]
    pub fn target(&self) -> Option<Variable> {
        match self {
            Self::Assign { target, .. }
            | Self::Havoc { target, .. }
            | Self::Load { target, .. }
            | Self::Measure { target, .. }
            | Self::Allocate { target, .. } => Some(*target),
            Self::Call { target, .. } => *target,
            Self::Store { .. }
            | Self::Free { .. }
            | Self::Fill { .. }
            | Self::Copy { .. }
            | Self::Assume { .. }
            | Self::Error { .. }
            | Self::Unsupported { .. } => None,
        }
    }

    /// Whether it makes, ends, reads, writes or measures memory.
    #[must_use]
    pub fn is_about_memory(&self) -> bool {
        match self {
            Self::Load { .. }
            | Self::Store { .. }
            | Self::Allocate { .. }
            | Self::Measure { .. }
            | Self::Free { .. }
            | Self::Fill { .. }
            | Self::Copy { .. } => true,
            Self::Assign { .. }
            | Self::Havoc { .. }
            | Self::Assume { .. }
            | Self::Call { .. }
            | Self::Error { .. }
            | Self::Unsupported { .. } => false,
        }
    }

    /// The expression and the integer type in whose range the command assumes it to
    /// be, if that is what it does: `assume(wrap(e) == e)`.
    #[must_use]
    pub fn range_assumed(&self) -> Option<(&Expr, IntKind)> {
        let Self::Assume { condition: Expr::Binary(BinaryOp::Equal, wrapped, whole) } = self else {
            return None;
        };
        match &**wrapped {
            Expr::Wrap(kind, inner) if inner == whole => Some((whole, *kind)),
            _ => None,
        }
    }

    /// The variable that gets the address of a new block, the block's size and its kind,
    /// if the command makes one.
    #[must_use]
    pub fn allocation(&self) -> Option<(Variable, &Expr, MemoryKind)> {
        match self {
            Self::Allocate { target, size, kind, .. } => Some((*target, size, *kind)),
            Self::Assign { .. }
            | Self::Havoc { .. }
            | Self::Load { .. }
            | Self::Store { .. }
            | Self::Measure { .. }
            | Self::Free { .. }
            | Self::Fill { .. }
            | Self::Copy { .. }
            | Self::Assume { .. }
            | Self::Call { .. }
            | Self::Error { .. }
            | Self::Unsupported { .. } => None,
        }
    }
}

impl Terminator {
    /// The expression that the terminator evaluates, if any.
    #[must_use]
    pub fn expression(&self) -> Option<&Expr> {
        match self {
            Self::Branch { condition: value, .. } | Self::Switch { value, .. } => Some(value),
            Self::Return(value) => value.as_ref(),
            Self::Goto(_) | Self::Halt => None,
        }
    }

    /// The same, to be changed.
    pub fn expression_mut(&mut self) -> Option<&mut Expr> {
        match self {
            Self::Branch { condition: value, .. } | Self::Switch { value, .. } => Some(value),
            Self::Return(value) => value.as_mut(),
            Self::Goto(_) | Self::Halt => None,
        }
    }

    /// The blocks that may come next, in order, possibly repeated.
    #[must_use]
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Self::Goto(next) => vec![*next],
            Self::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Self::Switch { cases, default, .. } => {
                cases.iter().map(|(_, _, block)| *block).chain([*default]).collect()
            }
            Self::Return(_) | Self::Halt => Vec::new(),
        }
    }

    /// Calls `change` for the blocks that may come next, in order.
    pub fn for_each_successor_mut(&mut self, change: &mut impl FnMut(&mut BlockId)) {
        match self {
            Self::Goto(next) => change(next),
            Self::Branch { then, otherwise, .. } => [then, otherwise].into_iter().for_each(change),
            Self::Switch { cases, default, .. } => {
                cases.iter_mut().map(|(_, _, block)| block).chain([default]).for_each(change);
            }
            Self::Return(_) | Self::Halt => {}
        }
    }
}

impl Program {
    /// The procedure with this index.
    #[must_use]
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.index()]
    }

    /// Whether a procedure takes and gives what a call through a pointer gives and takes,
    /// as far as the types of variables tell.
    #[must_use]
    pub fn is_callable_as(
        &self,
        procedure: ProcedureId,
        target: Option<Variable>,
        arguments: &[Expr],
    ) -> bool {
        let Some(procedure) = self.procedures.get(procedure.index()) else { return false };
        let type_of = |variable: Variable| self.variable(variable).ty;
        let takes = |(parameter, argument): (&Variable, &Expr)| match argument {
            Expr::Variable(given) => type_of(*given) == type_of(*parameter),
            _ => true,
        };
        procedure.parameters.len() == arguments.len()
            && procedure.parameters.iter().zip(arguments).all(takes)
            && target.is_none_or(|target| procedure.result == Some(type_of(target)))
    }

    /// Those of some procedures that a call through a pointer may reach.
    #[must_use]
    pub fn callable_of(
        &self,
        procedures: &[ProcedureId],
        (target, arguments): (Option<Variable>, &[Expr]),
    ) -> Vec<ProcedureId> {
        let procedures = procedures.iter().copied();
        procedures.filter(|it| self.is_callable_as(*it, target, arguments)).collect()
    }

    /// The procedures of the file that a call through a pointer that came in may reach.
    pub fn callbacks(
        &self,
        target: Option<Variable>,
        arguments: &[Expr],
    ) -> impl Iterator<Item = ProcedureId> {
        let callbacks = self.open.iter().flat_map(|it| &it.callbacks).copied();
        callbacks.filter(move |it| self.is_callable_as(*it, target, arguments))
    }

    /// The procedures that may run when this one is called: itself, and what symbolic
    /// execution runs instead.
    pub fn entered(&self, id: ProcedureId) -> impl Iterator<Item = ProcedureId> + use<> {
        let summary = match self.procedure(id).shortcut {
            Some(Shortcut::Summary(summary)) => Some(summary),
            Some(Shortcut::StringLength { .. } | Shortcut::Input(..)) | None => None,
        };
        [id].into_iter().chain(summary)
    }

    /// The procedure that symbolic execution follows when this one is called.
    #[must_use]
    pub fn followed(&self, id: ProcedureId) -> ProcedureId {
        match self.procedure(id).shortcut {
            Some(Shortcut::Summary(summary)) => summary,
            Some(Shortcut::StringLength { .. } | Shortcut::Input(..)) | None => id,
        }
    }

    /// What is known of a variable.
    #[must_use]
    pub fn variable(&self, variable: Variable) -> &VariableInfo {
        &self.variables[variable.index()]
    }
}

impl Procedure {
    /// The block with this index.
    #[must_use]
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The control-flow graph: for each block, the indices of its successors.
    #[must_use]
    pub fn successor_lists(&self) -> Vec<Vec<usize>> {
        let successors = |block: &Block| block.terminator.successors();
        let indices = |ids: Vec<BlockId>| ids.into_iter().map(BlockId::index).collect();
        self.blocks.iter().map(successors).map(indices).collect()
    }

    /// Whether the procedure has a body.
    #[must_use]
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }
}
