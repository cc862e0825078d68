//! Functions that a program calls and does not define, as a C file that stands in
//! for them must know them.

use super::library::{self, Model, models};
use super::types::{Integer, Type};

/// A function that a program calls and that its file does not define.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    /// Its name.
    pub name: String,
    /// The type of its result, as C text; a structure is not told.
    pub result: Option<&'static str>,
    /// What is known of it.
    pub role: Role,
}

/// What a function without body is taken to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its result is an input, and no library has it.
    Input,
    /// Its result is an input, and the C library has a function of this name.
    LibraryInput,
    /// It ends the run unless its argument holds.
    Assume,
    /// It is an error unless its argument holds.
    Assert,
    /// It is an error to call it.
    Error,
    /// Nothing happens.
    Nothing,
    /// Like `malloc`, under another name.
    Allocate,
    /// Like `free`, under another name.
    Free,
    /// The C library has it.
    Library,
}

/// Known functions that no C library has, beside those with a verifier's prefix.
const FOREIGN: &[&str] =
    &["kmalloc", "xmalloc", "kfree", "cfree", "printk", "assume", "nondet", "reach_error"];
const FOREIGN_PREFIXES: &[&str] = &["__VERIFIER", "__CPROVER", "___sl_", "nondet_", "__nondet"];

/// Functions of the C library whose only effect is their result, an input.
const INPUTS: &[&str] = &[
    "clock",
    "fgetc",
    "getc",
    "getchar",
    "getchar_unlocked",
    "getpid",
    "lrand48",
    "mrand48",
    "rand",
    "random",
    "sleep",
    "time",
];

impl External {
    /// The function of this name and result type.
    pub(super) fn of(name: &str, result: &Type) -> Self {
        Self { name: name.to_owned(), result: type_text(result), role: Role::of(name) }
    }
}

impl External {
    /// What a function is like by its name alone: one of the C library's under a name that is not
    /// the library's.
    pub(super) fn likeness(name: &str) -> Option<&'static str> {
        match name {
            "kmalloc" | "xmalloc" => Some("malloc"),
            "kfree" | "cfree" => Some("free"),
            "printk" => Some("printf"),
            _ => None,
        }
    }
}

impl Role {
    fn of(name: &str) -> Self {
        // What models call is no part of the program.
        if name.starts_with(models::HELPER) {
            return Self::Library;
        }
        let is_foreign = FOREIGN.contains(&name)
            || FOREIGN_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
        let Some(model) = library::model(name) else {
            return match models::has_model(name) {
                _ if INPUTS.contains(&name) => Self::LibraryInput,
                true => Self::Library,
                false => Self::Input,
            };
        };
        match model {
            Model::Input if is_foreign => Self::Input,
            Model::Input => Self::LibraryInput,
            Model::Assume => Self::Assume,
            Model::Assert => Self::Assert,
            Model::Error if is_foreign => Self::Error,
            Model::Nothing | Model::Step | Model::Print(..) if is_foreign => Self::Nothing,
            Model::Allocate if is_foreign => Self::Allocate,
            Model::Free if is_foreign => Self::Free,
            Model::Allocate
            | Model::AllocateZeroed
            | Model::Reallocate
            | Model::AllocateOnStack
            | Model::Free
            | Model::Fill
            | Model::Copy
            | Model::CopyApart
            | Model::Seal
            | Model::PrintAndExit
            | Model::Halt
            | Model::Error
            | Model::Undefined
            | Model::Awaits
            | Model::Nothing
            | Model::Step
            | Model::First
            | Model::Absolute
            | Model::AllocateForEver
            | Model::BeginStream
            | Model::EndStream
            | Model::Guess
            | Model::Rounds
            | Model::Print(..)
            | Model::Scan(..)
            | Model::Zero
            | Model::Clobber
            | Model::Unsupported => Self::Library,
        }
    }
}

/// A result type as C text, up to its representation.
fn type_text(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Void => "void",
        Type::Int(integer) => integer_text(*integer),
        Type::Pointer(_) => "void *",
        Type::Float(4) => "float",
        Type::Float(8) => "double",
        Type::Float(_) => "long double",
        Type::Array(_) | Type::Function(_) | Type::VaList | Type::Record(_) => return None,
    })
}

fn integer_text(integer: Integer) -> &'static str {
    match integer {
        Integer::Bool => "_Bool",
        Integer::Char => "char",
        Integer::SignedChar => "signed char",
        Integer::UnsignedChar => "unsigned char",
        Integer::Short => "short",
        Integer::UnsignedShort => "unsigned short",
        Integer::Int => "int",
        Integer::UnsignedInt => "unsigned int",
        Integer::Long => "long",
        Integer::UnsignedLong => "unsigned long",
        Integer::LongLong => "long long",
        Integer::UnsignedLongLong => "unsigned long long",
        Integer::Int128 => "__int128",
        Integer::UnsignedInt128 => "unsigned __int128",
    }
}
