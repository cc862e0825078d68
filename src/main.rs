//! The command line: all input, output and time of wane is here.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(cli::Arguments::of_process())
}
