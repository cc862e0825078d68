//! Links in memory that a function by itself finds: from the one to the next, they lead to an end.
//!
//! ```text
//!   d(p): how far links lead from p in memory as it was when the function was called
//!   L: what lies nearer to the end than L is as it was
//!   ──────────────────────────────────────────────────────────────────────────────────── LINKS
//!   q := [p + i]  ⟶  q := [p + i]; assume 0 ≤ d(q) < d(p) or L ≤ d(p)     granted: no link leads back
//!   q := p        ⟶  q := p; d(q) := d(p)
//!   q := 0        ⟶  q := 0; d(q) := 0
//!   [p + i] := E  ⟶  [p + i] := E; L := min(L, d(p))
//!   [x] := E      ⟶  [x] := E; L := 0                                where x may be any link
//! ```
//!
//! So walks along links and recursion along them have a measure. A family of pointers is what links
//! lead round: values of the one become values of the next by copies, calls and at least one load.
//! The bytes that copies add are the same on each way round, or nothing is known of the copy. What
//! lies nearer to the end than a node does not lead to it: so a walk that changes the links behind
//! itself has a measure, too.
//!
//! A list with links both ways has no links that lead back as long as only those of one way are
//! followed. So of several links that lead on in a family a walk is taken along each by itself:
//! there is one `d` for the first ones, one for the second ones. Recursion follows all. What loops
//! of trees need is one `d` for all links that a loop takes: that is granted by itself
//! ([`Grant::Branches`]), and not where a link says by its name that it leads back or up.
//!
//! Only pointers count that are compared with null somewhere, or whose links are where they are
//! found, or that recursion follows without comparing them with anything or leaving marks there:
//! what ends elsewhere, as rings do, is not what this is about. A loop that goes on to the next one
//! without such a comparison on the way says nothing of how far links lead.
//!
//! Links are changed by stores of addresses other than null and by stores of bytes, and by what is
//! copied, but not in objects that no pointer of a family leads to (`slice::origins`). A member of a structure changes no
//! other member (`MemberId`), and what is declared as a number is no link. Numbers of several
//! bytes are stored where numbers lie (C11 6.5p7), except that a union may hold either.

mod branching;
mod changes;
mod compared;
mod endless;
mod flows;

use super::any;
use super::origins::Origins;
use crate::cutpoint::CallGraph;
use crate::open::{MemberId, OpenEntry};
use crate::{
    BinaryOp, Block, Callee, Command, Expr, Grant, Instruction, IntKind, ProcedureId, Program,
    ScalarType, Terminator, Variable, VariableInfo,
};
use base::source::Span;
use compared::Compared;
use endless::Endless;
use flows::{Flows, Holder, Source, copied, source};
use std::collections::{BTreeMap, BTreeSet};

/// Which walks are counted along links that loops follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Walks {
    /// One along each link by itself.
    Apart,
    /// Those, and one along all links of a loop.
    Together,
}

/// Adds how far links lead to a program that is about a function by itself.
pub(super) fn add(program: &mut Program, walks: Walks) {
    let Some(open) = &program.open else { return };
    let open = open.clone();
    let calls = CallGraph::of_program(program);
    let recursive = (0..program.procedures.len()).map(ProcedureId::at);
    let recursive = recursive.filter(|it| calls.may_recurse(*it));
    let recursive = recursive.flat_map(|it| program.procedure(it).parameters.clone()).collect();
    let mut families = Flows::of(program).families(program, &Compared::of(program), &recursive);
    if families.of.is_empty() {
        return;
    }
    if walks == Walks::Together {
        families.add_branching(program);
    }
    families.note_members(program, &open);
    let origins = Origins::of(program);
    let (limits, measure) = (BTreeMap::new(), BTreeMap::new());
    Measures { program, families, origins, open, limits, measure }.add();
}

/// So many walks are counted along different links of a family.
const MOST_WALKS: usize = 4;

/// The pointers that links lead round.
struct Families {
    /// The family of each of them.
    of: BTreeMap<Holder, usize>,
    /// How many bytes behind a common start it points.
    places: BTreeMap<Holder, i128>,
    /// By family, the walks that are counted.
    walks: BTreeMap<usize, Vec<Walk>>,
    /// Where walks go round that do not end at null.
    endless: Endless,
}

/// A walk of a family, by its number there.
type WalkId = (usize, usize);

/// The links that are followed together.
struct Walk {
    /// Where they lie, in bytes behind the common start.
    links: BTreeSet<i128>,
    /// The members that they are; none if some may be another object.
    members: Option<BTreeSet<MemberId>>,
    /// What is granted where one is followed.
    grant: Grant,
}

impl Walk {
    fn along(links: BTreeSet<i128>, grant: Grant) -> Self {
        Self { links, members: Some(BTreeSet::new()), grant }
    }

    /// Whether a link of it may be one of these members; so may any, if none is given.
    fn may_go_along(&self, members: &[MemberId]) -> bool {
        let links = self.members.as_ref().filter(|_| !members.is_empty());
        links.is_none_or(|links| members.iter().any(|it| links.contains(it)))
    }
}

impl Families {
    /// Notes which members of structures are links.
    fn note_members(&mut self, program: &Program, open: &OpenEntry) {
        for Instruction { command, span } in program.blocks().flat_map(|it| &it.commands) {
            let Command::Load { target, .. } = command else { continue };
            let target = Holder::Variable(*target);
            let Some(Source::Link(from, bytes)) = self.inside(target, source(program, command))
            else {
                continue;
            };
            let members = open.members_at(*span);
            let place = self.places[&from] + bytes;
            let walks = self.walks.get_mut(&self.of[&target]).into_iter().flatten();
            for walk in walks.filter(|it| it.links.contains(&place)) {
                match &mut walk.members {
                    Some(known) if !members.is_empty() => known.extend(members),
                    known => *known = None,
                }
            }
        }
    }

    /// All walks.
    fn walks(&self) -> impl Iterator<Item = (WalkId, &Walk)> {
        let all = self.walks.iter();
        all.flat_map(|(family, walks)| {
            walks.iter().enumerate().map(move |(index, walk)| ((*family, index), walk))
        })
    }

    /// The source of a value, if that is one of the same family and at the right place.
    fn inside(&self, target: Holder, source: Option<Source>) -> Option<Source> {
        let source = source?;
        let from = source.holder();
        let is_inside = self.of.contains_key(&target) && self.of.get(&target) == self.of.get(&from);
        let place = |it: &Holder| self.places.get(it).copied().unwrap_or_default();
        let fits = match source {
            Source::Copy(_, bytes) => place(&from) + bytes == place(&target),
            Source::Link(..) => true,
        };
        (is_inside && fits).then_some(source)
    }
}

/// What is added to a program.
struct Measures<'a> {
    program: &'a mut Program,
    families: Families,
    origins: Origins,
    open: OpenEntry,
    /// By walk whose links may change.
    limits: BTreeMap<WalkId, Limit>,
    /// How far links lead, by what holds the pointer, along each walk.
    measure: BTreeMap<Holder, Vec<Variable>>,
}

/// How near to the end links are what they were.
#[derive(Clone, Copy)]
struct Limit {
    /// Nearer than this.
    least: Variable,
    /// At the start: farther than any.
    most: Variable,
}

const NUMBER: ScalarType = ScalarType::Int(IntKind { bits: 64, signed: true });

const NULL: Expr = Expr::Constant(0);

/// What is counted.
const WAY: &str = "the way along links";

impl Measures<'_> {
    fn add(mut self) {
        for walk in self.changing() {
            let limit = Limit {
                least: self.variable("$links up to", None),
                most: self.variable("$all links", None),
            };
            self.limits.insert(walk, limit);
        }
        let holders: Vec<(Holder, usize)> =
            self.families.of.iter().map(|(it, family)| (*it, *family)).collect();
        for (holder, family) in holders {
            let owner = match holder {
                Holder::Variable(variable) => self.program.variable(variable).owner,
                Holder::Result(_) => None,
            };
            let walks = 0..self.families.walks[&family].len();
            let measures = walks.map(|_| self.variable(WAY, owner)).collect();
            self.measure.insert(holder, measures);
        }
        let n_procedures = self.program.procedures.len();
        let mut code: Vec<Vec<Block>> = Vec::new();
        for id in (0..n_procedures).map(ProcedureId::at) {
            let before = self.variable("$before", Some(id));
            let blocks = self.program.procedure(id).blocks.clone().into_iter().enumerate();
            let own = |block| Own { id, block, before };
            code.push(blocks.map(|(index, it)| self.block(&it, &own(index))).collect());
        }
        for (procedure, blocks) in self.program.procedures.iter_mut().zip(code) {
            procedure.blocks = blocks;
            let measures = procedure.parameters.iter().map(|it| Holder::Variable(*it));
            let measures: Vec<Variable> =
                measures.filter_map(|it| self.measure.get(&it)).flatten().copied().collect();
            procedure.parameters.extend(measures);
        }
        let entry = self.program.entry.index();
        if let Some(first) = self.program.procedures[entry].blocks.first_mut() {
            let begin = self.limits.values().flat_map(|Limit { least, most }| {
                let least = Command::Assign { target: *least, value: (*most).into() };
                from_zero(*most).into_iter().chain([least])
            });
            let begin = begin.map(|command| Instruction { command, span: Span::NOWHERE });
            first.commands.splice(0..0, begin);
        }
    }

    fn variable(&mut self, name: &str, owner: Option<ProcedureId>) -> Variable {
        let (name, span) = (name.to_owned(), Span::NOWHERE);
        self.program.variables.push(VariableInfo { name, ty: NUMBER, owner, span });
        Variable::at(self.program.variables.len() - 1)
    }

    fn block(&mut self, block: &Block, own: &Own) -> Block {
        let mut commands = Vec::new();
        for Instruction { command, span } in &block.commands {
            let mut command = command.clone();
            let mut more = Vec::new();
            if let Some(target) = command.target() {
                let holder = Holder::Variable(target);
                more.extend(match command {
                    Command::Assign { value: NULL, .. } => self.nowhere(holder),
                    _ => self.given(holder, source(self.program, &command), own),
                });
            }
            if own.id != self.program.entry {
                more.extend(self.changed_by(&command, *span, own.before));
            }
            let needs = self.pass(&mut command, own);
            let all = needs.into_iter().chain([command]).chain(more);
            commands.extend(all.map(|command| Instruction { command, span: *span }));
        }
        if let Terminator::Return(Some(value)) = &block.terminator {
            let holder = Holder::Result(own.id);
            let given = match *value {
                NULL => self.nowhere(holder),
                _ => self.given(holder, copied(self.program, value), own),
            };
            let span = block.span;
            commands.extend(given.into_iter().map(|command| Instruction { command, span }));
        }
        Block { commands, ..block.clone() }
    }

    /// From null links lead nowhere.
    fn nowhere(&self, target: Holder) -> Vec<Command> {
        let measures = self.measure.get(&target).into_iter().flatten();
        measures.map(|it| Command::Assign { target: *it, value: NULL }).collect()
    }

    /// What says how far links lead from a value, where that is counted.
    fn given(&self, target: Holder, source: Option<Source>, own: &Own) -> Vec<Command> {
        let measures = self.measure.get(&target).into_iter().flatten().copied().enumerate();
        let known = self.families.inside(target, source);
        let is_endless = |it: &Source| {
            let is_on = matches!(it, Source::Link(..) | Source::Copy(Holder::Result(_), _));
            is_on && self.families.endless.contains((own.id, own.block), target)
        };
        let known = known.filter(|it| !is_endless(it));
        let from = known.and_then(|it| self.measure.get(&it.holder()));
        let (mut commands, mut grants) = (Vec::new(), BTreeSet::new());
        for (index, measure) in measures {
            let walk = (self.families.of[&target], index);
            match (known, from.and_then(|it| it.get(index))) {
                (Some(Source::Copy(..)), Some(from)) => {
                    let value = Expr::from(*from);
                    commands.push(Command::Assign { target: measure, value });
                }
                (Some(Source::Link(holder, bytes)), Some(from))
                    if self.goes_along(walk, (holder, bytes)) =>
                {
                    commands.extend(self.linked(walk, (measure, *from), own.before));
                    grants.insert(self.families.walks[&walk.0][walk.1].grant);
                }
                _ => commands.extend(self.far(walk, measure)),
            }
        }
        // Where a walk ends whichever link it takes, so does one along the same link each time.
        if grants.contains(&Grant::Branches) {
            grants.remove(&Grant::Links);
        }
        commands.extend(grants.into_iter().map(Grant::command));
        commands
    }

    /// Whether a walk goes along what lies so many bytes behind where a pointer points.
    fn goes_along(&self, (family, index): WalkId, (from, bytes): (Holder, i128)) -> bool {
        let place = self.families.places.get(&from).map(|it| it + bytes);
        place.is_some_and(|it| self.families.walks[&family][index].links.contains(&it))
    }

    /// Any number of links, of those that are there.
    fn far(&self, walk: WalkId, measure: Variable) -> Vec<Command> {
        let mut commands = from_zero(measure).to_vec();
        commands.extend(self.limits.get(&walk).map(|limit| Command::Assume {
            condition: Expr::binary(BinaryOp::Less, measure.into(), limit.most.into()),
        }));
        commands
    }

    /// A pointer was found where another one points: it leads less far, if that is as it was.
    fn linked(
        &self,
        walk: WalkId,
        (measure, from): (Variable, Variable),
        before: Variable,
    ) -> Vec<Command> {
        let nearer = Expr::binary(BinaryOp::Less, measure.into(), before.into());
        let condition = match self.limits.get(&walk) {
            Some(limit) => {
                let is_changed =
                    Expr::binary(BinaryOp::LessEqual, limit.least.into(), before.into());
                Expr::binary(BinaryOp::Or, is_changed, nearer)
            }
            None => nearer,
        };
        let mut commands = vec![Command::Assign { target: before, value: from.into() }];
        commands.extend(self.far(walk, measure));
        commands.push(Command::Assume { condition });
        commands
    }

    /// Hands over how far links lead from the arguments of a call; gives what comes first, if that
    /// is not known of one of them.
    fn pass(&mut self, command: &mut Command, own: &Own) -> Vec<Command> {
        let Command::Call { callee: Callee::Direct(callee), arguments, .. } = command else {
            return Vec::new();
        };
        let parameters = self.program.procedure(*callee).parameters.clone();
        let (mut measures, mut needs) = (Vec::new(), Vec::new());
        for (parameter, argument) in parameters.iter().zip(&*arguments) {
            let parameter = Holder::Variable(*parameter);
            let n_walks = self.measure.get(&parameter).map_or(0, Vec::len);
            let source = self.families.inside(parameter, copied(self.program, argument));
            let from = source.and_then(|it| self.measure.get(&it.holder()).cloned());
            for index in 0..n_walks {
                measures.push(match &from {
                    Some(from) => Expr::from(from[index]),
                    None if *argument == NULL => NULL,
                    None => {
                        let given = self.variable("$given", Some(own.id));
                        needs.extend(self.far((self.families.of[&parameter], index), given));
                        given.into()
                    }
                });
            }
        }
        arguments.extend(measures);
        needs
    }
}

/// What a procedure has of its own.
struct Own {
    id: ProcedureId,
    /// The block that is looked at.
    block: usize,
    /// How far links led from where the next pointer was found.
    before: Variable,
}

/// Any number from 0 on.
fn from_zero(target: Variable) -> [Command; 2] {
    let condition = Expr::binary(BinaryOp::LessEqual, Expr::Constant(0), target.into());
    [any(target, WAY), Command::Assume { condition }]
}
