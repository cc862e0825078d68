//! What is to be checked: files, folders, compilation databases.

use super::files;
use c::database::{self, Entry, Flag};
use report::{Location, Problem};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A file to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The file.
    pub path: PathBuf,
    /// What the preprocessor is told beside its name.
    pub flags: Vec<String>,
    /// How it was found.
    pub origin: Origin,
}

/// How a file was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user gave its name: files that are named together are a program, as for a linker.
    Named,
    /// A folder or a compilation database lists it: what it defines is of interest by itself,
    /// whatever `main` stands beside it.
    Listed,
}

/// The files that some arguments stand for, in order, without repetition, and what is
/// wrong with those that stand for none. A folder stands for the `.c` and `.i` files
/// below it, a `.json` file for those that its compilation database lists.
///
/// All of them are preprocessed with these flags, too. Only what one `takes` counts; that a file
/// with a name of its own is left out is nothing wrong.
pub fn expand(
    arguments: &[PathBuf],
    flags: &[String],
    takes: &dyn Fn(&Path, Origin) -> bool,
) -> (Vec<Input>, Vec<Problem>) {
    let (mut inputs, mut problems): (Vec<Input>, _) = (Vec::new(), Vec::new());
    let mut databases = Databases::default();
    let (lists, names) =
        (|it: &Path| takes(it, Origin::Listed), |it: &Path| takes(it, Origin::Named));
    for path in arguments {
        let found = if path.is_dir() {
            of_folder(path, &lists)
        } else if path.extension().is_some_and(|extension| extension == "json") {
            of_database(path).and_then(|found| taken(found, &lists))
        } else {
            // `./a.c` is `a.c`.
            let plain = path.strip_prefix(".").unwrap_or(path).to_owned();
            if names(&plain) {
                let flags = databases.flags_of(&plain);
                Ok(vec![Input { path: plain, flags, origin: Origin::Named }])
            } else {
                Ok(Vec::new())
            }
        };
        match found {
            Ok(found) => {
                for mut input in found {
                    input.flags.extend_from_slice(flags);
                    let is_same = |it: &Input| (&it.path, &it.flags) == (&input.path, &input.flags);
                    if !inputs.iter().any(is_same) {
                        inputs.push(input);
                    }
                }
            }
            Err(message) => {
                let location = Location::of_file(&path.display().to_string());
                problems.push(Problem { message, location });
            }
        }
    }
    (inputs, problems)
}

/// What a compilation database is called.
const DATABASE: &str = "compile_commands.json";
/// Where build systems put it, below the folder of a project.
const PLACES: [&str; 2] = ["", "build"];
/// What `CMake` compiles to find out about the compiler.
const PROBES: &str = "CMakeFiles";

/// The compilation database of a project that has its root here.
fn database_in(folder: &Path) -> Option<PathBuf> {
    PLACES.iter().map(|place| folder.join(place).join(DATABASE)).find(|path| path.is_file())
}

/// The compilation database of the project that a file belongs to: the nearest above it.
#[must_use]
pub fn database_above(file: &Path) -> Option<PathBuf> {
    file.ancestors().skip(1).find_map(database_in)
}

/// Compilation databases that were looked at, with what they list.
#[derive(Default)]
struct Databases {
    known: BTreeMap<PathBuf, Vec<Input>>,
}

impl Databases {
    /// The flags for a file that is given by its own name: those of the nearest database above it,
    /// if that lists it.
    fn flags_of(&mut self, file: &Path) -> Vec<String> {
        let Ok(absolute) = std::path::absolute(file) else { return Vec::new() };
        let absolute = without_detours(&absolute);
        let Some(database) = database_above(&absolute) else { return Vec::new() };
        let read = || of_database(&database).unwrap_or_default();
        let listed = self.known.entry(database.clone()).or_insert_with(read);
        let is_file = |it: &&Input| std::path::absolute(&it.path).is_ok_and(|it| it == absolute);
        listed.iter().find(is_file).map(|it| it.flags.clone()).unwrap_or_default()
    }
}

/// Those of some files that count.
fn taken(found: Vec<Input>, takes: &dyn Fn(&Path) -> bool) -> Result<Vec<Input>, String> {
    let is_probe = |it: &Input| it.path.components().any(|part| part.as_os_str() == PROBES);
    let taken: Vec<Input> =
        found.into_iter().filter(|it| !is_probe(it) && takes(&it.path)).collect();
    if taken.is_empty() { Err("all files of this are left out".to_owned()) } else { Ok(taken) }
}

/// The files of a folder: those that the compilation database of the project there, or of the
/// nearest one above, lists below it, or else all. A folder of a build without C files stands for
/// what is built there.
fn of_folder(folder: &Path, takes: &dyn Fn(&Path) -> bool) -> Result<Vec<Input>, String> {
    let root = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let root = without_detours(&root);
    let listed = match (database_in(folder), root.ancestors().skip(1).find_map(database_in)) {
        (Some(own), _) => of_database(&own).map_err(|why| format!("{}: {why}", own.display()))?,
        // What is wrong with it is no matter of this folder.
        (None, Some(above)) => of_database(&above).unwrap_or_default(),
        (None, None) => Vec::new(),
    };
    let is_below =
        |it: &&Input| std::path::absolute(&it.path).is_ok_and(|it| it.starts_with(&root));
    let below: Vec<Input> = listed.iter().filter(is_below).cloned().collect();
    if !below.is_empty() {
        return taken(below, takes);
    }
    match below_folder(folder) {
        Err(_) if folder.join(DATABASE).is_file() => taken(listed, takes),
        found => taken(found?, takes),
    }
}

/// The C files below a folder, by name. Hidden folders and links to folders are left
/// out.
fn below_folder(folder: &Path) -> Result<Vec<Input>, String> {
    let mut open = vec![folder.to_owned()];
    let mut paths = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder)
            .map_err(|error| format!("the folder {} cannot be read: {error}", folder.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            let is_c = path.extension().is_some_and(|it| it == "c" || it == "i");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden && entry.file_name() != PROBES => {
                    open.push(path)
                }
                Ok(kind) if !kind.is_dir() && is_c && !is_special(&path) => paths.push(path),
                Ok(_) | Err(_) => {}
            }
        }
    }
    if paths.is_empty() {
        return Err("there is no .c or .i file in this folder".to_owned());
    }
    paths.sort();
    let plain = |path: PathBuf| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
    let input = |path| Input { path: plain(path), flags: Vec::new(), origin: Origin::Listed };
    Ok(paths.into_iter().map(input).collect())
}

/// Whether there is something else than a file, such as a pipe, which would be waited for.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file())
}

fn of_database(path: &Path) -> Result<Vec<Input>, String> {
    let text = files::read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let input = |entry: Entry| {
        let directory = folder.join(&entry.directory);
        let flags = entry.flags.into_iter().flat_map(|flag| match flag {
            Flag::Path(flag, path) => {
                vec![flag.to_owned(), shown(&directory.join(path)).display().to_string()]
            }
            Flag::Text(flag, text) => vec![flag.to_owned(), text],
            Flag::Word(word) => vec![word],
        });
        let path = shown(&directory.join(&entry.file));
        Input { path, flags: flags.collect(), origin: Origin::Listed }
    };
    Ok(database::read(&text)?.into_iter().map(input).collect())
}

/// A path as a person would write it: relative to the current folder, if it is below.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let path = without_detours(path);
    match path.strip_prefix(&here) {
        Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Ok(below) => below.to_owned(),
        Err(_) => path,
    }
}

/// `build/../src` is `src`, unless `build` is a link: then `..` leads elsewhere.
fn without_detours(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for part in path.components() {
        let is_back = part == Component::ParentDir
            && matches!(short.components().next_back(), Some(Component::Normal(_)));
        if is_back {
            short.pop();
        } else if part != Component::CurDir {
            short.push(part);
        }
    }
    let has_detours = path.components().any(|it| it == Component::ParentDir);
    if short.as_os_str().is_empty() {
        short.push(".");
    }
    let is_same = || path.canonicalize().ok() == short.canonicalize().ok();
    if !has_detours || is_same() { short } else { path.to_owned() }
}
