//! Compilation databases, as Clang documents them: which files there are, and what
//! the preprocessor is told of each.

use serde::Deserialize;
use std::path::PathBuf;

/// What a database says of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The folder that all paths are relative to.
    pub directory: PathBuf,
    /// The file.
    pub file: PathBuf,
    /// What the preprocessor is told.
    pub flags: Vec<Flag>,
}

/// Something that the preprocessor is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// A flag that names a file or a folder.
    Path(&'static str, PathBuf),
    /// A flag with any other value.
    Text(&'static str, String),
    /// A flag without one.
    Word(String),
}

#[derive(Debug, Deserialize)]
struct Compilation {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// What a database looks like.
const EXAMPLE: &str = r#"[{"directory": "/a", "file": "b.c", "command": "cc -c b.c"}, …]"#;

/// The C files that a database lists.
///
/// # Errors
/// What is wrong with the text.
pub fn read(text: &str) -> Result<Vec<Entry>, String> {
    let entries: Vec<Compilation> = serde_json::from_str(text).map_err(|error| {
        let why = match error.is_data() {
            true => format!("line {} is not as in {EXAMPLE}", error.line()),
            false => error.to_string(),
        };
        format!("this is no compilation database: {why}")
    })?;
    let mut found = Vec::new();
    for Compilation { directory, file, arguments, command } in entries {
        if !file.extension().is_some_and(|it| it == "c" || it == "i") {
            continue;
        }
        let words = if arguments.is_empty() {
            shlex::split(&command)
                .ok_or_else(|| format!("the command for {} has an open quote", file.display()))?
        } else {
            arguments
        };
        found.push(Entry { directory, file, flags: flags(&words) });
    }
    if found.is_empty() {
        return Err("this compilation database lists no .c file".to_owned());
    }
    Ok(found)
}

/// Flags with a value that is a folder or file.
pub const WITH_PATH: [&str; 8] =
    ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot"];
/// Those with another value.
const WITH_TEXT: [&str; 2] = ["-D", "-U"];

/// Flags of one word that change what the preprocessor makes of a text, by their start.
const WORDS: [&str; 7] = ["-std=", "-ansi", "-pthread", "-undef", "-nostdinc", "-O", "-m"];

/// What of a compiler's command line is for the preprocessor.
fn flags(words: &[String]) -> Vec<Flag> {
    let mut flags = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let known = WITH_PATH.iter().chain(&WITH_TEXT).find(|flag| word.starts_with(**flag));
        let Some(flag) = known else {
            let is_meant = WORDS.iter().any(|start| word.starts_with(start));
            // Which files depend on each other is for the build.
            flags.extend((is_meant && !word.starts_with("-M")).then(|| Flag::Word(word.clone())));
            continue;
        };
        let joined = word[flag.len()..].trim_start_matches('=');
        let value = if joined.is_empty() { words.next().cloned() } else { Some(joined.to_owned()) };
        let Some(value) = value else { continue };
        flags.push(if WITH_PATH.contains(flag) {
            Flag::Path(flag, value.into())
        } else {
            Flag::Text(flag, value)
        });
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::{Flag, flags};

    #[test]
    fn only_what_the_preprocessor_needs_is_kept() {
        let line =
            "cc -O2 -std=c99 -Iinclude -isystem /opt/x -DN=3 -U M -include a.h -Wall -c b.c -o b.o";
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let wanted = [
            Flag::Word("-O2".to_owned()),
            Flag::Word("-std=c99".to_owned()),
            Flag::Path("-I", "include".into()),
            Flag::Path("-isystem", "/opt/x".into()),
            Flag::Text("-D", "N=3".to_owned()),
            Flag::Text("-U", "M".to_owned()),
            Flag::Path("-include", "a.h".into()),
        ];
        assert_eq!(flags(&words), wanted);
    }
}
