//! The procedure being built: blocks, storage frames, and ways between them.
//!
//! A *frame* owns the memory blocks of the locals of one C scope. Every jump
//! from one frame to another is a [`Transition`]; when the whole procedure is
//! known, each transition gets the commands that free what is left and
//! allocate what is entered. So `goto`, `break`, `return` and falling out of a
//! scope are one case.

use hashbrown::HashMap;
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use crate::types::Type;
use base::source::Span;
use ir::{
    Block, BlockId, Callee, Command, Expr, InitialContent, Instruction, MemoryKind, ProcedureId,
    Terminator, Variable,
};

/// Index of a storage frame.
pub(super) type Frame = usize;

/// A block that is not finished yet.
#[derive(Clone, Debug)]
pub(super) struct OpenBlock {
    pub(super) commands: Vec<Instruction>,
    pub(super) terminator: Option<Terminator>,
    pub(super) span: Span,
    /// The header of a loop: kept as it is.
    pub(super) is_header: bool,
}

/// What a frame owns.
#[derive(Clone, Debug, Default)]
struct FrameInfo {
    parent: Option<Frame>,
    extent: Extent,
    /// The variables that hold the blocks' addresses, and the blocks' sizes.
    owned: Vec<(Variable, u64)>,
    /// Holds the address of a block that is allocated somewhere in the frame.
    variable_length: Option<Variable>,
    /// The procedure that is called with the address of a block when the frame is
    /// left.
    cleanup: Option<(ProcedureId, Variable)>,
}

/// What part of a scope a frame is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    #[default]
    Scope,
    /// From some declaration to its end.
    Rest,
    /// A full expression.
    Expression,
}

/// At the start of `block`, control has come from one frame and goes on in
/// another; `None` is outside the procedure.
#[derive(Clone, Debug)]
struct Transition {
    block: BlockId,
    from: Option<Frame>,
    to: Option<Frame>,
}

/// Where a jump goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) block: BlockId,
    pub(super) frame: Frame,
}

/// A jump to an address.
#[derive(Clone, Debug)]
pub(super) struct Dispatch {
    /// The block that ends in it.
    pub(super) block: BlockId,
    pub(super) frame: Frame,
    /// Where it goes.
    pub(super) address: Expr,
    pub(super) place: Place,
}

/// What `break` and `continue` mean.
#[derive(Clone, Debug)]
pub(super) struct Exits {
    pub(super) on_break: Target,
    pub(super) on_continue: Option<Target>,
}

/// The innermost `switch`.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    pub(super) ty: Type,
    pub(super) cases: Vec<(i128, i128, Target)>,
    pub(super) default: Option<Target>,
}

/// A procedure under construction.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) procedure: ProcedureId,
    /// The result's type in C.
    pub(super) result: Type,
    /// Where a structure that is returned goes.
    pub(super) result_address: Option<Variable>,
    /// Whether it is said not to return.
    pub(super) never_returns: bool,
    /// Whether this is the procedure that sets up the globals.
    pub(super) is_start: bool,
    pub(super) blocks: Vec<OpenBlock>,
    pub(super) current: BlockId,
    pub(super) frame: Frame,
    pub(super) exits: Vec<Exits>,
    pub(super) switches: Vec<Switch>,
    /// Where the variable arguments are.
    pub(super) variadic: Option<Variable>,
    /// The labels whose address is taken, and what holds it.
    pub(super) label_addresses: Vec<(Symbol, Variable)>,
    /// Jumps to addresses.
    pub(super) dispatches: Vec<Dispatch>,
    frames: Vec<FrameInfo>,
    transitions: Vec<Transition>,
    labels: HashMap<Symbol, Target>,
    pending: Vec<(Symbol, Place, usize)>,
}

impl Body {
    pub(super) fn new(procedure: ProcedureId, result: Type, span: Span) -> Self {
        let entry = OpenBlock { commands: Vec::new(), terminator: None, span, is_header: false };
        Self {
            procedure,
            result,
            result_address: None,
            never_returns: false,
            is_start: false,
            blocks: vec![entry],
            current: BlockId(0),
            frame: 0,
            exits: Vec::new(),
            switches: Vec::new(),
            variadic: None,
            label_addresses: Vec::new(),
            dispatches: Vec::new(),
            frames: vec![FrameInfo::default()],
            transitions: vec![Transition { block: BlockId(0), from: None, to: Some(0) }],
            labels: HashMap::new(),
            pending: Vec::new(),
        }
    }

    /// A new block, not reached yet.
    pub(super) fn block(&mut self, span: Span) -> BlockId {
        self.blocks.push(OpenBlock {
            commands: Vec::new(),
            terminator: None,
            span,
            is_header: false,
        });
        BlockId::at(self.blocks.len() - 1)
    }

    /// Forgets what was lowered aside, as long as only the first block was made for runs.
    pub(super) fn forget_asides(&mut self) {
        let is_first = self.current == BlockId(0) && self.blocks[0].terminator.is_none();
        let is_named = !(self.labels.is_empty() && self.pending.is_empty());
        if is_first && !is_named && self.transitions.len() == 1 && self.dispatches.is_empty() {
            self.blocks.truncate(1);
        }
    }

    /// Adds a command to the current block.
    pub(super) fn emit(&mut self, command: Command, span: Span) {
        self.blocks[self.current.index()].commands.push(Instruction { command, span });
    }

    /// Ends the current block; what follows goes to a new one.
    pub(super) fn terminate(&mut self, terminator: Terminator, span: Span) {
        let block = &mut self.blocks[self.current.index()];
        block.terminator = Some(terminator);
        block.span = span;
        self.current = self.block(span);
    }

    /// Goes on in `block`, which is also reached from the current one.
    pub(super) fn fall_into(&mut self, block: BlockId, span: Span) {
        self.terminate(Terminator::Goto(block), span);
        self.current = block;
    }

    /// Starts a frame inside the current one.
    pub(super) fn enter(&mut self, span: Span) -> Frame {
        self.enter_part(Extent::Scope, span)
    }

    /// Starts a frame for a part of a scope.
    pub(super) fn enter_part(&mut self, extent: Extent, span: Span) -> Frame {
        let outer = self.frame;
        self.frames.push(FrameInfo { parent: Some(outer), extent, ..FrameInfo::default() });
        self.frame = self.frames.len() - 1;
        let block = self.block(span);
        self.fall_into(block, span);
        self.transitions.push(Transition { block, from: Some(outer), to: Some(self.frame) });
        outer
    }

    /// Ends the current frame and goes on in `outer`.
    pub(super) fn leave(&mut self, outer: Frame, span: Span) {
        let block = self.block(span);
        self.fall_into(block, span);
        self.transitions.push(Transition { block, from: Some(self.frame), to: Some(outer) });
        self.frame = outer;
    }

    /// Makes the current scope own a block of memory, whose address is put
    /// into `variable` when the scope is entered.
    pub(super) fn own(&mut self, variable: Variable, size: u64) {
        let mut frame = self.frame;
        while self.frames[frame].extent != Extent::Scope
            && let Some(parent) = self.frames[frame].parent
        {
            frame = parent;
        }
        self.frames[frame].owned.push((variable, size));
    }

    /// Makes the current full expression own a block of memory.
    pub(super) fn own_temporary(&mut self, variable: Variable, size: u64) {
        self.frames[self.frame].owned.push((variable, size));
    }

    /// The rest of the scope owns the block whose address the variable is given next.
    pub(super) fn own_from_here(&mut self, variable: Variable, span: Span) {
        self.enter_part(Extent::Rest, span);
        self.frames[self.frame].variable_length = Some(variable);
    }

    /// Whenever the current frame is left, the procedure is called with the address
    /// of a block that an outer frame owns.
    pub(super) fn call_on_leaving(&mut self, procedure: ProcedureId, block: Variable) {
        self.frames[self.frame].cleanup = Some((procedure, block));
    }

    /// Whether leaving the procedure calls another one.
    pub(super) fn calls_on_leaving(&self) -> bool {
        let frames = self.outwards(Some(self.frame));
        frames.into_iter().any(|frame| self.frames[frame].cleanup.is_some())
    }

    /// A block that leads to `target` from the current frame.
    pub(super) fn way_to(&mut self, target: Target, span: Span) -> BlockId {
        self.way_between(self.frame, target, span)
    }

    /// A block that leads from the frame `from` to `target`.
    pub(super) fn way_between(&mut self, from: Frame, target: Target, span: Span) -> BlockId {
        if from == target.frame {
            return target.block;
        }
        let block = self.block(span);
        self.blocks[block.index()].terminator = Some(Terminator::Goto(target.block));
        self.transitions.push(Transition { block, from: Some(from), to: Some(target.frame) });
        block
    }

    /// Jumps to `target`.
    pub(super) fn jump(&mut self, target: Target, span: Span) {
        let way = self.way_to(target, span);
        self.terminate(Terminator::Goto(way), span);
    }

    /// Jumps to a label, which may come later.
    pub(super) fn jump_to_label(&mut self, label: Symbol, place: Place, span: Span) {
        let way = self.way_to_label(label, place, self.frame, span);
        self.terminate(Terminator::Goto(way), span);
    }

    /// A block that leads from the frame `from` to a label, which may come later.
    pub(super) fn way_to_label(
        &mut self,
        label: Symbol,
        place: Place,
        from: Frame,
        span: Span,
    ) -> BlockId {
        let way = self.block(span);
        self.transitions.push(Transition { block: way, from: Some(from), to: None });
        self.pending.push((label, place, self.transitions.len() - 1));
        way
    }

    /// A label at the current place. False if there is one of this name.
    pub(super) fn label(&mut self, name: Symbol, span: Span) -> bool {
        let block = self.block(span);
        self.fall_into(block, span);
        self.labels.insert(name, Target { block, frame: self.frame }).is_none()
    }

    /// Leaves the procedure.
    pub(super) fn leave_procedure(&mut self, value: Option<Expr>, span: Span) {
        let block = self.block(span);
        self.fall_into(block, span);
        self.transitions.push(Transition { block, from: Some(self.frame), to: None });
        self.terminate(Terminator::Return(value), span);
    }

    /// The target here: the current block's successor, in the current frame.
    pub(super) fn target(&mut self, span: Span) -> Target {
        Target { block: self.block(span), frame: self.frame }
    }

    /// The finished blocks, or the label that is missing.
    pub(super) fn finish(mut self) -> Result<Vec<OpenBlock>, (Symbol, Place)> {
        for (label, place, transition) in std::mem::take(&mut self.pending) {
            let target = *self.labels.get(&label).ok_or((label, place))?;
            let transition = &mut self.transitions[transition];
            transition.to = Some(target.frame);
            self.blocks[transition.block.index()].terminator = Some(Terminator::Goto(target.block));
        }
        for transition in std::mem::take(&mut self.transitions) {
            self.fill(&transition);
        }
        Ok(self.blocks)
    }

    /// The frames from `frame` outwards.
    fn outwards(&self, frame: Option<Frame>) -> Vec<Frame> {
        std::iter::successors(frame, |frame| self.frames[*frame].parent).collect()
    }

    /// Puts the frees and allocations of a transition at the start of its block.
    fn fill(&mut self, transition: &Transition) {
        let left = self.outwards(transition.from);
        let entered = self.outwards(transition.to);
        let block = &self.blocks[transition.block.index()];
        let span = block.span;
        let mut commands = Vec::new();
        for frame in left.iter().take_while(|frame| !entered.contains(frame)) {
            if let Some((procedure, block)) = self.frames[*frame].cleanup {
                commands.push(Command::Call {
                    target: None,
                    callee: Callee::Direct(procedure),
                    arguments: vec![block.into()],
                });
            }
            let owned = self.frames[*frame].owned.iter().map(|(variable, _)| *variable);
            for variable in owned.chain(self.frames[*frame].variable_length).rev() {
                let kind = MemoryKind::Stack;
                commands.push(Command::Free { address: variable.into(), kind });
            }
        }
        let inner: Vec<&Frame> = entered.iter().take_while(|frame| !left.contains(frame)).collect();
        for frame in inner.into_iter().rev() {
            for (variable, size) in &self.frames[*frame].owned {
                commands.push(Command::Allocate {
                    target: *variable,
                    size: Expr::Constant(i128::from(*size)),
                    kind: MemoryKind::Stack,
                    content: InitialContent::Arbitrary,
                });
            }
        }
        let instructions = commands.into_iter().map(|command| Instruction { command, span });
        self.blocks[transition.block.index()].commands.splice(0..0, instructions);
    }
}

/// The blocks that control can reach, straight lines joined, renumbered in
/// their order.
pub(super) fn tidy(mut blocks: Vec<OpenBlock>) -> Vec<Block> {
    skip_empty(&mut blocks);
    join_lines(&mut blocks);
    let reached = reached(&blocks);
    let mut number = vec![BlockId(0); blocks.len()];
    let mut count = 0;
    for (index, number) in number.iter_mut().enumerate() {
        if reached[index] {
            *number = BlockId::at(count);
            count += 1;
        }
    }
    let kept = blocks.into_iter().zip(&reached).filter(|(_, reached)| **reached);
    kept.map(|(block, _)| Block {
        commands: block.commands,
        terminator: renumbered(block.terminator.unwrap_or(Terminator::Halt), |id| {
            number[id.index()]
        }),
        span: block.span,
    })
    .collect()
}

fn renumbered(terminator: Terminator, number: impl Fn(BlockId) -> BlockId) -> Terminator {
    match terminator {
        Terminator::Goto(next) => Terminator::Goto(number(next)),
        Terminator::Branch { condition, then, otherwise } => {
            Terminator::Branch { condition, then: number(then), otherwise: number(otherwise) }
        }
        Terminator::Switch { value, cases, default } => Terminator::Switch {
            value,
            cases: cases.into_iter().map(|(low, high, next)| (low, high, number(next))).collect(),
            default: number(default),
        },
        Terminator::Return(value) => Terminator::Return(value),
        Terminator::Halt => Terminator::Halt,
    }
}

/// Lets edges to empty blocks go on to where those go.
fn skip_empty(blocks: &mut [OpenBlock]) {
    let next: Vec<Option<BlockId>> = blocks
        .iter()
        .map(|block| match block.terminator {
            Some(Terminator::Goto(next)) if block.commands.is_empty() && !block.is_header => {
                Some(next)
            }
            _ => None,
        })
        .collect();
    let mut resolved: Vec<BlockId> = (0..blocks.len()).map(BlockId::at).collect();
    // Backwards, since most edges lead to later blocks, which are known then.
    for index in (0..blocks.len()).rev() {
        let mut block = BlockId::at(index);
        // A cycle of empty blocks (`l: goto l;`) ends at some block of it.
        for _ in 0..=next.len() {
            let Some(following) = next[block.index()] else { break };
            block = following;
            if following.index() > index {
                block = resolved[following.index()];
                break;
            }
        }
        resolved[index] = block;
    }
    for block in blocks {
        if let Some(terminator) = block.terminator.take() {
            block.terminator = Some(renumbered(terminator, |id| resolved[id.index()]));
        }
    }
}

/// Appends a block to the only block that leads to it and only to it.
fn join_lines(blocks: &mut [OpenBlock]) {
    let reached = reached(blocks);
    let mut entries = vec![0_usize; blocks.len()];
    entries[0] = 1;
    for (block, _) in blocks.iter().zip(&reached).filter(|(_, reached)| **reached) {
        for next in block.terminator.iter().flat_map(Terminator::successors) {
            entries[next.index()] += 1;
        }
    }
    for index in 0..blocks.len() {
        while let Some(Terminator::Goto(next)) = blocks[index].terminator {
            let next = next.index();
            let is_line = entries[next] == 1 && reached[index] && next != index && next != 0;
            if !is_line || blocks[index].is_header || blocks[next].is_header {
                break;
            }
            let commands = std::mem::take(&mut blocks[next].commands);
            let terminator = blocks[next].terminator.take();
            let span = blocks[next].span;
            entries[next] = 0;
            blocks[index].commands.extend(commands);
            blocks[index].terminator = terminator;
            blocks[index].span = span;
        }
    }
}

/// Which blocks control can reach from the first.
fn reached(blocks: &[OpenBlock]) -> Vec<bool> {
    let mut reached = vec![false; blocks.len()];
    let mut work = vec![0];
    while let Some(index) = work.pop() {
        if !std::mem::replace(&mut reached[index], true) {
            let successors = blocks[index].terminator.iter().flat_map(Terminator::successors);
            work.extend(successors.map(BlockId::index));
        }
    }
    reached
}
