//! What is to be checked: files, folders, compilation databases.

use super::files;
use c::database::{self, Entry, Flag};
use report::{Location, Problem};
use std::collections::{BTreeMap, BTreeSet};
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

/// What some arguments stand for.
#[derive(Debug, Default)]
pub struct Found {
    /// The files, in order, without repetition.
    pub inputs: Vec<Input>,
    /// What is wrong with arguments that stand for none.
    pub problems: Vec<Problem>,
    /// What should be known of compilation databases that are of no use.
    pub warnings: Vec<String>,
    /// What else is good to know.
    pub notes: Vec<String>,
}

/// The files that some arguments stand for. A folder stands for the `.c` and `.i` files
/// below it, a `.json` file for those that its compilation database lists.
///
/// All of them are preprocessed with these flags, too. Only what one `takes` counts, and as what it
/// says; that a file with a name of its own is left out is nothing wrong.
pub fn expand(
    arguments: &[PathBuf],
    flags: &[String],
    takes: &dyn Fn(&Path, Origin) -> Option<Origin>,
) -> Found {
    let mut all = Found::default();
    let mut databases = Databases::default();
    let lists = |it: &Path| takes(it, Origin::Listed).is_some();
    for path in arguments {
        let found = if path.is_dir() {
            of_folder(path, &lists, &mut all)
        } else if path.extension().is_some_and(|extension| extension == "json") {
            of_database(path).and_then(|found| taken(found, &lists))
        } else {
            // `./a.c` is `a.c`.
            let path = path.strip_prefix(".").unwrap_or(path).to_owned();
            let input = takes(&path, Origin::Named).map(|origin| {
                let flags = databases.flags_of(&path, &mut all.warnings);
                Input { path, flags, origin }
            });
            Ok(input.into_iter().collect())
        };
        match found {
            Ok(found) => {
                for mut input in found {
                    input.flags.extend_from_slice(flags);
                    let is_same = |it: &Input| (&it.path, &it.flags) == (&input.path, &input.flags);
                    if !all.inputs.iter().any(is_same) {
                        all.inputs.push(input);
                    }
                }
            }
            Err(message) => {
                let location = Location::of_file(&path.display().to_string());
                all.problems.push(Problem { message, location });
            }
        }
    }
    all
}

/// What a compilation database is called.
const DATABASE: &str = "compile_commands.json";
/// Where build systems put it, below the folder of a project.
const PLACES: [&str; 2] = ["", "build"];
/// So many files are named that a database leaves out.
const TOLD: usize = 3;
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
    /// if that lists it. That this is none is told once.
    fn flags_of(&mut self, file: &Path, warnings: &mut Vec<String>) -> Vec<String> {
        let Ok(absolute) = std::path::absolute(file) else { return Vec::new() };
        let absolute = without_detours(&absolute);
        let Some(database) = database_above(&absolute) else { return Vec::new() };
        let read =
            || of_database(&database).unwrap_or_else(|why| useless(&database, &why, warnings));
        let listed = self.known.entry(database.clone()).or_insert_with(read);
        let is_file = |it: &&Input| std::path::absolute(&it.path).is_ok_and(|it| it == absolute);
        listed.iter().find(is_file).map(|it| it.flags.clone()).unwrap_or_default()
    }
}

/// A database that cannot be read lists nothing, and that is told.
fn useless(database: &Path, why: &str, warnings: &mut Vec<String>) -> Vec<Input> {
    let name = shown(database).display().to_string();
    warnings.push(format!("{name}: {why}: files are read without the flags of their build"));
    Vec::new()
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
fn of_folder(
    folder: &Path,
    takes: &dyn Fn(&Path) -> bool,
    all: &mut Found,
) -> Result<Vec<Input>, String> {
    let root = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let root = without_detours(&root);
    let own = database_in(folder);
    let database = own.clone().or_else(|| root.ancestors().skip(1).find_map(database_in));
    let listed = match (&own, &database) {
        (Some(own), _) => of_database(own).map_err(|why| format!("{}: {why}", own.display()))?,
        // What is wrong with it stops nothing in this folder.
        (None, Some(above)) => {
            of_database(above).unwrap_or_else(|why| useless(above, &why, &mut all.warnings))
        }
        (None, None) => Vec::new(),
    };
    let absolute = |it: &Input| std::path::absolute(&it.path).unwrap_or_default();
    let is_below = |it: &&Input| absolute(it).starts_with(&root);
    let below: Vec<Input> = listed.iter().filter(is_below).cloned().collect();
    let name = shown(database.as_deref().unwrap_or(folder)).display().to_string();
    if !below.is_empty() {
        let known: BTreeSet<PathBuf> = below.iter().map(absolute).collect();
        let files = below_folder(folder).unwrap_or_default();
        let is_missing = |it: &Input| !known.contains(&absolute(it)) && takes(&it.path);
        let missing: Vec<Input> = files.into_iter().filter(is_missing).collect();
        all.notes.extend(not_listed(&missing, &name));
        return taken(below, takes);
    }
    match below_folder(folder) {
        Err(_) if folder.join(DATABASE).is_file() => taken(listed, takes),
        found => {
            if found.is_ok() && !listed.is_empty() {
                // One above may be about other folders.
                let told = if own.is_some() { &mut all.warnings } else { &mut all.notes };
                let folder = folder.display();
                told.push(format!(
                    "{name} lists no file below {folder}: all C files there are checked, without \
                     flags of a build"
                ));
            }
            taken(found?, takes)
        }
    }
}

/// That a database leaves out some files of a folder; nothing, if these are none.
fn not_listed(missing: &[Input], database: &str) -> Option<String> {
    let mut names: Vec<String> =
        missing.iter().take(TOLD).map(|it| it.path.display().to_string()).collect();
    names.extend((missing.len() > TOLD).then(|| "…".to_owned()));
    let (files, are, them) = match missing.len() {
        0 => return None,
        1 => ("1 C file here".to_owned(), "is", "it"),
        number => (format!("{number} C files here"), "are", "them"),
    };
    Some(format!(
        "{files} {are} in no command of {database} and {are} not checked: {}; name {them} to check \
         {them}",
        names.join(", ")
    ))
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
