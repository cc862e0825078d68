//! Places in the preprocessed text, and the way back to the user's files.

/// A range of bytes of the preprocessed text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Place {
    /// The range from `start` up to `end`.
    #[must_use]
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end: end.max(start) }
    }
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where it was found.
    pub place: Place,
    /// What is wrong, as a phrase without a full stop.
    pub message: String,
}

impl SyntaxError {
    /// An error at a place.
    pub fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: message.into() }
    }
}

/// Position of a [`Place`] in a file that the user knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Index into [`LineMap::files`].
    pub file: usize,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Characters covered on that line, at least 1.
    pub length: u32,
}

/// From here on (until the next one) lines count in another file.
#[derive(Clone, Debug)]
struct Marker {
    /// Line of the preprocessed text, from 0, that the marker's number is of.
    physical_line: usize,
    /// The number in the marker.
    line: u32,
    file: usize,
    /// The column and length that all of the line is at.
    word: Option<(u32, u32)>,
}

/// Translates offsets of the preprocessed text by its line markers.
///
/// Beside those of preprocessors it knows `# 12 "f.c" at 5 3`: all of the next line is
/// what the 3 characters from column 5 of line 12 stand for.
#[derive(Clone, Debug)]
pub struct LineMap {
    /// File names in order of appearance; entry 0 is the file asked for.
    pub files: Vec<String>,
    line_starts: Vec<u32>,
    markers: Vec<Marker>,
    /// Bytes and characters are the same, so that columns need no counting.
    is_ascii: bool,
}

impl LineMap {
    /// The map of a text that was read from `name`.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        let mut map = Self {
            files: vec![name.to_owned()],
            line_starts: vec![0],
            markers: Vec::new(),
            is_ascii: text.is_ascii(),
        };
        for (offset, _) in text.match_indices('\n') {
            map.line_starts.push(u32::try_from(offset + 1).unwrap_or(u32::MAX));
        }
        map.markers.push(Marker { physical_line: 0, line: 1, file: 0, word: None });
        for number in 0..map.line_starts.len() {
            let start = map.line_starts[number] as usize;
            let line = text[start..].split('\n').next().unwrap_or_default();
            if let Some(marker) = line_marker(line) {
                map.mark(number + 1, marker);
            }
        }
        map
    }

    fn mark(&mut self, physical_line: usize, read: LineMarker) {
        let LineMarker { line, name, word } = read;
        let current = self.markers.last().map_or(0, |marker| marker.file);
        let file = name.map_or(current, |name| {
            self.files.iter().position(|known| *known == name).unwrap_or_else(|| {
                self.files.push(name);
                self.files.len() - 1
            })
        });
        self.markers.push(Marker { physical_line, line, file, word });
    }

    /// Where `place` lies in the user's files. `text` is the text that the map
    /// was made of.
    #[must_use]
    pub fn position(&self, text: &str, place: Place) -> Position {
        let number = self.line_starts.partition_point(|start| *start <= place.start).max(1) - 1;
        let at = self.markers.partition_point(|marker| marker.physical_line <= number).max(1) - 1;
        let marker = &self.markers[at];
        if let Some((column, length)) = marker.word.filter(|_| marker.physical_line == number) {
            return Position { file: marker.file, line: marker.line, column, length };
        }
        let start = self.line_starts[number] as usize;
        let line_end = self.line_starts.get(number + 1).map_or(text.len(), |next| *next as usize);
        let characters = |from: usize, to: usize| {
            let count = if self.is_ascii {
                to.saturating_sub(from)
            } else {
                text.get(from..to.max(from)).map_or(0, |part| part.chars().count())
            };
            u32::try_from(count).unwrap_or(u32::MAX - 1)
        };
        let line_end =
            if line_end > start && line_end < text.len() { line_end - 1 } else { line_end };
        Position {
            file: marker.file,
            line: marker.line + u32::try_from(number - marker.physical_line).unwrap_or(0),
            column: characters(start, place.start as usize) + 1,
            length: characters(place.start as usize, (place.end as usize).min(line_end)).max(1),
        }
    }
}

/// What a line marker says.
struct LineMarker {
    line: u32,
    name: Option<String>,
    word: Option<(u32, u32)>,
}

/// The content of `# 12 "f.c" 2`, `#line 12 "f.c"` or `# 12 "f.c" at 5 3`.
fn line_marker(line: &str) -> Option<LineMarker> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let (name, rest) = match rest[digits..].trim_start().strip_prefix('"').map(unquote) {
        Some((name, rest)) => (Some(name), rest),
        None => (None, ""),
    };
    let mut words = rest.split_whitespace();
    let word = words.next().filter(|it| *it == "at").and_then(|_| {
        let mut numbers = words.map_while(|it| it.parse().ok());
        Some((numbers.next()?, numbers.next()?))
    });
    Some(LineMarker { line: number, name, word })
}

/// The text up to the closing quote, escapes undone, and what follows.
fn unquote(text: &str) -> (String, &str) {
    let mut name = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => name.extend(characters.next()),
            other => name.push(other),
        }
    }
    (name, characters.as_str())
}
