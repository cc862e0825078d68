//! LTL: a run violates a formula if the automaton of the formula's negation accepts what is
//! observed of it (FMSD'12 §6; Vardi, *Verification of concurrent programs*, 1991).
//!
//! The automaton runs beside the program: `$state` tells where it is, and `$observe` moves it.
//! It is called where `main` starts, behind each command that may change what the formula speaks
//! of, and at the head of each loop, so that a run that goes on without such a change stutters.
//! A run that ends stutters in its last state. For formulas without `X` it makes no difference
//! how often the same is observed.
//!
//! A program that calls `__VERIFIER_ltl_step` is observed there only. If it makes no more steps,
//! the last one is repeated for ever: at any head of a loop a run may decide that it has made its
//! last step.
//!
//! For each acceptance set there is an event, and the requirement that it happens again and
//! again. The formula holds if and only if no fair run of the program goes on for ever.

use super::instrument::{
    Instrumented, add_global, add_local, add_procedure, block, call, call_at_heads, dead_end,
    go_on_for_ever, is_called, procedure_named,
};
use super::observer::{Moments, Observer};
use super::propositions::{FormulaError, NUMBER, Propositions, STEP, constant, parsed};
use base::source::Span;
use ir::cutpoint::CallGraph;
use ir::{
    BinaryOp, BlockId, Callee, Command, Expr, HavocSource, ProcedureId, Program, Terminator,
    UnaryOp, Variable,
};
use obligation::{Compassion, Fairness};
use temporal::buchi::{Automaton, automaton};
use temporal::formula::{FormulaId, Polarity, Table};
use wane_grammar::temporal::Logic;

/// The automaton of a formula's negation has at most so many states.
const MOST_STATES: usize = 200;

/// A formula, read so that its violations can be told.
#[derive(Clone, Debug)]
pub struct Violations {
    table: Table,
    negation: FormulaId,
    text: String,
}

/// Reads a formula.
///
/// # Errors
/// Where the text is none.
pub fn violations(text: &str) -> Result<Violations, FormulaError> {
    let read = parsed(text, Logic::Linear)?;
    let mut table = Table::default();
    let negation = table.normal_form(&read.tree, text, Polarity::Negative);
    Propositions(&table.propositions).check()?;
    Ok(Violations { table, negation, text: text.to_owned() })
}

impl Violations {
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

    /// The product of a program, which has the functions of the appendix, with the automaton.
    /// `main` is the name of the function where observation begins.
    ///
    /// # Errors
    /// Why there is none.
    pub fn product(&self, program: Program, main: &str) -> Result<Instrumented, String> {
        Product::of(self, program, main)?.instrumented()
    }
}

/// How far an observer is with a run.
struct Product<'a> {
    violations: &'a Violations,
    automaton: Automaton,
    observer: Observer,
    /// An event for each acceptance set.
    accepted: Vec<ProcedureId>,
    manner: Manner,
}

/// When a run is observed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Always.
    Throughout,
    /// When the program says so, by this procedure.
    Stepwise(ProcedureId),
}

impl<'a> Product<'a> {
    fn of(violations: &'a Violations, program: Program, main: &str) -> Result<Self, String> {
        let mut observer = Observer::of(program, main)?;
        let program = &mut observer.program;
        let manner = match procedure_named(program, STEP) {
            Some(step) if is_called(program, step) => Manner::Stepwise(step),
            _ if violations.table.has_next() => {
                let what = "a formula with `X` about a program that does not call";
                return Err(format!("{what} `__VERIFIER_ltl_step`"));
            }
            _ => Manner::Throughout,
        };
        let automaton = automaton(&violations.table, violations.negation, MOST_STATES);
        let mut automaton = automaton.ok_or_else(|| {
            format!("a formula whose automaton has more than {MOST_STATES} states")
        })?;
        if automaton.n_sets == 0 && manner != Manner::Throughout {
            // A word has infinitely many letters.
            automaton.n_sets = 1;
            automaton.states.iter_mut().for_each(|state| state.accepts.push(0));
        }
        let sets = 0..automaton.n_sets;
        let accepted = sets.map(|set| add_procedure(program, &format!("$accepted{set}"))).collect();
        Ok(Self { violations, automaton, observer, accepted, manner })
    }

    fn instrumented(mut self) -> Result<Instrumented, String> {
        let relevant = self.violations.propositions().relevant(&self.observer.program)?;
        let mut control = vec![self.observer.state];
        match self.manner {
            Manner::Throughout => {
                self.make_observer(None)?;
                self.observer.watch(&relevant, Moments::Changes);
                let first = vec![call(self.observer.observe, Span::NOWHERE).command];
                self.observer.begin_with(self.beginning(), first);
            }
            Manner::Stepwise(step) => control.push(self.weave_steps(step)?),
        }
        let requirement = |event: &ProcedureId| Compassion { whenever: None, then: *event };
        let requirements = self.accepted.iter().map(requirement).collect();
        Ok(Instrumented {
            program: self.observer.program,
            fairness: Fairness { requirements, control },
        })
    }

    /// What the automaton is in before observation begins, and where it does: none of its states.
    fn beginning(&self) -> (usize, usize) {
        let n_states = self.automaton.states.len();
        (n_states + 1, n_states)
    }

    /// The body of `$observe`. Propositions are looked at where they are asked for, or were
    /// remembered in these variables.
    fn make_observer(&mut self, remembered: Option<&[Variable]>) -> Result<(), String> {
        let automaton = self.automaton.clone();
        let choice =
            add_local(&mut self.observer.program, self.observer.observe, "$choice", NUMBER);
        let (first, values) = match remembered {
            Some(variables) => (Vec::new(), variables.iter().map(|it| (*it).into()).collect()),
            None => self
                .violations
                .propositions()
                .values(&mut self.observer.program, self.observer.observe)?,
        };
        let n_states = automaton.states.len();
        let arrival = |state: usize| BlockId::at(1 + state);
        let mut blocks = vec![block(first, Terminator::Return(None))];
        for (number, state) in automaton.states.iter().enumerate() {
            let mut commands: Vec<Command> = state
                .literals
                .iter()
                .map(|(proposition, holds)| {
                    let value = values[*proposition].clone();
                    let negated = || Expr::unary(UnaryOp::Not, value.clone());
                    Command::Assume { condition: if *holds { value.clone() } else { negated() } }
                })
                .collect();
            commands.push(Command::Assign { target: self.observer.state, value: constant(number) });
            let events = state.accepts.iter().map(|set| self.accepted[*set]);
            commands.extend(events.map(|event| call(event, Span::NOWHERE).command));
            blocks.push(block(commands, Terminator::Return(None)));
        }
        let nowhere = BlockId::at(blocks.len());
        blocks.push(dead_end());
        let mut cases = Vec::new();
        let starts = automaton.states.iter().map(|state| &state.next).chain([&automaton.initial]);
        for (number, next) in (0_i128..).zip(starts) {
            let target = match next.as_slice() {
                [] => nowhere,
                [only] => arrival(*only),
                [rest @ .., last] => {
                    let source = HavocSource::Input("$automaton".to_owned());
                    let cases = (0_i128..).zip(rest).map(|(at, to)| (at, at, arrival(*to)));
                    let cases = cases.collect();
                    let terminator =
                        Terminator::Switch { value: choice.into(), cases, default: arrival(*last) };
                    blocks.push(block(vec![Command::Havoc { target: choice, source }], terminator));
                    BlockId::at(blocks.len() - 1)
                }
            };
            cases.push((number, number, target));
        }
        // Before `main` nothing is observed.
        let before = i128::try_from(n_states + 1).unwrap_or(-1);
        cases.push((before, before, BlockId::at(blocks.len())));
        blocks.push(block(Vec::new(), Terminator::Return(None)));
        blocks[0].terminator =
            Terminator::Switch { value: self.observer.state.into(), cases, default: nowhere };
        self.observer.program.procedures[self.observer.observe.index()].blocks = blocks;
        Ok(())
    }

    /// Observes steps only. Returns the variable that tells whether the last one was made.
    fn weave_steps(&mut self, step: ProcedureId) -> Result<Variable, String> {
        let is_over = add_global(&mut self.observer.program, "$over", NUMBER);
        let propositions = self.violations.propositions().procedures(&self.observer.program)?;
        let remembered: Vec<Variable> = (0..propositions.len())
            .map(|number| {
                add_global(&mut self.observer.program, &format!("$value{number}"), NUMBER)
            })
            .collect();
        self.make_observer(Some(&remembered))?;
        let look = |(target, procedure): (&Variable, &ProcedureId)| {
            let (target, callee) = (Some(*target), Callee::Direct(*procedure));
            Command::Call { target, callee, arguments: Vec::new() }
        };
        let looks: Vec<Command> = remembered.iter().zip(&propositions).map(look).collect();
        let mut commands = vec![assume_equal(is_over, 0)];
        commands.extend(looks.iter().cloned());
        commands.push(call(self.observer.observe, Span::NOWHERE).command);
        self.observer.program.procedures[step.index()].blocks =
            vec![block(commands, Terminator::Return(None))];
        let repeat = self.make_repeat(is_over);
        let calls = CallGraph::of_program(&self.observer.program);
        for procedure in self.observer.observed() {
            call_at_heads(&mut self.observer.program, &calls, procedure, repeat);
        }
        for index in 0..self.observer.observe.index() {
            let mut end = vec![Command::Assign { target: is_over, value: constant(1) }];
            end.push(call(self.observer.observe, Span::NOWHERE).command);
            go_on_for_ever(&mut self.observer.program.procedures[index], end);
        }
        // A run without steps is observed where it starts.
        self.observer.begin_with(self.beginning(), looks);
        self.observer.start_with(is_over, 0);
        Ok(is_over)
    }

    /// A procedure that decides whether the last step was made, and repeats it if so.
    fn make_repeat(&mut self, is_over: Variable) -> ProcedureId {
        let repeat = add_procedure(&mut self.observer.program, "$repeat");
        let choice = add_local(&mut self.observer.program, repeat, "$choice", NUMBER);
        let branch = |value: Variable, then, otherwise| Terminator::Branch {
            condition: value.into(),
            then: BlockId(then),
            otherwise: BlockId(otherwise),
        };
        let source = HavocSource::Input("$automaton".to_owned());
        let set = Command::Assign { target: is_over, value: constant(1) };
        let observe = call(self.observer.observe, Span::NOWHERE).command;
        self.observer.program.procedures[repeat.index()].blocks = vec![
            block(Vec::new(), branch(is_over, 2, 1)),
            block(vec![Command::Havoc { target: choice, source }], branch(choice, 2, 3)),
            block(vec![set, observe], Terminator::Return(None)),
            block(Vec::new(), Terminator::Return(None)),
        ];
        repeat
    }
}

fn assume_equal(variable: Variable, value: usize) -> Command {
    let condition = Expr::binary(BinaryOp::Equal, variable.into(), constant(value));
    Command::Assume { condition }
}
