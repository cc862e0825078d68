//! The words of a command line, before they are read as flags: those that other tools have
//! taught people to write.
//!
//! * `wane FILE` is `wane check FILE`.
//! * Flags that compilers spell with one dash may be spelt so.
//! * Flags that are the compiler's alone, such as `-Wall -O2`, are handed to it: what a build has in
//!   `CFLAGS` may be pasted.
//! * A command that is misspelt is no file.

use c::database::WITH_PATH;
use clap::CommandFactory as _;
use std::ffi::OsString;
use std::path::Path;

/// Two words that are as much alike are taken for the same, misspelt.
const ALIKE: f64 = 0.7;

/// The starts of flags that are handed to the C compiler. None of them is a flag of wane.
const OF_COMPILERS: [&str; 9] =
    ["-W", "-g", "-pedantic", "-O", "-f", "-m", "-ansi", "-nostd", "-undef"];
/// Whole words of that kind: others that start so are wane's `-p` with a name.
const WORDS_OF_COMPILERS: [&str; 3] = ["-pthread", "-pipe", "-w"];
/// Those with a value behind them that wane has itself, by these names.
const WANES_OWN: [&str; 2] = ["-I", "-include"];
/// The compiler's word for a data model, and wane's.
const NARROW: [&str; 2] = ["-m32", "--data-model=ilp32"];

/// The words as clap is to read them.
///
/// # Errors
/// The first word is neither a command nor a file, and much like a command.
pub(super) fn read(mut words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let all = super::Arguments::command();
    let commands: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
    let is_general = |word: &str| ["help", "--help", "-h", "--version", "-V"].contains(&word);
    let is_command =
        |word: &OsString| word.to_str().is_some_and(|it| is_general(it) || commands.contains(&it));
    if let Some(first) = words.get(1).filter(|word| !is_command(word)) {
        if first == "version" && !Path::new(first).exists() {
            return Err("there is no command `version`: `wane --version` tells it".to_owned());
        }
        if let Some(meant) = misspelt(first, &commands) {
            return Err(format!(
                "there is neither a command nor a file `{}`; `{meant}` is a command",
                first.display()
            ));
        }
        words.insert(1, "check".into());
    }
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    for word in &mut words[..end] {
        match word.to_str() {
            Some("-include") => *word = "--include-file".into(),
            Some(text) if text.starts_with("-std=") => *word = format!("-{text}").into(),
            Some(text) if text == NARROW[0] => *word = NARROW[1].into(),
            _ => {}
        }
    }
    if words.get(1).is_some_and(|it| it == "check") {
        hand_to_compiler(&mut words, end);
    }
    Ok(words)
}

/// The command that a word is much like, if it names no file.
fn misspelt<'a>(word: &OsString, commands: &[&'a str]) -> Option<&'a str> {
    let text = word.to_str().filter(|it| !it.starts_with('-') && !Path::new(it).exists())?;
    let alike = commands.iter().map(|it| (strsim::jaro(text, it), *it));
    let (likeness, command) = alike.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (likeness > ALIKE).then_some(command)
}

/// Moves the flags that are the compiler's alone behind `--`.
fn hand_to_compiler(words: &mut Vec<OsString>, end: usize) {
    let behind = words.split_off(end);
    let (mut kept, mut flags) = (Vec::new(), Vec::new());
    let mut rest = std::mem::take(words).into_iter();
    while let Some(word) = rest.next() {
        match n_words(&word) {
            0 => kept.push(word),
            more => flags.extend([word].into_iter().chain(rest.by_ref().take(more - 1))),
        }
    }
    if !flags.is_empty() && behind.is_empty() {
        kept.push("--".into());
    }
    kept.extend(behind);
    kept.extend(flags);
    *words = kept;
}

/// How many words from this one on are a flag that is the compiler's alone: 0, if it is none.
fn n_words(word: &OsString) -> usize {
    let Some(word) = word.to_str() else { return 0 };
    let with_value = WITH_PATH.iter().filter(|it| !WANES_OWN.contains(it));
    match with_value.into_iter().find(|start| word.starts_with(**start)) {
        Some(whole) => 1 + usize::from(*whole == word),
        None => {
            let is_start = OF_COMPILERS.iter().any(|start| word.starts_with(start));
            usize::from(is_start || WORDS_OF_COMPILERS.contains(&word))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use std::ffi::OsString;

    fn of(words: &str) -> Result<String, String> {
        let words = words.split(' ').map(OsString::from).collect();
        let read: Vec<String> =
            read(words)?.iter().map(|it| it.to_string_lossy().into_owned()).collect();
        Ok(read.join(" "))
    }

    #[test]
    fn words_of_compilers_are_understood() {
        for (written, understood) in [
            ("wane f.c", "wane check f.c"),
            ("wane explain W001", "wane explain W001"),
            ("wane -std=c99 f.c", "wane check --std=c99 f.c"),
            ("wane -Wall f.c -g", "wane check f.c -- -Wall -g"),
            (
                "wane -O2 -fPIC -isystem inc -pthread f.c",
                "wane check f.c -- -O2 -fPIC -isystem inc -pthread",
            ),
            (
                "wane -isysteminc --sysroot=/x -w f.c",
                "wane check f.c -- -isysteminc --sysroot=/x -w",
            ),
            (
                "wane -p thread -ptermination -I inc -oout -vqj2 f.c",
                "wane check -p thread -ptermination -I inc -oout -vqj2 f.c",
            ),
            ("wane -m32 -march=native f.c", "wane check --data-model=ilp32 f.c -- -march=native"),
            ("wane -Wall f.c -- -m64", "wane check f.c -- -m64 -Wall"),
            ("wane f.c -- -std=c99", "wane check f.c -- -std=c99"),
            ("wane plan --ninja -- f.c -Wall", "wane plan --ninja -- f.c -Wall"),
        ] {
            assert_eq!(of(written).as_deref(), Ok(understood), "{written}");
        }
    }

    #[test]
    fn a_misspelt_command_is_no_file() {
        let error = of("wane chek f.c").expect_err("there is no such command");
        assert!(error.contains("`check` is a command"), "{error}");
        assert_eq!(of("wane queue.c").as_deref(), Ok("wane check queue.c"));
    }
}
