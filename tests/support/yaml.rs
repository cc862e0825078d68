//! A reader of YAML as far as witnesses use it: lists and tables in blocks, JSON scalars.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use serde_json::Value;

/// The text as JSON.
pub(crate) fn read(text: &str) -> Value {
    if text == "[]\n" {
        return Value::Array(Vec::new());
    }
    let lines: Vec<(usize, &str)> = text
        .lines()
        .map(|line| (line.len() - line.trim_start().len(), line.trim_start()))
        .collect();
    block(&lines, &mut 0)
}

fn block(lines: &[(usize, &str)], position: &mut usize) -> Value {
    let (indent, first) = lines[*position];
    if !first.starts_with("- ") {
        return table(lines, position, indent);
    }
    let mut items = Vec::new();
    while *position < lines.len() && lines[*position].0 == indent {
        let rest = &lines[*position].1[2..];
        if rest.contains(": ") || rest.ends_with(':') {
            let mut inner: Vec<(usize, &str)> = vec![(indent + 2, rest)];
            *position += 1;
            while *position < lines.len() && lines[*position].0 > indent {
                inner.push(lines[*position]);
                *position += 1;
            }
            items.push(block(&inner, &mut 0));
        } else {
            items.push(scalar(rest));
            *position += 1;
        }
    }
    Value::Array(items)
}

fn table(lines: &[(usize, &str)], position: &mut usize, indent: usize) -> Value {
    let mut fields = serde_json::Map::new();
    while *position < lines.len() && lines[*position].0 == indent {
        let line = lines[*position].1;
        *position += 1;
        let (key, value) = match line.strip_suffix(':') {
            Some(key) => (key, block(lines, position)),
            None => {
                let (key, value) = line.split_once(": ").unwrap();
                (key, scalar(value))
            }
        };
        fields.insert(key.trim_matches('"').to_owned(), value);
    }
    Value::Object(fields)
}

fn scalar(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
