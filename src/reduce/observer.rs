//! A program that is observed: a procedure is called wherever a run can be told from others.

use super::instrument::{
    add_global, add_procedure, at_start, block, call, call_at_heads, go_on_for_ever, is_called,
    procedure_named,
};
use super::propositions::{NUMBER, Relevant, constant, is_of_appendix};
use base::source::Span;
use ir::cutpoint::{CallGraph, CutSet};
use ir::{
    BinaryOp, BlockId, Callee, Command, Expr, HavocSource, Instruction, ProcedureId, Program,
    Terminator, Variable,
};

/// A program and what runs beside it.
pub(super) struct Observer {
    /// The program, with more code.
    pub(super) program: Program,
    /// Where observation begins.
    pub(super) main: ProcedureId,
    /// Where the automaton is.
    pub(super) state: Variable,
    /// Moves the automaton.
    pub(super) observe: ProcedureId,
    /// Which of its calls that is.
    pub(super) moment: Variable,
    /// The loops and ends among them.
    pub(super) turning_points: Vec<usize>,
    /// What is called in its place behind inputs, if nothing is observed there.
    unseen: Option<ProcedureId>,
}

/// Which moments of a run are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Moments {
    /// Those in which something observed may have changed, and one in each round of a loop.
    Changes,
    /// Those behind inputs, too: the runs that can follow are others.
    Choices,
    /// The same moments with the same numbers, but nothing is observed behind an input.
    NumberedChoices,
}

/// What is called behind inputs where nothing is observed there.
const UNSEEN: &str = "$unseen";

/// Whether a program passes over inputs behind which nothing is observed.
pub(super) fn passes_over_choices(program: &Program) -> bool {
    procedure_named(program, UNSEEN).is_some_and(|unseen| is_called(program, unseen))
}

impl Observer {
    /// An observer of a program that begins in the function `main`. It does nothing yet.
    pub(super) fn of(mut program: Program, main: &str) -> Result<Self, String> {
        let main = procedure_named(&program, main)
            .filter(|main| program.procedure(*main).is_defined())
            .ok_or_else(|| format!("a formula about a program without `{main}`"))?;
        let state = add_global(&mut program, "$state", NUMBER);
        let moment = add_global(&mut program, "$moment", NUMBER);
        let observe = add_procedure(&mut program, "$observe");
        Ok(Self { program, main, state, observe, moment, turning_points: Vec::new(), unseen: None })
    }

    /// The program's own procedures that are watched: what is before `main` is not.
    pub(super) fn observed(&self) -> Vec<ProcedureId> {
        let is_before = |it: ProcedureId| it == self.program.entry && it != self.main;
        let own = (0..self.observe.index()).map(ProcedureId::at);
        own.filter(|it| !is_before(*it) && !is_of_appendix(&self.program, *it)).collect()
    }

    /// Observes all moments; runs that end stutter in their last state.
    pub(super) fn watch(&mut self, relevant: &Relevant, moments: Moments) {
        let calls = CallGraph::of_program(&self.program);
        let observed = self.observed();
        if moments == Moments::NumberedChoices {
            self.unseen = Some(add_procedure(&mut self.program, UNSEEN));
        }
        for procedure in observed {
            self.observe_in(procedure, &calls, relevant, moments);
        }
        for procedure in &mut self.program.procedures[..self.observe.index()] {
            go_on_for_ever(procedure, vec![call(self.observe, Span::NOWHERE).command]);
        }
    }

    /// Calls `$observe` behind what may change the observed, and at the heads of loops.
    fn observe_in(
        &mut self,
        procedure: ProcedureId,
        calls: &CallGraph,
        relevant: &Relevant,
        moments: Moments,
    ) {
        let mut blocks = std::mem::take(&mut self.program.procedures[procedure.index()].blocks);
        for block in &mut blocks {
            let mut commands = std::mem::take(&mut block.commands).into_iter().peekable();
            while let Some(instruction) = commands.next() {
                let is_choice = moments != Moments::Changes
                    && match &instruction.command {
                        Command::Havoc { target, source: HavocSource::Input(_) } => {
                            // What an expression is computed with is no state of its own.
                            !self.program.variable(*target).name.starts_with('$')
                                || !commands.peek().is_some_and(|next| relevant.may_change(next))
                        }
                        _ => false,
                    };
                let is_change = relevant.may_change(&instruction);
                let span = instruction.span;
                block.commands.push(instruction);
                if is_change {
                    block.commands.push(call(self.observe, span));
                } else if is_choice {
                    block.commands.push(call(self.unseen.unwrap_or(self.observe), span));
                }
            }
        }
        self.program.procedures[procedure.index()].blocks = blocks;
        call_at_heads(&mut self.program, calls, procedure, self.observe);
    }

    /// Observes a transition system: where it comes to one of its locations.
    pub(super) fn watch_at(&mut self, locations: &[BlockId]) {
        let observe = call(self.observe, Span::NOWHERE);
        let main = &mut self.program.procedures[self.main.index()];
        for location in locations {
            main.blocks[location.index()].commands.insert(0, observe.clone());
        }
        go_on_for_ever(main, vec![observe.command]);
    }

    /// Numbers the calls of `$observe`, the turning points first.
    pub(super) fn number_moments(&mut self) -> usize {
        let mut n_moments = 0;
        for procedure in self.observed() {
            let numbered = [Some(self.observe), self.unseen];
            let body = &mut self.program.procedures[procedure.index()];
            let cuts = CutSet::of_procedure(body);
            for (number, block) in body.blocks.iter_mut().enumerate() {
                for (position, instruction) in
                    std::mem::take(&mut block.commands).into_iter().enumerate()
                {
                    if matches!(&instruction.command, Command::Call { callee: Callee::Direct(callee), .. }
                        if numbered.contains(&Some(*callee)))
                    {
                        let is_turn = position == 0 && cuts.contains(BlockId::at(number));
                        if is_turn {
                            self.turning_points.push(n_moments);
                        }
                        let value = constant(n_moments);
                        let command = Command::Assign { target: self.moment, value };
                        block.commands.push(Instruction { command, span: instruction.span });
                        n_moments += 1;
                    }
                    block.commands.push(instruction);
                }
            }
        }
        n_moments
    }

    /// What is done once, where `main` is called first, with the automaton in state `first`.
    /// Nothing is observed before: it is in the state `before` till then.
    pub(super) fn begin_with(&mut self, (before, first): (usize, usize), then: Vec<Command>) {
        let begin = add_procedure(&mut self.program, "$begin");
        let is_before = Expr::binary(BinaryOp::Equal, self.state.into(), constant(before));
        let mut commands = vec![Command::Assign { target: self.state, value: constant(first) }];
        commands.extend(then);
        let branch =
            Terminator::Branch { condition: is_before, then: BlockId(1), otherwise: BlockId(2) };
        self.program.procedures[begin.index()].blocks = vec![
            block(Vec::new(), branch),
            block(commands, Terminator::Return(None)),
            block(Vec::new(), Terminator::Return(None)),
        ];
        let main = &mut self.program.procedures[self.main.index()];
        at_start(main, vec![call(begin, main.span)]);
        self.start_with(self.state, before);
    }

    /// Gives a variable its first value, before anything is done.
    pub(super) fn start_with(&mut self, target: Variable, value: usize) {
        let entry = self.program.entry;
        let command = Command::Assign { target, value: constant(value) };
        let start = &mut self.program.procedures[entry.index()];
        at_start(start, vec![Instruction { command, span: Span::NOWHERE }]);
    }
}
