//! How the values of pointers are made of others: by copies, and by links that are found.

use super::Families;
use super::compared::Compared;
use crate::slice::sum::{Sum, sum};
use crate::{
    BinaryOp, Callee, Command, Expr, Instruction, ProcedureId, Program, ScalarType, Shortcut,
    Terminator, Variable,
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

    /// The families of pointers that are compared with null, or are followed by recursion and
    /// compared with nothing else. Some parameters are of recursion.
    pub(super) fn families(&self, compared: &Compared, recursive: &BTreeSet<Variable>) -> Families {
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
        let families = |variables: &BTreeSet<Variable>| -> BTreeSet<usize> {
            variables.iter().filter_map(|it| family(Holder::Variable(*it))).collect()
        };
        let with_null = families(&compared.with_null);
        let with_others = families(&compared.with_others);
        let recursion = families(recursive);
        linked.retain(|it| {
            with_null.contains(it) || (recursion.contains(it) && !with_others.contains(it))
        });
        let of = holders.iter().filter_map(|it| Some((*it, family(*it)?)));
        let of: BTreeMap<Holder, usize> = of.filter(|(_, it)| linked.contains(it)).collect();
        let places = self.places(&of);
        let links = self.links(&of, recursive);
        Families { of, places, links, members: BTreeMap::new() }
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
