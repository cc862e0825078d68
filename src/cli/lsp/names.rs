//! Names of files: as editors write them, as paths, and as answers write them.

use lsp_types::Uri;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr as _;

/// The path of a document; nothing, if it is no file.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().is_some_and(|scheme| scheme.as_str().eq_ignore_ascii_case("file"));
    let path = decoded(uri.path().as_str())?;
    (is_file && path.starts_with('/')).then(|| plain(Path::new(&path)))
}

/// The text with the bytes that `%41` and its like stand for, if that is UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if let (b'%', [high, low, after @ ..]) = (*first, after) {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            bytes.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

/// A file as editors name it.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let mut text = "file://".to_owned();
    for byte in path.to_str()?.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(byte.into());
            }
            // Writing to a string cannot fail.
            _ => drop(write!(text, "%{byte:02X}")),
        }
    }
    Uri::from_str(&text).ok()
}

/// A path from the root on, without detours. Links are left as they are: editors know files by
/// the names that people open.
pub(super) fn plain(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let mut found = PathBuf::new();
    for component in here.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(found.pop()),
            other => found.push(other),
        }
    }
    found
}

/// A path as answers write it: from the current folder on, if it is below.
pub(super) fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{path_of, uri_of};
    use lsp_types::Uri;
    use std::path::Path;
    use std::str::FromStr as _;

    #[test]
    fn names_go_both_ways() {
        let path = Path::new("/a b/\u{e4}%+.c");
        assert_eq!(path_of(&uri_of(path).unwrap()).unwrap(), path);
        let by_editor = Uri::from_str("file:///a/../b%20c.c").unwrap();
        assert_eq!(path_of(&by_editor).unwrap(), Path::new("/b c.c"));
        for other in ["untitled:Untitled-1", "file:relative.c", "file:///%ff", "file:///%"] {
            assert_eq!(Uri::from_str(other).ok().and_then(|uri| path_of(&uri)), None, "{other}");
        }
    }
}
