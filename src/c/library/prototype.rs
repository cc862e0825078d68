//! Whether a declared function is the library's: by its type, beside its name.

use crate::types::{Function, Type};

/// What calls of a function depend on in a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Void,
    Integer,
    Floating,
    Pointer,
    Aggregate,
}

fn class(ty: &Type) -> Class {
    match ty {
        Type::Void => Class::Void,
        Type::Int(_) => Class::Integer,
        Type::Float(_) => Class::Floating,
        Type::Pointer(_) | Type::Array(_) | Type::Function(_) | Type::VaList => Class::Pointer,
        Type::Record(_) => Class::Aggregate,
    }
}

/// Whether a function that is declared like this may be the one that the model's type
/// describes: results and parameters agree up to widths and to what pointers point at.
/// A declaration without parameters leaves them open.
pub(crate) fn matches(declared: &Function, model: &Function) -> bool {
    let same = |(left, right): (&Type, &Type)| class(left) == class(right);
    let (Some(given), Some(wanted)) = (&declared.parameters, &model.parameters) else {
        return true;
    };
    let same_number =
        given.len() == wanted.len() || (model.variadic && given.len() >= wanted.len());
    same((&declared.result, &model.result)) && same_number && given.iter().zip(wanted).all(same)
}
