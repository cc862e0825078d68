//! What variables get their values from, and which are always so many bytes behind another one.

use crate::cutpoint::CallGraph;
use crate::{BinaryOp, Callee, Command, Expr, Instruction, Program, Shortcut, Variable};
use std::collections::BTreeSet;

/// What a variable is defined by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Defined {
    /// Nothing that was seen yet.
    Never,
    /// So many bytes behind a root.
    At(Variable, i128),
    /// Something else.
    Otherwise,
}

impl Defined {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, it) | (it, Self::Never) => it,
            (one, other) if one == other => one,
            _ => Self::Otherwise,
        }
    }
}

/// Whether a variable has a value when the function is called.
pub(super) fn comes_in(program: &Program, variable: Variable) -> bool {
    let Some(open) = &program.open else { return false };
    let is_global = program.variable(variable).owner.is_none();
    is_global || program.procedure(open.procedure).parameters.contains(&variable)
}

/// How a variable gets a value.
pub(super) enum Definition {
    /// That of another one with so many bytes added.
    Place(Variable, i128),
    /// The address of a new block.
    Made,
    /// Another one.
    Other,
}

impl Definition {
    pub(super) fn by(value: &Expr) -> Self {
        match value {
            Expr::Variable(from) => Self::Place(*from, 0),
            Expr::Binary(BinaryOp::Add, left, right) => match (&**left, &**right) {
                (Expr::Variable(from), Expr::Constant(bytes)) => Self::Place(*from, *bytes),
                _ => Self::Other,
            },
            _ => Self::Other,
        }
    }
}

/// How variables get values, but at the start.
pub(super) fn definitions(program: &Program) -> Vec<Vec<Definition>> {
    let calls = CallGraph::of_program(program);
    let mut found: Vec<Vec<Definition>> = Vec::new();
    found.resize_with(program.variables.len(), Vec::new);
    let taken = calls.called_through_pointers().iter();
    let stands_for = program.procedures.iter().filter_map(|it| match it.shortcut {
        Some(Shortcut::Summary(summary)) => Some(summary),
        _ => None,
    });
    for procedure in taken.copied().chain(stands_for) {
        for parameter in &program.procedure(procedure).parameters {
            found[parameter.index()].push(Definition::Other);
        }
    }
    for (index, procedure) in program.procedures.iter().enumerate() {
        // What comes in is told by the entry.
        if program.open.is_some() && index == program.entry.index() {
            continue;
        }
        for Instruction { command, .. } in procedure.blocks.iter().flat_map(|it| &it.commands) {
            match command {
                Command::Assign { target, value } => {
                    found[target.index()].push(Definition::by(value));
                }
                Command::Call { target, callee, arguments } => {
                    if let Callee::Direct(callee) = callee {
                        let parameters = &program.procedure(*callee).parameters;
                        for (parameter, argument) in parameters.iter().zip(arguments) {
                            found[parameter.index()].push(Definition::by(argument));
                        }
                    }
                    if let Some(target) = target {
                        found[target.index()].push(Definition::Other);
                    }
                }
                Command::Allocate { target, .. } => found[target.index()].push(Definition::Made),
                other => {
                    if let Some(target) = other.target() {
                        found[target.index()].push(Definition::Other);
                    }
                }
            }
        }
    }
    // What comes in and gets another value later is either.
    for (index, definitions) in found.iter_mut().enumerate() {
        if !definitions.is_empty() && comes_in(program, Variable::at(index)) {
            definitions.push(Definition::Other);
        }
    }
    found
}

/// Which variables are always so many bytes behind one of these, which come in or are made once.
pub(super) fn places(
    definitions: &[Vec<Definition>],
    roots: &BTreeSet<Variable>,
) -> Vec<Option<(Variable, i128)>> {
    // What nothing gives a value may have come in.
    let first = |it: &Vec<Definition>| match it.is_empty() {
        true => Defined::Otherwise,
        false => Defined::Never,
    };
    let mut places: Vec<Defined> = definitions.iter().map(first).collect();
    for root in roots {
        places[root.index()] = Defined::At(*root, 0);
    }
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for (index, sources) in definitions.iter().enumerate() {
            if roots.contains(&Variable::at(index)) {
                continue;
            }
            let mut place = places[index];
            for source in sources {
                let at = match *source {
                    Definition::Place(from, bytes) => match places[from.index()] {
                        Defined::At(root, more) => Defined::At(root, more + bytes),
                        other => other,
                    },
                    Definition::Made | Definition::Other => Defined::Otherwise,
                };
                place = place.and(at);
            }
            is_changed |= place != places[index];
            places[index] = place;
        }
    }
    let known = |it: Defined| match it {
        Defined::At(root, bytes) => Some((root, bytes)),
        Defined::Never | Defined::Otherwise => None,
    };
    places.into_iter().map(known).collect()
}
