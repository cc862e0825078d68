//! What pointers may hold: where in objects of which size, and whose objects.

use super::super::sum::{Sum, sum};
use super::{Need, beyond, typed};
use crate::cutpoint::CallGraph;
use crate::liveness::Liveness;
use crate::slice::tables::with_gaps;
use crate::{
    Block, Callee, Command, Expr, HavocSource, MemoryKind, ProcedureId, Program, ScalarType,
    Terminator, Variable,
};
use std::collections::BTreeSet;

/// A pointer variable, or the result of a procedure: with the numbers of variables first.
pub(super) type Holder = usize;

/// All bytes of an object.
pub(super) const WHOLE: (i128, i128) = (0, i128::MAX);

/// How a pointer gets a value.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Null.
    Null,
    /// That of another one, with so many bytes added if that is constant.
    Copy(Holder, Option<i128>),
    /// That of an untyped one, which leads to so many bytes at least where it is no block made here.
    Cast(Holder, i128),
    /// Null or the start of a live object of so many bytes.
    Typed(i128),
    /// The same, of what others may have set anew.
    Held(i128),
    /// The same, if what it is read from has such contents: the holder leads there.
    Read(Holder, i128),
    /// A new block, of so many bytes if that is constant.
    Made(Variable, MemoryKind, Option<i128>),
    /// What is not known to be of the pointer's type.
    Odd,
    /// A part of something else that has pointers.
    Part,
    /// None any more: the lifetime of its object may have ended.
    Lost,
    /// Anything.
    Wild,
}

/// Where in its object a pointer points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// It has no value.
    Nowhere,
    /// Always so many bytes behind the start; or behind null, unless that cannot be.
    At(i128, Nullness),
    /// In various places.
    Anywhere,
}

/// Whether a pointer may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nullness {
    Never,
    Maybe,
}

/// What a pointer may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    pub(super) position: Position,
    /// Each object that it points into has at least so many bytes; none for nowhere.
    pub(super) least: Option<i128>,
    /// Whether it may point into an object whose size is known.
    is_sized: bool,
    /// The blocks on the stack that it may point into, by what they are allocated for.
    pub(super) made: BTreeSet<Variable>,
    /// Whether it may be anything.
    pub(super) is_wild: bool,
    /// Whether it may point into what callers made, or what lasts.
    pub(super) is_of_others: bool,
    /// Whether it may point into what the file's own variables hold.
    pub(super) is_static: bool,
    /// Whether it may point into a table of functions that has gaps.
    is_table_with_gaps: bool,
    /// Whether it may point into what must not be written.
    pub(super) is_constant: bool,
    /// Whether what it leads to may not be what its type says, beside numbers.
    pub(super) is_odd: bool,
    /// Whether it may lead to a part of something else that has pointers.
    is_part: bool,
}

impl Pointer {
    const NONE: Self = Self {
        position: Position::Nowhere,
        least: None,
        is_sized: false,
        made: BTreeSet::new(),
        is_wild: false,
        is_of_others: false,
        is_static: false,
        is_table_with_gaps: false,
        is_constant: false,
        is_odd: false,
        is_part: false,
    };

    fn at(position: Position, least: Option<i128>) -> Self {
        Self { position, least, is_sized: least.is_some_and(|it| it > 0), ..Self::NONE }
    }

    fn absorb(&mut self, other: &Self) -> bool {
        let before = self.clone();
        self.position = match (self.position, other.position) {
            (Position::Nowhere, it) | (it, Position::Nowhere) => it,
            (Position::At(one, null), Position::At(two, or)) if one == two => {
                Position::At(one, null.max(or))
            }
            _ => Position::Anywhere,
        };
        self.least = match (self.least, other.least) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        self.is_sized |= other.is_sized;
        self.made.extend(&other.made);
        self.is_wild |= other.is_wild;
        self.is_of_others |= other.is_of_others;
        self.is_static |= other.is_static;
        self.is_table_with_gaps |= other.is_table_with_gaps;
        self.is_constant |= other.is_constant;
        self.is_odd |= other.is_odd;
        self.is_part |= other.is_part;
        *self != before
    }

    fn moved(&self, by: Option<i128>) -> Self {
        let position = match (self.position, by) {
            (Position::At(at, null), Some(by)) => Position::At(at + by, null),
            (Position::Nowhere, _) => Position::Nowhere,
            _ => Position::Anywhere,
        };
        Self { position, ..self.clone() }
    }

    pub(super) fn is_untyped_start(&self) -> bool {
        self.is_lasting() && !self.is_sized && matches!(self.position, Position::At(0, _))
    }

    /// Whether what lies where it points is what callers made, or what lasts.
    pub(super) fn is_lasting(&self) -> bool {
        self.made.is_empty() && !self.is_wild
    }
}

/// What all pointers of a program may hold.
pub(super) struct Pointers {
    /// By holder.
    all: Vec<Pointer>,
    /// By holder.
    sources: Vec<Vec<Source>>,
    n_variables: usize,
    /// The blocks that must not be written later.
    constants: BTreeSet<Variable>,
    /// Whether pointers to such are kept where others can read them.
    keeps_constants: bool,
    /// Tables of functions that have gaps.
    tables: BTreeSet<Variable>,
}

impl Pointers {
    /// Of a program about a function by itself: what comes in, by variable, and which cells tell
    /// what is read. Nothing where memory may be given up, or is made that nobody keeps.
    pub(super) fn of(
        program: &Program,
        (inputs, odd): (&BTreeSet<Variable>, &BTreeSet<Variable>),
        (told, needs): (&BTreeSet<Variable>, &[Need]),
    ) -> Option<Self> {
        let n_variables = program.variables.len();
        let n_holders = n_variables + program.procedures.len();
        let mut pointers = Self {
            all: vec![Pointer::NONE; n_holders],
            sources: vec![Vec::new(); n_holders],
            n_variables,
            constants: constants(program),
            tables: with_gaps(program),
            keeps_constants: false,
        };
        let liveness = Liveness::of_program(program);
        let may_give_up = needs.contains(&Need::Owned);
        let reader = Reader { program, inputs, odd, told, liveness, may_give_up };
        for input in inputs {
            let source = match odd.contains(input) {
                true => Source::Wild,
                false if told.contains(input) => Source::Held(bytes_behind(program, *input)),
                false => Source::Typed(bytes_behind(program, *input)),
            };
            pointers.sources[input.index()].push(source);
        }
        let calls = CallGraph::of_program(program);
        for id in calls.reachable([program.entry]) {
            for id in program.entered(id) {
                reader.procedure(id, &mut pointers)?;
            }
        }
        pointers.solve();
        pointers.lose_freed(program);
        for block in reader.used_after_their_end() {
            pointers.sources[block.index()].push(Source::Lost);
        }
        for pointer in beyond::pointers(program) {
            if pointers.all[pointer.index()].is_part {
                pointers.sources[pointer.index()].push(Source::Odd);
            }
        }
        pointers.keeps_constants = pointers.stores_constants(program);
        pointers.solve();
        Some(pointers)
    }

    pub(super) fn of_variable(&self, variable: Variable) -> &Pointer {
        &self.all[variable.index()]
    }

    pub(super) fn result(&self, procedure: ProcedureId) -> Holder {
        self.n_variables + procedure.index()
    }

    fn solve(&mut self) {
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for holder in 0..self.all.len() {
                for index in 0..self.sources[holder].len() {
                    let value = self.value(self.sources[holder][index]);
                    is_changed |= self.all[holder].absorb(&value);
                }
            }
        }
    }

    fn value(&self, source: Source) -> Pointer {
        let typed = |bytes| Pointer {
            is_of_others: true,
            ..Pointer::at(Position::At(0, Nullness::Maybe), Some(bytes))
        };
        let wild = Pointer { is_wild: true, ..Pointer::at(Position::Anywhere, Some(0)) };
        match source {
            Source::Null => Pointer::at(Position::At(0, Nullness::Maybe), None),
            Source::Copy(from, by) => self.all[from].moved(by),
            Source::Cast(from, bytes) if self.all[from].is_untyped_start() => {
                Pointer { least: Some(bytes), ..self.all[from].clone() }
            }
            Source::Cast(from, _) => self.all[from].clone(),
            Source::Typed(bytes) => typed(bytes),
            Source::Held(bytes) => Pointer { is_constant: self.keeps_constants, ..typed(bytes) },
            Source::Read(from, _) if self.all[from] == Pointer::NONE => Pointer::NONE,
            Source::Read(from, bytes) if self.all[from].is_lasting() && !self.all[from].is_odd => {
                Pointer { is_constant: self.keeps_constants, ..typed(bytes) }
            }
            Source::Read(..) | Source::Wild => wild,
            Source::Odd => Pointer { is_odd: true, ..Pointer::NONE },
            Source::Part => Pointer { is_part: true, ..Pointer::NONE },
            Source::Lost => Pointer::at(Position::Anywhere, None),
            Source::Made(site, kind, size) => {
                let position = Position::At(0, Nullness::Never);
                let mut made = Pointer::at(position, Some(size.unwrap_or(0)));
                made.is_sized = true;
                match kind {
                    MemoryKind::Stack | MemoryKind::Alloca => _ = made.made.insert(site),
                    _ => (made.is_of_others, made.is_static) = (true, true),
                }
                made.is_constant = self.constants.contains(&site);
                made.is_table_with_gaps = self.tables.contains(&site);
                made
            }
        }
    }

    /// What may point into a block when its lifetime ends has no value from then on.
    fn lose_freed(&mut self, program: &Program) {
        let owner = |variable: Variable| program.variable(variable).owner;
        for holder in 0..self.all.len() {
            let loses = |site: &Variable| match holder.checked_sub(self.n_variables) {
                Some(procedure) => owner(*site) == Some(ProcedureId::at(procedure)),
                None => {
                    let own = owner(Variable::at(holder));
                    holder != site.index() && (own.is_none() || own == owner(*site))
                }
            };
            if self.all[holder].made.iter().any(loses) {
                self.sources[holder].push(Source::Lost);
            }
        }
    }

    /// Whether pointers to what must not be written are kept somewhere.
    fn stores_constants(&self, program: &Program) -> bool {
        program.commands().any(|command| match command {
            Command::Store { value, .. } => sum(&program.variables, value)
                .is_some_and(|it| self.of_variable(it.pointer).is_constant),
            _ => false,
        })
    }

    /// Whether a variable only ever gets what came in.
    pub(super) fn comes_in(&self, variable: Variable) -> bool {
        let all = self.sources_of([variable.index()].into());
        let mut sources = all.into_iter().flat_map(|it| &self.sources[it]);
        !self.of_variable(variable).is_wild
            && sources.all(|it| match it {
                Source::Typed(_) | Source::Held(_) => true,
                Source::Read(from, _) => !self.all[*from].is_table_with_gaps,
                Source::Copy(_, by) => *by == Some(0),
                _ => false,
            })
    }

    /// Whether untyped pointers get types somewhere.
    pub(super) fn gives_types(&self) -> bool {
        self.sources.iter().flatten().any(|it| matches!(it, Source::Cast(..)))
    }

    /// All holders whose values these get.
    pub(super) fn sources_of(&self, wanted: BTreeSet<Holder>) -> BTreeSet<Holder> {
        let mut found = wanted.clone();
        let mut open: Vec<Holder> = wanted.into_iter().collect();
        while let Some(holder) = open.pop() {
            for source in &self.sources[holder] {
                if let Source::Copy(from, _) | Source::Cast(from, _) = source
                    && found.insert(*from)
                {
                    open.push(*from);
                }
            }
        }
        found
    }
}

/// The untyped pointer that an assignment gives a type, and how many bytes the structure has that it
/// leads to then.
fn cast(program: &Program, target: Variable, value: &Expr) -> Option<(Variable, i128)> {
    let forms = &program.forms;
    let Expr::Variable(from) = value else { return None };
    let to = forms.of(target).filter(|it| forms.is_structure(*it))?;
    let is_untyped = forms.of(*from).is_some_and(|it| forms.size(it) == 0);
    is_untyped.then_some((*from, forms.size(to)))
}

/// How many bytes the objects have at least that a pointer leads to, by its type.
pub(super) fn bytes_behind(program: &Program, pointer: Variable) -> i128 {
    program.forms.of(pointer).map_or(0, |form| program.forms.size(form))
}

/// What blocks are allocated for that must not be written later.
fn constants(program: &Program) -> BTreeSet<Variable> {
    let commands = program.commands();
    let frozen = commands.filter_map(|it| match it {
        Command::Free { address: Expr::Variable(block), kind: MemoryKind::Constant } => {
            Some(*block)
        }
        Command::Allocate { target, kind: MemoryKind::Constant, .. } => Some(*target),
        _ => None,
    });
    frozen.collect()
}

struct Reader<'a> {
    program: &'a Program,
    inputs: &'a BTreeSet<Variable>,
    /// What lies where no pointer does by its type.
    odd: &'a BTreeSet<Variable>,
    /// The variables that tell what memory holds.
    told: &'a BTreeSet<Variable>,
    liveness: Liveness,
    /// Whether blocks may be given up.
    may_give_up: bool,
}

impl Reader<'_> {
    /// The variables of blocks on the stack that are read when the block does not live any more.
    fn used_after_their_end(&self) -> Vec<Variable> {
        let mut used = Vec::new();
        for (index, procedure) in self.program.procedures.iter().enumerate() {
            let liveness = self.liveness.of(ProcedureId::at(index));
            for block in &procedure.blocks {
                liveness.walk(block, &mut |position, live| {
                    if let Command::Free { address, .. } = &block.commands[position].command {
                        used.extend(address.variables().filter(|it| live.contains(*it)));
                    }
                });
            }
        }
        used
    }

    fn procedure(&self, id: ProcedureId, pointers: &mut Pointers) -> Option<()> {
        let procedure = self.program.procedure(id);
        for block in &procedure.blocks {
            let dead = self.dead(id, block);
            for (index, instruction) in block.commands.iter().enumerate() {
                let next = block.commands.get(index + 1).map(|it| &it.command);
                if !dead.contains(&index) {
                    self.command(id, (&instruction.command, next), pointers)?;
                }
            }
            if let (Terminator::Return(Some(value)), Some(ScalarType::Pointer)) =
                (&block.terminator, procedure.result)
            {
                let source = self.value(value);
                let result = pointers.result(id);
                pointers.sources[result].push(source);
                // The type of a result is not known.
                if !matches!(value, Expr::Variable(_) | Expr::Constant(_)) {
                    pointers.sources[result].push(Source::Odd);
                }
            }
        }
        Some(())
    }

    /// The commands of a block that leave a local without a value, where nobody reads it.
    fn dead(&self, id: ProcedureId, block: &Block) -> BTreeSet<usize> {
        let liveness = self.liveness.of(id);
        let mut dead = BTreeSet::new();
        liveness.walk(block, &mut |index, live| {
            if let Command::Havoc { target, source: HavocSource::Uninitialised } =
                &block.commands[index].command
                && liveness.own_variables().contains(*target)
                && !live.contains(*target)
            {
                dead.insert(index);
            }
        });
        dead
    }

    fn is_pointer(&self, variable: Variable) -> bool {
        self.program.variable(variable).ty == ScalarType::Pointer
    }

    fn command(
        &self,
        id: ProcedureId,
        (command, next): (&Command, Option<&Command>),
        pointers: &mut Pointers,
    ) -> Option<()> {
        let is_entry = id == self.program.entry;
        let source = match command {
            // Nothing: it stands for an access outside of an object.
            Command::Allocate { target, size: Expr::Constant(0), .. } => {
                Some((*target, Some(Source::Wild)))
            }
            Command::Allocate { kind, .. }
                if !matches!(
                    kind,
                    MemoryKind::Stack
                        | MemoryKind::Alloca
                        | MemoryKind::Static
                        | MemoryKind::Constant
                ) =>
            {
                return None;
            }
            Command::Free { kind: MemoryKind::Heap, .. } if self.may_give_up => None,
            Command::Free { kind, .. }
                if !matches!(kind, MemoryKind::Stack | MemoryKind::Constant) =>
            {
                return None;
            }
            Command::Measure { .. } => return None,
            Command::Call { target, callee, arguments } => {
                let Callee::Direct(callee) = callee else { return None };
                self.call((id, *callee), (*target, arguments), pointers);
                return Some(());
            }
            command => command.target().filter(|it| self.is_pointer(*it)).map(|target| {
                let source = match command {
                    Command::Assign { value, .. } => {
                        Some(match cast(self.program, target, value) {
                            Some((from, bytes)) => Source::Cast(from.index(), bytes),
                            None => self.value(value),
                        })
                    }
                    Command::Havoc { source, .. } => Some(self.arbitrary(target, source)),
                    Command::Allocate { size, kind, .. } => {
                        let size = match size {
                            Expr::Constant(size) => Some(*size),
                            _ => None,
                        };
                        Some(Source::Made(target, *kind, size))
                    }
                    Command::Load { .. } if told(command, next, self.told).is_some() => None,
                    Command::Load { address, .. } => Some(self.read(target, address)),
                    _ => Some(Source::Wild),
                };
                (target, source)
            }),
        };
        if let Some((target, Some(source))) = source {
            let comes_in = is_entry && self.inputs.contains(&target);
            if !comes_in {
                pointers.sources[target.index()].push(source);
            }
            if let Command::Assign { value, .. } = command {
                pointers.sources[target.index()].extend(self.said_of(target, value));
            }
        }
        Some(())
    }

    fn arbitrary(&self, target: Variable, source: &HavocSource) -> Source {
        match source {
            HavocSource::Approximation(_) if self.odd.contains(&target) => Source::Wild,
            HavocSource::Approximation(_) => Source::Held(bytes_behind(self.program, target)),
            HavocSource::Uninitialised | HavocSource::Input(_) => Source::Wild,
        }
    }

    /// A pointer is read as one where one lies by the type of what it is read from, or where that
    /// has no type.
    fn read(&self, target: Variable, address: &Expr) -> Source {
        let forms = &self.program.forms;
        let Some(Sum { pointer, bytes, step, .. }) = sum(&self.program.variables, address) else {
            return Source::Wild;
        };
        let own = bytes_behind(self.program, target);
        let Some(form) = forms.of(pointer).map(|it| forms.element(it)) else { return Source::Wild };
        if forms.size(form) == 0 {
            return Source::Read(pointer.index(), own);
        }
        let Some((form, at)) = forms.within(form, (bytes, step)) else { return Source::Wild };
        let width = i128::from(self.program.pointer_bytes);
        match forms.pointee(form, at, width) {
            Some(pointee) if forms.size(pointee) > 0 => {
                Source::Read(pointer.index(), forms.size(pointee))
            }
            Some(_) => Source::Read(pointer.index(), own),
            None => Source::Wild,
        }
    }

    /// What else is said of a pointer that gets a value: that it is of another type, or a part.
    fn said_of(&self, target: Variable, value: &Expr) -> Option<Source> {
        let of = (self.program, target);
        match (typed::is_of_type(of, value), typed::is_part(of, value)) {
            (false, _) => Some(Source::Odd),
            (true, true) => Some(Source::Part),
            (true, false) => None,
        }
    }

    fn call(
        &self,
        (caller, callee): (ProcedureId, ProcedureId),
        (target, arguments): (Option<Variable>, &[Expr]),
        pointers: &mut Pointers,
    ) {
        let program = self.program;
        let callee = program.followed(callee);
        for (parameter, argument) in program.procedure(callee).parameters.iter().zip(arguments) {
            let comes_in = caller == program.entry && self.inputs.contains(parameter);
            if self.is_pointer(*parameter) && !comes_in {
                pointers.sources[parameter.index()].push(self.value(argument));
                pointers.sources[parameter.index()].extend(self.said_of(*parameter, argument));
            }
        }
        if let Some(target) = target.filter(|it| self.is_pointer(*it)) {
            let result = pointers.result(callee);
            let source = match program.procedure(callee).is_defined() {
                true => Source::Copy(result, Some(0)),
                false => Source::Typed(bytes_behind(program, target)),
            };
            pointers.sources[target.index()].push(source);
        }
    }

    fn value(&self, value: &Expr) -> Source {
        match (value, sum(&self.program.variables, value)) {
            (Expr::Constant(0), _) => Source::Null,
            (_, Some(Sum { pointer, bytes, is_constant, .. })) => {
                Source::Copy(pointer.index(), is_constant.then_some(bytes))
            }
            _ => Source::Wild,
        }
    }
}

/// The cell that tells what is read, if one does: the next command gives the variable its value.
pub(super) fn told(
    command: &Command,
    next: Option<&Command>,
    told: &BTreeSet<Variable>,
) -> Option<Variable> {
    let Some(Command::Assign { target, value: Expr::Variable(cell) }) = next else { return None };
    (command.target() == Some(*target) && told.contains(cell)).then_some(*cell)
}
