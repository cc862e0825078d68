//! Patterns of shape definitions matched against atoms.

use heap::shape::{PatternAtom, PatternTerm, Rule, ShapeDef};
use heap::state::State;
use heap::template::Ending;
use heap::{Block, Cell, Template};
use logic::LinearExpr;
use smallvec::SmallVec;

/// Values of a pattern's variables, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    values: SmallVec<[Option<LinearExpr>; 8]>,
}

impl Bindings {
    /// No variable is known.
    pub(crate) fn new(n_variables: usize) -> Self {
        Self { values: SmallVec::from_elem(None, n_variables) }
    }

    /// The value of a term in nodes of a template, if it is known.
    pub(crate) fn value(&self, term: PatternTerm, template: &Template) -> Option<LinearExpr> {
        term.value(template, &self.values)
    }

    /// Makes `term` equal to `value`; `equal` compares two known values.
    #[must_use]
    pub(crate) fn unify(
        &mut self,
        term: PatternTerm,
        value: &LinearExpr,
        template: &Template,
        equal: &impl Fn(&LinearExpr, &LinearExpr) -> bool,
    ) -> bool {
        if let Some(known) = self.value(term, template) {
            return equal(&known, value);
        }
        match term.solved(template, value) {
            Some((number, solution)) => {
                self.values[number] = Some(solution);
                true
            }
            None => false,
        }
    }
}

/// ```text
///   block = start(root) ↦ { links }    a case has no more than this cell
///   ──────────────────────────────────────────────────────────────────── SINGLE
///   block ⊢ P[1](ā)
/// ```
///
/// The arguments of the instance that a block alone makes up, with the number
/// of the rule, for each case that consists of a cell only. The block must have
/// the template's size and region, and know what its links hold.
pub(crate) fn singles(
    state: &State,
    block: &Block,
    template: &Template,
    shape: &ShapeDef,
) -> Vec<(usize, Vec<LinearExpr>)> {
    if !fits(block, template) {
        return Vec::new();
    }
    let equal = |a: &LinearExpr, b: &LinearExpr| a == b;
    let is_single = |rule: &Rule| rule.left.len() == 1 && template.allows(&rule.left);
    let single_cases = shape.rules.iter().enumerate().filter(|(_, rule)| is_single(rule));
    let mut found: Vec<(usize, Vec<LinearExpr>)> = Vec::new();
    for (number, rule) in single_cases {
        let heap::shape::PatternAtom::Cell(root, links) = &rule.left[0] else { continue };
        let mut bindings = Bindings::new(rule.n_variables);
        if !unify_cell(&mut bindings, (*root, links), (state, block), template, &equal) {
            continue;
        }
        let arguments: Option<Vec<_>> =
            rule.head.iter().map(|term| bindings.value(*term, template)).collect();
        if let Some(arguments) = arguments
            && found.iter().all(|(_, known)| *known != arguments)
        {
            found.push((number, arguments));
        }
    }
    found
}

/// Whether a block can be a node of a template: size and region agree.
pub(crate) fn fits(block: &Block, template: &Template) -> bool {
    block.region == template.region
        && template.admits(&block.size)
        && block.rows.is_empty()
        && (template.ending == Ending::Any || block.has_ending())
}

/// Unifies a cell pattern with a block of a state that fits the template.
pub(crate) fn unify_cell(
    bindings: &mut Bindings,
    (root, links): (PatternTerm, &[Option<PatternTerm>]),
    (state, block): (&State, &Block),
    template: &Template,
    equal: &impl Fn(&LinearExpr, &LinearExpr) -> bool,
) -> bool {
    let address = LinearExpr::var(block.base).add_constant(template.root);
    let mut selves = template.selves.iter();
    let holds_selves =
        selves.all(|it| block.link(it.offset).is_some_and(|at| at == it.value_in(block.base)));
    if !holds_selves || !bindings.unify(root, &address, template, equal) {
        return false;
    }
    links.iter().zip(&template.links).enumerate().all(|(label, (link, offset))| {
        let Some(term) = link else { return true };
        if let Some(flag) = template.flag_of(label) {
            let wanted = flag.cell(*term);
            let same = |cell: &&Cell| (cell.offset, cell.ty) == (wanted.offset, wanted.ty);
            let known = block.cells.iter().find(same);
            if !known.is_some_and(|cell| state.surely_zero(&cell.value.sub(&wanted.value))) {
                return false;
            }
            if *term == PatternTerm::Null {
                return true;
            }
        }
        block.link(*offset).is_some_and(|value| bindings.unify(*term, &value, template, equal))
    })
}

/// Whether a rule holds of nodes of a template.
///
/// ```text
///   lemma A * B ⊢ C    nodes know whether their links lead on    no argument of A, B, C is null
///   ────────────────────────────────────────────────────────────────────────────────────────── FLAGS
///   A * B ⊢ C
/// ```
///
/// What a lemma says of null as an argument, such as that a tree with a hole is a tree where the
/// hole is null, is not true of links that say of themselves that they lead on.
pub(crate) fn holds_of(rule: &Rule, template: &Template) -> bool {
    let is_null = |term: &PatternTerm| *term == PatternTerm::Null;
    let says_null = |part: &PatternAtom| match part {
        PatternAtom::Cell(..) => false,
        PatternAtom::Instance(part) => part.arguments.iter().any(is_null),
    };
    template.flags.is_empty() || !(rule.head.iter().any(is_null) || rule.left.iter().any(says_null))
}
