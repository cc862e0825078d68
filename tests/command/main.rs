//! The program as its users run it: commands, files, formats, reports.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what fails here fails the test")]

#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/headers.rs"]
mod headers;
#[path = "../support/random_numbers.rs"]
#[allow(dead_code, reason = "other tests draw values, too")]
mod random_numbers;

mod attempts;
mod bazel;
mod bytes_read;
mod ci_files;
mod cli;
mod consumers;
mod editors;
mod explain;
mod formats;
mod front_door;
mod gate;
mod hanging_functions;
mod harness;
mod hosts;
mod html_page;
mod library;
mod linking;
mod lsp;
mod lsp_client;
mod outputs;
mod outside;
mod over_time;
mod pages;
mod pre_commit;
mod projects;
mod questions;
mod reasons;
mod shapes_command;
mod stories;
mod witness;
