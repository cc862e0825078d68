//! Which document is checked next.

use super::worker::Job;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Documents that wait, and the one that is checked.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// The next one is the last.
    waiting: Vec<PathBuf>,
    running: Option<Job>,
    n_tickets: u64,
}

impl Queue {
    /// A document is checked when its turn comes.
    pub(super) fn append(&mut self, path: PathBuf) {
        if !self.waiting.contains(&path) {
            self.waiting.insert(0, path);
        }
    }

    /// A document is checked next: its user has just saved it. What is being checked is put off;
    /// what was found there by now is remembered.
    pub(super) fn put_first(&mut self, path: PathBuf) {
        self.waiting.retain(|other| *other != path);
        if let Some(running) = &self.running {
            let is_wanted = !running.is_cancelled.swap(true, Ordering::SeqCst);
            if is_wanted && running.path != path {
                self.waiting.push(running.path.clone());
            }
        }
        self.waiting.push(path);
    }

    /// A document is not checked any more.
    pub(super) fn remove(&mut self, path: &Path) {
        self.waiting.retain(|other| other != path);
        if let Some(running) = self.running.as_ref().filter(|it| it.path == path) {
            running.is_cancelled.store(true, Ordering::SeqCst);
        }
    }

    /// The job with this ticket is not done any more.
    pub(super) fn cancel(&self, ticket: u64) {
        if let Some(running) = self.running.as_ref().filter(|it| it.ticket == ticket) {
            running.is_cancelled.store(true, Ordering::SeqCst);
        }
    }

    /// Nothing is checked any more.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        if let Some(running) = &self.running {
            running.is_cancelled.store(true, Ordering::SeqCst);
        }
    }

    /// The next job, if none is being done; it is being done from now on.
    pub(super) fn next(&mut self) -> Option<Job> {
        if self.running.is_some() {
            return None;
        }
        let path = self.waiting.pop()?;
        self.n_tickets += 1;
        let job =
            Job { ticket: self.n_tickets, path, is_cancelled: Arc::new(AtomicBool::new(false)) };
        self.running = Some(job.clone());
        Some(job)
    }

    /// The document with this ticket, if what is found there is still wanted.
    pub(super) fn wanted(&self, ticket: u64) -> Option<&Path> {
        let running = self.running.as_ref().filter(|it| it.ticket == ticket)?;
        (!running.is_cancelled.load(Ordering::SeqCst)).then_some(running.path.as_path())
    }

    /// The job is done.
    pub(super) fn finish(&mut self, ticket: u64) {
        self.running = self.running.take().filter(|it| it.ticket != ticket);
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;
    use std::path::{Path, PathBuf};

    #[test]
    fn what_was_saved_last_comes_first() {
        let mut queue = Queue::default();
        let path = |name: &str| PathBuf::from(name);
        for name in ["a", "b", "a"] {
            queue.append(path(name));
        }
        let first = queue.next().unwrap();
        assert_eq!(first.path, path("a"));
        assert!(queue.next().is_none(), "one at a time");
        queue.put_first(path("c"));
        assert_eq!(queue.wanted(first.ticket), None);
        queue.finish(first.ticket);
        for name in ["c", "a", "b"] {
            let job = queue.next().unwrap();
            assert_eq!(queue.wanted(job.ticket), Some(Path::new(name)));
            queue.finish(job.ticket);
        }
        assert!(queue.next().is_none());
    }

    #[test]
    fn a_later_save_takes_the_place_of_an_earlier_one() {
        let mut queue = Queue::default();
        queue.append(PathBuf::from("a"));
        let first = queue.next().unwrap();
        queue.put_first(PathBuf::from("a"));
        queue.put_first(PathBuf::from("a"));
        queue.finish(first.ticket);
        let second = queue.next().unwrap();
        queue.remove(Path::new("a"));
        assert_eq!(queue.wanted(second.ticket), None);
        queue.finish(second.ticket);
        assert!(queue.next().is_none());
    }
}
