//! Whether a thread ends that runs beside others.

use super::agreements::agreed;
use super::read::missing;
use super::temporal::unreadable;
use super::{Origin, Subject};
use base::budget::Budget;
use base::limits::REFUTATION_STEPS;
use base::source::{SourceMap, Span};
use c::{self, Appendix, Entries, Options, Parsed, Threads};
use heap::shape::ShapeLibrary;
use ir::Program;
use ir::semantics::IntModel;
use obligation::{Goal, Obligation};
use prove::nontermination::refute_at_random;
use prove::{prove_at_once, prove_beside, refute};
use question::Question;
use reduce::Implication;
use reduce::instrument::Instrumented;
use reduce::integers::{Answered, readings};
use reduce::threads::agreement::Parallel;
use reduce::threads::driver::{beside_all, thread_of};
use reduce::threads::races::{Race, races};
use reduce::threads::story::{Turn, told, turns};
use reduce::threads::{Counting, Grain, Purpose, Use, countings, exactly_scheduled, scheduled};
use report::{Answer, Evidence, Finding, Location, Problem, story};
use std::cell::Cell;
use std::sync::Arc;
use verdict::{Reason, Verdict};

/// The steps of the first attempt at a proof.
const PROOF_STEPS: u64 = 200_000;

/// How threads move.
const INTERLEAVING: &str = "threads move one access at a time, in any order, and can always be \
                            started, what a thread is called is written before it runs; a library \
                            function is one step; a `volatile` object that \
                            the program defines changes by them only";

/// The text of a program with threads.
struct Threaded {
    parsed: Arc<Parsed>,
    /// For a program whose functions others call, these functions.
    callable: Option<Vec<String>>,
    /// The name of the function that the thread runs.
    named: String,
    /// What it is called in the program.
    thread: String,
}

/// Programs of all threads.
struct Products {
    /// What threads use without a common lock, in sentences.
    races: Vec<String>,
    /// For proofs, in the order in which to try them.
    provable: Vec<Instrumented>,
    /// To look for runs in, at random.
    by_chance: Vec<Instrumented>,
    /// To look for runs in by a search.
    strict: Option<Instrumented>,
}

impl Subject {
    /// Where a function is defined.
    pub(super) fn place_of(&self, named: &str, sources: &SourceMap) -> Option<Location> {
        let known = c::entry_points(self.origin.parsed()?, Entries::All);
        let own = known.iter().find(|it| it.function == named)?;
        Some(Location::of_span(own.span, sources))
    }

    /// What is wrong with a question about a thread: there is no such function.
    pub(super) fn missing_thread(&self, named: &str) -> Option<Problem> {
        let Origin::C { parsed, .. } = &self.origin else { return None };
        let known = c::entry_points(parsed, Entries::All);
        if known.iter().any(|it| it.function == named) || parsed.mentions(named) {
            return None;
        }
        let message = missing(named, parsed);
        let file = parsed.names().first().map_or("", String::as_str);
        Some(Problem { message, location: Location::of_file(file) })
    }

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
        let text = self.threaded(parsed, question, named)?;
        if let Some(finding) = self.by_agreement(&text, question, library, budget)? {
            return Ok(finding);
        }
        let Products { races, provable, by_chance, strict } = self.products(&text, question)?;
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
            let found = refute(
                &strict.program,
                (Goal::Ends, suspects),
                (&strict.fairness, library),
                budget,
            );
            found_in.set(found.is_some().then_some(&strict.program));
            found
        };
        // The search for a schedule takes longer than most proofs.
        let at_once = provable.iter().find_map(|instrumented| {
            let verdict = prove_at_once(&ends(instrumented), library, (budget, PROOF_STEPS));
            matches!(verdict, Verdict::Proved(_)).then_some((verdict, instrumented))
        });
        let (verdict, proof) = at_once
            .unwrap_or_else(|| (prove_beside(&search, &ends(last), library, budget).0, last));
        let program = match verdict {
            Verdict::Refuted(_) => found_in.get().unwrap_or(&proof.program),
            _ => &proof.program,
        };
        let schedule = match &verdict {
            Verdict::Refuted(refutation) => Some(turns(program, refutation)),
            _ => None,
        };
        // The programs for proofs have more runs, those for runs have fewer.
        let means = match verdict {
            Verdict::Proved(_) => Implication::Sound,
            _ => Implication::Complete,
        };
        let mut finding =
            self.finding(question, &Answered::of(verdict, program).meaning(means), library);
        finding.assumptions.extend(interleaving(&text));
        finding.assumptions.extend(races);
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
        text: &Threaded,
        question: &Question,
        library: &ShapeLibrary,
        budget: &Budget,
    ) -> Result<Option<Finding>, Reason> {
        let [proofs, _] = readings(Goal::Ends, self.options.int_model);
        let program = self.compiled(text, question, proofs.model)?;
        let named = &text.named;
        let Ok(parallel) = Parallel::of(program, &text.thread) else { return Ok(None) };
        let Some(found) = agreed(&parallel, named, library, budget) else { return Ok(None) };
        let loops = story::loops(&found.program, library, &found.certificate);
        let invariants = story::invariants(&found.program, library, &found.certificate);
        let agreement = Some(found.story);
        let evidence = Some(Evidence { loops, invariants, agreement, ..Evidence::default() });
        let mut finding = self.unknown(question, Vec::new());
        finding.assumptions.extend(interleaving(text));
        let mut again = self.compiled(text, question, proofs.model)?;
        let found = races(&mut again, &text.thread, Counting::Any).map_err(Reason::NotBuilt)?;
        finding.assumptions.extend(told_races(&found));
        finding.assumptions.push("the other threads do nothing undefined".to_owned());
        let reason = format!("`{named}` ends under every schedule");
        Ok(Some(Finding { answer: Answer::Proved, reason, evidence, ..finding }))
    }

    /// The text of the program that the thread is one of.
    fn threaded(
        &self,
        parsed: &Arc<Parsed>,
        question: &Question,
        named: &str,
    ) -> Result<Threaded, Reason> {
        let own = named.to_owned();
        if self.options.entry.is_none() {
            let (parsed, thread) = (Arc::clone(parsed), own.clone());
            return Ok(Threaded { parsed, callable: None, named: own, thread });
        }
        let all = callable(parsed)?;
        let parsed = Arc::new(rooted(parsed, &all, question)?);
        Ok(Threaded { parsed, callable: Some(all), named: own, thread: thread_of(named) })
    }

    /// The program with its threads, read in one way.
    fn compiled(
        &self,
        text: &Threaded,
        question: &Question,
        int_model: IntModel,
    ) -> Result<Program, Reason> {
        let options = Options { threads: Threads::Many, int_model, ..self.options.clone() };
        let compiled = c::compile_parsed(&text.parsed, &options)
            .map_err(|rejection| unreadable(question.name(), &rejection))?;
        match &text.callable {
            Some(all) => beside_all(compiled.program, &text.named, all).map_err(Reason::NotBuilt),
            None => Ok(compiled.program),
        }
    }

    /// The programs of all threads.
    fn products(&self, text: &Threaded, question: &Question) -> Result<Products, Reason> {
        let [proofs, runs] = readings(Goal::Ends, self.options.int_model);
        let compiled = |model: IntModel| self.compiled(text, question, model);
        let thread = &text.thread;
        let product = |model: IntModel, what: (Purpose, Grain, Counting)| {
            scheduled(compiled(model)?, thread, what).map_err(Reason::NotBuilt)
        };
        let (counted, in_runs) =
            countings(&mut compiled(proofs.model)?, thread).map_err(Reason::NotBuilt)?;
        let mut program = compiled(proofs.model)?;
        let first = counted.first().copied().unwrap_or(in_runs);
        let found = races(&mut program, thread, first).map_err(Reason::NotBuilt)?;
        let races = told_races(&found);
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
            Counting::Each => exactly_scheduled(compiled(runs.model)?, thread, in_runs)
                .map_err(Reason::NotBuilt)?,
            Counting::Few | Counting::Any => None,
        };
        Ok(Products { races, provable, by_chance, strict })
    }
}

/// What threads use without a common lock, the first ones in sentences.
fn told_races(found: &[Race]) -> Vec<String> {
    const MOST: usize = 3;
    let told = |race: &Race| {
        let what = match &race.name {
            Some(name) => format!("`{name}`"),
            None => "memory".to_owned(),
        };
        let (written, used) = (race.written.line, race.used.line);
        let used = match race.how {
            Use::Read => format!("at {written} and read at {used}"),
            Use::Write if written == used => format!("at {written} by several threads"),
            Use::Write => format!("at {written} and at {used}"),
        };
        format!("{what} is written {used} without a common lock")
    };
    let mut races: Vec<String> = found.iter().take(MOST).map(told).collect();
    if found.len() > MOST {
        races.push(format!("so are {} more", found.len() - MOST));
    }
    if let Some(last) = races.last_mut() {
        last.push_str(": taken as single reads and writes, sequentially consistent");
    }
    races
}

/// The functions that others can call.
fn callable(parsed: &Parsed) -> Result<Vec<String>, Reason> {
    let entries = c::entry_points(parsed, Entries::Callable);
    if entries.iter().any(|entry| entry.name != entry.function) {
        let what = "threads of functions some of which have one name in several files";
        return Err(Reason::NotBuilt(what.to_owned()));
    }
    Ok(entries.into_iter().map(|entry| entry.function).collect())
}

/// The program with these functions, even if it calls them nowhere.
fn rooted(parsed: &Parsed, roots: &[String], question: &Question) -> Result<Parsed, Reason> {
    let appendix = Appendix { roots: roots.to_vec(), ..Appendix::default() };
    c::with_appendix(parsed, appendix).map_err(|rejection| unreadable(question.name(), &rejection))
}

/// What is assumed of how threads move.
fn interleaving(text: &Threaded) -> Vec<String> {
    let by_others = text.callable.iter().map(|all| called_by_others(&text.named, all));
    std::iter::once(INTERLEAVING.to_owned()).chain(by_others).collect()
}

/// What is assumed of a program whose functions others call.
fn called_by_others(named: &str, callable: &[String]) -> String {
    const MOST: usize = 6;
    let mut shown: Vec<String> = callable.iter().take(MOST).map(|it| format!("`{it}`")).collect();
    if callable.len() > MOST {
        shown.push(format!("{} more", callable.len() - MOST));
    }
    format!(
        "any number of calls of {} run beside `{named}`, at any time, and nothing else changes \
         the program's variables",
        shown.join(", ")
    )
}

/// That no fair run of a program is endless.
fn ends(instrumented: &Instrumented) -> Obligation<'_> {
    Obligation::new(&instrumented.program, Goal::Ends).under(instrumented.fairness.clone())
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
