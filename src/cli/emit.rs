//! `wane check --emit`: what files become on the way to an answer.

use super::output::write_answers;
use super::request::Requests;
use super::{Check, EmitName, bad_call, check, texts, write_error};
use base::budget::Budget;
use report::{Report, human};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Prints what became of programs on the way to an answer.
pub(super) fn run(arguments: &Check, what: EmitName, requests: &Requests) -> ExitCode {
    let (programs, mut problems) = check::programs(arguments, requests);
    let mut emitted = Vec::new();
    let mut status = 0;
    for program in &programs {
        let request = requests.of(Path::new(program.name()));
        let (subject, unread) = program.read(&request.options);
        problems.extend(unread);
        let Some(subject) = subject else { continue };
        let text = match what {
            EmitName::Goto => subject.goto_text(),
            EmitName::Its => {
                let mut budget = Budget::of_steps(request.steps);
                limit_time(&budget, request.time);
                subject.its_text(&request.shape_library, &mut budget)
            }
        };
        match text {
            Ok(text) => emitted.push((program.name(), text)),
            Err(message) => {
                write_error(&format!("{}: {message}\n", program.name()));
                status = 3;
            }
        }
    }
    let report = Report { problems, ..Report::new() };
    let texts = texts::of(&report);
    write_error(&human::problems(&report.problems, &texts, arguments.telling.colour_of_errors()));
    let comment = match what {
        EmitName::Goto => "//",
        EmitName::Its => ";",
    };
    let text = match &emitted[..] {
        [(_, only)] if programs.len() == 1 => only.clone(),
        several => several.iter().map(|it| format!("{comment} {}\n{}\n", it.0, it.1)).collect(),
    };
    if let Err(message) = write_answers(&arguments.telling, &text) {
        return bad_call(&message);
    }
    ExitCode::from(if report.problems.is_empty() { status } else { 2 })
}

/// Ends the work after this time.
fn limit_time(budget: &Budget, time: Duration) {
    let canceller = budget.canceller();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        canceller.time_is_over();
    });
}
