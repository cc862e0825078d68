//! What is wrong with a `wane.toml`, in words: not in those of the types that it is read into.

use super::Settings;
use analyze::did_you_mean;

/// The parts of the file that have keys of their own.
const PARTS: [&str; 3] = ["check", "report", "preprocessor"];

/// A number of which there is at least one, and one that is no larger than there are threads.
pub(super) const COUNT: &str = "a number above 0";
pub(super) const SMALL_COUNT: &str = "a number from 1 to 65535";

/// What types are to a person.
const TYPES: [(&str, &str); 8] = [
    ("integer", "a number"),
    ("a nonzero u16", SMALL_COUNT),
    ("a nonzero u64", COUNT),
    ("f64", "a number"),
    ("a sequence", "a list"),
    ("a boolean", "true or false"),
    ("a string", "a text"),
    ("path string", "a text"),
];

/// A message of the reader for a person.
pub(super) fn in_words(message: &str) -> String {
    if let Some((key, known)) = unexpected(message, "unknown field `") {
        let home = home_of(key);
        return match home {
            Some(home) => format!("`{key}` is no setting here: it belongs {home}"),
            None => {
                let near = did_you_mean(key, known.split('`').skip(1).step_by(2));
                format!("there is no setting `{key}` here{near}; there are {known}")
            }
        };
    }
    if let Some((value, known)) = unexpected(message, "unknown variant `") {
        let near = did_you_mean(value, known.split('`').skip(1).step_by(2));
        return format!("`{value}` is none of {known}{near}");
    }
    let is_typed = message.starts_with("invalid type") || message.starts_with("invalid value");
    match message.rsplit_once(", expected ") {
        Some((_, expected)) if is_typed => {
            let known = TYPES.iter().find(|(it, _)| *it == expected);
            format!("expected {}", known.map_or(expected, |(_, words)| words))
        }
        _ => message.to_owned(),
    }
}

/// What is not expected, and what is.
fn unexpected<'a>(message: &'a str, start: &str) -> Option<(&'a str, &'a str)> {
    let (name, rest) = message.strip_prefix(start)?.split_once('`')?;
    let known = rest.trim_start_matches(", expected ").trim_start_matches("one of ");
    Some((name, known))
}

/// Where a key belongs, if it is one somewhere else.
fn home_of(key: &str) -> Option<String> {
    let is_known = |text: &str| {
        let read: Result<Settings, _> = toml::from_str(text);
        read.map_or_else(|error| !error.message().starts_with("unknown field"), |_| true)
    };
    let part = PARTS.iter().find(|part| is_known(&format!("[{part}]\n{key} = 0\n")));
    match part {
        Some(part) => Some(format!("into the part [{part}]")),
        None => is_known(&format!("{key} = 0\n"))
            .then(|| "before all parts, at the start of the file".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;
    use super::in_words;

    #[test]
    fn errors_are_in_words() {
        for (text, expected) in [
            ("timeout = 3", "`timeout` is no setting here: it belongs into the part [check]"),
            ("fail-on = \"never\"", "it belongs into the part [report]"),
            ("[check]\njobs = 3", "it belongs before all parts"),
            ("[check]\ntimeuot = 3", "here; did you mean `timeout`?; there are `property`"),
            ("[check]\nsteps = -5", "expected a number above 0"),
            ("[check]\nsteps = 0", "expected a number above 0"),
            ("memory = 0", "expected a number above 0"),
            ("jobs = 0", "expected a number from 1 to 65535"),
            ("jobs = 70_000", "expected a number from 1 to 65535"),
            ("[check]\nstrict = 1", "expected true or false"),
            ("exclude = \"a\"", "expected a list"),
            ("[check]\nproperty = [\"speed\"]", "`speed` is none of `termination`"),
            ("[check]\ntimeout = 0", "expected a number of seconds above 0"),
        ] {
            let error = toml::from_str::<Settings>(text).expect_err(text);
            let words = in_words(error.message());
            assert!(words.contains(expected), "{text}: {words}");
        }
    }
}
