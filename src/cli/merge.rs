//! `wane merge`: the reports of several machines as one.

use super::output::{Writer, conclude};
use super::settings::{Configuration, Settings};
use super::{Merge, bad_call, plan};
use report::partial::{self, Part};
use std::process::ExitCode;

/// Puts reports together and writes what one machine would have written.
pub(super) fn run(arguments: &Merge) -> ExitCode {
    merged(arguments).unwrap_or_else(|message| bad_call(&message))
}

fn merged(arguments: &Merge) -> Result<ExitCode, String> {
    let flags = Settings { report: arguments.report.clone(), ..Settings::default() };
    let configuration = Configuration::read(&flags, arguments.config.as_deref())?;
    let mut parts = Vec::new();
    for file in &arguments.files {
        let part = Part::read(&project::read_text(file)?)
            .map_err(|error| format!("{} is no part of a report: {error}", file.display()))?;
        if part.basis().is_some_and(|basis| !plan::is_current(file, basis)) {
            let name = file.display();
            return Err(format!("{name} is out of date: run the build file of the plan again"));
        }
        parts.push(part);
    }
    let report = partial::merge(parts)?;
    let mut writer =
        Writer::new(&arguments.telling, (&configuration.settings.report, &configuration.home))?;
    for finding in &report.findings {
        writer.tell(finding);
    }
    conclude(report, writer, &arguments.telling)
}
