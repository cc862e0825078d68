//! The program: see the crate `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(cli::Arguments::of_process())
}
