//! The first lines of a case, and what wane says of it.
#![allow(dead_code, reason = "each test uses a part")]

use std::path::{Path, PathBuf};
use wane::analyze::{Source, problems, read};
use wane::base::budget::Budget;
use wane::c::preprocess::preprocess;
use wane::c::{Atomics, DataModel, MallocModel, Options};
use wane::heap::shape::ShapeLibrary;
use wane::ir::semantics::{Definedness, IntModel};
use wane::question::Question;
use wane::report::{Answer, Finding, Problem};

/// One file under `tests/cases`.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Its name below `tests/cases`.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// The question.
    pub(crate) question: Question,
    /// Whether the property holds, as a person knows it.
    pub(crate) holds: bool,
    /// What wane is expected to say.
    pub(crate) expect: String,
    /// How C is to be understood.
    pub(crate) options: Options,
}

/// Steps a case: enough for all of them, and the same on every machine.
const STEPS: u64 = 400_000;

impl Case {
    /// Reads the first lines of a file.
    pub(crate) fn of_file(root: &Path, path: PathBuf) -> Result<Self, String> {
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let value = |key: &str| {
            let header = text.lines().take_while(|line| line.starts_with("// "));
            let mut values = header.filter_map(|line| line.strip_prefix("// ")?.strip_prefix(key));
            values.next().and_then(|value| value.strip_prefix(": ")).map(str::trim)
        };
        let needed =
            |key: &str| value(key).ok_or_else(|| format!("{name}: no line `// {key}: ...`"));
        let property = needed("property")?;
        let question = match property {
            "ltl" => Question::Ltl(needed("ltl")?.to_owned()),
            "thread-termination" => Question::ThreadTermination(needed("thread")?.to_owned()),
            "ctl" => Question::Ctl(needed("ctl")?.to_owned()),
            "spec" => specification(needed("spec")?)?,
            _ => Question::from_name(property)
                .ok_or_else(|| format!("{name}: no property {property}"))?,
        };
        let holds = match needed("truth")? {
            "holds" => true,
            "fails" => false,
            other => return Err(format!("{name}: truth is `holds` or `fails`, not `{other}`")),
        };
        let options = options(value("options").unwrap_or_default())
            .map_err(|why| format!("{name}: {why}"))?;
        Ok(Self { expect: needed("expect")?.to_owned(), name, path, question, holds, options })
    }

    /// What wane says: `proved`, `refuted`, `unknown(CODE)` or `rejected`.
    pub(crate) fn run(&self, library: &ShapeLibrary) -> String {
        match answer(&self.path, &self.question, &self.options, library) {
            Ok(finding) => verdict(&finding),
            Err(_) => "rejected".to_owned(),
        }
    }
}

/// The question whether a specification holds, by its file below the repository.
fn specification(file: &str) -> Result<Question, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
    Ok(Question::Specification { file: file.to_owned(), text })
}

/// What a finding says, in the words of a case.
pub(crate) fn verdict(finding: &Finding) -> String {
    match finding.answer {
        Answer::Proved | Answer::Refuted => finding.answer.word().to_owned(),
        Answer::Unknown => {
            format!("unknown({})", finding.causes.first().map_or("", |cause| cause.code))
        }
    }
}

/// The answer to one question about one file.
pub(crate) fn answer(
    path: &Path,
    question: &Question,
    options: &Options,
    library: &ShapeLibrary,
) -> Result<Finding, Vec<Problem>> {
    let source = if path.extension().is_some_and(|extension| extension == "goto") {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        Source::Goto { name: path.display().to_string(), text }
    } else {
        Source::C(preprocess(path, options.data_model).map_err(|rejection| problems(&rejection))?)
    };
    let subject = read(source, options)?;
    Ok(subject.ask(question, library, &mut Budget::of_steps(STEPS)))
}

/// The command line's options, as far as cases use them.
pub(crate) fn options(text: &str) -> Result<Options, String> {
    let mut options = Options {
        data_model: DataModel::Lp64,
        int_model: IntModel::C,
        malloc: MallocModel::Succeeds,
        input: wane::c::Input::Ends,
        entry: None,
        ..Options::default()
    };
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "--endless-input" => options.input = wane::c::Input::Endless,
            "--malloc-may-fail" => options.malloc = MallocModel::MayFail,
            "--int-model=machine" => options.int_model = IntModel::Machine,
            "--int-model=math" => {
                (options.int_model, options.atomics) = (IntModel::Math, Atomics::Exact);
            }
            "--data-model=ilp32" => options.data_model = DataModel::Ilp32,
            "--strict" => options.definedness = Definedness::Shown,
            "--entry" => options.entry = words.next().map(str::to_owned),
            other => return Err(format!("cases know no option `{other}`")),
        }
    }
    Ok(options)
}
