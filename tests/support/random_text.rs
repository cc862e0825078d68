//! Random programs for the `.goto` text: every construct, no sense.
//!
//! Variables are numbered as the text numbers them (globals, then for each
//! procedure its parameters and locals) and have distinct names, so that
//! parsing what is printed must give the same program back.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use wane::base::source::{SourceMap, Span};
use wane::ir::{
    BinaryOp, Block, BlockId, Callee, Command, Expr, Gap, HavocSource, InitialContent, Instruction,
    IntKind, MemoryKind, Overlap, Procedure, ProcedureId, Program, ScalarType, Terminator, UnaryOp,
    Variable, VariableInfo,
};

/// The shape of one procedure: sizes first, so that all references are valid.
#[derive(Clone, Debug)]
struct Outline {
    n_parameters: usize,
    n_locals: usize,
    n_blocks: usize,
}

/// Any well-formed program.
pub(crate) fn any_program() -> impl Strategy<Value = Program> {
    let later =
        (0_usize..3, 0_usize..4, 0_usize..4).prop_map(|(n_parameters, n_locals, n_blocks)| {
            Outline { n_parameters, n_locals, n_blocks }
        });
    let first = (0_usize..3, 1_usize..4).prop_map(|(n_locals, n_blocks)| Outline {
        n_parameters: 0,
        n_locals,
        n_blocks,
    });
    (1_usize..3, first, vec(later, 0..3), select(vec![4_u32, 8])).prop_flat_map(
        |(n_globals, first, later, pointer_bytes)| {
            let outlines: Vec<Outline> = std::iter::once(first).chain(later).collect();
            let parts: Vec<_> = program_parts(n_globals, &outlines);
            let n_variables =
                n_globals + outlines.iter().map(|it| it.n_parameters + it.n_locals).sum::<usize>();
            (parts, vec((odd_name(), scalar_type()), n_variables)).prop_map(
                move |(parts, variables)| {
                    assemble(n_globals, &outlines, parts, variables, pointer_bytes)
                },
            )
        },
    )
}

type ProcedureParts = (String, Option<ScalarType>, Vec<Block>);

fn program_parts(n_globals: usize, outlines: &[Outline]) -> Vec<BoxedStrategy<ProcedureParts>> {
    let arities: Vec<usize> = outlines.iter().map(|it| it.n_parameters).collect();
    let mut first_variable = n_globals;
    let part = |outline: &Outline| {
        let n_own = outline.n_parameters + outline.n_locals;
        let visible: Vec<Variable> = (0..n_globals)
            .chain(first_variable..first_variable + n_own)
            .map(Variable::at)
            .collect();
        first_variable += n_own;
        let n_blocks = outline.n_blocks;
        let block = block(visible, arities.clone(), n_blocks);
        (odd_name(), prop::option::of(scalar_type()), vec(block, n_blocks)).boxed()
    };
    outlines.iter().map(part).collect()
}

fn assemble(
    n_globals: usize,
    outlines: &[Outline],
    parts: Vec<ProcedureParts>,
    names: Vec<(String, ScalarType)>,
    pointer_bytes: u32,
) -> Program {
    let mut owners = vec![None; n_globals];
    let mut procedures = Vec::new();
    for (index, (outline, (name, result, blocks))) in outlines.iter().zip(parts).enumerate() {
        let first = owners.len();
        // Only a procedure with a body has locals.
        let n_locals = if blocks.is_empty() { 0 } else { outline.n_locals };
        owners.extend(vec![Some(ProcedureId::at(index)); outline.n_parameters + n_locals]);
        owners.extend(vec![None; outline.n_locals - n_locals]);
        procedures.push(Procedure {
            shortcut: None,
            name: format!("{name}{index}"),
            parameters: (first..first + outline.n_parameters).map(Variable::at).collect(),
            lasting: Vec::new(),
            result,
            blocks,
            span: Span::NOWHERE,
        });
    }
    let info = |(index, ((name, ty), owner)): (usize, ((String, ScalarType), _))| VariableInfo {
        name: format!("{name}{index}"),
        ty,
        owner,
        span: Span::NOWHERE,
    };
    Program {
        procedures,
        variables: names.into_iter().zip(owners).enumerate().map(info).collect(),
        entry: ProcedureId(0),
        sources: SourceMap::default(),
        pointer_bytes,
        open: None,
        forms: wane::ir::forms::Forms::default(),
    }
}

fn odd_name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z_$][a-z0-9_$.]{0,3}",
        1 => "[ -~é\n]{0,4}",
    ]
}

fn int_kind() -> impl Strategy<Value = IntKind> {
    (select(vec![1_u8, 8, 16, 32, 64, 128]), any::<bool>())
        .prop_map(|(bits, signed)| IntKind { bits, signed })
}

fn scalar_type() -> impl Strategy<Value = ScalarType> {
    prop_oneof![
        int_kind().prop_map(ScalarType::Int),
        Just(ScalarType::Pointer),
        select(vec![4_u8, 8, 16]).prop_map(ScalarType::Float),
    ]
}

fn expr(variables: Vec<Variable>, n_procedures: usize) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        (-3_i128..100).prop_map(Expr::Constant),
        any::<i128>().prop_map(Expr::Constant),
        Just(Expr::Constant(i128::MIN)),
        select(variables).prop_map(Expr::Variable),
        (0..n_procedures).prop_map(|index| Expr::Procedure(ProcedureId::at(index))),
    ];
    let grow = |inner: BoxedStrategy<Expr>| {
        prop_oneof![
            (select(UNARY.to_vec()), inner.clone()).prop_map(|(op, it)| Expr::unary(op, it)),
            (select(BINARY.to_vec()), inner.clone(), inner.clone())
                .prop_map(|(op, left, right)| Expr::binary(op, left, right)),
            (int_kind(), inner).prop_map(|(kind, it)| Expr::Wrap(kind, Box::new(it))),
        ]
    };
    leaf.boxed().prop_recursive(4, 12, 2, grow).boxed()
}

const UNARY: [UnaryOp; 3] = [UnaryOp::Negate, UnaryOp::BitNot, UnaryOp::Not];

const BINARY: [BinaryOp; 16] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
];

fn block(variables: Vec<Variable>, arities: Vec<usize>, n_blocks: usize) -> BoxedStrategy<Block> {
    let expr = expr(variables.clone(), arities.len());
    let command = command(variables, arities, expr.clone());
    let commands = vec(command, 0..4);
    let terminator = terminator(expr, n_blocks.max(1));
    (commands, terminator)
        .prop_map(|(commands, terminator)| Block {
            commands: commands
                .into_iter()
                .map(|command| Instruction { command, span: Span::NOWHERE })
                .collect(),
            terminator,
            span: Span::NOWHERE,
        })
        .boxed()
}

fn terminator(expr: BoxedStrategy<Expr>, n_blocks: usize) -> BoxedStrategy<Terminator> {
    let block = move || (0..n_blocks).prop_map(BlockId::at);
    let case = prop_oneof![
        (any::<i128>(), block()).prop_map(|(low, to)| (low, low, to)),
        (-9_i128..9, 0_i128..9, block()).prop_map(|(low, more, to)| (low, low + more, to)),
    ];
    prop_oneof![
        block().prop_map(Terminator::Goto),
        (expr.clone(), block(), block()).prop_map(|(condition, then, otherwise)| {
            Terminator::Branch { condition, then, otherwise }
        }),
        (expr.clone(), vec(case, 0..3), block())
            .prop_map(|(value, cases, default)| { Terminator::Switch { value, cases, default } }),
        prop::option::of(expr).prop_map(Terminator::Return),
        Just(Terminator::Halt),
    ]
    .boxed()
}

fn command(
    variables: Vec<Variable>,
    arities: Vec<usize>,
    expr: BoxedStrategy<Expr>,
) -> BoxedStrategy<Command> {
    let target = select(variables);
    prop_oneof![
        2 => assignment(target.clone().boxed(), expr.clone()),
        1 => memory_command(expr.clone()),
        1 => call(target.boxed(), arities, expr),
    ]
    .boxed()
}

fn memory_kind() -> impl Strategy<Value = MemoryKind> {
    select(vec![MemoryKind::Heap, MemoryKind::Stack, MemoryKind::Alloca, MemoryKind::Static])
}

fn assignment(
    target: BoxedStrategy<Variable>,
    expr: BoxedStrategy<Expr>,
) -> BoxedStrategy<Command> {
    let source = prop_oneof![
        odd_name().prop_map(HavocSource::Input),
        Just(HavocSource::Uninitialised),
        odd_name().prop_map(HavocSource::Approximation),
    ];
    let content = select(vec![InitialContent::Arbitrary, InitialContent::Zero]);
    prop_oneof![
        (target.clone(), expr.clone())
            .prop_map(|(target, value)| Command::Assign { target, value }),
        (target.clone(), source).prop_map(|(target, source)| Command::Havoc { target, source }),
        (target.clone(), expr.clone(), scalar_type())
            .prop_map(|(target, address, ty)| { Command::Load { target, address, ty } }),
        (target.clone(), expr.clone())
            .prop_map(|(target, address)| Command::Measure { target, address }),
        (target, expr, memory_kind(), content).prop_map(|(target, size, kind, content)| {
            Command::Allocate { target, size, kind, content }
        }),
    ]
    .boxed()
}

fn memory_command(expr: BoxedStrategy<Expr>) -> BoxedStrategy<Command> {
    let three = (expr.clone(), expr.clone(), expr.clone());
    prop_oneof![
        (expr.clone(), expr.clone(), scalar_type())
            .prop_map(|(address, value, ty)| Command::Store { address, value, ty }),
        (expr.clone(), memory_kind()).prop_map(|(address, kind)| Command::Free { address, kind }),
        three.clone().prop_map(|(address, byte, size)| Command::Fill { address, byte, size }),
        (three, prop::bool::ANY).prop_map(|((target, source, size), is_apart)| {
            let overlap = if is_apart { Overlap::Undefined } else { Overlap::Allowed };
            Command::Copy { target, source, size, overlap }
        }),
        expr.clone().prop_map(|condition| Command::Assume { condition }),
        odd_name().prop_map(|what| Command::Error { what }),
        (odd_name(), 0..4, expr).prop_map(|(what, gap, handed)| {
            let gap = match gap {
                0 => Gap::Undefined,
                1 => Gap::NotModelled,
                2 => Gap::Contents,
                _ => Gap::Handed(handed),
            };
            Command::Unsupported { what, gap }
        }),
    ]
    .boxed()
}

fn call(
    target: BoxedStrategy<Variable>,
    arities: Vec<usize>,
    expr: BoxedStrategy<Expr>,
) -> BoxedStrategy<Command> {
    let argument = expr.clone();
    let direct = (0..arities.len()).prop_flat_map(move |index| {
        vec(argument.clone(), arities[index])
            .prop_map(move |arguments| (Callee::Direct(ProcedureId::at(index)), arguments))
    });
    let indirect = (expr.clone().prop_map(Callee::Indirect), vec(expr, 0..3));
    (prop::option::of(target), prop_oneof![direct, indirect])
        .prop_map(|(target, (callee, arguments))| Command::Call { target, callee, arguments })
        .boxed()
}
