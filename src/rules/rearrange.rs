//! Rearrangement: expose the block that a command touches (CAV'06 §3).

use super::eval::{Context, Missing};
use super::memory::constant_offset;
use evidence::alarm::AlarmKind;
use heap::Atom;
use heap::shape::ShapeLibrary;
use heap::state::{Kind, State};
use heap::unfold::unfold;
use ir::Expr;
use logic::{Integer, LinearExpr, Var};

/// A state in which the block that holds an address is exposed.
pub struct Exposed {
    /// The state.
    pub state: State,
    /// Position of the block among the atoms.
    pub block: usize,
    /// The address, in bytes from the block's start.
    pub offset: LinearExpr,
}

/// What lies at an address.
enum Location {
    Block(usize, LinearExpr),
    Instance(usize, usize),
    Constant,
    Nothing,
}

impl Context<'_> {
    /// ```text
    ///   Q ⊢ E = b + o    b ↦ … in Q                Q ⊢ E points into P[k](ā) at aᵢ
    ///   ─────────────────────────── SWITCH         ─────────────────────────────── UNROLL
    ///   Q exposes E at b + o                       unfold(Q, P, i) exposes E
    /// ```
    ///
    /// An address at which nothing is known to be allocated is an alarm, and
    /// that part of the state is given up.
    pub fn expose(&mut self, state: State, address: &Expr) -> Vec<Exposed> {
        let (exposed, elsewhere) = self.expose_if_known(state, address);
        for _ in elsewhere {
            self.alarm(AlarmKind::WildDereference);
        }
        exposed
    }

    /// As [`Self::expose`], with the parts of the state in which it is not known what is
    /// allocated at the address. Nothing is at a null pointer, nor at a member of what it does
    /// not point at.
    fn expose_if_known(&mut self, state: State, address: &Expr) -> (Vec<Exposed>, Vec<State>) {
        let (mut exposed, mut elsewhere) = (Vec::new(), Vec::new());
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            for (state, value) in self.values(state, address) {
                match locate(&state, &value) {
                    Location::Block(block, offset) => {
                        let offset = constant_if_known(&state, offset);
                        exposed.push(Exposed { state, block, offset });
                    }
                    Location::Instance(atom, parameter) => {
                        let cases = unfold(&state, atom, parameter, self.machine.shape_library);
                        open.extend(cases.into_iter().map(|(state, _)| state));
                    }
                    Location::Constant if is_of_null(&value) || !self.takes_for_granted() => {
                        self.undefined(AlarmKind::NullDereference);
                    }
                    Location::Constant => elsewhere.push(state),
                    Location::Nothing => {
                        self.missing.push(Missing::Block(value));
                        elsewhere.push(state);
                    }
                }
            }
        }
        (exposed, elsewhere)
    }

    /// Exposes `width` bytes at an address. Where they may not lie within their
    /// block, that is an alarm, and the rest goes on as if they did.
    pub fn expose_bytes(
        &mut self,
        state: State,
        address: &Expr,
        width: &LinearExpr,
    ) -> Vec<Exposed> {
        let exposed = self.expose(state, address);
        exposed.into_iter().filter_map(|exposed| self.in_bounds(exposed, width)).collect()
    }

    /// As [`Self::expose_bytes`], for bytes that are read only: with the parts of the state in
    /// which it is not known where they are, and taken for granted that they are somewhere.
    pub(super) fn expose_to_read(
        &mut self,
        state: State,
        address: &Expr,
        width: &LinearExpr,
    ) -> (Vec<Exposed>, Vec<State>) {
        let (exposed, mut elsewhere) = self.expose_if_known(state, address);
        for _ in &elsewhere {
            self.undefined(AlarmKind::WildDereference);
        }
        if !self.takes_for_granted() {
            elsewhere.clear();
        }
        let exposed = exposed.into_iter();
        (exposed.filter_map(|exposed| self.in_bounds(exposed, width)).collect(), elsewhere)
    }

    fn in_bounds(&mut self, mut exposed: Exposed, width: &LinearExpr) -> Option<Exposed> {
        let Atom::Block(block) = &exposed.state.heap.atoms[exposed.block] else { return None };
        let base = block.base;
        let below = exposed.offset.neg();
        let above = exposed.offset.add(width).sub(&block.size);
        for excess in [below, above] {
            if !exposed.state.surely_at_most_zero(&excess) {
                self.missing.push(Missing::Room(base, excess.clone()));
                self.undefined(AlarmKind::OutOfBounds);
                if exposed.state.assume_at_most_zero(&excess).is_empty() {
                    return None;
                }
            }
        }
        Some(exposed)
    }
}

/// The block in which an address lies without any unfolding, and how far from its start,
/// if that is a number.
#[must_use]
pub fn block_with(state: &State, address: &LinearExpr) -> Option<(usize, LinearExpr)> {
    match locate(state, address) {
        Location::Block(block, offset) => Some((block, constant_if_known(state, offset))),
        Location::Instance(..) | Location::Constant | Location::Nothing => None,
    }
}

/// The same, where the block may be one that a shape says all of: then all cases of it.
#[must_use]
pub fn opened(
    state: &State,
    address: &LinearExpr,
    library: &ShapeLibrary,
) -> Vec<(State, usize, LinearExpr)> {
    match locate(state, address) {
        Location::Block(block, offset) => {
            let offset = constant_if_known(state, offset);
            vec![(state.clone(), block, offset)]
        }
        Location::Instance(atom, parameter) => {
            let Atom::Instance(instance) = &state.heap.atoms[atom] else { return Vec::new() };
            let start = instance.template.start_of(&instance.arguments[parameter]);
            let offset = address.sub(&start);
            if state.kind_of(&offset) != Kind::Integer {
                return Vec::new();
            }
            let cases = unfold(state, atom, parameter, library).into_iter();
            cases.map(|(unfolded, block)| (unfolded, block, offset.clone())).collect()
        }
        Location::Constant | Location::Nothing => Vec::new(),
    }
}

/// No object lies so near to a null pointer, in bytes. Elsewhere a constant may be the address of
/// a device.
const NULL_PAGE: i64 = 4096;

/// Whether an address is that of a null pointer, or of a member of what it would point at.
fn is_of_null(address: &LinearExpr) -> bool {
    constant_offset(address).is_some_and(|it| -NULL_PAGE < it && it < NULL_PAGE)
}

fn locate(state: &State, address: &LinearExpr) -> Location {
    if address.as_constant().is_some() {
        return Location::Constant;
    }
    let one = Integer::from(1);
    let candidates = address
        .terms()
        .iter()
        .filter(|(v, c)| *c == one && state.vocabulary.kind(*v) != Kind::Integer);
    for (variable, _) in candidates {
        let rest = address.sub(&LinearExpr::var(*variable));
        if state.kind_of(&rest) != Kind::Integer {
            continue;
        }
        if let Some(index) = state.block_at(*variable) {
            return Location::Block(index, rest);
        }
        if let Some((index, parameter)) = instance_at(state, *variable) {
            return Location::Instance(index, parameter);
        }
    }
    Location::Nothing
}

/// The instance with an anchor at `variable` plus a constant.
fn instance_at(state: &State, variable: Var) -> Option<(usize, usize)> {
    state.heap.atoms.iter().enumerate().find_map(|(index, atom)| match atom {
        Atom::Block(_) => None,
        Atom::Instance(instance) => {
            let (parameter, _) = instance
                .anchors()
                .find(|(_, root)| root.mentions(variable) && root.terms().len() == 1)?;
            Some((index, parameter))
        }
    })
}

fn constant_if_known(state: &State, offset: LinearExpr) -> LinearExpr {
    if offset.as_constant().is_some() {
        return offset;
    }
    match state.facts.numbers.bounds(&offset) {
        (Some(low), Some(high)) if low == high => LinearExpr::constant(low),
        _ => offset,
    }
}
