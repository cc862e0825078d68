//! Earlier answers that hold the place of those that are not known yet, moved to where their lines
//! are now: what is shown stays, and does not come and go with each check.

use super::answers::{Answers, Function};
use super::positions::Carried;
use report::{Finding, Location};
use std::collections::BTreeMap;

impl Answers {
    /// The same, and what was known before of functions whose answers are still to come. What
    /// speaks of lines that were changed is left out.
    pub(super) fn beside(mut self, before: &Self) -> Self {
        let moves = Moves::between(before, &self);
        let is_open = |old: &&Finding| {
            let is_same =
                |new: &Finding| (&new.entry, &new.property) == (&old.entry, &old.property);
            let exists = self.functions.iter().any(|function| function.name == old.entry);
            exists && !self.report.findings.iter().any(is_same)
        };
        let old = before.report.findings.iter().filter(is_open);
        let moved: Vec<Finding> = old.filter_map(|finding| moves.finding(finding)).collect();
        self.report.findings.extend(moved);
        let is_own = |finding: &Finding, it: &Function| it.name == finding.entry;
        let functions = &self.functions;
        let position = |finding: &Finding| functions.iter().position(|it| is_own(finding, it));
        self.report.findings.sort_by_key(position);
        for (name, text) in &before.texts {
            self.texts.entry(name.clone()).or_insert_with(|| text.clone());
        }
        self
    }
}

/// Where the lines of each file are now.
struct Moves<'a>(BTreeMap<&'a str, Carried>);

impl<'a> Moves<'a> {
    fn between(before: &'a Answers, after: &Answers) -> Self {
        let of_file = |(name, text): (&'a String, &String)| {
            let now = after.texts.get(name).unwrap_or(text);
            (name.as_str(), Carried::between(text, now))
        };
        Self(before.texts.iter().map(of_file).collect())
    }

    /// An answer with its places moved, if all of them are still there.
    fn finding(&self, old: &Finding) -> Option<Finding> {
        let mut finding = old.clone();
        let causes = finding.causes.iter_mut().filter_map(|cause| cause.location.as_mut());
        let evidence = finding.evidence.iter_mut();
        let places = evidence.flat_map(|it| {
            let runs = it.endless_run.iter_mut().map(|run| &mut run.path);
            let runs = runs.chain(it.failing_run.iter_mut().map(|run| &mut run.path));
            let of_runs = runs.flatten().map(|event| &mut event.location);
            it.loops.iter_mut().map(|story| &mut story.location).chain(of_runs)
        });
        for place in causes.chain(places) {
            self.place(place)?;
        }
        Some(finding)
    }

    /// Moves a place; nothing, if its line was changed.
    fn place(&self, place: &mut Location) -> Option<()> {
        if let (Some(line), Some(carried)) = (place.line, self.0.get(place.file.as_str())) {
            place.line = Some(carried.line(line.checked_sub(1)?)?.checked_add(1)?);
        }
        Some(())
    }
}
