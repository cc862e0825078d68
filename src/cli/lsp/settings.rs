//! What a client asks for when it starts: the options of the server, and what it can show.

use super::super::settings::{Checking, Preprocessor, PropertyName, Seconds, Settings as Flags};
use super::names::path_of;
use super::positions::Encoding;
use analyze::did_you_mean;
use clap::ValueEnum as _;
use lsp_types::{ClientCapabilities, InitializeParams};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::num::NonZeroU64;
use std::path::PathBuf;

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

/// The options, as the client writes them (`initializationOptions`): what is not there is set by the
/// nearest `wane.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Written {
    timeout: Option<Seconds>,
    steps: Option<NonZeroU64>,
    property: Names,
    flags: Vec<String>,
    unknown: Unknown,
}

/// Their names.
const KEYS: [&str; 5] = ["timeout", "steps", "property", "flags", "unknown"];

/// Names in a list, or with commas between them.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Names {
    Text(String),
    List(Vec<String>),
}

impl Default for Names {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

/// The options.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// What counts more than `wane.toml`.
    pub(super) flags: Flags,
    /// How what is unknown is shown.
    pub(super) unknown: Unknown,
}

impl Settings {
    /// The options that a client names, and what is wrong with those that are left aside.
    pub(super) fn read(options: Option<Value>) -> (Self, Vec<String>) {
        let mut wrong = Vec::new();
        let mut options = match options {
            Some(Value::Object(options)) => options,
            None | Some(Value::Null) => Map::new(),
            Some(_) => {
                wrong.push("they are no object".to_owned());
                Map::new()
            }
        };
        options.retain(|key, value| {
            let near = || did_you_mean(key, KEYS);
            let why = match KEYS.contains(&key.as_str()) {
                true => Self::of(&Map::from_iter([(key.clone(), value.clone())])).err(),
                false => Some(format!("there is no option `{key}`{}", near())),
            };
            let is_right = why.is_none();
            wrong.extend(why);
            is_right
        });
        (Self::of(&options).unwrap_or_default(), wrong)
    }

    /// The options by their names.
    ///
    /// # Errors
    /// What is wrong with one of them.
    fn of(options: &Map<String, Value>) -> Result<Self, String> {
        let written: Result<Written, _> = serde_json::from_value(Value::Object(options.clone()));
        let names_of_keys: Vec<String> = options.keys().map(|it| format!("`{it}`")).collect();
        let written = written.map_err(|error| format!("{}: {error}", names_of_keys.join(", ")))?;
        let names = match written.property {
            Names::Text(text) => text.split(',').map(|name| name.trim().to_owned()).collect(),
            Names::List(names) => names,
        };
        let property = |name: &String| {
            PropertyName::from_str(name, false)
                .map_err(|_| format!("`property` has `{name}`, which is none"))
        };
        let check = Checking {
            property: names.iter().map(property).collect::<Result<_, _>>()?,
            timeout: written.timeout,
            steps: written.steps,
            ..Checking::default()
        };
        let preprocessor = Preprocessor { flags: written.flags, ..Preprocessor::default() };
        let flags = Flags { check, preprocessor, ..Flags::default() };
        Ok(Self { flags, unknown: written.unknown })
    }
}

/// The folder that the user works in: the first one, where there are several.
#[allow(deprecated, reason = "`rootUri` is what older clients have")]
pub(super) fn workspace(params: &InitializeParams) -> Option<PathBuf> {
    let folders = params.workspace_folders.as_deref().unwrap_or_default();
    let uri = folders.first().map(|it| &it.uri).or(params.root_uri.as_ref());
    uri.and_then(path_of).filter(|it| it.is_dir())
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
    use std::num::NonZeroU64;

    #[test]
    fn options_are_read_or_refused() {
        let options = json!({
            "timeout": 0.5, "steps": 7, "property": ["reach", "reach"], "unknown": "hide",
            "flags": ["-DN=3"], "of_another_version": true,
        });
        let (settings, wrong) = Settings::read(Some(options));
        assert_eq!(wrong, ["there is no option `of_another_version`"]);
        let check = &settings.flags.check;
        assert_eq!(check.timeout.map(f64::from), Some(0.5));
        assert_eq!((check.steps, check.property.len()), (NonZeroU64::new(7), 2));
        assert_eq!(settings.flags.preprocessor.flags, ["-DN=3"]);
        assert_eq!(settings.unknown, Unknown::Hide);
        assert_eq!(Settings::read(None).0.flags.check, Default::default());
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
            assert_eq!(Settings::read(Some(options.clone())).1.len(), 1, "{options}");
        }
        let options = json!({ "timeot": 5, "steps": -1, "unknown": "hint" });
        let (settings, wrong) = Settings::read(Some(options));
        assert_eq!((settings.unknown, settings.flags.check.steps), (Unknown::Hint, None));
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong.iter().any(|it| it.contains("did you mean `timeout`?")), "{wrong:?}");
        assert!(wrong.iter().any(|it| it.starts_with("`steps`: ")), "{wrong:?}");
    }
}
