//! `wane plan --ninja`: the work in parts, for a build system that knows what is out of date.

use super::{Plan, bad_call, write_out};
use std::process::ExitCode;

/// Prints a file for ninja: an edge for each part of the work, and one that puts the reports
/// together.
pub(super) fn run(arguments: &Plan) -> ExitCode {
    debug_assert!(arguments.ninja, "the only build system so far");
    match ninja(arguments) {
        Ok(text) => {
            write_out(&text);
            ExitCode::SUCCESS
        }
        Err(message) => bad_call(&message),
    }
}

fn ninja(arguments: &Plan) -> Result<String, String> {
    let program = std::env::current_exe().map_err(|error| format!("no path of wane: {error}"))?;
    let quoted = |word: &str| {
        let word = shlex::try_quote(word).map_err(|_| format!("`{word}` is no argument"))?;
        // A dollar sign is ninja's own.
        Ok::<_, String>(word.replace('$', "$$"))
    };
    let program = quoted(&program.display().to_string())?;
    let words = arguments.arguments.iter().map(|word| quoted(word));
    let words = words.collect::<Result<Vec<_>, _>>()?.join(" ");
    let folder = escaped(&arguments.folder.display().to_string());
    let n_parts = arguments.shards;
    let part = |number: u16| format!("{folder}/part-{number}.json");
    let mut text = format!(
        "# Made by `wane plan --ninja`.\n\
         ninja_required_version = 1.7\n\
         builddir = {folder}\n\n\
         rule part\n  \
         command = {program} check --shard $part/{n_parts} --output $out --depfile $out.d {words}\n  \
         depfile = $out.d\n  deps = gcc\n  description = wane: part $part of {n_parts}\n\n\
         rule report\n  \
         command = {program} merge --format json --fail-on never --output $out $in\n  \
         description = wane: report\n\n"
    );
    for number in 1..=n_parts {
        text.push_str(&format!("build {}: part\n  part = {number}\n", part(number)));
    }
    let parts: Vec<String> = (1..=n_parts).map(part).collect();
    text.push_str(&format!("\nbuild {folder}/report.json: report {}\n", parts.join(" ")));
    Ok(text)
}

/// A path in a build statement.
fn escaped(path: &str) -> String {
    path.replace('$', "$$").replace(' ', "$ ").replace(':', "$:")
}
