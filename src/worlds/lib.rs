//! Random expressions and states, with values by the reference semantics: what the laws of all
//! readings of expressions are tried on.
#![allow(clippy::unwrap_used, reason = "what fails here fails a test")]

use base::source::{SourceMap, Span};
use concrete::Failure;
use concrete::memory::{Memory, MemoryBlockId};
use concrete::value::{Arithmetic, EDGE, Pointer, Value};
use ir::semantics::{self, NoResult};
use ir::{
    BinaryOp, Expr, InitialContent, IntKind, MemoryKind, Procedure, ProcedureId, Program,
    ScalarType, UnaryOp, Variable, VariableInfo,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Variables of all sorts, and some states of them.
#[derive(Clone, Debug)]
pub struct World {
    /// The values of the variables in each of them.
    pub states: Vec<Vec<Value>>,
    /// The blocks that addresses point into.
    pub memory: Memory,
}

const fn signed(bits: u8) -> ScalarType {
    ScalarType::Int(IntKind { bits, signed: true })
}

const fn unsigned(bits: u8) -> ScalarType {
    ScalarType::Int(IntKind { bits, signed: false })
}

/// The types of the variables.
pub const TYPES: [ScalarType; 10] = [
    signed(32),
    unsigned(32),
    unsigned(8),
    unsigned(64),
    ScalarType::Pointer,
    signed(64),
    unsigned(1),
    signed(16),
    ScalarType::Pointer,
    unsigned(32),
];

/// Numbers that the addresses may have, by block and by procedure.
#[derive(Clone, Debug)]
pub struct Places {
    /// Of the blocks.
    pub blocks: [i128; 2],
    /// Of the procedures.
    pub procedures: [i128; 2],
}

/// Where a linker and an allocator may put things, low and high, near and far.
pub fn some_places(pointer_bytes: u32) -> Vec<Places> {
    let half = 1_i128 << (8 * pointer_bytes - 1);
    let place = |blocks, procedures| Places { blocks, procedures };
    vec![
        place([EDGE, EDGE + 32], [EDGE + 64, EDGE + 65]),
        place([half - 8192, EDGE + 1], [half - 9000, half - 8500]),
        place([0x7770, 0x7790], [0x1_0000, 0x1_0010]),
        place([0x5000, 0x4ffb], [0x4ffa, 0x4ff0]),
    ]
}

impl World {
    /// What a machine computes, where addresses are numbers.
    pub fn number(&self, expr: &Expr, state: &[Value], places: &Places) -> Result<i128, NoResult> {
        let of = |expr: &Expr| self.number(expr, state, places);
        match expr {
            Expr::Constant(value) => Ok(*value),
            Expr::Variable(variable) => Ok(self.place_of(state[variable.index()], places)),
            Expr::Procedure(procedure) => Ok(places.procedures[procedure.index()]),
            Expr::Unary(op, operand) => semantics::unary(*op, of(operand)?),
            Expr::Binary(op, left, right) => semantics::binary(*op, of(left)?, of(right)?),
            Expr::Wrap(kind, operand) => semantics::wrap(*kind, of(operand)?),
        }
    }

    /// The number of a value; that of an address lies in the address space.
    pub fn place_of(&self, value: Value, places: &Places) -> i128 {
        let kind = semantics::address_kind(self.memory.pointer_bytes());
        match value {
            Value::Int(number) => number,
            Value::Pointer(Pointer { block, offset }) => {
                kind.wrap(places.blocks[block.index()] + offset)
            }
            Value::Procedure(procedure) => places.procedures[procedure.index()],
        }
    }

    /// The value of an expression in a state.
    ///
    /// # Errors
    /// Where it has none.
    pub fn eval(&self, expr: &Expr, state: &[Value]) -> Result<Value, Failure> {
        let arithmetic = Arithmetic::of(&self.memory);
        match expr {
            Expr::Constant(value) => Ok(Value::Int(*value)),
            Expr::Variable(variable) => Ok(state[variable.index()]),
            Expr::Procedure(procedure) => Ok(Value::Procedure(*procedure)),
            Expr::Unary(op, operand) => arithmetic.unary(*op, self.eval(operand, state)?),
            Expr::Binary(op, left, right) => {
                let left = self.eval(left, state)?;
                arithmetic.binary(*op, left, self.eval(right, state)?)
            }
            Expr::Wrap(kind, operand) => arithmetic.wrap(*kind, self.eval(operand, state)?),
        }
    }
}

/// Whether two outcomes may be of equal expressions.
pub fn agree(left: &Result<Value, Failure>, right: &Result<Value, Failure>) -> bool {
    match (left, right) {
        (Err(Failure::Unsupported(_)), _) | (_, Err(Failure::Unsupported(_))) => true,
        (Err(_), Err(_)) => true,
        _ => left == right,
    }
}

/// A program with just these variables.
#[must_use]
pub fn program_of(pointer_bytes: u32) -> Program {
    let info = |ty| VariableInfo { name: "v".to_owned(), ty, owner: None, span: Span::NOWHERE };
    let main = Procedure {
        name: "main".to_owned(),
        parameters: Vec::new(),
        lasting: Vec::new(),
        result: None,
        blocks: Vec::new(),
        span: Span::NOWHERE,
        shortcut: None,
    };
    Program {
        procedures: vec![main],
        variables: TYPES.into_iter().map(info).collect(),
        entry: ProcedureId(0),
        sources: SourceMap { files: Vec::new() },
        pointer_bytes,
        open: None,
        forms: ir::forms::Forms::default(),
    }
}

/// A block of the heap and one of the stack.
fn two_blocks(pointer_bytes: u32) -> Memory {
    let mut memory = Memory::new(pointer_bytes);
    for (kind, size) in [(MemoryKind::Heap, 32), (MemoryKind::Stack, 5)] {
        let content = InitialContent::Arbitrary;
        memory.allocate(kind, Value::Int(size), content, Span::NOWHERE).unwrap();
    }
    memory
}

fn some_number() -> impl Strategy<Value = i128> {
    prop_oneof![
        4 => -3_i128..6,
        2 => select(vec![7, 8, 15, 16, 127, 128, 255, 256, -128, 1000, 4096]),
        2 => (select(vec![31_u32, 32, 63, 64]), -2_i128..3).prop_map(|(bits, by)| (1_i128 << bits) + by),
        1 => (select(vec![31_u32, 32, 63]), -2_i128..3).prop_map(|(bits, by)| by - (1_i128 << bits)),
    ]
}

fn some_value(ty: ScalarType, pointer_bytes: u32) -> BoxedStrategy<Value> {
    let number = match ty {
        ScalarType::Int(kind) if !kind.signed || kind.bits < 32 => {
            some_number().prop_map(move |it| Value::Int(kind.wrap(it))).boxed()
        }
        ScalarType::Pointer => {
            let kind = semantics::address_kind(pointer_bytes);
            some_number().prop_map(move |it| Value::Int(kind.wrap(it))).boxed()
        }
        _ => some_number().prop_map(Value::Int).boxed(),
    };
    if ty.bytes(pointer_bytes) < pointer_bytes {
        return number;
    }
    let space = IntKind { bits: u8::try_from(8 * pointer_bytes).unwrap(), signed: true };
    let pointer =
        (0_u32..2, prop_oneof![-4_i128..40, some_number()]).prop_map(move |(block, offset)| {
            Value::Pointer(Pointer { block: MemoryBlockId(block), offset: space.wrap(offset) })
        });
    let procedure = (0_u32..2).prop_map(|id| Value::Procedure(ProcedureId(id)));
    prop_oneof![4 => number, 4 => pointer, 1 => procedure].boxed()
}

/// A world of one width of addresses.
pub fn some_world() -> impl Strategy<Value = World> {
    select(vec![8_u32, 8, 4]).prop_flat_map(|pointer_bytes| {
        let state: Vec<_> = TYPES.iter().map(|ty| some_value(*ty, pointer_bytes)).collect();
        vec(state, 12).prop_map(move |states| World { states, memory: two_blocks(pointer_bytes) })
    })
}

/// A type of integers.
pub fn some_kind() -> impl Strategy<Value = IntKind> {
    let bits = select(vec![1_u8, 8, 16, 31, 32, 32, 32, 64, 64, 64, 100, 128]);
    (bits, any::<bool>()).prop_map(|(bits, signed)| IntKind {
        bits: if signed { bits.max(2) } else { bits },
        signed,
    })
}

/// A number, small as a rule.
pub fn some_constant() -> impl Strategy<Value = i128> {
    prop_oneof![3 => 0_i128..5, 1 => some_number()]
}

/// An expression without operators.
pub fn some_leaf() -> BoxedStrategy<Expr> {
    prop_oneof![
        8 => (0..TYPES.len()).prop_map(|at| Expr::Variable(Variable::at(at))),
        5 => some_constant().prop_map(Expr::Constant),
        1 => (0_u32..2).prop_map(|id| Expr::Procedure(ProcedureId(id))),
    ]
    .boxed()
}

/// An operator on such operands.
pub fn grown(
    operand: impl Strategy<Value = Expr> + Clone + 'static,
) -> impl Strategy<Value = Expr> {
    use BinaryOp as B;
    let sums = select(vec![B::Add, B::Subtract, B::Multiply]);
    let others =
        select(vec![B::Divide, B::Remainder, B::ShiftLeft, B::ShiftRight, B::And, B::Or, B::Xor]);
    let tests =
        select(vec![B::Equal, B::NotEqual, B::Less, B::LessEqual, B::Greater, B::GreaterEqual]);
    let binary = prop_oneof![3 => sums, 2 => others, 2 => tests];
    let unary = select(vec![UnaryOp::Negate, UnaryOp::BitNot, UnaryOp::Not, UnaryOp::Not]);
    prop_oneof![
        1 => (unary, operand.clone()).prop_map(|(op, operand)| Expr::unary(op, operand)),
        4 => (binary, operand.clone(), operand.clone()).prop_map(|(op, left, right)| Expr::binary(op, left, right)),
        2 => (some_kind(), operand).prop_map(|(kind, operand)| Expr::Wrap(kind, Box::new(operand))),
    ]
}

/// An expression of a few operators.
pub fn some_expr() -> impl Strategy<Value = Expr> {
    some_leaf().prop_recursive(4, 14, 2, grown)
}
