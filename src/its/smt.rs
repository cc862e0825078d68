//! The SMT-LIB style of the termination competition.
//!
//! Read is what the format fixes: locations that are distinct, one `cfg_init`, one
//! relation of `cfg_trans2` disjuncts. Its parameters are a location and integers
//! before the step, and as many after it. Anything else is refused.

use super::lowering::{Builder, Formula, Polarity};
use super::relation::satisfy;
use super::{ErrorAt, Located, SystemError};
use ir::text::Lines;
use ir::{BinaryOp, Expr, UnaryOp, Variable};
use std::collections::{BTreeMap, BTreeSet};
use wane_grammar::sexpr::{self, Node, Tree};

type Result<T> = std::result::Result<T, ErrorAt>;

/// The goto program of a text; spans name the file `file_name`.
///
/// # Errors
/// What is wrong with the text, or is more than the format allows.
pub fn read(file_name: &str, text: &str) -> std::result::Result<Located, SystemError> {
    let lines = Lines::of(text);
    let nodes = sexpr::parse(text).map_err(|error| {
        let (start, end, message) = (error.start, error.end, error.message);
        ErrorAt { start, end, message }.located(&lines)
    })?;
    program(file_name, &nodes, &lines, text.len()).map_err(|error| error.located(&lines))
}

fn program(file_name: &str, nodes: &[Node], lines: &Lines<'_>, length: usize) -> Result<Located> {
    let system = System::of(nodes)?;
    let missing = |what: &str| ErrorAt {
        start: length,
        end: length,
        message: format!("the text has no {what}"),
    };
    let start = system.start.ok_or_else(|| missing("`cfg_init`"))?;
    let relation = system.relation.as_ref().ok_or_else(|| missing("transition relation"))?;
    let mut lowering = Lowering::new(file_name, lines, relation)?;
    let start_name = system.location(start)?;
    for step in &relation.steps {
        lowering.step(&system, step)?;
    }
    Ok(lowering.builder.finish(start_name, lines.span(start.start, start.end)))
}

fn error<T>(node: &Node, message: &str) -> Result<T> {
    Err(ErrorAt { start: node.start, end: node.end, message: message.to_owned() })
}

fn symbol(node: &Node) -> Result<&str> {
    match &node.tree {
        Tree::Symbol(name) => Ok(name),
        Tree::Number(_) | Tree::List(_) => error(node, "a name is expected here"),
    }
}

fn list(node: &Node) -> Result<&[Node]> {
    match &node.tree {
        Tree::List(nodes) => Ok(nodes),
        Tree::Symbol(_) | Tree::Number(_) => error(node, "a list is expected here"),
    }
}

/// The name at the head of a list, and the rest.
fn call(node: &Node) -> Result<(&str, &[Node])> {
    match list(node)?.split_first() {
        Some((head, rest)) => Ok((symbol(head)?, rest)),
        None => error(node, "this list is empty"),
    }
}

/// What the commands of a file say.
#[derive(Default)]
struct System<'a> {
    /// Locations that are known to be different.
    locations: BTreeSet<&'a str>,
    start: Option<&'a Node>,
    relation: Option<StepRelation<'a>>,
}

/// The parameters of the relation and its disjuncts.
struct StepRelation<'a> {
    before: &'a [Node],
    after: &'a [Node],
    steps: Vec<&'a Node>,
}

impl<'a> System<'a> {
    fn of(nodes: &'a [Node]) -> Result<Self> {
        let mut system = Self::default();
        for node in nodes {
            let (head, rest) = call(node)?;
            match (head, rest) {
                ("declare-sort" | "declare-const" | "set-logic" | "set-info" | "check-sat", _) => {}
                ("assert", [claim]) => system.assert(claim)?,
                ("define-fun", [name, parameters, _, body]) => {
                    system.define(name, parameters, body)?;
                }
                _ => return error(node, "this is no part of a transition system"),
            }
        }
        Ok(system)
    }

    fn assert(&mut self, claim: &'a Node) -> Result<()> {
        match call(claim)? {
            ("distinct", names) if self.locations.is_empty() => {
                for name in names {
                    if !self.locations.insert(symbol(name)?) {
                        return error(name, "this location is named twice");
                    }
                }
                Ok(())
            }
            _ => error(claim, "only one statement that all locations are distinct is read"),
        }
    }

    fn define(&mut self, name: &'a Node, parameters: &'a Node, body: &'a Node) -> Result<()> {
        match symbol(name)? {
            "cfg_init" | "cfg_trans2" | "cfg_trans3" => Ok(()),
            function if function.starts_with("init_") => match (call(body)?, list(parameters)?) {
                (("cfg_init", [pc, start, relation]), [first, ..])
                    if self.start.is_none()
                        && symbol(pc)? == parameter(first, "Loc")?
                        && relation.tree == Tree::Symbol("true".to_owned()) =>
                {
                    self.start = Some(start);
                    Ok(())
                }
                _ => error(body, "only one unconditional `cfg_init` is read"),
            },
            function if function.starts_with("next_") && self.relation.is_none() => {
                let parameters_list = list(parameters)?;
                if parameters_list.is_empty() || parameters_list.len() % 2 != 0 {
                    return error(parameters, "the values before and after are not as many");
                }
                let (before, after) = parameters_list.split_at(parameters_list.len() / 2);
                let steps = match call(body)? {
                    ("or", steps) => steps.iter().collect(),
                    _ => vec![body],
                };
                self.relation = Some(StepRelation { before, after, steps });
                Ok(())
            }
            _ => error(name, "only one relation `next_…` is read, and no other functions"),
        }
    }

    fn location(&self, node: &'a Node) -> Result<&'a str> {
        let name = symbol(node)?;
        if self.locations.contains(name) {
            Ok(name)
        } else {
            error(node, "this location is not among those that are distinct")
        }
    }
}

/// The name of a parameter of this sort.
fn parameter<'a>(node: &'a Node, sort: &str) -> Result<&'a str> {
    match list(node)? {
        [name, of_sort] if symbol(of_sort)? == sort => symbol(name),
        _ => error(node, &format!("a parameter of sort {sort} is expected here")),
    }
}

struct Lowering<'a> {
    builder: Builder,
    lines: &'a Lines<'a>,
    /// The names of the locations before and after.
    ends: [&'a str; 2],
    before: Vec<Variable>,
    after: Vec<Variable>,
    names: BTreeMap<&'a str, Variable>,
    /// The bound variables of the step.
    bound: Vec<Variable>,
}

impl<'a> Lowering<'a> {
    fn new(file_name: &str, lines: &'a Lines<'a>, relation: &StepRelation<'a>) -> Result<Self> {
        let mut builder = Builder::new(file_name);
        let mut names = BTreeMap::new();
        let [(pc, before), (pc1, after)] = [relation.before, relation.after]
            .map(|all| all.split_first().map_or((None, &[][..]), |(pc, rest)| (Some(pc), rest)));
        let mut variables = |parameters: &'a [Node], suffix: &str| -> Result<Vec<Variable>> {
            let mut all = Vec::with_capacity(parameters.len());
            for node in parameters {
                let name = parameter(node, "Int")?;
                let shown = format!("{}{suffix}", name.split('^').next().unwrap_or(name));
                let variable = builder.variable(&shown, lines.span(node.start, node.end));
                if names.insert(name, variable).is_some() {
                    return error(node, "this name is used twice");
                }
                all.push(variable);
            }
            Ok(all)
        };
        let (before, after) = (variables(before, "")?, variables(after, "$after")?);
        let location = |pc: Option<&'a Node>| pc.map_or(Ok(""), |pc| parameter(pc, "Loc"));
        let ends = [location(pc)?, location(pc1)?];
        Ok(Self { builder, lines, ends, before, after, names, bound: Vec::new() })
    }

    fn step(&mut self, system: &System<'a>, node: &'a Node) -> Result<()> {
        let ("cfg_trans2", [pc, from, pc1, to, relation]) = call(node)? else {
            return error(node, "only `cfg_trans2` is read here");
        };
        if [symbol(pc)?, symbol(pc1)?] != self.ends {
            return error(node, "the locations before and after are not the relation's own");
        }
        let span = self.lines.span(from.start, from.end);
        let at = self.builder.transition(system.location(from)?, span);
        let formula = self.formula(relation, Polarity::Plain)?;
        let mut unknown = std::mem::take(&mut self.bound);
        unknown.extend(&self.after);
        let at = satisfy(&mut self.builder, at, (unknown, formula), span);
        for (before, after) in self.before.iter().zip(&self.after) {
            self.builder.assign(at, *before, Expr::Variable(*after), span);
        }
        let to_span = self.lines.span(to.start, to.end);
        self.builder.go_to(at, system.location(to)?, to_span);
        Ok(())
    }

    fn formula(&mut self, node: &'a Node, polarity: Polarity) -> Result<Formula> {
        if let Tree::Symbol(name) = &node.tree {
            return match name.as_str() {
                "true" => Ok(polarity.all(Vec::new())),
                "false" => Ok(polarity.flipped().all(Vec::new())),
                _ => error(node, "a condition is expected here"),
            };
        }
        let (head, rest) = call(node)?;
        let parts = |this: &mut Self, polarity: Polarity| -> Result<Vec<Formula>> {
            rest.iter().map(|part| this.formula(part, polarity)).collect()
        };
        match (head, rest) {
            ("and", _) => Ok(polarity.all(parts(self, polarity)?)),
            ("or", _) => Ok(polarity.flipped().all(parts(self, polarity)?)),
            ("not", [inner]) => self.formula(inner, polarity.flipped()),
            ("=>", [left, right]) => {
                let left = self.formula(left, polarity.flipped())?;
                Ok(polarity.flipped().all(vec![left, self.formula(right, polarity)?]))
            }
            ("exists", [bound, inner]) if polarity == Polarity::Plain => self.exists(bound, inner),
            ("=", _) => self.comparison(BinaryOp::Equal, node, polarity),
            ("distinct", [_, _]) => self.comparison(BinaryOp::NotEqual, node, polarity),
            ("<", _) => self.comparison(BinaryOp::Less, node, polarity),
            ("<=", _) => self.comparison(BinaryOp::LessEqual, node, polarity),
            (">", _) => self.comparison(BinaryOp::Greater, node, polarity),
            (">=", _) => self.comparison(BinaryOp::GreaterEqual, node, polarity),
            _ => error(node, "this condition is not read"),
        }
    }

    /// The variables get values in advance.
    fn exists(&mut self, bound: &'a Node, inner: &'a Node) -> Result<Formula> {
        let mut hidden = Vec::new();
        for node in list(bound)? {
            let name = parameter(node, "Int")?;
            let span = self.lines.span(node.start, node.end);
            let variable = self.builder.variable(&format!("{name}$any"), span);
            self.bound.push(variable);
            hidden.push((name, self.names.insert(name, variable)));
        }
        let formula = self.formula(inner, Polarity::Plain);
        for (name, outer) in hidden.into_iter().rev() {
            match outer {
                Some(outer) => self.names.insert(name, outer),
                None => self.names.remove(name),
            };
        }
        formula
    }

    /// `a < b < c` means that both comparisons hold.
    fn comparison(
        &mut self,
        operator: BinaryOp,
        node: &'a Node,
        polarity: Polarity,
    ) -> Result<Formula> {
        let (_, arguments) = call(node)?;
        if arguments.len() < 2 {
            return error(node, "a comparison has at least two sides");
        }
        let terms = arguments.iter().map(|term| self.term(term)).collect::<Result<Vec<_>>>()?;
        let pairs = terms
            .windows(2)
            .map(|pair| Formula::Compare(polarity.of(operator), pair[0].clone(), pair[1].clone()));
        Ok(polarity.all(pairs.collect()))
    }

    fn term(&mut self, node: &'a Node) -> Result<Expr> {
        match &node.tree {
            Tree::Number(digits) => match digits.parse() {
                Ok(number) => Ok(Expr::Constant(number)),
                Err(_) => error(node, "the number is too large"),
            },
            Tree::Symbol(name) => self.value(node, name),
            Tree::List(_) => {
                let (head, rest) = call(node)?;
                let mut terms = rest
                    .iter()
                    .map(|term| self.term(term))
                    .collect::<Result<Vec<_>>>()?
                    .into_iter();
                let Some(first) = terms.next() else {
                    return error(node, "an operator has arguments");
                };
                match (head, rest.len()) {
                    ("-", 1) => Ok(Expr::Unary(UnaryOp::Negate, Box::new(first))),
                    ("-", _) => {
                        Ok(terms.fold(first, |l, r| Expr::binary(BinaryOp::Subtract, l, r)))
                    }
                    ("+", _) => Ok(terms.fold(first, |l, r| Expr::binary(BinaryOp::Add, l, r))),
                    ("*", _) => {
                        Ok(terms.fold(first, |l, r| Expr::binary(BinaryOp::Multiply, l, r)))
                    }
                    _ => error(node, "this operation is not read"),
                }
            }
        }
    }

    /// A variable; some writers print negative numbers as one token.
    fn value(&self, node: &Node, name: &str) -> Result<Expr> {
        if let Some(variable) = self.names.get(name) {
            return Ok(Expr::Variable(*variable));
        }
        let is_number =
            name.strip_prefix('-').is_some_and(|it| it.bytes().all(|b| b.is_ascii_digit()));
        match name.parse() {
            Ok(number) if is_number => Ok(Expr::Constant(number)),
            _ => error(node, "this name is not known here"),
        }
    }
}
