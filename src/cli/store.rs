//! `--cache`: answers of earlier runs, which hold as long as nothing that they rest on changes.
//!
//! An answer is known by a digest of all that it depends on: this build of wane, the question,
//! the options, the steps, the shapes, and the code that is reachable from the entry, as it was
//! lowered, with its places: functions beside it change nothing. Which code that is, is known by
//! the text of all files, so that nothing is parsed where no file has changed. An entry that is
//! damaged is no entry. Who may write into the folder may change answers, as who may change the
//! program wane itself.

use super::request::Request;
use analyze::Subject;
use base::source::Span;
use c::{EntryPoint, Options};
use project::Program;
use question::Question;
use report::Finding;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::hash::{Hash as _, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// Where answers are kept.
#[derive(Debug, Default)]
pub(crate) struct Store {
    /// In memory, as long as this process lasts.
    memory: Option<Arc<Mutex<BTreeMap<Key, String>>>>,
    /// In files of a folder, one an entry.
    folder: Option<PathBuf>,
}

/// Where a program starts.
pub(crate) enum Entered {
    /// At one function, as what is asked says, or `main`; so many others are not asked about.
    AsWhole(usize),
    /// At each of these.
    At(Vec<EntryPoint>),
}

/// An [`EntryPoint`] as it stands in a file: its names, its files, and its place.
type Shown = ([String; 4], (u16, u32, u32, u32));

fn shown(entry: &EntryPoint) -> Shown {
    let EntryPoint { name, function, file, holder, span } = entry.clone();
    ([name, function, file, holder], (span.file, span.line, span.column, span.length))
}

fn entry_point(([name, function, file, holder], place): Shown) -> EntryPoint {
    let (index, line, column, length) = place;
    EntryPoint { name, function, file, holder, span: Span { file: index, line, column, length } }
}

/// What an entry is known by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(String);

/// What stands in a file.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// The digest of the content at its place.
    digest: String,
    /// An answer as JSON, or the key of some code.
    content: String,
}

/// More entries are not kept in memory.
const MOST_IN_MEMORY: usize = 60_000;
/// More bytes than this are not kept: the oldest entries go first.
const MOST_BYTES: u64 = 512 << 20;

impl Store {
    /// Nothing is known yet.
    pub(crate) fn in_memory() -> Self {
        Self { memory: Some(Arc::default()), folder: None }
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
        Ok(Self { memory: None, folder: Some(folder.to_owned()) })
    }

    /// The same memory, and a folder behind it.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn with_folder(&self, folder: &Path) -> Result<Self, String> {
        Ok(Self { memory: self.memory.clone(), ..Self::in_folder(folder)? })
    }

    /// What the code that is reachable from the entry of a program is known by.
    pub(crate) fn code(subject: &Subject) -> Key {
        Key::of(|digest| subject.identify(digest))
    }

    /// What the text of all files of a program is known by.
    pub(crate) fn text(program: &Program) -> Key {
        Key::of(|digest| program.identify(digest))
    }

    /// What is known of where a program with this text is entered.
    pub(crate) fn entered(text: &Key, request: &Request) -> Key {
        let asked = format!("{:?}", (&request.questions, &request.options));
        Key::of(|digest| (text, asked, request.all_functions, &request.shapes_key).hash(digest))
    }

    /// What the answer to a question about some code is known by; nothing, if it rests on more
    /// than the code.
    pub(crate) fn answer(code: &Key, question: &Question, request: &Request) -> Option<Key> {
        question.argument().is_none().then_some(())?;
        let of_call = format!("{:?}", (question, request.steps, &request.options));
        Some(Key::of(|digest| (code, of_call, &request.shapes_key).hash(digest)))
    }

    /// What is known of an entry of a program with this text, before that is parsed.
    pub(crate) fn start(text: &Key, options: &Options) -> Key {
        let options = format!("{options:?}");
        Key::of(|digest| (text, options).hash(digest))
    }

    /// The answer that is known.
    pub(crate) fn find(&self, key: &Key, request: &Request) -> Option<Finding> {
        let cut = || self.remembered(&Key::of_cut(key, request));
        serde_json::from_str(&self.content(key).or_else(cut)?).ok()
    }

    /// Keeps an answer. Where that is not possible, it is found again by work.
    pub(crate) fn keep(&self, key: &Key, finding: &Finding) {
        if let Ok(content) = serde_json::to_string(finding) {
            self.put(key, content);
        }
    }

    /// Keeps an answer that the clock has cut short. Who waits before a screen does not want to
    /// wait for the same once more, so it is kept in memory, and not in folders.
    pub(crate) fn keep_cut(&self, key: &Key, request: &Request, finding: &Finding) {
        if let Ok(content) = serde_json::to_string(finding) {
            self.remember(&Key::of_cut(key, request), content);
        }
    }

    /// The code that is reachable from an entry, if the program was read before.
    pub(crate) fn find_code(&self, start: &Key) -> Option<Key> {
        self.content(start).map(Key)
    }

    /// Keeps which code is reachable from an entry.
    pub(crate) fn keep_code(&self, start: &Key, code: &Key) {
        self.put(start, code.0.clone());
    }

    /// Where a program is entered, if it was read before.
    pub(crate) fn find_entered(&self, key: &Key) -> Option<Entered> {
        let known: Result<Vec<Shown>, usize> = serde_json::from_str(&self.content(key)?).ok()?;
        Some(match known {
            Ok(entries) => Entered::At(entries.into_iter().map(entry_point).collect()),
            Err(n_unasked) => Entered::AsWhole(n_unasked),
        })
    }

    /// Keeps where a program is entered.
    pub(crate) fn keep_entered(&self, key: &Key, entered: &Entered) {
        let shown: Result<Vec<Shown>, usize> = match entered {
            Entered::At(entries) => Ok(entries.iter().map(shown).collect()),
            Entered::AsWhole(n_unasked) => Err(*n_unasked),
        };
        if let Ok(content) = serde_json::to_string(&shown) {
            self.put(key, content);
        }
    }

    fn content(&self, key: &Key) -> Option<String> {
        let in_folder = |folder: &PathBuf| {
            let entry: Entry = serde_json::from_slice(&fs::read(place(folder, key)).ok()?).ok()?;
            (entry.digest == sealed(key, &entry.content)).then_some(entry.content)
        };
        self.remembered(key).or_else(|| self.folder.as_ref().and_then(in_folder))
    }

    fn put(&self, key: &Key, content: String) {
        if let Some(folder) = &self.folder {
            let _ = write(folder, key, content.clone());
        }
        self.remember(key, content);
    }

    fn remembered(&self, key: &Key) -> Option<String> {
        self.memory.as_ref()?.lock().ok()?.get(key).cloned()
    }

    fn remember(&self, key: &Key, content: String) {
        if let Some(mut known) = self.memory.as_ref().and_then(|it| it.lock().ok()) {
            // What is asked again is soon known again.
            if known.len() >= MOST_IN_MEMORY {
                known.clear();
            }
            known.insert(key.clone(), content);
        }
    }

    /// Removes the oldest answers, where there are too many.
    pub(crate) fn tidy(&self) {
        let Some(folder) = &self.folder else { return };
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
fn write(folder: &Path, key: &Key, content: String) -> io::Result<()> {
    static N_WRITTEN: AtomicU64 = AtomicU64::new(0);
    let entry = Entry { digest: sealed(key, &content), content };
    let place = place(folder, key);
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    let number = N_WRITTEN.fetch_add(1, Ordering::Relaxed);
    let beside = place.with_extension(format!("{}-{number}", process::id()));
    fs::write(&beside, serde_json::to_vec(&entry)?)?;
    fs::rename(&beside, &place).inspect_err(|_| drop(fs::remove_file(&beside)))
}

impl Key {
    /// The digest in hexadecimal digits.
    pub(crate) fn digits(&self) -> &str {
        &self.0
    }

    /// What an answer is known by that the clock has cut short.
    fn of_cut(key: &Self, request: &Request) -> Self {
        Self::of(|digest| (key, request.time).hash(digest))
    }

    /// The digest of what is told, and of this build of wane.
    pub(crate) fn of(tell: impl FnOnce(&mut Digest)) -> Self {
        let mut digest = Digest(Sha256::new());
        (env!("CARGO_PKG_VERSION"), env!("WANE_BUILD")).hash(&mut digest);
        tell(&mut digest);
        Self(hexadecimal(digest.0))
    }
}

/// A digest of the content of an entry at its place.
fn sealed(key: &Key, content: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(key.0.as_bytes());
    digest.update(content.as_bytes());
    hexadecimal(digest)
}

fn hexadecimal(digest: Sha256) -> String {
    digest.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// A digest that is told things as a hasher is.
pub(crate) struct Digest(Sha256);

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Of no use here: 64 bits are too few to tell programs apart.
    fn finish(&self) -> u64 {
        0
    }
}
