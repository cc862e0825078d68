//! Where execution stands: a stack of sites, the callers' first.

use base::typed_index;
use ir::cutpoint::CutSet;
use ir::{BlockId, Command, ProcedureId, Program, Variable};
use smallvec::SmallVec;

typed_index!(
    /// An abstract state at a cutpoint.
    NodeId
);

/// A command of a block; behind the last one stands the terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// Which procedure.
    pub procedure: ProcedureId,
    /// Which block of it.
    pub block: BlockId,
    /// Which command of it.
    pub command: usize,
}

/// A stack of sites. The last one is where execution stands; the others are at
/// the calls that have not returned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The entry state of the recursive procedure whose body this is; `None`
    /// for the program's entry, and for the entry states themselves.
    pub entry: Option<NodeId>,
    /// Outermost first. Empty where the recursive procedure has returned.
    pub sites: SmallVec<[Site; 3]>,
}

/// Orders places so that, between cutpoints, execution only moves up.
pub type PlaceKey = SmallVec<[(u32, u32, u32); 3]>;

impl Place {
    /// The start of a procedure, called from nowhere.
    #[must_use]
    pub fn start(procedure: ProcedureId) -> Self {
        let site = Site { procedure, block: BlockId(0), command: 0 };
        Self { entry: None, sites: SmallVec::from_slice(&[site]) }
    }

    /// The same place in the body of the procedure entered in a state.
    #[must_use]
    pub fn inside(&self, entry: NodeId) -> Self {
        Self { entry: Some(entry), sites: self.sites.clone() }
    }

    /// Where the procedure entered in a state has returned.
    #[must_use]
    pub fn exit(entry: NodeId) -> Self {
        Self { entry: Some(entry), sites: SmallVec::new() }
    }

    /// Where execution stands, unless the procedure has returned.
    #[must_use]
    pub fn site(&self) -> Option<Site> {
        self.sites.last().copied()
    }

    /// The same place, moved to a command of a block in the same procedure.
    #[must_use]
    pub fn moved(&self, block: BlockId, command: usize) -> Self {
        let mut next = self.clone();
        if let Some(site) = next.sites.last_mut() {
            (site.block, site.command) = (block, command);
        }
        next
    }

    /// The start of a procedure called from here.
    #[must_use]
    pub fn called(&self, procedure: ProcedureId) -> Self {
        let mut next = self.clone();
        next.sites.push(Site { procedure, block: BlockId(0), command: 0 });
        next
    }

    /// Behind the call that led here, with the variable that takes the result;
    /// `None` when nobody called.
    #[must_use]
    pub fn returned(&self, program: &Program) -> Option<(Self, Option<Variable>)> {
        let mut next = self.clone();
        next.sites.pop();
        let site = next.sites.last_mut()?;
        let block = program.procedure(site.procedure).block(site.block);
        let target = match block.commands.get(site.command).map(|instruction| &instruction.command)
        {
            Some(Command::Call { target, .. }) => *target,
            _ => None,
        };
        site.command += 1;
        Some((next, target))
    }

    /// Whether this is the start of a procedure called from nowhere: where the
    /// entry states of recursive procedures are.
    #[must_use]
    pub fn is_entry(&self) -> bool {
        let starts = |site: &Site| site.block == BlockId(0) && site.command == 0;
        self.entry.is_none() && self.sites.len() == 1 && self.sites.iter().all(starts)
    }

    /// The place's rank between cutpoints.
    #[must_use]
    pub fn key(&self, cuts: &[CutSet]) -> PlaceKey {
        let rank = |site: &Site| {
            let number = cuts[site.procedure.index()].numbering()[site.block.index()];
            u32::try_from(number).unwrap_or(u32::MAX)
        };
        let command = |site: &Site| u32::try_from(site.command).unwrap_or(u32::MAX);
        self.sites.iter().map(|site| (site.procedure.0, rank(site), command(site))).collect()
    }
}
