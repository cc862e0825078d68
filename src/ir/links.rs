//! Which fields link blocks of one kind, guessed by unification (Steensgaard,
//! "Points-to analysis in almost linear time", POPL 1996), with offsets.
//!
//! Every variable and every field points into one *class* of blocks, at a fixed
//! distance; assignments unify. A field that points into its own class is a link
//! (`next`, `left`), one that points into another class of linked blocks owns
//! them (`list->items`). Nothing rests on the answer but which shapes are tried.

mod inclusion;

use super::allocators::allocators;
use super::open::{LayoutId, OpenEntry};
use super::{
    Callee, Command, Expr, Procedure, ProcedureId, Program, ScalarType, Terminator, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// The fields that link blocks, by the blocks' sort and size.
#[derive(Clone, Debug, Default)]
pub struct Links {
    by_sort: BTreeMap<SizedSort, Fields>,
    /// The sorts of what variables point at, by variable.
    sorts: Vec<Sort>,
}

/// What new blocks are called, and where a name is given to a null pointer in them. Any names are
/// right: they tell blocks apart that are made at different places.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By variable, the sort of what is allocated for it.
    sorts: Vec<Sort>,
    /// By blocks, the fields whose null pointers get names.
    pointers: BTreeMap<SizedSort, BTreeSet<i64>>,
}

impl Names {
    /// The sort of the blocks that are allocated for a variable.
    #[must_use]
    pub fn sort_of(&self, variable: Variable) -> Sort {
        self.sorts.get(variable.index()).copied().unwrap_or_default()
    }

    /// The fields of these blocks whose null pointers get names.
    pub fn pointers_of(&self, blocks: SizedSort) -> impl Iterator<Item = i64> {
        self.pointers.get(&blocks).into_iter().flatten().copied()
    }
}

/// A sort of blocks: those of different sorts are never linked with each other.
/// It is a name that each allocation gives its block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sort(pub u32);

/// A sort and a number of bytes.
pub type SizedSort = (Sort, i64);

#[derive(Clone, Debug, Default)]
struct Fields {
    links: BTreeSet<i64>,
    /// Where in the blocks the links point.
    places: BTreeSet<i64>,
    /// Fields that point at linked blocks of other kinds, and how many links those
    /// have.
    owners: BTreeMap<i64, usize>,
    /// Fields that point at blocks without links.
    plain: BTreeSet<i64>,
    /// Fields that are read or written as pointers, wherever these point.
    pointers: BTreeSet<i64>,
}

impl Links {
    /// What the commands of a program suggest.
    #[must_use]
    pub fn of_program(program: &Program) -> Self {
        let mut classes = Classes::new(program.variables.len());
        let pointers = program.variables.iter().enumerate();
        let pointers = pointers.filter(|(_, it)| it.ty == ScalarType::Pointer);
        classes.addresses = pointers.map(|(index, _)| Variable::at(index)).collect();
        classes.constants = constants(program);
        classes.allocators = allocators(program, &classes.constants);
        for procedure in &program.procedures {
            let commands = procedure.blocks.iter().flat_map(|block| &block.commands);
            commands.for_each(|it| classes.command(program, &it.command));
        }
        let links = classes.finish(program.variables.len());
        let Some(open) = &program.open else { return links };
        let mut links = links.without_sorts();
        links.add_types(open);
        links
    }

    /// The same with more sorts of heap blocks told apart, if there are more: what one pointer may
    /// point at is then not all of one sort.
    #[must_use]
    pub fn finer(&self, program: &Program) -> Option<Self> {
        if program.open.is_some() {
            return None;
        }
        let mut finer = inclusion::finer(program, self)?;
        finer.add_pointers_of(self);
        Some(finer)
    }

    /// The same where blocks that no command allocates, of which no sort is known,
    /// may be linked with others: all blocks are of one sort.
    #[must_use]
    pub fn without_sorts(self) -> Self {
        let mut merged = Self::default();
        for ((_, size), fields) in self.by_sort {
            let all = merged.by_sort.entry((Sort::default(), size)).or_default();
            all.links.extend(fields.links);
            all.places.extend(fields.places);
            for (offset, n_links) in fields.owners {
                all.add_owner(offset, n_links);
            }
            all.plain.extend(fields.plain);
            all.pointers.extend(fields.pointers);
        }
        merged
    }

    /// The fields that may link objects by their types.
    fn add_types(&mut self, open: &OpenEntry) {
        for (index, layout) in open.layouts.iter().enumerate() {
            let fields = self.by_sort.entry((Sort::default(), layout.bytes)).or_default();
            for field in &layout.pointers {
                match field.target {
                    Some(target) if target == LayoutId::at(index) => {
                        fields.links.insert(field.offset);
                    }
                    Some(target) => match open.links(target).count() {
                        0 => {}
                        n_links => fields.add_owner(field.offset, n_links),
                    },
                    None => {}
                }
            }
        }
    }

    /// The sort of the blocks that a variable points at.
    #[must_use]
    pub fn sort_of(&self, variable: Variable) -> Sort {
        self.sorts.get(variable.index()).copied().unwrap_or_default()
    }

    /// Whether the field at an offset of these blocks may link them to
    /// others of their kind; so may any where such blocks were never allocated.
    #[must_use]
    pub fn may_link(&self, blocks: SizedSort, offset: i64) -> bool {
        self.by_sort.get(&blocks).is_none_or(|fields| fields.links.contains(&offset))
    }

    /// Whether some blocks have so many links, and so many owners of other blocks
    /// with at least `n_owned` links.
    #[must_use]
    pub fn have_room(&self, n_links: usize, n_owners: usize, n_owned: usize) -> bool {
        let has_room = |fields: &Fields| {
            let owners = fields.owners.values().filter(|owned| **owned >= n_owned);
            fields.links.len() >= n_links && owners.count() >= n_owners
        };
        self.by_sort.is_empty() || self.by_sort.values().any(has_room)
    }

    /// Whether the links of some blocks point at different places in these.
    #[must_use]
    pub fn lead_to_places(&self) -> bool {
        self.by_sort.is_empty() || self.by_sort.values().any(|fields| fields.places.len() > 1)
    }

    /// Whether some blocks have so many fields that hold addresses of blocks.
    #[must_use]
    pub fn have_addresses(&self, n_fields: usize) -> bool {
        let has_room = |fields: &Fields| {
            fields.links.len() + fields.owners.len() + fields.plain.len() >= n_fields
        };
        self.by_sort.is_empty() || self.by_sort.values().any(has_room)
    }

    /// Whether some blocks have so many links, and fields that point at blocks
    /// without links.
    #[must_use]
    pub fn have_room_for_blocks(&self, n_links: usize, n_owners: usize) -> bool {
        let has_room =
            |fields: &Fields| fields.links.len() >= n_links && fields.plain.len() >= n_owners;
        self.by_sort.is_empty() || self.by_sort.values().any(has_room)
    }

    /// Whether the field may own blocks without links.
    #[must_use]
    pub fn may_hold(&self, blocks: SizedSort, offset: i64) -> bool {
        self.by_sort.get(&blocks).is_none_or(|fields| fields.plain.contains(&offset))
    }

    /// The fields of these blocks that link them.
    pub fn links_of(&self, blocks: SizedSort) -> impl Iterator<Item = i64> {
        self.by_sort.get(&blocks).into_iter().flat_map(|fields| fields.links.iter().copied())
    }

    /// What is called so that links are seen: blocks by their sorts, and null pointers in blocks
    /// that are linked.
    #[must_use]
    pub fn names(&self) -> Names {
        let linked = self.by_sort.iter().filter(|(_, fields)| !fields.links.is_empty());
        let pointers = linked.map(|(blocks, fields)| (*blocks, fields.pointers.clone()));
        Names { sorts: self.sorts.clone(), pointers: pointers.collect() }
    }

    /// Notes what fields of blocks of the same size are pointers by other links.
    fn add_pointers_of(&mut self, others: &Self) {
        for ((_, size), fields) in &mut self.by_sort {
            let alike = others.by_sort.iter().filter(|((_, other), _)| other == size);
            fields.pointers.extend(alike.flat_map(|(_, other)| &other.pointers));
        }
    }

    /// How many fields link these blocks.
    #[must_use]
    pub fn n_links(&self, blocks: SizedSort) -> usize {
        self.by_sort.get(&blocks).map_or(0, |fields| fields.links.len())
    }

    /// Whether the field may own blocks of another kind with so many links.
    #[must_use]
    pub fn may_own(&self, blocks: SizedSort, offset: i64, n_owned: usize) -> bool {
        self.by_sort
            .get(&blocks)
            .is_none_or(|fields| fields.owners.get(&offset).is_some_and(|owned| *owned >= n_owned))
    }
}

impl Fields {
    fn add_owner(&mut self, offset: i64, n_links: usize) {
        let known = self.owners.entry(offset).or_default();
        *known = n_links.max(*known);
    }
}

/// A place that holds an address: a program variable or a field.
type Holder = usize;
/// A class of blocks; a representative or not.
type Class = usize;

/// A position in the blocks of a class.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Position {
    class: Class,
    offset: i64,
}

struct Classes {
    /// Where each class lies in the one that it was merged into.
    parents: Vec<Option<Position>>,
    fields: Vec<BTreeMap<i64, Holder>>,
    /// Start and size of the blocks allocated; no size where it is not constant.
    blocks: Vec<BTreeSet<(i64, Option<i64>)>>,
    /// The variables that are pointers.
    addresses: BTreeSet<Variable>,
    /// The variables that hold one constant only.
    constants: BTreeMap<Variable, i128>,
    /// Procedures that allocate blocks of all kinds.
    allocators: BTreeSet<ProcedureId>,
    /// Where the holders point.
    targets: Vec<Position>,
    /// Fields that are read or written as pointers.
    pointers: BTreeSet<Holder>,
    /// Fields that one pointer reads.
    shared: BTreeSet<(Holder, Holder)>,
    /// Pairs of positions still to be unified.
    pending: Vec<(Position, Position)>,
}

impl Classes {
    fn new(n_variables: usize) -> Self {
        let mut classes = Self {
            parents: Vec::new(),
            fields: Vec::new(),
            blocks: Vec::new(),
            addresses: BTreeSet::new(),
            constants: BTreeMap::new(),
            allocators: BTreeSet::new(),
            targets: Vec::new(),
            pointers: BTreeSet::new(),
            shared: BTreeSet::new(),
            pending: Vec::new(),
        };
        (0..n_variables).for_each(|_| {
            classes.fresh_holder();
        });
        classes
    }

    fn fresh_holder(&mut self) -> Holder {
        self.parents.push(None);
        self.fields.push(BTreeMap::new());
        self.blocks.push(BTreeSet::new());
        self.targets.push(Position { class: self.parents.len() - 1, offset: 0 });
        self.targets.len() - 1
    }

    fn find(&self, mut position: Position) -> Position {
        while let Some(parent) = self.parents[position.class] {
            position = Position {
                class: parent.class,
                offset: parent.offset.wrapping_add(position.offset),
            };
        }
        position
    }

    fn target(&self, holder: Holder) -> Position {
        self.find(self.targets[holder])
    }

    fn field(&mut self, position: Position) -> Holder {
        if let Some(known) = self.fields[position.class].get(&position.offset) {
            return *known;
        }
        let holder = self.fresh_holder();
        self.fields[position.class].insert(position.offset, holder);
        holder
    }

    fn unify(&mut self, one: Position, other: Position) {
        self.pending.push((one, other));
        while let Some((one, other)) = self.pending.pop() {
            let (one, other) = (self.find(one), self.find(other));
            if one.class != other.class {
                self.merge(one, other);
            } else if one.offset != other.offset {
                self.share(one, other);
            }
        }
    }

    /// The field at a position, where something of a type is read or written.
    fn accessed(&mut self, position: Position, ty: ScalarType) -> Holder {
        let field = self.field(position);
        if ty == ScalarType::Pointer {
            self.pointers.insert(field);
        }
        field
    }

    /// A pointer may be at both places of a class: what is read there goes to the
    /// same holder.
    fn share(&mut self, one: Position, other: Position) {
        let (left, right) = (self.field(one), self.field(other));
        if self.shared.insert((left, right)) {
            self.pending.push((self.targets[left], self.targets[right]));
        }
    }

    /// Makes two representatives one; fields at one place hold the same.
    fn merge(&mut self, one: Position, other: Position) {
        let shift = one.offset.wrapping_sub(other.offset);
        self.parents[other.class] = Some(Position { class: one.class, offset: shift });
        let blocks = std::mem::take(&mut self.blocks[other.class]);
        let moved = blocks.into_iter().map(|(start, size)| (start.wrapping_add(shift), size));
        self.blocks[one.class].extend(moved);
        for (offset, holder) in std::mem::take(&mut self.fields[other.class]) {
            match self.fields[one.class].entry(offset.wrapping_add(shift)) {
                std::collections::btree_map::Entry::Occupied(known) => {
                    if self.pointers.contains(&holder) {
                        self.pointers.insert(*known.get());
                    }
                    let (known, found) = (self.targets[*known.get()], self.targets[holder]);
                    self.pending.push((known, found));
                }
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert(holder);
                }
            }
        }
    }

    /// Where the value of an expression points, if it is a variable's and a
    /// constant.
    fn position(&self, expr: &Expr) -> Option<Position> {
        use super::BinaryOp::{Add, Subtract};
        let moved = |at: Position, by: i128| {
            let by = i64::try_from(by).ok()?;
            Some(Position { class: at.class, offset: at.offset.checked_add(by)? })
        };
        match expr {
            Expr::Variable(variable) => Some(self.target(variable.index())),
            Expr::Wrap(_, inner) => self.position(inner),
            Expr::Binary(operator, left, right) => match (operator, &**left, &**right) {
                (Add, base, Expr::Constant(by)) | (Add, Expr::Constant(by), base) => {
                    moved(self.position(base)?, *by)
                }
                (Subtract, base, Expr::Constant(by)) => moved(self.position(base)?, -*by),
                // All elements of an array are taken for its first one.
                (Add, base, index) | (Add, index, base)
                    if self.is_address(base) && !self.is_address(index) =>
                {
                    self.position(base)
                }
                _ => None,
            },
            Expr::Constant(_) | Expr::Procedure(_) | Expr::Unary(..) => None,
        }
    }

    /// Whether an expression is a pointer, perhaps moved by numbers.
    fn is_address(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Variable(variable) => self.addresses.contains(variable),
            Expr::Binary(_, left, right) => self.is_address(left) || self.is_address(right),
            Expr::Wrap(_, inner) | Expr::Unary(_, inner) => self.is_address(inner),
            Expr::Constant(_) | Expr::Procedure(_) => false,
        }
    }

    fn assign(&mut self, target: Variable, value: &Expr) {
        if let Some(value) = self.position(value) {
            let target = self.target(target.index());
            self.unify(target, value);
        }
    }

    fn command(&mut self, program: &Program, command: &Command) {
        match command {
            Command::Assign { target, value } => self.assign(*target, value),
            Command::Load { target, address, ty } => {
                let Some(address) = self.position(address) else { return };
                let field = self.accessed(address, *ty);
                self.unify(self.targets[target.index()], self.targets[field]);
            }
            Command::Store { address, value, ty } => {
                let Some((address, value)) = self.position(address).zip(self.position(value))
                else {
                    return;
                };
                let field = self.accessed(address, *ty);
                self.unify(self.targets[field], value);
            }
            Command::Allocate { target, size, .. } => self.allocated(*target, size),
            Command::Copy { target, source, .. } => {
                if let Some((target, source)) = self.position(target).zip(self.position(source)) {
                    self.unify(target, source);
                }
            }
            Command::Call { target, callee: Callee::Direct(id), arguments }
                if !self.allocators.contains(id) =>
            {
                for entered in program.entered(*id) {
                    self.call(program.procedure(entered), *target, arguments);
                }
            }
            // What goes through function pointers is kept apart: functions that take
            // such are used for blocks of different kinds. The result may be a new block,
            // as large as an argument says. So is that of an allocator.
            Command::Call { target, arguments, .. } => {
                if let Some(target) = target {
                    arguments.iter().for_each(|size| self.allocated(*target, size));
                }
            }
            Command::Measure { .. }
            | Command::Havoc { .. }
            | Command::Free { .. }
            | Command::Fill { .. }
            | Command::Assume { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => {}
        }
    }

    /// Notes that a variable points at a block of a size.
    fn allocated(&mut self, target: Variable, size: &Expr) {
        let size = match size {
            Expr::Constant(size) => Some(*size),
            Expr::Variable(variable) => self.constants.get(variable).copied(),
            _ => None,
        };
        let start = self.target(target.index());
        let size = size.and_then(|size| i64::try_from(size).ok());
        self.blocks[start.class].insert((start.offset, size));
    }

    fn call(&mut self, callee: &Procedure, target: Option<Variable>, arguments: &[Expr]) {
        for (parameter, argument) in callee.parameters.iter().zip(arguments) {
            self.assign(*parameter, argument);
        }
        let Some(target) = target else { return };
        for block in &callee.blocks {
            if let Terminator::Return(Some(value)) = &block.terminator {
                self.assign(target, value);
            }
        }
    }

    fn finish(&self, n_variables: usize) -> Links {
        let mut links = Links::default();
        let mut numbers: BTreeMap<Class, u32> = BTreeMap::new();
        let mut number = |class: Class| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            Sort(*numbers.entry(class).or_insert(next.saturating_add(1)))
        };
        links.sorts = (0..n_variables).map(|it| number(self.target(it).class)).collect();
        let n_links = |class: Class| {
            let holders = self.fields[class].values();
            holders.filter(|holder| self.target(**holder).class == class).count()
        };
        for (class, blocks) in self.blocks.iter().enumerate() {
            let sized = blocks.iter().filter_map(|(start, size)| Some((start, (*size)?)));
            for (start, size) in sized {
                let fields = links.by_sort.entry((number(class), size)).or_default();
                for (offset, holder) in &self.fields[class] {
                    let Position { class: target, offset: place } = self.target(*holder);
                    let offset = offset.wrapping_sub(*start);
                    if self.pointers.contains(holder) {
                        fields.pointers.insert(offset);
                    }
                    if target == class {
                        fields.links.insert(offset);
                        fields.places.insert(place.wrapping_sub(*start));
                    } else if n_links(target) > 0 {
                        // Who allocates these is not known here, nor all their links.
                        let mut blocks = self.blocks[target].iter();
                        let is_foreign = blocks.all(|(_, size)| size.is_none());
                        fields.add_owner(
                            offset,
                            if is_foreign { usize::MAX } else { n_links(target) },
                        );
                    } else if !self.blocks[target].is_empty() {
                        fields.plain.insert(offset);
                    }
                }
            }
        }
        links
    }
}

/// The variables that are written once in the program, and their constants.
fn constants(program: &Program) -> BTreeMap<Variable, i128> {
    let mut written: BTreeMap<Variable, Option<i128>> = BTreeMap::new();
    let procedures = program.procedures.iter();
    let parameters = procedures.clone().flat_map(|procedure| &procedure.parameters);
    written.extend(parameters.map(|parameter| (*parameter, None)));
    let blocks = procedures.flat_map(|procedure| &procedure.blocks);
    for instruction in blocks.flat_map(|block| &block.commands) {
        let Some(target) = instruction.command.target() else { continue };
        let value = match &instruction.command {
            Command::Assign { value: Expr::Constant(value), .. } => Some(*value),
            _ => None,
        };
        written.entry(target).and_modify(|known| *known = None).or_insert(value);
    }
    written.into_iter().filter_map(|(variable, value)| Some((variable, value?))).collect()
}

#[cfg(test)]
#[path = "links_tests.rs"]
mod tests;
