//! Visitors of the expressions that commands and blocks evaluate.

use super::{Block, Callee, Command, Expr};

impl Command {
    /// Calls `visit` for every expression that the command evaluates, in order.
    pub fn for_each_expression<'command>(&'command self, visit: &mut impl FnMut(&'command Expr)) {
        match self {
            Self::Assign { value: only, .. }
            | Self::Load { address: only, .. }
            | Self::Allocate { size: only, .. }
            | Self::Free { address: only, .. }
            | Self::Measure { address: only, .. }
            | Self::Assume { condition: only } => visit(only),
            Self::Store { address, value, .. } => [address, value].into_iter().for_each(visit),
            Self::Fill { address, byte, size } => {
                [address, byte, size].into_iter().for_each(visit);
            }
            Self::Copy { target, source, size, .. } => {
                [target, source, size].into_iter().for_each(visit);
            }
            Self::Call { callee, arguments, .. } => {
                if let Callee::Indirect(address) = callee {
                    visit(address);
                }
                arguments.iter().for_each(visit);
            }
            Self::Havoc { .. } | Self::Error { .. } | Self::Unsupported { .. } => {}
        }
    }

    /// Calls `change` for every expression that the command evaluates, in order.
    pub fn for_each_expression_mut(&mut self, change: &mut impl FnMut(&mut Expr)) {
        match self {
            Self::Assign { value: only, .. }
            | Self::Load { address: only, .. }
            | Self::Allocate { size: only, .. }
            | Self::Free { address: only, .. }
            | Self::Measure { address: only, .. }
            | Self::Assume { condition: only } => change(only),
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

impl Block {
    /// Calls `visit` for every expression that is evaluated in the block, in order.
    pub fn for_each_expression<'block>(&'block self, visit: &mut impl FnMut(&'block Expr)) {
        self.commands.iter().for_each(|it| it.command.for_each_expression(visit));
        self.terminator.expression().into_iter().for_each(visit);
    }
}
