//! Control-C ends the work, and keeps what was found.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The status of a process that a second Control-C ends at once.
const ENDED_AT_ONCE: i32 = 130;

/// A flag that is raised when the user, or the system, wants the work to end.
pub(super) fn flag() -> Arc<AtomicBool> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Where no handler can be had, the signal ends the process as ever.
        let _ =
            flag::register_conditional_shutdown(signal, ENDED_AT_ONCE, Arc::clone(&is_interrupted));
        let _ = flag::register(signal, Arc::clone(&is_interrupted));
    }
    is_interrupted
}
