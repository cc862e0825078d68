//! `--test-case`: counterexamples as C files.

use super::write_error;
use report::{Answer, Finding, Report};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Writes a file for each refuted answer that has one, and says so on the standard
/// error. The name is that of the program and the property.
pub(super) fn write(folder: &Path, report: &Report) -> Result<(), String> {
    fs::create_dir_all(folder)
        .map_err(|error| format!("the folder {} cannot be made: {error}", folder.display()))?;
    let mut taken = BTreeSet::new();
    for finding in &report.findings {
        let Some(text) = &finding.test_case else {
            write_error(&excuse(finding));
            continue;
        };
        let path = folder.join(name(finding, &mut taken));
        fs::write(&path, text)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        write_error(&format!("wrote {}\n", path.display()));
    }
    Ok(())
}

/// Why there is no file for a refuted answer.
fn excuse(finding: &Finding) -> String {
    if finding.answer != Answer::Refuted {
        return String::new();
    }
    let Finding { file, property, entry, .. } = finding;
    let rounds = finding.evidence.as_ref().and_then(|it| it.endless_run.as_ref());
    let why = if rounds.is_some_and(|run| !run.rounds.are_alike()) {
        "its rounds differ, and no list of inputs goes on for ever".to_owned()
    } else if entry == "main" {
        "only C programs have them".to_owned()
    } else {
        format!("other files cannot call `{entry}` as this run does")
    };
    format!("note: no test case for {property} of {file}: {why}\n")
}

/// A name that no other finding has: `list.memsafety.c`, then `list-2.memsafety.c`.
fn name(finding: &Finding, taken: &mut BTreeSet<String>) -> String {
    let stem = Path::new(&finding.file).file_stem().unwrap_or_default().to_string_lossy();
    let mut number = 1;
    loop {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let name = format!("{stem}{suffix}.{}.c", finding.property);
        if taken.insert(name.clone()) {
            return name;
        }
        number += 1;
    }
}
