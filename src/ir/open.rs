//! What is known of a function that is analysed by itself, called from anywhere:
//! where pointers come in, and what they may point at by their types.
//!
//! Types are a hint for the search for a precondition (`prove::precondition`);
//! what is found is proved sufficient without them.

use super::{
    Block, Callee, Command, Expr, HavocSource, Instruction, IntKind, Procedure, ProcedureId,
    Program, Terminator, Variable, VariableInfo,
};
use base::source::Span;
use base::typed_index;

typed_index!(
    /// A type of objects that pointers point at.
    LayoutId
);

typed_index!(
    /// A member of a structure. What is accessed as one member is no other one (C11 6.5p7): with
    /// this number are all those that may lie in a union.
    MemberId
);

impl MemberId {
    /// All members of unions, and of structures in these.
    pub const UNITED: Self = Self(0);
}

impl HavocSource {
    /// What the inputs are called before their names that a caller hands over.
    pub const HANDED: &'static str = "handed over: ";
    /// The same of those that say whether a pointer leads to an object, or else is null.
    pub const LEADS: &'static str = "handed over, null or not: ";
    /// The input that says which part of an expression is evaluated first, where C leaves it open
    /// (C11 6.5p3).
    pub const ORDER: &'static str = "$order of evaluation";
    /// An input that says what others do meanwhile, such as other threads.
    pub const OTHERS: &'static str = "$others";
    /// An input that stands for all that a function does which has no body.
    pub const OUTSIDE: &'static str = "$outside";
}

/// The function, and what comes in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpenEntry {
    /// The function; the program's entry calls it once.
    pub procedure: ProcedureId,
    /// The parameters and globals that hold pointers when it is called.
    pub pointers: Vec<(Variable, LayoutId)>,
    /// The parameters and globals that hold addresses of functions when it is called.
    pub functions: Vec<Variable>,
    /// The types of the objects behind pointers.
    pub layouts: Vec<Layout>,
    /// The calls through pointers that may give up memory which they are handed, as the
    /// pointers' names say.
    pub givers: Vec<Span>,
    /// The variables that hold what was handed to functions of which nothing is known: no variables
    /// of the program itself.
    pub holders: Vec<Variable>,
    /// The procedures whose addresses the file takes somewhere: these may come in, too.
    pub callbacks: Vec<ProcedureId>,
    /// Whether members of unions are used that may hold addresses.
    pub has_unions: bool,
    /// What loads and stores of scalars, and copies, access at a place, by place: members of structures.
    /// Those at other places may access anything.
    pub members: Vec<(Span, Vec<MemberId>)>,
}

/// How objects of a type lie in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// What the program calls the type.
    pub name: String,
    /// Bytes of an object.
    pub bytes: i64,
    /// The pointers in it, by rising offset.
    pub pointers: Vec<PointerField>,
    /// The integers in it, by rising offset, that share no bytes with pointers.
    pub numbers: Vec<NumberField>,
}

/// An integer in an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NumberField {
    /// What the program calls it.
    pub name: String,
    /// Bytes from the start of the object.
    pub offset: i64,
    /// Its type.
    pub kind: IntKind,
}

/// A pointer in an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PointerField {
    /// What the program calls it.
    pub name: String,
    /// Bytes from the start of the object.
    pub offset: i64,
    /// What it points at, where that has a size.
    pub target: Option<LayoutId>,
    /// Whether it points at a function or at an object.
    pub sort: PointerSort,
}

/// What a pointer points at by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerSort {
    /// An object, perhaps of a type without size.
    Object,
    /// A function.
    Function,
}

impl NumberField {
    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> i64 {
        i64::from(self.kind.bits.div_ceil(8))
    }
}

impl OpenEntry {
    /// What loads and stores of scalars, and copies, access at a place; nothing, if that is not known.
    #[must_use]
    pub fn members_at(&self, place: Span) -> &[MemberId] {
        let found = self.members.binary_search_by_key(&place, |(place, _)| *place);
        found.map_or(&[], |it| &self.members[it].1)
    }

    /// The type with this index.
    #[must_use]
    pub fn layout(&self, id: LayoutId) -> &Layout {
        &self.layouts[id.index()]
    }

    /// The fields of a type that point at objects of the same type.
    pub fn links(&self, id: LayoutId) -> impl Iterator<Item = &PointerField> {
        self.layout(id).pointers.iter().filter(move |field| field.target == Some(id))
    }
}

impl Program {
    /// The program whose entry calls this procedure, with arbitrary arguments.
    #[must_use]
    pub fn opened_at(mut self, procedure: ProcedureId) -> Self {
        let entry = ProcedureId::at(self.procedures.len());
        let mut commands = Vec::new();
        let mut arguments: Vec<Expr> = Vec::new();
        for parameter in self.procedure(procedure).parameters.clone() {
            let (name, ty) = (format!("$argument{}", arguments.len()), self.variable(parameter).ty);
            let target = Variable::at(self.variables.len());
            let span = Span::NOWHERE;
            self.variables.push(VariableInfo { name, ty, owner: Some(entry), span });
            let source = HavocSource::Approximation("argument of the entry".to_owned());
            commands.push(Command::Havoc { target, source });
            arguments.push(target.into());
        }
        commands.push(Command::Call { target: None, callee: Callee::Direct(procedure), arguments });
        let instruction = |command| Instruction { command, span: Span::NOWHERE };
        let block = Block {
            commands: commands.into_iter().map(instruction).collect(),
            terminator: Terminator::Halt,
            span: Span::NOWHERE,
        };
        self.procedures.push(Procedure {
            shortcut: None,
            name: "$start".to_owned(),
            parameters: Vec::new(),
            lasting: Vec::new(),
            result: None,
            blocks: vec![block],
            span: Span::NOWHERE,
        });
        self.entry = entry;
        self.open = Some(OpenEntry {
            procedure,
            pointers: Vec::new(),
            functions: Vec::new(),
            layouts: Vec::new(),
            givers: Vec::new(),
            holders: Vec::new(),
            callbacks: Vec::new(),
            has_unions: true,
            members: Vec::new(),
        });
        self
    }
}
