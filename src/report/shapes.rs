//! The shape library as formulas, with the rules that are derived from each
//! definition.

use heap::shape::{Case, PatternAtom, PatternInstance, PatternTerm, Rule, ShapeDef, ShapeLibrary};
use std::fmt::Write as _;
use wane_grammar::shape::ast;

/// All shapes of a library, in order of definition.
#[must_use]
pub fn render(library: &ShapeLibrary) -> String {
    let shapes: Vec<String> = library.iter().map(|shape| render_shape(library, shape)).collect();
    shapes.join("\n")
}

fn render_shape(library: &ShapeLibrary, shape: &ShapeDef) -> String {
    let mut text = String::new();
    for line in &shape.doc {
        let line = format!("# {line}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let head = format!("{}({})", shape.name, shape.parameters.join(", "));
    for unfolding in &shape.unfoldings {
        let anchor = &shape.parameters[unfolding.anchor];
        let _ = writeln!(text, "{head}  taken apart at {anchor}:");
        for (position, case) in unfolding.cases.iter().enumerate() {
            let operator = if position == 0 { "  :=" } else { "   |" };
            let _ =
                writeln!(text, "{operator} {}", print_case(library, shape, unfolding.anchor, case));
        }
    }
    let _ = writeln!(text, "derived rules, the depth in brackets:");
    let mut printed: Vec<String> = Vec::new();
    for rule in &shape.rules {
        let formula = print_rule(library, shape, rule);
        // A case may occur in several unfoldings.
        if !printed.contains(&formula) {
            let _ = writeln!(text, "  {:8} {formula}", format!("{}:", rule.name));
            printed.push(formula);
        }
    }
    text
}

fn print_case(library: &ShapeLibrary, shape: &ShapeDef, anchor: usize, case: &Case) -> String {
    let names = names(shape, case.n_variables);
    let own: Vec<&str> = names[shape.parameters.len()..].iter().map(String::as_str).collect();
    let mut parts = vec![print_cell(shape, &names, PatternTerm::Variable(anchor), &case.links)];
    parts.extend(
        case.instances
            .iter()
            .map(|instance| print_instance((library, shape), &names, instance, None)),
    );
    let mut text =
        if own.is_empty() { String::new() } else { format!("exists {}. ", own.join(", ")) };
    text.push_str(&parts.join(" * "));
    for (left, right) in &case.equalities {
        let _ = write!(
            text,
            " & {} = {}",
            print_term(shape, &names, *left),
            print_term(shape, &names, *right)
        );
    }
    text
}

/// `left |- shape[k + 1](…)`: a cell counts 1, an instance its depth.
fn print_rule(library: &ShapeLibrary, shape: &ShapeDef, rule: &Rule) -> String {
    let names = names_of_rule(shape, rule);
    let mut depths: Vec<String> = Vec::new();
    let mut cells = 0;
    let left: Vec<String> = rule
        .left
        .iter()
        .map(|atom| match atom {
            PatternAtom::Cell(root, links) => {
                cells += 1;
                print_cell(shape, &names, *root, links)
            }
            PatternAtom::Instance(instance) => {
                let depth = depth_name(depths.len());
                let text = print_instance((library, shape), &names, instance, Some(&depth));
                depths.push(depth);
                text
            }
        })
        .collect();
    if cells > 0 {
        depths.push(cells.to_string());
    }
    let arguments: Vec<String> =
        rule.head.iter().map(|term| print_term(shape, &names, *term)).collect();
    format!(
        "{} |- {}[{}]({})",
        left.join(" * "),
        shape.name,
        depths.join(" + "),
        arguments.join(", ")
    )
}

fn print_cell(
    shape: &ShapeDef,
    names: &[String],
    root: PatternTerm,
    links: &[Option<PatternTerm>],
) -> String {
    let fields: Vec<String> = shape
        .labels
        .iter()
        .zip(links)
        .filter_map(|(label, link)| {
            Some(format!("{label}: {}", print_term(shape, names, (*link)?)))
        })
        .collect();
    format!("{} |-> {{ {} }}", print_term(shape, names, root), fields.join(", "))
}

fn print_instance(
    (library, shape): (&ShapeLibrary, &ShapeDef),
    names: &[String],
    instance: &PatternInstance,
    depth: Option<&str>,
) -> String {
    let arguments: Vec<String> =
        instance.arguments.iter().map(|term| print_term(shape, names, *term)).collect();
    let depth = depth.map_or_else(String::new, |depth| format!("[{depth}]"));
    format!("{}{depth}({})", library.get(instance.shape).name, arguments.join(", "))
}

fn print_term(shape: &ShapeDef, names: &[String], term: PatternTerm) -> String {
    let name = |number: usize| names.get(number).cloned().unwrap_or_else(|| format!("v{number}"));
    match term {
        PatternTerm::Variable(number) => name(number),
        PatternTerm::Field(number, label) => {
            format!("{}.{}", name(number), shape.labels.get(label).map_or("", String::as_str))
        }
        PatternTerm::Null => "0".to_owned(),
    }
}

/// The parameters' names, then letters that none of them has.
fn names(shape: &ShapeDef, n_variables: usize) -> Vec<String> {
    let mut names = shape.parameters.clone();
    let letters = ('m'..='z').chain('a'..='l').map(String::from);
    let numbered = (1..).map(|number| format!("v{number}"));
    for name in letters.chain(numbered) {
        if names.len() >= n_variables {
            break;
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The names of a lemma as it was written; those of a case as of the definition.
fn names_of_rule(shape: &ShapeDef, rule: &Rule) -> Vec<String> {
    let Some(lemma) = shape.syntax.lemmas.iter().find(|lemma| lemma.name.text == rule.name) else {
        return names(shape, rule.n_variables);
    };
    let mut names: Vec<String> = Vec::new();
    let mut see = |term: &ast::Term| {
        let [(1, Some(name))] = term.summands.as_slice() else { return };
        // The place of a field is one of the value's.
        let value = name.text.split('.').next().unwrap_or_default();
        if names.iter().all(|known| known != value) {
            names.push(value.to_owned());
        }
    };
    for item in &lemma.judgment.have.items {
        match item {
            ast::Item::Cell { root, fields } => {
                see(root);
                fields.iter().for_each(|(_, value)| see(value));
            }
            ast::Item::Instance { arguments, .. } => arguments.iter().for_each(&mut see),
            ast::Item::Comparison { .. } | ast::Item::Emp | ast::Item::Junk => {}
        }
    }
    names
}

fn depth_name(position: usize) -> String {
    match u8::try_from(position) {
        Ok(position @ 0..=9) => char::from(b'k' + position).to_string(),
        _ => format!("k{position}"),
    }
}
