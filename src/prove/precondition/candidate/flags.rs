//! Nodes that know of their links whether these lead on.
//!
//! ```text
//!   struct node { struct node *left, *right; char left_child, right_child; }
//!   ──────────────────────────────────────────────────────────────────────── FLAGS
//!   where left_child is 0, left need not be null: it may be a thread
//! ```

use heap::Flag;
use heap::shape::{PatternTerm, ShapeDef};
use ir::open::Layout;
use ir::senses::Sense;
use smallvec::SmallVec;

/// The flags beside these links of a shape, if each that goes down has one, by the names of both.
/// Nothing rests on names: what the code does with such nodes is proved.
pub(super) fn flags_beside(
    shape: &ShapeDef,
    links: &[i64],
    layout: &Layout,
) -> Option<SmallVec<[Flag; 2]>> {
    let cases = || shape.unfoldings.first().into_iter().flat_map(|unfolding| &unfolding.cases);
    let ends = |label: usize| {
        cases().any(|case| case.links.get(label).copied().flatten() == Some(PatternTerm::Null))
    };
    let mut found: SmallVec<[Flag; 2]> = SmallVec::new();
    for (label, offset) in links.iter().enumerate() {
        let field = layout.pointers.iter().find(|field| field.offset == *offset)?;
        let link = last_part(&field.name);
        if Sense::of(&field.name) == Sense::Up {
            continue;
        }
        // Where each link leads on, there is nothing to be said.
        if !ends(label) {
            return None;
        }
        let is_new = |offset: i64| found.iter().all(|flag| flag.offset != offset);
        let number = layout
            .numbers
            .iter()
            .find(|number| is_new(number.offset) && says_of(&last_part(&number.name), &link))?;
        let (leads, ends) = if says_no_child(&last_part(&number.name)) { (0, 1) } else { (1, 0) };
        found.push(Flag { label, offset: number.offset, kind: number.kind, leads, ends });
    }
    (!found.is_empty()).then_some(found)
}

/// Whether a number says something of a link, by their names: `left_child` or `ltag` of `left`.
fn says_of(number: &str, link: &str) -> bool {
    let words = ["tag", "flag", "thread", "thr", "child"];
    let is_initial = |word: &str| {
        number.strip_suffix(word).is_some_and(|rest| rest.len() == 1 && link.starts_with(rest))
    };
    (link.len() > 1 && number.contains(link)) || words.into_iter().any(is_initial)
}

/// Whether a flag is set where there is no child.
fn says_no_child(number: &str) -> bool {
    ["thr", "tag", "leaf"].iter().any(|word| number.contains(word))
}

fn last_part(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_lowercase()
}
