//! The few attributes that matter, among the many that do not.

use super::ast::Attribute;

/// The meaning of an attribute without arguments or with arguments that are
/// words, or `None` when it changes nothing that is analysed.
pub(super) fn meaning(name: &str, argument: Option<&str>) -> Option<Attribute> {
    match name.trim_matches('_') {
        "packed" => Some(Attribute::Packed),
        "noreturn" => Some(Attribute::NoReturn),
        "aligned" => Some(Attribute::LargestAlignment),
        "mode" => mode(argument.unwrap_or_default().trim_matches('_')),
        "cleanup" => Some(Attribute::Unsupported("attribute cleanup")),
        "vector_size" | "ext_vector_type" => Some(Attribute::Unsupported("vector type")),
        "constructor" => Some(Attribute::Constructor),
        "destructor" => Some(Attribute::Destructor),
        _ => None,
    }
}

/// The width that a mode names.
fn mode(name: &str) -> Option<Attribute> {
    match name {
        "QI" | "byte" => Some(Attribute::ModeBytes(1)),
        "HI" => Some(Attribute::ModeBytes(2)),
        "SI" => Some(Attribute::ModeBytes(4)),
        "DI" => Some(Attribute::ModeBytes(8)),
        "TI" => Some(Attribute::ModeBytes(16)),
        "word" | "pointer" => Some(Attribute::ModeWord),
        _ => None,
    }
}
