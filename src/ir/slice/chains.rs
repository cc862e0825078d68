//! Links in memory that a function by itself finds: from the one to the next, they lead to an end.
//!
//! ```text
//!   memory is as it was when the function was called    d(p): how far links lead from p, at most
//!   ──────────────────────────────────────────────────────────────────────────────────────── LINKS
//!   q := [p + i]  ⟶  q := [p + i]; assume 0 ≤ d(q) < d(p)          granted: no link leads back
//!   q := p        ⟶  q := p; d(q) := d(p)
//!   [p + i] := E  ⟶  [p + i] := E; from here on nothing is said of links
//! ```
//!
//! So walks along links and recursion along them have a measure. A family of pointers is what links
//! lead round: values of the one become values of the next by copies, calls and at least one load.
//! The bytes that copies add are the same on each way round, or nothing is known of the copy.
//!
//! A list with links both ways has no links that lead back as long as only those of one way are
//! followed. So of several links that lead on from one pointer a walk is taken along each by
//! itself: there is one `d` for the first ones, one for the second ones. Recursion follows all.
//!
//! Only pointers count that are compared with null somewhere, or that recursion follows without
//! comparing them with anything or leaving marks there: what ends elsewhere, as rings do, is not
//! what this is about.
//!
//! Links are changed by stores of addresses other than null and by stores of bytes, and by what is
//! copied, but not in memory that no other pointer leads to. A member of a structure changes no
//! other member (`MemberId`), and what is declared as a number is no link. Numbers of several
//! bytes are stored where numbers lie (C11 6.5p7), except that a union may hold either.

mod compared;
mod flows;

use super::any;
use super::sum::sum;
use crate::cutpoint::CallGraph;
use crate::open::{MemberId, OpenEntry};
use crate::{
    BinaryOp, Block, Callee, Command, Expr, Gap, Grant, Instruction, IntKind, ProcedureId, Program,
    ScalarType, Terminator, Variable, VariableInfo,
};
use base::source::Span;
use compared::Compared;
use flows::{Flows, Holder, Source, copied, source};
use std::collections::{BTreeMap, BTreeSet};

/// Adds how far links lead to a program that is about a function by itself; whether there are any.
pub(super) fn add(program: &mut Program) -> bool {
    let Some(open) = &program.open else { return false };
    let open = open.clone();
    let calls = CallGraph::of_program(program);
    let recursive = (0..program.procedures.len()).map(ProcedureId::at);
    let recursive = recursive.filter(|it| calls.may_recurse(*it));
    let recursive = recursive.flat_map(|it| program.procedure(it).parameters.clone()).collect();
    let mut families = Flows::of(program).families(&Compared::of(program), &recursive);
    families.note_members(program, &open);
    if families.of.is_empty() {
        return false;
    }
    let private = private(program);
    let (changed, measure) = (BTreeMap::new(), BTreeMap::new());
    Measures { program, families, private, open, changed, measure }.add();
    true
}

/// So many walks are counted along different links from one pointer.
const MOST_WALKS: usize = 3;

/// The pointers that links lead round.
struct Families {
    /// The family of each of them.
    of: BTreeMap<Holder, usize>,
    /// How many bytes behind a common start it points.
    places: BTreeMap<Holder, i128>,
    /// Where the links lie that lead on from it, in bytes, by rising number; none if recursion
    /// follows all of them.
    links: BTreeMap<Holder, Vec<i128>>,
    /// By family: the members that its links are; none if some may be another object.
    members: BTreeMap<usize, Option<BTreeSet<MemberId>>>,
}

impl Families {
    /// Notes which members of structures are links.
    fn note_members(&mut self, program: &Program, open: &OpenEntry) {
        for Instruction { command, span } in program.blocks().flat_map(|it| &it.commands) {
            let Command::Load { target, .. } = command else { continue };
            let target = Holder::Variable(*target);
            let Some(Source::Link(..)) = self.inside(target, source(program, command)) else {
                continue;
            };
            let members = open.members_at(*span);
            let known = self.members.entry(self.of[&target]);
            let known = known.or_insert_with(|| Some(BTreeSet::new()));
            match known {
                Some(known) if !members.is_empty() => known.extend(members),
                _ => *known = None,
            }
        }
    }

    /// The families whose links may be one of these members; all, if none is given.
    fn with_links_at(&self, members: &[MemberId]) -> impl Iterator<Item = usize> {
        let may_be = |links: &Option<BTreeSet<MemberId>>| {
            let links = links.as_ref().filter(|_| !members.is_empty());
            links.is_none_or(|links| members.iter().any(|it| links.contains(it)))
        };
        self.members.iter().filter(move |(_, links)| may_be(links)).map(|(family, _)| *family)
    }

    /// How many walks are counted along links from there.
    fn n_walks(&self, holder: Holder) -> usize {
        let family = self.of.get(&holder);
        let members = self.links.iter().filter(|(it, _)| self.of.get(it) == family);
        members.map(|(_, links)| links.len()).max().unwrap_or(1).min(MOST_WALKS)
    }

    /// Whether a walk goes along a link.
    fn goes_along(&self, walk: usize, (from, bytes): (Holder, i128)) -> bool {
        match self.links.get(&from) {
            Some(links) => links.get(walk).or(links.last()) == Some(&bytes),
            None => true,
        }
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

/// The pointers to blocks that no other pointer leads to.
fn private(program: &Program) -> BTreeSet<Variable> {
    let mut made = BTreeSet::new();
    let mut others: BTreeSet<Variable> =
        program.procedures.iter().flat_map(|it| it.parameters.iter().copied()).collect();
    for block in program.blocks() {
        for Instruction { command, .. } in &block.commands {
            match command {
                Command::Allocate { target, .. } => {
                    made.insert(*target);
                }
                other => others.extend(other.target()),
            }
            let given: Vec<&Expr> = match command {
                Command::Assign { value, .. } | Command::Store { value, .. } => vec![value],
                Command::Call { .. } => command.expressions().collect(),
                _ => Vec::new(),
            };
            others.extend(given.into_iter().flat_map(Expr::variables));
        }
        if let Terminator::Return(Some(value)) = &block.terminator {
            others.extend(value.variables());
        }
    }
    made.difference(&others).copied().collect()
}

/// What is added to a program.
struct Measures<'a> {
    program: &'a mut Program,
    families: Families,
    private: BTreeSet<Variable>,
    open: OpenEntry,
    /// By family: 0 as long as its links are what they were, then any number from 0 on.
    changed: BTreeMap<usize, Variable>,
    /// How far links lead, by what holds the pointer, along each walk.
    measure: BTreeMap<Holder, Vec<Variable>>,
}

const NUMBER: ScalarType = ScalarType::Int(IntKind { bits: 64, signed: true });

impl Measures<'_> {
    fn add(mut self) {
        let families: BTreeSet<usize> = self.families.of.values().copied().collect();
        for family in families {
            let changed = self.variable("$links", None);
            self.changed.insert(family, changed);
        }
        let holders: Vec<Holder> = self.families.of.keys().copied().collect();
        for holder in holders {
            let owner = match holder {
                Holder::Variable(variable) => self.program.variable(variable).owner,
                Holder::Result(_) => None,
            };
            let walks = 0..self.families.n_walks(holder);
            let measures = walks.map(|_| self.variable("the way along links", owner)).collect();
            self.measure.insert(holder, measures);
        }
        let n_procedures = self.program.procedures.len();
        let mut code = Vec::new();
        for id in (0..n_procedures).map(ProcedureId::at) {
            let own = Own {
                id,
                given: self.variable("$given", Some(id)),
                before: self.variable("$before", Some(id)),
            };
            let blocks = &self.program.procedure(id).blocks;
            code.push(blocks.iter().map(|it| self.block(it, &own)).collect());
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
            let begin = self.changed.values().map(|changed| {
                let command = Command::Assign { target: *changed, value: Expr::Constant(0) };
                Instruction { command, span: Span::NOWHERE }
            });
            first.commands.splice(0..0, begin);
        }
    }

    fn variable(&mut self, name: &str, owner: Option<ProcedureId>) -> Variable {
        let (name, span) = (name.to_owned(), Span::NOWHERE);
        self.program.variables.push(VariableInfo { name, ty: NUMBER, owner, span });
        Variable::at(self.program.variables.len() - 1)
    }

    fn block(&self, block: &Block, own: &Own) -> Block {
        let mut commands = Vec::new();
        for Instruction { command, span } in &block.commands {
            let mut command = command.clone();
            let mut more = Vec::new();
            if let Some(target) = command.target() {
                let source = source(self.program, &command);
                more.extend(self.given(Holder::Variable(target), source, own));
            }
            if own.id != self.program.entry {
                let families = self.changed_by(&command, *span).into_iter();
                more.extend(families.flat_map(|family| from_zero(self.changed[&family])));
            }
            let needs = self.pass(&mut command, own.given);
            let all = needs.into_iter().chain([command]).chain(more);
            commands.extend(all.map(|command| Instruction { command, span: *span }));
        }
        if let Terminator::Return(Some(value)) = &block.terminator {
            let given = self.given(Holder::Result(own.id), copied(self.program, value), own);
            let span = block.span;
            commands.extend(given.into_iter().map(|command| Instruction { command, span }));
        }
        Block { commands, ..block.clone() }
    }

    /// What says how far links lead from a value, where that is counted.
    fn given(&self, target: Holder, source: Option<Source>, own: &Own) -> Vec<Command> {
        let measures = self.measure.get(&target).into_iter().flatten().copied().enumerate();
        let known = self.families.inside(target, source);
        let from = known.and_then(|it| self.measure.get(&it.holder()));
        let mut commands = Vec::new();
        for (walk, measure) in measures {
            match (known, from.and_then(|it| it.get(walk))) {
                (Some(Source::Copy(..)), Some(from)) => {
                    let value = Expr::from(*from);
                    commands.push(Command::Assign { target: measure, value });
                }
                (Some(Source::Link(holder, bytes)), Some(from))
                    if self.families.goes_along(walk, (holder, bytes)) =>
                {
                    let changed = self.changed[&self.families.of[&target]];
                    commands.extend(linked(measure, (*from, changed), own.before));
                }
                _ => commands.extend(from_zero(measure)),
            }
        }
        commands
    }

    /// Hands over how far links lead from the arguments of a call; gives what comes first, if that
    /// is not known of one of them.
    fn pass(&self, command: &mut Command, given: Variable) -> Vec<Command> {
        let Command::Call { callee: Callee::Direct(callee), arguments, .. } = command else {
            return Vec::new();
        };
        let parameters = &self.program.procedure(*callee).parameters;
        let (mut measures, mut is_any) = (Vec::new(), false);
        for (parameter, argument) in parameters.iter().zip(&*arguments) {
            let parameter = Holder::Variable(*parameter);
            let n_walks = self.measure.get(&parameter).map_or(0, Vec::len);
            let source = self.families.inside(parameter, copied(self.program, argument));
            let from = source.and_then(|it| self.measure.get(&it.holder()));
            is_any |= from.is_none() && n_walks > 0;
            let from = (0..n_walks).map(|walk| from.map_or(given, |from| from[walk]));
            measures.extend(from.map(Expr::from));
        }
        arguments.extend(measures);
        if is_any { from_zero(given).to_vec() } else { Vec::new() }
    }

    /// The families whose links a command may change. A null pointer in place of a link leads
    /// nowhere.
    fn changed_by(&self, command: &Command, span: Span) -> BTreeSet<usize> {
        let is_private = |address: &Expr| {
            sum(&self.program.variables, address)
                .is_some_and(|it| self.private.contains(&it.pointer))
        };
        let members: &[MemberId] = match command {
            Command::Store { ty: ScalarType::Pointer, value: Expr::Constant(0), .. } => {
                return BTreeSet::new();
            }
            Command::Store { address, ty, .. } => {
                let members = self.open.members_at(span);
                // What is declared as a number is no link.
                let is_number = !members.is_empty() && !members.contains(&MemberId::UNITED);
                let may_be_link = match ty {
                    ScalarType::Pointer => true,
                    ScalarType::Int(kind) if kind.bits == 8 => !is_number,
                    ScalarType::Int(_) | ScalarType::Float(_) => self.open.has_unions && !is_number,
                };
                if !may_be_link || is_private(address) {
                    return BTreeSet::new();
                }
                members
            }
            Command::Fill { address, .. } | Command::Copy { target: address, .. }
                if !is_private(address) =>
            {
                &[]
            }
            Command::Unsupported { gap: Gap::Contents, .. } => &[],
            _ => return BTreeSet::new(),
        };
        self.families.with_links_at(members).collect()
    }
}

/// A pointer was found where another one points: it leads less far.
fn linked(
    measure: Variable,
    (from, changed): (Variable, Variable),
    before: Variable,
) -> Vec<Command> {
    let far = binary(BinaryOp::Add, before.into(), changed.into());
    let condition = binary(BinaryOp::Less, measure.into(), far);
    let mut commands = vec![Command::Assign { target: before, value: from.into() }];
    commands.extend(from_zero(measure));
    commands.push(Command::Assume { condition });
    commands.push(Grant::Links.command());
    commands
}

/// What a procedure has of its own.
struct Own {
    id: ProcedureId,
    /// How far links lead from an argument of which nothing is known.
    given: Variable,
    /// How far they led from where the next pointer was found.
    before: Variable,
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

/// Any number from 0 on.
fn from_zero(target: Variable) -> [Command; 2] {
    let condition = binary(BinaryOp::LessEqual, Expr::Constant(0), target.into());
    [any(target, "the way along links"), Command::Assume { condition }]
}
