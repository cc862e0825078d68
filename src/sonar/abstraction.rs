//! Abstraction: forget what nothing can reach, fold what only existential
//! variables point at, name every number (CAV'06 §3, Fig. 3).

use super::Machine;
use base::budget::{Budget, Exhausted};
use entail::fold::{Hints, fold};
use evidence::place::Place;
use heap::fold_precision::FoldPrecision;
use heap::products::Product;
use heap::proof::Proof;
use heap::segment::Rows;
use heap::state::{Facts, Kind, State, Store, Vocabulary};
use heap::{Atom, Block, Cell, Content, FloatingCell, SymbolicHeap, code};
use ir::links::Links;
use ir::{MemoryKind, ScalarType};
use logic::{Constraint, Integer, LinearExpr, Var};
use rules::forgetting::{collect_garbage, prune_nonzero};
use std::collections::BTreeMap;

/// More number cells than this in one block, and they are forgotten.
const MAX_NUMBER_CELLS: usize = 12;

/// The same of a table that never changes.
const MAX_TABLE_CELLS: usize = 64;

/// Folds what only existential variables point at, in a state at a place. Returns the state and how
/// each of its atoms is made up.
///
/// # Errors
/// When the budget runs out.
pub fn folded(
    machine: &Machine<'_>,
    (place, mut state): (&Place, State),
    care: FoldPrecision,
    budget: &mut Budget,
) -> Result<(State, Vec<Proof>), Exhausted> {
    let hints = Hints {
        shape_library: machine.shape_library,
        shapes: &machine.strategy.plan.shapes,
        exclusive: machine.strategy.plan.exclusive,
        links: &machine.strategy.links,
        indices: &machine.strategy.indices,
        ends: machine.strategy.ends_at(place),
    };
    if state.heap.atoms.iter().any(may_be_folded) {
        machine.strategy.has_folded.set(true);
    }
    let mut proofs = fold(&mut state, &hints, care, budget)?;
    let is_kept = collect_garbage(&mut state);
    let mut keep = is_kept.iter();
    proofs.retain(|_| keep.next().copied().unwrap_or(true));
    prune_nonzero(&mut state);
    Ok((state, proofs))
}

/// Whether a shape may stand for it: nodes are heap blocks, or hold addresses.
fn may_be_folded(atom: &Atom) -> bool {
    match atom {
        Atom::Block(block) => {
            atom.is_heap() || block.cells.iter().any(|cell| cell.ty == ScalarType::Pointer)
        }
        Atom::Instance(_) => true,
    }
}

/// The node form of an abstracted state: every number in a variable of its own,
/// so that states with the same heap graph differ in their numeric part only.
/// Variables are numbered in the order in which a walk from the program
/// variables meets them.
#[must_use]
pub fn node_form(machine: &Machine<'_>, state: &State, offsets: Offsets) -> State {
    let mut gathered = state.clone();
    let rows = match offsets {
        Offsets::Constant => Rows::Stay,
        Offsets::Named => Rows::Gather,
    };
    gathered.gather(rows, machine.program.pointer_bytes);
    let state = &gathered;
    let mut namer = Namer {
        offsets,
        pointer_bytes: machine.program.pointer_bytes,
        links: &machine.strategy.links,
        resizes: machine.strategy.resizes,
        old: state,
        vocabulary: Vocabulary::default(),
        addresses: BTreeMap::new(),
        queue: Vec::new(),
        equations: Vec::new(),
    };
    let stores = state.stores.iter().map(|store| namer.store(store, machine)).collect();
    let heap = namer.heap();
    let nonzero = state.facts.nonzero.iter().filter_map(|fact| namer.fact(fact)).collect();
    let products = state.facts.products.iter().filter_map(|it| namer.product(it)).collect();
    let shift = u32::try_from(namer.vocabulary.len()).unwrap_or(u32::MAX);
    let lift = |v: Var| LinearExpr::var(Var(v.0 + shift));
    let mut numbers = state.facts.numbers.map(lift);
    for (variable, value) in &namer.equations {
        numbers.assume(Constraint::eq(*variable, value.map(lift)));
    }
    let numbers = numbers.project_onto(&|v| v.0 < shift);
    let mut named = State {
        vocabulary: namer.vocabulary,
        stores,
        heap,
        facts: Facts { numbers, nonzero, products },
        junk: state.junk,
    };
    named.prune_values();
    named
}

/// What becomes of constant offsets of pointers into blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Offsets {
    /// They are part of the heap graph.
    Constant,
    /// They are numbers like others, so that pointers that walk through an array
    /// have one heap graph.
    Named,
}

/// Renames a state to its node form.
struct Namer<'a> {
    offsets: Offsets,
    pointer_bytes: u32,
    links: &'a Links,
    /// Whether the program makes blocks larger.
    resizes: bool,
    old: &'a State,
    vocabulary: Vocabulary,
    addresses: BTreeMap<Var, Var>,
    /// Addresses in the order in which they were met.
    queue: Vec<Var>,
    /// New variables of kind integer, and what they stand for.
    equations: Vec<(Var, LinearExpr)>,
}

impl Namer<'_> {
    fn store(&mut self, store: &Store, machine: &Machine<'_>) -> Store {
        let mut named = Store::new();
        for (variable, value) in store {
            let is_pointer = machine.type_of(*variable) == ScalarType::Pointer;
            named.push((
                *variable,
                if is_pointer { self.pointer(value) } else { self.value(value) },
            ));
        }
        named
    }

    /// A value in a slot: null and addresses keep their structure, numbers get
    /// a name.
    fn value(&mut self, value: &LinearExpr) -> LinearExpr {
        let mut addresses =
            value.terms().iter().filter(|(v, _)| self.old.vocabulary.kind(*v) != Kind::Integer);
        match (addresses.next(), addresses.next()) {
            // The address of a procedure is no number, and an integer variable is.
            _ if code::is_in(value.constant_part()) => {
                match value.as_constant().and_then(code::procedure_at) {
                    Some(_) => value.clone(),
                    None => self.vocabulary.fresh(Kind::Unknown).into(),
                }
            }
            (None, _) => self.number(value),
            (Some((address, factor)), None) if *factor == Integer::from(1) => {
                let rest = value.sub(&LinearExpr::var(*address));
                let base = self.address(*address);
                let keep = self.offsets == Offsets::Constant || !self.is_walked(*address);
                if keep && rest.as_constant().is_some() {
                    return rest.add(&base.into());
                }
                let stride = self.stride(*address, &rest);
                let steps = rest.div_exact(&stride).unwrap_or(rest);
                self.number(&steps).scale(&stride).add(&base.into())
            }
            _ => self.vocabulary.fresh(Kind::Unknown).into(),
        }
    }

    /// Whether a pointer may walk through the block at an address: it is no node
    /// of a linked structure and no scalar.
    fn is_walked(&self, address: Var) -> bool {
        let atom = self.old.block_at(address).and_then(|index| self.old.heap.atoms.get(index));
        let Some(Atom::Block(block)) = atom else { return false };
        let size = block.size.as_constant().and_then(Integer::to_i128);
        size.is_none_or(|size| {
            let n_links =
                i64::try_from(size).map_or(0, |size| self.links.n_links((block.region.sort, size)));
            size > i128::from(self.pointer_bytes) && n_links == 0
        })
    }

    /// Whether a block may be one of many sizes, of which each would make a heap graph of its own:
    /// an array of the heap in a program that makes such larger.
    fn may_grow(&self, block: &Block) -> bool {
        self.offsets == Offsets::Named
            && self.resizes
            && block.region.kind == MemoryKind::Heap
            && self.is_walked(block.base)
    }

    /// A number that divides an offset into a block now and, to judge by what the
    /// block holds, later: an index is named then, and the offset is so many
    /// times as much.
    fn stride(&self, address: Var, offset: &LinearExpr) -> Integer {
        let Some(Atom::Block(block)) =
            self.old.block_at(address).and_then(|i| self.old.heap.atoms.get(i))
        else {
            return Integer::from(1);
        };
        let mut stride = offset.content().gcd(offset.constant_part());
        for cell in &block.cells {
            stride = stride.gcd(&cell.offset.into()).gcd(&cell.ty.bytes(self.pointer_bytes).into());
        }
        if block.size.as_constant().is_none() {
            stride = stride.gcd(&block.size.content()).gcd(block.size.constant_part());
        }
        if stride.is_zero() { Integer::from(1) } else { stride }
    }

    fn pointer(&mut self, value: &LinearExpr) -> LinearExpr {
        if value.as_constant().is_some() { value.clone() } else { self.value(value) }
    }

    fn number(&mut self, value: &LinearExpr) -> LinearExpr {
        let variable = self.vocabulary.fresh(Kind::Integer);
        self.equations.push((variable, value.clone()));
        variable.into()
    }

    fn summary(&mut self, old: Var) -> Var {
        let variable = self.vocabulary.fresh(Kind::Summary);
        self.equations.push((variable, old.into()));
        variable
    }

    fn address(&mut self, old: Var) -> Var {
        if let Some(known) = self.addresses.get(&old) {
            return *known;
        }
        let new = self.vocabulary.fresh(self.old.vocabulary.kind(old));
        self.addresses.insert(old, new);
        self.queue.push(old);
        new
    }

    fn heap(&mut self) -> SymbolicHeap {
        let mut heap = SymbolicHeap::default();
        let mut done = vec![false; self.old.heap.atoms.len()];
        let mut next = 0;
        while let Some(address) = self.queue.get(next).copied() {
            next += 1;
            let old = self.old;
            for (index, atom) in old.heap.atoms.iter().enumerate() {
                if !done[index] && atom.own_addresses(old).contains(&address) {
                    done[index] = true;
                    let renamed = self.atom(atom);
                    heap.atoms.push(renamed);
                }
            }
        }
        heap
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        match atom {
            Atom::Block(block) => Atom::Block(self.block(block)),
            Atom::Instance(instance) => {
                let mut renamed = instance.clone();
                for argument in &mut renamed.arguments {
                    *argument = self.pointer(argument);
                }
                renamed.depth = self.number(&instance.depth);
                renamed.values.rename(&mut |variable| self.summary(variable));
                Atom::Instance(renamed)
            }
        }
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut renamed = block.clone();
        renamed.base = self.address(block.base);
        renamed.size = match self.may_grow(block) {
            true => self.number(&block.size),
            false => self.pointer(&block.size),
        };
        let is_number = |ty: ScalarType| matches!(ty, ScalarType::Int(_) | ScalarType::Float(_));
        let end = self.last_zero(block);
        let is_end = |cell: &Cell| end.as_ref().is_some_and(|it| it.offset == cell.offset);
        let counts = |cell: &&Cell| is_number(cell.ty) && !is_end(cell);
        let n_numbers = block.cells.iter().filter(counts).count();
        // The numbers of a table are the same in all states: they need no names.
        let is_wide = |cell: &Cell| matches!(cell.ty, ScalarType::Int(kind) if kind.bits > 8);
        let is_table = block.region.kind == MemoryKind::Constant
            && block.cells.len() <= MAX_TABLE_CELLS
            && block.cells.iter().all(is_wide);
        let n_numbers = if is_table { 0 } else { n_numbers };
        if n_numbers > MAX_NUMBER_CELLS {
            self.forget_elements(&mut renamed);
            renamed.content = Content::Arbitrary;
            if renamed.segment.as_ref().is_some_and(|segment| !segment.is_empty()) {
                renamed.segment = None;
            }
        }
        for cell in &mut renamed.cells {
            if is_table && cell.value.as_constant().is_some() {
                continue;
            }
            cell.value = if cell.ty == ScalarType::Pointer {
                self.pointer(&cell.value)
            } else {
                self.value(&cell.value)
            };
        }
        if let Some(segment) = &mut renamed.segment {
            let is_fixed = self.offsets == Offsets::Constant && segment.end.as_constant().is_some();
            if !segment.is_empty() && !is_fixed {
                segment.end = self.number(&segment.end);
            }
            segment.values.rename(&mut |variable| self.summary(variable));
        }
        for row in renamed.rows.iter_mut().filter(|row| !row.is_empty()) {
            row.first = self.number(&row.first);
            row.end = self.number(&row.end);
            if !row.room.is_zero() {
                row.room = self.number(&row.room);
            }
        }
        for element in &mut renamed.recent {
            element.offset = self.element_offset(block, element);
            element.value = self.pointer(&element.value);
        }
        // The end of a text that never changes, or of which all is known, stays where it is.
        let is_fixed = block.region.kind == MemoryKind::Constant || n_numbers <= MAX_NUMBER_CELLS;
        let (fixed, end) = if is_fixed { (end, None) } else { (None, end) };
        if let Some(zero) = fixed.filter(|it| renamed.cell(it.offset).is_none()) {
            renamed.name(zero);
        }
        let end = end.map(FloatingCell::from);
        let floating = block.floating.as_deref().cloned().or(end);
        renamed.floating = floating.map(|it| Box::new(self.floating(&it)));
        renamed
    }

    /// Forgets the longest rows of numbers of one type, until few numbers are left: these
    /// are elements, and what stands beside them are fields.
    fn forget_elements(&self, block: &mut Block) {
        let bytes = |cell: &Cell| i64::from(cell.ty.bytes(self.pointer_bytes));
        let follows = |left: &Cell, right: &Cell| {
            left.ty == right.ty && left.offset + bytes(left) == right.offset
        };
        let (pointers, numbers): (Vec<Cell>, Vec<Cell>) =
            block.cells.drain(..).partition(|cell| cell.ty == ScalarType::Pointer);
        let mut rows: Vec<&[Cell]> = numbers.chunk_by(follows).collect();
        rows.sort_by_key(|row| row.len());
        let mut n_kept = 0;
        let kept = rows.into_iter().take_while(|row| {
            n_kept += row.len();
            n_kept <= MAX_NUMBER_CELLS
        });
        block.cells = kept.flatten().cloned().chain(pointers).collect();
        block.cells.sort_by_key(|cell| cell.offset);
    }

    /// Where the text in a block ends: that stays when the other cells are forgotten, so that it is
    /// known that a string ends there.
    fn last_zero(&self, block: &Block) -> Option<Cell> {
        let behind = |it: &Cell| LinearExpr::from(it.offset + 1).sub(&block.size);
        block.text_end().filter(|it| self.old.surely_at_most_zero(&behind(it)))
    }

    /// Where an element of a row lies: its index is named.
    fn element_offset(&mut self, block: &Block, element: &FloatingCell) -> LinearExpr {
        let named = block.rows.iter().find_map(|row| Some((row, row.index_of(element)?)));
        match named {
            Some((row, index)) => {
                let index = self.number(&index);
                row.offset_of(&index)
            }
            None => self.number(&element.offset),
        }
    }

    /// An index is named, not an offset, where elements are wider than a byte.
    fn floating(&mut self, floating: &FloatingCell) -> FloatingCell {
        let offset = &floating.offset;
        let width = Integer::from(floating.ty.bytes(self.pointer_bytes));
        let stride = offset.content().gcd(offset.constant_part()).gcd(&width);
        let index = offset.div_exact(&stride).unwrap_or_else(|| offset.clone());
        FloatingCell {
            offset: self.number(&index).scale(&stride),
            ty: floating.ty,
            // That it is an end is part of the heap graph.
            value: if floating.value.is_zero() {
                LinearExpr::zero()
            } else {
                self.number(&floating.value)
            },
        }
    }

    /// A disequality in terms of the new names, if it has them all.
    fn fact(&self, fact: &LinearExpr) -> Option<LinearExpr> {
        let mut renamed = LinearExpr::constant(fact.constant_part().clone());
        for (variable, factor) in fact.terms() {
            let image = match self.addresses.get(variable) {
                Some(address) => LinearExpr::var(*address),
                None => self.named_number(*variable)?,
            };
            renamed = renamed.add(&image.scale(factor));
        }
        Some(renamed)
    }

    /// A product in terms of the new names, if it has them all. What a reduced product is gets
    /// a name where no slot holds it.
    fn product(&mut self, product: &Product) -> Option<Product> {
        let mut known = product.clone();
        if product.range.is_some() {
            known.value = LinearExpr::zero();
        }
        let mut renamed = known.in_names(&self.equations)?;
        if product.range.is_some() {
            renamed.value = self.number(&product.value);
        }
        Some(renamed)
    }

    fn named_number(&self, old: Var) -> Option<LinearExpr> {
        self.equations.iter().find_map(|(new, value)| {
            let rest = value.sub(&LinearExpr::var(old));
            let constant = rest.as_constant()?;
            Some(LinearExpr::var(*new).add_constant(-constant))
        })
    }
}
