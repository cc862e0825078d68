//! What a stretch of a run needs of the state it starts in, and whether the
//! state at its end gives it again.
//!
//! The *footprint* of a stretch from a state S to a state S' is what it read of S
//! before writing it: variables of the innermost calls, globals, and scalars in
//! memory, as [`Entry`]s; and of the blocks whose addresses it read there, their
//! kind, size and lifetime. Everything else of S cannot matter to it.
//!
//! **Claim.** Let a state T hold the footprint: there is an injective map from
//! the footprint's blocks to blocks of T with the same kind, size and lifetime, T's
//! innermost calls stand at the same places, and each entry's image holds the
//! image of its address, or a number, where the numbers satisfy the stretch's
//! decisions. Then the same steps can be done from T, with the same choices, and
//! they lead to a state that holds the images of the forms of S'.
//!
//! [`returns`] finds where S' holds the footprint of S again. Composed with the map
//! to T, this gives a map for the state that the steps lead to from T. Thus, if the
//! numbers satisfy the decisions again, the steps can be done for ever. Calls
//! below the footprint and blocks outside it may become ever more.

use super::machine::Run;
use super::shadow::{Entry, Refused, Shaded, Slot, Symbol, entry_symbol};
use concrete::memory::MemoryBlockId;
use concrete::state::State;
use concrete::value::{Pointer, Value};
use logic::{Constraint, LinearExpr, Var};
use std::collections::BTreeMap;

/// The entries that a footprint may have.
const MAX_ENTRIES: usize = 400;

/// What a stretch of a run does to the numbers of its footprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// What the numbers (and choices) satisfy: the path condition.
    pub guards: Vec<Constraint>,
    /// For the symbol of each number in the footprint, what stands in its place
    /// at the end.
    pub updates: BTreeMap<Var, LinearExpr>,
    /// The least and the greatest result of each free reduction.
    pub ranges: Vec<[i128; 2]>,
}

impl Returned {
    /// A constraint that says, without the results of free reductions, that another one
    /// holds whatever these are.
    #[must_use]
    pub fn whatever_reduced(&self, constraint: &Constraint) -> Constraint {
        let mentions = |symbol| matches!(Symbol::of(symbol), Symbol::Reduction(_));
        if !constraint.expr().variables().any(mentions) {
            return constraint.clone();
        }
        if constraint.is_equality() {
            return Constraint::ge(LinearExpr::constant(-1), 0);
        }
        // The expression is at most zero where its greatest value is.
        let mut greatest = LinearExpr::constant(constraint.expr().constant_part().clone());
        for (symbol, factor) in constraint.expr().terms() {
            let part = match Symbol::of(*symbol) {
                Symbol::Reduction(index) => {
                    let [least, most] = self.ranges[index];
                    let extreme = if factor.is_negative() { least } else { most };
                    LinearExpr::constant(extreme)
                }
                Symbol::Entry(_) | Symbol::Choice(_) => LinearExpr::var(*symbol),
            };
            greatest = greatest.add(&part.scale(factor));
        }
        Constraint::new(constraint.relation(), greatest)
    }
}

/// Shows that the state at the end of `run`, which began in `start`, holds the
/// footprint of `start` again.
///
/// # Errors
/// What is missing.
pub fn returns(start: &State, run: &mut Run) -> Result<Returned, Refused> {
    check_frames(start, run)?;
    let mut matching = Matching { start, images: BTreeMap::new(), taken: BTreeMap::new() };
    let mut updates = BTreeMap::new();
    let mut open: Vec<usize> = Vec::new();
    let mut n_seen = 0;
    loop {
        // To look for an image can make the footprint larger.
        open.extend(n_seen..run.shadow.entries().len());
        n_seen = run.shadow.entries().len();
        if n_seen > MAX_ENTRIES {
            return Err(Refused("the footprint is large"));
        }
        if open.is_empty() {
            break;
        }
        let mut waiting = Vec::new();
        let n_open = open.len();
        for index in std::mem::take(&mut open) {
            let entry = run.shadow.entries()[index];
            let Some(slot) = matching.image(run, entry.slot) else {
                waiting.push(index);
                continue;
            };
            let found = at_end(run, slot)?;
            matching.correspond(&run.state, &entry, &found)?;
            if let Value::Int(number) = found.value {
                let expr = found.form.unwrap_or_else(|| LinearExpr::constant(number));
                updates.insert(entry_symbol(index), expr);
            }
        }
        if waiting.len() == n_open && run.shadow.entries().len() == n_seen {
            return Err(Refused("a block is reached in no way"));
        }
        open = waiting;
    }
    matching.check_lifetimes(&run.state)?;
    let guards = run.shadow.decisions().iter().map(|it| it.constraint.clone()).collect();
    Ok(Returned { guards, updates, ranges: run.shadow.ranges() })
}

/// How many of the innermost calls at the start belong to the footprint: all that
/// returned, and the one that they returned to.
fn n_used_frames(run: &Run) -> usize {
    run.shadow.n_frames_at_start - run.shadow.n_old_frames + 1
}

/// Whether the calls that were active at the start still are, each at its place, and no
/// others; no one of them has returned.
#[must_use]
pub fn stays(start: &State, run: &Run) -> bool {
    let place = |state: &State| state.frames().last().map(|it| it.location());
    run.shadow.n_old_frames == run.shadow.n_frames_at_start
        && run.state.frames().len() == start.frames().len()
        && place(start) == place(&run.state)
}

/// The innermost calls stand where those of the start stood; what returns has no
/// memory of its own to release.
fn check_frames(start: &State, run: &Run) -> Result<(), Refused> {
    let n_used = n_used_frames(run);
    if run.shadow.n_old_frames == 0 {
        return Err(Refused("all calls have returned"));
    }
    let (before, after) = (start.frames(), run.state.frames());
    if after.len() < before.len() {
        return Err(Refused("there are fewer calls"));
    }
    for depth in 0..n_used {
        let (old, new) = (&before[before.len() - 1 - depth], &after[after.len() - 1 - depth]);
        let returned = depth + 1 < n_used;
        if old.location() != new.location()
            || (returned && old.result_target() != new.result_target())
        {
            return Err(Refused("the calls are not the same"));
        }
        if returned && !(old.allocas().is_empty() && new.allocas().is_empty()) {
            return Err(Refused("a call that returns has used alloca"));
        }
    }
    Ok(())
}

/// The map of the footprint's blocks to blocks at the end, as far as it is known.
struct Matching<'a> {
    start: &'a State,
    images: BTreeMap<MemoryBlockId, MemoryBlockId>,
    taken: BTreeMap<MemoryBlockId, MemoryBlockId>,
}

impl Matching<'_> {
    /// Where a slot's image stands at the end; `None` while the image of its block
    /// is not known.
    fn image(&self, run: &Run, slot: Slot) -> Option<Slot> {
        match slot {
            Slot::Global(_) => Some(slot),
            Slot::Local(frame, variable) => {
                let n_more = run.state.frames().len() - self.start.frames().len();
                Some(Slot::Local(frame + n_more, variable))
            }
            Slot::Memory(Pointer { block, offset }, ty) => {
                let image = self.images.get(&block);
                image.map(|&block| Slot::Memory(Pointer { block, offset }, ty))
            }
        }
    }

    /// Blocks that have coexisted, so that their addresses differ, correspond to such.
    fn check_lifetimes(&self, end: &State) -> Result<(), Refused> {
        let (before, after) = (self.start.memory(), end.memory());
        for (old, new) in &self.images {
            for (other_old, other_new) in &self.images {
                if before.have_coexisted(*old, *other_old)
                    && !after.have_coexisted(*new, *other_new)
                {
                    return Err(Refused("the blocks do not correspond"));
                }
            }
        }
        Ok(())
    }

    /// Notes that what an entry held is held again by what was found.
    fn correspond(&mut self, end: &State, entry: &Entry, found: &Shaded) -> Result<(), Refused> {
        match (entry.value, found.value) {
            (Value::Int(_), Value::Int(_)) => Ok(()),
            (Value::Procedure(old), Value::Procedure(new)) if old == new => Ok(()),
            (Value::Pointer(old), Value::Pointer(new)) if old.offset == new.offset => {
                let image = *self.images.entry(old.block).or_insert(new.block);
                let origin = *self.taken.entry(new.block).or_insert(old.block);
                let (before, after) =
                    (self.start.memory().block(old.block), end.memory().block(new.block));
                let is_alike = before.kind == after.kind
                    && before.size == after.size
                    && before.lifetime == after.lifetime;
                if image == new.block && origin == old.block && is_alike {
                    Ok(())
                } else {
                    Err(Refused("the blocks do not correspond"))
                }
            }
            (Value::Int(_) | Value::Pointer(_) | Value::Procedure(_), _) => {
                Err(Refused("the values do not correspond"))
            }
        }
    }
}

/// What stands in a slot at the end of a run. It may be what stood there at the
/// start, and then belongs to the footprint too.
///
/// # Errors
/// When nothing is known of it.
pub fn at_end(run: &mut Run, slot: Slot) -> Result<Shaded, Refused> {
    let Run { state, shadow } = run;
    match slot {
        Slot::Global(variable) => {
            let mut globals = state.globals();
            let value = globals.find(|(it, _)| *it == variable).map(|(_, value)| value);
            shadow.variable(slot, value)
        }
        Slot::Local(frame, variable) => {
            let value = state.frames().get(frame).and_then(|it| it.value(variable));
            shadow.variable(slot, value)
        }
        Slot::Memory(pointer, ty) => {
            let found = state.memory().peek(Value::Pointer(pointer), ty);
            let value = found.ok().flatten().ok_or(Refused("memory is gone or not chosen"))?;
            let width = i128::from(ty.bytes(state.memory().pointer_bytes()));
            let loaded = shadow.load((pointer, ty, width), value, &[])?;
            if loaded.pinned.is_empty() {
                Ok(Shaded { value, form: loaded.form })
            } else {
                Err(Refused("memory is laid out in another way"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shadow::{entry_symbol, reduction_symbol};
    use super::Returned;
    use logic::{Constraint, LinearExpr};
    use std::collections::BTreeMap;

    #[test]
    fn what_holds_whatever_is_reduced_does_not_mention_it() {
        let returned =
            Returned { guards: Vec::new(), updates: BTreeMap::new(), ranges: vec![[0, 255]] };
        let (entry, reduced) =
            (LinearExpr::var(entry_symbol(0)), LinearExpr::var(reduction_symbol(0)));
        let least = returned.whatever_reduced(&Constraint::ge(entry.clone(), reduced.clone()));
        assert_eq!(least, Constraint::ge(entry.clone(), LinearExpr::constant(255)));
        let equal = returned.whatever_reduced(&Constraint::eq(entry, reduced));
        assert!(equal.is_contradiction(), "{equal:?}");
    }
}
