//! Arguments by abstract states, as data.

use super::alarm::Alarm;
use super::approach::Approach;
use super::join_point::{JoinPoint, Path};
use super::place::Place;
use super::statement::Statement;
use super::step::{Cover, Edge};
use descent::refinement::Refinement;
use descent::{self, Relation, Requirement, System};
use heap::state::{Kind, State};
use logic::Var;

/// An argument that all runs reach a goal: abstract states closed under execution and,
/// if the goal is that every run ends, ranking functions for the relations between them.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// What it shows.
    pub statement: Statement,
    /// How it goes about the program.
    pub approach: Approach,
    /// Where it is taken for granted that what happens is defined, in order. Nothing if the
    /// obligation does not allow that.
    pub assumes: Vec<Alarm>,
    /// Which of the steps, in the order of the system's edges, pass the events of the
    /// obligation's compassion requirements.
    pub requirements: Vec<Requirement>,
    /// The abstract states, the start first.
    pub nodes: Vec<CertifiedNode>,
    /// How the nodes are divided into cells, if the nodes themselves have no
    /// ranking functions.
    pub refinement: Option<Refinement>,
    /// Ranking functions, by component of the graph of nodes, or of cells.
    pub ranking: descent::Certificate,
}

/// An abstract state and all steps from it.
#[derive(Clone, Debug)]
pub struct CertifiedNode {
    /// Where it is.
    pub place: Place,
    /// What may be there.
    pub state: State,
    /// The steps, in the order in which execution finds them; `None` for a
    /// state that the start does not reach.
    pub steps: Option<Vec<Edge>>,
    /// Where paths from it meet before they reach the next states, in the order in
    /// which execution finds them.
    pub meetings: Vec<JoinPoint>,
    /// Whether calls may not use it as a summary.
    pub retired: Retired,
}

/// Whether a node is out of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retired {
    /// It is in use.
    No,
    /// It is not.
    Yes,
}

impl CertifiedNode {
    /// All covers, in the order in which the check comes to them.
    fn covers_mut(&mut self) -> impl Iterator<Item = &mut Cover> {
        let paths = self.meetings.iter_mut().flat_map(|meeting| &mut meeting.paths);
        let of_paths = paths.filter_map(|path| match path {
            Path::Covered(_, cover) => Some(cover),
            Path::GoesOn | Path::Same(_) => None,
        });
        of_paths.chain(self.steps.iter_mut().flatten().map(|step| &mut step.cover))
    }
}

impl Certificate {
    /// All covers, in the order in which the check comes to them.
    pub fn covers_mut(&mut self) -> impl Iterator<Item = &mut Cover> {
        self.nodes.iter_mut().flat_map(CertifiedNode::covers_mut)
    }

    /// The node of each location of the ranked system.
    #[must_use]
    pub fn origins(&self) -> Vec<usize> {
        match &self.refinement {
            Some(refinement) => refinement.origins.clone(),
            None => (0..self.nodes.len()).collect(),
        }
    }

    /// The system that the ranking is about: that of the nodes, or of their
    /// cells. Nothing when the cells do not fit the nodes.
    #[must_use]
    pub fn ranked_system(&self) -> Option<System> {
        let nodes = self.system();
        match &self.refinement {
            Some(refinement) => refinement.system(&nodes),
            None => Some(nodes),
        }
    }

    /// The transition system of the nodes: a location a node, whose values
    /// are the node's integer variables; an edge a step.
    #[must_use]
    pub fn system(&self) -> System {
        let integers =
            |node: &CertifiedNode| node.state.vocabulary.of_kind(Kind::Integer).collect::<Vec<_>>();
        let arities = self.nodes.iter().map(|node| integers(node).len()).collect();
        let mut edges = Vec::new();
        for step in self.nodes.iter().filter_map(|node| node.steps.as_ref()).flatten() {
            let (from, to) = (&self.nodes[step.from.index()], &self.nodes[step.to.index()]);
            let shift = u32::try_from(from.state.vocabulary.len()).unwrap_or(u32::MAX);
            let relation = Relation {
                pre: integers(from),
                post: integers(to).into_iter().map(|v| Var(v.0 + shift)).collect(),
                constraints: step.relation.constraints().to_vec(),
            };
            edges.push(descent::Edge { from: step.from.index(), to: step.to.index(), relation });
        }
        System { arities, edges, requirements: self.requirements.clone() }
    }
}
