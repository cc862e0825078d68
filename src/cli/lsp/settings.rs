//! What a client asks for when it starts: the options of the server, and what it can show.

use super::positions::Encoding;
use c::Options;
use lsp_types::{ClientCapabilities, InitializeParams};
use project::{Preprocessing, Reading};
use question::Question;
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

/// Seconds for each question, where nothing else is said: an editor's user waits for less than
/// one at a terminal.
const SECONDS: f64 = 10.0;

/// How an answer is shown that is neither a proof nor a refutation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Unknown {
    /// As information.
    #[default]
    Information,
    /// As a hint.
    Hint,
    /// Not at all.
    Hide,
}

/// The options, as the client writes them (`initializationOptions`).
#[derive(Debug, Deserialize)]
#[serde(default)]
struct Written {
    timeout: f64,
    steps: u64,
    property: Names,
    flags: Vec<String>,
    unknown: Unknown,
}

/// Names in a list, or with commas between them.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Names {
    Text(String),
    List(Vec<String>),
}

impl Default for Written {
    fn default() -> Self {
        let property = Names::Text("termination,memsafety".to_owned());
        let (steps, flags, unknown) = (project::STEPS, Vec::new(), Unknown::default());
        Self { timeout: SECONDS, steps, property, flags, unknown }
    }
}

/// The options.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Time for each question.
    pub(super) time: Duration,
    /// Steps for each question.
    pub(super) steps: u64,
    /// What is asked of each function.
    pub(super) questions: Vec<Question>,
    /// How files are read.
    pub(super) reading: Reading,
    /// How what is unknown is shown.
    pub(super) unknown: Unknown,
}

impl Settings {
    /// The options that a client names.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn read(options: Option<Value>) -> Result<Self, String> {
        let options = options.filter(|it| !it.is_null());
        let written: Written = match options {
            Some(options) => serde_json::from_value(options).map_err(|error| error.to_string())?,
            None => Written::default(),
        };
        if !(written.timeout > 0.0 && written.timeout <= 1e9) {
            return Err("`timeout` is a number of seconds above 0".to_owned());
        }
        if written.steps == 0 {
            return Err("`steps` is a number above 0".to_owned());
        }
        let names = match written.property {
            Names::Text(text) => text.split(',').map(|name| name.trim().to_owned()).collect(),
            Names::List(names) => names,
        };
        let mut questions: Vec<Question> = Vec::new();
        for name in names {
            let question = Question::from_name(&name).ok_or_else(|| {
                let known = "expected termination, memsafety, memcleanup or reach";
                format!("`property` has `{name}`: {known}")
            })?;
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
        Ok(Self {
            time: Duration::from_secs_f64(written.timeout),
            steps: written.steps,
            questions,
            reading: Reading {
                options: Options::default(),
                preprocessing: Preprocessing::On,
                flags: written.flags,
            },
            unknown: written.unknown,
        })
    }

    /// What holds where a client's options cannot be understood.
    pub(super) fn usual() -> Self {
        let question = Question::from_name("termination");
        let empty = Self {
            time: Duration::from_secs_f64(SECONDS),
            steps: project::STEPS,
            questions: question.into_iter().collect(),
            reading: Reading::default(),
            unknown: Unknown::default(),
        };
        Self::read(None).unwrap_or(empty)
    }
}

/// What the client can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abilities {
    /// What its columns count.
    pub(super) encoding: Encoding,
    /// It shows how work goes on.
    pub(super) progress: Ability,
    /// It asks again for what stands above lines when it is told to.
    pub(super) refresh: Ability,
    /// It opens a document when it is told to.
    pub(super) show_document: Ability,
    /// It shows other places that belong to a diagnostic.
    pub(super) related: Ability,
}

/// Whether the client can do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ability {
    /// It can.
    Present,
    /// It cannot.
    Absent,
}

impl Ability {
    fn of(is_present: Option<bool>) -> Self {
        if is_present == Some(true) { Self::Present } else { Self::Absent }
    }
}

impl Abilities {
    /// What a client says of itself.
    pub(super) fn of(params: &InitializeParams) -> Self {
        let ClientCapabilities { window, general, workspace, text_document, .. } =
            &params.capabilities;
        let encodings = general.as_ref().and_then(|it| it.position_encodings.as_deref());
        let lenses = workspace.as_ref().and_then(|it| it.code_lens.as_ref());
        let show = window.as_ref().and_then(|it| it.show_document.as_ref());
        let diagnostics = text_document.as_ref().and_then(|it| it.publish_diagnostics.as_ref());
        Self {
            encoding: Encoding::chosen(encodings.unwrap_or_default()),
            progress: Ability::of(window.as_ref().and_then(|it| it.work_done_progress)),
            refresh: Ability::of(lenses.and_then(|it| it.refresh_support)),
            show_document: Ability::of(show.map(|it| it.support)),
            related: Ability::of(diagnostics.and_then(|it| it.related_information)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Settings, Unknown};
    use serde_json::json;

    #[test]
    fn options_are_read_or_refused() {
        let options = json!({
            "timeout": 0.5, "steps": 7, "property": ["reach", "reach"], "unknown": "hide",
            "flags": ["-DN=3"], "of_another_version": true,
        });
        let settings = Settings::read(Some(options)).unwrap();
        assert_eq!((settings.time.as_millis(), settings.steps), (500, 7));
        assert_eq!(settings.questions.len(), 1);
        assert_eq!(settings.reading.flags, ["-DN=3"]);
        assert_eq!(settings.unknown, Unknown::Hide);
        assert_eq!(Settings::usual().questions.len(), 2);
        let wrong = [
            json!({ "timeout": 0 }),
            json!({ "steps": 0 }),
            json!({ "steps": -1 }),
            json!({ "property": "speed" }),
            json!({ "unknown": "shout" }),
            json!({ "flags": "-D" }),
            json!(7),
        ];
        for options in wrong {
            assert!(Settings::read(Some(options.clone())).is_err(), "{options}");
        }
    }
}
