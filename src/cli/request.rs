//! What is asked of each program: flags, and what is set for its file.

use super::settings::{
    Checking, Configuration, DEFAULT_TIME, DataModelName, IntModelName, PropertyName, Seconds,
    Settings,
};
use super::shard::Shard;
use super::store::{Key, Store};
use super::{Check, changed, library, questions, write_error};
use c::preprocess::WITH_MACROS;
use c::{Atomics, DataModel, Input, IntModel, MallocModel, Options};
use heap::shape::{ShapeDef, ShapeId, ShapeLibrary};
use ir::semantics::Definedness;
use project::{Changes, Origin, Preprocessing, Program, Reading};
use question::Question;
use report::accepted::Home;
use std::hash::Hash as _;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What is asked of a program.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// The questions.
    pub(super) questions: Vec<Question>,
    /// How C is to be understood, and where the program starts.
    pub(super) options: Options,
    /// Whether a program with `main` is entered at all its functions, too.
    pub(super) all_functions: bool,
    /// The shapes.
    pub(super) shape_library: Arc<ShapeLibrary>,
    /// What these are known by.
    pub(super) shapes_key: Key,
    /// Steps a question.
    pub(super) steps: u64,
    /// Time a question.
    pub(super) time: Duration,
    /// Less time than that, where what is not answered by then is asked once more.
    pub(super) first_look: Option<Duration>,
    /// Whether it is told what each answer took.
    pub(super) statistics: bool,
    /// The part of the work that is done here, if it is not all.
    pub(super) shard: Option<Shard>,
    /// Answers of earlier runs.
    pub(super) store: Option<Arc<Store>>,
    /// The files whose code alone is of interest, as far as it calls or is called.
    pub(super) changes: Option<Arc<Changes>>,
}

/// What is asked of all programs.
#[derive(Debug)]
pub(super) struct Requests {
    configuration: Configuration,
    /// How all files are read.
    pub(super) reading: Reading,
    /// The questions, if they are not those of properties.
    named: Option<Vec<Question>>,
    all_functions: bool,
    shape_library: Arc<ShapeLibrary>,
    shapes_key: Key,
    shard: Option<Shard>,
    /// Answers of earlier runs.
    pub(super) store: Option<Arc<Store>>,
    changes: Option<Arc<Changes>>,
    statistics: bool,
}

impl Requests {
    /// What flags ask, and the settings of a project.
    ///
    /// # Errors
    /// A formula, specification or shape is none, the folder of the cache cannot be made, or what
    /// has changed cannot be found out.
    pub(super) fn new(arguments: &Check, configuration: Configuration) -> Result<Self, String> {
        let settings = &configuration.settings;
        let named = questions::named(arguments)?;
        let data_model = match settings.data_model {
            None | Some(DataModelName::Lp64) => DataModel::Lp64,
            Some(DataModelName::Ilp32) => DataModel::Ilp32,
        };
        let preprocessing =
            if arguments.no_preprocess { Preprocessing::Off } else { Preprocessing::On };
        // Formulas and specifications may name macros of the program.
        let has_formula = named.iter().flatten().any(|it| {
            matches!(it, Question::Ltl(_) | Question::Ctl(_) | Question::Specification { .. })
        });
        let mut flags = settings.preprocessor.words();
        for folder in settings.preprocessor.folders.iter().filter(|it| !it.is_dir()) {
            let name = folder.display();
            write_error(&format!(
                "warning: there is no folder `{name}` to look for headers (-I)\n"
            ));
        }
        flags.extend(has_formula.then(|| WITH_MACROS.to_owned()));
        let store = settings.cache.as_deref().map(Store::in_folder);
        let shape_library = library(&settings.shapes)?;
        let entry = arguments.entry.clone();
        let of_run = Options { data_model, entry, ..Options::default() };
        let options = options(&settings.check, of_run);
        Ok(Self {
            reading: Reading { options, preprocessing, flags, models: settings.models.clone() },
            named,
            all_functions: settings.all_functions == Some(true),
            shapes_key: shapes_key(&shape_library),
            shape_library: Arc::new(shape_library),
            shard: arguments.shard(),
            store: store.transpose()?.map(Arc::new),
            changes: changes(arguments)?.map(Arc::new),
            statistics: arguments.statistics,
            configuration,
        })
    }

    /// What an editor asks of each function: its options over the nearest `wane.toml`. Its user waits
    /// for less than one at a terminal.
    ///
    /// # Errors
    /// Something in that file, or a shape that it names, is none, or the folder of the cache cannot
    /// be made.
    pub(super) fn of_editor(flags: &Settings, memory: Arc<Store>) -> Result<Self, String> {
        let mut configuration = Configuration::read(flags, None)?;
        configuration.settings.check.timeout.get_or_insert(Seconds::IN_EDITORS);
        let settings = &configuration.settings;
        let store = match &settings.cache {
            Some(folder) => Arc::new(memory.with_folder(folder)?),
            None => memory,
        };
        let shape_library = library(&settings.shapes)?;
        let options = options(&settings.check, Options::default());
        let flags = settings.preprocessor.words();
        Ok(Self {
            reading: Reading {
                options,
                flags,
                models: settings.models.clone(),
                ..Reading::default()
            },
            named: None,
            all_functions: true,
            shapes_key: shapes_key(&shape_library),
            shape_library: Arc::new(shape_library),
            shard: None,
            store: Some(store),
            changes: None,
            statistics: false,
            configuration,
        })
    }

    /// What is asked of the program of a file.
    pub(super) fn of(&self, file: &Path) -> Request {
        let check = self.configuration.check_of(file);
        let options = options(&check, self.reading.options.clone());
        Request {
            questions: self.named.clone().unwrap_or_else(|| asked(&check.property)),
            options,
            all_functions: self.all_functions,
            shape_library: Arc::clone(&self.shape_library),
            shapes_key: self.shapes_key.clone(),
            steps: check.steps.map_or(project::STEPS, NonZero::get),
            time: check.timeout.map_or(DEFAULT_TIME, |it| it.duration()),
            first_look: None,
            statistics: self.statistics,
            shard: self.shard,
            store: self.store.clone(),
            changes: self.changes.clone(),
        }
    }

    /// What a whole run is known by: what is asked, and the texts of all programs.
    pub(super) fn run_key(&self, programs: &[Program]) -> Key {
        let asked = self.asked_key();
        Key::of(|digest| {
            asked.hash(digest);
            programs.iter().for_each(|program| program.identify(digest));
        })
    }

    /// What is asked, whatever the texts.
    pub(super) fn asked_key(&self) -> Key {
        let settings = self.settings();
        let of_files = (&settings.check, &settings.overrides);
        let asked = format!("{:?} {of_files:?} {:?}", self.named, self.reading.options);
        Key::of(|digest| (asked, self.all_functions, &self.shapes_key).hash(digest))
    }

    /// What is set for the whole run.
    pub(super) fn settings(&self) -> &Settings {
        &self.configuration.settings
    }

    /// From where files are named when answers are recognized.
    pub(super) fn home(&self) -> &Home {
        &self.configuration.home
    }

    /// The files that all answers depend on, beside those of programs.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let settings = self.settings();
        let named = settings.shapes.iter().chain(&settings.models);
        self.configuration.file.iter().chain(named).map(PathBuf::as_path)
    }

    /// How a file counts that was found so; nothing, if it is not taken. Where a tool names files,
    /// they count as those of a folder do.
    pub(super) fn takes(&self, file: &Path, origin: Origin) -> Option<Origin> {
        match origin {
            Origin::Listed => self.configuration.takes(file).then_some(origin),
            Origin::Named if self.settings().force_exclude == Some(true) => {
                (!self.configuration.excludes(file)).then_some(Origin::Listed)
            }
            Origin::Named => Some(origin),
        }
    }
}

/// How C is to be understood, beside what holds for a whole run.
fn options(check: &Checking, of_run: Options) -> Options {
    let int_model = match check.int_model {
        None | Some(IntModelName::C) => IntModel::C,
        Some(IntModelName::Math) => IntModel::Math,
        Some(IntModelName::Machine) => IntModel::Machine,
    };
    Options {
        int_model,
        input: if check.endless_input == Some(true) { Input::Endless } else { Input::Ends },
        malloc: match check.malloc_may_fail {
            Some(true) => MallocModel::MayFail,
            None | Some(false) => MallocModel::Succeeds,
        },
        atomics: match int_model {
            IntModel::Math => Atomics::Exact,
            IntModel::C | IntModel::Machine => Atomics::Wrapping,
        },
        definedness: match check.strict {
            Some(true) => Definedness::Shown,
            None | Some(false) => Definedness::Assumed,
        },
        ..of_run
    }
}

/// What shapes are known by: those that are built in belong to this build of wane, as the key does.
fn shapes_key(library: &ShapeLibrary) -> Key {
    let ids = (0..library.len()).map(ShapeId::at).filter(|it| !library.is_builtin(*it));
    let own: Vec<&ShapeDef> = ids.map(|it| library.get(it)).collect();
    Key::of(|digest| format!("{own:?}").hash(digest))
}

/// The files that have changed, if only these are of interest.
fn changes(arguments: &Check) -> Result<Option<Changes>, String> {
    let changes = match (&arguments.changed_since, &arguments.changed_files) {
        (Some(revision), _) => changed::since(revision)?,
        (None, Some(list)) => changed::of_list(list)?,
        (None, None) => return Ok(None),
    };
    if let Some(gone) = changes.gone() {
        let name = gone.display();
        write_error(&format!("warning: {name} is not there any more: all functions are checked\n"));
    }
    Ok(Some(changes))
}

/// The questions of these names, each once; without names, those of most interest.
fn asked(names: &[PropertyName]) -> Vec<Question> {
    let names = if names.is_empty() { &PropertyName::OF_MOST_INTEREST } else { names };
    let mut questions = Vec::new();
    for question in names.iter().map(|name| name.question()) {
        if !questions.contains(&question) {
            questions.push(question);
        }
    }
    questions
}
