//! Sets of states at one place: what each variable and each cell may hold.

use super::Escape;
use super::memory::{Block, Possible};
use super::strided::Strided;
use concrete::memory::MemoryBlockId;
use concrete::state::State;
use ir::expr::ScalarType;
use ir::{Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// How many cells of memory are looked at.
const MOST_CELLS: usize = 4_000;

/// States with the same calls at the same places, and with the same blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Box {
    /// What the globals and the variables of calls may hold. A variable that is not here may
    /// hold anything, or have no value.
    variables: BTreeMap<Variable, Possible>,
    /// Variables whose number was loaded from a cell that still holds it.
    origins: BTreeMap<Variable, (MemoryBlockId, i128)>,
    /// Variables that were chosen, and might as well have been chosen as any of their numbers.
    pub(super) open: BTreeSet<Variable>,
    /// The blocks that exist.
    blocks: BTreeMap<MemoryBlockId, Block>,
}

impl Box {
    /// Just one state, of the innermost call.
    pub(super) fn of(program: &Program, state: &State) -> Result<Self, Escape> {
        let blocks: BTreeMap<MemoryBlockId, Block> =
            state.memory().live_blocks().map(|(id, block)| (id, Block::of(block))).collect();
        if blocks.values().map(Block::n_cells).sum::<usize>() > MOST_CELLS {
            return Err(Escape("there is much memory"));
        }
        let locals = state.frames().last().into_iter().flat_map(|it| it.variables());
        // Floating-point numbers have no values here.
        let possible = |variable: Variable, value| match program.variable(variable).ty {
            ScalarType::Float(_) => Possible::Any,
            ScalarType::Int(_) | ScalarType::Pointer => Possible::of(value),
        };
        let all = state.globals().chain(locals);
        let variables = all.map(|(it, value)| (it, possible(it, value))).collect();
        Ok(Self { variables, origins: BTreeMap::new(), open: BTreeSet::new(), blocks })
    }

    /// What a variable may hold.
    pub(super) fn value(&self, variable: Variable) -> &Possible {
        self.variables.get(&variable).unwrap_or(&Possible::Any)
    }

    /// The variables that something is known of.
    pub(super) fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.variables.keys().copied()
    }

    /// Gives a variable a value.
    pub(super) fn assign(&mut self, variable: Variable, value: Possible) {
        self.forget(variable);
        self.variables.insert(variable, value);
    }

    /// Gives a variable the value of another one.
    pub(super) fn assign_variable(&mut self, variable: Variable, source: Variable) {
        let (value, origin) = (self.value(source).clone(), self.origins.get(&source).copied());
        self.assign(variable, value);
        self.origins.extend(origin.map(|it| (variable, it)));
    }

    /// Makes a variable arbitrary.
    pub(super) fn forget(&mut self, variable: Variable) {
        self.variables.remove(&variable);
        self.origins.remove(&variable);
        self.open.remove(&variable);
    }

    /// A block that exists.
    pub(super) fn block(&self, id: MemoryBlockId) -> Result<&Block, Escape> {
        self.blocks.get(&id).ok_or(Escape("a block that is gone"))
    }

    /// A block that is changed.
    pub(super) fn block_to_write(&mut self, id: MemoryBlockId) -> Result<&mut Block, Escape> {
        self.origins.retain(|_, (block, _)| *block != id);
        self.blocks.get_mut(&id).ok_or(Escape("a block that is gone"))
    }

    /// A new block.
    pub(super) fn add(&mut self, id: MemoryBlockId, block: Block) -> Result<(), Escape> {
        match self.blocks.insert(id, block) {
            None => Ok(()),
            Some(_) => Err(Escape("more and more blocks")),
        }
    }

    /// A block ends. Addresses in it are those of no block from here on.
    pub(super) fn remove(&mut self, id: MemoryBlockId) -> Result<Block, Escape> {
        self.origins.retain(|_, (block, _)| *block != id);
        self.variables.values_mut().for_each(|it| it.forget_block(id));
        self.blocks.values_mut().for_each(|it| it.forget_block(id));
        self.blocks.remove(&id).ok_or(Escape("a block that is gone"))
    }

    /// Loads into a variable.
    pub(super) fn load(
        &mut self,
        target: Variable,
        places: &BTreeMap<MemoryBlockId, Strided>,
        (ty, width): (ScalarType, i128),
        most: i128,
    ) -> Result<(), Escape> {
        let mut found: Option<Possible> = None;
        let mut n_places = 0;
        let mut origin = None;
        for (id, offsets) in places {
            let block = self.block(*id)?;
            if !block.contains(*offsets, width) {
                return Err(Escape("memory is read outside of its block"));
            }
            for offset in offsets.each(most).ok_or(Escape("many places"))? {
                let value = block.load(offset, ty, width)?;
                found = Some(found.map_or_else(|| value.clone(), |it| it.join(&value)));
                n_places += 1;
                origin = block.holds_just(offset, ty).then_some((*id, offset));
            }
        }
        self.assign(target, found.ok_or(Escape("no place"))?);
        if n_places == 1 {
            self.origins.extend(origin.map(|it| (target, it)));
        }
        Ok(())
    }

    /// The numbers of a variable are only these from here on, and so are those of the cell
    /// that it was loaded from.
    pub(super) fn refine(&mut self, variable: Variable, known: Strided) {
        self.variables.insert(variable, Possible::Number(known));
        let Some((id, offset)) = self.origins.get(&variable).copied() else { return };
        if let Some(block) = self.blocks.get_mut(&id) {
            block.refine(offset, known);
        }
    }

    /// All states of both.
    pub fn join(&self, other: &Self) -> Result<Self, Escape> {
        self.combined(other, &|one, other| one.join(other))
    }

    /// The same, with bounds that have moved pushed on to one of these.
    pub fn widen(&self, other: &Self, bounds: &[i128]) -> Result<Self, Escape> {
        self.combined(other, &|one, other| one.widen(other, bounds))
    }

    /// Whether all states of `self` are in `other`, surely.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        other.join(self).is_ok_and(|joined| joined == *other)
    }

    fn combined(
        &self,
        other: &Self,
        join: &dyn Fn(&Possible, &Possible) -> Possible,
    ) -> Result<Self, Escape> {
        let mut variables = BTreeMap::new();
        for (variable, value) in &self.variables {
            if let Some(another) = other.variables.get(variable) {
                variables.insert(*variable, join(value, another));
            }
        }
        let mut blocks = BTreeMap::new();
        if self.blocks.len() != other.blocks.len() {
            return Err(Escape("more and more blocks"));
        }
        for (id, block) in &self.blocks {
            let another = other.block(*id)?;
            let joined =
                if block == another { Some(block.clone()) } else { block.combined(another, join) };
            blocks.insert(*id, joined.ok_or(Escape("blocks that differ"))?);
        }
        // A choice is open only if both sides left it as open.
        let is_as_open = |it: &&Variable| {
            other.open.contains(it) && self.variables.get(it) == other.variables.get(it)
        };
        let open = self.open.iter().filter(is_as_open).copied().collect();
        let is_same = |(variable, origin): &(&Variable, &(MemoryBlockId, i128))| {
            other.origins.get(variable) == Some(origin)
        };
        let origins = self.origins.iter().filter(is_same).map(|(it, at)| (*it, *at)).collect();
        Ok(Self { variables, origins, open, blocks })
    }
}
