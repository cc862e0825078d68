//! From the syntax tree of a `.goto` text to the program: names to indices.

use super::super::expr::{BinaryOp, Expr, IntKind, ScalarType, UnaryOp};
use super::super::{
    Block, BlockId, Callee, Command, Gap, Grant, HavocSource, InitialContent, Instruction,
    MemoryKind, Overlap, Procedure, ProcedureId, Program, Terminator, Variable, VariableInfo,
};
use super::{Contract, GotoError, Lines, Moment, ParsedGoto};
use base::source::{SourceMap, Span};
use hashbrown::HashMap;
use wane_grammar::goto::tree;

/// Builds the program that `file` describes, or tells everything that is wrong.
pub(super) fn resolve(
    file: &tree::File,
    file_name: &str,
    lines: &Lines<'_>,
) -> Result<ParsedGoto, Vec<GotoError>> {
    let mut resolver = Resolver::new(lines);
    let heads = resolver.declare_items(file);
    let pointer_bytes = resolver.pointer_bytes(file);
    let entry = resolver.entry(file, &heads);
    let bodies: Vec<Vec<Block>> = heads.iter().map(|head| resolver.body(head)).collect();
    let contracts = heads.iter().flat_map(|head| resolver.contracts(head)).collect();
    if !resolver.errors.is_empty() {
        resolver.errors.sort_by_key(|error| error.span);
        return Err(resolver.errors);
    }
    let finish = |(head, blocks): (Head<'_>, Vec<Block>)| Procedure {
        shortcut: None,
        name: head.tree.name.node.clone(),
        parameters: head.parameters,
        lasting: Vec::new(),
        result: head.result,
        blocks,
        span: lines.span(head.tree.name.start, head.tree.name.end),
    };
    let program = Program {
        procedures: heads.into_iter().zip(bodies).map(finish).collect(),
        variables: resolver.variables,
        entry,
        sources: SourceMap { files: vec![file_name.to_owned()] },
        pointer_bytes,
        open: None,
        forms: crate::forms::Forms::default(),
    };
    Ok(ParsedGoto { program, contracts })
}

/// A procedure whose signature and locals are known and whose body is not.
struct Head<'tree> {
    id: ProcedureId,
    tree: &'tree tree::Procedure,
    parameters: Vec<Variable>,
    result: Option<ScalarType>,
    scope: HashMap<&'tree str, Variable>,
}

struct Resolver<'tree, 'text> {
    lines: &'tree Lines<'text>,
    variables: Vec<VariableInfo>,
    globals: HashMap<&'tree str, Variable>,
    procedures: HashMap<&'tree str, ProcedureId>,
    /// Number of parameters of each procedure.
    arity: Vec<usize>,
    errors: Vec<GotoError>,
}

impl<'tree, 'text> Resolver<'tree, 'text> {
    fn new(lines: &'tree Lines<'text>) -> Self {
        Self {
            lines,
            variables: Vec::new(),
            globals: HashMap::new(),
            procedures: HashMap::new(),
            arity: Vec::new(),
            errors: Vec::new(),
        }
    }

    fn error(&mut self, (start, end): (usize, usize), message: String) {
        self.errors.push(GotoError { span: self.lines.span(start, end), message });
    }

    fn name_error(&mut self, name: &tree::Name, message: &str) {
        self.error((name.start, name.end), format!("{message}: {}", name.node));
    }

    fn declare_items(&mut self, file: &'tree tree::File) -> Vec<Head<'tree>> {
        let mut procedures = Vec::new();
        for item in &file.items {
            match item {
                tree::Item::Globals(list) => {
                    let mut globals = std::mem::take(&mut self.globals);
                    list.iter().for_each(|it| {
                        self.declare(it, None, &mut globals);
                    });
                    self.globals = globals;
                }
                tree::Item::Procedure(procedure) => {
                    let id = ProcedureId::at(procedures.len());
                    if self.procedures.insert(&procedure.name.node, id).is_some() {
                        self.name_error(&procedure.name, "a second procedure of this name");
                    }
                    self.arity.push(procedure.parameters.len());
                    procedures.push((id, procedure));
                }
                tree::Item::PointerBytes(_) | tree::Item::Entry(_) => {}
            }
        }
        procedures.into_iter().map(|(id, procedure)| self.head(id, procedure)).collect()
    }

    fn head(&mut self, id: ProcedureId, procedure: &'tree tree::Procedure) -> Head<'tree> {
        let mut scope = HashMap::new();
        let parameters =
            procedure.parameters.iter().map(|it| self.declare(it, Some(id), &mut scope)).collect();
        let result = procedure.result.as_ref().map(|name| self.scalar_type(name));
        for declaration in procedure.body.iter().flat_map(|body| &body.locals) {
            self.declare(declaration, Some(id), &mut scope);
        }
        Head { id, tree: procedure, parameters, result, scope }
    }

    fn declare(
        &mut self,
        declaration: &'tree tree::Declaration,
        owner: Option<ProcedureId>,
        scope: &mut HashMap<&'tree str, Variable>,
    ) -> Variable {
        let variable = Variable::at(self.variables.len());
        let ty = self.scalar_type(&declaration.ty);
        let name = &declaration.name;
        let span = self.lines.span(name.start, name.end);
        self.variables.push(VariableInfo { name: name.node.clone(), ty, owner, span });
        if scope.insert(&name.node, variable).is_some() {
            self.name_error(name, "a second variable of this name");
        }
        variable
    }

    /// The type of this name; an error and `ptr` when there is none.
    fn scalar_type(&mut self, name: &tree::Name) -> ScalarType {
        type_of_name(&name.node).unwrap_or_else(|| {
            self.name_error(name, "no type (`ptr`, `i32` or `u8` in bits, `f8` in bytes)");
            ScalarType::Pointer
        })
    }

    fn pointer_bytes(&mut self, file: &tree::File) -> u32 {
        let mut pointer_bytes = None;
        for item in &file.items {
            if let tree::Item::PointerBytes(number) = item {
                let place = (number.start, number.end);
                match number.node {
                    bytes @ 1..=16 if pointer_bytes.is_none() => {
                        pointer_bytes = u32::try_from(bytes).ok();
                    }
                    1..=16 => self.error(place, "pointer_bytes is given twice".to_owned()),
                    _ => self.error(place, "an address has 1 to 16 bytes".to_owned()),
                }
            }
        }
        pointer_bytes.unwrap_or(8)
    }

    fn entry(&mut self, file: &tree::File, heads: &[Head<'_>]) -> ProcedureId {
        let mut entry = None;
        for item in &file.items {
            let tree::Item::Entry(name) = item else {
                continue;
            };
            let id = self.procedure(name);
            match heads.get(id.index()) {
                _ if entry.is_some() => self.name_error(name, "a second entry"),
                Some(head) if head.tree.body.is_none() => {
                    self.name_error(name, "the entry must have a body");
                }
                _ => {}
            }
            entry = Some(id);
        }
        entry.unwrap_or_else(|| {
            let end = self.lines.text.trim_end().len();
            self.error((end, end), "there is no `entry`".to_owned());
            ProcedureId(0)
        })
    }

    fn procedure(&mut self, name: &tree::Name) -> ProcedureId {
        self.procedures.get(name.node.as_str()).copied().unwrap_or_else(|| {
            self.name_error(name, "no procedure of this name");
            ProcedureId(0)
        })
    }

    fn contracts(&self, head: &Head<'_>) -> Vec<Contract> {
        let contract = |it: &tree::Contract| Contract {
            procedure: head.id,
            moment: match it.moment {
                tree::Moment::Before => Moment::Before,
                tree::Moment::After => Moment::After,
            },
            assertion: it.assertion.node.clone(),
            span: self.lines.span(it.assertion.start, it.assertion.end),
        };
        head.tree.contracts.iter().map(contract).collect()
    }

    fn body(&mut self, head: &Head<'tree>) -> Vec<Block> {
        let Some(body) = &head.tree.body else {
            return Vec::new();
        };
        let mut labels = HashMap::new();
        for (index, block) in body.blocks.iter().enumerate() {
            if labels.insert(block.label.node.as_str(), BlockId::at(index)).is_some() {
                self.name_error(&block.label, "a second block of this label");
            }
        }
        let mut resolver = BodyResolver { shared: self, head, labels };
        body.blocks.iter().map(|block| resolver.block(block)).collect()
    }
}

/// `ptr`, `i32`, `u8`, `f8` …
fn type_of_name(name: &str) -> Option<ScalarType> {
    if name == "ptr" {
        return Some(ScalarType::Pointer);
    }
    let digits = name.get(1..).filter(|it| !it.starts_with(['0', '+']))?;
    let number: u8 = digits.parse().ok()?;
    match name.as_bytes().first()? {
        b'i' if number <= 128 => Some(ScalarType::Int(IntKind { bits: number, signed: true })),
        b'u' if number <= 128 => Some(ScalarType::Int(IntKind { bits: number, signed: false })),
        b'f' => Some(ScalarType::Float(number)),
        _ => None,
    }
}

/// Resolves what is inside one body.
struct BodyResolver<'resolver, 'tree, 'text> {
    shared: &'resolver mut Resolver<'tree, 'text>,
    head: &'resolver Head<'tree>,
    labels: HashMap<&'tree str, BlockId>,
}

impl<'tree> BodyResolver<'_, 'tree, '_> {
    fn span(&self, start: usize, end: usize) -> Span {
        self.shared.lines.span(start, end)
    }

    fn block(&mut self, block: &tree::Block) -> Block {
        let commands = block.commands.iter().map(|it| Instruction {
            command: self.command(&it.node),
            span: self.span(it.start, it.end),
        });
        let commands = commands.collect();
        let terminator = self.terminator(&block.terminator.node);
        Block {
            commands,
            terminator,
            span: self.span(block.terminator.start, block.terminator.end),
        }
    }

    fn label(&mut self, name: &tree::Name) -> BlockId {
        self.labels.get(name.node.as_str()).copied().unwrap_or_else(|| {
            self.shared.name_error(name, "no block of this label");
            BlockId(0)
        })
    }

    fn variable(&mut self, name: &str, place: (usize, usize)) -> Variable {
        let local = self.head.scope.get(name).copied();
        local.or_else(|| self.shared.globals.get(name).copied()).unwrap_or_else(|| {
            self.shared.error(place, format!("no variable of this name: {name}"));
            Variable(0)
        })
    }

    fn target(&mut self, name: &tree::Name) -> Variable {
        self.variable(&name.node, (name.start, name.end))
    }

    fn command(&mut self, command: &tree::Command) -> Command {
        match command {
            tree::Command::Assign(target, source) => {
                let target = self.target(target);
                self.assignment(target, source)
            }
            tree::Command::Store(address, ty, value) => Command::Store {
                address: self.expr(address),
                ty: self.shared.scalar_type(ty),
                value: self.expr(value),
            },
            tree::Command::Fill(address, size, byte) => Command::Fill {
                address: self.expr(address),
                byte: self.expr(byte),
                size: self.expr(size),
            },
            tree::Command::Copy(target, size, source, overlap) => Command::Copy {
                target: self.expr(target),
                source: self.expr(source),
                size: self.expr(size),
                overlap: match overlap {
                    tree::Overlap::Allowed => Overlap::Allowed,
                    tree::Overlap::Undefined => Overlap::Undefined,
                },
            },
            tree::Command::Free(kind, address) => {
                Command::Free { address: self.expr(address), kind: memory_kind(*kind) }
            }
            tree::Command::Assume(condition) => Command::Assume { condition: self.expr(condition) },
            tree::Command::Call(callee, arguments) => self.call(None, callee, arguments),
            tree::Command::Error(what) => Command::Error { what: what.clone() },
            tree::Command::Unsupported(what) => {
                Command::Unsupported { what: what.clone(), gap: Gap::NotModelled }
            }
            tree::Command::Undefined(what) => {
                Command::Unsupported { what: what.clone(), gap: Gap::Undefined }
            }
            tree::Command::Clobber(what) => {
                Command::Unsupported { what: what.clone(), gap: Gap::Contents }
            }
            tree::Command::Handed(handed, what) => {
                let gap = Gap::Handed(self.expr(handed));
                Command::Unsupported { what: what.clone(), gap }
            }
            tree::Command::Granted(what) => {
                let grant = Grant::ALL.into_iter().find(|it| it.what() == what.node);
                if grant.is_none() {
                    let message = format!("nothing is granted so: {}", what.node);
                    self.shared.error((what.start, what.end), message);
                }
                grant.unwrap_or(Grant::Links).command()
            }
        }
    }

    fn assignment(&mut self, target: Variable, source: &tree::Source) -> Command {
        match source {
            tree::Source::Value(value) => Command::Assign { target, value: self.expr(value) },
            tree::Source::Input(function) => {
                Command::Havoc { target, source: HavocSource::Input(function.clone()) }
            }
            tree::Source::Uninitialised => {
                Command::Havoc { target, source: HavocSource::Uninitialised }
            }
            tree::Source::Arbitrary(why) => {
                Command::Havoc { target, source: HavocSource::Approximation(why.clone()) }
            }
            tree::Source::Measure(address) => {
                Command::Measure { target, address: self.expr(address) }
            }
            tree::Source::Load(address, ty) => Command::Load {
                target,
                address: self.expr(address),
                ty: self.shared.scalar_type(ty),
            },
            tree::Source::Allocate(kind, size, content) => Command::Allocate {
                target,
                size: self.expr(size),
                kind: memory_kind(*kind),
                content: match content {
                    tree::Content::Arbitrary => InitialContent::Arbitrary,
                    tree::Content::Zero => InitialContent::Zero,
                },
            },
            tree::Source::Call(callee, arguments) => self.call(Some(target), callee, arguments),
        }
    }

    fn call(
        &mut self,
        target: Option<Variable>,
        callee: &tree::Callee,
        arguments: &[tree::Expr],
    ) -> Command {
        let callee = match callee {
            tree::Callee::Named(name) => {
                let id = self.shared.procedure(name);
                let arity = self.shared.arity.get(id.index()).copied();
                if arity.is_some_and(|arity| arity != arguments.len()) {
                    self.shared.name_error(name, "wrong number of arguments in this call");
                }
                Callee::Direct(id)
            }
            tree::Callee::Computed(address) => Callee::Indirect(self.expr(address)),
        };
        let arguments = arguments.iter().map(|it| self.expr(it)).collect();
        Command::Call { target, callee, arguments }
    }

    fn terminator(&mut self, terminator: &tree::Terminator) -> Terminator {
        match terminator {
            tree::Terminator::Goto(next) => Terminator::Goto(self.label(next)),
            tree::Terminator::Branch(condition, then, otherwise) => Terminator::Branch {
                condition: self.expr(condition),
                then: self.label(then),
                otherwise: self.label(otherwise),
            },
            tree::Terminator::Switch(value, cases, default) => Terminator::Switch {
                value: self.expr(value),
                cases: cases.iter().map(|case| self.case(case)).collect(),
                default: self.label(default),
            },
            tree::Terminator::Return(value) => {
                Terminator::Return(value.as_ref().map(|it| self.expr(it)))
            }
            tree::Terminator::Halt => Terminator::Halt,
        }
    }

    fn case(&mut self, case: &tree::Case) -> (i128, i128, BlockId) {
        let (low, high) = (self.signed(&case.low), self.signed(&case.high));
        (low, high, self.label(&case.target))
    }

    fn signed(&mut self, number: &tree::Signed) -> i128 {
        let place = (number.magnitude.start, number.magnitude.end);
        self.number(number.sign, number.magnitude.node, place)
    }

    fn number(&mut self, sign: tree::Sign, magnitude: u128, place: (usize, usize)) -> i128 {
        let value = match sign {
            tree::Sign::Plus => i128::try_from(magnitude).ok(),
            tree::Sign::Minus => 0_i128.checked_sub_unsigned(magnitude),
        };
        value.unwrap_or_else(|| {
            self.shared.error(place, "this number does not fit in 128 bits".to_owned());
            0
        })
    }

    /// Recursion is bounded by the depth limit of the grammar.
    fn expr(&mut self, expr: &tree::Expr) -> Expr {
        let place = (expr.start, expr.end);
        match &expr.kind {
            tree::ExprKind::Number(magnitude) => {
                Expr::Constant(self.number(tree::Sign::Plus, *magnitude, place))
            }
            tree::ExprKind::Variable(name) => Expr::Variable(self.variable(name, place)),
            tree::ExprKind::Procedure(name) => {
                let name = tree::Name { node: name.clone(), start: expr.start, end: expr.end };
                Expr::Procedure(self.shared.procedure(&name))
            }
            tree::ExprKind::Parenthesised(inner) => self.expr(inner),
            tree::ExprKind::Unary(op, operand) => self.unary(*op, operand),
            tree::ExprKind::Binary(op, left, right) => {
                let left = self.expr(left);
                Expr::binary(binary_op(*op), left, self.expr(right))
            }
            tree::ExprKind::Wrap(operand, ty) => {
                let operand = self.expr(operand);
                if let ScalarType::Int(kind) = self.shared.scalar_type(ty) {
                    return Expr::Wrap(kind, Box::new(operand));
                }
                self.shared.name_error(ty, "`as` reduces to an integer type, not to this");
                operand
            }
        }
    }

    fn unary(&mut self, op: tree::Unary, operand: &tree::Expr) -> Expr {
        let op = match (op, &operand.kind) {
            (tree::Unary::Negate, tree::ExprKind::Number(magnitude)) => {
                let place = (operand.start, operand.end);
                return Expr::Constant(self.number(tree::Sign::Minus, *magnitude, place));
            }
            (tree::Unary::Negate, _) => UnaryOp::Negate,
            (tree::Unary::BitNot, _) => UnaryOp::BitNot,
            (tree::Unary::Not, _) => UnaryOp::Not,
        };
        Expr::unary(op, self.expr(operand))
    }
}

fn memory_kind(kind: tree::Kind) -> MemoryKind {
    match kind {
        tree::Kind::Heap => MemoryKind::Heap,
        tree::Kind::Stack => MemoryKind::Stack,
        tree::Kind::Alloca => MemoryKind::Alloca,
        tree::Kind::Static => MemoryKind::Static,
        tree::Kind::Stream => MemoryKind::Stream,
        tree::Kind::Constant => MemoryKind::Constant,
        tree::Kind::Any => MemoryKind::Any,
    }
}

fn binary_op(op: tree::Binary) -> BinaryOp {
    match op {
        tree::Binary::Add => BinaryOp::Add,
        tree::Binary::Subtract => BinaryOp::Subtract,
        tree::Binary::Multiply => BinaryOp::Multiply,
        tree::Binary::Divide => BinaryOp::Divide,
        tree::Binary::Remainder => BinaryOp::Remainder,
        tree::Binary::ShiftLeft => BinaryOp::ShiftLeft,
        tree::Binary::ShiftRight => BinaryOp::ShiftRight,
        tree::Binary::And => BinaryOp::And,
        tree::Binary::Or => BinaryOp::Or,
        tree::Binary::Xor => BinaryOp::Xor,
        tree::Binary::Equal => BinaryOp::Equal,
        tree::Binary::NotEqual => BinaryOp::NotEqual,
        tree::Binary::Less => BinaryOp::Less,
        tree::Binary::LessEqual => BinaryOp::LessEqual,
        tree::Binary::Greater => BinaryOp::Greater,
        tree::Binary::GreaterEqual => BinaryOp::GreaterEqual,
    }
}
