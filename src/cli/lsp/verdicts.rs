//! Answers in a few words, and the loops of proofs.

use super::answers::Answers;
use question::Question;
use report::{Answer, Finding, LoopStory, Repetition};

/// What is known of a function, such as `ends · memory safe`; nothing, if it was not asked about.
pub(super) fn line(findings: &[&Finding]) -> Option<String> {
    let codes = |finding: &Finding| finding.causes.first().map(|cause| cause.code);
    if let [first, others @ ..] = findings
        && first.answer == Answer::Unknown
        && others.iter().all(|it| it.answer == Answer::Unknown && codes(it) == codes(first))
    {
        return Some(with_code("unknown", first));
    }
    let words: Vec<String> = findings.iter().map(|finding| verdict(finding)).collect();
    (!words.is_empty()).then(|| words.join(" \u{b7} "))
}

/// One answer in a few words.
pub(super) fn verdict(finding: &Finding) -> String {
    let [holds, fails, topic] = match Question::from_name(&finding.property) {
        Some(Question::Termination) => ["ends", "can run for ever", "termination"],
        Some(Question::MemorySafety) => ["memory safe", "memory error", "memory safety"],
        Some(Question::MemoryCleanup) => {
            ["frees all memory", "leaves memory behind", "memory cleanup"]
        }
        Some(Question::Reach) => ["reaches no error", "reaches an error", "reachability"],
        _ => ["holds", "fails", finding.property.as_str()],
    };
    match finding.answer {
        Answer::Proved if finding.precondition.is_empty() => holds.to_owned(),
        Answer::Proved => format!("{holds} on a condition"),
        Answer::Refuted => with_code(fails, finding),
        Answer::Unknown => with_code(&format!("{topic} unknown"), finding),
    }
}

fn with_code(words: &str, finding: &Finding) -> String {
    match finding.causes.first() {
        Some(cause) => format!("{words} ({})", cause.code),
        None => words.to_owned(),
    }
}

/// What proofs say of each loop, and of each recursion, a story a place: of a loop that several
/// functions lead to what the proof of its own function says, if there is one.
pub(super) fn stories(answers: &Answers) -> Vec<&LoopStory> {
    let findings = answers.report.findings.iter().filter(|it| it.answer == Answer::Proved);
    let told = findings.flat_map(|finding| {
        let loops = finding.evidence.iter().flat_map(|evidence| &evidence.loops);
        loops.map(move |story| (story.function != finding.entry, story))
    });
    let mut told: Vec<(bool, &LoopStory)> = told.collect();
    told.sort_by_key(|(is_foreign, story)| (&story.location, *is_foreign));
    told.dedup_by_key(|(_, story)| &story.location);
    told.into_iter().map(|(_, story)| story).collect()
}

/// What gets smaller, and that it is a recursion if it is one.
pub(super) fn measure(story: &LoopStory) -> String {
    match story.kind {
        Repetition::Loop => story.explanation.clone(),
        Repetition::Recursion => format!("recursion: {}", story.explanation),
    }
}
