//! The hashes by which GitHub's code scanning knows a line again after lines have moved.
//!
//! The action that uploads logs works them out from the files, and warns of each result that
//! brings others; who uploads without it has to bring them. A line is known by the hundred
//! characters from its begin on, blanks left out, whatever lines they are on; lines that read
//! alike are numbered. The hash is a polynomial at 37 over these characters, modulo 2^64.

use std::collections::BTreeMap;
use std::collections::VecDeque;

/// How many characters count.
const WINDOW: usize = 100;
const BASE: u64 = 37;
/// The character behind the text.
const END: u16 = 0xffff;

/// The hashes of the lines of a text, from the first on.
pub(super) fn of_lines(text: &str) -> Vec<String> {
    let (characters, starts) = counted(text);
    let mut hash: u64 = 0;
    let mut window: VecDeque<u64> = std::iter::repeat_n(0, WINDOW).collect();
    let leaving = (0..WINDOW).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    // `known[n]` is the hash of the window that ends before the n-th character.
    let mut known = vec![hash];
    for character in characters.iter().map(|it| u64::from(*it)).chain([0; WINDOW]) {
        let first = window.pop_front().unwrap_or_default();
        window.push_back(character);
        let longer = hash.wrapping_mul(BASE).wrapping_add(character);
        hash = longer.wrapping_sub(leaving.wrapping_mul(first));
        known.push(hash);
    }
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    let hashes = starts.iter().filter_map(|start| known.get(start + WINDOW)).map(|hash| {
        let count = counts.entry(*hash).or_default();
        *count += 1;
        format!("{hash:x}:{count}")
    });
    hashes.collect()
}

/// The characters that count, as units of UTF-16, and where among them lines start. Every
/// way to end a line is the same.
fn counted(text: &str) -> (Vec<u16>, Vec<usize>) {
    let (mut characters, mut starts) = (Vec::new(), Vec::new());
    let (mut is_start, mut is_behind_return) = (true, false);
    for unit in text.encode_utf16().chain([END]) {
        let is_pair = is_behind_return && unit == u16::from(b'\n');
        is_behind_return = unit == u16::from(b'\r');
        if is_pair || unit == u16::from(b' ') || unit == u16::from(b'\t') {
            continue;
        }
        if is_start {
            starts.push(characters.len());
        }
        let unit = if is_behind_return { u16::from(b'\n') } else { unit };
        is_start = unit == u16::from(b'\n');
        characters.push(unit);
    }
    (characters, starts)
}

#[cfg(test)]
mod tests {
    use super::of_lines;

    /// What the action itself works out for these texts.
    #[test]
    fn hashes_are_those_of_the_host() {
        let of = |text: &str| of_lines(text).join(" ");
        assert_eq!(of(""), "c129715d7a2bc9a3:1");
        assert_eq!(
            of(" a\nb\n  \t\tc\n d"),
            "271789c17abda88f:1 54703d4cd895b18:1 180aee12dab6264:1 a23a3dc5e078b07b:1"
        );
        let greetings = "e9496ae3ebfced30:1 fb7c023a8b9ccb3f:1 ce8ba1a563dcdaca:1 \
                         e20e36e16fcb0cc8:1 b3edc88f2938467e:1 c8e28b0b4002a3a0:1 \
                         c129715d7a2bc9a3:1";
        for end in ["\n", "\r", "\r\n"] {
            let lines = [" hello; \t", "world!!!", "", "", "  \t\tGreetings", " End", ""];
            assert_eq!(of(&lines.join(end)), greetings, "{end:?}");
        }
    }

    #[test]
    fn moved_lines_keep_their_hashes_and_equal_ones_are_numbered() {
        let line = "x".repeat(120) + "\n";
        let once = of_lines(&line);
        let moved = of_lines(&format!("int a;\n\n{line}"));
        assert_eq!(once[0], moved[2]);
        let twice = of_lines(&line.repeat(2));
        assert_eq!(twice[0], once[0]);
        assert_eq!(twice[1], once[0].replace(":1", ":2"));
    }
}
