//! Bounds of numbers in nodes that nobody names: what elements of rows own has no variables of
//! the state, so all that is kept of its numbers are constants.

use super::values::Field;
use ir::ScalarType;
use logic::{Constraint, Integer, Var};
use smallvec::SmallVec;

/// The least values that are looked for, the strongest first. They are few, so that a bound
/// that does not hold for long is soon given up.
const LEAST: [i128; 2] = [1, 0];
/// The greatest values that are looked for, the strongest first.
const GREATEST: [i128; 2] = [-1, 0];

/// What a number in every node is at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bounds {
    /// Bytes from the node's start.
    pub offset: i64,
    /// As what the number was written.
    pub ty: ScalarType,
    /// It is no less.
    pub least: Option<i128>,
    /// It is no more.
    pub greatest: Option<i128>,
}

/// Bounds of fields of a node, by rising offset.
pub type FieldBounds = SmallVec<[Bounds; 1]>;

impl Bounds {
    /// The strongest of the bounds that are looked for that hold of a field, if one does. Then
    /// the limits of its type are bounds as well, where they hold: a number above zero may be
    /// made one less.
    #[must_use]
    pub fn of(field: &Field, holds: &dyn Fn(&Constraint) -> bool) -> Option<Self> {
        let ScalarType::Int(kind) = field.ty else { return None };
        let is_least = |it: &i128| holds(&at_least(field.value, *it));
        let is_greatest = |it: &i128| holds(&at_most(field.value, *it));
        let least = LEAST.into_iter().find(is_least);
        let greatest = GREATEST.into_iter().find(is_greatest);
        let is_bounded = least.is_some() || greatest.is_some();
        is_bounded.then(|| Self {
            offset: field.offset,
            ty: field.ty,
            least: least.or_else(|| Some(kind.min()).filter(is_least)),
            greatest: greatest.or_else(|| Some(kind.max()).filter(is_greatest)),
        })
    }

    /// What the bounds say of the field, if that is a variable.
    pub fn constraints(&self, value: Var) -> impl Iterator<Item = Constraint> + use<> {
        let least = self.least.map(|it| at_least(value, it));
        let greatest = self.greatest.map(|it| at_most(value, it));
        least.into_iter().chain(greatest)
    }

    /// Whether a number is within the bounds.
    #[must_use]
    pub fn admit(&self, number: i128) -> bool {
        self.least.is_none_or(|it| it <= number) && self.greatest.is_none_or(|it| number <= it)
    }

    fn is_of_same_field(&self, other: &Self) -> bool {
        (self.offset, self.ty) == (other.offset, other.ty)
    }

    fn imply(&self, other: &Self) -> bool {
        self.is_of_same_field(other)
            && other.least.is_none_or(|it| self.least.is_some_and(|own| own >= it))
            && other.greatest.is_none_or(|it| self.greatest.is_some_and(|own| own <= it))
    }
}

fn at_least(value: Var, number: i128) -> Constraint {
    Constraint::ge(value, Integer::from(number))
}

fn at_most(value: Var, number: i128) -> Constraint {
    Constraint::le(value, Integer::from(number))
}

/// Whether fields that are within some bounds are within others.
#[must_use]
pub fn imply(known: &[Bounds], wanted: &[Bounds]) -> bool {
    wanted.iter().all(|it| known.iter().any(|own| own.imply(it)))
}

/// The bounds of fields that are within the ones or the others.
#[must_use]
pub fn join(left: &[Bounds], right: &[Bounds]) -> FieldBounds {
    let joined = |own: &Bounds| {
        let other = right.iter().find(|it| it.is_of_same_field(own))?;
        let least = own.least.zip(other.least).map(|(own, other)| own.min(other));
        let greatest = own.greatest.zip(other.greatest).map(|(own, other)| own.max(other));
        let is_bounded = least.is_some() || greatest.is_some();
        is_bounded.then_some(Bounds { least, greatest, ..*own })
    };
    left.iter().filter_map(joined).collect()
}
