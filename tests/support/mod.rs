//! What several integration tests share.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod heap_programs;
pub(crate) mod mutation;
pub(crate) mod oracle;
pub(crate) mod prelude;
pub(crate) mod random_cells;
pub(crate) mod random_programs;
pub(crate) mod random_strings;
pub(crate) mod random_text;
pub(crate) mod small_heaps;

/// Whether the random programs are the usual ones. How much they try is known of these only:
/// others may happen to do less.
pub(crate) fn are_usual_programs() -> bool {
    ["WANE_ORACLE_SEED", "WANE_SEED"].iter().all(|name| std::env::var_os(name).is_none())
}
