//! What wane says of programs, held against what their runs do.

use super::program::{End, Program};
use super::runs::{Ending, Run};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A question, and what stands at the end of the program that it is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Termination,
    /// With an endless loop behind the value that the run has computed.
    EndlessLoop,
    Safety,
    Cleanup,
    /// With an error behind any other value.
    Reach,
    /// With an error behind the value that the run has computed.
    Error,
}

impl Question {
    pub(crate) const ALL: [Self; 6] = [
        Self::Termination,
        Self::EndlessLoop,
        Self::Safety,
        Self::Cleanup,
        Self::Reach,
        Self::Error,
    ];

    fn property(self) -> &'static str {
        match self {
            Self::Termination | Self::EndlessLoop => "termination",
            Self::Safety => "memsafety",
            Self::Cleanup => "memcleanup",
            Self::Reach | Self::Error => "reach",
        }
    }

    /// The end that the question needs; none if it cannot be asked.
    pub(crate) fn end(self, program: &Program, runs: &[Run]) -> Option<End> {
        let value = runs.first().and_then(|it| it.value);
        let is_fixed = !program.is_open && !program.depends_on_addresses;
        match self {
            Self::Termination | Self::Safety | Self::Cleanup => Some(End::Silent),
            Self::EndlessLoop => value.map(End::EndlessIf),
            Self::Reach => value.filter(|_| is_fixed).map(End::ErrorUnless),
            Self::Error => value.filter(|_| !is_fixed).map(End::ErrorIf),
        }
    }
}

/// What a run shows of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Holds,
    Fails,
    /// It goes wrong in a way that leaves the question open.
    Nothing,
}

fn shown(question: Question, run: &Run) -> Shown {
    let of_bool = |holds| if holds { Shown::Holds } else { Shown::Fails };
    match (question, &run.ending) {
        (_, Ending::Undefined(_)) => Shown::Nothing,
        (Question::Termination, Ending::Returned { .. } | Ending::Error) => Shown::Holds,
        (Question::Termination, Ending::Lasts) => Shown::Fails,
        // They are asked only if the run has come to the loop, or to the error.
        (Question::EndlessLoop | Question::Error, _) => Shown::Fails,
        (Question::Reach, _) => Shown::Holds,
        (Question::Safety, Ending::Memory(_) | Ending::Arithmetic) => Shown::Fails,
        (Question::Safety, Ending::Returned { n_lost, .. }) => of_bool(*n_lost == 0),
        (Question::Cleanup, Ending::Returned { n_unfreed, .. }) => of_bool(*n_unfreed == 0),
        // What is lost before or beside that is not known.
        (Question::Safety | Question::Cleanup, Ending::Lasts | Ending::Error) => Shown::Nothing,
        (Question::Termination | Question::Cleanup, Ending::Memory(_) | Ending::Arithmetic) => {
            Shown::Nothing
        }
    }
}

/// A verdict and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// Nothing contradicts it.
    Fine(&'static str),
    /// `wane` has said so, and a run shows otherwise.
    Wrong(String),
    /// `wane` has refuted what no run shows to fail, but none shows to hold either.
    Unconfirmed(String),
}

/// Holds a verdict against runs.
pub(crate) fn judge(
    question: Question,
    verdict: &str,
    reason: &str,
    program: &Program,
    runs: &[Run],
) -> Judgement {
    // The end was made for the first run.
    let n_runs = match question {
        Question::EndlessLoop | Question::Reach | Question::Error => 1,
        Question::Termination | Question::Safety | Question::Cleanup => runs.len(),
    };
    let shown: Vec<Shown> = runs[..n_runs].iter().map(|it| shown(question, it)).collect();
    let told = || format!("{question:?} {verdict} ({reason}), but runs do {runs:?}");
    match verdict {
        "true" if shown.contains(&Shown::Fails) => Judgement::Wrong(told()),
        "true" => Judgement::Fine("proved"),
        "false" if program.is_open || program.depends_on_addresses => Judgement::Fine("refuted"),
        "false" => match shown.as_slice() {
            [Shown::Fails] => Judgement::Fine("refuted"),
            [Shown::Holds] if question == Question::Safety && !program.is_watched => {
                Judgement::Unconfirmed(told())
            }
            [Shown::Holds] => Judgement::Wrong(told()),
            // Behind an invalid access no block is freed.
            _ if question == Question::Cleanup => Judgement::Fine("refuted, undefined"),
            _ if runs.iter().any(|it| matches!(it.ending, Ending::Undefined(_))) => {
                Judgement::Fine("refuted, undefined")
            }
            // Whether memory is lost is looked at where `main` returns.
            [Shown::Nothing] if reason.contains("points at a heap block") => {
                Judgement::Fine("refuted, lost in a run that lasts")
            }
            _ => Judgement::Unconfirmed(told()),
        },
        "unknown" => Judgement::Fine("unknown"),
        _ => Judgement::Wrong(format!("no verdict: {verdict}")),
    }
}

/// The program that answers, and how much it may work on a question.
pub(crate) struct Tool {
    pub(crate) path: String,
    pub(crate) limits: Vec<String>,
}

impl Tool {
    /// Asks one question about many programs: for each, a verdict and its reason.
    pub(crate) fn ask(
        &self,
        question: Question,
        texts: &[String],
        folder: &Path,
    ) -> Vec<(String, String)> {
        let mut command = Command::new(&self.path);
        command.current_dir(folder).args(["check", "--format", "json", "--jobs", "1"]);
        command.args(["--no-preprocess", "--property", question.property()]).args(&self.limits);
        for (number, text) in texts.iter().enumerate() {
            let name = format!("{number}.c");
            fs::write(folder.join(&name), text).expect("the folder is ours");
            command.arg(name);
        }
        let output = command.output().expect("wane runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let said: serde_json::Value = serde_json::from_str(&said).unwrap_or_default();
        let mut answers: Vec<(String, String)> =
            texts.iter().map(|_| ("not read".to_owned(), said["errors"].to_string())).collect();
        for result in said["results"].as_array().into_iter().flatten() {
            let number = result["file"].as_str().and_then(|it| it.strip_suffix(".c"));
            let Some(number) = number.and_then(|it| it.parse::<usize>().ok()) else { continue };
            let text = |key: &str| result[key].as_str().unwrap_or("").to_owned();
            answers[number] = (text("verdict"), text("reason"));
        }
        answers
    }
}
