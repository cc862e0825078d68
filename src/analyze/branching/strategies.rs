//! What may be said in the games for a formula.

use super::MOST_STRATEGIES;
use ir::{ProcedureId, Program};
use reduce::ctl::Branching;
use reduce::ctl::strategy::{Choice, Strategy, assignments, conditions, inputs, values};
use std::collections::BTreeSet;
use temporal::formula::{Formula, FormulaId, Paths};

/// More moments than this are not tried.
const MOST_MOMENTS: usize = 16;

/// Something that is ours to say.
#[derive(Clone, Copy)]
pub(super) enum Part {
    First(FormulaId),
    Stop(FormulaId),
    Inputs(FormulaId),
    Start,
}

/// What all variables may be at first, beside the values that inputs may have.
const STARTS: [i128; 4] = [0, 1, -1, 10];

/// What may be said in the games for a formula, the simplest first: the usual word on all
/// parts, then by turns another one on one of them, the same on all inputs, or others on two.
pub(super) fn strategies(
    parts: &[Part],
    program: &Program,
    moments: &[BTreeSet<usize>],
) -> Vec<Strategy> {
    let conditions = conditions(program);
    let mut choices = vec![Choice::Never, Choice::Always];
    choices.extend(conditions.into_iter().map(Choice::If));
    let own = (0..program.procedures.len()).map(ProcedureId::at);
    let is_before =
        |it: &ProcedureId| *it == program.entry && program.procedure(*it).name.starts_with('$');
    let own: Vec<ProcedureId> = own.filter(|it| !is_before(it)).collect();
    let values = values(program);
    let restricted = assignments(program, &inputs(program, &own), &values);
    let others = values.iter().filter(|it| !STARTS.contains(it));
    let starts: Vec<i128> = STARTS.iter().chain(others).copied().collect();
    let n_words = |part: &Part| match part {
        Part::First(_) => choices.len(),
        Part::Stop(_) => 1 + moments.len().min(MOST_MOMENTS),
        Part::Inputs(_) => restricted.len(),
        Part::Start => 1 + starts.len(),
    };
    let said = |words: &[(usize, usize)]| {
        let mut strategy = Strategy::default();
        for (part, word) in words {
            match parts[*part] {
                Part::First(id) => {
                    strategy.first.insert(id, choices[*word].clone());
                }
                Part::Stop(id) => {
                    strategy.stops.insert(id, moments[*word - 1].clone());
                }
                Part::Start => strategy.start = Some(starts[*word - 1]),
                Part::Inputs(id) => {
                    let inputs = restricted[*word].iter();
                    strategy.inputs.extend(inputs.map(|(input, said)| ((*input, id), *said)));
                }
            }
        }
        strategy
    };
    let n_parts: Vec<usize> = parts.iter().map(n_words).collect();
    let most = n_parts.iter().copied().max().unwrap_or(1);
    let is_inputs = |part: &usize| matches!(parts[*part], Part::Inputs(_));
    let all_inputs: Vec<usize> = (0..parts.len()).filter(is_inputs).collect();
    let (mut alone, mut same, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    for sum in 1..2 * most {
        if all_inputs.len() > 1 && sum < restricted.len() {
            same.push(said(&all_inputs.iter().map(|part| (*part, sum)).collect::<Vec<_>>()));
        }
        for (part, n_words) in n_parts.iter().enumerate() {
            if sum < *n_words {
                alone.push(said(&[(part, sum)]));
            }
            for (other, n_others) in n_parts.iter().enumerate().skip(part + 1) {
                let words = (1..sum).filter(|word| *word < *n_words && sum - word < *n_others);
                pairs.extend(words.map(|word| said(&[(part, word), (other, sum - word)])));
            }
        }
        if alone.len() + pairs.len() >= 3 * MOST_STRATEGIES {
            break;
        }
    }
    let mut kinds = [vec![said(&[])], alone, same, pairs].map(Vec::into_iter);
    let turns = (0..MOST_STRATEGIES).flat_map(|_| kinds.each_mut().map(Iterator::next));
    turns.flatten().take(MOST_STRATEGIES).collect()
}

/// What is ours to say of a formula.
pub(super) fn parts(branching: &Branching, id: FormulaId) -> Vec<Part> {
    let table = &branching.table;
    let plain = |it: FormulaId| table.is_propositional(it);
    let (mut seen, mut parts) = (BTreeSet::new(), Vec::new());
    table.for_each_part(id, &mut |part| {
        if !seen.insert(part) {
            return;
        }
        match table.get(part) {
            Formula::Or(left, right) if !plain(left) && !plain(right) => {
                parts.push(Part::First(part));
            }
            Formula::Next(Paths::Some, _) => parts.push(Part::Inputs(part)),
            Formula::Until(paths, _, right) | Formula::WeakUntil(paths, _, right) => {
                if paths == Paths::Some {
                    parts.push(Part::Inputs(part));
                }
                if !plain(right) {
                    parts.push(Part::Stop(part));
                }
            }
            _ => {}
        }
    });
    parts
}
