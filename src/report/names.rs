//! Names that are read back: each is one of those that wane itself writes.

use super::codes;
use serde::de::{Deserialize, Deserializer, Error};

/// A text that is part of wane, and lives as long.
pub type Name = &'static str;

/// A code that has a page.
pub(super) fn code<'de, D: Deserializer<'de>>(source: D) -> Result<Name, D::Error> {
    let text = String::deserialize(source)?;
    let page = codes::find(&text);
    page.map(|it| it.code).ok_or_else(|| D::Error::custom(format!("there is no code `{text}`")))
}

/// How general a proof is.
pub(super) fn scope<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Name>, D::Error> {
    known(source, &["all", "general", "bounded", "degenerate"]).map(Some)
}

/// What integers are.
pub(super) fn int_model<'de, D: Deserializer<'de>>(source: D) -> Result<Name, D::Error> {
    known(source, &["c", "math", "machine"])
}

/// The widths of types.
pub(super) fn data_model<'de, D: Deserializer<'de>>(source: D) -> Result<Name, D::Error> {
    known(source, &["lp64", "ilp32"])
}

fn known<'de, D: Deserializer<'de>>(source: D, names: &[&'static str]) -> Result<Name, D::Error> {
    let text = String::deserialize(source)?;
    let own = names.iter().find(|it| **it == text);
    own.copied().ok_or_else(|| D::Error::custom(format!("`{text}` is none of {names:?}")))
}
