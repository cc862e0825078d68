//! Heights of syntax trees, so that no tree grows higher than later phases can
//! recurse.

use super::ast::{
    AlignmentArgument, Asm, Block, Declaration, Declarator, Derivation, Designator, Expr, ExprKind,
    Initializer, InitializerItem, Parameters, Specifier, Specifiers, StmtKind, TypeName,
    TypeofArgument,
};

/// The largest height in a sequence.
fn highest(heights: impl IntoIterator<Item = u32>) -> u32 {
    heights.into_iter().max().unwrap_or(0)
}

impl ExprKind {
    /// The height of the highest part.
    pub(super) fn depth_of_parts(&self) -> u32 {
        match self {
            Self::Name(_)
            | Self::Integer(_)
            | Self::Character(_)
            | Self::Floating(_)
            | Self::String(_)
            | Self::LabelAddress(_) => 0,
            Self::Statements(body) => block(body),
            Self::Generic(selector, cases) => highest(
                cases
                    .iter()
                    .map(|case| case.value.depth.max(case.ty.as_ref().map_or(0, type_name))),
            )
            .max(selector.depth),
            Self::Index(left, right)
            | Self::Binary(_, left, right)
            | Self::Assign(_, left, right) => left.depth.max(right.depth),
            Self::Call(callee, arguments) => {
                callee.depth.max(highest(arguments.iter().map(|argument| argument.depth)))
            }
            Self::Member(operand, _)
            | Self::Arrow(operand, _)
            | Self::Unary(_, operand)
            | Self::SizeofExpr(operand)
            | Self::AlignofExpr(operand)
            | Self::ComplexPart(operand) => operand.depth,
            Self::Compound(ty, items) => type_name(ty).max(list(items)),
            Self::Conditional(condition, then, otherwise) => {
                condition.depth.max(then.as_ref().map_or(0, |then| then.depth)).max(otherwise.depth)
            }
            Self::Comma(parts) => highest(parts.iter().map(|part| part.depth)),
            Self::Cast(ty, operand) | Self::VaArg(operand, ty) => operand.depth.max(type_name(ty)),
            Self::SizeofType(ty) | Self::AlignofType(ty) | Self::PreferredAlignofType(ty) => {
                type_name(ty)
            }
            Self::Offsetof(ty, path) => type_name(ty).max(designators(path)),
            Self::TypesCompatible(left, right) => type_name(left).max(type_name(right)),
        }
    }
}

impl StmtKind {
    /// The height of the highest part.
    pub(super) fn depth_of_parts(&self) -> u32 {
        let optional = |value: &Option<Expr>| value.as_ref().map_or(0, |value| value.depth);
        match self {
            Self::Expr(value) | Self::Return(value) => optional(value),
            Self::Declaration(value) => declaration(value),
            Self::Block(body) => block(body),
            Self::If { arms, otherwise } => {
                let arms = arms.iter().map(|(condition, body)| condition.depth.max(body.depth));
                highest(arms).max(otherwise.as_ref().map_or(0, |body| body.depth))
            }
            Self::While { condition, body, .. } | Self::DoWhile { condition, body, .. } => {
                condition.depth.max(body.depth)
            }
            Self::For { start, condition, step, body, .. } => highest([
                start.as_ref().map_or(0, |start| start.depth),
                optional(condition),
                optional(step),
                body.depth,
            ]),
            Self::Switch { value, body } => value.depth.max(body.depth),
            Self::Case(first, last) => first.depth.max(optional(last)),
            Self::ComputedGoto(value) => value.depth,
            Self::Asm(asm) => assembly(asm),
            Self::Label(_) | Self::Default | Self::Goto(_) | Self::Continue | Self::Break => 0,
        }
    }
}

fn block(block: &Block) -> u32 {
    highest(block.items.iter().map(|item| item.depth))
}

fn assembly(asm: &Asm) -> u32 {
    highest(asm.outputs.iter().chain(&asm.inputs).map(|operand| operand.value.depth))
}

fn declaration(declaration: &Declaration) -> u32 {
    let declarators = declaration.declarators.iter().map(|item| {
        declarator(&item.declarator).max(item.initializer.as_ref().map_or(0, initializer))
    });
    highest(declarators).max(specifiers(&declaration.specifiers))
}

fn initializer(value: &Initializer) -> u32 {
    match value {
        Initializer::Expr(value) => value.depth,
        Initializer::List(items, _) => 1 + list(items),
    }
}

fn list(items: &[InitializerItem]) -> u32 {
    highest(items.iter().map(|item| initializer(&item.value).max(designators(&item.designators))))
}

fn designators(path: &[Designator]) -> u32 {
    highest(path.iter().map(|step| match step {
        Designator::Member(..) => 0,
        Designator::Index(index) => index.depth,
        Designator::Range(first, last) => first.depth.max(last.depth),
    }))
}

fn type_name(ty: &TypeName) -> u32 {
    1 + specifiers(&ty.specifiers).max(declarator(&ty.declarator))
}

fn specifiers(specifiers: &Specifiers) -> u32 {
    highest(specifiers.list.iter().map(|specifier| {
        match specifier {
            Specifier::Align(AlignmentArgument::Expr(value)) | Specifier::VectorSize(value) => {
                value.depth
            }
            Specifier::Align(AlignmentArgument::Type(ty)) | Specifier::AtomicType(ty) => {
                type_name(ty)
            }
            Specifier::Record(record) => {
                1 + highest(record.members.iter().flatten().map(|member| {
                    let width =
                        |width: &Option<Expr>| width.as_ref().map_or(0, |width| width.depth);
                    let declarators = member.declarators.iter();
                    let parts = declarators
                        .map(|item| declarator(&item.declarator).max(width(&item.width)));
                    highest(parts).max(self::specifiers(&member.specifiers))
                }))
            }
            Specifier::Enum(list) => highest(
                list.enumerators
                    .iter()
                    .flatten()
                    .map(|enumerator| enumerator.value.as_ref().map_or(0, |value| value.depth)),
            ),
            Specifier::Typeof(argument) => match argument.as_ref() {
                TypeofArgument::Expr(value) => value.depth,
                TypeofArgument::Type(ty) => type_name(ty),
            },
            Specifier::StaticAssertion(assertion) => assertion.condition.depth,
            Specifier::Storage(_)
            | Specifier::Const
            | Specifier::Volatile
            | Specifier::Qualifier
            | Specifier::Atomic
            | Specifier::AsmName(_)
            | Specifier::Inline
            | Specifier::Attribute(_)
            | Specifier::Basic(_)
            | Specifier::Typedef(_)
            | Specifier::AutoType => 0,
        }
    }))
}

fn declarator(declarator: &Declarator) -> u32 {
    highest(declarator.derivations.iter().map(|step| match step {
        Derivation::Pointer(_) => 0,
        Derivation::Array(length) => length.as_ref().map_or(0, |length| length.depth),
        Derivation::Function(function) => match &function.parameters {
            Parameters::Unknown | Parameters::Names(_) => 0,
            Parameters::Typed(parameters) => {
                1 + highest(parameters.iter().map(|parameter| {
                    specifiers(&parameter.specifiers).max(self::declarator(&parameter.declarator))
                }))
            }
        },
    }))
}
