//! Where a run that is to be there might go: the program in which it is an error that something
//! holds which a formula with `E` waits for, and in which inputs carry their numbers.
//!
//! A run to that error says what inputs may be worth trying. It proves nothing.

use super::super::strategy::inputs;
use super::Game;
use crate::instrument::block;
use crate::observer::Moments;
use ir::{BlockId, Command, Expr, HavocSource, Program, Terminator};
use temporal::formula::{Formula, FormulaId};

/// What the numbered inputs are called, before the number.
const NUMBERED: &str = "$input ";

impl Game<'_> {
    /// The program in which it is an error that this formula may stop waiting.
    pub(in super::super) fn scouting(mut self, waiting: FormulaId) -> Result<Program, String> {
        let propositions = self.branching.propositions();
        let relevant = propositions.relevant(&self.observer.program)?;
        let observe = self.observer.observe;
        let (first, values) = propositions.values(&mut self.observer.program, observe)?;
        self.values = values;
        let begin = self.watch(&relevant, Moments::Choices);
        self.number_inputs();
        let found = match self.branching.table.get(waiting) {
            Formula::Until(_, _, right) => self.now(right),
            _ => Expr::Constant(0),
        };
        let early = i128::try_from(self.before()).unwrap_or(-1);
        let (value, cases) = (self.observer.state.into(), vec![(early, early, BlockId(3))]);
        let then = Terminator::Branch { condition: found, then: BlockId(2), otherwise: BlockId(3) };
        let error = Command::Error { what: "found".to_owned() };
        self.observer.program.procedures[observe.index()].blocks = vec![
            block(first, Terminator::Switch { value, cases, default: BlockId(1) }),
            block(Vec::new(), then),
            block(vec![error], Terminator::Halt),
            block(Vec::new(), Terminator::Return(None)),
        ];
        self.observer.begin_with((self.before(), self.before() + 1), begin);
        Ok(self.observer.program)
    }

    fn number_inputs(&mut self) {
        let all = inputs(&self.observer.program, &self.observer.observed());
        for (number, input) in all.iter().enumerate() {
            let body = &mut self.observer.program.procedures[input.procedure.index()];
            let command = &mut body.blocks[input.block].commands[input.position].command;
            if let Command::Havoc { source, .. } = command {
                *source = HavocSource::Input(format!("{NUMBERED}{number}"));
            }
        }
    }
}

/// The number that an input of a [scouting](Game::scouting) program carries.
pub(in super::super) fn number(name: &str) -> Option<usize> {
    name.strip_prefix(NUMBERED)?.parse().ok()
}
