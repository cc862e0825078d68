//! YAML in block style, of JSON values: keys plain, texts in double quotes.

use serde_json::Value;
use std::fmt::Write as _;

/// A value as a YAML document.
pub(super) fn document(value: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Array(items) if items.is_empty() => text.push_str("[]\n"),
        Value::Array(_) | Value::Object(_) => block(value, 0, &mut text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let _ = writeln!(text, "{value}");
        }
    }
    text
}

/// A list or a table, each of its lines indented so far.
fn block(value: &Value, indent: usize, text: &mut String) {
    match value {
        Value::Array(items) => {
            for item in items {
                let start = text.len();
                entry(item, indent + 2, text);
                // The dash takes the place of the first line's indentation.
                let line = text.split_off(start);
                let rest = line.trim_start_matches(['\n', ' ']);
                let _ = write!(text, "{:indent$}- {rest}", "");
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                let _ = write!(text, "{:indent$}{}:", "", plain_key(key));
                entry(field, indent + 2, text);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let _ = writeln!(text, "{:indent$}{value}", "");
        }
    }
}

/// What follows a key: a scalar on the same line, or a block below.
fn entry(value: &Value, indent: usize, text: &mut String) {
    match value {
        Value::Array(items) if items.is_empty() => text.push_str(" []\n"),
        Value::Object(fields) if fields.is_empty() => text.push_str(" {}\n"),
        Value::Array(_) | Value::Object(_) => {
            text.push('\n');
            block(value, indent, text);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let _ = writeln!(text, " {value}");
        }
    }
}

/// A key that needs no quotes, or one in quotes.
fn plain_key(key: &str) -> String {
    let is_plain = key.starts_with(|it: char| it.is_ascii_alphabetic())
        && key.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    if is_plain { key.to_owned() } else { Value::String(key.to_owned()).to_string() }
}
