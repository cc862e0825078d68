//! Other programs that tests use wane with, where they are at hand.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use tempfile::TempDir;

/// Whether a program answers when it is asked for its version.
pub(crate) fn has_program(name: &str) -> bool {
    Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success())
}

/// Whether python3 has a module.
pub(crate) fn has_module(name: &str) -> bool {
    let import = format!("import {name}");
    Command::new("python3").args(["-c", &import]).output().is_ok_and(|it| it.status.success())
}

/// Says that a part of a test was not run.
#[allow(clippy::print_stderr, reason = "says what was skipped")]
pub(crate) fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

/// A file of this repository.
pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The text of a file of this repository.
pub(crate) fn text(name: &str) -> String {
    fs::read_to_string(file(name)).unwrap()
}

/// A machine on which `wane` and what a test has written for it stand in for installed programs.
pub(crate) struct Machine {
    /// The folder of programs.
    programs: TempDir,
}

impl Machine {
    /// `wane`, and scripts for bash by their names.
    pub(crate) fn with(scripts: &[(&str, &str)]) -> Self {
        let machine = Self { programs: tempfile::tempdir().unwrap() };
        machine.link(&machine.programs.path().join("wane"));
        for (name, script) in scripts {
            let path = machine.programs.path().join(name);
            fs::write(&path, format!("#!/bin/bash\n{script}")).unwrap();
            Command::new("chmod").arg("+x").arg(&path).status().unwrap();
        }
        machine
    }

    /// Lets a path name the program `wane`.
    fn link(&self, path: &Path) {
        let made = Command::new("ln").arg("-s").arg(env!("CARGO_BIN_EXE_wane")).arg(path).status();
        assert!(made.unwrap().success());
    }

    /// A command in a folder, which finds these programs before all others.
    pub(crate) fn command(&self, program: &str, folder: &Path) -> Command {
        let path = env::var_os("PATH").unwrap_or_default();
        let own = self.programs.path().to_owned();
        let all = env::join_paths([own].into_iter().chain(env::split_paths(&path))).unwrap();
        let mut command = Command::new(program);
        command.current_dir(folder).env("PATH", all).env("NO_COLOR", "1").env_remove("CC");
        command
    }
}

/// Runs a command: its status, and all that it wrote.
pub(crate) fn told(command: &mut Command) -> (i32, String) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout) + &text(&output.stderr))
}
