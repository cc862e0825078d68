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

use super::weave::{
    Woven, add_global, add_local, add_procedure, at_start, block, call, call_at_heads, dead_end,
    go_on_for_ever, procedure_named,
};
use crate::base::source::{Span, line_and_column};
use crate::ir::cutpoint::{CallGraph, CutSet};
use crate::ir::{
    BinaryOp, BlockId, Callee, Command, Expr, HavocSource, Instruction, IntKind, ProcedureId,
    Program, ScalarType, Terminator, UnaryOp, Variable,
};
use crate::obligation::{Compassion, Fairness};
use crate::temporal::buchi::{Automaton, automaton};
use crate::temporal::formula::{FormulaId, Polarity, Proposition, Table};
use std::collections::BTreeSet;
use wane_grammar::ltl;

/// The automaton of a formula's negation has at most so many states.
const MOST_STATES: usize = 200;
/// The type of the automaton's own variables.
const NUMBER: ScalarType = ScalarType::Int(IntKind { bits: 32, signed: true });
/// What the name of a procedure for a proposition begins with.
const PROPOSITION: &str = "$proposition";
/// The procedure that `__VERIFIER_ltl_step` calls.
const STEP: &str = "$step";

/// A formula, read so that its violations can be told.
#[derive(Clone, Debug)]
pub struct Violations {
    table: Table,
    negation: FormulaId,
    text: String,
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// What is wrong.
    pub message: String,
    /// The first byte that is.
    pub start: usize,
    /// How many bytes are.
    pub length: usize,
}

/// Reads a formula.
///
/// # Errors
/// Where the text is none.
pub fn violations(text: &str) -> Result<Violations, FormulaError> {
    let tree = ltl::parse(text).map_err(|error| FormulaError {
        message: error.message,
        start: error.start,
        length: error.end.saturating_sub(error.start).max(1),
    })?;
    let mut table = Table::default();
    let negation = table.normal_form(&tree, text, Polarity::Negative);
    for Proposition { text: expression, start } in &table.propositions {
        let message = if expression.contains("::") {
            "a variable of a function: formulas speak of variables outside of functions"
        } else if !is_one_expression(expression) {
            "this is not one C expression"
        } else {
            continue;
        };
        let (message, start) = (message.to_owned(), *start);
        return Err(FormulaError { message, start, length: expression.len() });
    }
    Ok(Violations { table, negation, text: text.to_owned() })
}

impl Violations {
    /// C text with a function for each proposition, in a file called `formula`.
    #[must_use]
    pub fn appendix(&self) -> String {
        let mut text = format!("# 1 \"formula\"\nvoid {STEP}(void) {{}}\n");
        for (number, Proposition { text: expression, start }) in
            self.table.propositions.iter().enumerate()
        {
            let (line, column) = line_and_column(&self.text, *start);
            text.push_str(&format!("_Bool {PROPOSITION}{number}(void) {{ return (\n"));
            text.push_str(&format!("# {line} \"formula\"\n{}{expression}", " ".repeat(column - 1)));
            text.push_str(") != 0; }\n");
        }
        text
    }

    /// The functions of the [appendix](Self::appendix).
    #[must_use]
    pub fn roots(&self) -> Vec<String> {
        let functions =
            (0..self.table.propositions.len()).map(|number| format!("{PROPOSITION}{number}"));
        functions.chain([STEP.to_owned()]).collect()
    }

    /// The product of a program, which has the functions of the appendix, with the automaton.
    /// `main` is the name of the function where observation begins.
    ///
    /// # Errors
    /// Why there is none.
    pub fn product(&self, program: Program, main: &str) -> Result<Woven, String> {
        Product::of(self, program, main)?.woven()
    }
}

/// How far an observer is with a run.
struct Product<'a> {
    violations: &'a Violations,
    automaton: Automaton,
    program: Program,
    main: ProcedureId,
    /// Where the automaton is.
    state: Variable,
    /// Moves the automaton.
    observe: ProcedureId,
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
    fn of(violations: &'a Violations, mut program: Program, main: &str) -> Result<Self, String> {
        let main = procedure_named(&program, main)
            .filter(|main| program.procedure(*main).is_defined())
            .ok_or_else(|| format!("a formula about a program without `{main}`"))?;
        let manner = match procedure_named(&program, STEP) {
            Some(step) if calls(&program, step) => Manner::Stepwise(step),
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
        let state = add_global(&mut program, "$state", NUMBER);
        let observe = add_procedure(&mut program, "$observe");
        let sets = 0..automaton.n_sets;
        let accepted =
            sets.map(|set| add_procedure(&mut program, &format!("$accepted{set}"))).collect();
        Ok(Self { violations, automaton, program, main, state, observe, accepted, manner })
    }

    fn woven(mut self) -> Result<Woven, String> {
        let relevant = self.relevant()?;
        let n_own = self.observe.index();
        let mut control = vec![self.state];
        match self.manner {
            Manner::Throughout => {
                self.make_observer(None);
                let calls = CallGraph::of_program(&self.program);
                for index in 0..n_own {
                    let procedure = ProcedureId::at(index);
                    if self.is_observed(procedure) {
                        self.observe_in(procedure, &calls, &relevant);
                    }
                    let end = vec![call(self.observe, Span::NOWHERE).command];
                    go_on_for_ever(&mut self.program.procedures[index], end);
                }
                let first = vec![call(self.observe, Span::NOWHERE).command];
                self.begin_with(first);
            }
            Manner::Stepwise(step) => control.push(self.weave_steps(step)),
        }
        self.begin();
        let requirement = |event: &ProcedureId| Compassion { whenever: None, then: *event };
        let requirements = self.accepted.iter().map(requirement).collect();
        Ok(Woven { program: self.program, fairness: Fairness { requirements, control } })
    }

    /// Whether a procedure is watched: what is before `main` is not.
    fn is_observed(&self, procedure: ProcedureId) -> bool {
        let is_before = procedure == self.program.entry && procedure != self.main;
        !is_before && !self.is_own(procedure)
    }

    /// Whether a procedure is one of the appendix.
    fn is_own(&self, procedure: ProcedureId) -> bool {
        let name = &self.program.procedure(procedure).name;
        name.starts_with(PROPOSITION) || name == STEP
    }

    /// The procedures of the propositions, by number.
    fn propositions(&self) -> Result<Vec<ProcedureId>, String> {
        let named = |number| procedure_named(&self.program, &format!("{PROPOSITION}{number}"));
        let all = (0..self.violations.table.propositions.len()).map(named);
        all.collect::<Option<_>>().ok_or_else(|| "a formula that was not read".to_owned())
    }

    /// What the propositions depend on.
    fn relevant(&self) -> Result<Relevant, String> {
        let calls = CallGraph::of_program(&self.program);
        let mut open = self.propositions()?;
        let mut reached: BTreeSet<ProcedureId> = open.iter().copied().collect();
        let mut relevant = Relevant::default();
        let own = open.clone();
        while let Some(procedure) = open.pop() {
            let body = self.program.procedure(procedure);
            let repeats =
                calls.may_recurse(procedure) || CutSet::of_procedure(body).iter().next().is_some();
            if repeats && !own.contains(&procedure) {
                return Err(format!(
                    "a formula that calls `{}`, which repeats something",
                    body.name
                ));
            }
            open.extend(calls.callees(procedure).filter(|callee| reached.insert(*callee)));
            for block in &self.program.procedure(procedure).blocks {
                let mut read = |expr: &Expr| {
                    expr.for_each_variable(&mut |variable| {
                        if self.program.variable(variable).owner.is_none() {
                            relevant.globals.insert(variable);
                        }
                    });
                };
                block.terminator.expression().into_iter().for_each(&mut read);
                for instruction in &block.commands {
                    instruction.command.for_each_expression(&mut read);
                    if !self.is_harmless(&instruction.command) {
                        let name = &self.program.procedure(procedure).name;
                        let what = self.described(name);
                        return Err(format!(
                            "a formula with {what}, which is more than a look at numbers"
                        ));
                    }
                    relevant.memory |= !matches!(
                        instruction.command,
                        Command::Assign { .. } | Command::Assume { .. } | Command::Call { .. }
                    );
                }
            }
        }
        Ok(relevant)
    }

    /// Whether a command of a proposition leaves the program as it is, and is the same however
    /// often it is done.
    fn is_harmless(&self, command: &Command) -> bool {
        let is_local = |target: &Variable| self.program.variable(*target).owner.is_some();
        match command {
            Command::Assign { target, .. } | Command::Load { target, .. } => is_local(target),
            Command::Call { target, callee, .. } => {
                target.as_ref().is_none_or(is_local) && matches!(callee, Callee::Direct(_))
            }
            Command::Assume { .. } => true,
            Command::Havoc { .. }
            | Command::Store { .. }
            | Command::Allocate { .. }
            | Command::Measure { .. }
            | Command::Free { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => false,
        }
    }

    /// The proposition whose procedure has this name.
    fn described(&self, name: &str) -> String {
        let number = name.strip_prefix(PROPOSITION).and_then(|it| it.parse::<usize>().ok());
        let text = number.and_then(|number| self.violations.table.propositions.get(number));
        text.map_or_else(
            || format!("a call of `{name}`"),
            |proposition| format!("`{}`", proposition.text),
        )
    }

    /// Calls `$observe` behind what may change the observed, and at the heads of loops.
    fn observe_in(&mut self, procedure: ProcedureId, calls: &CallGraph, relevant: &Relevant) {
        let body = &mut self.program.procedures[procedure.index()];
        for block in &mut body.blocks {
            let commands = std::mem::take(&mut block.commands);
            for instruction in commands {
                let (changes, span) = (relevant.may_change(&instruction), instruction.span);
                block.commands.push(instruction);
                if changes {
                    block.commands.push(call(self.observe, span));
                }
            }
        }
        call_at_heads(&mut self.program, calls, procedure, self.observe);
    }

    /// The body of `$observe`. Propositions are looked at where they are asked for, or were
    /// remembered in these variables.
    fn make_observer(&mut self, remembered: Option<&[Variable]>) {
        let automaton = self.automaton.clone();
        let propositions = self.propositions().unwrap_or_default();
        let choice = add_local(&mut self.program, self.observe, "$choice", NUMBER);
        let (first, values) = self.values(&propositions, remembered);
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
            commands.push(Command::Assign { target: self.state, value: constant(number) });
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
            Terminator::Switch { value: self.state.into(), cases, default: nowhere };
        self.program.procedures[self.observe.index()].blocks = blocks;
    }

    /// How the propositions are evaluated: commands before, and expressions.
    fn values(
        &mut self,
        propositions: &[ProcedureId],
        remembered: Option<&[Variable]>,
    ) -> (Vec<Command>, Vec<Expr>) {
        if let Some(variables) = remembered {
            return (Vec::new(), variables.iter().map(|it| (*it).into()).collect());
        }
        let mut commands = Vec::new();
        let mut values = Vec::new();
        for procedure in propositions {
            if let Some(value) = self.plain_value(*procedure) {
                values.push(value);
                continue;
            }
            let target = add_local(&mut self.program, self.observe, "$value", NUMBER);
            let callee = Callee::Direct(*procedure);
            commands.push(Command::Call { target: Some(target), callee, arguments: Vec::new() });
            values.push(target.into());
        }
        (commands, values)
    }

    /// The value of a proposition that is an expression over global variables.
    fn plain_value(&self, procedure: ProcedureId) -> Option<Expr> {
        match self.program.procedure(procedure).blocks.as_slice() {
            [only] if only.commands.is_empty() => match &only.terminator {
                Terminator::Return(value) => value.clone(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Observes steps only. Returns the variable that tells whether the last one was made.
    fn weave_steps(&mut self, step: ProcedureId) -> Variable {
        let is_over = add_global(&mut self.program, "$over", NUMBER);
        let propositions = self.propositions().unwrap_or_default();
        let remembered: Vec<Variable> = (0..propositions.len())
            .map(|number| add_global(&mut self.program, &format!("$value{number}"), NUMBER))
            .collect();
        self.make_observer(Some(&remembered));
        let look = |(target, procedure): (&Variable, &ProcedureId)| {
            let (target, callee) = (Some(*target), Callee::Direct(*procedure));
            Command::Call { target, callee, arguments: Vec::new() }
        };
        let looks: Vec<Command> = remembered.iter().zip(&propositions).map(look).collect();
        let mut commands = vec![assume_equal(is_over, 0)];
        commands.extend(looks.iter().cloned());
        commands.push(call(self.observe, Span::NOWHERE).command);
        self.program.procedures[step.index()].blocks =
            vec![block(commands, Terminator::Return(None))];
        let repeat = self.make_repeat(is_over);
        let calls = CallGraph::of_program(&self.program);
        for index in 0..self.observe.index() {
            let procedure = ProcedureId::at(index);
            if self.is_observed(procedure) {
                call_at_heads(&mut self.program, &calls, procedure, repeat);
            }
            let mut end = vec![Command::Assign { target: is_over, value: constant(1) }];
            end.push(call(self.observe, Span::NOWHERE).command);
            go_on_for_ever(&mut self.program.procedures[index], end);
        }
        // A run without steps is observed where it starts.
        self.begin_with(looks);
        self.start_with(is_over, 0);
        is_over
    }

    /// A procedure that decides whether the last step was made, and repeats it if so.
    fn make_repeat(&mut self, is_over: Variable) -> ProcedureId {
        let repeat = add_procedure(&mut self.program, "$repeat");
        let choice = add_local(&mut self.program, repeat, "$choice", NUMBER);
        let branch = |value: Variable, then, otherwise| Terminator::Branch {
            condition: value.into(),
            then: BlockId(then),
            otherwise: BlockId(otherwise),
        };
        let source = HavocSource::Input("$automaton".to_owned());
        let set = Command::Assign { target: is_over, value: constant(1) };
        let observe = call(self.observe, Span::NOWHERE).command;
        self.program.procedures[repeat.index()].blocks = vec![
            block(Vec::new(), branch(is_over, 2, 1)),
            block(vec![Command::Havoc { target: choice, source }], branch(choice, 2, 3)),
            block(vec![set, observe], Terminator::Return(None)),
            block(Vec::new(), Terminator::Return(None)),
        ];
        repeat
    }

    /// What is done once, where `main` is called first. Nothing is observed before.
    fn begin_with(&mut self, first: Vec<Command>) {
        let n_states = self.automaton.states.len();
        let begin = add_procedure(&mut self.program, "$begin");
        let is_before = Expr::binary(BinaryOp::Equal, self.state.into(), constant(n_states + 1));
        let (then, otherwise) = (BlockId(1), BlockId(2));
        let mut commands = vec![Command::Assign { target: self.state, value: constant(n_states) }];
        commands.extend(first);
        self.program.procedures[begin.index()].blocks = vec![
            block(Vec::new(), Terminator::Branch { condition: is_before, then, otherwise }),
            block(commands, Terminator::Return(None)),
            block(Vec::new(), Terminator::Return(None)),
        ];
        let main = &mut self.program.procedures[self.main.index()];
        at_start(main, vec![call(begin, main.span)]);
    }

    /// The automaton starts in none of its states, and before it has begun.
    fn begin(&mut self) {
        self.start_with(self.state, self.automaton.states.len() + 1);
    }

    fn start_with(&mut self, target: Variable, value: usize) {
        let entry = self.program.entry;
        let command = Command::Assign { target, value: constant(value) };
        let start = &mut self.program.procedures[entry.index()];
        at_start(start, vec![Instruction { command, span: Span::NOWHERE }]);
    }
}

/// What the propositions of a formula depend on.
#[derive(Default)]
struct Relevant {
    globals: BTreeSet<Variable>,
    memory: bool,
}

impl Relevant {
    /// Whether a command may change a proposition.
    fn may_change(&self, instruction: &Instruction) -> bool {
        let command = &instruction.command;
        let writes_memory = matches!(
            command,
            Command::Store { .. }
                | Command::Fill { .. }
                | Command::Copy { .. }
                | Command::Free { .. }
                | Command::Allocate { .. }
        );
        command.target().is_some_and(|target| self.globals.contains(&target))
            || self.memory && writes_memory
    }
}

/// Whether the parentheses of a text are its own, and it ends no statement.
fn is_one_expression(text: &str) -> bool {
    let mut depth = 0_usize;
    text.chars().all(|letter| {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            ';' | '{' | '}' | '#' | '\n' => return false,
            _ => {}
        }
        true
    }) && depth == 0
        && !text.contains("//")
        && !text.contains("/*")
}

fn constant(number: usize) -> Expr {
    Expr::Constant(i128::try_from(number).unwrap_or(i128::MAX))
}

fn assume_equal(variable: Variable, value: usize) -> Command {
    let condition = Expr::binary(BinaryOp::Equal, variable.into(), constant(value));
    Command::Assume { condition }
}

/// Whether a procedure is called anywhere.
fn calls(program: &Program, procedure: ProcedureId) -> bool {
    let blocks = program.procedures.iter().flat_map(|it| &it.blocks);
    blocks.flat_map(|block| &block.commands).any(|instruction| {
        matches!(instruction.command,
            Command::Call { callee: Callee::Direct(callee), .. } if callee == procedure)
    })
}
