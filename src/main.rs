//! The command line: all input, output and time of wane is here.

mod cli;

use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(cli::Arguments::parse())
}
