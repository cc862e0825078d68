//! Addresses of procedures in linear expressions.
//!
//! Nothing is known of the number of such an address but that it is not that of
//! another procedure, of a byte of a block, or near the ends of the address space.
//! So procedure `i` stands in linear expressions as `2^200 + i * 2^140`, out of
//! reach of all numbers that programs count with, and [`State::kind_of`] says of
//! expressions with such a constant that they are no integers.
//!
//! [`State::kind_of`]: super::state::State::kind_of

use ir::ProcedureId;
use ir::semantics::EDGE;
use logic::Integer;

/// Numbers of more bits have the address of a procedure in them.
const NUMBER_BITS: u64 = 139;

fn power_of_two(exponent: usize) -> Integer {
    let half = Integer::from(1_i128 << (exponent / 2));
    &half * &half
}

fn stride() -> Integer {
    power_of_two(140)
}

/// The constant that stands for the address of a procedure.
#[must_use]
pub fn address_of(procedure: ProcedureId) -> Integer {
    &power_of_two(200) + &(&stride() * &Integer::from(i128::from(procedure.0)))
}

/// Whether a constant part has the address of a procedure in it.
#[must_use]
pub fn is_in(constant: &Integer) -> bool {
    constant.bits() > NUMBER_BITS
}

/// The number that is added to multiples of addresses of procedures.
#[must_use]
pub fn distance_of(constant: &Integer) -> Integer {
    let half = Integer::from(1_i128 << 100);
    let shifted = constant + &half;
    let multiples = &shifted.div_floor(&stride()) * &stride();
    &(&shifted - &multiples) - &half
}

/// The procedure whose address a constant is.
#[must_use]
pub fn procedure_at(constant: &Integer) -> Option<ProcedureId> {
    let above = constant - &power_of_two(200);
    let index = above.div_exact(&stride());
    let id = u32::try_from(index.to_i128()?).ok()?;
    (&index * &stride() == above).then_some(ProcedureId(id))
}

/// Whether a constant with the address of a procedure in it is surely not 0: it is
/// the difference of two procedures, or a procedure and a number near zero.
#[must_use]
pub fn surely_nonzero(constant: &Integer) -> bool {
    let distance = distance_of(constant);
    distance.is_zero() || (constant.abs().bits() > 200 && distance.abs() < Integer::from(EDGE))
}
