//! Meetings of paths, each right, and wrong in one thing.

use super::super::Certificate;
use super::*;
use evidence::certificate::Retired;
use evidence::statement::Statement;
use evidence::step::Cover;
use heap::shape::ShapeLibrary;
use ir::{ProcedureId, Program, Variable, text};
use obligation::{Goal, Obligation};
use sonar::Machine;

/// Accepts or refuses all claims.
struct Always(Result<(), Defect>);

impl ReplayChecker for Always {
    fn judge(&mut self, _claim: &Claim<'_>, _budget: &mut Budget) -> Result<(), Defect> {
        self.0
    }
}

fn program() -> Program {
    let source = "global i: i32\nprocedure main() {\nb:\n  halt\n}\nentry main\n";
    text::parse("test.goto", source).unwrap().program
}

fn here() -> Place {
    Place::start(ProcedureId(0))
}

/// A state in which the variable is this.
fn state(number: i64) -> State {
    let mut state = State::initial();
    state.set_in(0, Variable::at(0), number.into());
    state
}

fn covered(representative: usize) -> Path {
    Path::Covered(representative, Cover::of(Vec::new(), Vec::new()))
}

/// What comes of it when the paths in which the variable is 1 and 2 meet.
fn outcome(meetings: Vec<JoinPoint>, verdict: Result<(), Defect>) -> Result<usize, Defect> {
    let (program, library) = (program(), ShapeLibrary::builtin().unwrap());
    let obligation = Obligation::new(&program, Goal::Ends);
    let machine = Machine::new(&obligation, &library);
    let node = CertifiedNode {
        place: here(),
        state: State::initial(),
        steps: Some(Vec::new()),
        meetings,
        retired: Retired::No,
    };
    let ranking = descent::Certificate::default();
    let certificate = Certificate {
        statement: Statement::of(&obligation),
        approach: machine.approach.clone(),
        assumes: Vec::new(),
        requirements: Vec::new(),
        nodes: vec![node],
        refinement: None,
        ranking,
    };
    let claimed = Claimed::of(&certificate);
    let mut checker = Always(verdict);
    let mut joins = ReplayJoins::new(&claimed, &certificate.nodes[0], &[], &mut checker);
    let mut budget = Budget::of_steps(100);
    let states = vec![state(1), state(2)];
    let left = joins.meet(&machine, &here(), states, &mut budget).map_err(|_| Defect::Budget)?;
    joins.finish()?;
    Ok(left.len())
}

fn meeting(representatives: Vec<Representative>, paths: Vec<Path>) -> Vec<JoinPoint> {
    vec![JoinPoint { place: here(), representatives, paths }]
}

#[test]
fn each_path_goes_on_or_is_described() {
    let apart = || {
        meeting(
            vec![Representative::Path(0), Representative::Path(1)],
            vec![Path::GoesOn, Path::GoesOn],
        )
    };
    assert_eq!(outcome(apart(), Ok(())), Ok(2));
    let joined = || meeting(vec![Representative::Path(0)], vec![Path::GoesOn, covered(0)]);
    assert_eq!(outcome(joined(), Ok(())), Ok(1));
    assert_eq!(outcome(joined(), Err(Defect::Heap)), Err(Defect::Heap));
    let same = |number: i64| {
        let representative = Representative::State(Box::new(state(number)));
        meeting(vec![Representative::Path(0), representative], vec![Path::GoesOn, Path::Same(1)])
    };
    assert_eq!(outcome(same(2), Ok(())), Ok(2));
    assert_eq!(outcome(same(1), Ok(())), Err(Defect::Meetings));
    let lost = meeting(vec![Representative::Path(0)], vec![Path::GoesOn, Path::GoesOn]);
    assert_eq!(outcome(lost, Ok(())), Err(Defect::Meetings));
    let nowhere = meeting(vec![Representative::Path(0)], vec![Path::GoesOn, covered(1)]);
    assert_eq!(outcome(nowhere, Ok(())), Err(Defect::Meetings));
    let beyond = meeting(vec![Representative::Path(2)], vec![covered(0), covered(0)]);
    assert_eq!(outcome(beyond, Ok(())), Err(Defect::Meetings));
}

#[test]
fn all_that_meets_is_listed() {
    let one = || meeting(vec![Representative::Path(0)], vec![Path::GoesOn]);
    assert_eq!(outcome(one(), Ok(())), Err(Defect::Meetings));
    assert_eq!(outcome(Vec::new(), Ok(())), Err(Defect::Meetings));
    let right = || meeting(vec![Representative::Path(0)], vec![Path::GoesOn, covered(0)]);
    assert_eq!(outcome([right(), right()].concat(), Ok(())), Err(Defect::Meetings));
    let elsewhere =
        vec![JoinPoint { place: here().inside(NodeId::at(0)), ..right().swap_remove(0) }];
    assert_eq!(outcome(elsewhere, Ok(())), Err(Defect::Meetings));
}

#[test]
fn states_that_stand_for_paths_have_the_form_of_states() {
    let mut twice = state(1);
    twice.stores[0].push((Variable::at(0), 2.into()));
    let meeting =
        meeting(vec![Representative::State(Box::new(twice))], vec![covered(0), covered(0)]);
    assert_eq!(outcome(meeting, Ok(())), Err(Defect::Form));
}
