//! `wane diff`: from one report to a later one.

use super::settings::{DEFAULT_FAIL_ON, FailOn};
use super::{Diff, DiffFormatName, bad_call, write_out};
use report::Finding;
use report::difference::{self, Difference};
use std::path::Path;
use std::process::ExitCode;

/// Says what has changed. 1 if something new is refuted, 3 if a proof is lost or something new is
/// unknown, as far as the call is to fail on it.
pub(super) fn run(arguments: &Diff) -> ExitCode {
    let read = |file: &Path| -> Result<Vec<Finding>, String> {
        difference::read(&project::read_text(file)?)
            .map_err(|error| format!("{} cannot be compared: {error}", file.display()))
    };
    let (old, new) = match read(&arguments.old).and_then(|old| Ok((old, read(&arguments.new)?))) {
        Ok(reports) => reports,
        Err(message) => return bad_call(&message),
    };
    let difference = Difference::between(&old, &new);
    write_out(&match arguments.format {
        DiffFormatName::Human => difference.text(),
        DiffFormatName::Json => difference.json(),
    });
    let fail_on = arguments.fail_on.unwrap_or(DEFAULT_FAIL_ON);
    let is_open = !difference.lost.is_empty() || !difference.opened.is_empty();
    ExitCode::from(match fail_on {
        FailOn::Refuted | FailOn::Unknown if !difference.introduced.is_empty() => 1,
        FailOn::Unknown if is_open => 3,
        FailOn::Never | FailOn::Refuted | FailOn::Unknown => 0,
    })
}
