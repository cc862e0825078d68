//! How the links of a type may be laid into a shape, by their names.

use heap::shape::{Case, PatternTerm, ShapeDef, ShapeId};
use ir::senses::Sense;
use smallvec::SmallVec;

/// Whether a parameter of a shape is what all nodes hold.
pub(super) fn is_shared(shape: &ShapeDef, parameter: usize) -> bool {
    let Some(case) = shape.unfoldings.first().and_then(|it| it.cases.first()) else { return false };
    let wanted = Some(PatternTerm::Variable(parameter));
    shape.shared.iter().any(|label| case.links.get(*label).copied().flatten() == wanted)
}

/// How well links that were chosen for a shape go with their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// They do.
    Well,
    /// Of the two links of a list exactly one goes back, if any link of the type does, and none of
    /// a tree does. But a link to a part is one along a list, or what all nodes hold.
    Badly,
    /// They do not.
    Not,
}

/// How well links go with their names. What all nodes hold is no link of a list or a tree; a link
/// to the owner is where the shape has one.
pub(super) fn fit(shape: &ShapeDef, chosen: &[i64], fields: &[(i64, Sense)]) -> Fit {
    let sense_of = |label: usize| {
        let offset = chosen.get(label)?;
        fields.iter().find(|(own, _)| own == offset).map(|(_, sense)| *sense)
    };
    let has = |sense: Sense| fields.iter().any(|(_, own)| *own == sense);
    let (shared, own): (Vec<usize>, Vec<usize>) =
        (0..shape.labels.len()).partition(|label| shape.shared.contains(label));
    let all: Vec<usize> = (0..shape.labels.len()).collect();
    let count =
        |of: &[usize], sense: Sense| of.iter().filter(|it| sense_of(**it) == Some(sense)).count();
    if shape.labels.len() < 2 {
        return Fit::Well;
    }
    let is_list = shape.anchors().count() > 1;
    let one_if_any = |of: &[usize], sense: Sense| !has(sense) || count(of, sense) == 1;
    let one_way = |of: &[usize]| {
        count(of, Sense::Up) == 0 && one_if_any(of, Sense::Back) && one_if_any(of, Sense::Ahead)
    };
    let is_part = |sense| matches!(sense, Some(Sense::Down | Sense::Ahead | Sense::Back));
    let is_as_named = |label: &usize| {
        let is_up = own.len() > 2 && has(Sense::Up) && leads_up(shape, *label);
        (sense_of(*label) == Some(Sense::Up)) == is_up
    };
    let fits_well = !shared.iter().any(|label| is_part(sense_of(*label)))
        && match is_list {
            true => one_way(&own) && count(&own, Sense::Down) == 0,
            false => count(&own, Sense::Back) == 0 && own.iter().all(is_as_named),
        };
    let n_up = usize::from(shape.labels.len() > 2 && has(Sense::Up));
    let fits_badly = match is_list {
        true => one_way(&all),
        false => count(&all, Sense::Back) == 0 && count(&all, Sense::Up) == n_up,
    };
    match (fits_well, fits_badly) {
        (true, _) => Fit::Well,
        (false, true) => Fit::Badly,
        (false, false) => Fit::Not,
    }
}

/// Whether a link holds in each case what the parameters say: it leads to what is there without
/// the instance.
fn leads_up(shape: &ShapeDef, label: usize) -> bool {
    let n_parameters = shape.parameters.len();
    let of_parameters = |case: &Case| {
        let term = case.links.get(label).copied().flatten();
        matches!(term, Some(PatternTerm::Variable(number)) if number < n_parameters)
    };
    shape.unfoldings.first().is_some_and(|unfolding| unfolding.cases.iter().all(of_parameters))
}

/// Whether two links of a shape may change places: an instance by the one order is one by the
/// other.
pub(super) fn are_alike(shape: &ShapeDef, one: usize, other: usize) -> bool {
    let Some(unfolding) = shape.unfoldings.first() else { return false };
    let n_parameters = shape.parameters.len();
    let cases = &unfolding.cases;
    let forms: Vec<_> = cases.iter().map(|case| form_of(&case.links, case, n_parameters)).collect();
    let stays = |case: &Case| {
        let mut links = case.links.clone();
        links.swap(one, other);
        case.equalities.is_empty() && forms.contains(&form_of(&links, case, n_parameters))
    };
    cases.iter().all(stays)
}

/// What links hold, and the instances.
type Form = (Vec<Option<PatternTerm>>, Vec<(ShapeId, Vec<PatternTerm>)>);

/// A case with its own variables numbered by where links hold them.
fn form_of(links: &[Option<PatternTerm>], case: &Case, n_parameters: usize) -> Form {
    let mut order: Vec<usize> = Vec::new();
    for term in links.iter().flatten() {
        if let PatternTerm::Variable(number) | PatternTerm::Field(number, _) = term
            && *number >= n_parameters
            && !order.contains(number)
        {
            order.push(*number);
        }
    }
    let renamed = |number: usize| {
        let own = order.iter().position(|known| *known == number);
        own.map_or(number, |position| case.n_variables + position)
    };
    let image = |term: PatternTerm| match term {
        PatternTerm::Variable(number) => PatternTerm::Variable(renamed(number)),
        PatternTerm::Field(number, label) => PatternTerm::Field(renamed(number), label),
        PatternTerm::Null => PatternTerm::Null,
    };
    let links = links.iter().map(|link| link.map(image)).collect();
    let parts = case.instances.iter();
    let mut parts: Vec<(ShapeId, Vec<PatternTerm>)> = parts
        .map(|part| (part.shape, part.arguments.iter().map(|term| image(*term)).collect()))
        .collect();
    parts.sort();
    (links, parts)
}

/// The ways to choose so many different links, in order.
pub(super) fn arrangements(links: &[i64], n_labels: usize) -> Vec<SmallVec<[i64; 2]>> {
    let mut found: Vec<SmallVec<[i64; 2]>> = vec![SmallVec::new()];
    for _ in 0..n_labels {
        let longer = |chosen: &SmallVec<[i64; 2]>| {
            let rest = links.iter().filter(|link| !chosen.contains(link));
            let chosen = chosen.clone();
            rest.map(move |link| chosen.iter().copied().chain([*link]).collect())
                .collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found
}

/// The pairs of labels.
pub(super) fn pairs(n_labels: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_labels).flat_map(move |other| (0..other).map(move |one| (one, other)))
}
