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
//! Only pointers count that are compared with null somewhere: what ends elsewhere, as rings do, is
//! not what this is about. Links are changed by stores of addresses and of bytes, and by what is copied, but not in memory
//! that no other pointer leads to. Numbers of several bytes are stored where numbers lie (C11
//! 6.5p7), except that a union may hold either.

use crate::cutpoint::CallGraph;
use crate::{
    BinaryOp, Block, Callee, Command, Expr, Gap, HavocSource, Instruction, IntKind, ProcedureId,
    Program, ScalarType, Shortcut, Terminator, UnaryOp, Variable, VariableInfo,
};
use base::graph::strongly_connected_components;
use base::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What is granted of links.
const GRANTED: &str = "the links that are followed here lead to an end";

/// Adds how far links lead to a program that is about a function by itself; whether there are any.
pub(super) fn add(program: &mut Program) -> bool {
    let Some(open) = &program.open else { return false };
    let has_unions = open.has_unions;
    let calls = CallGraph::of_program(program);
    let recursive = (0..program.procedures.len()).map(ProcedureId::at);
    let recursive = recursive.filter(|it| calls.may_recurse(*it));
    let recursive = recursive.flat_map(|it| program.procedure(it).parameters.clone()).collect();
    let families = Flows::of(program).families(&compared_with_null(program), &recursive);
    if families.of.is_empty() {
        return false;
    }
    let private = private(program);
    let changed = Variable::at(program.variables.len());
    let measure = BTreeMap::new();
    Measures { program, families, private, has_unions, changed, measure }.add();
    true
}

/// So many walks are counted along different links from one pointer.
const MOST_WALKS: usize = 3;

/// Where a value is kept: in a variable, or in the result of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Variable(Variable),
    Result(ProcedureId),
}

/// How the value of a pointer is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// It is that of another one, with so many bytes added.
    Copy(Holder, i128),
    /// It is found where another one points, so many bytes behind.
    Link(Holder, i128),
}

impl Source {
    fn holder(self) -> Holder {
        match self {
            Self::Copy(from, _) | Self::Link(from, _) => from,
        }
    }
}

/// For each holder, how its values are made of others.
struct Flows(BTreeMap<Holder, Vec<Source>>);

impl Flows {
    fn of(program: &Program) -> Self {
        let mut flows = Self(BTreeMap::new());
        let summed_up = summed_up(program);
        for (index, procedure) in program.procedures.iter().enumerate() {
            for block in &procedure.blocks {
                for Instruction { command, .. } in &block.commands {
                    if let Command::Call { callee: Callee::Direct(callee), arguments, .. } = command
                    {
                        let parameters = &program.procedure(*callee).parameters;
                        let own = parameters.iter().filter(|_| !summed_up.contains(callee));
                        for (parameter, argument) in own.zip(arguments) {
                            flows.add(Holder::Variable(*parameter), copied(program, argument));
                        }
                    }
                    if let Some(target) = command.target() {
                        flows.add(Holder::Variable(target), source(program, command));
                    }
                }
                let id = ProcedureId::at(index);
                if let Terminator::Return(Some(value)) = &block.terminator
                    && !summed_up.contains(&id)
                {
                    flows.add(Holder::Result(id), copied(program, value));
                }
            }
        }
        flows
    }

    fn add(&mut self, target: Holder, source: Option<Source>) {
        self.0.entry(target).or_default().extend(source);
    }

    /// The families of pointers that are compared with null. Those of some parameters are of
    /// recursion.
    fn families(&self, compared: &BTreeSet<Variable>, recursive: &BTreeSet<Variable>) -> Families {
        let holders: Vec<Holder> = self.0.keys().copied().collect();
        let position = |holder: Holder| holders.binary_search(&holder).ok();
        let successors: Vec<Vec<usize>> = self
            .0
            .values()
            .map(|it| it.iter().filter_map(|it| position(it.holder())).collect())
            .collect();
        let components = strongly_connected_components(&successors);
        let family = |holder: Holder| position(holder).map(|it| components.of[it]);
        let mut linked = BTreeSet::new();
        for (holder, sources) in &self.0 {
            let is_link = |it: &Source| {
                matches!(it, Source::Link(..)) && family(it.holder()) == family(*holder)
            };
            linked.extend(family(*holder).filter(|_| sources.iter().any(is_link)));
        }
        let compared = compared.iter().filter_map(|it| family(Holder::Variable(*it)));
        let compared: BTreeSet<usize> = compared.collect();
        linked.retain(|it| compared.contains(it));
        let of = holders.iter().filter_map(|it| Some((*it, family(*it)?)));
        let of: BTreeMap<Holder, usize> = of.filter(|(_, it)| linked.contains(it)).collect();
        let places = self.places(&of);
        let links = self.links(&of, recursive);
        Families { of, places, links }
    }

    /// Where links lie that lead on in families without recursion.
    fn links(
        &self,
        of: &BTreeMap<Holder, usize>,
        recursive: &BTreeSet<Variable>,
    ) -> BTreeMap<Holder, Vec<i128>> {
        let family = |it: &Variable| of.get(&Holder::Variable(*it)).copied();
        let recursive: BTreeSet<usize> = recursive.iter().filter_map(family).collect();
        let mut links: BTreeMap<Holder, BTreeSet<i128>> = BTreeMap::new();
        for (target, source) in self.inside(of) {
            if let Source::Link(from, bytes) = source
                && !recursive.contains(&of[&target])
            {
                links.entry(from).or_default().insert(bytes);
            }
        }
        links.into_iter().map(|(from, all)| (from, all.into_iter().collect())).collect()
    }

    /// What is made of others of the same family, and how.
    fn inside<'a>(
        &'a self,
        of: &'a BTreeMap<Holder, usize>,
    ) -> impl Iterator<Item = (Holder, Source)> + 'a {
        let all = self.0.iter().flat_map(|(to, all)| all.iter().map(|it| (*to, *it)));
        all.filter(|(to, it)| of.contains_key(to) && of.get(to) == of.get(&it.holder()))
    }

    /// So many bytes behind a common start each holder of a family points, as copies tell.
    fn places(&self, of: &BTreeMap<Holder, usize>) -> BTreeMap<Holder, i128> {
        let mut neighbours: BTreeMap<Holder, Vec<(Holder, i128)>> = BTreeMap::new();
        for (target, source) in
            self.0.iter().flat_map(|(to, all)| all.iter().map(move |it| (to, it)))
        {
            if let Source::Copy(from, bytes) = source
                && of.contains_key(target)
                && of.get(target) == of.get(from)
            {
                neighbours.entry(*from).or_default().push((*target, *bytes));
                neighbours.entry(*target).or_default().push((*from, -bytes));
            }
        }
        let mut places = BTreeMap::new();
        for holder in of.keys() {
            let mut open = vec![(*holder, 0)];
            while let Some((holder, place)) = open.pop() {
                if places.contains_key(&holder) {
                    continue;
                }
                places.insert(holder, place);
                let next = neighbours.get(&holder).into_iter().flatten();
                open.extend(next.map(|(next, bytes)| (*next, place + bytes)));
            }
        }
        places
    }
}

/// The procedures that others stand for: calls of the two have the same arguments.
fn summed_up(program: &Program) -> BTreeSet<ProcedureId> {
    let mut found = BTreeSet::new();
    for (index, procedure) in program.procedures.iter().enumerate() {
        if let Some(Shortcut::Summary(summary)) = procedure.shortcut {
            found.extend([ProcedureId::at(index), summary]);
        }
    }
    found
}

/// The pointers of which a branch tells whether they are null.
fn compared_with_null(program: &Program) -> BTreeSet<Variable> {
    let conditions = program.blocks().filter_map(|it| match &it.terminator {
        Terminator::Branch { condition, .. } => Some(condition),
        _ => None,
    });
    let mut found = BTreeSet::new();
    for condition in conditions {
        if let Expr::Variable(variable) = condition {
            found.insert(*variable);
        }
        found.extend(condition.comparisons().filter_map(|it| match it {
            (_, Expr::Variable(variable), Expr::Constant(0))
            | (_, Expr::Constant(0), Expr::Variable(variable)) => Some(*variable),
            _ => None,
        }));
        found.extend(negated(condition));
    }
    found
}

/// The variable in `!x`.
fn negated(condition: &Expr) -> Option<Variable> {
    match condition {
        Expr::Unary(UnaryOp::Not, operand) => match &**operand {
            Expr::Variable(variable) => Some(*variable),
            _ => None,
        },
        _ => None,
    }
}

/// How the value that a command gives its target is made of a pointer.
fn source(program: &Program, command: &Command) -> Option<Source> {
    match command {
        Command::Assign { value, .. } => copied(program, value),
        Command::Load { address, ty: ScalarType::Pointer, .. } => {
            let (from, bytes) = base(program, address)?;
            Some(Source::Link(Holder::Variable(from), bytes))
        }
        Command::Call { callee: Callee::Direct(callee), .. } => {
            Some(Source::Copy(Holder::Result(*callee), 0))
        }
        _ => None,
    }
}

fn is_pointer(program: &Program, variable: Variable) -> bool {
    program.variable(variable).ty == ScalarType::Pointer
}

/// A pointer, perhaps with a small constant added.
fn copied(program: &Program, value: &Expr) -> Option<Source> {
    let pointer = |it: &Expr| match it {
        Expr::Variable(variable) if is_pointer(program, *variable) => {
            Some(Holder::Variable(*variable))
        }
        _ => None,
    };
    match value {
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let Expr::Constant(bytes) = **right else { return None };
            let bytes = i128::from(i32::try_from(bytes).ok()?);
            let bytes = if *op == BinaryOp::Add { bytes } else { -bytes };
            Some(Source::Copy(pointer(left)?, bytes))
        }
        _ => Some(Source::Copy(pointer(value)?, 0)),
    }
}

/// The only pointer that an address is made of, by sums, and the constants that are added.
fn base(program: &Program, address: &Expr) -> Option<(Variable, i128)> {
    let has_pointer = |it: &Expr| it.variables().any(|it| is_pointer(program, it));
    let behind = |(base, bytes): (Variable, i128), added: &Expr| match added {
        Expr::Constant(more) => Some((base, bytes.checked_add(*more)?)),
        _ => Some((base, bytes)),
    };
    match address {
        Expr::Variable(variable) => is_pointer(program, *variable).then_some((*variable, 0)),
        Expr::Binary(BinaryOp::Add, left, right) => match (has_pointer(left), has_pointer(right)) {
            (true, false) => behind(base(program, left)?, right),
            (false, true) => behind(base(program, right)?, left),
            _ => None,
        },
        Expr::Binary(BinaryOp::Subtract, left, right) if !has_pointer(right) => {
            let (base, bytes) = base(program, left)?;
            match **right {
                Expr::Constant(less) => Some((base, bytes.checked_sub(less)?)),
                _ => Some((base, bytes)),
            }
        }
        _ => None,
    }
}

/// The pointers that links lead round.
struct Families {
    /// The family of each of them.
    of: BTreeMap<Holder, usize>,
    /// How many bytes behind a common start it points.
    places: BTreeMap<Holder, i128>,
    /// Where the links lie that lead on from it, in bytes, by rising number; none if recursion
    /// follows all of them.
    links: BTreeMap<Holder, Vec<i128>>,
}

impl Families {
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
    /// Whether numbers may be stored where addresses lie.
    has_unions: bool,
    /// 0 as long as links are what they were, then any number from 0 on.
    changed: Variable,
    /// How far links lead, by what holds the pointer, along each walk.
    measure: BTreeMap<Holder, Vec<Variable>>,
}

const NUMBER: ScalarType = ScalarType::Int(IntKind { bits: 64, signed: true });

impl Measures<'_> {
    fn add(mut self) {
        self.variable("$links", None);
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
            let command = Command::Assign { target: self.changed, value: Expr::Constant(0) };
            first.commands.insert(0, Instruction { command, span: Span::NOWHERE });
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
            if own.id != self.program.entry && self.changes_links(&command) {
                more.extend(from_zero(self.changed));
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
                    commands.extend(self.linked(measure, *from, own.before));
                }
                _ => commands.extend(from_zero(measure)),
            }
        }
        commands
    }

    /// A pointer was found where another one points: it leads less far.
    fn linked(&self, measure: Variable, from: Variable, before: Variable) -> Vec<Command> {
        let far = binary(BinaryOp::Add, before.into(), self.changed.into());
        let condition = binary(BinaryOp::Less, measure.into(), far);
        let mut commands = vec![Command::Assign { target: before, value: from.into() }];
        commands.extend(from_zero(measure));
        commands.push(Command::Assume { condition });
        commands.push(Command::Unsupported { what: GRANTED.to_owned(), gap: Gap::Granted });
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

    /// Whether a command may change links in memory.
    fn changes_links(&self, command: &Command) -> bool {
        let is_shared = |address: &Expr| {
            base(self.program, address).is_none_or(|(it, _)| !self.private.contains(&it))
        };
        match command {
            Command::Store { address, ty, .. } => {
                let may_be_link = match ty {
                    ScalarType::Pointer => true,
                    ScalarType::Int(kind) => kind.bits == 8 || self.has_unions,
                    ScalarType::Float(_) => self.has_unions,
                };
                may_be_link && is_shared(address)
            }
            Command::Fill { address, .. } | Command::Copy { target: address, .. } => {
                is_shared(address)
            }
            Command::Unsupported { gap: Gap::Contents, .. } => true,
            _ => false,
        }
    }
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
    let source = HavocSource::Approximation("the way along links".to_owned());
    let condition = binary(BinaryOp::LessEqual, Expr::Constant(0), target.into());
    [Command::Havoc { target, source }, Command::Assume { condition }]
}
