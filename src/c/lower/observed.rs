//! Orders of evaluation that formulas and specifications see.
//!
//! ```text
//!   both operands change what is observed      one does, and the other may not come back
//!   ─────────────────────────────────────────────────────────────────────────────────── OBSERVED
//!   all their orders are lowered
//! ```
//!
//! In branching time it matters, too, whether an input is chosen before a change or after it.

use super::Lowering;
use super::effects::{Access, Cell, Touched, conflict, conflict_beside_memory, end_apart};
use super::order::Name;
use crate::hooks::Moment;

impl Lowering<'_> {
    /// Whether the order of two parts can make a difference.
    pub(super) fn differ(&self, first: &Touched, second: &Touched) -> bool {
        conflict(first, second)
            || self.are_told_apart(first, second)
            || self.minds_others() && end_apart(first, second)
    }

    /// Whether the order of two parts makes a difference to more than what memory holds.
    pub(super) fn differ_beside_memory(&self, first: &Touched, second: &Touched) -> bool {
        conflict_beside_memory(first, second) || self.are_told_apart(first, second)
    }

    /// Whether somebody who observes the run may see in which order two parts are evaluated.
    fn are_told_apart(&self, first: &Touched, second: &Touched) -> bool {
        let observed = self.observed();
        if observed.is_empty() {
            return false;
        }
        let is_seen = |part: &Touched| {
            part.writes().any(|cell| observed.reads.iter().any(|it| it.may_be(cell)))
        };
        let leaves_open = |part: &Touched| part.may_not_come_back() || part.calls.has_input;
        let (sees_first, sees_second) = (is_seen(first), is_seen(second));
        sees_first && (sees_second || leaves_open(second)) || sees_second && leaves_open(first)
    }

    /// What formulas and specifications read.
    fn observed(&self) -> &Access {
        self.orders.observed.get_or_init(|| {
            let mut observed = Access::default();
            for root in self.source.roots() {
                let Some(index) = self.hook_named(root) else { continue };
                let name: Name =
                    (self.declared.functions[index].unit, self.declared.functions[index].name);
                let touched = self.touched_by_call(name);
                observed.reads.extend(&touched.own.reads);
                observed.reads.extend(&touched.far.reads);
            }
            if self.source.has_hooks() {
                observed.reads.insert(Cell::Watched);
            }
            observed
        })
    }

    /// Adds what hooks do where a function is called.
    pub(super) fn add_hooks(&self, function: &str, touched: &mut Touched) {
        for moment in [Moment::Entry, Moment::Exit] {
            for hook in self.source.hooks(function, moment) {
                touched.calls.named.extend(self.source.find(hook));
                touched.own.reads.insert(Cell::Watched);
                touched.own.writes.insert(Cell::Watched);
            }
        }
    }
}
