//! What the codes of reasons mean: the pages of `docs/codes`.
//!
//! To add a code: a page there, a line in `ALL` and a variant of
//! `verdict::Reason`.

/// The page about one code.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The code.
    pub code: &'static str,
    /// The whole page: a title line, a paragraph, examples.
    pub text: &'static str,
}

macro_rules! pages {
    ($($code:literal)*) => {
        &[$(Page { code: $code, text: include_str!(concat!("../../docs/codes/", $code, ".md")) }),*]
    };
}

const ALL: &[Page] = pages! {
    "W001" "W002" "W003" "W004" "W005" "W006" "W007" "W008" "W009"
    "W010" "W011" "W012" "W013" "W014" "W015" "W016"
    "W020" "W021"
    "W030" "W031" "W032" "W033" "W034" "W035" "W036"
    "W040" "W041" "W042"
    "W050" "W051"
};

/// The code of an answer that a defect of wane itself prevented.
pub const INTERNAL_ERROR: &str = "W042";

/// The code of a run that violates a formula or a specification.
pub const VIOLATED: &str = "W051";

/// A limit was reached.
pub const LIMIT: &str = "W033";

/// The code of a loop that only an overflow ends: to be fixed, though it refutes nothing.
pub const ENDS_BY_OVERFLOW: &str = verdict::Reason::ENDS_BY_OVERFLOW;

/// The code of a proof for some calls of a function only, which is none for the others.
pub const NARROW: &str = "W036";

/// The code of what a proof takes for granted of a function's callers.
pub const CALLERS: &str = "W014";

/// All pages, by code.
#[must_use]
pub fn all() -> &'static [Page] {
    ALL
}

/// The page about a code, by its name or number; case does not matter.
#[must_use]
pub fn find(code: &str) -> Option<&'static Page> {
    let is_meant = |page: &Page| {
        let number = page.code.trim_start_matches(['W', '0']);
        page.code.eq_ignore_ascii_case(code) || number == code.trim_start_matches('0')
    };
    ALL.iter().find(|page| is_meant(page))
}

/// One line a code.
#[must_use]
pub fn list() -> String {
    ALL.iter().map(|page| format!("{}  {}\n", page.code, page.title())).collect()
}

impl Page {
    /// The title, without the code.
    #[must_use]
    pub fn title(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        line.split_once(": ").map_or(line, |(_, title)| title)
    }

    /// The paragraph under the title.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.text.split("\n\n").nth(1).unwrap_or_default().trim()
    }
}
