//! Right arguments, presented as arguments for something else: another program, goal, reading of
//! integers, kind of inputs, precondition, or for more runs; or with a slice, cutpoints or calls
//! that the check must not take. None of them may pass, however right the rest of them is.
//!
//! `WANE_FORGERIES` sets how many are tried, `WANE_FORGERIES_SEED` others.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test, which shows how much it did")]

use crate::headers;
use crate::near_programs;
use crate::reader;

use headers::options;
use near_programs::families;
use reader::READER;
use std::collections::BTreeMap;
use wane::base::budget::Budget;
use wane::c::{PreprocessedSource, compile};
use wane::evidence::approach::Form;
use wane::evidence::certificate::Certificate;
use wane::evidence::statement::Statement;
use wane::heap::shape::ShapeLibrary;
use wane::heap::state::State;
use wane::ir::cutpoint::CutSet;
use wane::ir::semantics::IntModel;
use wane::ir::slice::relevance::{Aim, Irrelevant, Memory, irrelevant};
use wane::ir::slice::without;
use wane::ir::{ProcedureId, Program, text};
use wane::obligation::{Compassion, ErrorKind, Fairness, Goal, Inputs, Obligation};
use wane::prove::{mutant, prove};
use wane::sonar::Machine;
use wane::verdict::Verdict;
use wane::verdict::check::{Defect, check};

/// Steps of a proof, and of a check.
const STEPS: u64 = 50_000;

/// What an argument is for.
#[derive(Clone)]
struct Asked<'a> {
    program: &'a Program,
    goal: Goal,
    fairness: Fairness,
    inputs: Inputs,
    integers: Option<IntModel>,
    requires: Vec<State>,
}

impl<'a> Asked<'a> {
    fn of(program: &'a Program, goal: Goal) -> Self {
        let (fairness, inputs) = (Fairness::default(), Inputs::Any);
        Self { program, goal, fairness, inputs, integers: None, requires: Vec::new() }
    }

    fn obligation(&self) -> Obligation<'a> {
        Obligation::new(self.program, self.goal)
            .under(self.fairness.clone())
            .reading(self.inputs)
            .read_by(self.integers)
            .requiring(self.requires.clone())
    }
}

/// An argument that is right.
struct Right<'a> {
    name: String,
    asked: Asked<'a>,
    certificate: Certificate,
}

fn proof<'a>(asked: Asked<'a>, name: &str, library: &ShapeLibrary) -> Right<'a> {
    let verdict = prove(&asked.obligation(), library, &Budget::of_steps(STEPS));
    let Verdict::Proved(certificate) = verdict else { panic!("{name} is not proved") };
    Right { name: name.to_owned(), asked, certificate: *certificate }
}

fn compiled(text: &str, flags: &str) -> Program {
    let source = PreprocessedSource { name: "statement.c".to_owned(), text: text.to_owned() };
    compile(&source, &options(flags).unwrap()).unwrap()
}

/// Without the range of what is read, the counter may wrap around before it is there.
const COUNTER: &str = "int __VERIFIER_nondet_int(void);
    int main(void) {
        long long n = __VERIFIER_nondet_int();
        unsigned i = 0;
        while (i < n) i++;
        return 0;
    }";

const WALK: &str = "struct cell { struct cell *next; int value; };
    void walk(struct cell *p) { while (p) p = p->next; }";

/// The sum has no say in how long the loop runs.
const SUM: &str = "int __VERIFIER_nondet_int(void);
    int main(void) {
        int i = __VERIFIER_nondet_int(), sum = 0;
        while (i > 0) { sum = sum + i; i = i - 1; }
        return 0;
    }";

const RECURSION: &str = "int f(int n) { return n > 0 ? f(n - 1) : 0; }
    int main(void) { return f(9); }";

/// Programs that are right, with their goals.
fn programs() -> Vec<(String, Program, Goal)> {
    let near = families().into_iter().flat_map(|near| {
        let (name, goal) = (near.name, near.goal);
        near.good.into_iter().map(move |program| (name.clone(), program, goal))
    });
    let own = [("counter", COUNTER), ("sum", SUM), ("recursion", RECURSION)];
    let own =
        own.map(|(name, text)| (name.to_owned(), compiled(text, "--int-model=math"), Goal::Ends));
    let walk = ("walk".to_owned(), compiled(WALK, "--entry walk"), Goal::Ends);
    let reader = text::parse("reader.goto", READER).unwrap().program;
    near.chain(own).chain([walk, ("reader".to_owned(), reader, Goal::Ends)]).collect()
}

/// That who asks again and again is answered again and again.
fn answered(program: &Program) -> Fairness {
    let named = |name: &str| program.procedures.iter().position(|it| it.name == name).unwrap();
    let [asked, answered] = ["asked", "answered"].map(|it| ProcedureId::at(named(it)));
    let requirements = vec![Compassion { whenever: Some(asked), then: answered }];
    Fairness { requirements, control: Vec::new() }
}

fn rights<'a>(programs: &'a [(String, Program, Goal)], library: &ShapeLibrary) -> Vec<Right<'a>> {
    let mut rights = Vec::new();
    for (name, program, goal) in programs {
        let mut asked = Asked::of(program, *goal);
        match name.as_str() {
            "counter" => asked.inputs = Inputs::OfType,
            "reader" => asked.fairness = answered(program),
            _ => asked.integers = Some(IntModel::Math),
        }
        let right = proof(asked.clone(), name, library);
        match name.as_str() {
            "walk" => {
                // What was found, and the same where it is given.
                let requires = right.certificate.statement.requires.clone();
                assert!(!requires.is_empty());
                let given = Asked { requires, ..asked };
                rights.push(proof(given, "walk, given", library));
            }
            "counter" => assert_eq!(right.certificate.statement.inputs, Inputs::OfType),
            "sum" => {
                let certificate = of_slice(&asked, library);
                rights.push(Right { name: "slice".to_owned(), asked, certificate });
            }
            _ => {}
        }
        rights.push(right);
    }
    rights
}

/// An argument about what is left without what does not matter.
fn of_slice(asked: &Asked<'_>, library: &ShapeLibrary) -> Certificate {
    let obligation = asked.obligation();
    let left_out =
        irrelevant(obligation.simplified(wane::simplify::simplify), &Aim::default()).unwrap();
    assert!(left_out.variables.contains(&true));
    let slice = without(obligation.simplified(wane::simplify::simplify), &left_out.variables);
    let slice = (&slice, Form::Simplified, left_out);
    let machine = Machine::sliced(&obligation, slice, library);
    match mutant::prove(&machine, &mut Budget::of_steps(STEPS)) {
        Verdict::Proved(certificate) => *certificate,
        _ => panic!("the slice is not proved"),
    }
}

/// Numbers from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % (bound.max(1) as u64)).unwrap()
    }

    fn goal(&mut self) -> Goal {
        use ErrorKind::{ErrorReached, InvalidAccess, InvalidFree, Leak, Unfreed};
        let others = [
            Goal::Ends,
            Goal::avoids_all(&[InvalidAccess, InvalidFree, Leak]),
            Goal::avoids_all(&[InvalidAccess]),
            Goal::avoids_all(&[Unfreed]),
            Goal::avoids_all(&[ErrorReached]),
            Goal::avoids_all(&[]),
        ];
        others[self.below(others.len())]
    }

    fn integers(&mut self) -> Option<IntModel> {
        let all = [None, Some(IntModel::C), Some(IntModel::Math), Some(IntModel::Machine)];
        all[self.below(all.len())]
    }
}

/// What is changed: in what is asked for, in what the argument says that it shows, or in how it
/// goes about it.
const KINDS: [&str; 16] = [
    "program asked",
    "program named",
    "goal asked",
    "goal named",
    "integers asked",
    "integers named",
    "inputs asked",
    "inputs named",
    "runs asked",
    "runs named",
    "precondition asked",
    "precondition named",
    "slice",
    "cutpoints",
    "events",
    "calls",
];

/// Changes one thing; nothing if that leaves all as it was, or makes an argument for less.
fn change<'a>(
    kind: &str,
    (asked, certificate): (&mut Asked<'a>, &mut Certificate),
    others: &[Right<'a>],
    random: &mut Random,
) -> Option<()> {
    let before = asked.obligation();
    let stated = certificate.statement.clone();
    let other = &others[random.below(others.len())];
    let statement = &mut certificate.statement;
    let any = Compassion { whenever: None, then: ProcedureId(0) };
    match kind {
        "program asked" => asked.program = other.asked.program,
        "program named" => statement.program = other.certificate.statement.program,
        "goal asked" => asked.goal = random.goal(),
        "goal named" => statement.goal = random.goal(),
        "integers asked" => asked.integers = random.integers(),
        "integers named" => statement.integers = random.integers(),
        "inputs asked" if statement.inputs == Inputs::OfType => asked.inputs = Inputs::Any,
        "inputs named" if asked.inputs == Inputs::Any => statement.inputs = Inputs::OfType,
        "runs asked" => match asked.fairness.requirements.pop() {
            Some(_) => {}
            None => asked.fairness.requirements.push(any),
        },
        "runs named" => match statement.fairness.requirements.pop() {
            Some(_) => {}
            None => statement.fairness.requirements.push(any),
        },
        "precondition asked" => match asked.requires.pop() {
            // Without a precondition one is looked for.
            Some(_) if asked.requires.is_empty() => return None,
            Some(_) => {}
            None if asked.program.open.is_some() => asked.requires.push(State::initial()),
            None => return None,
        },
        "precondition named" if asked.program.open.is_none() || !asked.requires.is_empty() => {
            statement.requires.push(State::initial());
        }
        _ => return change_approach(kind, asked, certificate),
    }
    let is_same = before.fingerprint() == asked.obligation().fingerprint()
        && before.goal == asked.goal
        && before.integers == asked.integers
        && before.inputs == asked.inputs
        && before.fairness == asked.fairness
        && before.requires == asked.requires
        && stated == certificate.statement;
    (!is_same).then_some(())
}

fn change_approach(kind: &str, asked: &Asked<'_>, certificate: &mut Certificate) -> Option<()> {
    let (program, approach) = (asked.program, &mut certificate.approach);
    let recurs = |approach: &[bool]| approach.iter().position(|is_tabulated| *is_tabulated);
    match kind {
        "slice" => {
            let is_about_memory =
                asked.goal.avoids(ErrorKind::Leak) || asked.goal.avoids(ErrorKind::Unfreed);
            let n_variables = program.variables.len() - usize::from(!is_about_memory);
            let variables = vec![false; n_variables];
            approach.left_out = Some(Irrelevant { variables, memory: Memory::Nothing });
        }
        "cutpoints" => {
            let loops = approach.cuts.iter_mut().filter(|it| it.iter().next().is_some());
            let straight = compiled("int main(void) { return 0; }", "");
            let none = CutSet::of_procedure(straight.procedure(straight.entry));
            *loops.last()? = none;
        }
        "events" => {
            let event = asked.fairness.requirements.first()?.then;
            approach.cuts[event.index()] = CutSet::of_procedure(program.procedure(event));
        }
        "calls" => {
            let position = recurs(&approach.tabulated)?;
            approach.tabulated[position] = false;
        }
        _ => return None,
    }
    Some(())
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[test]
fn an_argument_shows_what_it_says_and_nothing_else() {
    let library = ShapeLibrary::builtin().unwrap();
    let programs = programs();
    let rights = rights(&programs, &library);
    for Right { name, asked, certificate } in &rights {
        let budget = &mut Budget::of_steps(STEPS);
        assert_eq!(check(&asked.obligation(), &library, certificate, budget), Ok(()), "{name}");
    }
    let mut random = Random(from_environment("WANE_FORGERIES_SEED", 1));
    let (mut kinds, mut accepted) = (BTreeMap::<_, [u64; 2]>::new(), Vec::new());
    let n_forgeries = from_environment("WANE_FORGERIES", 2_000);
    let mut n_tried = 0;
    while n_tried < n_forgeries {
        let right = &rights[random.below(rights.len())];
        let (mut asked, mut certificate) = (right.asked.clone(), right.certificate.clone());
        let kind = KINDS[random.below(KINDS.len())];
        if change(kind, (&mut asked, &mut certificate), &rights, &mut random).is_none() {
            continue;
        }
        n_tried += 1;
        let budget = &mut Budget::of_steps(STEPS);
        match check(&asked.obligation(), &library, &certificate, budget) {
            Ok(()) => accepted.push(format!("{}: {kind}", right.name)),
            Err(defect) => {
                let is_statement = usize::from(defect == Defect::Statement);
                kinds.entry(kind).or_default()[is_statement] += 1;
            }
        }
    }
    println!(
        "{n_tried} arguments for something else; by kind, refused by others and by the statement"
    );
    println!("{kinds:?}");
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
    assert_eq!(kinds.len(), KINDS.len(), "{kinds:?}");
}

/// What is asked for in a statement is all that makes obligations differ.
#[test]
fn statements_of_different_obligations_differ() {
    let program = compiled(SUM, "--int-model=math");
    let plain = Asked::of(&program, Goal::Ends);
    let statement = |asked: &Asked<'_>| Statement::of(&asked.obligation());
    let others = [
        Asked { goal: Goal::avoids_all(&[ErrorKind::Leak]), ..plain.clone() },
        Asked { integers: Some(IntModel::C), ..plain.clone() },
        Asked { requires: vec![State::initial()], ..plain.clone() },
    ];
    assert!(others.iter().all(|it| statement(it) != statement(&plain)));
    let again = compiled(SUM, "--int-model=machine");
    assert_ne!(statement(&Asked::of(&again, Goal::Ends)).program, statement(&plain).program);
}
