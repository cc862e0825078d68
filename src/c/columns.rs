//! Columns of preprocessed text.
//!
//! A preprocessor keeps lines by its markers, but not columns: macros are longer or
//! shorter than what they stand for, and white space is joined. Here each line of its
//! output is laid over the line that the user wrote. Tokens that stand in both go to
//! the user's column; what a macro brought along gets a line of its own with a marker
//! that names the columns of the macro's name ([`LineMap`]).
//!
//! [`LineMap`]: wane_grammar::c::place::LineMap

use std::collections::BTreeMap;
use std::fmt::Write as _;

use wane_grammar::c::token::spans;

/// Of lines with more pairs of tokens than this the columns stay as they are.
const MAX_PAIRS: usize = 4_000_000;

/// A token with the character that it starts at, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    column: usize,
}

/// The preprocessor's output with its tokens, in order, at the user's columns.
/// `read` gives the text of a file, if it is one that the user wrote.
pub(super) fn restore(output: &str, read: &dyn Fn(&str) -> Option<String>) -> String {
    let mut writer = Writer { text: String::with_capacity(output.len()), files: BTreeMap::new() };
    let (mut file, mut line) = (String::new(), 1_usize);
    let mut group = Group::default();
    for physical in output.split_inclusive('\n') {
        if let Some((number, name)) = marker(physical) {
            let name = name.unwrap_or(&file).to_owned();
            if number != group.line || name != group.file {
                writer.finish(&mut group, read);
            }
            if group.lines.is_empty() {
                writer.text.push_str(physical);
            }
            (file, line) = (name, number);
            continue;
        }
        let is_directive = physical.trim_start().starts_with('#');
        if is_directive || line != group.line || file != group.file {
            writer.finish(&mut group, read);
            // What the user's line becomes may begin in the middle of a group.
            (group.file, group.line) = (file.clone(), line);
        }
        if is_directive {
            writer.text.push_str(physical);
        } else {
            group.lines.push(physical);
        }
        line += 1;
    }
    writer.finish(&mut group, read);
    if same_tokens(output, &writer.text) { writer.text } else { output.to_owned() }
}

/// The pieces of output that come from one line of the user's.
#[derive(Default)]
struct Group<'a> {
    file: String,
    line: usize,
    lines: Vec<&'a str>,
}

struct Writer {
    text: String,
    /// The lines of the files that were read.
    files: BTreeMap<String, Option<Vec<String>>>,
}

impl Writer {
    fn finish(&mut self, group: &mut Group<'_>, read: &dyn Fn(&str) -> Option<String>) {
        let lines = std::mem::take(&mut group.lines);
        let Group { file, line, .. } = group;
        let known = self.files.entry(file.clone()).or_insert_with(|| {
            read(file).map(|text| text.split('\n').map(str::to_owned).collect())
        });
        let source = known.as_ref().and_then(|known| known.get(line.checked_sub(1)?));
        let is_kept = matches!((lines.as_slice(), source), ([only], Some(source))
            if only.trim_end() == source.trim_end());
        let laid = source.filter(|_| !is_kept).and_then(|source| lay(&lines, source, file, *line));
        match laid {
            Some(laid) => self.text.push_str(&laid),
            None => {
                for (position, piece) in lines.iter().enumerate() {
                    if position > 0 {
                        let _ = writeln!(self.text, "# {line} {}", quoted(file));
                    }
                    self.text.push_str(piece);
                }
            }
        }
    }
}

/// The pieces over the line that they come from; nothing for empty pieces and for
/// lines of enormous length.
fn lay(lines: &[&str], source: &str, file: &str, line: usize) -> Option<String> {
    let new: Vec<Token<'_>> = lines.iter().flat_map(|it| tokens(it)).collect();
    let old = tokens(source);
    if new.is_empty() || old.is_empty() || new.len().checked_mul(old.len())? > MAX_PAIRS {
        return None;
    }
    let (mut text, mut width) = (String::new(), 0);
    let mut word = None;
    for (token, partner) in new.iter().zip(partners(&old, &new)) {
        match partner {
            Partner::Same(at) => {
                let column = old[at].column;
                if word.take().is_some() {
                    let _ = write!(text, "\n# {line} {}\n", quoted(file));
                    width = 0;
                }
                let _ = write!(text, "{:1$}{2}", "", column - width, token.text);
                width = column + token.text.chars().count();
            }
            Partner::Macro(at) => {
                if word != Some(at) {
                    let Token { text: name, column } = old[at];
                    let length = name.chars().count();
                    let name = quoted(file);
                    let _ = write!(text, "\n# {line} {name} at {} {length}\n", column + 1);
                    word = Some(at);
                }
                let _ = write!(text, "{} ", token.text);
            }
        }
    }
    let _ = write!(text, "\n# {} {}\n", line + 1, quoted(file));
    Some(text)
}

/// What a token of the output is in the user's line, by its position there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Partner {
    /// The same token.
    Same(usize),
    /// A part of what this macro stands for.
    Macro(usize),
}

/// A longest common subsequence, the ends first; what is not in it belongs to the
/// first name of the user's that was left out there, or else to the last one before.
fn partners(old: &[Token<'_>], new: &[Token<'_>]) -> Vec<Partner> {
    let same = |(a, b): &(&Token<'_>, &Token<'_>)| a.text == b.text;
    let n_first = old.iter().zip(new).take_while(same).count();
    let rest = (old[n_first..].iter().rev()).zip(new[n_first..].iter().rev());
    let n_last = rest.take_while(same).count();
    let (old_end, new_end) = (old.len() - n_last, new.len() - n_last);
    let mut matched = vec![None; new.len()];
    for (position, partner) in matched.iter_mut().enumerate().take(n_first) {
        *partner = Some(position);
    }
    for position in 0..n_last {
        matched[new_end + position] = Some(old_end + position);
    }
    for (from, to) in common(&old[n_first..old_end], &new[n_first..new_end]) {
        matched[n_first + to] = Some(n_first + from);
    }
    let mut is_matched = vec![false; old.len()];
    matched.iter().flatten().for_each(|at| is_matched[*at] = true);
    let mut last = None;
    let mut partners = Vec::with_capacity(new.len());
    for (position, partner) in matched.iter().enumerate() {
        partners.push(match partner {
            Some(at) => {
                last = Some(*at);
                Partner::Same(*at)
            }
            None => {
                let start = last.map_or(0, |at| at + 1);
                let end = matched[position..].iter().flatten().next().copied();
                let left_out = start..end.unwrap_or(old.len());
                let mut names = left_out.chain((0..start).rev());
                let name = names.find(|at| is_name(old[*at].text) && !is_matched[*at]);
                Partner::Macro(name.or(last).unwrap_or(start).min(old.len() - 1))
            }
        });
    }
    partners
}

/// The pairs of a longest common subsequence, in order.
fn common(old: &[Token<'_>], new: &[Token<'_>]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    for from in (0..old.len()).rev() {
        for to in (0..new.len()).rev() {
            lengths[from * width + to] = if old[from].text == new[to].text {
                lengths[(from + 1) * width + to + 1] + 1
            } else {
                lengths[(from + 1) * width + to].max(lengths[from * width + to + 1])
            };
        }
    }
    let (mut from, mut to, mut pairs) = (0, 0, Vec::new());
    while from < old.len() && to < new.len() {
        if old[from].text == new[to].text {
            pairs.push((from, to));
            (from, to) = (from + 1, to + 1);
        } else if lengths[(from + 1) * width + to] >= lengths[from * width + to + 1] {
            from += 1;
        } else {
            to += 1;
        }
    }
    pairs
}

/// Whether two texts have the same tokens beside directives.
fn same_tokens(one: &str, other: &str) -> bool {
    fn all(text: &str) -> impl Iterator<Item = &str> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        lines.flat_map(|line| tokens(line).into_iter().map(|token| token.text))
    }
    all(one).eq(all(other))
}

/// The tokens of a line, as the parser will read them. Comments are none.
fn tokens(line: &str) -> Vec<Token<'_>> {
    let (mut column, mut before) = (0, 0);
    let spans = spans(line).into_iter();
    spans
        .map(|span| {
            column += line[before..span.start].chars().count();
            before = span.start;
            Token { text: &line[span], column }
        })
        .collect()
}

fn is_name(text: &str) -> bool {
    text.starts_with(|it: char| it == '_' || it == '$' || it.is_alphabetic())
}

/// The number and the name of a line marker.
fn marker(line: &str) -> Option<(usize, Option<&str>)> {
    let rest = line.strip_prefix("# ")?;
    let digits = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let name = rest[digits..].trim_start().strip_prefix('"');
    Some((number, name.and_then(|name| name.rsplit_once('"')).map(|(name, _)| name)))
}

/// A name as markers have it; what is escaped in it is so already.
fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

#[cfg(test)]
mod tests {
    use super::restore;
    use wane_grammar::c::place::{LineMap, Place};

    /// Where each of the words stands in the user's file, by line, column and length.
    fn places(source: &str, output: &str, words: &[&str]) -> Vec<(u32, u32, u32)> {
        let restored = restore(output, &|name| (name == "a.c").then(|| source.to_owned()));
        let map = LineMap::new("a.c", &restored);
        let place = |word: &&str| {
            let start = u32::try_from(restored.find(*word).unwrap_or(restored.len())).unwrap_or(0);
            let end = start + u32::try_from(word.len()).unwrap_or(0);
            let position = map.position(&restored, Place::new(start, end));
            (position.line, position.column, position.length)
        };
        words.iter().map(place).collect()
    }

    #[test]
    fn tokens_stand_where_the_user_wrote_them() {
        let source = "int *p = NULL;  int q;\n\tuse( p,\tq );\n";
        let output = "# 1 \"a.c\"\nint *p = \n# 1 \"a.c\" 3 4\n        ((void *)0)\n# 1 \"a.c\"\n      \
                      ; int q;\n use( p, q );\n";
        let found = places(source, output, &["void", "int q", "use", "q )"]);
        assert_eq!(found, [(1, 10, 4), (1, 17, 5), (2, 2, 3), (2, 10, 3)]);
    }

    #[test]
    fn macros_are_at_their_names() {
        let source = "é = DROP(x); y = 1; DROP(y);\nreturn y;\n";
        let output = "# 1 \"a.c\"\né = do { free(x); } while (0); y = 1; do { free(y); } while \
                      (0);\nreturn y;\n";
        let found = places(source, output, &["free", "y = 1", "return"]);
        assert_eq!(found, [(1, 5, 4), (1, 14, 5), (2, 1, 6)]);
    }

    #[test]
    fn what_follows_an_argument_is_at_the_macro() {
        let source = "x; check(a == b);\n";
        let output = "# 1 \"a.c\"\nx; ((void) sizeof ((a == b) ? 1 : 0), ({ if (a == b) ; else fail(0); }));\n";
        let found = places(source, output, &["a == b", "fail"]);
        assert_eq!(found, [(1, 10, 6), (1, 4, 5)]);
    }

    /// What is one token for the parser is not torn apart.
    #[test]
    fn literals_with_prefixes_points_and_digraphs_stay_whole() {
        let literals = "L\"abc\" u8\"x\" L'a' u'\\'' .5e-3f 0x.8p+1 <: :> <% %> 1'000";
        let source = format!("M{literals}\n");
        let output = format!("# 1 \"a.c\"\nx {literals} y; {literals}\n");
        let restored = restore(&output, &|_| Some(source.clone()));
        let lines = restored.lines().filter(|line| !line.starts_with("# "));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        assert_eq!(words.join(" "), format!("x {literals} y; {literals}").replace("y;", "y ;"));
    }

    #[test]
    fn nothing_is_lost_between_lines() {
        let source = "M a++ + b;\n#pragma x\nc; /* d */ e\n";
        let output = "# 1 \"a.c\"\nx ++ + a++ + b;\n#pragma x\nc; e\n\n\n# 9 \"b.c\"\nf\n";
        let restored = restore(output, &|_| Some(source.to_owned()));
        let words: Vec<&str> = restored
            .lines()
            .filter(|line| !line.starts_with("# "))
            .flat_map(str::split_whitespace)
            .collect();
        assert_eq!(words.join(" "), "x ++ + a++ + b; #pragma x c; e f");
    }
}
