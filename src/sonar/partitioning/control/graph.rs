//! The ways of a program by its control variables: where execution may stand, with which
//! constants in them.

use super::effects::Effects;
use crate::Machine;
use evidence::place::{Place, Site};
use ir::semantics::{binary, unary};
use ir::{BlockId, Callee, Command, Expr, ProcedureId, Program, Terminator, Variable};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// More values than this, and a variable is a counter.
const MOST_VALUES: usize = 16;
/// More points than this are not looked at.
const MOST_POINTS: usize = 8_000;
/// So many calls deep they are.
const MAX_DEPTH: usize = 8;

/// The constants that control variables are known to be.
pub(super) type Known = BTreeMap<Variable, i128>;

/// Where execution may stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    sites: SmallVec<[Site; 3]>,
    known: Known,
}

/// What comes of the commands from a point on.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// Where it starts.
    pub(super) from: Site,
    /// The first command that is not part of it.
    pub(super) end: usize,
    /// How it ends.
    pub(super) ending: Ending,
    /// The points where execution may go on.
    pub(super) next: Vec<usize>,
}

/// How a stretch of commands ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// With a call that is followed: its last command.
    Call,
    /// With a block, or where no run goes on.
    Block,
    /// With a return, whose result this variable gets.
    Return(Option<Variable>),
}

/// The points that the start of a program leads to.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// The control variables with few values.
    pub(super) variables: BTreeSet<Variable>,
    /// What comes of each point.
    pub(super) stretches: Vec<Stretch>,
    /// The points at each place, with what is known there.
    at: BTreeMap<SmallVec<[Site; 3]>, Vec<(Known, usize)>>,
}

impl Graph {
    /// The graph by these variables; without those that have many values. `None` where there are
    /// many points, or no variables left.
    pub(super) fn of(
        machine: &Machine<'_>,
        effects: &Effects,
        mut variables: BTreeSet<Variable>,
    ) -> Option<Self> {
        while !variables.is_empty() {
            match Walk::new(machine, effects, &variables).run() {
                Outcome::Done(stretches, points) => {
                    let mut at: BTreeMap<_, Vec<_>> = BTreeMap::new();
                    for (point, index) in points {
                        at.entry(point.sites).or_default().push((point.known, index));
                    }
                    return Some(Self { variables, stretches, at });
                }
                Outcome::TooManyValues(variable) => {
                    variables.remove(&variable);
                }
                Outcome::TooManyPoints => return None,
            }
        }
        None
    }

    /// The points at a place at which these variables may have these values.
    pub(super) fn at<'a>(
        &'a self,
        place: &Place,
        value: &'a dyn Fn(Variable) -> Option<i128>,
    ) -> impl Iterator<Item = usize> + 'a {
        let points = self.at.get(&place.sites).filter(|_| place.entry.is_none());
        let may_be = |known: &Known| {
            known.iter().all(|(variable, own)| value(*variable).is_none_or(|it| it == *own))
        };
        points.into_iter().flatten().filter(move |(known, _)| may_be(known)).map(|(_, it)| *it)
    }
}

/// What a walk came to.
enum Outcome {
    Done(Vec<Stretch>, BTreeMap<Point, usize>),
    TooManyValues(Variable),
    TooManyPoints,
}

struct Walk<'a> {
    machine: &'a Machine<'a>,
    effects: &'a Effects,
    variables: &'a BTreeSet<Variable>,
    values: BTreeMap<Variable, BTreeSet<i128>>,
    points: BTreeMap<Point, usize>,
    /// Those that were not looked at, in the order of their numbers.
    open: Vec<Point>,
}

impl<'a> Walk<'a> {
    fn new(
        machine: &'a Machine<'a>,
        effects: &'a Effects,
        variables: &'a BTreeSet<Variable>,
    ) -> Self {
        let (values, points) = (BTreeMap::new(), BTreeMap::new());
        Self { machine, effects, variables, values, points, open: Vec::new() }
    }

    fn run(mut self) -> Outcome {
        let sites = Place::start(self.program().entry).sites;
        self.note(Point { sites, known: Known::new() });
        let mut stretches = Vec::new();
        while let Some(point) = self.open.get(stretches.len()).cloned() {
            let stretch = self.stretch(&point);
            stretches.push(stretch);
            if self.points.len() > MOST_POINTS {
                return Outcome::TooManyPoints;
            }
            let mut values = self.values.iter();
            if let Some((variable, _)) = values.find(|(_, values)| values.len() > MOST_VALUES) {
                return Outcome::TooManyValues(*variable);
            }
        }
        Outcome::Done(stretches, self.points)
    }

    fn program(&self) -> &'a Program {
        self.machine.program
    }

    /// The number of a point. What is dead is not known there.
    fn note(&mut self, mut point: Point) -> usize {
        if let Some(site) = point.sites.last().filter(|site| site.command == 0) {
            let live = self.machine.live.of(site.procedure);
            let (own, live) = (live.own_variables(), live.at_start(site.block));
            point.known.retain(|it, _| !own.contains(*it) || live.contains(*it));
        }
        if let Some(known) = self.points.get(&point) {
            return *known;
        }
        for (variable, value) in &point.known {
            self.values.entry(*variable).or_default().insert(*value);
        }
        let number = self.points.len();
        self.open.push(point.clone());
        self.points.insert(point, number);
        number
    }

    fn set(&self, known: &mut Known, variable: Variable, value: Option<i128>) {
        match value.filter(|_| self.variables.contains(&variable)) {
            Some(value) => known.insert(variable, value),
            None => known.remove(&variable),
        };
    }

    fn stretch(&mut self, point: &Point) -> Stretch {
        let Point { sites, known } = point;
        let mut known = known.clone();
        let outer = sites.len().saturating_sub(1);
        let from = sites[outer];
        let block = self.program().procedure(from.procedure).block(from.block);
        let done = |end, ending, next| Stretch { from, end, ending, next };
        for (index, instruction) in block.commands.iter().enumerate().skip(from.command) {
            match &instruction.command {
                Command::Assign { target, value } => {
                    let value = constant(value, &known);
                    self.set(&mut known, *target, value);
                }
                Command::Assume { condition } => {
                    if constant(condition, &known) == Some(0) {
                        return done(index + 1, Ending::Block, Vec::new());
                    }
                }
                Command::Call { callee, arguments, target } => {
                    if let Some(callee) = followed(self.machine, callee, sites.len()) {
                        let mut inner = known.clone();
                        let parameters = &self.program().procedure(callee).parameters;
                        for (parameter, argument) in parameters.iter().zip(arguments) {
                            let value = constant(argument, &known);
                            self.set(&mut inner, *parameter, value);
                        }
                        let mut sites = sites.clone();
                        sites[outer].command = index;
                        sites.push(Site { procedure: callee, block: BlockId(0), command: 0 });
                        let next = self.note(Point { sites, known: inner });
                        return done(index + 1, Ending::Call, vec![next]);
                    }
                    let effects = self.effects.of_call(self.program(), callee);
                    known.retain(|it, _| !effects.contains(it));
                    target.iter().for_each(|it| {
                        known.remove(it);
                    });
                }
                Command::Havoc { .. }
                | Command::Load { .. }
                | Command::Store { .. }
                | Command::Allocate { .. }
                | Command::Measure { .. }
                | Command::Free { .. }
                | Command::Fill { .. }
                | Command::Copy { .. }
                | Command::Error { .. }
                | Command::Unsupported { .. } => {
                    if let Some(target) = instruction.command.target() {
                        known.remove(&target);
                    }
                }
            }
        }
        let end = block.commands.len();
        if let Terminator::Return(value) = &block.terminator {
            let (target, next) = self.returned(sites, known, value.as_ref());
            return done(end, Ending::Return(target), next.into_iter().collect());
        }
        let next = blocks_after(&block.terminator, &known).into_iter().map(|block| {
            let mut sites = sites.clone();
            sites[outer] = Site { block, command: 0, ..from };
            self.note(Point { sites, known: known.clone() })
        });
        let next = next.collect();
        done(end, Ending::Block, next)
    }

    /// The variable that gets a result, and where execution goes on behind the call.
    fn returned(
        &mut self,
        sites: &SmallVec<[Site; 3]>,
        mut known: Known,
        value: Option<&Expr>,
    ) -> (Option<Variable>, Option<usize>) {
        let value = value.and_then(|it| constant(it, &known));
        let here = Place { entry: None, sites: sites.clone() };
        let Some((place, target)) = here.returned(self.program()) else { return (None, None) };
        let procedure = here.site().map(|site| site.procedure);
        let program = self.program();
        known.retain(|it, _| program.variable(*it).owner != procedure);
        if let Some(target) = target {
            self.set(&mut known, target, value);
        }
        (target, Some(self.note(Point { sites: place.sites, known })))
    }
}

/// The blocks of the same procedure where execution may go on.
fn blocks_after(terminator: &Terminator, known: &Known) -> Vec<BlockId> {
    let decided = match terminator {
        Terminator::Branch { condition, then, otherwise } => {
            constant(condition, known).map(|it| if it == 0 { *otherwise } else { *then })
        }
        Terminator::Switch { value, cases, default } => constant(value, known).map(|it| {
            let case = cases.iter().find(|(low, high, _)| (*low..=*high).contains(&it));
            case.map_or(*default, |(_, _, block)| *block)
        }),
        Terminator::Goto(_) | Terminator::Return(_) | Terminator::Halt => None,
    };
    decided.map_or_else(|| terminator.successors(), |it| vec![it])
}

/// The procedure that a call goes to, if it is followed.
pub(super) fn followed(
    machine: &Machine<'_>,
    callee: &Callee,
    n_sites: usize,
) -> Option<ProcedureId> {
    let Callee::Direct(callee) = callee else { return None };
    let callee = machine.program.followed(*callee);
    let is_followed = n_sites < MAX_DEPTH
        && !machine.is_tabulated(callee)
        && machine.program.procedure(callee).is_defined();
    is_followed.then_some(callee)
}

/// The value of an expression where these variables are known.
fn constant(expr: &Expr, known: &Known) -> Option<i128> {
    match expr {
        Expr::Constant(number) => Some(*number),
        Expr::Variable(variable) => known.get(variable).copied(),
        Expr::Procedure(_) => None,
        Expr::Unary(op, operand) => unary(*op, constant(operand, known)?).ok(),
        Expr::Binary(op, left, right) => {
            binary(*op, constant(left, known)?, constant(right, known)?).ok()
        }
        Expr::Wrap(kind, operand) => Some(kind.wrap(constant(operand, known)?)),
    }
}
