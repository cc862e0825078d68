//! `--cache`: answers of earlier runs, which hold as long as nothing that they rest on changes.
//!
//! An answer is known by a digest of all that it depends on: this build of wane, the question,
//! the options, the steps, the shapes, and the code that is reachable from the entry, as it was
//! lowered, with its places. Files that include other headers or functions beside it change
//! nothing. An entry that is damaged is no entry. Who may write into the folder may change
//! answers, as who may change the program wane itself.

use super::request::Request;
use analyze::Subject;
use question::Question;
use report::Finding;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// Where answers are kept.
#[derive(Debug)]
pub(crate) enum Store {
    /// In memory, as long as this process lasts.
    Memory(Mutex<BTreeMap<Key, Finding>>),
    /// In files of a folder, one an answer.
    Folder(PathBuf),
}

/// What an answer is known by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(String);

/// What stands in a file.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// The digest of the answer's text.
    digest: String,
    /// The answer, as JSON.
    answer: String,
}

/// More bytes than this are not kept: the oldest answers go first.
const MOST_BYTES: u64 = 512 << 20;

impl Store {
    /// Nothing is known yet.
    pub(crate) fn in_memory() -> Self {
        Self::Memory(Mutex::default())
    }

    /// A folder, which is made if it is not there.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn in_folder(folder: &Path) -> Result<Self, String> {
        let failed =
            |error: io::Error| format!("the folder {} cannot be made: {error}", folder.display());
        fs::create_dir_all(folder).map_err(failed)?;
        // Nothing in it is for version control.
        let ignored = folder.join(".gitignore");
        if !ignored.exists() {
            fs::write(ignored, "*\n").map_err(failed)?;
        }
        Ok(Self::Folder(folder.to_owned()))
    }

    /// What the answer to a question is known by; nothing, if it rests on more than the code.
    pub(crate) fn key(subject: &Subject, question: &Question, request: &Request) -> Option<Key> {
        question.argument().is_none().then_some(())?;
        let mut digest = Digester(Sha256::new());
        let of_call = (question, request.steps, &request.shape_library);
        write!(digest, "{} {}\n{of_call:?}\n", env!("CARGO_PKG_VERSION"), env!("WANE_BUILD"))
            .ok()?;
        subject.identify(&mut digest).ok()?;
        Some(Key(hexadecimal(digest.0)))
    }

    /// The answer that is known.
    pub(crate) fn find(&self, key: &Key) -> Option<Finding> {
        match self {
            Self::Memory(known) => known.lock().ok()?.get(key).cloned(),
            Self::Folder(folder) => {
                let entry: Entry =
                    serde_json::from_slice(&fs::read(place(folder, key)).ok()?).ok()?;
                let is_whole = entry.digest == sealed(key, &entry.answer);
                is_whole.then(|| serde_json::from_str(&entry.answer).ok())?
            }
        }
    }

    /// Keeps an answer. Where that is not possible, it is found again by work.
    pub(crate) fn keep(&self, key: &Key, finding: &Finding) {
        match self {
            Self::Memory(known) => {
                if let Ok(mut known) = known.lock() {
                    known.insert(key.clone(), finding.clone());
                }
            }
            Self::Folder(folder) => {
                let _ = write(folder, key, finding);
            }
        }
    }

    /// Removes the oldest answers, where there are too many.
    pub(crate) fn tidy(&self) {
        let Self::Folder(folder) = self else { return };
        let mut files = files(folder);
        let mut n_bytes: u64 = files.iter().map(|(_, _, size)| size).sum();
        files.sort();
        for (_, path, size) in files {
            if n_bytes <= MOST_BYTES {
                return;
            }
            if fs::remove_file(path).is_ok() {
                n_bytes -= size;
            }
        }
    }
}

/// All answers of a folder: when they were written, where, and how large they are.
fn files(folder: &Path) -> Vec<(SystemTime, PathBuf, u64)> {
    let below = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = below(folder).map(|it| it.path()).filter(|it| it.is_dir());
    let entries = folders.flat_map(|folder| below(&folder).collect::<Vec<_>>());
    let file = |entry: fs::DirEntry| {
        let metadata = entry.metadata().ok()?;
        Some((metadata.modified().ok()?, entry.path(), metadata.len()))
    };
    entries.filter_map(file).collect()
}

/// The file of an answer.
fn place(folder: &Path, key: &Key) -> PathBuf {
    folder.join(&key.0[..2]).join(format!("{}.json", &key.0[2..]))
}

/// Writes a file beside, and renames it: who reads sees all of it, or nothing.
fn write(folder: &Path, key: &Key, finding: &Finding) -> io::Result<()> {
    static N_WRITTEN: AtomicU64 = AtomicU64::new(0);
    let answer = serde_json::to_string(finding)?;
    let entry = Entry { digest: sealed(key, &answer), answer };
    let place = place(folder, key);
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    let number = N_WRITTEN.fetch_add(1, Ordering::Relaxed);
    let beside = place.with_extension(format!("{}-{number}", process::id()));
    fs::write(&beside, serde_json::to_vec(&entry)?)?;
    fs::rename(&beside, &place).inspect_err(|_| drop(fs::remove_file(&beside)))
}

/// A digest of an answer at its place.
fn sealed(key: &Key, answer: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(key.0.as_bytes());
    digest.update(answer.as_bytes());
    hexadecimal(digest)
}

fn hexadecimal(digest: Sha256) -> String {
    digest.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// A text that is not kept: its digest alone.
struct Digester(Sha256);

impl std::fmt::Write for Digester {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
