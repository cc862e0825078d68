//! The expressions that commands, blocks and programs evaluate.

use super::{Block, Callee, Command, Expr, Gap, MemoryKind, Program, Terminator, Variable};

impl Command {
    /// The expressions that the command evaluates, in order.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (fixed, others): ([Option<&Expr>; 3], &[Expr]) = match self {
            Self::Assign { value: only, .. }
            | Self::Load { address: only, .. }
            | Self::Allocate { size: only, .. }
            | Self::Free { address: only, .. }
            | Self::Measure { address: only, .. }
            | Self::Assume { condition: only }
            | Self::Unsupported { gap: Gap::Handed(only), .. } => ([Some(only), None, None], &[]),
            Self::Store { address, value, .. } => ([Some(address), Some(value), None], &[]),
            Self::Fill { address, byte, size } => ([Some(address), Some(byte), Some(size)], &[]),
            Self::Copy { target, source, size, .. } => {
                ([Some(target), Some(source), Some(size)], &[])
            }
            Self::Call { callee: Callee::Indirect(address), arguments, .. } => {
                ([Some(address), None, None], arguments)
            }
            Self::Call { callee: Callee::Direct(_), arguments, .. } => ([None; 3], arguments),
            Self::Havoc { .. } | Self::Error { .. } | Self::Unsupported { .. } => ([None; 3], &[]),
        };
        fixed.into_iter().flatten().chain(others)
    }

    /// The variables whose values the command uses, in order, perhaps several times.
    pub fn variables_read(&self) -> impl Iterator<Item = Variable> {
        self.expressions().flat_map(Expr::variables)
    }

    /// Calls `change` for every expression that the command evaluates, in order.
    pub fn for_each_expression_mut(&mut self, change: &mut impl FnMut(&mut Expr)) {
        match self {
            Self::Assign { value: only, .. }
            | Self::Load { address: only, .. }
            | Self::Allocate { size: only, .. }
            | Self::Free { address: only, .. }
            | Self::Measure { address: only, .. }
            | Self::Assume { condition: only }
            | Self::Unsupported { gap: Gap::Handed(only), .. } => change(only),
            Self::Store { address, value, .. } => [address, value].into_iter().for_each(change),
            Self::Fill { address, byte, size } => {
                [address, byte, size].into_iter().for_each(change);
            }
            Self::Copy { target, source, size, .. } => {
                [target, source, size].into_iter().for_each(change);
            }
            Self::Call { callee, arguments, .. } => {
                if let Callee::Indirect(address) = callee {
                    change(address);
                }
                arguments.iter_mut().for_each(change);
            }
            Self::Havoc { .. } | Self::Error { .. } | Self::Unsupported { .. } => {}
        }
    }
}

impl Terminator {
    /// The variables whose values the terminator uses, in order, perhaps several times.
    pub fn variables_read(&self) -> impl Iterator<Item = Variable> {
        self.expression().into_iter().flat_map(Expr::variables)
    }
}

impl Block {
    /// The expressions that are evaluated in the block, in order.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let commands = self.commands.iter().flat_map(|it| it.command.expressions());
        commands.chain(self.terminator.expression())
    }

    /// The variables that are used or assigned in the block, perhaps several times.
    pub fn variables(&self) -> impl Iterator<Item = Variable> {
        let assigned = self.commands.iter().filter_map(|it| it.command.target());
        self.expressions().flat_map(Expr::variables).chain(assigned)
    }
}

impl Program {
    /// All blocks, by procedures.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.procedures.iter().flat_map(|it| &it.blocks)
    }

    /// All commands, by procedures and blocks.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.blocks().flat_map(|it| &it.commands).map(|it| &it.command)
    }

    /// Whether blocks of the heap are freed somewhere.
    #[must_use]
    pub fn frees(&self) -> bool {
        self.commands().any(|it| matches!(it, Command::Free { kind: MemoryKind::Heap, .. }))
    }

    /// All expressions that are evaluated somewhere, by procedures and blocks.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.blocks().flat_map(Block::expressions)
    }
}
