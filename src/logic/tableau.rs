//! The simplex dictionary: exact, row by row with a common denominator.
//!
//! Each inequality `e <= 0` has a slack `s = -e >= 0`. The dictionary writes the
//! basic variables in terms of the others:
//!
//! ```text
//!   den_r * basic_r = constant_r + sum_c entry_rc * nonbasic_c
//! ```
//!
//! Variables of the problem have no sign; they are made basic first and then
//! never leave. All entries are integers; a row is divided by its common divisor
//! when it grows. The entries are `i128` words and, when those overflow,
//! unbounded integers: see [`Scalar`].

use std::cmp::Ordering;

use super::Var;
use super::linear::LinearExpr;
use super::number::{Integer, Rational};
use super::scalar::Scalar;
use base::effort;

/// Why the dictionary could not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// A word overflowed.
    Overflow,
    /// The limit of pivots, or of work, was reached.
    Pivots,
}

/// Whether slacks can all be non-negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Feasibility {
    /// They can, over the rationals.
    Feasible,
    /// They cannot: these positive multiples of the inequalities (by position)
    /// add up to a positive constant.
    Infeasible(Vec<(usize, Integer)>),
}

/// The greatest value of an objective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Greatest {
    /// It is attained.
    Bounded(Rational),
    /// There is none.
    Unbounded,
}

/// A basic or nonbasic variable of the dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    /// The slack of the inequality at this position.
    Slack(usize),
    /// The variable of the problem at this position.
    Free(usize),
}

/// The dictionary. Column 0 of each row is its constant.
#[derive(Clone, Debug)]
pub(super) struct Tableau<T> {
    width: usize,
    entries: Vec<T>,
    denominators: Vec<T>,
    basic: Vec<Label>,
    nonbasic: Vec<Label>,
    pivots_left: u32,
    /// Operations on entries, by their price.
    work_left: u64,
}

/// More work than this is not put into one query: some hundredths of a second. The longest that
/// found a measure took two thirds of it.
const MOST_WORK: u64 = 25_000_000;

/// More pivots than a useful query takes on a dictionary with so many entries;
/// after them the answer is "don't know".
fn pivot_limit(n_entries: usize) -> u32 {
    let affordable = 200_000_000 / n_entries.max(1);
    u32::try_from(affordable).unwrap_or(u32::MAX).clamp(100, 3_000)
}

/// After this many pivots only Bland's rule is used, which cannot cycle.
const GREEDY_PIVOTS: u32 = 30;

impl<T: Scalar> Tableau<T> {
    /// The dictionary of the inequalities `exprs <= 0` over `variables`, which
    /// contains all variables of the expressions in increasing order.
    pub(super) fn new(exprs: &[&LinearExpr], variables: &[Var]) -> Result<Self, Stopped> {
        let width = variables.len() + 1;
        let mut entries = vec![T::ZERO; exprs.len() * width];
        for (expr, row) in exprs.iter().zip(entries.chunks_exact_mut(width)) {
            fill_row(row, expr, variables)?;
            row.iter_mut().for_each(|entry| *entry = entry.negated());
        }
        Ok(Self {
            width,
            entries,
            denominators: vec![T::ONE; exprs.len()],
            basic: (0..exprs.len()).map(Label::Slack).collect(),
            nonbasic: (0..variables.len()).map(Label::Free).collect(),
            pivots_left: pivot_limit(exprs.len() * width),
            work_left: MOST_WORK,
        })
    }

    fn row(&self, row: usize) -> &[T] {
        &self.entries[row * self.width..(row + 1) * self.width]
    }

    fn entry(&self, row: usize, column: usize) -> &T {
        &self.entries[row * self.width + column]
    }

    fn n_rows(&self) -> usize {
        self.basic.len()
    }

    /// The label of the nonbasic variable in `column`, which is at least 1.
    fn label(&self, column: usize) -> Label {
        self.nonbasic[column - 1]
    }

    /// Removes a row by moving the last one to its place.
    fn remove_row(&mut self, row: usize) {
        let last = self.n_rows() - 1;
        if row != last {
            for column in 0..self.width {
                self.entries.swap(row * self.width + column, last * self.width + column);
            }
        }
        self.entries.truncate(last * self.width);
        self.denominators.swap_remove(row);
        self.basic.swap_remove(row);
    }

    /// Exchanges the basic variable of `row` with the nonbasic one of `column`,
    /// whose entry is not 0.
    fn pivot(&mut self, row: usize, column: usize) -> Result<(), Stopped> {
        self.pivots_left = self.pivots_left.checked_sub(1).ok_or(Stopped::Pivots)?;
        let width = self.width;
        let solved = self.solved_row(row, column);
        let denominator = self.denominators[row].clone();
        for other in 0..self.n_rows() {
            let target = &mut self.entries[other * width..(other + 1) * width];
            if other == row || target[column].sign() == 0 {
                continue;
            }
            let scale =
                add_multiple(target, &solved, column, &denominator).ok_or(Stopped::Overflow)?;
            let own = &mut self.denominators[other];
            *own = own.times(&scale).ok_or(Stopped::Overflow)?;
            shorten(target, own);
            let work = own.price().saturating_mul(width as u64);
            effort::note(work);
            self.work_left = self.work_left.checked_sub(work).ok_or(Stopped::Pivots)?;
        }
        self.entries[row * width..(row + 1) * width].clone_from_slice(&solved);
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column - 1]);
        Ok(())
    }

    /// Turns `row` into the equation of the variable in `column`; its
    /// denominator becomes positive.
    fn solved_row(&mut self, row: usize, column: usize) -> Vec<T> {
        let mut solved = self.row(row).to_vec();
        let pivot = std::mem::replace(&mut solved[column], self.denominators[row].negated());
        if pivot.sign() > 0 {
            solved.iter_mut().for_each(|entry| *entry = entry.negated());
            self.denominators[row] = pivot;
        } else {
            self.denominators[row] = pivot.negated();
        }
        let denominator = &mut self.denominators[row];
        shorten(&mut solved, denominator);
        solved
    }

    /// Drops the rows that a free variable satisfies on its own because it
    /// occurs in all its rows with the same sign.
    fn drop_one_sided(&mut self) {
        let mut column = 1;
        while column < self.width {
            let signs = || (0..self.n_rows()).map(|row| self.entry(row, column).sign());
            let (above, below) = (signs().any(|s| s > 0), signs().any(|s| s < 0));
            if above == below {
                column += 1;
                continue;
            }
            for row in (0..self.n_rows()).rev() {
                if self.entry(row, column).sign() != 0 {
                    self.remove_row(row);
                }
            }
            column = 1;
        }
    }

    /// Makes the free variables basic where an inequality mentions them.
    /// `on_basic` says what happens to the row of such a variable.
    fn eliminate_free(&mut self, on_basic: OnFree) -> Result<(), Stopped> {
        for column in 1..self.width {
            let candidates = (0..self.n_rows()).filter(|row| {
                matches!(self.basic[*row], Label::Slack(_)) && self.entry(*row, column).sign() != 0
            });
            let weight = |row: &usize| {
                let entries = self.row(*row)[1..].iter().filter(|entry| entry.sign() != 0);
                (entries.count(), *row)
            };
            if let Some(row) = candidates.min_by_key(weight) {
                self.pivot(row, column)?;
                match on_basic {
                    OnFree::Drop => self.remove_row(row),
                    OnFree::Keep => {}
                }
            }
        }
        Ok(())
    }

    /// Decides whether all slacks can be non-negative. Free variables that are
    /// still nonbasic have entry 0 in the rows of slacks.
    ///
    /// Bland's rule on the dual side, as in Dutertre and de Moura (CAV 2006,
    /// §3.2): a negative basic slack leaves for the first nonbasic slack that
    /// can raise it; where there is none, the row is the Farkas combination.
    fn make_feasible(&mut self) -> Result<Feasibility, Stopped> {
        let greedy_until = self.pivots_left.saturating_sub(GREEDY_PIVOTS);
        loop {
            let violated = (0..self.n_rows()).filter(|row| {
                matches!(self.basic[*row], Label::Slack(_)) && self.entry(*row, 0).sign() < 0
            });
            let by_label = |row: &usize| self.basic[*row];
            let leaving = if self.pivots_left > greedy_until {
                violated.min_by_key(|row| (self.n_raising(*row), self.basic[*row]))
            } else {
                violated.min_by_key(by_label)
            };
            let Some(row) = leaving else {
                return Ok(Feasibility::Feasible);
            };
            let entering = (1..self.width)
                .filter(|column| self.entry(row, *column).sign() > 0)
                .min_by_key(|column| self.label(*column));
            match entering {
                Some(column) => self.pivot(row, column)?,
                None => return Ok(Feasibility::Infeasible(self.conflict(row))),
            }
        }
    }

    /// How many nonbasic variables could raise the basic one of `row`.
    fn n_raising(&self, row: usize) -> usize {
        self.row(row)[1..].iter().filter(|entry| entry.sign() > 0).count()
    }

    /// `den * s = constant + sum entry * s_c` with a negative constant and no
    /// positive entry refutes the inequalities of these slacks.
    fn conflict(&self, row: usize) -> Vec<(usize, Integer)> {
        let own = (self.basic[row], self.denominators[row].to_integer());
        let others = (1..self.width).map(|c| (self.label(c), -self.entry(row, c).to_integer()));
        let mut multipliers: Vec<(usize, Integer)> = std::iter::once(own)
            .chain(others)
            .filter_map(|(label, multiplier)| match label {
                Label::Slack(position) if !multiplier.is_zero() => Some((position, multiplier)),
                _ => None,
            })
            .collect();
        multipliers.sort_by_key(|(position, _)| *position);
        multipliers
    }

    /// Decides the inequalities once; the dictionary is of no use afterwards.
    pub(super) fn decide(mut self) -> Result<Feasibility, Stopped> {
        self.drop_one_sided();
        self.eliminate_free(OnFree::Drop)?;
        self.make_feasible()
    }

    /// Prepares for [`Tableau::maximize`].
    pub(super) fn prepare(&mut self) -> Result<Feasibility, Stopped> {
        self.eliminate_free(OnFree::Keep)?;
        self.make_feasible()
    }

    /// The greatest value of `objective` from a feasible dictionary. Primal
    /// simplex with Bland's rule, which cannot cycle (Bland 1977).
    pub(super) fn maximize(
        &mut self,
        objective: &LinearExpr,
        variables: &[Var],
    ) -> Result<Greatest, Stopped> {
        self.pivots_left = pivot_limit(self.entries.len());
        self.work_left = MOST_WORK;
        self.push_objective(objective, variables)?;
        let result = self.climb();
        let row = self.n_rows() - 1;
        let top =
            Rational::new(self.entry(row, 0).to_integer(), self.denominators[row].to_integer());
        self.remove_row(row);
        match (result?, top) {
            (Climb::Top, Some(value)) => Ok(Greatest::Bounded(value)),
            _ => Ok(Greatest::Unbounded),
        }
    }

    /// Appends the objective, in terms of the nonbasic variables, as last row.
    fn push_objective(&mut self, objective: &LinearExpr, variables: &[Var]) -> Result<(), Stopped> {
        let width = self.width;
        let mut by_variable = vec![T::ZERO; width];
        fill_row(&mut by_variable, objective, variables)?;
        let mut row = vec![T::ZERO; width];
        row[0] = by_variable[0].clone();
        for (entry, label) in row[1..].iter_mut().zip(&self.nonbasic) {
            if let Label::Free(position) = label {
                *entry = by_variable[position + 1].clone();
            }
        }
        let mut denominator = T::ONE;
        for basic in 0..self.n_rows() {
            let Label::Free(position) = self.basic[basic] else {
                continue;
            };
            let coefficient = &by_variable[position + 1];
            if coefficient.sign() == 0 {
                continue;
            }
            add_definition(
                &mut row,
                &mut denominator,
                coefficient,
                (self.row(basic), &self.denominators[basic]),
            )
            .ok_or(Stopped::Overflow)?;
        }
        self.entries.extend(row);
        self.denominators.push(denominator);
        self.basic.push(Label::Free(usize::MAX));
        Ok(())
    }

    /// Raises the last row as far as it goes.
    fn climb(&mut self) -> Result<Climb, Stopped> {
        let objective = self.n_rows() - 1;
        loop {
            let rising = |column: &usize| match self.label(*column) {
                Label::Slack(_) => self.entry(objective, *column).sign() > 0,
                Label::Free(_) => self.entry(objective, *column).sign() != 0,
            };
            let entering = (1..self.width).filter(rising).min_by_key(|c| self.label(*c));
            let Some(column) = entering else {
                return Ok(Climb::Top);
            };
            match self.tightest(column)? {
                Some(row) => self.pivot(row, column)?,
                None => return Ok(Climb::Endless),
            }
        }
    }

    /// The slack that first becomes 0 when the variable of `column` grows.
    fn tightest(&self, column: usize) -> Result<Option<usize>, Stopped> {
        let mut best: Option<usize> = None;
        for row in 0..self.n_rows() {
            let falling = self.entry(row, column).sign() < 0;
            if !falling || matches!(self.basic[row], Label::Free(_)) {
                continue;
            }
            let closer = match best {
                None => true,
                Some(other) => match self.compare_ratios(row, other, column)? {
                    Ordering::Less => true,
                    Ordering::Equal => self.basic[row] < self.basic[other],
                    Ordering::Greater => false,
                },
            };
            if closer {
                best = Some(row);
            }
        }
        Ok(best)
    }

    /// Compares `constant / -entry` of two rows whose entries are negative.
    fn compare_ratios(
        &self,
        left: usize,
        right: usize,
        column: usize,
    ) -> Result<Ordering, Stopped> {
        let cross = |constant: usize, entry: usize| {
            self.entry(constant, 0).times(&self.entry(entry, column).negated())
        };
        let (left, right) = (cross(left, right), cross(right, left));
        match (left, right) {
            (Some(left), Some(right)) => {
                let difference = left.combined(&T::ONE, &T::ONE.negated(), &right);
                Ok(difference.ok_or(Stopped::Overflow)?.sign().cmp(&0))
            }
            _ => Err(Stopped::Overflow),
        }
    }

    /// The variables that are not 0 at the current vertex, with their values.
    pub(super) fn vertex<'a>(
        &'a self,
        variables: &'a [Var],
    ) -> impl Iterator<Item = (Var, Rational)> + 'a {
        self.basic.iter().enumerate().filter_map(|(row, label)| match label {
            Label::Free(position) => {
                let variable = *variables.get(*position)?;
                let constant = self.entry(row, 0).to_integer();
                Rational::new(constant, self.denominators[row].to_integer())
                    .map(|value| (variable, value))
            }
            Label::Slack(_) => None,
        })
    }

    /// Whether the slack of the inequality at `position` is positive at the
    /// current vertex, so that the inequality is surely not an equality.
    pub(super) fn is_slack(&self, position: usize) -> bool {
        let row = self.basic.iter().position(|label| *label == Label::Slack(position));
        row.is_some_and(|row| self.entry(row, 0).sign() > 0)
    }
}

/// What happens to the equation of a free variable.
#[derive(Clone, Copy)]
enum OnFree {
    /// It has done its work: nothing bounds a free variable.
    Drop,
    /// Objectives will need it.
    Keep,
}

/// How an ascent ended.
enum Climb {
    Top,
    Endless,
}

/// Writes `expr` over `variables`, the constant first.
fn fill_row<T: Scalar>(row: &mut [T], expr: &LinearExpr, variables: &[Var]) -> Result<(), Stopped> {
    row[0] = T::from_integer(expr.constant_part()).ok_or(Stopped::Overflow)?;
    for (variable, coefficient) in expr.terms() {
        if let Ok(position) = variables.binary_search(variable) {
            row[position + 1] = T::from_integer(coefficient).ok_or(Stopped::Overflow)?;
        }
    }
    Ok(())
}

/// Replaces the variable of `column` in `target` by its equation
/// `denominator * variable = solved`; the result is `target` times the scale
/// that is returned.
fn add_multiple<T: Scalar>(
    target: &mut [T],
    solved: &[T],
    column: usize,
    denominator: &T,
) -> Option<T> {
    let entry = std::mem::replace(&mut target[column], T::ZERO);
    let divisor = entry.common_divisor(denominator);
    let (scale, factor) = if divisor == T::ONE {
        (denominator.clone(), entry)
    } else {
        (denominator.divided(&divisor), entry.divided(&divisor))
    };
    if scale == T::ONE {
        for (own, other) in target.iter_mut().zip(solved) {
            if other.sign() != 0 {
                *own = own.combined(&T::ONE, &factor, other)?;
            }
        }
    } else {
        for (own, other) in target.iter_mut().zip(solved) {
            *own = own.combined(&scale, &factor, other)?;
        }
    }
    Some(scale)
}

/// Adds `coefficient * variable` to `row / denominator`, where `definition` is
/// the equation of the variable with its own denominator.
fn add_definition<T: Scalar>(
    row: &mut [T],
    denominator: &mut T,
    coefficient: &T,
    definition: (&[T], &T),
) -> Option<()> {
    let factor = coefficient.times(denominator)?;
    for (own, other) in row.iter_mut().zip(definition.0) {
        *own = own.combined(definition.1, &factor, other)?;
    }
    *denominator = denominator.times(definition.1)?;
    shorten(row, denominator);
    Some(())
}

/// Divides a row and its denominator by their common divisor once one of them
/// is large.
fn shorten<T: Scalar>(row: &mut [T], denominator: &mut T) {
    if !denominator.is_large() && !row.iter().any(Scalar::is_large) {
        return;
    }
    let mut divisor = denominator.clone();
    for entry in row.iter() {
        if divisor == T::ONE {
            return;
        }
        divisor = divisor.common_divisor(entry);
    }
    if divisor == T::ONE {
        return;
    }
    *denominator = denominator.divided(&divisor);
    row.iter_mut().for_each(|entry| *entry = entry.divided(&divisor));
}
