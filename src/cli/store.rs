//! Answers that are remembered, by all that they depend on.

use analyze::{Subject, Told};
use question::Question;
use report::{Finding, codes};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::hash::{Hash as _, Hasher};
use std::sync::Mutex;

/// More answers are not kept at the same time.
const MOST: usize = 20_000;

/// What an answer depends on, as a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key([u8; 32]);

impl Key {
    /// The key of the answer to a question with so many steps of work and the built-in shapes;
    /// nothing, if what it depends on is not known in full.
    pub(super) fn of(subject: &Subject, question: &Question, steps: u64) -> Option<Self> {
        let mut digest = Fed(Sha256::new());
        env!("CARGO_PKG_VERSION").hash(&mut digest);
        format!("{question:?} {steps}").hash(&mut digest);
        match subject.identify(question, &mut digest) {
            Told::Whole => Some(Self(digest.0.finalize().into())),
            Told::Part => None,
        }
    }
}

/// A digest that is fed as a hasher is.
struct Fed(Sha256);

impl Hasher for Fed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Of no use here: 64 bits are too few to tell programs apart.
    fn finish(&self) -> u64 {
        0
    }
}

/// Answers of earlier runs of this process.
#[derive(Debug, Default)]
pub(super) struct Store {
    known: Mutex<BTreeMap<Key, Finding>>,
}

impl Store {
    /// The answer, if it is known.
    pub(super) fn find(&self, key: &Key) -> Option<Finding> {
        self.known.lock().ok()?.get(key).cloned()
    }

    /// Keeps an answer, unless wane failed on it: the next attempt may do better. Who calls this
    /// knows that no clock and no user has ended the work.
    pub(super) fn keep(&self, key: &Key, finding: &Finding) {
        if finding.causes.iter().any(|cause| cause.code == codes::INTERNAL_ERROR) {
            return;
        }
        if let Ok(mut known) = self.known.lock() {
            // What is asked again is soon known again.
            if known.len() >= MOST {
                known.clear();
            }
            known.insert(*key, finding.clone());
        }
    }
}
