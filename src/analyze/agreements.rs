//! Whether a thread ends beside others that keep to an agreement (PLDI 2007, Fig. 4).
//!
//! ```text
//!   A := true
//!   while SeqComp(T1, A) is not shown to end
//!       for each conjunct that would do
//!           for each other thread that breaks it: weaken it by a lock that both hold, or
//!           leave it out
//!       A := A and what is left
//! ```

use base::budget::Budget;
use evidence::certificate::Certificate;
use heap::shape::ShapeLibrary;
use ir::{Program, Variable};
use obligation::{ErrorKind, Goal, Obligation};
use prove::prove_at_once;
use reduce::threads::agreement::{Agreement, Parallel, Promise, conjunction, strengthening};
use report::AgreementStory;
use std::collections::BTreeSet;
use verdict::Verdict;

/// The steps of each attempt at a proof.
const STEPS: u64 = 60_000;
/// More conjuncts than this are not tried.
const MOST_DRAFTS: usize = 12;
/// More variables than this are not told of that stay as they are under a lock.
const MOST_TOLD: usize = 4;

/// That a thread ends beside others.
pub(super) struct Agreed {
    /// The thread beside others that keep to the agreement.
    pub(super) program: Program,
    /// Why that ends.
    pub(super) certificate: Certificate,
    /// The agreement, and how it was found.
    pub(super) story: AgreementStory,
}

/// Looks for an agreement by which the thread ends and to which all others keep.
pub(super) fn agreed(
    parallel: &Parallel,
    named: &str,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Agreed> {
    let search = Search { parallel, named, library, budget };
    let mut agreement = Agreement::default();
    if let Some(found) = search.ends(&agreement) {
        return Some(search.told(&agreement, found, Vec::new()));
    }
    let in_isolation = search.certificate(&parallel.in_isolation(), Goal::Ends)?;
    let drafts = [
        (
            "the measure of the thread in isolation",
            strengthening::of_ranking(parallel, &in_isolation),
        ),
        ("the direction of what it reads", strengthening::of_directions(parallel)),
    ];
    let (mut tried, mut steps) = (BTreeSet::new(), Vec::new());
    for (why, drafts) in drafts {
        for draft in drafts.into_iter().take(MOST_DRAFTS) {
            if !tried.insert(draft.clone()) {
                continue;
            }
            if let Some((promise, weakened)) = search.respected(draft.clone()) {
                steps.push((promise.clone(), search.strengthened(&draft, why), weakened));
                agreement.promises.push(promise);
            }
        }
        if search.ends(&agreement).is_some() {
            return search.least(agreement, steps);
        }
    }
    None
}

/// A conjunct, why it came in, and how it was weakened.
type Step = (Promise, String, Vec<String>);

struct Search<'a> {
    parallel: &'a Parallel,
    named: &'a str,
    library: &'a ShapeLibrary,
    budget: &'a Budget,
}

impl Search<'_> {
    fn certificate(&self, program: &Program, goal: Goal) -> Option<Certificate> {
        let obligation = Obligation::new(program, goal);
        match prove_at_once(&obligation, self.library, (self.budget, STEPS)) {
            Verdict::Proved(certificate) => Some(*certificate),
            _ => None,
        }
    }

    /// Why the thread ends beside others that keep to the agreement.
    fn ends(&self, agreement: &Agreement) -> Option<(Program, Certificate)> {
        let program = self.parallel.seq_comp(agreement);
        let certificate = self.certificate(&program, Goal::Ends)?;
        Some((program, certificate))
    }

    /// Whether it is shown that a thread keeps a promise.
    fn keeps(&self, thread: usize, promise: &Promise) -> bool {
        let program = self.parallel.ag_chk(thread, promise);
        self.certificate(&program, Goal::avoids_all(&[ErrorKind::ErrorReached])).is_some()
    }

    /// The promise, weakened so that all other threads keep it (§6), and by which locks for
    /// whom.
    fn respected(&self, draft: Promise) -> Option<(Promise, Vec<String>)> {
        let (mut promise, mut weakened) = (draft, Vec::new());
        for thread in self.parallel.bound_by(&promise) {
            if self.keeps(thread, &promise) {
                continue;
            }
            let weaker = |lock: Variable| {
                let mut weaker = promise.clone();
                weaker.unless.insert(lock);
                weaker
            };
            let locks = self.parallel.locks_with(thread).into_iter();
            let locks = locks.filter(|lock| !promise.unless.contains(lock));
            let kept = locks.map(weaker).find(|it| self.keeps(thread, it))?;
            let lock = kept.unless.difference(&promise.unless).next().copied()?;
            let [lock, measure] = [lock, *promise.measure.keys().next()?]
                .map(|it| self.parallel.program().variable(it).name.clone());
            weakened.push(format!(
                "weakened by `{lock} != {}`: `{}` changes `{measure}` otherwise while it holds `{lock}`",
                self.named,
                self.parallel.name_of(thread),
            ));
            promise = kept;
        }
        Some((promise, weakened))
    }

    fn strengthened(&self, draft: &Promise, why: &str) -> String {
        let text = draft.display(self.parallel.program(), self.named);
        format!("strengthened by `{text}`: {why}")
    }

    /// What is left of an agreement without the conjuncts that are not needed.
    fn least(&self, agreement: Agreement, mut steps: Vec<Step>) -> Option<Agreed> {
        let mut agreement = agreement;
        for promise in agreement.promises.clone() {
            let mut fewer = agreement.clone();
            fewer.promises.retain(|it| *it != promise);
            if self.ends(&fewer).is_some() {
                agreement = fewer;
            }
        }
        steps.retain(|(promise, ..)| agreement.promises.contains(promise));
        let found = self.ends(&agreement)?;
        // Figure 3 once more, for the agreement as it is.
        let is_kept = |promise: &Promise| {
            let bound = self.parallel.bound_by(promise);
            bound.into_iter().all(|thread| self.keeps(thread, promise))
        };
        agreement.promises.iter().all(is_kept).then(|| self.told(&agreement, found, steps))
    }

    fn told(
        &self,
        agreement: &Agreement,
        (program, certificate): (Program, Certificate),
        steps: Vec<Step>,
    ) -> Agreed {
        let steps = steps
            .into_iter()
            .flat_map(|(_, strengthened, weakened)| std::iter::once(strengthened).chain(weakened));
        let mut conjuncts = agreement.display(self.parallel.program(), self.named);
        conjuncts.extend(self.parallel.kept_under_locks(self.named).into_iter().take(MOST_TOLD));
        let agreement = conjunction(&conjuncts);
        let story = AgreementStory { agreement, steps: steps.collect() };
        Agreed { program, certificate, story }
    }
}
