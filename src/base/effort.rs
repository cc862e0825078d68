//! Work far below the steps that budgets count: exact arithmetic notes it here, and the
//! next budget of the thread that is asked takes it over.

use std::cell::Cell;

thread_local! {
    static NOTED: Cell<u64> = const { Cell::new(0) };
}

/// Operations on machine words that stand for a unit of work.
const WORDS_A_UNIT: u64 = 500;

/// Notes that so many operations on machine words were done, or their like.
pub fn note(n_words: u64) {
    NOTED.set(NOTED.get().saturating_add(n_words));
}

/// The units of work that were noted since the last call; what is left over stays noted.
pub(super) fn take() -> u64 {
    let noted = NOTED.get();
    NOTED.set(noted % WORDS_A_UNIT);
    noted / WORDS_A_UNIT
}

/// What was noted before concerns nobody.
pub(super) fn clear() {
    NOTED.set(0);
}
