//! What the files of a program declare, lowered once for all functions that it is entered at.

use super::Lowering;
use super::open::starts_elsewhere;
use crate::parsed::Files;
use crate::{Options, SyntaxError, on_a_large_stack};
use std::collections::BTreeSet;
use std::mem::ManuallyDrop;
use std::sync::{Mutex, PoisonError};

/// More names than this are not kept: each has about a hundred bytes.
const MOST_NAMES: usize = 2_000_000;

/// The declarations of a program, for each way to read them that somebody asked for.
#[derive(Default)]
pub(crate) struct Declarations<'a>(Mutex<Vec<Declared<'a>>>);

/// The state of the front end behind the last declaration, and the errors that it met.
#[derive(Clone)]
struct Declared<'a> {
    lowering: Lowering<'a>,
    errors: Vec<SyntaxError>,
}

impl<'a> Declarations<'a> {
    /// The front end before it lowers a function, and the errors that it has met in the files.
    pub(super) fn of(
        &self,
        files: &'a Files,
        options: &Options,
    ) -> (Lowering<'a>, Vec<SyntaxError>) {
        // The declarations of another function are the same; whoever failed has added none.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |it: &&Declared<'_>| reads_alike(&it.lowering.options, options);
        let found = match known.iter().find(is_same) {
            Some(found) => found.clone(),
            None => {
                let new = declared(files, options);
                let n_known: usize = known.iter().map(Declared::n_names).sum();
                if n_known + new.n_names() <= MOST_NAMES {
                    known.push(new.clone());
                }
                new
            }
        };
        let Declared { mut lowering, errors } = found;
        lowering.options.entry.clone_from(&options.entry);
        (lowering, errors)
    }
}

impl Drop for Declarations<'_> {
    /// Types may lie in one another as deep as trees do, so the way down takes a large stack.
    fn drop(&mut self) {
        let known = std::mem::take(self.0.get_mut().unwrap_or_else(PoisonError::into_inner));
        if !known.is_empty() {
            // Where the system gives no thread, it is left as it is: that costs memory, and the way
            // down might cost the process.
            let known = ManuallyDrop::new(known);
            let _ = on_a_large_stack(|| drop(ManuallyDrop::into_inner(known)));
        }
    }
}

impl Declared<'_> {
    fn n_names(&self) -> usize {
        self.lowering.scopes.n_names()
    }
}

/// Whether declarations mean the same under two sets of options: which function is entered is
/// no matter, as long as both times it is `main`, or both times another one.
fn reads_alike(one: &Options, other: &Options) -> bool {
    let without_entry = |it: &Options| Options { entry: None, ..it.clone() };
    starts_elsewhere(one) == starts_elsewhere(other) && without_entry(one) == without_entry(other)
}

/// Declares what the files declare.
fn declared<'a>(files: &'a Files, options: &Options) -> Declared<'a> {
    let mut apart = BTreeSet::new();
    // Each round keeps the structures of one more tag apart, so the rounds come to an end.
    loop {
        let mut lowering = Lowering::of(files, options, apart);
        let errors = lowering.files(&files.unit);
        match lowering.shared.to_keep_apart() {
            Some(more) => apart = more,
            None => {
                lowering.body.forget_asides();
                lowering.declared.functions.settle();
                lowering.declared.globals.settle();
                lowering.types.records.settle();
                return Declared { lowering, errors };
            }
        }
    }
}

#[cfg(test)]
#[path = "declarations_tests.rs"]
mod tests;
