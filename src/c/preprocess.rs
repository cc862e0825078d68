//! Runs the system's preprocessor, for files that need one.

use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use wane_grammar::c::literal;

use super::{DataModel, PreprocessedSource, Rejection, SyntaxError, columns};
use base::source::{SourceMap, Span};

/// A preprocessor that takes longer has hung.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// How often a running preprocessor is looked at.
const POLL: Duration = Duration::from_micros(250);

/// The GNU library's headers turn `isalpha` and its like into look-ups in a table of
/// their own, `getchar` into its body, and `fgets` into one that is told the size of its array; so
/// they stay calls.
const PLAIN_LIBRARY: [&str; 3] = ["-D__NO_CTYPE", "-D__NO_INLINE__", "-U_FORTIFY_SOURCE"];
/// The macro that asks the GNU library for calls that are told sizes.
const FORTIFIED: &str = "_FORTIFY_SOURCE";

/// The flag with which the preprocessor tells the macros that it knows.
pub const WITH_MACROS: &str = "-dD";
/// What stands before them then, so that they are comments.
pub(super) const NOTE: &str = "//";

/// Reads a C file and, if that may make a difference and it is not called `.i`,
/// preprocesses it.
///
/// # Errors
/// The file cannot be read, or the preprocessor is missing, fails or hangs.
pub fn preprocess(path: &Path, model: DataModel) -> Result<PreprocessedSource, Rejection> {
    preprocess_with(path, model, &[])
}

/// The same, with more flags for the preprocessor.
///
/// # Errors
/// As [`preprocess`].
pub fn preprocess_with(
    path: &Path,
    model: DataModel,
    flags: &[String],
) -> Result<PreprocessedSource, Rejection> {
    let name = path.to_string_lossy().into_owned();
    let bytes = std::fs::read(path)
        .map_err(|error| rejection(&name, &format!("cannot be read: {error}")))?;
    let is_preprocessed = path.extension().is_some_and(|extension| extension == "i");
    if is_preprocessed {
        return Ok(PreprocessedSource { name, text: literal::decode(&bytes) });
    }
    preprocess_bytes(name, &bytes, &Feed::File(path), (model, flags))
}

/// The same for a text that is no plain file, such as one from a pipe. What it includes is
/// looked for from the current folder on.
///
/// # Errors
/// As [`preprocess`].
pub fn preprocess_text(
    name: &str,
    bytes: &[u8],
    model: DataModel,
    flags: &[String],
) -> Result<PreprocessedSource, Rejection> {
    let mut marked = format!("# 1 \"{name}\"\n").into_bytes();
    marked.extend(bytes);
    preprocess_bytes(name.to_owned(), bytes, &Feed::Text(marked), (model, flags))
}

/// Where the preprocessor has its text from.
enum Feed<'a> {
    File(&'a Path),
    Text(Vec<u8>),
}

fn preprocess_bytes(
    name: String,
    bytes: &[u8],
    feed: &Feed<'_>,
    (model, flags): (DataModel, &[String]),
) -> Result<PreprocessedSource, Rejection> {
    let text = literal::decode(bytes);
    if flags.is_empty() && !needs_preprocessor(&text) {
        return Ok(PreprocessedSource { name, text });
    }
    let output = run(feed, model, flags).map_err(|message| rejection(&name, &message))?;
    let text = columns::restore(&with_letters(&literal::decode(&output)), &users_text);
    let text = if flags.iter().any(|flag| flag == WITH_MACROS) { noted(&text) } else { text };
    Ok(PreprocessedSource { name, text })
}

/// The text with its macros as comments.
fn noted(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with("#define ") || line.starts_with("#undef ") {
            written.push_str(NOTE);
        }
        written.push_str(line);
    }
    written
}

/// The text with letters for the `\u00e4` and `\U000000e4` that some preprocessors put
/// into names; what stands in quotes stays.
fn with_letters(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let (mut rest, mut quote) = (text, None);
    while let Some(first) = rest.chars().next() {
        let (shown, length) = match (quote, letter(rest)) {
            (None, Some((letter, length))) => (letter, length),
            _ => (first, first.len_utf8()),
        };
        quote = match quote {
            // A quote that is not closed ends with its line.
            Some(_) if first == '\n' => None,
            Some(mark) if mark == first => None,
            None if first == '"' || first == '\'' => Some(first),
            other => other,
        };
        written.push(shown);
        rest = &rest[length..];
        if quote.is_some()
            && first == '\\'
            && let Some(escaped) = rest.chars().next()
        {
            written.push(escaped);
            rest = &rest[escaped.len_utf8()..];
        }
    }
    written
}

/// The letter that `\u00e4` or `\U000000e4` at the start of the text is, and its bytes.
fn letter(text: &str) -> Option<(char, usize)> {
    let length = match text.get(..2)? {
        "\\u" => 6,
        "\\U" => 10,
        _ => return None,
    };
    let code = u32::from_str_radix(text.get(2..length)?, 16).ok()?;
    char::from_u32(code).filter(|it| it.is_alphabetic()).map(|it| (it, length))
}

/// The text of a file as markers name it, unless it is one of the system's.
fn users_text(name: &str) -> Option<String> {
    let is_systems = name.starts_with("/usr/") || name.starts_with('<');
    let name = name.replace("\\\"", "\"").replace("\\\\", "\\");
    let bytes = if is_systems { None } else { std::fs::read(name).ok() };
    bytes.map(|bytes| literal::decode(&bytes))
}

/// A rejection with the place that the preprocessor's first line names, or else
/// the file's start.
fn rejection(name: &str, message: &str) -> Rejection {
    let mut sources = SourceMap { files: vec![name.to_owned()] };
    let located = message.lines().find_map(|line| {
        let mut parts = line.splitn(4, ':');
        let (file, line, column) = (parts.next()?, parts.next()?, parts.next()?);
        let (line, column) = (line.parse().ok()?, column.parse().ok()?);
        Some((file.to_owned(), line, column, parts.next()?.trim().to_owned()))
    });
    let (file, line, column, message) = match located {
        Some((file, line, column, said)) => {
            let missing = said.strip_suffix(": No such file or directory");
            let hint = match missing.and_then(|it| it.rsplit(' ').next()) {
                Some(header) if !header.contains('.') => " (this looks like a header of C++)",
                Some(_) => " (-I FOLDER says where to look for it)",
                None => "",
            };
            let message = format!("the preprocessor says: {said}{hint}");
            (sources.intern(&file), line, column, message)
        }
        None => (0, 1, 1, message.to_owned()),
    };
    let span = Span { file, line, column, length: 1 };
    Rejection { sources, errors: vec![SyntaxError { span, message }] }
}

/// Whether preprocessing may change the text: it has directives other than line
/// markers and pragmas, lines that a backslash joins, letters by their numbers, or words that may be macros of
/// the compiler.
#[must_use]
pub fn needs_preprocessor(text: &str) -> bool {
    let has_letters = ["%:", "\\u", "\\U"].iter().any(|it| text.contains(it));
    has_letters || text.lines().any(has_directive) || has_predefined_word(text)
}

/// Whether a line has a directive, or goes on in the next one.
fn has_directive(line: &str) -> bool {
    if line.trim_end().ends_with('\\') {
        return true;
    }
    let Some(rest) = line.trim_start().strip_prefix('#') else { return line.contains('#') };
    let word = rest.trim_start();
    !word.is_empty()
        && !word.starts_with(|first: char| first.is_ascii_digit())
        && !word.starts_with("pragma")
        && !word.starts_with("line")
        && !word.starts_with("ident")
}

/// Words with two underscores at their start that no preprocessor replaces, by how
/// they go on.
const NO_MACROS: &[&str] = &[
    "VERIFIER_",
    "CPROVER_",
    "FUNCTION__",
    "PRETTY_FUNCTION__",
    "alignof",
    "asm",
    "assert_fail",
    "atomic_",
    "attribute",
    "auto_type",
    "builtin_",
    "complex__",
    "const",
    "ctype_",
    "declspec",
    "errno_location",
    "extension__",
    "func__",
    "imag",
    "inline",
    "int128",
    "isoc",
    "label__",
    "real",
    "restrict",
    "signed",
    "sync_",
    "thread",
    "typeof",
    "uint128_t",
    "va_list",
    "volatile",
];

/// Whether a word of the text may be a macro that the compiler defines by itself.
fn has_predefined_word(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c: char| !is_part(c)).any(|word| match word.strip_prefix("__") {
        Some(rest) => !NO_MACROS.iter().any(|known| rest.starts_with(known)),
        None => matches!(word, "linux" | "unix" | "i386" | "_LP64" | "_Pragma" | "_STDC_PREDEF_H"),
    })
}

/// The preprocessor's output.
fn run(feed: &Feed<'_>, model: DataModel, flags: &[String]) -> Result<Vec<u8>, String> {
    match model {
        DataModel::Lp64 => finish(&mut command(feed, flags)?, feed),
        DataModel::Ilp32 => {
            let first = finish(command(feed, flags)?.arg("-m32"), feed);
            first.or_else(|message| finish_without_headers(feed, flags).map_err(|_| message))
        }
    }
}

/// 32-bit preprocessing with the 64-bit headers: all that is missing there is
/// one header that says which functions are stubs.
fn finish_without_headers(feed: &Feed<'_>, flags: &[String]) -> Result<Vec<u8>, String> {
    let folder = std::env::temp_dir().join(format!("wane-stubs-{}", std::process::id()));
    let stubs = folder.join("gnu");
    let written = std::fs::create_dir_all(&stubs)
        .and_then(|()| std::fs::write(stubs.join("stubs-32.h"), ""))
        .map_err(|error| format!("no room for a temporary header: {error}"));
    let headers = compiler().and_then(|mut compiler| {
        compiler.arg("-print-multiarch").output().map_err(|error| error.to_string())
    });
    let result = written.and_then(|()| {
        let mut command = command(feed, flags)?;
        command.arg("-m32");
        if let Ok(headers) = headers {
            let name = String::from_utf8_lossy(&headers.stdout);
            command.arg("-idirafter").arg(format!("/usr/include/{}", name.trim()));
        }
        finish(command.arg("-idirafter").arg(&folder), feed)
    });
    // What cannot be removed is an empty header in the temporary folder.
    let _ = std::fs::remove_dir_all(&folder);
    result
}

/// The compiler that the environment names by `CC`, or else `cc`.
fn compiler() -> Result<Command, String> {
    let named = std::env::var("CC").unwrap_or_default();
    let words = shlex::split(&named).ok_or("the environment's CC has an open quote")?;
    let Some((program, arguments)) = words.split_first() else { return Ok(Command::new("cc")) };
    let mut command = Command::new(program);
    command.args(plain(arguments));
    Ok(command)
}

/// The flags without those that have headers call functions which are told sizes: what a program
/// means is the same without them, and what a call does is known by its name.
fn plain(flags: &[String]) -> Vec<String> {
    let is_of_the_macro = |rest: &str| rest.split('=').next() == Some(FORTIFIED);
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if flag == "-D" {
            let named = flags.next().filter(|name| !is_of_the_macro(name));
            kept.extend(named.into_iter().flat_map(|name| [flag.clone(), name.clone()]));
        } else if let Some(several) = flag.strip_prefix("-Wp,") {
            let parts = several.split(',');
            let others = parts.filter(|it| !it.strip_prefix("-D").is_some_and(is_of_the_macro));
            let others: Vec<&str> = others.collect();
            kept.extend((!others.is_empty()).then(|| format!("-Wp,{}", others.join(","))));
        } else if !flag.strip_prefix("-D").is_some_and(is_of_the_macro) {
            kept.push(flag.clone());
        }
    }
    kept
}

fn command(feed: &Feed<'_>, flags: &[String]) -> Result<Command, String> {
    let mut command = compiler()?;
    command.args(["-E", "-x", "c", "-std=gnu11", "-w"]).args(PLAIN_LIBRARY).args(plain(flags));
    command.arg("-o").arg("-");
    match feed {
        Feed::File(path) => command.arg(path.as_os_str()),
        Feed::Text(_) => command.arg("-"),
    };
    Ok(command)
}

/// Runs the command to its end, or to the time limit.
fn finish(command: &mut Command, feed: &Feed<'_>) -> Result<Vec<u8>, String> {
    let input = match feed {
        Feed::File(_) => Stdio::null(),
        Feed::Text(_) => Stdio::piped(),
    };
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| {
        let program = command.get_program().to_string_lossy();
        format!(
            "has directives, and the preprocessor `{program}` cannot be run ({error}): \
             install a C compiler, or give a preprocessed .i file"
        )
    })?;
    if let (Feed::Text(bytes), Some(mut pipe)) = (feed, child.stdin.take()) {
        let bytes = bytes.clone();
        // A preprocessor that has failed reads no further; it says why by itself.
        std::thread::spawn(move || drop(pipe.write_all(&bytes)));
    }
    let output = drain(child.stdout.take());
    let complaints = drain(child.stderr.take());
    let success = wait(&mut child)?;
    let complaints = complaints.join().unwrap_or_default();
    match output.join() {
        Ok(output) if success => Ok(output),
        _ => Err(format!(
            "the preprocessor fails:\n{}",
            String::from_utf8_lossy(&complaints).trim_end()
        )),
    }
}

/// Reads a pipe to its end on another thread.
fn drain<R: Read + Send + 'static>(pipe: Option<R>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read until an error is what there is.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Whether the process ended well.
fn wait(child: &mut Child) -> Result<bool, String> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if start.elapsed() > TIME_LIMIT => {
                // It is given up; whether it dies in time makes no difference.
                let _ = child.kill();
                return Err(format!(
                    "the preprocessor does not end within {} seconds",
                    TIME_LIMIT.as_secs()
                ));
            }
            Ok(None) => std::thread::sleep(POLL),
            Err(error) => return Err(format!("the preprocessor is lost: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{plain, with_letters};

    #[test]
    fn headers_are_told_of_no_sizes() {
        let line = "-O2 -DN=3 -D_FORTIFY_SOURCE=2 -D _FORTIFY_SOURCE -D M -Wp,-D_FORTIFY_SOURCE=3 \
                    -Wp,-DK,-D_FORTIFY_SOURCE=1 -Os -D_FORTIFY_SOURCES";
        let flags: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let wanted = ["-O2", "-DN=3", "-D", "M", "-Wp,-DK", "-Os", "-D_FORTIFY_SOURCES"];
        assert_eq!(plain(&flags), wanted);
    }

    #[test]
    fn names_have_their_letters() {
        let text = "gr\\U000000f6\\u00dfe = '\\\'' + \"\\u00e4\\\"\" + \\u00e4;\n";
        assert_eq!(with_letters(text), "größe = '\\'' + \"\\u00e4\\\"\" + ä;\n");
    }
}
