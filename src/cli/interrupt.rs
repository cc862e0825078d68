//! Control-C ends the work, and keeps what was found.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The status of a process that a signal ends, at once or after what was found is written: no gate
/// takes it for an answer.
pub(super) const STATUS: u8 = 130;
/// Control-C, and what other programs send.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// What signals do.
#[derive(Debug)]
pub(super) struct Interrupt {
    /// As long as nothing is found, they end the process: a file may be a pipe that nobody
    /// writes to or reads.
    ends_at_once: Arc<AtomicBool>,
}

impl Interrupt {
    /// A signal of the user or of the system ends the process with status 130.
    pub(super) fn while_reading() -> Self {
        let ends_at_once = Arc::new(AtomicBool::new(true));
        for signal in SIGNALS {
            let own = Arc::clone(&ends_at_once);
            // Where no handler can be had, the signal ends the process as ever.
            let _ = flag::register_conditional_shutdown(signal, STATUS.into(), own);
        }
        Self { ends_at_once }
    }

    /// From now on a signal raises a flag, and only a second one ends the process.
    pub(super) fn flag(self) -> Arc<AtomicBool> {
        let is_interrupted = Arc::new(AtomicBool::new(false));
        for signal in SIGNALS {
            let own = Arc::clone(&is_interrupted);
            let _ = flag::register_conditional_shutdown(signal, STATUS.into(), own);
            let _ = flag::register(signal, Arc::clone(&is_interrupted));
        }
        self.ends_at_once.store(false, Ordering::SeqCst);
        is_interrupted
    }
}
