//! Attributes: what each of them means, or that it means nothing here.
//!
//! An attribute that is neither known to change something that is modelled nor
//! known to change nothing is noted with its place, so that no answer rests on
//! code that it may change.

use super::ast::Attribute;
use super::name::Symbol;

/// What an attribute does to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It changes nothing that a run depends on.
    Harmless,
    /// It changes what the tree says.
    Known(Attribute),
    /// Nobody knows what it changes.
    Unknown,
}

/// What stands in an attribute's parentheses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Argument<'t> {
    /// The first name among the arguments.
    pub(super) word: Option<(&'t str, Symbol)>,
    /// The first string literal among them.
    pub(super) text: Option<Symbol>,
    /// The first integer among them.
    pub(super) number: Option<i128>,
    /// How many tokens there are between the parentheses.
    pub(super) length: usize,
}

/// Priority of constructors and destructors that name none: after, or before,
/// all that do.
pub const DEFAULT_PRIORITY: u32 = 65_535;

/// Attributes without effect on what a program does: promises to the compiler,
/// hints, warnings, and choices between equivalent machine code.
const HARMLESS: &[&str] = &[
    "access",
    "alloc_align",
    "always_inline",
    "artificial",
    "assume",
    "assume_aligned",
    "btf_decl_tag",
    "btf_type_tag",
    "cdecl",
    "cf_check",
    "cold",
    "common",
    "const",
    "counted_by",
    "deprecated",
    "designated_init",
    "diagnose_as_builtin",
    "diagnose_if",
    "dllexport",
    "dllimport",
    "error",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flag_enum",
    "flatten",
    "force_align_arg_pointer",
    "format",
    "format_arg",
    "function_return",
    "gcc_struct",
    "gnu_inline",
    "hot",
    "indirect_branch",
    "leaf",
    "may_alias",
    "maybe_unused",
    "musttail",
    "no_address_safety_analysis",
    "no_builtin",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_coverage",
    "no_sanitize_memory",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "nocf_check",
    "noclone",
    "nocommon",
    "nodiscard",
    "noinline",
    "noipa",
    "nonnull",
    "nonnull_if_nonzero",
    "nonstring",
    "noplt",
    "nothrow",
    "null_terminated_string_arg",
    "optimize",
    "overloadable",
    "ownership_holds",
    "ownership_returns",
    "ownership_takes",
    "patchable_function_entry",
    "pure",
    "regparm",
    "reproducible",
    "retain",
    "returns_nonnull",
    "section",
    "sentinel",
    "sseregparm",
    "stack_protect",
    "stdcall",
    "strict_flex_array",
    "sysv_abi",
    "tainted_args",
    "target",
    "target_clones",
    "thiscall",
    "tls_model",
    "unavailable",
    "uninitialized",
    "unsequenced",
    "unused",
    "used",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused",
    "warn_unused_result",
    "warning",
    "zero_call_used_regs",
];

/// The meaning of an attribute whose arguments are no expressions.
pub(super) fn meaning(name: &str, argument: Argument<'_>) -> Meaning {
    let known = match (name.trim_matches('_'), argument) {
        ("packed", _) => Some(Attribute::Packed),
        ("noreturn", _) => Some(Attribute::NoReturn),
        ("aligned", _) => Some(Attribute::LargestAlignment),
        ("weak", _) => Some(Attribute::Weak),
        ("transparent_union", _) => Some(Attribute::TransparentUnion),
        ("scalar_storage_order", _) => Some(Attribute::StorageOrder),
        ("mode", Argument { word: Some((mode, _)), .. }) => of_mode(mode.trim_matches('_')),
        ("cleanup", Argument { word: Some((_, function)), .. }) => {
            Some(Attribute::Cleanup(function))
        }
        ("alias", Argument { text: Some(target), .. }) => Some(Attribute::Alias(target)),
        ("malloc", _) => Some(Attribute::Fresh),
        ("alloc_size", argument) => match argument {
            Argument { length: 1, number: Some(number), .. } => {
                u8::try_from(number).ok().map(Attribute::BytesOfArgument)
            }
            _ => return Meaning::Harmless,
        },
        ("constructor", _) => priority(argument).map(Attribute::Constructor),
        ("destructor", _) => priority(argument).map(Attribute::Destructor),
        (plain, _) if HARMLESS.binary_search(&plain).is_ok() => return Meaning::Harmless,
        _ => None,
    };
    known.map_or(Meaning::Unknown, Meaning::Known)
}

/// The priority that a constructor or destructor names.
fn priority(argument: Argument<'_>) -> Option<u32> {
    match argument {
        Argument { length: 0, .. } => Some(DEFAULT_PRIORITY),
        Argument { length: 1, number: Some(number), .. } => u32::try_from(number).ok(),
        _ => None,
    }
}

/// The type that a mode names.
fn of_mode(name: &str) -> Option<Attribute> {
    match name {
        "QI" | "byte" => Some(Attribute::ModeBytes(1)),
        "HI" => Some(Attribute::ModeBytes(2)),
        "SI" => Some(Attribute::ModeBytes(4)),
        "DI" => Some(Attribute::ModeBytes(8)),
        "TI" => Some(Attribute::ModeBytes(16)),
        "SF" => Some(Attribute::ModeFloat(4)),
        "DF" => Some(Attribute::ModeFloat(8)),
        "TF" => Some(Attribute::ModeFloat(16)),
        "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
            Some(Attribute::ModeWord)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::HARMLESS;

    #[test]
    fn the_table_is_sorted() {
        assert!(HARMLESS.is_sorted());
    }
}
