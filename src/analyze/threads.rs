//! Whether a thread ends that runs beside others.

use super::agreements::agreed;
use super::temporal::unreadable;
use super::{Origin, Subject};
use crate::base::budget::Budget;
use crate::base::limits::REFUTATION_STEPS;
use crate::base::source::Span;
use crate::c::{self, IntModel, Options, Parsed, Threads};
use crate::heap::shape::ShapeLibrary;
use crate::ir::Program;
use crate::obligation::{Goal, Obligation};
use crate::prove::nontermination::refute_at_random;
use crate::prove::{prove_at_once, prove_or, refute};
use crate::question::Question;
use crate::reduce::integers::{Answered, readings};
use crate::reduce::threads::agreement::Parallel;
use crate::reduce::threads::story::{Turn, told, turns};
use crate::reduce::threads::{Counting, Grain, Purpose, countings, scheduled};
use crate::reduce::weave::Woven;
use crate::report::{Answer, Evidence, Finding, Location, story};
use crate::verdict::{Reason, Verdict};
use std::cell::Cell;

/// The steps of the first attempt at a proof.
const PROOF_STEPS: u64 = 200_000;

/// How threads move.
const INTERLEAVING: &str = "threads move one access at a time, in any order, and can always be \
                            started; a library function is one step";

/// Programs of all threads.
struct Products {
    /// For proofs, in the order in which to try them.
    provable: Vec<Woven>,
    /// To look for runs in, at random.
    by_chance: Vec<Woven>,
    /// To look for runs in by a search.
    strict: Option<Woven>,
}

impl Subject {
    /// Whether the named function ends as a thread of the program, whatever the schedule.
    pub(super) fn thread(
        &self,
        question: &Question,
        named: &str,
        library: &ShapeLibrary,
        budget: &Budget,
    ) -> Result<Finding, Reason> {
        let Origin::C { parsed, .. } = &self.origin else {
            return Err(Reason::NotBuilt("threads of programs that are not C".to_owned()));
        };
        if let Some(finding) = self.by_agreement(parsed, question, named, library, budget)? {
            return Ok(finding);
        }
        let Products { provable, by_chance, strict } = self.products(parsed, question, named)?;
        let Some(last) = provable.last() else { return Err(Reason::NotBuilt(named.to_owned())) };
        let found_in = Cell::new(None);
        let search = |budget: &Budget, suspects: &[Span]| {
            for any in &by_chance {
                let mut steps = budget.of_part(REFUTATION_STEPS);
                if let Some(found) = refute_at_random(&any.program, &any.fairness, &mut steps) {
                    found_in.set(Some(&any.program));
                    return Some(Verdict::Refuted(Box::new(found)));
                }
            }
            let strict = strict.as_ref()?;
            let found = refute(&strict.program, (Goal::Ends, suspects), &strict.fairness, budget);
            found_in.set(found.is_some().then_some(&strict.program));
            found
        };
        // The search for a schedule takes longer than most proofs.
        let at_once = provable.iter().find_map(|woven| {
            let verdict = prove_at_once(&ends(woven), library, (budget, PROOF_STEPS));
            matches!(verdict, Verdict::Proved(_)).then_some((verdict, woven))
        });
        let (verdict, proof) =
            at_once.unwrap_or_else(|| (prove_or(&search, &ends(last), library, budget), last));
        let program = match verdict {
            Verdict::Refuted(_) => found_in.get().unwrap_or(&proof.program),
            _ => &proof.program,
        };
        let schedule = match &verdict {
            Verdict::Refuted(refutation) => Some(turns(program, refutation)),
            _ => None,
        };
        let mut finding = self.finding(question, &Answered { verdict, program }, library);
        finding.assumptions.push(INTERLEAVING.to_owned());
        match finding.answer {
            Answer::Proved => finding.reason = format!("`{named}` ends under every schedule"),
            Answer::Refuted => finding.reason = format!("a schedule keeps `{named}` from ending"),
            Answer::Unknown => {}
        }
        if let Some([stem, cycle]) = schedule {
            // The test case would have one thread.
            finding.test_case = None;
            tell(&mut finding, [&stem, &cycle], named, program);
        }
        Ok(finding)
    }

    /// A proof by what the other threads keep to.
    fn by_agreement(
        &self,
        parsed: &Parsed,
        question: &Question,
        named: &str,
        library: &ShapeLibrary,
        budget: &Budget,
    ) -> Result<Option<Finding>, Reason> {
        let [proofs, _] = readings(Goal::Ends, self.options.int_model);
        let program = self.compiled(parsed, question, proofs.model)?;
        let Ok(parallel) = Parallel::of(program, named) else { return Ok(None) };
        let Some(found) = agreed(&parallel, named, library, budget) else { return Ok(None) };
        let loops = story::loops(&found.program, library, &found.certificate);
        let invariants = story::invariants(&found.program, library, &found.certificate);
        let agreement = Some(found.story);
        let evidence = Some(Evidence { loops, invariants, agreement, ..Evidence::default() });
        let mut finding = self.unknown(question, Vec::new());
        finding.assumptions.push(INTERLEAVING.to_owned());
        finding.assumptions.push("the other threads do nothing undefined".to_owned());
        let reason = format!("`{named}` ends under every schedule");
        Ok(Some(Finding { answer: Answer::Proved, reason, evidence, ..finding }))
    }

    /// The program with its threads, read in one way.
    fn compiled(
        &self,
        parsed: &Parsed,
        question: &Question,
        int_model: IntModel,
    ) -> Result<Program, Reason> {
        let options = Options { threads: Threads::Many, int_model, ..self.options.clone() };
        let compiled = c::compile_parsed(parsed, &options)
            .map_err(|rejection| unreadable(question.name(), &rejection))?;
        if compiled.program.open.is_some() {
            let what = "threads of functions that are analysed by themselves";
            return Err(Reason::NotBuilt(what.to_owned()));
        }
        Ok(compiled.program)
    }

    /// The programs of all threads.
    fn products(
        &self,
        parsed: &Parsed,
        question: &Question,
        named: &str,
    ) -> Result<Products, Reason> {
        let [proofs, runs] = readings(Goal::Ends, self.options.int_model);
        let compiled = |model: IntModel| self.compiled(parsed, question, model);
        let product = |model: IntModel, what: (Purpose, Grain, Counting)| {
            scheduled(compiled(model)?, named, what).map_err(Reason::NotBuilt)
        };
        let (counted, in_runs) =
            countings(&mut compiled(proofs.model)?, named).map_err(Reason::NotBuilt)?;
        let mut provable = Vec::new();
        for counting in counted {
            let coarse = product(proofs.model, (Purpose::Proof, Grain::Coarse, counting))?;
            if coarse.1 == Grain::Coarse {
                provable.push(coarse.0);
            }
            provable.push(product(proofs.model, (Purpose::Proof, Grain::Fine, counting))?.0);
        }
        let mut by_chance = Vec::new();
        let coarse = product(runs.model, (Purpose::Run, Grain::Coarse, in_runs))?;
        if coarse.1 == Grain::Coarse {
            by_chance.push(coarse.0);
        }
        by_chance.push(product(runs.model, (Purpose::Run, Grain::Fine, in_runs))?.0);
        let strict = match in_runs {
            Counting::Each => Some(product(runs.model, (Purpose::Proof, Grain::Fine, in_runs))?.0),
            Counting::Few | Counting::Any => None,
        };
        Ok(Products { provable, by_chance, strict })
    }
}

/// That no fair run of a program is endless.
fn ends(woven: &Woven) -> Obligation<'_> {
    Obligation::new(&woven.program, Goal::Ends).under(woven.fairness.clone())
}

/// Tells the schedule at the first line of the thread in the cycle.
fn tell(finding: &mut Finding, [stem, cycle]: [&[Turn]; 2], named: &str, program: &Program) {
    let own = cycle.iter().filter(|turn| turn.thread == named);
    let Some(cause) = finding.causes.first_mut() else { return };
    if let Some(span) = own.flat_map(|turn| &turn.spans).next() {
        cause.location = Some(Location::of_span(*span, &program.sources));
    }
    let begin = if stem.is_empty() { String::new() } else { format!(" {};", told(stem)) };
    cause.message = format!(
        "these lines, by thread, can go on for ever:{begin} again and again {}",
        told(cycle)
    );
}
