//! `--changed-since` and `--changed-files`: what has changed.

use project::Changes;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files that a list names, a line each; `-` is the standard input.
///
/// # Errors
/// The list cannot be read.
pub(super) fn of_list(list: &Path) -> Result<Changes, String> {
    let text = if list == Path::new("-") {
        std::io::read_to_string(std::io::stdin()).map_err(|error| format!("no list: {error}"))?
    } else {
        project::read_text(list)?
    };
    Ok(Changes::of_files(text.lines().filter(|it| !it.is_empty()).map(PathBuf::from)))
}

/// The files that differ from where the work left a revision of git, and those that git does not
/// know: what others have done to a branch since is no change of ours.
///
/// # Errors
/// There is no such revision, no repository, or no git.
pub(super) fn since(revision: &str) -> Result<Changes, String> {
    // The name of a revision is no option.
    let commit = format!("{revision}^{{commit}}");
    let commit = git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
        .map_err(|why| format!("there is no revision `{revision}`: {why}"))?;
    let commit = commit.trim_end();
    // Copies that hold the last revisions only have no common one: all that differs is meant then.
    let base = git(&["merge-base", commit, "HEAD"]).unwrap_or_else(|_| commit.to_owned());
    let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?.trim_end());
    let changed = git(&["diff", "--name-only", "-z", base.trim_end()])?;
    let root_name = root.display().to_string();
    let new = git(&["-C", &root_name, "ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = changed.split('\0').chain(new.split('\0')).filter(|it| !it.is_empty());
    Ok(Changes::of_files(names.map(|name| root.join(name))))
}

/// What git says.
fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(arguments).output();
    let output = output.map_err(|error| format!("git cannot be run: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let errors = String::from_utf8_lossy(&output.stderr);
        let line = errors.lines().next().unwrap_or("git fails").to_owned();
        Err(line)
    }
}
