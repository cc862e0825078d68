//! Agreements: what the other threads keep to, so that a thread ends beside them (Cook,
//! Podelski, Rybalchenko, *Proving thread termination*, PLDI 2007).
//!
//! ```text
//!   SeqComp(T1, A) ends      T_i keeps to A, for each other thread i
//!   ──────────────────────────────────────────────────────────────── FIGURE 3
//!                   T1 ends beside the others
//! ```
//!
//! * [`Parallel`]: a program whose threads see variables only of each other.
//! * `seq_comp`: the thread with what others may do in between (Definition 5).
//! * `ag_chk`: whether another thread keeps to a conjunct (Definition 6).
//! * [`strengthening`]: conjuncts that would do (§5).
//!
//! The paper's relations speak of the owners of locks. Here it is known at each stop of a
//! thread which locks it holds for certain, so a conjunct `lck ≠ 1 ∨ r(x') ≤ r(x)` is there a
//! promise where the lock is held, and nothing elsewhere.

mod ag_chk;
mod parallel;
mod seq_comp;
pub mod strengthening;
mod weaver;

use ir::{BinaryOp, Expr, Program, Variable};
pub use parallel::Parallel;
use std::collections::{BTreeMap, BTreeSet};

/// What the other threads keep to: all of these (Definition 2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The conjuncts.
    pub promises: Vec<Promise>,
}

/// A conjunct `lck ≠ 1 ∨ … ∨ r(x') ≤ r(x)`: if the thread holds all of these locks, a step of
/// another one does not let the measure grow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Promise {
    /// The measure r: a factor for each shared variable in it.
    pub measure: BTreeMap<Variable, i128>,
    /// The locks.
    pub unless: BTreeSet<Variable>,
}

impl Promise {
    /// The measure, with `value` in the place of each variable.
    fn of(&self, value: impl Fn(Variable) -> Expr) -> Expr {
        let term = |(variable, factor): (&Variable, &i128)| match factor {
            1 => value(*variable),
            factor => Expr::binary(BinaryOp::Multiply, Expr::Constant(*factor), value(*variable)),
        };
        let sum = |left, right| Expr::binary(BinaryOp::Add, left, right);
        self.measure.iter().map(term).reduce(sum).unwrap_or(Expr::Constant(0))
    }

    /// The measure of values `after` is at most that of values `before`.
    fn is_kept(&self, after: impl Fn(Variable) -> Expr, before: impl Fn(Variable) -> Expr) -> Expr {
        Expr::binary(BinaryOp::LessEqual, self.of(after), self.of(before))
    }

    /// The conjunct as the paper prints it; `thread` is the one that is to end.
    #[must_use]
    pub fn display(&self, program: &Program, thread: &str) -> String {
        let name = |it: &Variable| program.variable(*it).name.clone();
        let free = self.unless.iter().map(|lock| format!("{} != {thread}", name(lock)));
        let variance = match self.measure.iter().collect::<Vec<_>>()[..] {
            [(variable, 1)] => format!("{0}' <= {0}", name(variable)),
            [(variable, -1)] => format!("{0}' >= {0}", name(variable)),
            _ => format!("{} <= {}", self.sum(program, "'"), self.sum(program, "")),
        };
        free.chain([variance]).collect::<Vec<_>>().join(" || ")
    }

    /// The measure as a sum of the variables with this mark.
    fn sum(&self, program: &Program, mark: &str) -> String {
        let mut text = String::new();
        for (variable, factor) in &self.measure {
            let sign = match (text.is_empty(), *factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text.push_str(sign);
            if factor.unsigned_abs() != 1 {
                text.push_str(&format!("{}*", factor.unsigned_abs()));
            }
            text.push_str(&program.variable(*variable).name);
            text.push_str(mark);
        }
        text
    }
}

impl Agreement {
    /// The conjuncts as the paper prints them; `thread` is the one that is to end.
    #[must_use]
    pub fn display(&self, program: &Program, thread: &str) -> Vec<String> {
        self.promises.iter().map(|it| it.display(program, thread)).collect()
    }
}

/// Conjuncts as one formula.
#[must_use]
pub fn conjunction(conjuncts: &[String]) -> String {
    match conjuncts {
        [] => "true".to_owned(),
        [only] => only.clone(),
        several => {
            let several: Vec<String> = several.iter().map(|it| format!("({it})")).collect();
            several.join(" && ")
        }
    }
}
