//! CTL: a formula holds if a strategy for what it leaves to us wins a game against the program,
//! and the game with a strategy is a program in which one side moves: the encoding of FMSD'12
//! (Fig. 2), with existential operators as in Cook and Koskinen, *Reasoning about nondeterminism
//! in programs* (PLDI 2013).
//!
//! `$state` tells which formula is to be refuted, and `$observe` moves on from it:
//!
//! ```text
//!   p           over: the adversary has lost if p holds, else won
//!   φ ∧ ψ       the adversary goes on with φ or with ψ
//!   φ ∨ ψ       we do; with ψ, if φ speaks of one state only and does not hold
//!   Q[φ W ψ]    if we say so, on with ψ; else the adversary goes on with φ, or waits
//!   Q[φ U ψ]    the same, and waiting is the event `$pending`
//! ```
//!
//! While a formula with `A` waits, inputs are the adversary's. While one with `E` does, we
//! restrict them, and the adversary wins, too, where the run cannot go on.
//!
//! An adversary who wins may wait for ever, so the formula holds if no run of the game has
//! infinitely many events `$pending`. Nothing that is ours is left open where the formula is
//! *forced*: it has no `E`, and of what is ours to say one side is a formula of one state. There
//! the converse holds, too.

mod game;
pub mod strategy;

use super::instrument::Instrumented;
use super::observer;
use super::propositions::{FormulaError, Propositions, parsed};
use ir::{BlockId, Command, Program};
use std::collections::BTreeSet;
use strategy::Strategy;
use temporal::formula::{Formula, FormulaId, Paths, Polarity, Table};
use wane_grammar::temporal::Logic;

/// What the states of a program are.
#[derive(Clone, Copy, Debug)]
pub enum States<'a> {
    /// Those between commands, from the first one of the function with this name.
    Throughout(&'a str),
    /// Those in which it is at one of these blocks of `main`: the locations of a transition
    /// system.
    At(&'a [BlockId]),
}

/// A formula with its parts.
#[derive(Clone, Debug)]
pub struct Branching {
    /// The formulas that it is made of, and their negations.
    pub table: Table,
    /// The formula.
    pub root: FormulaId,
    text: String,
}

/// Reads a formula.
///
/// # Errors
/// Where the text is none.
pub fn branching(text: &str) -> Result<Branching, FormulaError> {
    let read = parsed(text, Logic::Branching)?;
    if let Some(first) = read.fairness.first() {
        let (start, end) = first.whenever.extent();
        let message = "formulas of branching time with conditions of fairness are not answered";
        return Err(FormulaError { message: message.to_owned(), start, length: end - start });
    }
    let mut table = Table::default();
    let root = table.normal_form(&read.tree, text, Polarity::Positive);
    Propositions(&table.propositions).check()?;
    Ok(Branching { table, root, text: text.to_owned() })
}

impl Branching {
    fn propositions(&self) -> Propositions<'_> {
        Propositions(&self.table.propositions)
    }

    /// C text with a function for each proposition, in a file called `formula`.
    #[must_use]
    pub fn appendix(&self) -> String {
        self.propositions().appendix(&self.text)
    }

    /// The functions of the [appendix](Self::appendix).
    #[must_use]
    pub fn roots(&self) -> Vec<String> {
        self.propositions().roots()
    }

    /// Whether a formula leaves nothing to us.
    #[must_use]
    pub fn is_forced(&self, id: FormulaId) -> bool {
        let mut is_forced = true;
        self.table.for_each_part(id, &mut |part| {
            let plain = |it: FormulaId| self.table.is_propositional(it);
            is_forced &= match self.table.get(part) {
                Formula::Or(left, right) => plain(left) || plain(right),
                Formula::Next(paths, _) => paths == Paths::All,
                Formula::Until(paths, _, right) | Formula::WeakUntil(paths, _, right) => {
                    paths == Paths::All && plain(right)
                }
                _ => true,
            };
        });
        is_forced
    }

    /// Whether a formula speaks of some paths only.
    #[must_use]
    pub fn is_existential(&self, id: FormulaId) -> bool {
        let mut found = false;
        self.table.for_each_part(id, &mut |part| {
            found |= self.begins_with_some(part);
        });
        found
    }

    /// Whether a run of a program may break off: by an assumption that fails, or by what C does
    /// not define.
    #[must_use]
    pub fn may_break_off(program: &Program) -> bool {
        let mut blocks = program.blocks();
        blocks.any(|block| game::may_break_off(program, block))
    }

    /// Whether a game takes states behind inputs for none.
    #[must_use]
    pub fn passes_over_choices(game: &Program) -> bool {
        observer::passes_over_choices(game)
    }

    /// Whether the propositions have values in all states of a program that has the appendix.
    #[must_use]
    pub fn is_defined(&self, program: &Program) -> bool {
        self.propositions().procedures(program).is_ok_and(|procedures| {
            let blocks = procedures.iter().flat_map(|it| &program.procedure(*it).blocks);
            let mut commands = blocks.flat_map(|block| &block.commands);
            !commands.any(|it| matches!(it.command, Command::Assume { .. }))
        })
    }

    /// Whether a formula speaks of some paths from here on.
    #[must_use]
    pub fn begins_with_some(&self, id: FormulaId) -> bool {
        matches!(
            self.table.get(id),
            Formula::Next(Paths::Some, _)
                | Formula::Until(Paths::Some, ..)
                | Formula::WeakUntil(Paths::Some, ..)
        )
    }

    /// A transition system, with what the formula says of its states.
    ///
    /// # Errors
    /// Why there is none.
    pub fn system(&self, program: &Program) -> Result<Program, String> {
        self.propositions().added_to(program)
    }

    /// The game for a formula of the table on a program that has the functions of the appendix.
    ///
    /// # Errors
    /// Why there is none.
    pub fn game(
        &self,
        id: FormulaId,
        strategy: &Strategy,
        program: Program,
        states: States<'_>,
    ) -> Result<Instrumented, String> {
        game::Game::of(self, id, strategy, program, states)?.instrumented()
    }

    /// The program of a game in which it is an error that this formula stops waiting.
    ///
    /// # Errors
    /// Why there is none.
    pub fn scouting(
        &self,
        id: FormulaId,
        goal: FormulaId,
        program: Program,
        states: States<'_>,
    ) -> Result<Program, String> {
        game::Game::of(self, id, &Strategy::default(), program, states)?.scouting(goal)
    }

    /// The number of an input, if that is what this function of a [scouting](Self::scouting)
    /// program stands for.
    #[must_use]
    pub fn number_of_input(name: &str) -> Option<usize> {
        game::scout::number(name)
    }

    /// Moments of a run of the game in which waiting may end, by their numbers: first those in
    /// which one of the last loops is come to, then single ones.
    ///
    /// # Errors
    /// Why there is no game.
    pub fn moments(
        &self,
        id: FormulaId,
        program: Program,
        states: States<'_>,
    ) -> Result<Vec<BTreeSet<usize>>, String> {
        game::Game::of(self, id, &Strategy::default(), program, states)?.moments()
    }
}
