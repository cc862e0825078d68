//! Which calls of a function a proof is about, and that a proof of too few is none.

use super::Subject;
use base::budget::Budget;
use base::source::{SourceMap, Span};
use evidence::alarm::{Alarm, AlarmKind};
use evidence::approach::Form;
use evidence::certificate::Certificate;
use evidence::scope::{Coverage, Scope};
use heap::shape::ShapeLibrary;
use ir::Program;
use obligation::Obstacle;
use prove::scope::{TOO_LARGE, coverage};
use reduce::integers::Answered;
use report::precondition::alternatives;
use report::{Answer, Cause, Evidence, Finding, Location, codes};
use simplify::simplify;
use verdict::Verdict;

impl Subject {
    /// The answer with its scope, if it is about a function by itself whose precondition was
    /// found. Where that leaves out what the function is for, the answer is unknown.
    pub(super) fn scoped(
        &self,
        finding: Finding,
        Answered { verdict, program, .. }: &Answered<'_>,
        obstacle: Option<&Obstacle>,
        (library, budget): (&ShapeLibrary, &Budget),
    ) -> Finding {
        let Verdict::Proved(certificate) = verdict else { return finding };
        if program.open.is_none() || !self.origin.contracts().is_empty() {
            return finding;
        }
        let coverage = match &certificate.approach.form {
            Form::Bounds(_) => Coverage { scope: Scope::General, ..Coverage::all() },
            _ if finding.precondition.is_empty() => granting(certificate),
            _ => coverage(&simplify(program), certificate, library, budget),
        };
        let scope = Some(coverage.scope.word());
        if coverage.scope.answers() {
            return Finding { scope, ..finding };
        }
        match obstacle {
            Some(obstacle) if coverage.scope == Scope::Vacuous => {
                blocked(finding, &coverage, obstacle, program)
            }
            _ => narrow(Finding { scope, ..finding }, &coverage, obstacle, program),
        }
    }
}

/// The scope of a proof that asks nothing of calls, but may take something for granted of what
/// they give.
fn granting(certificate: &Certificate) -> Coverage {
    let is_granted = |it: &Alarm| matches!(it.kind, AlarmKind::Granted(_));
    let scope = match certificate.assumes.iter().any(is_granted) {
        true => Scope::General,
        false => Scope::All,
    };
    Coverage { scope, ..Coverage::all() }
}

/// The answer that there is no proof but for calls that have nothing to do: what was in the way
/// of a proof for others comes first.
fn blocked(proof: Finding, coverage: &Coverage, obstacle: &Obstacle, program: &Program) -> Finding {
    let cause = cause_of(obstacle, &program.sources);
    let place = cause.location.as_ref().map_or_else(String::new, |at| at.describe() + ": ");
    let when = alternatives(&proof.precondition, ", or ");
    let note = only_when(&when, coverage, program);
    let reason = format!("{place}{}; {note}", cause.message);
    let location = entry_of(program).map(|span| Location::of_span(span, &program.sources));
    let note = Cause { code: codes::NARROW, message: note, location };
    let (causes, precondition, evidence) = (vec![cause, note], Vec::new(), None::<Evidence>);
    Finding {
        answer: Answer::Unknown,
        reason,
        causes,
        precondition,
        scope: None,
        evidence,
        ..proof
    }
}

/// Where the function stands that is looked at by itself.
fn entry_of(program: &Program) -> Option<Span> {
    let open = program.open.as_ref()?;
    Some(program.procedure(open.procedure).span).filter(|it| it.is_somewhere())
}

/// The answer that there is a proof for some calls only.
fn narrow(
    proof: Finding,
    coverage: &Coverage,
    obstacle: Option<&Obstacle>,
    program: &Program,
) -> Finding {
    let when = alternatives(&proof.precondition, ", or ");
    let span = coverage.bounded.first().or(coverage.unreached.first()).copied();
    let span = span.filter(|it| it.is_somewhere()).or_else(|| entry_of(program));
    let location = span.map(|span| Location::of_span(span, &program.sources));
    let message = only_when(&when, coverage, program);
    let first = Cause { code: codes::NARROW, message, location };
    let blocked = obstacle.map(|it| cause_of(it, &program.sources));
    let reason = match &blocked {
        Some(cause) => {
            let place = cause.location.as_ref().map_or_else(String::new, |at| at.describe() + ": ");
            format!("{}; for other calls {place}{}", first.message, cause.message)
        }
        None => first.message.clone(),
    };
    let causes = std::iter::once(first).chain(blocked).collect();
    let evidence = None::<Evidence>;
    Finding { answer: Answer::Unknown, reason, causes, evidence, ..proof }
}

/// For which calls there is a proof.
fn only_when(formulas: &str, coverage: &Coverage, program: &Program) -> String {
    let is_of_none = coverage.fixed.first().is_some_and(|it| it == TOO_LARGE);
    match is_of_none && coverage.bounded.is_empty() && coverage.null.is_empty() {
        true => "proved for objects only that are larger than any can be".to_owned(),
        false => format!("proved only when {formulas}: {}", what_is_left_out(coverage, program)),
    }
}

/// What the calls with a proof leave out, as a clause.
fn what_is_left_out(coverage: &Coverage, program: &Program) -> String {
    let place = |span: &base::source::Span| program.sources.describe(*span);
    let bounded: Vec<String> = coverage.bounded.iter().map(place).collect();
    let come_in = coverage.null.iter().map(|it| &program.variable(*it).name);
    let null: Vec<String> =
        come_in.chain(&coverage.behind).map(|name| format!("`{name}`")).collect();
    let unreached: Vec<String> = coverage.unreached.iter().map(place).collect();
    let equal = coverage.equal.first().map(|it| &program.variable(*it).name);
    match (coverage.scope, bounded.as_slice(), null.as_slice()) {
        (Scope::Vacuous, [_, ..], _) => "no loop is reached then".to_owned(),
        (Scope::Degenerate, [_, ..], _) => {
            format!("no loop runs twice then, like that at {}", bounded.join(", "))
        }
        (_, [_, ..], _) => {
            format!("the loop at {} cannot go on any number of times then", bounded.join(", "))
        }
        (_, [], [_, ..]) => format!("{} is null then", null.join(" and ")),
        (_, [], []) => match equal {
            Some(name) => format!("`{name}` is equal to another pointer then"),
            None => match (coverage.rings.first().or(coverage.fixed.first()), unreached.as_slice())
            {
                (Some(clause), _) => format!("{clause} then"),
                (None, [_, ..]) => {
                    format!("the return at {} is not reached then", unreached.join(", "))
                }
                (None, []) => "that is not all".to_owned(),
            },
        },
    }
}

fn cause_of(obstacle: &Obstacle, sources: &SourceMap) -> Cause {
    let span = obstacle.span.filter(|it| it.is_somewhere());
    let location = span.map(|span| Location::of_span(span, sources));
    Cause { code: obstacle.code, message: obstacle.message.clone(), location }
}
