//! Asks wane about many programs, and compares.

use super::judge::{Judgement, Question, Tool, judge};
use super::program::{End, Program};
use super::runs::{self, Ending, Patience, Run};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// So many of them are compiled together.
const BATCH: u64 = 100;

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn number_of(name: &str) -> Option<u64> {
    variable(name)?.parse().ok()
}

/// Whether `cc` has sanitizers.
fn has_sanitizers(folder: &Path) -> bool {
    fs::write(folder.join("a.c"), "int main(void) { return 0; }\n").unwrap();
    let mut command = Command::new("cc");
    command.args(["-fsanitize=address,undefined", "a.c", "-o", "a"]).current_dir(folder);
    command.output().is_ok_and(|output| output.status.success())
        && Command::new(folder.join("a")).status().is_ok_and(|status| status.success())
}

struct Campaign {
    /// Writes the program with a number.
    writer: fn(u64) -> Program,
    n_programs: u64,
    tool: Tool,
    folder: PathBuf,
    save: Option<PathBuf>,
    counts: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Campaign {
    /// Asks a question about the programs of which it can be asked.
    fn judged(
        &self,
        question: Question,
        programs: &[Program],
        runs: &[Vec<Run>],
    ) -> Vec<(usize, Judgement, String)> {
        let mut numbers = Vec::new();
        let mut texts = Vec::new();
        for (number, (program, runs)) in programs.iter().zip(runs).enumerate() {
            if let Some(end) = question.end(program, runs) {
                numbers.push(number);
                texts.push(program.for_wane(end));
            }
        }
        if texts.is_empty() {
            return Vec::new();
        }
        let answers = self.tool.ask(question, &texts, &self.folder);
        let found = numbers.iter().zip(answers).zip(texts).map(|((number, answer), text)| {
            let program = &programs[*number];
            let runs = self.runs_to_judge(question, &answer.0, program, &runs[*number]);
            (*number, judge(question, &answer.0, &answer.1, program, &runs), text)
        });
        found.collect()
    }

    fn run(&self, programs: &[Program]) -> Result<Vec<Vec<Run>>, String> {
        runs::run_all(programs, &self.folder, Patience::Usual)
    }

    /// The runs, or longer ones where some last though it is proved that they end.
    fn runs_to_judge<'a>(
        &self,
        question: Question,
        verdict: &str,
        program: &Program,
        runs: &'a [Run],
    ) -> Cow<'a, [Run]> {
        let may_end = runs.iter().any(|run| run.ending == Ending::Lasts);
        if question != Question::Termination || verdict != "true" || !may_end {
            return Cow::Borrowed(runs);
        }
        let programs = std::slice::from_ref(program);
        let longer = runs::run_all(programs, &self.folder, Patience::Long).unwrap_or_default();
        let longer = runs.iter().zip(longer.into_iter().flatten());
        let chosen = longer.map(|(run, longer)| match run.ending {
            Ending::Lasts => longer,
            _ => run.clone(),
        });
        Cow::Owned(chosen.collect())
    }

    /// A small program with a judgement of the same kind.
    fn small(
        &self,
        question: Question,
        program: &Program,
        wanted: &Judgement,
    ) -> (Program, String) {
        let mut best = (program.clone(), String::new());
        loop {
            let smaller = best.0.smaller();
            // What does not compile alone must not stop the others.
            let is_good = |it: &Program| runs::compiles(it, &self.folder);
            let smaller: Vec<Program> = smaller.into_iter().filter(is_good).collect();
            let Ok(runs) = self.run(&smaller) else { return best };
            let judged = self.judged(question, &smaller, &runs);
            let is_wanted = |it: &&(usize, Judgement, String)| {
                std::mem::discriminant(&it.1) == std::mem::discriminant(wanted)
            };
            match judged.iter().find(is_wanted) {
                Some((number, judgement, _)) => {
                    best = (smaller[*number].clone(), format!("{judgement:?}"));
                }
                None => return best,
            }
        }
    }

    fn keep(&self, number: u64, question: Question, program: &Program, judgement: &Judgement) {
        let Some(folder) = &self.save else { return };
        fs::create_dir_all(folder).unwrap();
        let (small, told) = self.small(question, program, judgement);
        let told = if told.is_empty() { format!("{judgement:?}") } else { told };
        let runs = self.run(std::slice::from_ref(&small)).unwrap();
        let end = question.end(&small, &runs[0]).unwrap_or(End::Silent);
        let text = format!("// program {number}\n// {told}\n{}", small.for_wane(end));
        let kind = match judgement {
            Judgement::Wrong(_) => "wrong",
            _ => "unconfirmed",
        };
        let name = format!("{kind}_{number}_{question:?}.c");
        fs::write(folder.join(name), text).unwrap();
    }

    /// All questions about a few programs, and some by turns about many.
    fn questions(&self, from: u64) -> Vec<Question> {
        if self.n_programs <= BATCH {
            return Question::ALL.to_vec();
        }
        match from / BATCH % 4 {
            0 => vec![Question::Termination, Question::Safety],
            1 => vec![Question::EndlessLoop, Question::Cleanup],
            2 => vec![Question::Termination, Question::Reach, Question::Error],
            _ => vec![Question::Safety, Question::Reach, Question::Error],
        }
    }

    fn batch(&mut self, from: u64, count: u64) {
        let mut numbers: Vec<u64> = (from..from + count).collect();
        let mut programs: Vec<Program> = numbers.iter().map(|it| (self.writer)(*it)).collect();
        let runs = self.run(&programs).or_else(|_| {
            numbers.retain(|it| runs::compiles(&(self.writer)(*it), &self.folder));
            programs = numbers.iter().map(|it| (self.writer)(*it)).collect();
            self.run(&programs)
        });
        let runs = runs.unwrap_or_else(|error| panic!("{error}"));
        let n_bad = usize::try_from(count).unwrap() - programs.len();
        *self.counts.entry("does not compile".to_owned()).or_default() += n_bad;
        for run in runs.iter().flatten() {
            *self.counts.entry(run.ending.describe()).or_default() += 1;
        }
        for question in self.questions(from) {
            for (index, judgement, text) in self.judged(question, &programs, &runs) {
                let number = numbers[index];
                let word = match &judgement {
                    Judgement::Fine(word) => word,
                    Judgement::Unconfirmed(_) => "unconfirmed",
                    Judgement::Wrong(_) => "wrong",
                };
                *self.counts.entry(format!("{question:?} {word}")).or_default() += 1;
                match &judgement {
                    Judgement::Fine(_) => continue,
                    Judgement::Unconfirmed(_) => {}
                    Judgement::Wrong(why) => {
                        eprintln!("program {number}: {why}\n{text}");
                        self.wrong.push(format!("{number} {question:?}"));
                    }
                }
                self.keep(number, question, &programs[index], &judgement);
            }
        }
    }
}

/// How much work a question may take: steps, where this wane counts them.
fn limits(path: &str) -> Vec<String> {
    if let Some(limits) = variable("WANE_RANDOM_C_LIMITS") {
        return limits.split_whitespace().map(str::to_owned).collect();
    }
    let help = Command::new(path).args(["check", "--help"]).output().unwrap();
    let counts_steps = String::from_utf8_lossy(&help.stdout).contains("--steps");
    let limits: &[&str] =
        if counts_steps { &["--steps", "20000", "--timeout", "600"] } else { &["--timeout", "2"] };
    limits.iter().map(|it| (*it).to_owned()).collect()
}

/// Compares so many programs, if nothing else is said.
pub(crate) fn verdicts_agree(writer: fn(u64) -> Program, n_programs: u64) {
    let folder = tempfile::tempdir().unwrap();
    if !has_sanitizers(folder.path()) {
        eprintln!("skipped: `cc` has no -fsanitize=address,undefined here");
        return;
    }
    let n_programs = number_of("WANE_RANDOM_C").unwrap_or(n_programs);
    let from = number_of("WANE_RANDOM_C_FROM")
        .unwrap_or_else(|| number_of("WANE_SEED").unwrap_or(0).wrapping_mul(1_000_000));
    let path = variable("WANE_RANDOM_C_TOOL").unwrap_or(env!("CARGO_BIN_EXE_wane").to_owned());
    let tool = Tool { limits: limits(&path), path };
    let save = variable("WANE_RANDOM_C_SAVE").map(PathBuf::from);
    let (counts, wrong) = (BTreeMap::new(), Vec::new());
    let folder = folder.path().to_owned();
    let mut campaign = Campaign { writer, n_programs, tool, folder, save, counts, wrong };
    let mut next = from;
    while next < from + n_programs {
        let count = BATCH.min(from + n_programs - next);
        campaign.batch(next, count);
        next += count;
        eprintln!("{} programs from {from}: {:?}", next - from, campaign.counts);
    }
    let n_bad = u64::try_from(campaign.counts["does not compile"]).unwrap();
    assert!(n_bad <= 1 + n_programs / 500, "{n_bad} of {n_programs} programs do not compile");
    assert!(campaign.wrong.is_empty(), "programs from {from}: {:?}", campaign.wrong);
}
