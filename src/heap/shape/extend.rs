//! Extensions: a shape whose cells hold more than those of another one, and
//! perhaps own other instances.
//!
//! ```text
//!   shape P extends Q | self ↦ {l: t} * A | …
//!   case of Q: x ↦ {m: u} * Q(ā)   ⟶   cases of P: x ↦ {m: u, l: t} * A * P(ā), …
//! ```

use super::ShapeError;
use wane_grammar::shape::ast::{Base, Formula, Item, Lemma, Name, Shape, Term, Unfolding};

/// How the cell itself is called in an extension.
const SELF: &str = "self";

/// The definition that an extension of `base` stands for.
pub(super) fn extended(shape: &Shape, extension: &Base, base: &Shape) -> Result<Shape, ShapeError> {
    let extender = Extender { name: &shape.name, base, taken: names_of(base) };
    let mut unfoldings = Vec::new();
    for unfolding in &base.unfoldings {
        let mut cases = Vec::new();
        for case in &unfolding.cases {
            for more in &extension.more {
                cases.push(extender.case(&unfolding.anchor, case, more)?);
            }
        }
        unfoldings.push(Unfolding { anchor: unfolding.anchor.clone(), cases });
    }
    let lemmas = base.lemmas.iter().map(|lemma| extender.lemma(lemma)).collect();
    Ok(Shape {
        doc: shape.doc.clone(),
        name: shape.name.clone(),
        parameters: base.parameters.clone(),
        unfoldings,
        lemmas,
        base: Some(extension.clone()),
    })
}

/// All names of values in a shape's cases and lemmas.
fn names_of(shape: &Shape) -> Vec<String> {
    let mut names: Vec<String> = shape.parameters.iter().map(|name| name.text.clone()).collect();
    let cases = shape.unfoldings.iter().flat_map(|unfolding| &unfolding.cases);
    for item in cases.flat_map(|case| &case.items) {
        let terms: Vec<&Term> = match item {
            Item::Cell { root, fields } => {
                std::iter::once(root).chain(fields.iter().map(|(_, term)| term)).collect()
            }
            Item::Instance { arguments, .. } => arguments.iter().collect(),
            Item::Comparison { left, right, .. } => vec![left, right],
            Item::Emp | Item::Junk => Vec::new(),
        };
        let summands = terms.iter().flat_map(|term| &term.summands);
        names.extend(summands.filter_map(|(_, name)| Some(name.as_ref()?.text.clone())));
    }
    names
}

struct Extender<'a> {
    /// The extension's name.
    name: &'a Name,
    base: &'a Shape,
    /// Names of the base, which mean something else in the extension.
    taken: Vec<String>,
}

impl Extender<'_> {
    fn case(&self, anchor: &Name, case: &Formula, more: &Formula) -> Result<Formula, ShapeError> {
        let (mut added, mut others) = (Vec::new(), Vec::new());
        for item in &more.items {
            match item {
                Item::Cell { root, fields } if is_self(root) => {
                    let renamed = fields.iter();
                    added.extend(renamed.map(|(label, it)| (label.clone(), self.term(anchor, it))));
                }
                _ => others.push(self.owned(anchor, item)?),
            }
        }
        if added.is_empty() {
            return Err(ShapeError::at(self.name, "an extension says what `self` holds"));
        }
        let mut items = Vec::new();
        for item in &case.items {
            match item {
                Item::Cell { root, fields } => {
                    let fields = fields.iter().chain(&added).cloned().collect();
                    items.push(Item::Cell { root: root.clone(), fields });
                    // Where the cell is known, so is what it owns.
                    items.append(&mut others);
                }
                _ => items.push(self.own(item)),
            }
        }
        Ok(Formula { items })
    }

    fn lemma(&self, lemma: &Lemma) -> Lemma {
        let mut renamed = lemma.clone();
        for formula in [&mut renamed.judgment.have, &mut renamed.judgment.want] {
            formula.items = formula.items.iter().map(|item| self.own(item)).collect();
        }
        renamed
    }

    /// An item of the base: its instances are the extension's.
    fn own(&self, item: &Item) -> Item {
        match item {
            Item::Instance { shape, depth, arguments } if shape.text == self.base.name.text => {
                let shape = Name { text: self.name.text.clone(), ..shape.clone() };
                Item::Instance { shape, depth: depth.clone(), arguments: arguments.clone() }
            }
            _ => item.clone(),
        }
    }

    /// An item of the extension, with its names apart from those of the base.
    fn owned(&self, anchor: &Name, item: &Item) -> Result<Item, ShapeError> {
        match item {
            Item::Instance { shape, depth, arguments } => Ok(Item::Instance {
                shape: shape.clone(),
                depth: depth.clone(),
                arguments: arguments.iter().map(|it| self.term(anchor, it)).collect(),
            }),
            Item::Comparison { left, operator, right } => Ok(Item::Comparison {
                left: self.term(anchor, left),
                operator: *operator,
                right: self.term(anchor, right),
            }),
            Item::Emp => Ok(Item::Emp),
            Item::Cell { .. } | Item::Junk => {
                Err(ShapeError::at(self.name, "an extension has no cell but `self`"))
            }
        }
    }

    fn term(&self, anchor: &Name, term: &Term) -> Term {
        let rename = |name: &Name| {
            let (value, label) = match name.text.split_once('.') {
                Some((value, label)) => (value, Some(label)),
                None => (name.text.as_str(), None),
            };
            let value =
                if value == SELF { anchor.text.clone() } else { self.apart(value.to_owned()) };
            let text = label.map_or_else(|| value.clone(), |label| format!("{value}.{label}"));
            Name { text, ..name.clone() }
        };
        let summands = term.summands.iter();
        let renamed = summands.map(|(factor, name)| (*factor, name.as_ref().map(rename)));
        Term { summands: renamed.collect() }
    }

    fn apart(&self, mut name: String) -> String {
        while self.taken.contains(&name) {
            name.push('\'');
        }
        name
    }
}

fn is_self(term: &Term) -> bool {
    matches!(term.summands.as_slice(), [(1, Some(name))] if name.text == SELF)
}
