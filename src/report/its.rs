//! The transition system that the shape analysis leaves behind, in the style of
//! the termination competition: SMT-LIB text for tools that rank integers.
//!
//! A location is an abstract state at a cutpoint. All locations share one list of
//! variables; a step says nothing about those that its ends do not have, so that
//! they are arbitrary.

use super::Location;
use super::story::{names_of_integers, span_of};
use descent::Edge;
use evidence::certificate::{Certificate, CertifiedNode};
use ir::Program;
use logic::{Constraint, Integer, LinearExpr, Relation, Var};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What the format wants before every system.
const DEFINITIONS: &str = "(define-fun cfg_init ( (pc Loc) (src Loc) (rel Bool) ) Bool
  (and (= pc src) rel))

(define-fun cfg_trans2 ( (pc Loc) (src Loc)
                         (pc1 Loc) (dst Loc)
                         (rel Bool) ) Bool
  (and (= pc src) (= pc1 dst) rel))

(define-fun cfg_trans3 ( (pc Loc) (exit Loc)
                         (pc1 Loc) (call Loc)
                         (pc2 Loc) (return Loc)
                         (rel Bool) ) Bool
  (and (= pc exit) (= pc1 call) (= pc2 return) rel))
";

/// The ranked system of an argument, or of an attempt at one. If no path of what
/// is printed is infinite, the program terminates.
#[must_use]
pub fn print(program: &Program, certificate: &Certificate) -> String {
    let places = Places::of(program, certificate);
    let variables = Variables::of(program, certificate);
    let mut text = String::from(
        "; The abstract states at cutpoints and the steps between them. If every path\n\
         ; from the first ends, the program terminates.\n",
    );
    for (name, meaning) in places.names.iter().zip(&places.meanings) {
        if !name.is_empty() {
            let _ = writeln!(text, "; {name}: {}", meaning.replace(char::is_control, " "));
        }
    }
    let used: Vec<&str> =
        places.names.iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
    text.push_str("(declare-sort Loc 0)\n");
    for name in &used {
        let _ = writeln!(text, "(declare-const {name} Loc)");
    }
    let _ = writeln!(text, "(assert (distinct {}))\n\n{DEFINITIONS}", used.join(" "));
    let header = |step: &str| {
        let parameters: String =
            variables.all.iter().map(|name| format!(" ({name}^{step} Int)")).collect();
        format!("(pc^{step} Loc){parameters}")
    };
    let start = places.names.first().map_or("start", String::as_str);
    let _ = writeln!(text, "(define-fun init_main ( {} ) Bool", header("0"));
    let _ = writeln!(text, "  (cfg_init pc^0 {start} true))\n");
    let _ = writeln!(
        text,
        "(define-fun next_main (\n    {}\n    {}\n  ) Bool\n  (or",
        header("0"),
        header("post")
    );
    let system = certificate.system();
    for edge in &system.edges {
        let (from, to) = (&places.names[edge.from], &places.names[edge.to]);
        let relation = variables.relation(edge);
        let _ = writeln!(text, "    (cfg_trans2 pc^0 {from} pc^post {to} {relation})");
    }
    if system.edges.is_empty() {
        let _ = writeln!(text, "    (cfg_trans2 pc^0 {start} pc^post {start} false)");
    }
    text.push_str("  )\n)\n");
    text
}

/// Names of locations and what they are; empty for states that the start does not
/// reach.
struct Places {
    names: Vec<String>,
    meanings: Vec<String>,
}

impl Places {
    fn of(program: &Program, certificate: &Certificate) -> Self {
        let mut used = BTreeSet::new();
        let (mut names, mut meanings) = (Vec::new(), Vec::new());
        for (position, node) in certificate.nodes.iter().enumerate() {
            let (name, meaning) = match (position, &node.steps) {
                (_, None) => (String::new(), String::new()),
                (0, _) => ("start".to_owned(), "the start of the program".to_owned()),
                (_, Some(_)) => Self::describe(program, certificate, node),
            };
            names.push(if name.is_empty() { name } else { unused(&mut used, &name) });
            meanings.push(meaning);
        }
        Self { names, meanings }
    }

    fn describe(
        program: &Program,
        certificate: &Certificate,
        node: &CertifiedNode,
    ) -> (String, String) {
        let Some(site) = node.place.site() else {
            let entry = node.place.entry.and_then(|entry| certificate.nodes.get(entry.index()));
            let procedure = entry.and_then(|entry| entry.place.site());
            let name = procedure.map_or("", |site| &program.procedure(site.procedure).name);
            return (symbol(&format!("return_{name}")), format!("`{name}` has returned"));
        };
        let procedure = program.procedure(site.procedure);
        let span = span_of(program, site);
        if node.place.is_entry() && site.procedure != program.entry {
            let name = symbol(&format!("call_{}", procedure.name));
            return (name, format!("a call of `{}`", procedure.name));
        }
        let location = Location::of_span(span, &program.sources);
        let meaning = format!("the loop at {} in `{}`", location.describe(), procedure.name);
        (symbol(&format!("{}_{}", procedure.name, span.line)), meaning)
    }
}

/// The shared variables, and those of each location.
struct Variables {
    all: Vec<String>,
    /// By location and position.
    of: Vec<Vec<String>>,
}

impl Variables {
    fn of(program: &Program, certificate: &Certificate) -> Self {
        let (mut all, mut of) = (Vec::new(), Vec::new());
        let mut known = BTreeSet::new();
        for node in &certificate.nodes {
            let mut names = Vec::new();
            if node.steps.is_some() {
                let mut used = BTreeSet::new();
                let wanted = names_of_integers(program, &node.state);
                names.extend(wanted.iter().map(|name| unused(&mut used, &symbol(name))));
            }
            for name in &names {
                if known.insert(name.clone()) {
                    all.push(name.clone());
                }
            }
            of.push(names);
        }
        Self { all, of }
    }

    fn relation(&self, edge: &Edge) -> String {
        let ends = |step: &str, location: usize, variables: &[Var]| -> Vec<(Var, String)> {
            let names = self.of[location].iter().map(|name| format!("{name}^{step}"));
            variables.iter().copied().zip(names).collect()
        };
        let mut names: BTreeMap<Var, String> = BTreeMap::new();
        names.extend(ends("0", edge.from, &edge.relation.pre));
        names.extend(ends("post", edge.to, &edge.relation.post));
        let constraints = &edge.relation.constraints;
        let mut others = String::new();
        for variable in constraints.iter().flat_map(|c| c.expr().variables()) {
            names.entry(variable).or_insert_with(|| {
                let name = format!("other{}", variable.0);
                let _ = write!(others, "({name} Int)");
                name
            });
        }
        let texts: Vec<String> = constraints.iter().map(|c| comparison(c, &names)).collect();
        let body = match texts.as_slice() {
            [] => "true".to_owned(),
            [only] => only.clone(),
            several => format!("(and {})", several.join(" ")),
        };
        if others.is_empty() { body } else { format!("(exists ({others}) {body})") }
    }
}

/// `left <= right` or `left = right`, without negative terms.
fn comparison(constraint: &Constraint, names: &BTreeMap<Var, String>) -> String {
    let expr = constraint.expr();
    let operator = match constraint.relation() {
        Relation::AtMost => "<=",
        Relation::Equal => "=",
    };
    format!("({operator} {} {})", positive_part(expr, names), positive_part(&expr.neg(), names))
}

/// The terms with positive factors.
fn positive_part(expr: &LinearExpr, names: &BTreeMap<Var, String>) -> String {
    let mut terms = Vec::new();
    for (variable, factor) in expr.terms() {
        let name = names.get(variable).map_or("0", String::as_str);
        match factor.signum() {
            1 if factor.is_one() => terms.push(name.to_owned()),
            1 => terms.push(format!("(* {factor} {name})")),
            _ => {}
        }
    }
    let constant = expr.constant_part();
    if constant.signum() > 0 || terms.is_empty() {
        let shown = if constant.signum() > 0 { constant.clone() } else { Integer::ZERO };
        terms.push(shown.to_string());
    }
    match terms.as_slice() {
        [only] => only.clone(),
        several => format!("(+ {})", several.join(" ")),
    }
}

/// The name as a symbol of SMT-LIB: letters, digits and single underscores.
fn symbol(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() {
            text.push(character);
        } else if !text.is_empty() && !text.ends_with('_') {
            text.push('_');
        }
    }
    let text = text.trim_end_matches('_');
    match text.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => text.to_owned(),
        _ => format!("n{text}"),
    }
}

/// The name, or with a number behind it, and not used yet.
fn unused(used: &mut BTreeSet<String>, name: &str) -> String {
    if used.insert(name.to_owned()) {
        return name.to_owned();
    }
    let mut number = 2_usize;
    while !used.insert(format!("{name}_{number}")) {
        number += 1;
    }
    format!("{name}_{number}")
}
