//! Room for deep recursion: programs may be nested deeply.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;

/// Sizes of stacks in bytes, the best first. They are reserved, not used.
pub const STACK_SIZES: [usize; 3] = [256 << 20, 64 << 20, 8 << 20];

/// Does some work on a thread with a large stack; on this one, if the system gives none.
///
/// # Panics
/// The work does.
pub fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let work = Mutex::new(Some(work));
    let take = || work.lock().ok().and_then(|mut it| it.take());
    thread::scope(|scope| {
        for stack_size in STACK_SIZES {
            let run = || take().map(|work| work());
            let Ok(thread) = thread::Builder::new().stack_size(stack_size).spawn_scoped(scope, run)
            else {
                continue;
            };
            match thread.join() {
                Ok(Some(result)) => return Some(result),
                Ok(None) => {}
                Err(panic) => resume_unwind(panic),
            }
        }
        take().map(|work| work())
    })
    .expect("the work is done once")
}
