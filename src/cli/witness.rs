//! `--witness`: evidence for the competition's validators.

use report::witness::{self, Stamp};
use report::{Report, Texts};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// When a witness says it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// When it was.
    Now,
    /// In 1970, so that two runs write the same bytes.
    Epoch,
}

/// Writes the witnesses of all answers into one file.
pub(super) fn write(
    file: &Path,
    report: &Report,
    texts: &Texts,
    moment: Moment,
) -> Result<(), String> {
    let seconds = match moment {
        Moment::Epoch => 0,
        Moment::Now => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs()),
    };
    let stamp = Stamp { created: iso_8601(seconds), hashes: hashes(report) };
    let text = witness::render(report, texts, &stamp);
    fs::write(file, text).map_err(|error| format!("{} cannot be written: {error}", file.display()))
}

/// The hashes of the C files that were asked about.
fn hashes(report: &Report) -> BTreeMap<String, String> {
    let mut hashes = BTreeMap::new();
    for finding in &report.findings {
        let is_c = [".c", ".i"].iter().any(|ending| finding.file.ends_with(ending));
        if is_c
            && !hashes.contains_key(&finding.file)
            && let Ok(bytes) = fs::read(&finding.file)
        {
            let digest = Sha256::digest(&bytes);
            let digits = digest.iter().fold(String::new(), |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            });
            hashes.insert(finding.file.clone(), digits);
        }
    }
    hashes
}

/// Seconds since 1970 as a date and time (H. Hinnant, *chrono-compatible low-level
/// date algorithms*: days to a civil date, by eras of 400 years from a first of March).
fn iso_8601(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::iso_8601;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(iso_8601(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_8601(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(iso_8601(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_8601(1_709_210_096), "2024-02-29T12:34:56Z");
    }
}
