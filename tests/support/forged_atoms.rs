//! Changes the atoms of states, and how they are made up.

use super::forger::{Random, any_value};
use wane::heap::proof::Proof;
use wane::heap::row::{Nulls, Place};
use wane::heap::shape::ShapeId;
use wane::heap::state::State;
use wane::heap::template::Ending;
use wane::heap::values::Field;
use wane::heap::{Atom, Block, Cell, Content, FloatingCell, Instance};
use wane::ir::{IntKind, MemoryKind, ScalarType};
use wane::logic::farkas::{Combination, Farkas};
use wane::logic::{Integer, Var};

/// Changes one atom of a state.
pub(crate) fn change_atom(random: &mut Random, state: &mut State, kind: &str) -> Option<()> {
    let n_variables = state.vocabulary.len();
    let atoms = &mut state.heap.atoms;
    let position = random.below(atoms.len());
    match kind {
        "atom dropped" if !atoms.is_empty() => drop(atoms.remove(position)),
        "atom twice" => atoms.push(atoms.get(position)?.clone()),
        "block" | "cell" | "floating cell" => {
            let blocks = atoms.iter_mut().filter_map(|atom| match atom {
                Atom::Block(block) => Some(block),
                Atom::Instance(_) => None,
            });
            let mut blocks: Vec<&mut Block> = blocks.collect();
            let block = random.of_mut(&mut blocks)?;
            change_block(random, block, kind, n_variables);
        }
        _ => {
            let instances = atoms.iter_mut().filter_map(|atom| match atom {
                Atom::Instance(instance) => Some(instance),
                Atom::Block(_) => None,
            });
            let mut instances: Vec<&mut Instance> = instances.collect();
            let instance = random.of_mut(&mut instances)?;
            change_instance(random, instance, kind, n_variables);
        }
    }
    Some(())
}

fn any_type(random: &mut Random) -> ScalarType {
    let signed = random.below(2) == 0;
    match random.below(3) {
        0 => ScalarType::Pointer,
        1 => ScalarType::Int(IntKind { bits: 32, signed }),
        _ => ScalarType::Int(IntKind { bits: 8, signed }),
    }
}

fn any_offset(random: &mut Random) -> i64 {
    *random.of(&[-8, 0, 1, 4, 8, 12, 16])
}

fn change_block(random: &mut Random, block: &mut Block, kind: &str, n_variables: usize) {
    match (kind, random.below(4)) {
        ("block", 0) => block.size = any_value(random, n_variables),
        ("block", 1) => {
            let is_zero = block.content == Content::Zero;
            block.content = if is_zero { Content::Arbitrary } else { Content::Zero };
        }
        ("block", 2) => {
            let kinds = [MemoryKind::Heap, MemoryKind::Stack, MemoryKind::Static];
            block.region.kind = *random.of(&kinds);
        }
        ("block", _) => block.base = Var::at(random.below(n_variables)),
        ("cell", 0) => drop(block.cells.pop()),
        ("cell", 1) => block.cells.push(Cell {
            offset: any_offset(random),
            ty: any_type(random),
            value: any_value(random, n_variables),
        }),
        ("cell", choice) => {
            if let Some(cell) = random.of_mut(&mut block.cells) {
                match choice {
                    2 => cell.value = any_value(random, n_variables),
                    _ => cell.offset = any_offset(random),
                }
            }
        }
        (_, choice) => {
            let floating = Some(Box::new(FloatingCell {
                offset: any_value(random, n_variables),
                ty: any_type(random),
                value: any_value(random, n_variables),
            }));
            match choice {
                0 => block.floating = None,
                1 => block.recent.extend(floating.map(|it| *it)),
                2 => change_row(random, block, n_variables),
                _ => block.floating = floating,
            }
        }
    }
}

/// Changes what elements of an array own.
fn change_row(random: &mut Random, block: &mut Block, n_variables: usize) {
    let choice = random.below(8);
    let Some(row) = random.of_mut(&mut block.rows) else { return };
    match choice {
        0 => row.first = any_value(random, n_variables),
        1 => row.end = any_value(random, n_variables),
        2 => row.nulls = if row.nulls == Nulls::Some { Nulls::None } else { Nulls::Some },
        3 => row.holds = None,
        4 => row.offset = any_offset(random),
        5 => {
            if let Some(place) = row.holds.as_mut().and_then(|it| random.of_mut(&mut it.places)) {
                *place = *random.of(&[Place::Element, Place::Null, Place::Some]);
            }
        }
        6 => {
            if let Some(bounds) = row.holds.as_mut().and_then(|it| random.of_mut(&mut it.bounds)) {
                (bounds.least, bounds.greatest) = (Some(1), Some(-1));
            }
        }
        _ => block.rows.clear(),
    }
}

fn change_instance(random: &mut Random, instance: &mut Instance, kind: &str, n_variables: usize) {
    let template = &mut instance.template;
    match (kind, random.below(5)) {
        ("instance", 0) => instance.depth = any_value(random, n_variables),
        ("instance", 1) => instance.anchor_mask ^= 1 << random.below(3),
        ("instance", 2) => instance.shape = ShapeId::at(random.below(40)),
        ("instance", 3) => drop(instance.arguments.pop()),
        ("instance", _) => {
            if let Some(argument) = random.of_mut(&mut instance.arguments) {
                *argument = any_value(random, n_variables);
            }
        }
        ("template", 0) => template.size += any_offset(random),
        ("template", 1) => template.root = any_offset(random),
        ("template", 2) => template.region.kind = MemoryKind::Static,
        ("template", 3) => match random.below(3) {
            0 => drop(template.inner.pop()),
            1 => template.always.push(random.below(2)),
            _ => template.ending = Ending::Zero,
        },
        ("template", _) => {
            if random.below(2) == 0 {
                template.links.pop();
            } else if let Some(link) = random.of_mut(&mut template.links) {
                *link = any_offset(random);
            }
        }
        (_, 0) => instance.values.position = Some(Var::at(random.below(n_variables))),
        (_, 1) => drop(instance.values.fields.pop()),
        (_, 2) => {
            if let Some(field) = random.of_mut(&mut instance.values.fields) {
                field.value = Var::at(random.below(n_variables));
            }
        }
        (_, _) => instance.values.fields.push(Field {
            offset: any_offset(random),
            ty: any_type(random),
            value: Var::at(random.below(n_variables)),
        }),
    }
}

/// Changes how an atom is made up.
pub(crate) fn change_proof(random: &mut Random, proof: &mut Proof) {
    match proof {
        Proof::Rule(number, parts) => match random.below(4) {
            0 => *number = random.below(4),
            1 => drop(parts.pop()),
            2 => parts.reverse(),
            _ => {
                if let Some(part) = random.of_mut(parts) {
                    change_proof(random, part);
                }
            }
        },
        Proof::Row(index, owned) => match random.below(4) {
            0 => *index = random.below(6),
            1 => drop(owned.pop()),
            2 => owned.push(Proof::Same(random.below(6))),
            _ => {
                if let Some(part) = random.of_mut(owned) {
                    change_proof(random, part);
                }
            }
        },
        Proof::Same(index) if random.below(3) > 0 => *index = random.below(6),
        Proof::Same(_) => {
            let parts = (0..=random.below(2)).map(|_| Proof::Same(random.below(6)));
            *proof = Proof::Rule(0, parts.collect());
        }
    }
}

/// Changes a proof of an implication.
pub(crate) fn change_farkas(random: &mut Random, proof: &mut Farkas) {
    let Some(refutation) = random.of_mut(&mut proof.refutations) else { return };
    let Combination(lines) = &mut refutation.last;
    match random.below(5) {
        0 => drop(lines.pop()),
        1 => drop(proof.refutations.pop()),
        2 => lines.push((random.below(9), Integer::from(random.small()))),
        choice => {
            if let Some((line, factor)) = random.of_mut(lines) {
                match choice {
                    3 => *line = random.below(9),
                    _ => *factor = Integer::from(random.small()),
                }
            }
        }
    }
}
