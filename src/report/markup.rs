//! Text in XML and HTML, whatever characters it has.

/// How a document begins.
pub(super) const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// An attribute with its value, behind a blank. Breaks of lines and tabs are written by their
/// numbers: readers take them for blanks otherwise.
pub(super) fn attribute(name: &str, value: &str) -> String {
    let value = text(value).replace('\n', "&#10;").replace('\t', "&#9;");
    format!(" {name}=\"{value}\"")
}

/// The text of an element. Characters that XML has no way to write become the one that
/// stands for what is lost.
pub(super) fn text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\r' => safe.push_str("&#13;"),
            '\n' | '\t' => safe.push(character),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push(char::REPLACEMENT_CHARACTER),
            other => safe.push(other),
        }
    }
    safe
}
