//! Preconditions, in the terms of the program.

use heap::print::{Names, name_of};
use heap::shape::ShapeLibrary;
use heap::state::State;
use heap::{ANY_SIZE, Atom, Block, Flag, Instance};
use ir::open::{Layout, LayoutId};
use ir::slice::bounds::{MemberPlace, Need};
use ir::{Command, Expr, MemoryKind, Program, ScalarType, Variable};
use logic::{Constraint, Integer, LinearExpr, Var};
use std::collections::{BTreeMap, BTreeSet};

/// What must hold when the function is called that is analysed by itself: one of
/// these, as formulas. Empty when nothing must.
#[must_use]
pub fn describe(requires: &[State], program: &Program, library: &ShapeLibrary) -> Vec<String> {
    let formulas = requires.iter().map(|state| {
        let (names, types) = (Names::of_state(state, program), types_of(state, program));
        Writer { names, types, state, program, shape_library: library }.formula()
    });
    let formulas: Vec<String> = formulas.collect();
    if formulas.iter().any(String::is_empty) { Vec::new() } else { formulas }
}

/// So many formulas are told one by one.
const TOLD: usize = 3;

/// The first of some formulas, and how many more there are.
#[must_use]
pub fn alternatives(formulas: &[String], or: &str) -> String {
    match formulas.len().saturating_sub(TOLD) {
        0 => formulas.join(or),
        1 => format!("{}, or by 1 more formula", formulas[..TOLD].join(or)),
        more => format!("{}, or by {more} more formulas", formulas[..TOLD].join(or)),
    }
}

/// What the signs mean that these formulas use beside those of C, as clauses.
#[must_use]
pub fn legend(formulas: &[String]) -> Vec<&'static str> {
    let signs: [(&[&str], &str); 5] = [
        (&["bytes("], "`bytes(p)` is how many bytes of its object lie from `p` on"),
        (&[" |-> "], "`p |-> T` says that `p` leads to a `T` of its own"),
        (&[" |-> ", " * "], "what `*` joins is apart"),
        (&["'"], "`n'`, `a'2` and the like are values that the program has no name for"),
        (
            &[" of ", " by ", ", 0)"],
            "`ls(p, 0) of T by f` is a list of `T` from `p` by `f` to null",
        ),
    ];
    let is_used = |parts: &[&str]| {
        formulas.iter().any(|formula| parts.iter().all(|part| formula.contains(part)))
    };
    signs.into_iter().filter(|(parts, _)| is_used(parts)).map(|(_, meaning)| meaning).collect()
}

/// A number that comes in has no other end.
const LARGEST: i128 = i64::MAX as i128;
/// And no other start.
const SMALLEST: i128 = i64::MIN as i128;

/// What callers have to keep to beside types, as one formula; nothing if that is nothing.
#[must_use]
pub fn of_needs(needs: &[Need], program: &Program) -> Vec<String> {
    let name = |it: Variable| &program.variable(it).name;
    let formula = |need: &Need| match *need {
        Need::NotNull(it) | Need::NotZero(it) => format!("{} != 0", name(it)),
        Need::Between(it, SMALLEST, most) => format!("{} <= {most}", name(it)),
        Need::Between(it, least, LARGEST) => format!("{least} <= {}", name(it)),
        Need::Between(it, least, most) => format!("{least} <= {} <= {most}", name(it)),
        Need::Owned => {
            "each block that is freed is from `malloc`, and one place in memory at most, \
                        which is not in it, leads there"
                .to_owned()
        }
        Need::Sole(it) => format!("no place in memory leads into *{}", name(it)),
        Need::Apart(it, other) => format!("{} and {} lead into two blocks", name(it), name(other)),
        Need::Disjoint(it, other) => {
            format!("{} and {} lead to objects that are apart", name(it), name(other))
        }
        Need::Member(member) => format!("each {} != 0", member_name(program, member)),
        Need::MemberString(member) => format!("each {} is a string", member_name(program, member)),
        Need::Bytes(it, bytes) => format!("{bytes} <= bytes({})", name(it)),
        Need::Before(it, bytes) => format!("{bytes} <= bytes before {}", name(it)),
        Need::String(it) => format!("{} is a string", name(it)),
        Need::Until { pointer, end } => {
            format!("{} - {} <= bytes({})", name(end), name(pointer), name(pointer))
        }
        Need::Elements { pointer, stride, count, more } => {
            let all = match stride {
                1 => name(count).clone(),
                _ => format!("{stride}*{}", name(count)),
            };
            let all = if more == 0 { all } else { format!("{all} + {more}") };
            format!("{all} <= bytes({})", name(pointer))
        }
    };
    let formulas: Vec<String> = needs.iter().map(formula).collect();
    if formulas.is_empty() { Vec::new() } else { vec![formulas.join(" & ")] }
}

/// What a member of structures of a type is called: `next` of `struct node`; of elements, their
/// type.
fn member_name(program: &Program, member: MemberPlace) -> String {
    let MemberPlace { structure, offset } = member;
    if !program.forms.is_structure(structure) {
        let pointee = program.forms.pointee(structure, 0, i128::from(program.pointer_bytes));
        return match pointee.map(|it| (program.forms.name(it), program.forms.size(it))) {
            Some(("", 1)) => "`char *` in an array".to_owned(),
            Some(("", _)) | None => "pointer in an array".to_owned(),
            Some((tag, _)) => format!("`struct {tag} *` in an array"),
        };
    }
    let part = program.forms.part(structure, offset, i128::from(program.pointer_bytes));
    let own = part.as_ref().map_or("pointer", |it| it.inside());
    match program.forms.name(structure) {
        "" => own.to_owned(),
        tag => format!("`{own}` of `struct {tag}`"),
    }
}

/// The types of the objects that pointers lead to.
fn types_of(state: &State, program: &Program) -> BTreeMap<Var, LayoutId> {
    let mut types = BTreeMap::new();
    let Some(open) = &program.open else { return types };
    for (variable, value) in state.stores.iter().flatten() {
        let layout = open.pointers.iter().find(|(pointer, _)| pointer == variable);
        types.extend(value.as_var().zip(layout.map(|(_, layout)| *layout)));
    }
    // Behind a block come blocks that were added after it.
    for atom in &state.heap.atoms {
        let Atom::Block(block) = atom else { continue };
        let Some(layout) = types.get(&block.base).map(|layout| open.layout(*layout)) else {
            continue;
        };
        for cell in &block.cells {
            let field = layout.pointers.iter().find(|field| field.offset == cell.offset);
            types.extend(cell.value.as_var().zip(field.and_then(|field| field.target)));
        }
    }
    types
}

/// Whether there are globals that change: objects to which the pointers that come in
/// must not point.
fn has_globals(program: &Program) -> bool {
    let constant: BTreeSet<Variable> = commands(program)
        .filter_map(|command| match command {
            Command::Free { address: Expr::Variable(block), kind: MemoryKind::Constant } => {
                Some(*block)
            }
            _ => None,
        })
        .collect();
    let mut variables = program.variables.iter().enumerate();
    variables.any(|(index, info)| {
        let is_own = info.owner.is_some() || info.name.starts_with('$');
        !is_own && !constant.contains(&Variable::at(index))
    })
}

fn commands(program: &Program) -> impl Iterator<Item = &Command> {
    let blocks = program.blocks();
    blocks.flat_map(|block| &block.commands).map(|instruction| &instruction.command)
}

struct Writer<'a> {
    names: Names,
    types: BTreeMap<Var, LayoutId>,
    state: &'a State,
    program: &'a Program,
    shape_library: &'a ShapeLibrary,
}

impl Writer<'_> {
    /// The formula; empty when it says nothing.
    fn formula(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (variable, value) in self.state.stores.iter().flatten() {
            let (left, right) = (name_of(self.program, *variable), self.expr(value));
            if left != right {
                parts.push(format!("{left} = {right}"));
            }
        }
        let numbers = self.state.facts.numbers.constraints().iter();
        let numbers = numbers.filter(|constraint| !self.is_implied(constraint));
        parts.extend(numbers.map(|constraint| constraint.display(&|it| self.name(it))));
        let nonzero = self.state.facts.nonzero.iter();
        parts.extend(nonzero.map(|value| format!("{} != 0", self.expr(value))));
        let products = self.state.facts.products.iter().map(|it| {
            let factor = if it.factor.is_one() { String::new() } else { format!("{}*", it.factor) };
            let [left, right, value] = [&it.left, &it.right, &it.value].map(|it| self.expr(it));
            let formed = format!("{factor}({left})*({right})");
            match it.range {
                None => format!("{formed} = {value}"),
                Some(kind) => {
                    let sign = if kind.signed { "" } else { "u" };
                    format!("({sign}int{}_t) ({formed}) = {value}", kind.bits)
                }
            }
        });
        parts.extend(products);
        let atoms: Vec<String> = self.state.heap.atoms.iter().map(|atom| self.atom(atom)).collect();
        if !atoms.is_empty() {
            parts.push(atoms.join(" * "));
        }
        let formula = parts.join(" & ");
        let mut notes = Vec::new();
        if !atoms.is_empty() && has_globals(self.program) {
            notes.push("apart from the globals");
        }
        // The blocks that come in must be heap blocks then.
        if !atoms.is_empty() && self.program.frees() {
            notes.push("all from `malloc`");
        }
        if notes.is_empty() { formula } else { format!("{formula} ({})", notes.join(", ")) }
    }

    /// Every instance has a node, every string ends in its block, no block is larger than any object is
    /// (PTRDIFF_MAX), and types have ranges.
    fn is_implied(&self, constraint: &Constraint) -> bool {
        self.state.heap.atoms.iter().any(|atom| match atom {
            Atom::Instance(instance) => *constraint == Constraint::ge(&instance.depth, 1),
            Atom::Block(block) if *constraint == Constraint::le(block.size.clone(), i64::MAX) => {
                true
            }
            Atom::Block(block) => {
                end_of_string(block).is_some_and(|end| {
                    let behind = LinearExpr::from(end).add_constant(1);
                    *constraint == Constraint::ge(end, 0)
                        || *constraint == Constraint::le(behind, block.size.clone())
                }) || block.cells.iter().any(|cell| match cell.ty {
                    ScalarType::Int(kind) => {
                        *constraint == Constraint::ge(cell.value.clone(), Integer::from(kind.min()))
                            || *constraint
                                == Constraint::le(cell.value.clone(), Integer::from(kind.max()))
                    }
                    ScalarType::Pointer | ScalarType::Float(_) => false,
                })
            }
        })
    }

    /// Whether something is said of a depth.
    fn is_measured(&self, depth: &LinearExpr) -> bool {
        let stated = self.state.facts.numbers.constraints().iter();
        let mut stated = stated.filter(|constraint| !self.is_implied(constraint));
        let cells = self.state.heap.atoms.iter().flat_map(|atom| match atom {
            Atom::Block(block) => block.cells.as_slice(),
            Atom::Instance(_) => &[],
        });
        let mut cells = cells.map(|cell| &cell.value);
        stated.any(|constraint| depth.variables().any(|it| constraint.expr().mentions(it)))
            || cells.any(|value| depth.variables().any(|it| value.mentions(it)))
    }

    fn atom(&self, atom: &Atom) -> String {
        match atom {
            Atom::Block(block) => self.block(block),
            Atom::Instance(instance) => self.instance(instance),
        }
    }

    /// `p |-> struct node { next: q }`.
    fn block(&self, block: &Block) -> String {
        let layout = self.layout(&block.base.into());
        let what = match (block.size.as_constant(), layout) {
            (None, _) if end_of_string(block).is_some() => "a string".to_owned(),
            (None, _) => "an array".to_owned(),
            (Some(_), Some(layout)) => layout.name.clone(),
            (Some(bytes), None) => format!("{bytes} bytes"),
        };
        let fields: Vec<String> = block
            .cells
            .iter()
            .map(|cell| format!("{}: {}", field(layout, cell.offset), self.expr(&cell.value)))
            .collect();
        let fields = match fields.as_slice() {
            [] => String::new(),
            fields => format!(" {{ {} }}", fields.join(", ")),
        };
        format!("{} |-> {what}{fields}", self.name(block.base))
    }

    /// `ls(p, 0) of struct node by next`.
    fn instance(&self, instance: &Instance) -> String {
        let arguments: Vec<String> = instance.arguments.iter().map(|it| self.expr(it)).collect();
        let mut roots = instance.anchors().map(|(_, root)| root);
        let layout = roots.find_map(|root| self.layout(root));
        let links = instance.template.links.iter().enumerate().map(|(label, offset)| {
            let link = field(layout, *offset);
            let flag = instance.template.flag_of(label);
            let says =
                |flag: &Flag| format!("{link} if {} = {}", field(layout, flag.offset), flag.leads);
            flag.map_or(link.clone(), says)
        });
        let links: Vec<String> = links.collect();
        let nodes = match layout {
            Some(layout) => layout.name.clone(),
            None if instance.template.size == ANY_SIZE => "any size".to_owned(),
            None => format!("{} bytes", instance.template.size),
        };
        let shape = &self.shape_library.get(instance.shape).name;
        let depth = match self.is_measured(&instance.depth) {
            true => format!("[{}]", self.expr(&instance.depth)),
            false => String::new(),
        };
        format!("{shape}{depth}({}) of {nodes} by {}", arguments.join(", "), links.join(", "))
    }

    /// The type of the object at an address.
    fn layout(&self, address: &LinearExpr) -> Option<&Layout> {
        let layout = self.types.get(&address.as_var()?)?;
        self.program.open.as_ref().map(|open| open.layout(*layout))
    }

    fn expr(&self, expr: &LinearExpr) -> String {
        expr.display(&|variable| self.name(variable))
    }

    /// The name of a variable; of a block's size, by its address.
    fn name(&self, variable: Var) -> String {
        let measure = self.state.heap.atoms.iter().find_map(|atom| match atom {
            Atom::Block(block) if block.size.as_var() == Some(variable) => {
                Some(("bytes", block.base))
            }
            Atom::Block(block) if end_of_string(block) == Some(variable) => {
                Some(("length", block.base))
            }
            Atom::Block(_) | Atom::Instance(_) => None,
        });
        match measure {
            Some((what, base)) => format!("{what}({})", self.names.name(base)),
            None => self.names.name(variable),
        }
    }
}

/// Where the zero of a string is, if a block holds one.
fn end_of_string(block: &Block) -> Option<Var> {
    let end = block.floating.as_ref().filter(|end| end.value.is_zero())?;
    end.offset.as_var()
}

/// What the program calls the field at an offset, or else the offset.
fn field(layout: Option<&Layout>, offset: i64) -> String {
    let pointers = layout.into_iter().flat_map(|layout| &layout.pointers);
    let numbers = layout.into_iter().flat_map(|layout| &layout.numbers);
    let mut fields = pointers.map(|it| (it.offset, &it.name));
    let mut numbers = numbers.map(|it| (it.offset, &it.name));
    let is_here = |field: &(i64, &String)| field.0 == offset;
    let field = fields.find(is_here).or_else(|| numbers.find(is_here));
    field.map_or_else(|| offset.to_string(), |(_, name)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::{alternatives, legend};

    #[test]
    fn of_many_formulas_the_first_are_told() {
        let formulas: Vec<String> = (1..6).map(|number| format!("n = {number}")).collect();
        assert_eq!(alternatives(&formulas[..3], ", or "), "n = 1, or n = 2, or n = 3");
        let told = "n = 1, or n = 2, or n = 3, or by 1 more formula";
        assert_eq!(alternatives(&formulas[..4], ", or "), told);
        let told = "n = 1, or n = 2, or n = 3, or by 2 more formulas";
        assert_eq!(alternatives(&formulas, ", or "), told);
        assert_eq!(alternatives(&[], ", or "), "");
    }

    #[test]
    fn signs_are_explained_where_they_stand() {
        let signs = |formula: &str| legend(&[formula.to_owned()]).len();
        assert_eq!(signs("p != 0 & 0 <= n"), 0);
        assert_eq!(signs("p != 0 & 4*n <= bytes(p)"), 1);
        assert_eq!(signs("p |-> struct node { next: a' }"), 2);
        assert_eq!(signs("ls(list, 0) of struct node by next"), 1);
    }
}
