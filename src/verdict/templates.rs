//! What templates say of nodes, as the check reads them.

use heap::Template;
use heap::shape::{Kin, PatternAtom, PatternTerm, Rule};
use heap::template::{Ending, Extent};

/// Whether a rule that makes a node of a cell has what every node owns.
pub(super) fn owns_all(template: &Template, rule: &Rule) -> bool {
    let has_cell = rule.left.iter().any(|part| matches!(part, PatternAtom::Cell(..)));
    let owns = |position: usize| {
        rule.left.iter().any(
            |part| matches!(part, PatternAtom::Instance(part) if part.kin == Kin::Inner(position)),
        )
    };
    !has_cell || template.always.iter().all(|position| owns(*position))
}

/// Whether all nodes of one template, with all that they own, are nodes of another. How many
/// nodes an instance has is said of those that they own only.
pub(super) fn is_within(own: &Template, other: &Template) -> bool {
    let is_owned_within = |(own, other): (&Template, &Template)| {
        (other.extent == Extent::Any || own.extent == Extent::One) && is_within(own, other)
    };
    own.is_nothing()
        || ((own.size, own.root, &own.links, own.region)
            == (other.size, other.root, &other.links, other.region)
            && other.selves.iter().all(|it| own.selves.contains(it))
            && (other.ending == Ending::Any || own.ending == Ending::Zero)
            && other.always.iter().all(|it| own.always.contains(it))
            && own.flags == other.flags
            && own.inner.len() == other.inner.len()
            && own.inner.iter().zip(&other.inner).all(is_owned_within))
}

/// Whether a rule is true of nodes whose links say of themselves whether they lead on: null as an
/// argument is not such a link that does not.
pub(super) fn is_of_flagged(rule: &Rule, template: &Template) -> bool {
    let parts = rule.left.iter().filter_map(|part| match part {
        PatternAtom::Cell(..) => None,
        PatternAtom::Instance(part) => Some(&part.arguments),
    });
    let mut terms = parts.flatten().chain(&rule.head);
    template.flags.is_empty() || terms.all(|term| *term != PatternTerm::Null)
}
