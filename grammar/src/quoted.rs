//! C expressions in formulas, of which parts may stand between quotation marks.

use std::borrow::Cow;

/// The C text of an atom, and where it starts in what was written: `"p->s"` is `p->s`, and
/// `"p->s" == 1` is `(p->s) == 1`, with each character at its place.
#[must_use]
pub fn c_text(written: &str) -> (usize, Cow<'_, str>) {
    let inner = written.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    if let Some(inner) = inner.filter(|it| !it.contains('"')) {
        return (1, Cow::Borrowed(inner));
    }
    if !written.contains('"') {
        return (0, Cow::Borrowed(written));
    }
    let mut is_open = false;
    let plain = written.chars().map(|letter| match letter {
        '"' => {
            is_open = !is_open;
            if is_open { '(' } else { ')' }
        }
        letter => letter,
    });
    (0, Cow::Owned(plain.collect()))
}

#[cfg(test)]
mod tests {
    use super::c_text;

    #[test]
    fn marks_become_parentheses_where_more_is_written() {
        let text = |written: &str| {
            let (start, text) = c_text(written);
            (start, text.into_owned())
        };
        assert_eq!(text("x == 1"), (0, "x == 1".to_owned()));
        assert_eq!(text("\"p->s == 1\""), (1, "p->s == 1".to_owned()));
        assert_eq!(text("\"p->s\" == 1"), (0, "(p->s) == 1".to_owned()));
        assert_eq!(text("\"a\" < \"b\""), (0, "(a) < (b)".to_owned()));
    }
}
