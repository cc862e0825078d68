//! Models of integers: what is asked for one model is asked of the same C text, read by
//! others.
//!
//! C says nothing of a program that overflows a signed integer (C11 6.5p5). So the text is
//! read in three ways:
//!
//! | read by | signed integers | runs |
//! |---|---|---|
//! | [`IntModel::C`] | are bounded; a run that overflows is left out | those that C defines |
//! | [`IntModel::Math`] | have no bounds | these, and others |
//! | [`IntModel::Machine`] | wrap around | these, and others |
//!
//! Proofs may be about a reading with more runs ([`Implication::Sound`]). Runs against the
//! goal are those of the model that is asked for ([`Implication::Complete`]).
//!
//! | goal | asked for | proofs | runs |
//! |---|---|---|---|
//! | a run ends | C | unbounded | C |
//! | a run ends | unbounded, wrapping | as asked | as asked |
//! | no errors | C, unbounded | wrapping | as asked |
//! | no errors | wrapping | wrapping | wrapping |
//!
//! Integers without bounds have the simpler measures, so they serve to show that runs end. But
//! a loop that only an overflow can leave is endless there, and what stands behind it is never
//! looked at. So errors are excluded where integers wrap around.
//!
//! A loop may go on for ever with unbounded integers, and overflow at last with bounded ones; or
//! no run that C defines leaves it. What becomes of its runs depends on the compiler, and most
//! often integers wrap around then. If the loop goes on for ever so, too, the run that does is an
//! answer ([`Runs::Wrapping`]): it says what it takes for granted. If wrapping around ends the
//! loop, there is no answer, and [`Reason::EndsByOverflow`] is what is found.

use super::instrument::Instrumented;
use super::overflow::{
    Contents, LeftOut, ends_by_addresses, only_undefined_ends, program_has_overflow,
};
use super::wrapping::{comes_round, overflows_in_rounds};
use super::{Implication, Truth};
use base::budget::Budget;
use base::source::Span;
use c::{self, Caller, Options, Parsed};
use evidence::alarm::{Alarm, AlarmKind};
use evidence::approach::Form;
use evidence::certificate::Certificate;
use heap::shape::ShapeLibrary;
use ir::Program;
use ir::semantics::{Definedness, IntModel};
use ir::slice::numbers::Numbers;
use ir::text::Fingerprint;
use obligation::{Fairness, Goal, Inputs, Known, Obligation};
use prove::nontermination::refute_by_text;
use prove::precondition::begins_unmodelled;
use prove::violation::is_made_in;
use prove::{
    by_numbers, by_numbers_without_addresses, is_proved_at_once, prove_beside, refute, runs_against,
};
use std::cell::OnceCell;
use verdict::violation::Trial;
use verdict::{Reason, Unknown, Verdict};

/// A way to read the text, and what an answer about the program means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How the text is read.
    pub model: IntModel,
    /// What an answer means.
    pub implication: Implication,
}

/// How the text is read where a model is asked for: for proofs of a goal, and for runs
/// against it.
#[must_use]
pub fn readings(goal: Goal, asked: IntModel) -> [Reading; 2] {
    let proofs = match (goal, asked) {
        (Goal::Ends, IntModel::C) => IntModel::Math,
        (Goal::Ends, IntModel::Math | IntModel::Machine) => asked,
        (Goal::Avoids(_), _) => IntModel::Machine,
    };
    let implications = if proofs == asked {
        [Implication::Equivalent; 2]
    } else {
        [Implication::Sound, Implication::Complete]
    };
    let [of_proofs, of_runs] = implications;
    [
        Reading { model: proofs, implication: of_proofs },
        Reading { model: asked, implication: of_runs },
    ]
}

/// The program read by the model that is asked for, made when it is needed.
pub struct Asked<'a> {
    parsed: &'a Parsed,
    options: &'a Options,
    pub(super) weave: Option<&'a Weave<'a>>,
    program: OnceCell<Option<Instrumented>>,
    wrapping: OnceCell<Option<Program>>,
    called: [OnceCell<Option<Program>>; 2],
}

/// What becomes of a program before questions are asked about it, or why nothing does.
pub type Weave<'a> = dyn Fn(Program) -> Result<Instrumented, String> + 'a;

impl<'a> Asked<'a> {
    /// What a text is read as by these options.
    #[must_use]
    pub fn of(parsed: &'a Parsed, options: &'a Options) -> Self {
        let (program, wrapping, called) = Default::default();
        Self { parsed, options, weave: None, program, wrapping, called }
    }

    /// The same, with more code.
    #[must_use]
    pub fn through(self, weave: &'a Weave<'a>) -> Self {
        Self { weave: Some(weave), ..self }
    }

    fn instrumented(&self) -> Option<&Instrumented> {
        let read = || {
            let program = c::compile_parsed(self.parsed, self.options).ok()?.program;
            match self.weave {
                Some(weave) => weave(program).ok(),
                None => Some(Instrumented { program, fairness: Fairness::default() }),
            }
        };
        self.program.get_or_init(read).as_ref()
    }

    pub(super) fn program(&self) -> Option<&Program> {
        self.instrumented().map(|instrumented| &instrumented.program)
    }

    /// The text as it stands, read with integers that wrap around.
    fn wrapping(&self) -> Option<&Program> {
        let read = || {
            let options = Options { int_model: IntModel::Machine, ..self.options.clone() };
            Some(c::compile_parsed(self.parsed, &options).ok()?.program)
        };
        self.wrapping.get_or_init(read).as_ref()
    }

    /// A function by itself, called by somebody who hands over objects.
    pub(super) fn called(&self) -> Option<&Program> {
        self.called_by(&self.called[0], self.options.int_model)
    }

    /// The same with integers that wrap around, where that is another program.
    pub(super) fn called_wrapping(&self) -> Option<&Program> {
        let is_another = self.options.int_model == IntModel::C;
        is_another.then(|| self.called_by(&self.called[1], IntModel::Machine)).flatten()
    }

    fn called_by<'c>(
        &self,
        cell: &'c OnceCell<Option<Program>>,
        int_model: IntModel,
    ) -> Option<&'c Program> {
        let read = || {
            let caller = Caller::WithObjects;
            let options = Options { caller, int_model, ..self.options.clone() };
            Some(c::compile_parsed(self.parsed, &options).ok()?.program)
        };
        cell.get_or_init(read).as_ref()
    }
}

/// What runs an answer is about that shows one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Those of the model that is asked for.
    AsAsked,
    /// Those in which signed integers wrap around, which C leaves undefined.
    Wrapping,
}

/// An answer, and the program that its evidence speaks of.
pub struct Answered<'a> {
    /// The answer.
    pub verdict: Verdict,
    /// The program.
    pub program: &'a Program,
    /// How its runs are read.
    pub runs: Runs,
    /// What an answer about that means for what was asked.
    pub means: Implication,
    /// What was found out about what calls of a function by itself need.
    pub learnt: Known,
}

impl<'a> Answered<'a> {
    /// An answer about runs of the model that is asked for.
    #[must_use]
    pub fn of(verdict: Verdict, program: &'a Program) -> Self {
        let (runs, means, learnt) = (Runs::AsAsked, Implication::Equivalent, Known::default());
        Self { verdict, program, runs, means, learnt }
    }

    /// The same, with what it means.
    #[must_use]
    pub fn meaning(self, means: Implication) -> Self {
        Self { means, ..self }
    }

    /// What is known of what was asked. A proof is one of this program, or none.
    #[must_use]
    pub fn truth(&self) -> Truth {
        match &self.verdict {
            Verdict::Proved(certificate)
                if certificate.statement.program != Fingerprint::of(self.program) =>
            {
                Truth::Open
            }
            verdict => self.means.carried(Truth::of(verdict)),
        }
    }
}

/// Answers an obligation about a text that was read for proofs, for the model that is
/// asked for.
#[must_use]
pub fn answer<'a>(
    obligation: &Obligation<'a>,
    asked: &'a Asked<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Answered<'a> {
    let program = obligation.program();
    let [proofs, runs] = readings(obligation.goal, asked.options.int_model);
    if proofs == runs {
        let search = runs_against(obligation, library);
        let (verdict, learnt) = prove_beside(&search, obligation, library, budget);
        let verdict = unless_void(verdict, obligation, library, budget);
        return Answered { learnt, ..Answered::of(verdict, program).meaning(proofs.implication) };
    }
    match obligation.goal {
        Goal::Ends => ends(obligation, asked, [proofs, runs], library, budget),
        Goal::Avoids(_) => {
            let search = runs_against(obligation, library);
            let (verdict, learnt) = prove_beside(&search, obligation, library, budget);
            let verdict = avoided(verdict, obligation, asked, library, budget);
            let means = if let Verdict::Proved(_) = verdict { proofs } else { runs }.implication;
            Answered { learnt, ..Answered::of(verdict, program).meaning(means) }
        }
    }
}

/// Whether every run ends: a proof is about the obligation's program, an endless run is one
/// of the model that is asked for.
fn ends<'a>(
    obligation: &Obligation<'a>,
    asked: &'a Asked<'_>,
    readings: [Reading; 2],
    library: &ShapeLibrary,
    budget: &Budget,
) -> Answered<'a> {
    let search = |budget: &Budget, suspects: &[Span]| {
        let Instrumented { program, fairness } = asked.instrumented()?;
        refute(program, (obligation.goal, suspects), (fairness, library), budget)
    };
    // What reductions choose is no input of the text.
    let inputs = if asked.weave.is_none() { Inputs::OfType } else { Inputs::Any };
    let bounded = obligation.clone().reading(inputs);
    let (answer, learnt) = prove_beside(&search, &bounded, library, budget);
    Answered { learnt, ..ended(answer, obligation, asked, readings, (library, budget)) }
}

/// What a first answer to whether every run ends comes to, with what overflows do.
fn ended<'a>(
    answer: Verdict,
    obligation: &Obligation<'a>,
    asked: &'a Asked<'_>,
    [proofs, runs]: [Reading; 2],
    (library, budget): (&ShapeLibrary, &Budget),
) -> Answered<'a> {
    let program = obligation.program();
    let overflow = match &answer {
        Verdict::Unknown(unknown) => ended_by_overflow(unknown, obligation, asked, library, budget),
        Verdict::Proved(_) => only_overflow(obligation, asked, library, budget),
        _ => {
            let program = asked.program().unwrap_or(program);
            return Answered::of(answer, program).meaning(runs.implication);
        }
    };
    let Some(span) = overflow else {
        if let Verdict::Unknown(_) = &answer
            && let Some(endless) = endless_by_text(obligation, asked, budget)
        {
            return endless;
        }
        let verdict = unless_void(answer, obligation, library, budget);
        return Answered::of(verdict, program).meaning(proofs.implication);
    };
    if let Some(endless) = endless_by_wrapping(obligation, span, asked, library, budget) {
        return endless;
    }
    let mut reasons = vec![Reason::EndsByOverflow(span)];
    if let Verdict::Unknown(unknown) = answer {
        if !is_endless_without_bounds(obligation, library, budget) {
            return Answered::of(Verdict::Unknown(unknown), program).meaning(proofs.implication);
        }
        reasons.extend(unknown.reasons);
    }
    Answered::of(Verdict::Unknown(Box::new(Unknown { reasons })), program)
}

/// A run that goes round this loop for ever where integers wrap around. No run that C defines
/// does so.
fn endless_by_wrapping<'a>(
    obligation: &Obligation<'_>,
    suspect: Span,
    asked: &'a Asked<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Answered<'a>> {
    let program = asked.wrapping().filter(|_| asked.weave.is_none())?;
    if program.open.is_some() && begins_unmodelled(program) {
        return None;
    }
    let (suspects, rules) = ([suspect], (&obligation.fairness, library));
    let verdict = refute(program, (obligation.goal, &suspects), rules, budget)?;
    let Verdict::Refuted(refutation) = &verdict else { return None };
    let is_there = comes_round(program, refutation, suspect)
        && overflows_in_rounds(asked.program()?, program, refutation);
    let answered = Answered { runs: Runs::Wrapping, ..Answered::of(verdict, program) };
    is_there.then_some(answered.meaning(Implication::Complete))
}

/// A run that reads text and goes round for ever where integers wrap around: what it counts meanwhile
/// overflows at last, and nothing asks for it.
fn endless_by_text<'a>(
    obligation: &Obligation<'_>,
    asked: &'a Asked<'_>,
    budget: &Budget,
) -> Option<Answered<'a>> {
    let defined = asked.program().filter(|it| asked.weave.is_none() && it.open.is_none())?;
    // Without overflows, the same runs were looked at before.
    if !program_has_overflow(defined) {
        return None;
    }
    let program = asked.wrapping()?;
    let refutation = refute_by_text(program, &obligation.fairness, budget)?;
    if !overflows_in_rounds(defined, program, &refutation) {
        return None;
    }
    let verdict = Verdict::Refuted(Box::new(refutation));
    let answered = Answered { runs: Runs::Wrapping, ..Answered::of(verdict, program) };
    Some(answered.meaning(Implication::Complete))
}

/// The proof, unless it is one of nothing: a loop that only what is undefined ends is not said to
/// end. Then there is no verdict, for what was taken for granted.
#[must_use]
pub fn unless_void(
    verdict: Verdict,
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Verdict {
    let verdict = unless_granted(verdict, obligation, library, budget);
    if let Verdict::Proved(_) = &verdict
        && let Some(span) = only_addresses_end(obligation, library, budget)
    {
        let what = "a step of a pointer out of its object".to_owned();
        let alarm = Alarm { span, kind: AlarmKind::Undefined(what) };
        return Verdict::Unknown(Box::new(Unknown { reasons: vec![Reason::Alarm(alarm)] }));
    }
    verdict
}

/// The same where a proof takes for granted that something undefined does not happen.
fn unless_granted(
    verdict: Verdict,
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Verdict {
    let Verdict::Proved(certificate) = &verdict else { return verdict };
    if certificate.assumes.is_empty() {
        return verdict;
    }
    let is_void = |certificate: &Certificate| {
        let alarms: Vec<Alarm> = left_out(certificate).cloned().collect();
        let contents = match certificate.approach.form {
            Form::Numbers(..) => Contents::Any,
            _ => Contents::Written,
        };
        let left_out = LeftOut::Undefined { alarms: &alarms, contents };
        only_undefined_ends(obligation.program(), left_out, library, budget).is_some()
    };
    if !is_void(certificate) {
        return verdict;
    }
    // A proof may remain for which it does not matter what memory holds, or where it is.
    let other = match certificate.approach.form {
        Form::Numbers(form) if form.addresses.are_kept() => {
            by_numbers_without_addresses(obligation, library, budget)
        }
        Form::Numbers(_) => None,
        _ => by_numbers(obligation, library, budget),
    };
    if let Some(Verdict::Proved(other)) = other
        && !is_void(&other)
    {
        return Verdict::Proved(other);
    }
    // What is taken for granted may not be needed.
    let is_open = obligation.program().open.is_some();
    if is_open || matches!(certificate.approach.form, Form::Numbers(..)) {
        let strict = obligation.clone().with_definedness(Definedness::Shown);
        // Endless runs are those of another reading of the text.
        let no_run = |_: &Budget, _: &[Span]| None;
        match prove_beside(&no_run, &strict, library, budget).0 {
            Verdict::Unknown(_) if !is_open => {}
            verdict => return verdict,
        }
    }
    let mut reasons: Vec<Reason> = left_out(certificate).cloned().map(Reason::Alarm).collect();
    if reasons.is_empty() {
        reasons.extend(certificate.assumes.iter().cloned().map(Reason::Alarm));
    }
    Verdict::Unknown(Box::new(Unknown { reasons }))
}

/// A loop that only addresses end which come round.
fn only_addresses_end(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Span> {
    let program = obligation.program();
    let is_of_all_runs = obligation.fairness == Fairness::default();
    if obligation.goal != Goal::Ends || !is_of_all_runs || !ends_by_addresses(program) {
        return None;
    }
    let left_out = LeftOut::Undefined { alarms: &[], contents: Contents::Any };
    only_undefined_ends(program, left_out, library, budget)
}

/// What a proof takes for granted by leaving runs out. Where nothing is said of memory, runs go on
/// behind each access, whatever it finds.
fn left_out(certificate: &Certificate) -> impl Iterator<Item = &Alarm> {
    let has_memory = match certificate.approach.form {
        Form::Numbers(Numbers { addresses, .. }) => addresses.are_kept(),
        _ => true,
    };
    certificate.assumes.iter().filter(move |it| has_memory || !it.kind.is_about_an_access())
}

/// A loop of a proved program that only an overflow ends.
fn only_overflow(
    obligation: &Obligation<'_>,
    asked: &Asked<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Span> {
    let is_plain = obligation.program().open.is_none() && asked.weave.is_none();
    if !is_plain {
        return None;
    }
    only_undefined_ends(asked.program()?, LeftOut::Overflow, library, budget)
}

/// A loop without a measure, in a program that ends where the runs that overflow are left out. A
/// proof for those alone is no answer: a user who asks whether a loop ends does not count on an
/// overflow.
fn ended_by_overflow(
    unknown: &Unknown,
    obligation: &Obligation<'_>,
    asked: &Asked<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Span> {
    let Some(Reason::NoRanking(span)) = unknown.reasons.first() else { return None };
    let without_overflow =
        Obligation::new(asked.program()?, obligation.goal).under(obligation.fairness.clone());
    is_proved_at_once(&without_overflow, library, budget).then_some(*span)
}

/// Whether a run goes on for ever with unbounded integers.
fn is_endless_without_bounds(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> bool {
    let rules = (&obligation.fairness, library);
    refute(obligation.program(), (obligation.goal, &[]), rules, budget).is_some()
}

/// What a first answer to whether no run makes an error comes to: a run of the obligation's
/// program that makes one is a refutation if it is one of the model that is asked for.
fn avoided(
    answer: Verdict,
    obligation: &Obligation<'_>,
    asked: &Asked<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Verdict {
    match answer {
        Verdict::Violated(violation) => {
            let asked_for = asked.program().map(|it| Trial::of(it, obligation.goal));
            if asked_for.is_some_and(|it| is_made_in(&it, &violation)) {
                return Verdict::Violated(violation);
            }
            if let Some(without) = without_overflow(obligation, asked, library, budget) {
                return without;
            }
            let reasons = vec![Reason::Overflow(violation.span)];
            Verdict::Unknown(Box::new(Unknown { reasons }))
        }
        verdict => verdict,
    }
}

/// A run that makes an error in the model that is asked for, and in the obligation's program
/// as well.
fn without_overflow(
    obligation: &Obligation<'_>,
    asked: &Asked<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    let rules = (&obligation.fairness, library);
    let found = refute(asked.program()?, (obligation.goal, &[]), rules, budget)?;
    let Verdict::Violated(violation) = &found else { return None };
    let trial = Trial::of(obligation.program(), obligation.goal);
    is_made_in(&trial, violation).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::{Answered, IntModel, readings};
    use crate::Implication::{Complete, Equivalent, Sound};
    use crate::Truth;
    use base::budget::Budget;
    use heap::shape::ShapeLibrary;
    use ir::text;
    use obligation::{ErrorKind, Goal, Obligation};
    use prove::prove;

    #[test]
    fn a_proof_of_another_program_says_nothing() {
        let program = |variables: &str| {
            let text = format!("{variables}procedure main() {{\nb:\n  halt\n}}\nentry main\n");
            text::parse("one.goto", &text).expect("a program").program
        };
        let (own, other) = (program(""), program("global i: i32\n"));
        let library = ShapeLibrary::builtin().expect("shapes");
        let answered = |program, means| {
            let verdict =
                prove(&Obligation::new(&own, Goal::Ends), &library, &Budget::of_steps(1_000));
            Answered::of(verdict, program).meaning(means).truth()
        };
        assert_eq!(answered(&own, Sound), Truth::Holds);
        assert_eq!(answered(&own, Complete), Truth::Open);
        assert_eq!(answered(&other, Sound), Truth::Open);
    }

    #[test]
    fn proofs_are_about_more_runs_and_runs_are_as_asked() {
        let safe = Goal::avoids_all(&[ErrorKind::Leak]);
        let rows = [
            (Goal::Ends, IntModel::C, IntModel::Math),
            (Goal::Ends, IntModel::Math, IntModel::Math),
            (Goal::Ends, IntModel::Machine, IntModel::Machine),
            (safe, IntModel::C, IntModel::Machine),
            (safe, IntModel::Math, IntModel::Machine),
            (safe, IntModel::Machine, IntModel::Machine),
        ];
        for (goal, asked, expected) in rows {
            let [proofs, runs] = readings(goal, asked);
            assert_eq!((proofs.model, runs.model), (expected, asked));
            let means = [proofs.implication, runs.implication];
            let is_same = expected == asked;
            assert_eq!(means, if is_same { [Equivalent; 2] } else { [Sound, Complete] });
        }
    }
}
