//! How the links of a type may be laid into a shape, by their names.

use crate::heap::shape::{PatternTerm, ShapeDef};
use smallvec::SmallVec;

/// What the name of a link says of its direction. Nothing rests on it: what the code does with
/// the links of a proposed shape is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// To where a list goes on.
    Ahead,
    /// To where a list came from.
    Back,
    /// To the owner.
    Up,
    /// To a part.
    Down,
    /// Anywhere else.
    Forth,
}

impl Sense {
    pub(super) fn of(name: &str) -> Self {
        let name = name.rsplit('.').next().unwrap_or(name).to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| name.contains(word));
        if says(&["prev", "back", "blink", "pred"]) {
            Self::Back
        } else if says(&["next", "forw", "flink", "succ"]) {
            Self::Ahead
        } else if says(&["parent", "owner", "father"]) || name == "up" {
            Self::Up
        } else if says(&["child", "left", "right", "kid", "sub"]) {
            Self::Down
        } else {
            Self::Forth
        }
    }
}

/// Whether a parameter of a shape is what all nodes hold.
pub(super) fn is_shared(shape: &ShapeDef, parameter: usize) -> bool {
    let Some(case) = shape.unfoldings.first().and_then(|it| it.cases.first()) else { return false };
    let wanted = Some(PatternTerm::Variable(parameter));
    shape.shared.iter().any(|label| case.links.get(*label).copied().flatten() == wanted)
}

/// Whether links were chosen for a shape that do not go against their names: of the two links of
/// a list exactly one goes back, if any link of the type does, and none of a tree does. What all
/// nodes hold is no part of them.
pub(super) fn make_sense(shape: &ShapeDef, chosen: &[i64], fields: &[(i64, Sense)]) -> bool {
    let sense_of = |label: usize| {
        let offset = chosen.get(label)?;
        fields.iter().find(|(own, _)| own == offset).map(|(_, sense)| *sense)
    };
    let has = |sense: Sense| fields.iter().any(|(_, own)| *own == sense);
    let (shared, own): (Vec<usize>, Vec<usize>) =
        (0..shape.labels.len()).partition(|label| shape.shared.contains(label));
    let count = |sense: Sense| own.iter().filter(|it| sense_of(**it) == Some(sense)).count();
    if shape.labels.len() < 2 {
        return true;
    }
    let no_part = |sense| !matches!(sense, Some(Sense::Down | Sense::Ahead | Sense::Back));
    if !shared.iter().all(|label| no_part(sense_of(*label))) {
        return false;
    }
    if shape.anchors().count() > 1 {
        let one_if_any = |sense: Sense| !has(sense) || count(sense) == 1;
        return count(Sense::Up) == 0 && one_if_any(Sense::Back) && one_if_any(Sense::Ahead);
    }
    let n_up = usize::from(own.len() > 2 && has(Sense::Up));
    count(Sense::Back) == 0 && count(Sense::Up) == n_up
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
