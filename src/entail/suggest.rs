//! Which templates a state suggests for a shape: how its nodes may lie in memory.
//!
//! Nothing rests on it: what a template does not fit is not folded.

use crate::fold::Hints;
use crate::pattern::{Bindings, fits, unify_cell};
use heap::shape::{Kin, PatternAtom, Rule, ShapeDef, ShapeId};
use heap::state::State;
use heap::template::{Ending, Extent};
use heap::{ANY_SIZE, Atom, Block, Cell, SelfLink, Template};
use ir::{MemoryKind, ScalarType};
use logic::{Integer, LinearExpr};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// So many templates are tried for the nodes of another family.
const MAX_INNER: usize = 4;

/// The templates that atoms of the state suggest for a shape: those of its
/// family's instances, and those by which one block links to another of its
/// kind.
pub(super) fn templates(state: &State, id: ShapeId, hints: &Hints<'_>) -> Vec<Template> {
    let shape = hints.shape_library.get(id);
    let mut found: Vec<Template> = Vec::new();
    let mut suggested = None;
    for atom in &state.heap.atoms {
        match atom {
            Atom::Instance(instance)
                if hints.shape_library.get(instance.shape).family == shape.family =>
            {
                found.push(instance.template.clone());
            }
            Atom::Block(block) => {
                let roots = roots_in_siblings(state, block);
                if !roots.is_empty() {
                    let inner =
                        suggested.get_or_insert_with(|| inner_templates(state, shape, hints));
                    let mut here = suggestions(block, &roots, shape, inner, hints);
                    here.extend(here.iter().filter_map(with_all).collect::<Vec<_>>());
                    retain_plausible(state, block, &mut here, shape);
                    found.extend(here);
                }
            }
            Atom::Instance(_) => {}
        }
    }
    let weaker: Vec<Template> = found.iter().flat_map(weaker).collect();
    found.extend(weaker);
    ranked(found)
}

/// Templates in the order in which they are tried: that nodes own nothing comes first, since it is
/// lost where others own something. So do fields that point at their own nodes, and that all
/// nodes own something.
fn ranked(mut found: Vec<Template>) -> Vec<Template> {
    let n_known = |it: &Template| it.inner.iter().filter(|inner| !inner.is_nothing()).count();
    let rank = |it: &Template| (n_known(it), Reverse(it.selves.len()), Reverse(it.always.len()));
    found.sort_by(|one, other| (rank(one), one).cmp(&(rank(other), other)));
    found.dedup();
    found
}

/// The templates of nodes of which less is known.
fn weaker(template: &Template) -> Vec<Template> {
    let perhaps = Template { always: SmallVec::new(), ..template.clone() };
    let mut any = perhaps.clone();
    for inner in &mut any.inner {
        (inner.ending, inner.extent) = (Ending::Any, Extent::Any);
    }
    let any_always = Template { always: template.always.clone(), ..any.clone() };
    [perhaps, any_always, any].into_iter().filter(|it| it != template).collect()
}

/// The same template, where every node owns some of each other kind that is known.
fn with_all(template: &Template) -> Option<Template> {
    let known = template.inner.iter().enumerate().filter(|(_, inner)| !inner.is_nothing());
    let always: SmallVec<[usize; 1]> = known.map(|(position, _)| position).collect();
    (!always.is_empty()).then(|| Template { always, ..template.clone() })
}

/// The templates with which one block can be a node of a shape, with what it owns.
pub(super) fn templates_of(
    state: &State,
    block: &Block,
    id: ShapeId,
    hints: &Hints<'_>,
) -> Vec<Template> {
    let shape = hints.shape_library.get(id);
    let inner = inner_templates(state, shape, hints);
    let mut found = suggestions(block, &roots_of(state, block), shape, &inner, hints);
    found.extend(found.iter().filter_map(with_all).collect::<Vec<_>>());
    retain_plausible(state, block, &mut found, shape);
    ranked(found)
}

/// Ways to choose templates for the other families' nodes of a definition.
fn inner_templates(state: &State, shape: &ShapeDef, hints: &Hints<'_>) -> Vec<Vec<Template>> {
    let mut choices: Vec<Vec<Template>> = vec![Vec::new()];
    for inner in &shape.inner {
        let mut candidates: Vec<Template> = Vec::new();
        for atom in &state.heap.atoms {
            match atom {
                Atom::Instance(instance) if instance.shape == *inner => {
                    candidates.push(instance.template.clone());
                }
                Atom::Block(block) if hints.shape_library.get(*inner).inner.is_empty() => {
                    let shape = hints.shape_library.get(*inner);
                    let roots = roots_of(state, block);
                    let here = suggestions(block, &roots, shape, &[Vec::new()], hints);
                    candidates.extend(here.iter().filter_map(|it| with_ending(block, it)));
                    candidates.extend(here);
                }
                Atom::Instance(_) | Atom::Block(_) => {}
            }
        }
        candidates.retain(|template| template.region.kind == MemoryKind::Heap);
        candidates.sort();
        candidates.dedup();
        candidates.truncate(MAX_INNER);
        candidates.extend(of_any_size(&candidates));
        if hints.shape_library.get(*inner).is_recursive() {
            let one = |it: &Template| Template { extent: Extent::One, ..it.clone() };
            candidates.extend(candidates.iter().map(one).collect::<Vec<_>>());
        }
        candidates.push(Template::of_nothing());
        let longer = |chosen: &Vec<Template>, next: &Template| {
            chosen.iter().chain([next]).cloned().collect::<Vec<_>>()
        };
        choices = choices
            .iter()
            .flat_map(|chosen| candidates.iter().map(|next| longer(chosen, next)))
            .collect();
    }
    choices
}

/// The same template for blocks with an ending, if this is one without links.
pub(super) fn with_ending(block: &Block, template: &Template) -> Option<Template> {
    let has_ending = template.links.is_empty() && block.has_ending();
    has_ending.then(|| Template { ending: Ending::Zero, ..template.clone() })
}

/// A template for blocks that differ in nothing but their sizes.
fn of_any_size(candidates: &[Template]) -> Option<Template> {
    let [first, others @ ..] = candidates else { return None };
    let any = Template { size: ANY_SIZE, ..first.clone() };
    let any = Template { ending: candidates.iter().map(|it| it.ending).max()?, ..any };
    let differ = first.links.is_empty() && others.iter().any(|it| it.size != first.size);
    let is_new = !candidates.contains(&any);
    (differ && is_new && candidates.iter().all(|it| it.is_within(&any))).then_some(any)
}

/// The templates with which a block can be a node of a shape, entered at one of
/// the roots.
fn suggestions(
    block: &Block,
    roots: &[i64],
    shape: &ShapeDef,
    inner: &[Vec<Template>],
    hints: &Hints<'_>,
) -> Vec<Template> {
    let size = block.size.as_constant().and_then(Integer::to_i128);
    let size = match size.and_then(|size| i64::try_from(size).ok()) {
        Some(size) => size,
        None if shape.labels.is_empty() => ANY_SIZE,
        None => return Vec::new(),
    };
    let foldable = match block.region.kind {
        MemoryKind::Heap => true,
        // What heap blocks of other kinds hang on such a node would be lost with it.
        MemoryKind::Alloca => shape.inner.is_empty(),
        // Text of the library's: what a program declares has a size that is known.
        MemoryKind::Static => shape.labels.is_empty() && size == ANY_SIZE,
        MemoryKind::Stack | MemoryKind::Stream | MemoryKind::Constant | MemoryKind::Any => false,
    };
    let n_links = shape.n_links();
    let blocks = (block.region.sort, size);
    let is_reserved = hints.exclusive.is_some_and(|n_reserved| {
        n_links < n_reserved && hints.links.n_links(blocks) >= n_reserved
    });
    if !foldable || is_reserved {
        return Vec::new();
    }
    let pointers = block.cells.iter().filter(|cell| cell.ty == ScalarType::Pointer);
    let mut pointers: Vec<i64> = pointers.map(|cell| cell.offset).collect();
    pointers.extend(hints.links.links_of(blocks).filter(|it| block.link(*it).is_some()));
    pointers.sort_unstable();
    pointers.dedup();
    let is_address =
        |offset: i64| block.cell(offset).is_some_and(|cell| cell.value.as_constant().is_none());
    let has_heads = shape.has_heads();
    let owns_cells = hints.shape_library.owns_cells(shape);
    let n_owned = hints.shape_library.n_owned_links(shape);
    let fits = |label: usize, offset: i64| {
        let may_link = hints.links.may_link(blocks, offset);
        if shape.shared.contains(&label) {
            is_address(offset)
        } else if shape.owners.contains(&label) {
            if owns_cells {
                hints.links.may_hold(blocks, offset)
            } else {
                // Links and heads point at each other.
                (has_heads && may_link) || hints.links.may_own(blocks, offset, n_owned)
            }
        } else {
            may_link
        }
    };
    let arrangements = arrangements(&pointers, shape.labels.len(), &fits);
    let mut found = Vec::new();
    for root in roots {
        for links in &arrangements {
            let selves = selves_of(block, links);
            let without = (!selves.is_empty()).then(SmallVec::new);
            for selves in std::iter::once(selves).chain(without) {
                found.extend(inner.iter().map(|inner| Template {
                    size,
                    root: *root,
                    links: links.clone(),
                    selves: selves.clone(),
                    flags: SmallVec::new(),
                    region: block.region,
                    ending: Ending::Any,
                    extent: Extent::Any,
                    inner: inner.clone(),
                    always: SmallVec::new(),
                }));
            }
        }
    }
    found
}

/// The fields of a block beside its links that hold addresses in the block itself.
fn selves_of(block: &Block, links: &[i64]) -> SmallVec<[SelfLink; 1]> {
    let is_other = |cell: &&Cell| {
        let link = |at: &i64| Cell { offset: *at, ..(*cell).clone() };
        cell.ty == ScalarType::Pointer && !links.iter().any(|at| cell.overlaps(&link(at)))
    };
    let own = |cell: &Cell| {
        let distance = cell.value.sub(&LinearExpr::var(block.base));
        let target = i64::try_from(distance.as_constant()?.to_i128()?).ok()?;
        Some(SelfLink { offset: cell.offset, target })
    };
    block.cells.iter().filter(is_other).filter_map(own).collect()
}

/// Where the links of a block enter other blocks like it.
fn roots_in_siblings(state: &State, block: &Block) -> Vec<i64> {
    let values = block.cells.iter().filter(|cell| cell.ty == ScalarType::Pointer);
    let mut roots: Vec<i64> =
        values.filter_map(|cell| offset_into_sibling(state, block, &cell.value)).collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// `c` when `value` is `b + c` for another block `b` like this one.
fn offset_into_sibling(state: &State, block: &Block, value: &LinearExpr) -> Option<i64> {
    let [(variable, factor)] = value.terms() else { return None };
    let Atom::Block(other) = &state.heap.atoms[state.block_at(*variable)?] else { return None };
    let alike = *factor == Integer::from(1)
        && other.base != block.base
        && other.region == block.region
        && other.size == block.size;
    if alike { i64::try_from(value.constant_part().to_i128()?).ok() } else { None }
}

/// So many ways to lay the links of a shape into a block are tried.
const MAX_ARRANGEMENTS: usize = 1_000;

/// The ways to pick a different offset for each of `n` labels that fits it; not all, if
/// there are many.
fn arrangements(
    offsets: &[i64],
    n: usize,
    fits: &impl Fn(usize, i64) -> bool,
) -> Vec<SmallVec<[i64; 2]>> {
    let mut all = vec![SmallVec::new()];
    for label in 0..n {
        all = all
            .iter()
            .flat_map(|chosen: &SmallVec<[i64; 2]>| {
                let free = |offset: &&i64| !chosen.contains(offset) && fits(label, **offset);
                offsets.iter().filter(free).map(|offset| {
                    let mut longer = chosen.clone();
                    longer.push(*offset);
                    longer
                })
            })
            .take(MAX_ARRANGEMENTS)
            .collect();
    }
    all
}

/// Where values of the state point into a block.
fn roots_of(state: &State, block: &Block) -> Vec<i64> {
    let mut roots = Vec::new();
    state.for_each_expr(&mut |value| {
        if let [(variable, factor)] = value.terms()
            && *variable == block.base
            && *factor == Integer::from(1)
        {
            roots.extend(value.constant_part().to_i128().and_then(|it| i64::try_from(it).ok()));
        }
    });
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// Keeps the templates with which a block may be a node, with all that it owns there: only where
/// nodes own something, for there are many ways to mistake one link for another.
fn retain_plausible(state: &State, block: &Block, templates: &mut Vec<Template>, shape: &ShapeDef) {
    if shape.inner.is_empty() {
        return;
    }
    // Templates of one layout follow each other: they differ in what nodes own.
    let mut layout: Option<(Template, Vec<Option<Bindings>>)> = None;
    templates.retain(|template| {
        let known = layout.take().filter(|(known, _)| has_layout_of(template, known));
        let known = known.unwrap_or_else(|| {
            (
                template.clone(),
                shape.rules.iter().map(|it| cell(state, block, template, it)).collect(),
            )
        });
        let (_, cells) = layout.insert(known);
        is_plausible(state, block, template, (shape, cells))
    });
}

/// Whether the cells of both templates lie in memory in the same way.
fn has_layout_of(one: &Template, other: &Template) -> bool {
    (one.root, &one.links, &one.selves, &one.flags)
        == (other.root, &other.links, &other.selves, &other.flags)
}

/// What the block binds as the cell that a rule begins with.
fn cell(state: &State, block: &Block, template: &Template, rule: &Rule) -> Option<Bindings> {
    let Some(PatternAtom::Cell(root, links)) = rule.left.first() else { return None };
    let equal = |a: &LinearExpr, b: &LinearExpr| a == b;
    let mut bindings = Bindings::new(rule.n_variables);
    unify_cell(&mut bindings, (*root, links), (state, block), template, &equal).then_some(bindings)
}

/// Whether a block may be a node: of each kind of nodes that the template knows of, it owns
/// some. `cells` are what it binds by each rule.
fn is_plausible(
    state: &State,
    block: &Block,
    template: &Template,
    (shape, cells): (&ShapeDef, &[Option<Bindings>]),
) -> bool {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let mut is_node = false;
    for (rule, cell) in shape.rules.iter().zip(cells) {
        let Some(cell) = cell else { continue };
        if let Some(owned) = owned_by(state, block, template, (rule, cell)) {
            is_node = true;
            used.extend(owned);
        }
    }
    let known = template.inner.iter().enumerate().filter(|(_, inner)| !inner.is_nothing());
    is_node && known.map(|(kin, _)| kin).all(|kin| used.contains(&kin))
}

/// Of which other kinds of nodes the block owns some by a rule, if it may be the
/// cell of it.
fn owned_by(
    state: &State,
    block: &Block,
    template: &Template,
    (rule, cell): (&Rule, &Bindings),
) -> Option<Vec<usize>> {
    if !template.allows(&rule.left) {
        return None;
    }
    let mut owned = Vec::new();
    for part in &rule.left {
        let PatternAtom::Instance(part) = part else { continue };
        let Kin::Inner(position) = part.kin else { continue };
        let inner = template.of_kin(part.kin)?;
        let mut roots = part.arguments.iter().filter_map(|term| cell.value(*term, template));
        // A node does not own itself.
        if !roots.any(|root| !root.mentions(block.base) && is_at(state, part.shape, inner, &root)) {
            return None;
        }
        owned.push(position);
    }
    Some(owned)
}

/// Whether an instance of a shape may start at an address.
fn is_at(state: &State, shape: ShapeId, template: &Template, root: &LinearExpr) -> bool {
    let start = template.start_of(root).as_var();
    state.heap.atoms.iter().any(|atom| match atom {
        Atom::Block(block) => start == Some(block.base) && fits(block, template),
        Atom::Instance(instance) => {
            instance.shape == shape
                && instance.template.is_within(template)
                && template.has_extent(&instance.depth, |it| state.surely_zero(it))
                && instance.anchors().any(|(_, own)| own == root)
        }
    })
}
