//! What the entry does: it makes what comes in, and calls the function.

use super::pointers::bytes_behind;
use super::rewriter::Rewriter;
use super::steps::{Ends, HIGHEST, Step, UNKNOWN, assume, assume_range, binary, plus, set};
use super::{Need, Wrong, held};
use crate::slice::callees::ADDRESS;
use crate::{
    BinaryOp, Callee, Command, Expr, HavocSource, InitialContent, Instruction, MemoryKind,
    Procedure, ProcedureId, ScalarType, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

impl Rewriter<'_> {
    pub(super) fn entry(&mut self, open: ProcedureId) -> Option<Procedure> {
        let mut entry = self.program.procedure(self.program.entry).clone();
        let mut first = self.watch();
        for block in &mut entry.blocks {
            let mut commands = std::mem::take(&mut first);
            for instruction in std::mem::take(&mut block.commands) {
                let span = instruction.span;
                let steps = self.begin(instruction.command, open)?;
                commands.extend(steps.into_iter().map(|command| Instruction { command, span }));
            }
            block.commands = commands;
        }
        Some(entry)
    }

    /// What the entry does: it makes what comes in, and calls the function.
    pub(super) fn begin(&mut self, command: Command, open: ProcedureId) -> Option<Vec<Command>> {
        let mut steps = Vec::new();
        match command {
            Command::Havoc { target, source } => {
                let is_function =
                    matches!(&source, HavocSource::Approximation(it) if it == ADDRESS);
                steps.push(Step::Do(Command::Havoc { target, source }));
                if is_function {
                    steps.push(assume(binary(BinaryOp::Greater, target, Expr::Constant(0))));
                }
                match self.program.variable(target).ty {
                    ScalarType::Pointer if self.pointers.of_variable(target).is_wild => {
                        self.no_object(target, &mut steps);
                    }
                    ScalarType::Pointer => {
                        self.begin_object(target, target.into(), &mut steps);
                        self.keep_member(target, self.member_told(target), &mut steps);
                    }
                    ScalarType::Int(kind) => steps.push(assume_range(target, kind)),
                    ScalarType::Float(_) => {}
                }
            }
            Command::Allocate { target, size, .. } => self.made(target, &size, &mut steps),
            Command::Call { target, callee: Callee::Direct(callee), arguments }
                if callee == open =>
            {
                let arguments = self.begin_call(open, arguments, &mut steps)?;
                let callee = Callee::Direct(open);
                steps.push(Step::Do(Command::Call { target, callee, arguments }));
            }
            Command::Call { .. } => return None,
            Command::Assign { target, value } => self.assign(target, &value, &mut steps),
            Command::Assume { .. } => steps.push(Step::Do(command)),
            Command::Load { target, .. } => steps.push(Step::Do(held(target))),
            Command::Free { address: Expr::Variable(block), kind: MemoryKind::Constant } => {
                let zero = self.ends.get(&block.index()).and_then(|it| it.zero);
                if let Some((zero, at)) = zero.zip(self.end_of_text(block)) {
                    steps.push(set(zero, plus(block, at)));
                }
            }
            Command::Store { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Free { .. }
            | Command::Unsupported { .. } => {}
            Command::Measure { .. } | Command::Error { .. } => return None,
        }
        steps.into_iter().map(Step::command).collect()
    }

    /// Where the first byte is 0 of a constant text: of a block that holds 0 but for the bytes that
    /// the entry writes.
    fn end_of_text(&self, block: Variable) -> Option<i128> {
        let entry = self.program.procedure(self.program.entry);
        let commands = || entry.blocks.iter().flat_map(|it| &it.commands).map(|it| &it.command);
        let size = commands().find_map(|command| match command {
            Command::Allocate {
                target,
                size: Expr::Constant(size),
                content: InitialContent::Zero,
                ..
            } if *target == block => Some(*size),
            _ => None,
        })?;
        let written = commands().filter_map(|command| match command {
            Command::Store { address, ty, .. } => match self.sum(address) {
                Some(sum) if sum.pointer != block => None,
                Some(sum) => Some((sum.is_constant && self.bytes(*ty) == 1).then_some(sum.bytes)),
                None => Some(None),
            },
            Command::Fill { address, .. } | Command::Copy { target: address, .. } => {
                self.sum(address).is_none_or(|it| it.pointer == block).then_some(None)
            }
            _ => None,
        });
        let written: BTreeSet<i128> = written.collect::<Option<_>>()?;
        (0..size).find(|it| !written.contains(it))
    }

    /// The arguments of a call with the bounds of what they lead to, for calls that keep to what is
    /// needed.
    fn begin_call(
        &mut self,
        open: ProcedureId,
        mut arguments: Vec<Expr>,
        steps: &mut Vec<Step>,
    ) -> Option<Vec<Expr>> {
        let parameters = self.program.procedure(open).parameters.clone();
        let values: BTreeMap<Variable, Expr> =
            parameters.iter().copied().zip(arguments.iter().cloned()).collect();
        let mut ends: BTreeMap<Variable, Ends> = BTreeMap::new();
        for parameter in parameters {
            if !self.has_ends(parameter) {
                continue;
            }
            let name = &self.program.variable(parameter).name;
            let own = self.new_ends(name, Some(self.program.entry));
            self.begin_ends((parameter, values.get(&parameter)?), own, steps);
            ends.insert(parameter, own);
            arguments.extend(own.all().map(Expr::from));
        }
        let value = |it: Variable| values.get(&it).cloned().unwrap_or(it.into());
        let ends_of = |it: Variable| ends.get(&it).or(self.ends.get(&it.index())).copied();
        let own = |it: Variable| ends.get(&it).and_then(|it| it.own);
        self.keep_apart(own, steps);
        for need in self.needs {
            self.keep_to(*need, (&value, &ends_of), steps)?;
        }
        Some(arguments)
    }

    /// What is needed holds of what comes in, which is called so.
    fn keep_to(
        &self,
        need: Need,
        (value, ends_of): (&impl Fn(Variable) -> Expr, &impl Fn(Variable) -> Option<Ends>),
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let ends = need.about().and_then(ends_of);
        match need {
            Need::Disjoint(_, other) => {
                let (one, other) = (ends?, ends_of(other)?);
                let is_before =
                    |one: Ends, other: Ends| binary(BinaryOp::LessEqual, one.high, other.low);
                let sides = (is_before(one, other), is_before(other, one));
                steps.push(assume(binary(BinaryOp::Or, sides.0, sides.1)));
            }
            Need::Before(pointer, bytes) => {
                let (value, Ends { low, high, .. }) = (value(pointer), ends?);
                let is_behind = binary(BinaryOp::Less, Expr::Constant(bytes), value.clone());
                let own = plus(value.clone(), bytes_behind(self.program, pointer));
                steps.push(assume(is_behind));
                steps.push(assume(binary(BinaryOp::LessEqual, own, high)));
                steps.push(set(low, plus(value, -bytes)));
            }
            Need::String(pointer) => {
                let Ends { high, zero, .. } = ends?;
                steps.push(Step::Do(held(zero?)));
                steps.push(assume(Self::is_string(value(pointer), high, zero?)));
            }
            // These are kept to where such a member is read, and where it is written.
            Need::Member(_) | Need::MemberString(_) => {}
            // These are kept to before.
            Need::Owned | Need::Sole(_) | Need::Apart(..) => {}
            Need::NotNull(_)
            | Need::NotZero(_)
            | Need::Between(..)
            | Need::Bytes(..)
            | Need::Until { .. }
            | Need::Elements { .. } => {
                // Null has no bounds.
                steps.extend(ends.map(|it| assume(Self::is_known(it.low, it.high))));
                let end = ends.map(|it| it.high.into());
                steps.push(assume(need.condition(value, end)?));
            }
        }
        Some(())
    }

    /// A pointer has a value that came in, or that was read: null or the start of an object of its
    /// type.
    pub(super) fn begin_object(&self, target: Variable, value: Expr, steps: &mut Vec<Step>) {
        steps.push(assume(binary(BinaryOp::GreaterEqual, value.clone(), Expr::Constant(0))));
        steps.push(assume(binary(BinaryOp::LessEqual, value.clone(), Expr::Constant(HIGHEST))));
        if let Some(ends) = self.ends.get(&target.index()) {
            self.begin_ends((target, &value), *ends, steps);
        }
    }

    fn begin_ends(&self, (pointer, value): (Variable, &Expr), ends: Ends, steps: &mut Vec<Step>) {
        let is_before = binary(BinaryOp::LessEqual, value.clone(), ends.high);
        steps.push(set(ends.low, value.clone()));
        steps.push(Step::Do(held(ends.high)));
        steps.extend(ends.zero.map(|it| set(it, UNKNOWN)));
        steps.push(assume(is_before));
        steps.push(assume(binary(BinaryOp::LessEqual, ends.high, Expr::Constant(HIGHEST))));
        self.begin_own((pointer, value), ends, steps);
    }

    /// Both are 0, or none is.
    pub(super) fn is_known(low: Variable, high: Variable) -> Expr {
        let is_null = |it: Variable| binary(BinaryOp::Equal, it, Expr::Constant(0));
        let null = binary(BinaryOp::And, is_null(low), is_null(high));
        binary(BinaryOp::Or, null, binary(BinaryOp::Greater, low, Expr::Constant(0)))
    }

    /// Null, or what has a byte that is 0 behind its start.
    pub(super) fn is_string(value: Expr, high: Variable, zero: Variable) -> Expr {
        let null = binary(BinaryOp::Equal, value.clone(), Expr::Constant(0));
        let is_behind = binary(BinaryOp::LessEqual, value, zero);
        let is_inside = binary(BinaryOp::Less, zero, high);
        binary(BinaryOp::Or, null, binary(BinaryOp::And, is_behind, is_inside))
    }

    /// A block is made; one of no bytes stands for an access outside of an object.
    pub(super) fn make(&mut self, target: Variable, size: &Expr, steps: &mut Vec<Step>) {
        if matches!(size, Expr::Constant(0)) {
            steps.push(Step::Do(held(target)));
            self.no_object(target, steps);
            return;
        }
        let mut number = size.clone();
        self.as_number(&mut number);
        if !matches!(size, Expr::Constant(size) if (0..=HIGHEST).contains(size)) {
            let from = binary(BinaryOp::GreaterEqual, number.clone(), Expr::Constant(0));
            let to = binary(BinaryOp::LessEqual, number.clone(), Expr::Constant(HIGHEST));
            steps.extend([from, to].map(|it| Step::Assert(Wrong::Size.alone(), it)));
        }
        self.made(target, &number, steps);
    }

    /// A block is made, of a size that one can have: so there is an address for it.
    fn made(&self, target: Variable, size: &Expr, steps: &mut Vec<Step>) {
        steps.push(Step::Do(held(target)));
        steps.push(assume(binary(BinaryOp::Greater, target, Expr::Constant(0))));
        let end = binary(BinaryOp::Add, target, size.clone());
        steps.push(assume(binary(BinaryOp::LessEqual, end.clone(), Expr::Constant(HIGHEST + 1))));
        if let Some(Ends { low, high, zero, own }) = self.ends.get(&target.index()) {
            steps.push(set(*low, target));
            steps.push(set(*high, end));
            steps.extend(own.map(|it| set(it, Expr::Constant(0))));
            steps.extend(zero.map(|it| set(it, UNKNOWN)));
        }
    }
}
