//! Symbolic execution along paths (King: *Symbolic execution and program testing*, CACM
//! 1976), of commands on integers in variables.
//!
//! A [`Walk`] is what a run has become that went one way: the values of variables are
//! linear expressions over symbols, and constraints say which runs go this way. A command
//! that is not understood ends the walk: only runs are looked for here.

use super::terms::{Cases, Wanted};
use concolic::shadow::{Symbol, choice_symbol, entry_symbol};
use ir::expr::{Expr, ScalarType};
use ir::{BlockId, Callee, Command, ProcedureId, Program, Terminator, Variable};
use logic::connected::connected_with;
use logic::simplex::is_surely_unsat;
use logic::{Constraint, Integer, LinearExpr, Relation, Var};
use std::collections::{BTreeMap, BTreeSet};

/// A place where a block begins.
pub(super) type Place = (ProcedureId, BlockId);

/// How large a walk may become.
const MAX_CONSTRAINTS: usize = 400;
/// How many calls may be active.
const MAX_CALLS: usize = 12;

/// A call that is active.
#[derive(Clone, Debug)]
struct Call {
    place: Place,
    command: usize,
    /// Where the caller puts the result.
    target: Option<Variable>,
}

/// What the symbols are besides choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// Nothing: the walk began where the program does.
    Start,
    /// The numbers of variables at the place where the walk began.
    Place,
}

/// A path and what is known of the runs that take it.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    origin: Origin,
    calls: Vec<Call>,
    values: BTreeMap<Variable, LinearExpr>,
    /// What the runs satisfy. Choices that equalities determine do not occur.
    pub(super) constraints: Vec<Constraint>,
    /// These choices, in the order in which they were determined.
    pub(super) solved: Vec<(Var, LinearExpr)>,
    /// The types of all choices.
    pub(super) choices: Vec<ScalarType>,
    /// The variables whose numbers at the start were read.
    pub(super) entered: BTreeSet<Variable>,
    pub(super) n_steps: u64,
    /// How often the walk came to places.
    pub(super) visits: BTreeMap<Place, u32>,
}

impl Walk {
    fn new(origin: Origin, place: Place) -> Self {
        Self {
            origin,
            calls: vec![Call { place, command: 0, target: None }],
            values: BTreeMap::new(),
            constraints: Vec::new(),
            solved: Vec::new(),
            choices: Vec::new(),
            entered: BTreeSet::new(),
            n_steps: 0,
            visits: BTreeMap::from([(place, 1)]),
        }
    }

    /// From where the program starts.
    pub(super) fn of_program(program: &Program) -> Self {
        Self::new(Origin::Start, (program.entry, BlockId(0)))
    }

    /// From a place, with any numbers.
    pub(super) fn from_place(place: Place) -> Self {
        Self::new(Origin::Place, place)
    }

    /// Where it is now: at the start of a block.
    pub(super) fn place(&self) -> Option<Place> {
        self.calls.last().map(|it| it.place)
    }

    /// How many calls are active.
    pub(super) fn depth(&self) -> usize {
        self.calls.len()
    }

    /// The value of a variable, if it has one.
    pub(super) fn value(&self, variable: Variable) -> Option<&LinearExpr> {
        self.values.get(&variable)
    }

    /// The variables that have values.
    pub(super) fn values(&self) -> impl Iterator<Item = (Variable, &LinearExpr)> {
        self.values.iter().map(|(variable, value)| (*variable, value))
    }

    /// Notes that these numbers at the start are read.
    pub(super) fn enter(&mut self, symbols: impl Iterator<Item = Var>) {
        for symbol in symbols {
            if let Symbol::Entry(index) = Symbol::of(symbol) {
                self.entered.insert(Variable::at(index));
            }
        }
    }

    /// The walks on to the starts of the next blocks.
    pub(super) fn successors(mut self, program: &Program) -> Vec<Self> {
        loop {
            let Some(call) = self.calls.last() else { return Vec::new() };
            let (place, position) = (call.place, call.command);
            let Some(block) = program.procedure(place.0).blocks.get(place.1.index()) else {
                return Vec::new();
            };
            self.n_steps += 1;
            let Some(instruction) = block.commands.get(position) else {
                if let Terminator::Return(value) = &block.terminator {
                    return self.give_back(program, value.as_ref()).unwrap_or_default();
                }
                let ways = self.leave(program, &block.terminator).unwrap_or_default();
                return ways.into_iter().filter_map(Self::arrived).collect();
            };
            if let Some(call) = self.calls.last_mut() {
                call.command += 1;
            }
            let is_call = matches!(instruction.command, Command::Call { .. });
            let Some(mut ways) = self.command(program, &instruction.command) else {
                return Vec::new();
            };
            match ways.len() {
                1 if !is_call => self = ways.remove(0),
                1 => return ways.into_iter().filter_map(Self::arrived).collect(),
                _ => return ways.into_iter().flat_map(|it| it.successors(program)).collect(),
            }
        }
    }

    fn arrived(mut self) -> Option<Self> {
        let place = self.place()?;
        *self.visits.entry(place).or_default() += 1;
        (self.constraints.len() <= MAX_CONSTRAINTS).then_some(self)
    }

    /// Gives values to the variables that are read without one.
    fn assign_missing(&mut self, program: &Program, expr: &Expr) {
        let mut missing = Vec::new();
        expr.variables().for_each(|variable| {
            if !self.values.contains_key(&variable) && !missing.contains(&variable) {
                missing.push(variable);
            }
        });
        for variable in missing {
            let value = self.first_value(program, variable);
            self.values.insert(variable, value);
        }
    }

    fn first_value(&mut self, program: &Program, variable: Variable) -> LinearExpr {
        let info = program.variable(variable);
        let outermost = self.calls.first().map(|it| it.place.0);
        if self.origin == Origin::Place && (info.owner.is_none() || info.owner == outermost) {
            self.entered.insert(variable);
            return LinearExpr::var(entry_symbol(variable.index()));
        }
        self.choose(info.ty)
    }

    fn choose(&mut self, ty: ScalarType) -> LinearExpr {
        self.choices.push(ty);
        LinearExpr::var(choice_symbol(self.choices.len() - 1))
    }

    fn command(mut self, program: &Program, command: &Command) -> Option<Vec<Self>> {
        command.expressions().for_each(|expr| self.assign_missing(program, expr));
        match command {
            Command::Assign { target, value } => {
                let value = self.linear(value)?;
                self.set(program, *target, value)?;
                self.is_possible().then(|| vec![self])
            }
            Command::Havoc { target, .. } => {
                let chosen = self.choose(program.variable(*target).ty);
                self.set(program, *target, chosen)?;
                Some(vec![self])
            }
            Command::Assume { condition } => {
                let cases = self.truth(condition, Wanted::True)?;
                Some(self.by_cases(cases))
            }
            Command::Call { target, callee: Callee::Direct(callee), arguments } => {
                self.call(program, (*target, *callee), arguments)
            }
            Command::Free { kind: ir::MemoryKind::Constant, .. } => Some(vec![self]),
            _ => None,
        }
    }

    /// No run is replayed with numbers of more than 128 bits, so no walk goes on with them: where
    /// each round squares a number, they would soon be too long to reckon with.
    fn set(&mut self, program: &Program, target: Variable, value: LinearExpr) -> Option<()> {
        matches!(program.variable(target).ty, ScalarType::Int(_)).then_some(())?;
        let fits = |it: &Integer| it.to_i128().is_some();
        let all_fit = value.terms().iter().all(|(_, factor)| fits(factor));
        (all_fit && fits(value.constant_part())).then_some(())?;
        self.values.insert(target, value);
        Some(())
    }

    fn call(
        mut self,
        program: &Program,
        (target, callee): (Option<Variable>, ProcedureId),
        arguments: &[Expr],
    ) -> Option<Vec<Self>> {
        let procedure = program.procedure(callee);
        let is_active = self.calls.iter().any(|it| it.place.0 == callee);
        if !procedure.is_defined()
            || is_active
            || self.calls.len() >= MAX_CALLS
            || procedure.parameters.len() != arguments.len()
        {
            return None;
        }
        let given: Option<Vec<LinearExpr>> = arguments.iter().map(|it| self.linear(it)).collect();
        self.values.retain(|it, _| program.variable(*it).owner != Some(callee));
        for (parameter, value) in procedure.parameters.iter().zip(given?) {
            self.set(program, *parameter, value)?;
        }
        self.calls.push(Call { place: (callee, BlockId(0)), command: 0, target });
        Some(vec![self])
    }

    /// Past the end of a block.
    fn leave(mut self, program: &Program, terminator: &Terminator) -> Option<Vec<Self>> {
        if let Some(expr) = terminator.expression() {
            self.assign_missing(program, expr);
        }
        match terminator {
            Terminator::Goto(next) => {
                self.go_to(*next);
                Some(vec![self])
            }
            Terminator::Branch { condition, then, otherwise } => {
                let mut ways = Vec::new();
                for (wanted, next) in [(Wanted::True, then), (Wanted::False, otherwise)] {
                    let mut way = self.clone();
                    let Some(cases) = way.truth(condition, wanted) else { continue };
                    way.go_to(*next);
                    ways.extend(way.by_cases(cases));
                }
                Some(ways)
            }
            Terminator::Switch { value, cases, default } => self.switch(value, cases, *default),
            Terminator::Return(_) | Terminator::Halt => None,
        }
    }

    fn go_to(&mut self, next: BlockId) {
        if let Some(call) = self.calls.last_mut() {
            (call.place.1, call.command) = (next, 0);
        }
    }

    fn switch(
        mut self,
        value: &Expr,
        cases: &[(i128, i128, BlockId)],
        default: BlockId,
    ) -> Option<Vec<Self>> {
        let value = self.linear(value)?;
        let mut ways = Vec::new();
        // The cases in order, with the gaps that earlier ones leave at either end.
        let (mut least, mut greatest) = (i128::MAX, i128::MIN);
        for (low, high, next) in cases {
            let mut way = self.clone();
            way.go_to(*next);
            let inside = if low == high {
                vec![Constraint::eq(value.clone(), Integer::from(*low))]
            } else {
                vec![
                    Constraint::ge(value.clone(), Integer::from(*low)),
                    Constraint::le(value.clone(), Integer::from(*high)),
                ]
            };
            ways.extend(way.by_cases(vec![inside]));
            (least, greatest) = (least.min(*low), greatest.max(*high));
        }
        self.go_to(default);
        let outside = if cases.is_empty() {
            vec![Vec::new()]
        } else {
            vec![
                vec![Constraint::gt(value.clone(), Integer::from(greatest))],
                vec![Constraint::lt(value.clone(), Integer::from(least))],
            ]
        };
        // What nothing else is known of may as well be above all cases.
        let is_choice = value.as_var().is_some();
        let outside = if is_choice { outside.into_iter().take(1).collect() } else { outside };
        ways.extend(self.by_cases(outside));
        Some(ways)
    }

    /// Back to the caller, on to the end of its block: a call is in the middle of one.
    fn give_back(mut self, program: &Program, value: Option<&Expr>) -> Option<Vec<Self>> {
        if let Some(value) = value {
            self.assign_missing(program, value);
        }
        let value = value.map(|it| self.linear(it));
        let call = self.calls.pop()?;
        if self.calls.is_empty() {
            return None;
        }
        match (call.target, value) {
            (Some(target), Some(value)) => self.set(program, target, value?)?,
            (Some(target), None) => {
                self.values.remove(&target);
            }
            (None, _) => {}
        }
        Some(self.successors(program))
    }

    /// The walk with the constraints of each case, where these can hold.
    fn by_cases(self, cases: Cases) -> Vec<Self> {
        let n_cases = cases.len();
        let mut ways = Vec::with_capacity(n_cases);
        for case in cases {
            let mut way = self.clone();
            case.into_iter().for_each(|it| way.constrain(it));
            if way.is_possible() {
                ways.push(way);
            }
        }
        ways
    }

    fn is_possible(&self) -> bool {
        !self.constraints.iter().any(Constraint::is_contradiction)
    }

    /// Adds a constraint, or determines a choice by it. Where nothing satisfies them all, a
    /// contradiction is among the constraints.
    pub(super) fn constrain(&mut self, constraint: Constraint) {
        let constraint = self.in_open_symbols(&constraint);
        if constraint.is_trivial() || !self.is_possible() {
            return;
        }
        if let Some((symbol, value)) = determined(&constraint) {
            self.solved.push((symbol, value.clone()));
            for known in self.values.values_mut().filter(|it| it.mentions(symbol)) {
                *known = known.substitute(symbol, &value);
            }
            let (touched, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.constraints)
                .into_iter()
                .partition(|it| it.mentions(symbol));
            self.constraints = rest;
            for known in touched {
                self.constrain(known.substitute(symbol, &value));
            }
            return;
        }
        let is_known = |it: &Constraint| {
            it.relation() == Relation::AtMost
                && constraint.relation() == Relation::AtMost
                && it.expr().terms() == constraint.expr().terms()
                && it.expr().constant_part() >= constraint.expr().constant_part()
        };
        if self.constraints.iter().any(|it| *it == constraint || is_known(it)) {
            return;
        }
        self.constraints.push(constraint);
        let exprs: Vec<&LinearExpr> = self.constraints.iter().map(Constraint::expr).collect();
        let last = self.constraints[self.constraints.len() - 1].clone();
        let near = connected_with(last.expr().variables(), &exprs);
        let near: Vec<Constraint> =
            near.into_iter().map(|it| self.constraints[it].clone()).collect();
        if is_surely_unsat(&near) {
            self.constraints = vec![Constraint::contradiction()];
        }
    }

    /// A constraint without the choices that are determined.
    pub(super) fn in_open_symbols(&self, constraint: &Constraint) -> Constraint {
        let mut constraint = constraint.clone();
        for (symbol, value) in &self.solved {
            if constraint.mentions(*symbol) {
                constraint = constraint.substitute(*symbol, value);
            }
        }
        constraint
    }
}

/// The choice that an equality determines, the last one of those that may be.
fn determined(constraint: &Constraint) -> Option<(Var, LinearExpr)> {
    if !constraint.is_equality() {
        return None;
    }
    let mut terms = constraint.expr().terms().iter().rev();
    let (symbol, factor) = terms.find(|(symbol, factor)| {
        matches!(Symbol::of(*symbol), Symbol::Choice(_)) && factor.abs().is_one()
    })?;
    let rest = constraint.expr().sub(&LinearExpr::term(*symbol, factor.clone()));
    let value = if factor.is_negative() { rest } else { rest.neg() };
    Some((*symbol, value))
}
