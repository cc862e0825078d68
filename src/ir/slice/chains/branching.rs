//! Walks that take one of several links on from each node, as those down a tree do.

use super::flows::{Holder, Source, source};
use super::{Families, Walk};
use crate::senses::Sense;
use crate::{Command, Grant, Instruction, Procedure, Program, Variable};
use base::graph::strongly_connected_components;
use std::collections::{BTreeMap, BTreeSet};

/// So many more walks are counted of a family.
const MOST_MORE: usize = 2;

impl Families {
    /// Adds the walks along all links of a family that a loop follows, if none of them leads back.
    pub(super) fn add_branching(&mut self, program: &Program) {
        let mut found: BTreeSet<(usize, BTreeSet<i128>)> = BTreeSet::new();
        for procedure in &program.procedures {
            for of_loop in self.followed_in_loops(program, procedure) {
                found.extend(of_loop.into_iter().filter(|(_, links)| links.len() > 1));
            }
        }
        for (family, links) in found {
            let walks = self.walks.entry(family).or_default();
            let n_more = walks.iter().filter(|it| it.grant == Grant::Branches).count();
            let is_known = walks.iter().any(|it| it.links == links);
            if !is_known && n_more < MOST_MORE {
                walks.push(Walk::along(links, Grant::Branches));
            }
        }
    }

    /// By loop, and by family, the links that are followed there and lead on.
    fn followed_in_loops(
        &self,
        program: &Program,
        procedure: &Procedure,
    ) -> Vec<BTreeMap<usize, BTreeSet<i128>>> {
        let components = strongly_connected_components(&procedure.successor_lists());
        let mut found = vec![BTreeMap::new(); components.cyclic.len()];
        for (index, block) in procedure.blocks.iter().enumerate() {
            let component = components.of[index];
            if !components.cyclic[component] {
                continue;
            }
            for Instruction { command, .. } in &block.commands {
                if let Some((family, link)) = self.followed(program, command) {
                    let links: &mut BTreeSet<i128> = found[component].entry(family).or_default();
                    links.insert(link);
                }
            }
        }
        found
    }

    /// The link that a command follows, unless that leads back.
    fn followed(&self, program: &Program, command: &Command) -> Option<(usize, i128)> {
        let target = Holder::Variable(command.target()?);
        let Source::Link(from, bytes) = self.inside(target, source(program, command))? else {
            return None;
        };
        let Holder::Variable(pointer) = from else { return None };
        (!leads_back(program, pointer, bytes))
            .then(|| (self.of[&target], self.places[&from] + bytes))
    }
}

/// Whether what lies there says by its name that it leads back, or up.
fn leads_back(program: &Program, pointer: Variable, bytes: i128) -> bool {
    let forms = &program.forms;
    let part = forms.of(pointer).and_then(|it| forms.part(it, bytes, program.pointer_bytes.into()));
    part.is_some_and(|it| matches!(Sense::of(&it.path), Sense::Back | Sense::Up))
}
