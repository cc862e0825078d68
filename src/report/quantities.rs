//! The numbers of an abstract state in the program's terms.

use heap::print::name_of;
use heap::shape::{Order, ShapeLibrary};
use heap::state::{Kind, State};
use heap::{Atom, FloatingCell, Instance, Region};
use ir::forms::{FormId, Part};
use ir::{MemoryKind, Program};
use logic::equalities::Equalities;
use logic::{Integer, LinearExpr, Var};
use std::fmt::Write as _;

/// How many fields a name may follow: `x->next->next`.
const MAX_STEPS: u32 = 2;

/// When a whole number has changed that gets smaller or larger.
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// Whether it may begin anew where something else goes on: the loop around, say.
    pub(super) is_within: bool,
    /// Whether there are several abstract states at the place.
    pub(super) has_cases: bool,
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("by at least 1 at any later time")?;
        if self.is_within {
            f.write_str(" before the loop is left")?;
        }
        if self.has_cases {
            f.write_str(" in the same case")?;
        }
        Ok(())
    }
}

/// Names the numbers of a state in the program's terms.
pub(super) struct Quantities<'a> {
    program: &'a Program,
    state: &'a State,
    /// What the numbers equal each other in.
    equalities: Equalities,
}

impl<'a> Quantities<'a> {
    pub(super) fn of_state(program: &'a Program, state: &'a State) -> Self {
        let mut equalities = Equalities::default();
        for constraint in state.facts.numbers.equalities() {
            equalities.add(constraint.expr());
        }
        Self { program, state, equalities }
    }

    /// The difference of two values, if it is always the same.
    fn difference(&self, left: &LinearExpr, right: &LinearExpr) -> Option<i64> {
        let (reduced, scale) = self.equalities.reduce(&left.sub(right));
        let constant = reduced.as_constant()?;
        scale.divides(constant).then(|| constant.div_exact(&scale).to_i64())?
    }

    /// The expression without numbers that are always the same.
    pub(super) fn fixed(&self, expression: &LinearExpr) -> LinearExpr {
        expression.map(|variable| {
            let value = LinearExpr::var(variable);
            match self.difference(&value, &LinearExpr::zero()) {
                Some(number) => LinearExpr::constant(number),
                None => value,
            }
        })
    }

    /// The pairs of states s and later t in which a function decreases that was not
    /// negative, in words. Nothing for a constant.
    pub(super) fn relation(&self, function: &LinearExpr, times: Times) -> Option<String> {
        let terms = function.terms();
        let factor = terms.iter().fold(Integer::ZERO, |gcd, (_, number)| gcd.gcd(number));
        if factor.is_zero() {
            return None;
        }
        // f = factor * e + constant >= 0, for integers.
        if terms.iter().any(|(variable, _)| !self.is_named(*variable)) {
            return None;
        }
        let bound = function.constant_part().div_floor(&factor);
        let divided = terms.iter().map(|(variable, number)| (*variable, number.div_exact(&factor)));
        let e = LinearExpr::from_terms(divided, Integer::ZERO);
        if e.terms().iter().all(|(_, number)| number.is_negative()) {
            let name = quoted(&self.expression(&e.neg()));
            return Some(format!("{name} is at most {bound} here, and larger {times}"));
        }
        let name = quoted(&self.expression(&e));
        let is_length = e.as_var().is_some_and(|it| self.instance_of_depth(it).is_some());
        let least = if is_length { (-bound).max(Integer::ZERO) } else { -bound };
        Some(format!("{name} is at least {least} here, and smaller {times}"))
    }

    /// What decreases, as an expression and as a clause; nothing if it is
    /// constant. Several functions are phases: the next one decreases as soon as
    /// those before are negative.
    pub(super) fn descent(
        &self,
        phases: &[LinearExpr],
        library: &ShapeLibrary,
    ) -> Option<(String, String)> {
        if let [only] = phases {
            let clause = self.clause(only, library);
            return only.as_constant().is_none().then(|| (self.expression(only), clause));
        }
        let texts: Vec<String> = phases.iter().map(|it| self.expression(it)).collect();
        let clauses: Vec<String> = phases.iter().map(|it| self.clause(it, library)).collect();
        let clauses = format!("in phases, {}", clauses.join(", then "));
        (!phases.is_empty()).then(|| (format!("<{}>", texts.join(", ")), clauses))
    }

    /// `… gets smaller`, as a clause. What is added to a measure, and what it is
    /// multiplied by, does not matter here.
    fn clause(&self, measure: &LinearExpr, library: &ShapeLibrary) -> String {
        let factor =
            measure.terms().iter().fold(Integer::from(0), |gcd, (_, number)| gcd.gcd(number));
        if factor.is_zero() {
            return "nothing changes".to_owned();
        }
        let terms =
            measure.terms().iter().map(|(variable, number)| (*variable, number.div_exact(&factor)));
        let measure = LinearExpr::from_terms(terms, Integer::from(0));
        if let Some(instance) = measure.as_var().and_then(|only| self.instance_of_depth(only)) {
            let shape = library.get(instance.shape);
            let (what, smaller) = match shape.order() {
                Order::Linear => ("list", "shorter"),
                Order::None => (shape.name.as_str(), "smaller"),
            };
            return match self.start_of(instance) {
                Some(start) => format!("the {what} from `{start}` gets {smaller}"),
                None => format!("a {what} gets {smaller}"),
            };
        }
        if let Some(unnamed) = self.clause_of_unnamed(&measure) {
            return unnamed;
        }
        if measure.terms().iter().all(|(_, number)| number.is_negative()) {
            let grown = quoted(&self.expression(&measure.neg()));
            return format!("{grown} gets larger, up to a bound");
        }
        format!("{} gets smaller", quoted(&self.expression(&measure)))
    }

    /// The clause of a measure with parts that have no name in the program.
    fn clause_of_unnamed(&self, measure: &LinearExpr) -> Option<String> {
        let variables = measure.terms().iter().map(|(variable, _)| *variable);
        let (named, unnamed): (Vec<Var>, Vec<Var>) = variables.partition(|it| self.is_named(*it));
        if unnamed.is_empty() {
            return None;
        }
        let named: Vec<String> = named.into_iter().map(|it| quoted(&self.name(it))).collect();
        let others = if unnamed.len() == 1 { "a number" } else { "a sum of numbers" };
        let unnamed = format!("{others} that no variable holds");
        Some(match named.as_slice() {
            [] => format!("{unnamed} gets smaller"),
            named => format!("a sum of {} and {unnamed} gets smaller", named.join(", ")),
        })
    }

    /// Whether a number has a name that a person knows.
    fn is_named(&self, variable: Var) -> bool {
        let name = self.name(variable);
        let is_known = self.name_of_value(&LinearExpr::var(variable)).is_some();
        let is_depth =
            || self.instance_of_depth(variable).is_some_and(|it| self.start_of(it).is_some());
        let is_part =
            || self.pointer_by(variable).is_some() || self.part_of_block(variable).is_some();
        !name.contains('$') && (is_known || is_depth() || is_part())
    }

    /// An expression in the program's terms, what is added first.
    fn expression(&self, expression: &LinearExpr) -> String {
        let (added, taken): (Vec<_>, Vec<_>) =
            expression.terms().iter().partition(|(_, number)| !number.is_negative());
        let mut text = String::new();
        for (variable, number) in added.into_iter().chain(taken) {
            let sign = match (text.is_empty(), number.is_negative()) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let factor =
                if number.abs().is_one() { String::new() } else { format!("{}*", number.abs()) };
            let _ = write!(text, "{sign}{factor}{}", self.name(*variable));
        }
        let constant = expression.constant_part();
        match (text.is_empty(), constant.signum()) {
            (true, _) => constant.to_string(),
            (false, 0) => text,
            (false, 1..) => format!("{text} + {constant}"),
            (false, _) => format!("{text} - {}", constant.abs()),
        }
    }

    /// What a person calls a number.
    pub(super) fn name(&self, variable: Var) -> String {
        if let Some(name) = self.name_of_value(&LinearExpr::var(variable)) {
            return name;
        }
        if let Some(instance) = self.instance_of_depth(variable) {
            return match self.start_of(instance) {
                Some(start) => format!("length({start})"),
                None => format!("length{}", variable.0),
            };
        }
        self.pointer_by(variable)
            .map(|name| format!("offset({name})"))
            .or_else(|| self.part_of_block(variable))
            .unwrap_or_else(|| format!("n{}'", variable.0))
    }

    /// The pointer in whose value an address, or its offset from the start of its object, is.
    fn pointer_by(&self, part: Var) -> Option<String> {
        let stores = self.state.stores.iter().rev().flatten();
        let pointers = stores.filter(|(_, value)| {
            !value.coefficient(part).is_zero() && self.state.kind_of(value) != Kind::Integer
        });
        let mut names = pointers.map(|(variable, _)| name_of(self.program, *variable));
        names.find(|name| !name.contains('$'))
    }

    /// Where the text in a block ends that a pointer points into, or how many bytes the block has.
    fn part_of_block(&self, number: Var) -> Option<String> {
        self.state.heap.atoms.iter().find_map(|atom| {
            let Atom::Block(block) = atom else { return None };
            let is_end =
                |it: &FloatingCell| it.value.is_zero() && it.offset.as_var() == Some(number);
            let part = if block.floats().any(is_end) {
                "end"
            } else if block.size.as_var() == Some(number) {
                "size"
            } else {
                return None;
            };
            Some(format!("{part}({})", self.pointer_by(block.base)?))
        })
    }

    fn instance_of_depth(&self, depth: Var) -> Option<&Instance> {
        self.state.heap.atoms.iter().find_map(|atom| match atom {
            Atom::Instance(instance) if instance.depth.as_var() == Some(depth) => Some(instance),
            Atom::Instance(_) | Atom::Block(_) => None,
        })
    }

    /// Who points at a node of the instance.
    fn start_of(&self, instance: &Instance) -> Option<String> {
        instance.anchors().find_map(|(_, address)| self.name_of_value(address))
    }

    /// The variable or field that holds a value, perhaps plus a constant.
    fn name_of_value(&self, value: &LinearExpr) -> Option<String> {
        self.reached_value(value, MAX_STEPS).map(|named| named.text)
    }

    fn reached_value(&self, value: &LinearExpr, steps: u32) -> Option<Named> {
        self.variable_with(value).or_else(|| self.field_with(value, steps.checked_sub(1)?))
    }

    /// The variable that holds a value; innermost frame first, the user's own
    /// before made-up ones.
    fn variable_with(&self, value: &LinearExpr) -> Option<Named> {
        let stores = self.state.stores.iter().rev().flatten();
        let holders = stores.filter_map(|(variable, held)| {
            let name = name_of(self.program, *variable);
            let difference = self.difference(value, held)?;
            let form = self.program.forms.of(*variable).filter(|_| difference == 0);
            let named = Named { text: plus(&name, difference), form };
            Some((name.contains('$'), difference != 0, named))
        });
        holders.min_by_key(|(made_up, shifted, _)| (*made_up, *shifted)).map(|(_, _, named)| named)
    }

    /// The field of a known block that holds a value.
    fn field_with(&self, value: &LinearExpr, steps: u32) -> Option<Named> {
        self.state.heap.atoms.iter().find_map(|atom| {
            let Atom::Block(block) = atom else { return None };
            let cell =
                block.cells.iter().find(|cell| self.difference(&cell.value, value) == Some(0))?;
            let owner = self.reached_value(&LinearExpr::var(block.base), steps)?;
            let bytes = i64::from(cell.ty.bytes(self.program.pointer_bytes));
            let size = block.size.as_constant().and_then(Integer::to_i128);
            let part = owner.form.and_then(|form| {
                let (offset, bytes) = (i128::from(cell.offset), i128::from(bytes));
                self.program.forms.part_of_row((form, size), offset, bytes)
            });
            let is_stream = block.region.kind == MemoryKind::Stream;
            let is_whole = is_stream || size == Some(i128::from(bytes));
            let text = match &part {
                Some(part) => field(&owner.text, block.region, part),
                None if is_whole => whole(&owner.text, block.region),
                None => format!("byte {} behind {}", cell.offset, owner.text),
            };
            Some(Named { text, form: part.and_then(|it| it.pointee) })
        })
    }
}

/// What a person calls a value, and the form of what it points at.
struct Named {
    text: String,
    form: Option<FormId>,
}

/// What of a stream gets smaller when it is read.
const LEFT: &str = "what is left of ";

/// A part of a block. The block of a C variable that lives in memory stands for the variable.
fn field(owner: &str, region: Region, part: &Part) -> String {
    match region.kind {
        MemoryKind::Stream => format!("{LEFT}{owner}"),
        MemoryKind::Stack | MemoryKind::Static | MemoryKind::Constant => {
            format!("{owner}{}", part.path)
        }
        MemoryKind::Heap | MemoryKind::Alloca | MemoryKind::Any => part.behind(owner),
    }
}

/// All of a block.
fn whole(owner: &str, region: Region) -> String {
    match region.kind {
        MemoryKind::Stream => format!("{LEFT}{owner}"),
        MemoryKind::Stack | MemoryKind::Static | MemoryKind::Constant => owner.to_owned(),
        MemoryKind::Heap | MemoryKind::Alloca | MemoryKind::Any => format!("*{owner}"),
    }
}

fn plus(name: &str, difference: i64) -> String {
    match difference {
        0 => name.to_owned(),
        1.. => format!("{name} + {difference}"),
        _ => format!("{name} - {}", difference.unsigned_abs()),
    }
}

/// An expression in the way of code; what has a name in words only is no code.
fn quoted(expression: &str) -> String {
    let is_words = expression.starts_with(LEFT)
        || expression.contains(' ') && expression.chars().all(|it| it.is_alphabetic() || it == ' ');
    if is_words { expression.to_owned() } else { format!("`{expression}`") }
}
