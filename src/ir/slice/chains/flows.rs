//! How the values of pointers are made of others: by copies, and by links that are found.

use super::compared::Compared;
use super::endless::Endless;
use super::{Families, MOST_WALKS, Walk};
use crate::slice::sum::{Sum, sum};
use crate::{
    BinaryOp, Callee, Command, Expr, Grant, Instruction, ProcedureId, Program, ScalarType,
    Shortcut, Terminator, Variable,
};
use base::graph::strongly_connected_components;
use std::collections::{BTreeMap, BTreeSet};

/// Where a value is kept: in a variable, or in the result of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holder {
    Variable(Variable),
    Result(ProcedureId),
}

/// How the value of a pointer is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It is that of another one, with so many bytes added.
    Copy(Holder, i128),
    /// It is found where another one points, so many bytes behind.
    Link(Holder, i128),
}

impl Source {
    pub(super) fn holder(self) -> Holder {
        match self {
            Self::Copy(from, _) | Self::Link(from, _) => from,
        }
    }
}

/// For each holder, how its values are made of others.
pub(super) struct Flows(BTreeMap<Holder, Vec<Source>>);

impl Flows {
    pub(super) fn of(program: &Program) -> Self {
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

    /// The families of pointers that are compared with null, or whose links are where they are
    /// found, and of those that are followed by recursion and compared with nothing else. Some
    /// parameters are of recursion.
    pub(super) fn families(
        &self,
        program: &Program,
        compared: &Compared,
        recursive: &BTreeSet<Variable>,
    ) -> Families {
        let of = self.linked();
        let places = self.places(&of);
        let links = self.links(&of, &places);
        let family = |it: &Variable| of.get(&Holder::Variable(*it)).copied();
        let families = |variables: &BTreeSet<Variable>| -> BTreeSet<usize> {
            variables.iter().filter_map(family).collect()
        };
        let found_in = |it: &Variable| self.families_of(*it, (&of, &places), &links);
        let with_null: BTreeSet<usize> = compared.with_null.iter().flat_map(found_in).collect();
        let with_others = families(&compared.with_others);
        let recursion = families(recursive);
        let is_ended = |it: &usize| {
            with_null.contains(it) || (recursion.contains(it) && !with_others.contains(it))
        };
        let walks = links.iter().filter(|(it, _)| is_ended(it));
        // All together in recursion, else each by itself.
        let walks = walks.map(|(it, links)| {
            let along = |links: BTreeSet<i128>| Walk::along(links, Grant::Links);
            let each = || links.iter().take(MOST_WALKS).map(|it| along([*it].into()));
            let walks = match recursion.contains(it) {
                true => vec![along(links.clone())],
                false => each().collect(),
            };
            (*it, walks)
        });
        let walks: BTreeMap<usize, Vec<Walk>> = walks.collect();
        let endless = Endless::of(program, (&of, &walks), &found_in);
        let of = of.into_iter().filter(|(_, it)| walks.contains_key(it)).collect();
        Families { of, places, walks, endless }
    }

    /// The family that a variable is of, or a copy is of, and those whose links are where it is found.
    fn families_of(
        &self,
        variable: Variable,
        (of, places): (&BTreeMap<Holder, usize>, &BTreeMap<Holder, i128>),
        links: &BTreeMap<usize, BTreeSet<i128>>,
    ) -> BTreeSet<usize> {
        let holder = Holder::Variable(variable);
        let sources = self.0.get(&holder).into_iter().flatten();
        let found = sources.filter_map(|it| match it {
            Source::Copy(from, 0) => of.get(from).copied(),
            Source::Copy(..) => None,
            Source::Link(from, bytes) => {
                let own = of.get(from)?;
                links[own].contains(&(places[from] + bytes)).then_some(*own)
            }
        });
        found.chain(of.get(&holder).copied()).collect()
    }

    /// The pointers that links lead round, with a number for those that belong together.
    fn linked(&self) -> BTreeMap<Holder, usize> {
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
        let of = holders.iter().filter_map(|it| Some((*it, family(*it)?)));
        of.filter(|(_, it)| linked.contains(it)).collect()
    }

    /// By family, where links lie that lead on in it, in bytes behind the common start.
    fn links(
        &self,
        of: &BTreeMap<Holder, usize>,
        places: &BTreeMap<Holder, i128>,
    ) -> BTreeMap<usize, BTreeSet<i128>> {
        let mut links: BTreeMap<usize, BTreeSet<i128>> = BTreeMap::new();
        for (target, source) in self.inside(of) {
            if let Source::Link(from, bytes) = source {
                links.entry(of[&target]).or_default().insert(places[&from] + bytes);
            }
        }
        links
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

/// How the value that a command gives its target is made of a pointer.
pub(super) fn source(program: &Program, command: &Command) -> Option<Source> {
    match command {
        Command::Assign { value, .. } => copied(program, value),
        Command::Load { address, ty: ScalarType::Pointer, .. } => {
            let Sum { pointer, bytes, .. } = sum(&program.variables, address)?;
            Some(Source::Link(Holder::Variable(pointer), bytes))
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
pub(super) fn copied(program: &Program, value: &Expr) -> Option<Source> {
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
