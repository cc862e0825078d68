//! The program of a game.

mod duties;
pub(super) mod scout;

use super::strategy::{Choice, Choices, Strategy, Victory};
use super::{Branching, States};
use crate::instrument::{Instrumented, add_local, add_procedure, block, call, dead_end};
use crate::observer::{Moments, Observer};
use crate::propositions::{NUMBER, Relevant, constant};
use base::source::Span;
use ir::{
    BinaryOp, Block, BlockId, Callee, Command, Expr, HavocSource, ProcedureId, Program, Terminator,
    UnaryOp, Variable, slice,
};
use obligation::{Compassion, Fairness};
use std::collections::{BTreeMap, BTreeSet};
use temporal::formula::{Formula, FormulaId, Paths};

/// How far the program of a game is.
pub(super) struct Game<'a> {
    branching: &'a Branching,
    root: FormulaId,
    strategy: &'a Strategy,
    observer: Observer,
    states: States<'a>,
    /// The event that something is waited for that has to come.
    pending: ProcedureId,
    /// The formulas that wait, by the number of their state.
    waiting: Vec<FormulaId>,
    /// Whether a run may break off.
    breaks: Breaks,
    values: Vec<Expr>,
    choice: Variable,
    blocks: Vec<Block>,
    /// Where the evaluation of a formula begins, while another one waits.
    entered: BTreeMap<(Option<usize>, FormulaId), BlockId>,
    /// Where it goes on.
    arrived: BTreeMap<FormulaId, BlockId>,
}

/// Whether runs break off: by an assumption that fails, or by what C does not define. Such a run
/// is none, and its states do not count for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Breaks {
    Never,
    Perhaps,
}

/// Where the adversary has won.
const WON: BlockId = BlockId(1);
/// Where it has lost.
const LOST: BlockId = BlockId(2);
/// Where it goes on waiting.
const WAITS: BlockId = BlockId(3);
/// The same, for what has to come.
const PENDING: BlockId = BlockId(4);

impl<'a> Game<'a> {
    pub(super) fn of(
        branching: &'a Branching,
        root: FormulaId,
        strategy: &'a Strategy,
        program: Program,
        states: States<'a>,
    ) -> Result<Self, String> {
        let main = match states {
            States::Throughout(main) => main,
            States::At(_) => "main",
        };
        let mut observer = Observer::of(program, main)?;
        let mut waiting = Vec::new();
        let mut has_next = false;
        branching.table.for_each_part(root, &mut |part| {
            let formula = branching.table.get(part);
            has_next |= matches!(formula, Formula::Next(..));
            let waits =
                matches!(formula, Formula::Next(..) | Formula::Until(..) | Formula::WeakUntil(..));
            if waits && !waiting.contains(&part) {
                waiting.push(part);
            }
        });
        if has_next && matches!(states, States::Throughout(_)) {
            return Err("a formula with `AX` or `EX` about a C program".to_owned());
        }
        let pending = add_procedure(&mut observer.program, "$pending");
        let choice = add_local(&mut observer.program, observer.observe, "$choice", NUMBER);
        let breaks = breaks(&observer);
        Ok(Self {
            branching,
            root,
            strategy,
            observer,
            states,
            pending,
            waiting,
            breaks,
            values: Vec::new(),
            choice,
            blocks: Vec::new(),
            entered: BTreeMap::new(),
            arrived: BTreeMap::new(),
        })
    }

    /// See [`Branching::moments`].
    pub(super) fn moments(mut self) -> Result<Vec<BTreeSet<usize>>, String> {
        let relevant = self.branching.propositions().relevant(&self.observer.program)?;
        match self.states {
            States::At(locations) => self.observer.watch_at(locations),
            States::Throughout(_) => self.observer.watch(&relevant, Moments::Choices),
        }
        let n_moments = self.observer.number_moments();
        let turns = std::mem::take(&mut self.observer.turning_points);
        let rest = (0..turns.len()).rev().map(|first| turns[first..].iter().copied().collect());
        let mut found: Vec<BTreeSet<usize>> = rest.collect();
        let others = (0..n_moments).filter(|it| !turns.contains(it));
        for one in turns.iter().copied().chain(others).map(|it| BTreeSet::from([it])) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
        Ok(found)
    }

    pub(super) fn instrumented(mut self) -> Result<Instrumented, String> {
        let propositions = self.branching.propositions();
        let relevant = propositions.relevant(&self.observer.program)?;
        let (first, values) =
            propositions.values(&mut self.observer.program, self.observer.observe)?;
        self.values = values;
        let is_existential = self.is_existential();
        if let Some(value) = self.strategy.start {
            duties::start_at(&mut self.observer.program, value);
        }
        let moments = match (is_existential, self.strategy.choices) {
            (false, _) => Moments::Changes,
            (true, Choices::Count) => Moments::Choices,
            (true, Choices::DoNotCount) => Moments::NumberedChoices,
        };
        let begin = self.watch(&relevant, moments);
        if is_existential {
            // Behind an input comes first what is said of it, then the observation.
            self.restrict_inputs();
            self.watch_assumptions();
            self.watch_propositions()?;
        }
        let n_moments = self.observer.number_moments();
        self.make_observer(first);
        self.observer.begin_with((self.before(), self.before() + 1), begin);
        self.observer.start_with(self.observer.moment, n_moments);
        let requirements = vec![Compassion { whenever: None, then: self.pending }];
        let control = vec![self.observer.state];
        Ok(Instrumented {
            program: self.observer.program,
            fairness: Fairness { requirements, control },
        })
    }

    /// Observes the states of the program. What comes before the first one.
    fn watch(&mut self, relevant: &Relevant, moments: Moments) -> Vec<Command> {
        match self.states {
            States::At(locations) => {
                self.observer.watch_at(locations);
                Vec::new()
            }
            States::Throughout(_) => {
                self.observer.watch(relevant, moments);
                vec![call(self.observer.observe, Span::NOWHERE).command]
            }
        }
    }

    /// The state before observation begins. The next one is that in which it does.
    fn before(&self) -> usize {
        2 * self.waiting.len()
    }

    /// The state in which it is only to be shown that the run goes on, with the inputs of a
    /// formula that has waited.
    fn going_on(&self, waiting: usize) -> usize {
        self.waiting.len() + waiting
    }

    /// The state in which the adversary has won if the run goes on for ever.
    fn won(&self) -> usize {
        2 * self.waiting.len() + 2
    }

    fn is_existential(&self) -> bool {
        self.branching.is_existential(self.root)
    }

    /// Where a formula waits.
    fn state_of(&self, id: FormulaId) -> usize {
        self.waiting.iter().position(|it| *it == id).unwrap_or_default()
    }

    fn paths(&self, id: FormulaId) -> Paths {
        match self.branching.table.get(id) {
            Formula::Next(paths, _) | Formula::Until(paths, ..) | Formula::WeakUntil(paths, ..) => {
                paths
            }
            _ => Paths::All,
        }
    }

    /// The states in which inputs are ours.
    fn ours(&self) -> Vec<usize> {
        let numbered = self.waiting.iter().enumerate();
        let ours = numbered.filter(|(_, id)| self.paths(**id) == Paths::Some);
        ours.map(|(state, _)| state).collect()
    }

    /// The body of `$observe`.
    fn make_observer(&mut self, first: Vec<Command>) {
        let observe = |event| call(event, Span::NOWHERE).command;
        let won = match self.breaks {
            Breaks::Perhaps if self.strategy.victory == Victory::InTheEnd => {
                // A run that breaks off later is none.
                let value = constant(self.won());
                let win = Command::Assign { target: self.observer.state, value };
                block(vec![win], Terminator::Goto(PENDING))
            }
            _ => block(vec![observe(self.pending)], Terminator::Goto(WON)),
        };
        let waits = block(Vec::new(), Terminator::Return(None));
        let pending = block(vec![observe(self.pending)], Terminator::Return(None));
        self.blocks = vec![dead_end(), won, dead_end(), waits, pending];
        let mut cases: Vec<(usize, BlockId)> = Vec::new();
        for (state, id) in self.waiting.clone().into_iter().enumerate() {
            let target = self.arrive(id);
            cases.push((state, target));
            cases.push((self.going_on(state), WAITS));
        }
        cases.push((self.won(), PENDING));
        let root = self.enter(None, self.root);
        cases.push((self.before(), WAITS));
        cases.push((self.before() + 1, root));
        let cases = cases.into_iter().map(|(state, to)| {
            let state = i128::try_from(state).unwrap_or(-1);
            (state, state, to)
        });
        let (value, cases) = (self.observer.state.into(), cases.collect());
        self.blocks[0] = block(first, Terminator::Switch { value, cases, default: LOST });
        let blocks = std::mem::take(&mut self.blocks);
        self.observer.program.procedures[self.observer.observe.index()].blocks = blocks;
    }

    fn add(&mut self, commands: Vec<Command>, terminator: Terminator) -> BlockId {
        self.blocks.push(block(commands, terminator));
        BlockId::at(self.blocks.len() - 1)
    }

    fn branch(&mut self, condition: Expr, then: BlockId, otherwise: BlockId) -> BlockId {
        self.add(Vec::new(), Terminator::Branch { condition, then, otherwise })
    }

    /// The adversary goes on at one of two places.
    fn either(&mut self, one: BlockId, other: BlockId) -> BlockId {
        let source = HavocSource::Input("$adversary".to_owned());
        let choose = Command::Havoc { target: self.choice, source };
        let condition = self.choice.into();
        self.add(vec![choose], Terminator::Branch { condition, then: one, otherwise: other })
    }

    /// A formula of one state, as an expression.
    fn value(&self, id: FormulaId) -> Expr {
        match self.branching.table.get(id) {
            Formula::Literal { proposition, holds } => {
                let value = self.values[proposition].clone();
                if holds { value } else { Expr::unary(UnaryOp::Not, value) }
            }
            Formula::And(left, right) => self.both(BinaryOp::And, left, right),
            Formula::Or(left, right) => self.both(BinaryOp::Or, left, right),
            Formula::False => Expr::Constant(0),
            Formula::True | Formula::Next(..) | Formula::Until(..) | Formula::WeakUntil(..) => {
                Expr::Constant(1)
            }
        }
    }

    fn both(&self, op: BinaryOp, left: FormulaId, right: FormulaId) -> Expr {
        let truth = |it| Expr::binary(BinaryOp::NotEqual, self.value(it), Expr::Constant(0));
        Expr::binary(op, truth(left), truth(right))
    }

    /// What holds now if a formula does, as an expression.
    fn now(&self, id: FormulaId) -> Expr {
        let truth = |it| Expr::binary(BinaryOp::NotEqual, self.now(it), Expr::Constant(0));
        match self.branching.table.get(id) {
            Formula::And(left, right) => Expr::binary(BinaryOp::And, truth(left), truth(right)),
            Formula::Or(left, right)
            | Formula::Until(_, left, right)
            | Formula::WeakUntil(_, left, right) => {
                Expr::binary(BinaryOp::Or, truth(left), truth(right))
            }
            Formula::Next(..) => Expr::Constant(1),
            Formula::True | Formula::False | Formula::Literal { .. } => self.value(id),
        }
    }

    /// Where the adversary has lost while a formula waited: the run must go on, if that formula
    /// chose its inputs.
    fn lost(&mut self, waited: Option<usize>) -> BlockId {
        let ours = waited.filter(|it| {
            self.breaks == Breaks::Perhaps && self.paths(self.waiting[*it]) == Paths::Some
        });
        let Some(state) = ours else { return LOST };
        let value = constant(self.going_on(state));
        let go_on = Command::Assign { target: self.observer.state, value };
        self.add(vec![go_on], Terminator::Return(None))
    }

    /// Where a formula waits from now on that another one led to. All runs from a state from
    /// which none goes on are as one likes: so one must.
    fn handed_over(&mut self, waited: Option<usize>, id: FormulaId, at: BlockId) -> BlockId {
        let go_on = self.lost(waited);
        if go_on == LOST || self.paths(id) == Paths::Some {
            return at;
        }
        self.either(go_on, at)
    }

    /// Evaluates a formula in the present state, while another one has waited.
    fn enter(&mut self, waited: Option<usize>, id: FormulaId) -> BlockId {
        if let Some(known) = self.entered.get(&(waited, id)) {
            return *known;
        }
        let plain = |it: FormulaId| self.branching.table.is_propositional(it);
        let at = match self.branching.table.get(id) {
            _ if plain(id) => {
                let lost = self.lost(waited);
                let value = self.value(id);
                self.branch(value, lost, WON)
            }
            Formula::And(left, right) => {
                let (one, other) = (self.enter(waited, left), self.enter(waited, right));
                self.either(one, other)
            }
            Formula::Or(left, right) => {
                let (left, right) = if plain(right) { (right, left) } else { (left, right) };
                let (first, second) = (self.enter(waited, left), self.enter(waited, right));
                match self.strategy.first.get(&id) {
                    _ if plain(left) => {
                        let value = self.value(left);
                        self.branch(value, first, second)
                    }
                    Some(Choice::Always) => first,
                    Some(Choice::Never) | None => second,
                    Some(Choice::If(condition)) => self.branch(condition.clone(), first, second),
                }
            }
            Formula::Next(..) => {
                let (target, value) = (self.observer.state, constant(self.state_of(id)));
                let at =
                    self.add(vec![Command::Assign { target, value }], Terminator::Return(None));
                self.handed_over(waited, id, at)
            }
            _ => {
                let arrival = self.arrive(id);
                let (target, value) = (self.observer.state, constant(self.state_of(id)));
                let at =
                    self.add(vec![Command::Assign { target, value }], Terminator::Goto(arrival));
                self.handed_over(waited, id, at)
            }
        };
        self.entered.insert((waited, id), at);
        at
    }

    /// Goes on with a formula that has waited.
    fn arrive(&mut self, id: FormulaId) -> BlockId {
        if let Some(known) = self.arrived.get(&id) {
            return *known;
        }
        let waited = Some(self.state_of(id));
        let (left, right, waits) = match self.branching.table.get(id) {
            Formula::Until(_, left, right) => (left, right, PENDING),
            Formula::WeakUntil(_, left, right) => (left, right, WAITS),
            Formula::Next(_, operand) => return self.enter(waited, operand),
            _ => return LOST,
        };
        let stays = match self.branching.table.get(left) {
            Formula::True => waits,
            _ if self.branching.table.is_propositional(left) => {
                let value = self.value(left);
                self.branch(value, waits, WON)
            }
            _ => {
                let other = self.enter(waited, left);
                self.either(other, waits)
            }
        };
        let at = match self.branching.table.get(right) {
            Formula::False => stays,
            _ => {
                let stops = self.enter(waited, right);
                let now = self.now(right);
                let may_stop = self.branch(now, stops, stays);
                match self.strategy.stops.get(&id) {
                    None => may_stop,
                    Some(moments) => {
                        let number = |it: &usize| i128::try_from(*it).unwrap_or(-1);
                        let cases =
                            moments.iter().map(|it| (number(it), number(it), may_stop)).collect();
                        let value = self.observer.moment.into();
                        self.add(Vec::new(), Terminator::Switch { value, cases, default: stays })
                    }
                }
            }
        };
        self.arrived.insert(id, at);
        at
    }
}

/// Whether the observed program makes assumptions, such as that numbers are in their range, or
/// does what need not be defined.
fn breaks(observer: &Observer) -> Breaks {
    let program = &observer.program;
    let procedures = observer.observed().into_iter();
    let mut blocks = procedures.flat_map(|it| &program.procedure(it).blocks);
    if blocks.any(|block| may_break_off(program, block)) { Breaks::Perhaps } else { Breaks::Never }
}

/// Whether a run may break off in a block.
pub(super) fn may_break_off(program: &Program, block: &Block) -> bool {
    let mut is_total = true;
    block.expressions().for_each(|it| is_total &= slice::is_total(program, it));
    let mut commands = block.commands.iter();
    !is_total
        || commands.any(|it| match &it.command {
            Command::Assign { .. } | Command::Havoc { .. } | Command::Error { .. } => false,
            Command::Call { callee, .. } => matches!(callee, Callee::Indirect(_)),
            Command::Load { .. }
            | Command::Store { .. }
            | Command::Allocate { .. }
            | Command::Measure { .. }
            | Command::Free { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Assume { .. }
            | Command::Unsupported { .. } => true,
        })
}
