//! Links guessed by inclusion (Andersen, "Program analysis and specialization for the C
//! programming language", 1994), where unification makes one sort of several.
//!
//! A cursor such as `struct node **at` may point at the field `items` of a list and at the field
//! `next` of a node. To unify what it points at makes lists and nodes one sort. By inclusion, the
//! cursor points at both, and each field at nodes only.

use super::{Links, Sort};
use crate::{BinaryOp, Callee, Command, Expr, MemoryKind, Program, Terminator, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// More facts than this are not looked for: shapes are then tried as unification suggests.
const MOST_FACTS: usize = 4_000;
/// So often the commands are gone through.
const MOST_ROUNDS: usize = 24;

/// Blocks, named by the variable that receives their addresses.
type Object = Variable;
/// A place in such blocks.
type Position = (Object, i64);

/// What holds an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Variable(Variable),
    Field(Position),
}

#[derive(Default)]
struct Inclusion {
    targets: BTreeMap<Holder, BTreeSet<Position>>,
    /// The kind and the sizes of blocks.
    objects: BTreeMap<Object, (MemoryKind, BTreeSet<i64>)>,
    n_facts: usize,
}

/// The links of a program, if more sorts of heap blocks are told apart than in `coarse`.
pub(super) fn finer(program: &Program, coarse: &Links) -> Option<Links> {
    let mut inclusion = Inclusion::default();
    inclusion.note_objects(program);
    inclusion.saturate(program)?;
    let class_of = inclusion.classes();
    let mut known: BTreeMap<Sort, Object> = BTreeMap::new();
    let is_finer = inclusion.heap_objects().any(|(object, _)| {
        let first = *known.entry(coarse.sort_of(*object)).or_insert(*object);
        class_of.get(&first) != class_of.get(object)
    });
    is_finer.then(|| inclusion.links(program.variables.len(), &class_of))
}

impl Inclusion {
    fn note_objects(&mut self, program: &Program) {
        for command in commands(program) {
            if let Command::Allocate { target, size, kind, .. } = command {
                let known = self.objects.entry(*target).or_insert((*kind, BTreeSet::new()));
                if let Expr::Constant(size) = size
                    && let Ok(size) = i64::try_from(*size)
                {
                    known.1.insert(size);
                }
                self.include(Holder::Variable(*target), [(*target, 0)].into());
            }
        }
    }

    fn heap_objects(&self) -> impl Iterator<Item = (&Object, &BTreeSet<i64>)> {
        let objects = self.objects.iter();
        objects
            .filter(|(_, (kind, _))| *kind == MemoryKind::Heap)
            .map(|(it, (_, sizes))| (it, sizes))
    }

    /// Whether a place may be in a block of its size, or where no size is known.
    fn is_inside(&self, (object, offset): Position) -> bool {
        let sizes = self.objects.get(&object).map(|(_, sizes)| sizes);
        offset >= 0 && sizes.is_some_and(|it| it.last().is_none_or(|most| offset < *most))
    }

    fn include(&mut self, holder: Holder, found: BTreeSet<Position>) {
        let known = self.targets.entry(holder).or_default();
        let n_before = known.len();
        known.extend(found);
        self.n_facts += known.len() - n_before;
    }

    fn targets_of(&self, holder: Holder) -> BTreeSet<Position> {
        self.targets.get(&holder).cloned().unwrap_or_default()
    }

    /// Where a value may point.
    fn positions(&self, expr: &Expr) -> BTreeSet<Position> {
        let moved = |base: &Expr, by: Option<i128>| -> BTreeSet<Position> {
            let Some(by) = by.and_then(|by| i64::try_from(by).ok()) else { return BTreeSet::new() };
            let there = self.positions(base).into_iter();
            let there = there.filter_map(|(it, at)| Some((it, at.checked_add(by)?)));
            there.filter(|it| self.is_inside(*it)).collect()
        };
        match expr {
            Expr::Variable(variable) => self.targets_of(Holder::Variable(*variable)),
            Expr::Wrap(_, inner) => self.positions(inner),
            Expr::Binary(operator, left, right) => match (operator, &**left, &**right) {
                (BinaryOp::Add, base, Expr::Constant(by))
                | (BinaryOp::Add, Expr::Constant(by), base) => moved(base, Some(*by)),
                (BinaryOp::Subtract, base, Expr::Constant(by)) => moved(base, by.checked_neg()),
                _ => BTreeSet::new(),
            },
            Expr::Constant(_) | Expr::Procedure(_) | Expr::Unary(..) => BTreeSet::new(),
        }
    }

    /// Goes through the commands until nothing is new.
    fn saturate(&mut self, program: &Program) -> Option<()> {
        for _ in 0..MOST_ROUNDS {
            let n_before = self.n_facts;
            for command in commands(program) {
                self.command(program, command);
                if self.n_facts > MOST_FACTS {
                    return None;
                }
            }
            if self.n_facts == n_before {
                return Some(());
            }
        }
        None
    }

    fn command(&mut self, program: &Program, command: &Command) {
        match command {
            Command::Assign { target, value } => {
                self.include(Holder::Variable(*target), self.positions(value));
            }
            Command::Load { target, address, .. } => {
                for field in self.positions(address) {
                    self.include(Holder::Variable(*target), self.targets_of(Holder::Field(field)));
                }
            }
            Command::Store { address, value, .. } => {
                let value = self.positions(value);
                for field in self.positions(address) {
                    self.include(Holder::Field(field), value.clone());
                }
            }
            Command::Copy { target, source, .. } => {
                let sources = self.positions(source);
                for target in self.positions(target) {
                    sources.iter().for_each(|source| self.copy(target, *source));
                }
            }
            Command::Call { target, callee: Callee::Direct(id), arguments } => {
                for entered in program.entered(*id) {
                    let callee = program.procedure(entered);
                    for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                        self.include(Holder::Variable(*parameter), self.positions(argument));
                    }
                    for block in &callee.blocks {
                        if let (Some(target), Terminator::Return(Some(value))) =
                            (target, &block.terminator)
                        {
                            self.include(Holder::Variable(*target), self.positions(value));
                        }
                    }
                }
            }
            Command::Allocate { .. }
            | Command::Measure { .. }
            | Command::Call { .. }
            | Command::Havoc { .. }
            | Command::Free { .. }
            | Command::Fill { .. }
            | Command::Assume { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => {}
        }
    }

    /// The fields behind one place get what those behind another hold.
    fn copy(&mut self, target: Position, source: Position) {
        let fields: Vec<(i64, BTreeSet<Position>)> = self
            .fields_of(source.0)
            .filter(|(at, _)| *at >= source.1)
            .map(|(at, there)| (at - source.1, there.clone()))
            .collect();
        for (distance, there) in fields {
            if let Some(at) = target.1.checked_add(distance)
                && self.is_inside((target.0, at))
            {
                self.include(Holder::Field((target.0, at)), there);
            }
        }
    }

    fn fields_of(&self, object: Object) -> impl Iterator<Item = (i64, &BTreeSet<Position>)> {
        let all = Holder::Field((object, i64::MIN))..=Holder::Field((object, i64::MAX));
        self.targets.range(all).filter_map(|(holder, there)| match holder {
            Holder::Field((_, at)) => Some((*at, there)),
            Holder::Variable(_) => None,
        })
    }

    /// A class for each kind of blocks: what one field of a heap block may point at is of one
    /// class.
    fn classes(&self) -> BTreeMap<Object, Object> {
        let mut class_of: BTreeMap<Object, Object> =
            self.objects.keys().map(|object| (*object, *object)).collect();
        let heap: Vec<Object> = self.heap_objects().map(|(object, _)| *object).collect();
        for object in heap {
            for (_, there) in self.fields_of(object) {
                let mut classes = there.iter().filter_map(|(it, _)| class_of.get(it).copied());
                let Some(first) = classes.next() else { continue };
                let others: BTreeSet<Object> = classes.collect();
                for class in class_of.values_mut() {
                    if others.contains(class) {
                        *class = first;
                    }
                }
            }
        }
        class_of
    }

    fn links(&self, n_variables: usize, class_of: &BTreeMap<Object, Object>) -> Links {
        let class = |object: &Object| class_of.get(object).copied();
        let sort = |object: &Object| Sort(class(object).map_or(0, |class| class.0 + 1));
        let sorts = (0..n_variables).map(|it| sort(&Variable::at(it))).collect();
        let mut links = Links { sorts, ..Links::default() };
        let mut n_links: BTreeMap<Object, BTreeSet<i64>> = BTreeMap::new();
        let stays = |object: &Object, there: &BTreeSet<Position>| {
            there.iter().any(|(it, _)| class(it) == class(object))
        };
        for object in self.objects.keys() {
            for (at, there) in self.fields_of(*object) {
                if let (true, Some(class)) = (stays(object, there), class(object)) {
                    n_links.entry(class).or_default().insert(at);
                }
            }
        }
        for (object, (_, sizes)) in &self.objects {
            for size in sizes {
                let fields = links.by_sort.entry((sort(object), *size)).or_default();
                for (at, there) in self.fields_of(*object) {
                    let owned = there.iter().filter_map(|(it, _)| n_links.get(&class(it)?));
                    if stays(object, there) {
                        fields.links.insert(at);
                        let own = there.iter().filter(|(it, _)| class(it) == class(object));
                        fields.places.extend(own.map(|(_, place)| *place));
                    } else if let Some(most) = owned.map(BTreeSet::len).max() {
                        fields.add_owner(at, most);
                    } else if !there.is_empty() {
                        fields.plain.insert(at);
                    }
                }
            }
        }
        links
    }
}

fn commands(program: &Program) -> impl Iterator<Item = &Command> {
    let blocks = program.blocks();
    blocks.flat_map(|it| &it.commands).map(|it| &it.command)
}
