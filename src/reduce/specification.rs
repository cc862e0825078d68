//! SLIC specifications (POPL'07, §2): a monitor that runs along with the program.
//!
//! | specification | becomes |
//! |---|---|
//! | `state { … }` | global variables |
//! | `f.entry { … }`, `f.exit { … }` | functions that are called there |
//! | `any { … }` | a function that is called at each block, and behind each change |
//! | `fairness { P { e } Q { f } }` | events where e and f hold, and a compassion requirement |
//! | `error()` | an error |
//! | `set()`, `unset()` | Fig. 3: `$obligation`, 0 for NONE, 1 for PENDING, 2 for MATCHED |
//!
//! The requirement ⟨every step, PENDING⟩ is looked at where loops and recursive calls begin: an
//! obligation that is never met stays pending, so a run that violates it is seen pending there
//! again and again. A program violates a specification if a run of it reaches an error, or ends
//! with an obligation, or if a fair run does not end.

use super::instrument::{
    Instrumented, add_local, at_start, call, call_at_heads, ends_here, procedure_named, with_words,
};
use base::source::{Span, line_and_column};
use c::hooks::{Hook, Moment};
use c::{Appendix, Parsed};
use ir::cutpoint::CallGraph;
use ir::{
    BinaryOp, Block, BlockId, Callee, Command, Expr, Instruction, Procedure, ProcedureId, Program,
    Terminator, Variable,
};
use obligation::{Compassion, Fairness};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use wane_grammar::SyntaxError;
use wane_grammar::slic;
use wane_grammar::slic::tree::{self, Part, Pattern, Rule, Text};

/// The error of a run that ends with an obligation.
pub const OWED_AT_END: &str = "the end with an obligation";
/// The error of a call of `error()`.
pub const ERROR: &str = "error()";

/// The code that all specifications share.
const PRELUDE: &str = "# 1 \"specification\"
int $nondet(void);
int $obligation;
void $owed(void) {}
void $error(void) {}
void $set(void) { if ($obligation == 0 && $nondet()) $obligation = 1; }
void $unset(void) { if ($obligation == 1) $obligation = 2; }
void $look(void) { if ($obligation == 1) $owed(); }
";

/// A specification, read.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// The file's name.
    file: String,
    text: String,
    states: Vec<Text>,
    /// What is called where, in order.
    rules: Vec<Called>,
    /// How many fairness constraints there are.
    n_constraints: usize,
    obligations: Obligations,
}

/// Whether a specification calls `set()` anywhere, also where it watches a function that the
/// program lacks: then a run that goes on for ever violates it only if it owes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obligations {
    None,
    Some,
}

impl Obligations {
    fn of(text: &str) -> Self {
        let found = Cell::new(Self::None);
        let _ = with_words(text, &|word, after| {
            if word == "set" && after.trim_start().starts_with('(') {
                found.set(Self::Some);
            }
            None
        });
        found.get()
    }
}

/// What happens at a pattern.
#[derive(Clone, Debug)]
struct Called {
    rule: Rule,
    /// The event that happens if the expression holds; statements have none.
    event: Option<String>,
}

impl Monitor {
    /// Reads the text of a specification file.
    ///
    /// # Errors
    /// The first place where the text is none.
    pub fn read(file: &str, text: &str) -> Result<Self, SyntaxError> {
        let specification = slic::parse(text)?;
        let (mut states, mut rules, mut n_constraints) = (Vec::new(), Vec::new(), 0);
        for part in specification.parts {
            match part {
                Part::State(declarations) => states.push(declarations),
                Part::Transfer(rule) => rules.push(Called { rule, event: None }),
                Part::Fairness(inner) => {
                    let (p, q) = slic::parse_constraint(&inner)?;
                    rules.push(Called { rule: p, event: Some(p_event(n_constraints)) });
                    rules.push(Called { rule: q, event: Some(q_event(n_constraints)) });
                    n_constraints += 1;
                }
            }
        }
        let obligations = Obligations::of(text);
        let (file, text) = (file.to_owned(), text.to_owned());
        Ok(Self { file, text, states, rules, n_constraints, obligations })
    }

    /// The functions that the specification names and the program does not, each where it is named
    /// first: line and column.
    #[must_use]
    pub fn unknown_functions(&self, parsed: &Parsed) -> BTreeMap<&str, (usize, usize)> {
        let mut unknown = BTreeMap::new();
        for called in &self.rules {
            if let Pattern::Function { function, start, .. } = &called.rule.pattern
                && !parsed.mentions(function)
            {
                let place = line_and_column(&self.text, *start);
                unknown.entry(function.as_str()).or_insert(place);
            }
        }
        unknown
    }

    /// A function that the specification watches and the program calls by a name of the compiler,
    /// without a declaration that tells its parameters.
    #[must_use]
    pub fn undeclared_builtin(&self, parsed: &Parsed) -> Option<&str> {
        let mut unknown = self.unknown_functions(parsed).into_keys();
        unknown.find(|name| parsed.mentions(&format!("__builtin_{name}")))
    }

    /// The specification as C text, with hooks.
    #[must_use]
    pub fn appendix(&self, parsed: &Parsed) -> Appendix {
        let mut text = PRELUDE.to_owned();
        for constraint in 0..self.n_constraints {
            for event in [p_event(constraint), q_event(constraint)] {
                text.push_str(&format!("void {event}(void) {{}}\n"));
            }
        }
        for state in &self.states {
            text.push_str(&self.placed(state));
            text.push('\n');
        }
        let mut hooks = Vec::new();
        for (number, Called { rule, event }) in self.rules.iter().enumerate() {
            let procedure = rule_name(number);
            if let Pattern::Function { function, .. } = &rule.pattern
                && !parsed.mentions(function)
            {
                text.push_str(&format!("void {procedure}(void) {{}}\n"));
                continue;
            }
            let body = self.placed(&rule.body);
            text.push_str(&match event {
                Some(event) => format!("void {procedure}() {{ if (\n{body}\n) {event}(); }}\n"),
                None => format!("void {procedure}() {{\n{body}\n}}\n"),
            });
            if let Pattern::Function { function, moment, .. } = &rule.pattern {
                let moment = match moment {
                    tree::Moment::Entry => Moment::Entry,
                    tree::Moment::Exit => Moment::Exit,
                };
                hooks.push(Hook { function: function.clone(), moment, procedure });
            }
        }
        let roots = self.roots();
        Appendix { text, roots, hooks }
    }

    /// The functions of the appendix that are there in any case.
    fn roots(&self) -> Vec<String> {
        let fixed = ["$owed", "$error", "$look"].map(str::to_owned);
        let events = (0..self.n_constraints).flat_map(|it| [p_event(it), q_event(it)]);
        let rules = (0..self.rules.len()).map(rule_name);
        fixed.into_iter().chain(events).chain(rules).collect()
    }

    /// C text of the specification, where it stands there, and with its words for the monitor.
    fn placed(&self, part: &Text) -> String {
        let (line, column) = line_and_column(&self.text, part.start);
        let text = with_words(&part.text, &|word, after| {
            let is_own = matches!(word, "set" | "unset" | "error" | "nondet");
            (is_own && after.trim_start().starts_with('(')).then(|| format!("${word}"))
        });
        let file = self.file.replace('\\', "\\\\").replace('"', "\\\"");
        format!("# {line} \"{file}\"\n{}{text}", " ".repeat(column - 1))
    }

    /// The program with its monitor.
    ///
    /// # Errors
    /// Why there is none.
    pub fn watched(&self, program: Program) -> Result<Instrumented, String> {
        Watch::of(self, program)?.instrumented()
    }
}

fn p_event(constraint: usize) -> String {
    format!("$p{constraint}")
}

fn q_event(constraint: usize) -> String {
    format!("$q{constraint}")
}

fn rule_name(number: usize) -> String {
    format!("$rule{number}")
}

/// A program that gets a monitor.
struct Watch<'a> {
    monitor: &'a Monitor,
    program: Program,
    /// The procedures of the monitor, which are not watched.
    own: BTreeSet<ProcedureId>,
    /// Those of its rules, in order, and how many parameters each takes.
    rules: Vec<(ProcedureId, usize)>,
}

/// The rules that watch a procedure.
#[derive(Default)]
struct Watching {
    everywhere: Vec<ProcedureId>,
    /// With how many parameters each takes.
    entry: Vec<(ProcedureId, usize)>,
    exit: Vec<(ProcedureId, usize)>,
}

impl<'a> Watch<'a> {
    fn of(monitor: &'a Monitor, program: Program) -> Result<Self, String> {
        let named = |name: &String| procedure_named(&program, name);
        let roots = monitor.roots();
        let own: Option<BTreeSet<ProcedureId>> = roots.iter().map(named).collect();
        let mut own = own.ok_or("a specification that was not read")?;
        let more = ["$set", "$unset"].iter().filter_map(|name| procedure_named(&program, name));
        own.extend(more);
        let rule = |number: usize| {
            let id = procedure_named(&program, &rule_name(number))?;
            Some((id, program.procedure(id).parameters.len()))
        };
        let rules = (0..monitor.rules.len()).filter_map(rule).collect();
        Ok(Self { monitor, program, own, rules })
    }

    fn named(&self, name: &str) -> Result<ProcedureId, String> {
        procedure_named(&self.program, name).ok_or_else(|| format!("there is no `{name}`"))
    }

    fn instrumented(mut self) -> Result<Instrumented, String> {
        self.end_at_errors()?;
        for index in 0..self.program.procedures.len() {
            let procedure = ProcedureId::at(index);
            if !self.own.contains(&procedure) {
                self.watch(procedure)?;
            }
        }
        self.look_at_obligations()?;
        let requirements = self.requirements()?;
        let control = self.control();
        Ok(Instrumented { program: self.program, fairness: Fairness { requirements, control } })
    }

    /// The errors are those of the specification: where the program itself fails, it ends. It
    /// is an error to end with an obligation.
    fn end_at_errors(&mut self) -> Result<(), String> {
        let main = procedure_named(&self.program, "main");
        let last = main.map_or(Span::NOWHERE, |main| self.program.procedure(main).span);
        let obligation = self.control().first().copied();
        for (index, procedure) in self.program.procedures.iter_mut().enumerate() {
            if self.own.contains(&ProcedureId::at(index)) {
                continue;
            }
            let halts: Vec<usize> = (0..procedure.blocks.len())
                .filter(|block| ends_here(&mut procedure.blocks[*block]))
                .collect();
            for (block, obligation) in halts.into_iter().zip(obligation.iter().cycle()) {
                end_without(procedure, block, *obligation, last);
            }
        }
        self.place_errors()
    }

    /// Puts errors where the specification calls them.
    fn place_errors(&mut self) -> Result<(), String> {
        let callee = Callee::Direct(self.named("$error")?);
        let blocks = self.program.procedures.iter_mut().flat_map(|it| &mut it.blocks);
        for instruction in blocks.flat_map(|block| &mut block.commands) {
            let is_call = matches!(&instruction.command,
                Command::Call { callee: called, .. } if *called == callee);
            if is_call {
                instruction.command = Command::Error { what: ERROR.to_owned() };
            }
        }
        Ok(())
    }

    /// Calls the rules of a procedure where it begins and returns, and those for everywhere.
    fn watch(&mut self, procedure: ProcedureId) -> Result<(), String> {
        let name = self.program.procedure(procedure).shown_name().to_owned();
        let is_defined = self.program.procedure(procedure).is_defined();
        let is_start = procedure == self.program.entry;
        // The library's functions are watched where they are called.
        if !is_defined || is_start || self.program.procedure(procedure).is_of_library() {
            return Ok(());
        }
        let Watching { everywhere, entry, exit } = self.watching(&name);
        let hidden = self.has_hidden_result(procedure);
        let parameters: Vec<Variable> =
            self.program.procedure(procedure).parameters.iter().skip(hidden).copied().collect();
        let n_own = parameters.len();
        let most_at_exit = n_own + 1 - hidden;
        if entry.iter().any(|(_, n_taken)| *n_taken > n_own)
            || exit.iter().any(|(_, n_taken)| *n_taken > most_at_exit)
        {
            return Err(format!(
                "a specification that watches `{name}`, which takes or returns structures"
            ));
        }
        // A rule at the end speaks of what was passed, whatever became of the parameters.
        let is_asked = exit.iter().any(|(_, n_taken)| *n_taken > 0);
        let given: Vec<Variable> =
            if is_asked { self.copies(procedure, &parameters) } else { Vec::new() };
        let body = &mut self.program.procedures[procedure.index()];
        watch_everywhere(body, &everywhere);
        for block in &mut body.blocks {
            if let Terminator::Return(value) = &block.terminator {
                for (rule, n_taken) in &exit {
                    let value = value.iter().filter(|_| *n_taken > n_own).cloned();
                    let passed = arguments(&given, *n_taken).into_iter().chain(value).collect();
                    block.commands.push(called_with(*rule, passed, block.span));
                }
            }
        }
        let span = body.span;
        let copies = given.iter().zip(&parameters).map(|(target, parameter)| Instruction {
            command: Command::Assign { target: *target, value: (*parameter).into() },
            span,
        });
        let calls = entry
            .iter()
            .map(|(rule, n_taken)| called_with(*rule, arguments(&parameters, *n_taken), span));
        let first: Vec<Instruction> = copies.chain(calls).collect();
        at_start(body, first);
        Ok(())
    }

    /// The rules that watch procedures of this name.
    fn watching(&self, name: &str) -> Watching {
        let mut found = Watching::default();
        for (called, rule) in self.monitor.rules.iter().zip(&self.rules) {
            match &called.rule.pattern {
                Pattern::Any => found.everywhere.push(rule.0),
                Pattern::Function { function, moment, .. } if function == name => match moment {
                    tree::Moment::Entry => found.entry.push(*rule),
                    tree::Moment::Exit => found.exit.push(*rule),
                },
                Pattern::Function { .. } => {}
            }
        }
        found
    }

    /// Whether the first parameter is where a structure that is returned is put: 1 if so.
    fn has_hidden_result(&self, procedure: ProcedureId) -> usize {
        let first = self.program.procedure(procedure).parameters.first();
        usize::from(first.is_some_and(|it| self.program.variable(*it).name == "$result"))
    }

    /// Variables of a procedure that keep what its parameters are at first.
    fn copies(&mut self, procedure: ProcedureId, parameters: &[Variable]) -> Vec<Variable> {
        let copy = |(number, parameter): (usize, &Variable)| {
            let ty = self.program.variable(*parameter).ty;
            add_local(&mut self.program, procedure, &format!("$given{number}"), ty)
        };
        let copies: Vec<Variable> = parameters.iter().enumerate().map(copy).collect();
        self.program.procedures[procedure.index()].lasting.extend(&copies);
        copies
    }

    /// Looks whether an obligation is pending, where loops and recursive calls begin.
    fn look_at_obligations(&mut self) -> Result<(), String> {
        if self.monitor.obligations == Obligations::None {
            return Ok(());
        }
        let look = self.named("$look")?;
        let calls = CallGraph::of_program(&self.program);
        for procedure in (0..self.program.procedures.len()).map(ProcedureId::at) {
            if !self.own.contains(&procedure) {
                call_at_heads(&mut self.program, &calls, procedure, look);
            }
        }
        Ok(())
    }

    fn requirements(&self) -> Result<Vec<Compassion>, String> {
        let mut requirements = Vec::new();
        for constraint in 0..self.monitor.n_constraints {
            requirements.push(Compassion {
                whenever: Some(self.named(&p_event(constraint))?),
                then: self.named(&q_event(constraint))?,
            });
        }
        if self.monitor.obligations == Obligations::Some {
            requirements.push(Compassion { whenever: None, then: self.named("$owed")? });
        }
        Ok(requirements)
    }

    /// The variable of obligations.
    fn control(&self) -> Vec<Variable> {
        let variables = self.program.variables.iter();
        let is_own = |name: &str| name == "$obligation";
        let found = variables.enumerate().filter(|(_, it)| it.owner.is_none() && is_own(&it.name));
        found.map(|(index, _)| Variable::at(index)).collect()
    }
}

/// Makes it an error if the program ends in a block, and an obligation is pending. What stands
/// nowhere is said to be at `last`.
fn end_without(procedure: &mut Procedure, at: usize, obligation: Variable, last: Span) {
    let n_blocks = procedure.blocks.len();
    let (error, end) = (BlockId::at(n_blocks), BlockId::at(n_blocks + 1));
    let own = procedure.blocks[at].span;
    let span = if own.is_somewhere() { own } else { last };
    let condition = Expr::binary(BinaryOp::Equal, obligation.into(), Expr::Constant(1));
    procedure.blocks[at].terminator = Terminator::Branch { condition, then: error, otherwise: end };
    let what = OWED_AT_END.to_owned();
    let commands = vec![Instruction { command: Command::Error { what }, span }];
    procedure.blocks.push(Block { commands, terminator: Terminator::Halt, span });
    procedure.blocks.push(Block { commands: Vec::new(), terminator: Terminator::Halt, span });
}

/// The first parameters as arguments for a rule that takes so many.
fn arguments(parameters: &[Variable], n_taken: usize) -> Vec<Expr> {
    parameters.iter().take(n_taken).map(|parameter| (*parameter).into()).collect()
}

fn called_with(procedure: ProcedureId, arguments: Vec<Expr>, span: Span) -> Instruction {
    let callee = Callee::Direct(procedure);
    Instruction { command: Command::Call { target: None, callee, arguments }, span }
}

/// Calls rules at the start of each block, and behind commands that may change what they see.
fn watch_everywhere(body: &mut Procedure, rules: &[ProcedureId]) {
    if rules.is_empty() {
        return;
    }
    for block in &mut body.blocks {
        let calls = |span| rules.iter().map(move |rule| call(*rule, span));
        let commands = std::mem::take(&mut block.commands);
        let first = commands.first().map_or(block.span, |first| first.span);
        block.commands.extend(calls(first));
        for instruction in commands {
            let span = instruction.span;
            let is_silent = matches!(instruction.command, Command::Assume { .. });
            block.commands.push(instruction);
            if !is_silent {
                block.commands.extend(calls(span));
            }
        }
    }
}
