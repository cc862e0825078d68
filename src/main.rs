//! The program: see the crate `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::Arguments::of_process() {
        Ok(arguments) => cli::run(arguments),
        Err(status) => status,
    }
}
