//! `wane plan --ninja`: the work in parts, for a build system that knows what is out of date.
//!
//! Any change of a file may concern any answer, so what each part rests on is found first, for all
//! parts at once (`wane plan --keys`), and written into a file for each part. Where nothing changes
//! in that, the part is left as it is.

use super::request::Requests;
use super::settings::Configuration;
use super::shard::Shard;
use super::store::Key;
use super::{Arguments, Check, Command, Plan, bad_call, check, depfile, pool, words, write_out};
use clap::Parser as _;
use project::Program;
use report::Problem;
use std::fs;
use std::hash::Hash as _;
use std::path::Path;
use std::process::ExitCode;

/// The file that knows the texts of all files.
const ALL: &str = "all.key";

/// Prints a file for ninja: an edge that finds out what each part of the work rests on, one for
/// each part, and one that puts the reports together. Or does what the first of them does.
pub(super) fn run(arguments: &Plan) -> ExitCode {
    let done = if arguments.keys { write_keys(arguments) } else { ninja(arguments) };
    match done {
        Ok(text) => {
            write_out(&text);
            ExitCode::SUCCESS
        }
        Err(message) => bad_call(&message),
    }
}

/// What all parts of a plan were made of together: what is asked, the texts of files, and what is
/// wrong with them.
pub(super) fn texts(requests: &Requests, programs: &[Program], problems: &[Problem]) -> Key {
    Key::of(|digest| (requests.run_key(programs), format!("{problems:?}")).hash(digest))
}

/// What a part of a plan rests on.
///
/// # Errors
/// That is not known, or files have changed since it was found out.
pub(super) fn basis(folder: &Path, part: Shard, texts: &Key) -> Result<String, String> {
    if project::read_text(&folder.join(ALL))? != texts.digits() {
        let name = folder.display();
        return Err(format!("files have changed since the keys in {name} were written"));
    }
    project::read_text(&folder.join(format!("part-{}.key", part.of_all().0)))
}

/// Whether a part rests on what its plan says now, beside it.
pub(super) fn is_current(part: &Path, basis: &str) -> bool {
    project::read_text(&part.with_extension("key")).is_ok_and(|it| it == basis)
}

/// Writes what each part rests on, and nothing where that is known.
fn write_keys(arguments: &Plan) -> Result<String, String> {
    let check = check_of(arguments)?;
    let folder = &arguments.folder;
    let unwritable = |path: &Path, error| format!("{} cannot be written: {error}", path.display());
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, error))?;
    let configuration = Configuration::read(&check.settings, check.config.as_deref())?;
    let requests = Requests::new(&check, configuration)?;
    let (programs, problems) = check::programs(&check, &requests);
    let all = folder.join(ALL);
    depfile::write(&folder.join("all.key.d"), &all, (&check, &requests, &programs))?;
    let texts = texts(&requests, &programs, &problems);
    let parts: Vec<Shard> = Shard::all_of_files(arguments.shards).collect();
    let n_threads = check::n_jobs(requests.settings().jobs);
    let asked = |file: &Path| requests.of(file);
    let keys = pool::bases(programs, &problems, (&asked, &parts), n_threads);
    let of_part = |number: u64| folder.join(format!("part-{number}.key"));
    let of_parts = (1..).map(of_part).zip(&keys);
    for (path, key) in of_parts.chain([(all, &texts)]) {
        if fs::read_to_string(&path).ok().as_deref() != Some(key.digits()) {
            fs::write(&path, key.digits()).map_err(|error| unwritable(&path, error))?;
        }
    }
    Ok(String::new())
}

/// What is planned.
fn check_of(arguments: &Plan) -> Result<Check, String> {
    let words = ["wane", "check"].map(str::to_owned).into_iter();
    let words = words.chain(arguments.arguments.iter().cloned());
    let words = words::read(words.map(Into::into).collect())?;
    match Arguments::parse_from(words).command {
        Command::Check(check) => Ok(*check),
        _ => Err("only `wane check` is planned".to_owned()),
    }
}

fn ninja(arguments: &Plan) -> Result<String, String> {
    let program = std::env::current_exe().map_err(|error| format!("no path of wane: {error}"))?;
    let quoted = |word: &str| {
        let word = shlex::try_quote(word).map_err(|_| format!("`{word}` is no argument"))?;
        // A dollar sign is ninja's own.
        Ok::<_, String>(word.replace('$', "$$"))
    };
    let executable = program.display().to_string();
    let program = quoted(&executable)?;
    let words = arguments.arguments.iter().map(|word| quoted(word));
    let words = words.collect::<Result<Vec<_>, _>>()?.join(" ");
    let name = arguments.folder.display().to_string();
    let (folder, quoted_folder, n_parts) = (escaped(&name), quoted(&name)?, arguments.shards);
    let files = |extension: &str| -> Vec<String> {
        (1..=n_parts).map(|number| format!("{folder}/part-{number}.{extension}")).collect()
    };
    let (reports, keys) = (files("json"), files("key"));
    let mut text = format!(
        "# Made by `wane plan --ninja`.\n\
         ninja_required_version = 1.10\n\
         builddir = {folder}\n\n\
         rule keys\n  \
         command = {program} plan --keys --shards {n_parts} --folder {quoted_folder} -- {words}\n  \
         depfile = $out.d\n  deps = gcc\n  restat = 1\n  \
         description = wane: what has changed\n\n\
         rule part\n  \
         command = {program} check --shard $part/{n_parts} --plan {quoted_folder} --output $out {words}\n  \
         description = wane: part $part of {n_parts}\n\n\
         rule report\n  \
         command = {program} merge --format json --fail-on never --output $out $in\n  \
         description = wane: report\n\n\
         build {folder}/{ALL} | {}: keys | {}\n",
        keys.join(" "),
        escaped(&executable),
    );
    for ((number, report), key) in (1..).zip(&reports).zip(&keys) {
        text.push_str(&format!("build {report}: part | {key}\n  part = {number}\n"));
    }
    // What is accepted stands in comments, which no part knows.
    let reports = reports.join(" ");
    text.push_str(&format!("\nbuild {folder}/report.json: report {reports} | {folder}/{ALL}\n"));
    Ok(text)
}

/// A path in a build statement.
fn escaped(path: &str) -> String {
    path.replace('$', "$$").replace(' ', "$ ").replace(':', "$:")
}
