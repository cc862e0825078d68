//! Programs whose schedules are argued by hand, against the explorer alone.

use super::explicit::endless;
use super::machine::Reading;
use super::terms::{binary, create, for_ever, join, not, read, set, update};
use super::tree::{
    Expr, Function, Home, Kind, Object, Op, Place, Program, Role, Started, Statement, What,
};

const MAIN: usize = 2;

/// A program of `t`, which is asked about, of `u`, and of `main`, which starts them.
fn program(objects: &[(What, &[i8])], t: Vec<Statement>, u: Vec<Statement>) -> Program {
    let mut first = 1;
    let object = |(what, initial): &(What, &[i8])| {
        let object = Object {
            name: format!("x{first}"),
            what: *what,
            initial: initial.to_vec(),
            home: Home::File,
            first,
        };
        first += what.cells();
        object
    };
    let objects = objects.iter().map(object).collect();
    let function = |(name, role, body): (&str, Role, Vec<Statement>)| Function {
        name: name.to_owned(),
        role,
        n_locals: 2,
        body,
    };
    let main = vec![create(0), create(1), join(0)];
    let functions = [("t", Role::Thread, t), ("u", Role::Thread, u), ("main", Role::Main, main)];
    Program {
        objects,
        functions: functions.into_iter().map(function).collect(),
        threads: [0, 1].map(|function| Started { function, argument: None }).to_vec(),
        constructors: Vec::new(),
        destructors: Vec::new(),
        given: Vec::new(),
        named: 0,
    }
}

fn goes_on(program: &Program) -> bool {
    endless(program, Reading::Once).unwrap().is_some()
}

/// `while (c > 0) c -= 1;`
fn count_down(place: Place) -> Statement {
    let more = binary(Op::More, Box::new(Expr::Read(place.clone())), Expr::number(0));
    Statement::While(*more, vec![update(Op::Subtract, place, 1)])
}

/// `k = value; while (k == bad);`
fn stays_if(value: Expr, bad: i8) -> Vec<Statement> {
    let is_bad = binary(Op::Equal, Box::new(Expr::Local(1)), Expr::number(bad));
    vec![Statement::Set(1, value), Statement::While(*is_bad, Vec::new())]
}

/// `c = d` reads `d` some time before it writes `c`, also where both are atomic.
#[test]
fn operands_are_read_before_the_atomic_step() {
    let what = What::Number(Kind::Atomic);
    let differs = binary(Op::Differs, read(1), Expr::number(0));
    let t = vec![
        set(2, Expr::number(0)),
        set(1, Expr::number(0)),
        Statement::While(*differs, Vec::new()),
    ];
    let u = vec![set(1, read(2))];
    assert!(goes_on(&program(&[(what, &[0]), (what, &[1])], t.clone(), u)));
    let u = vec![set(1, Expr::number(0))];
    assert!(!goes_on(&program(&[(what, &[0]), (what, &[1])], t, u)));
}

/// `c -= 0` of another thread writes an old value back, unless it is one step.
#[test]
fn updates_are_one_step_if_atomic() {
    for (kind, expected) in [(Kind::Atomic, false), (Kind::Int, true), (Kind::Volatile, true)] {
        let place = Place::At(1);
        let t = vec![count_down(place.clone())];
        let u = for_ever(vec![update(Op::Subtract, place, 0)]);
        assert_eq!(goes_on(&program(&[(What::Number(kind), &[2])], t, u)), expected, "{kind:?}");
    }
}

/// The operands of `c - d` come in any order, those of `&&` do not.
#[test]
fn operands_come_in_any_order() {
    let what = What::Number(Kind::Atomic);
    let u = || vec![set(1, Expr::number(1)), set(2, Expr::number(1))];
    let said = |value: Expr, bad: i8| {
        goes_on(&program(&[(what, &[0]), (what, &[0])], stays_if(value, bad), u()))
    };
    // `c` is 1 before `d` is.
    assert!(said(*binary(Op::Subtract, read(1), read(2)), -1));
    assert!(said(*binary(Op::Subtract, read(2), read(1)), 1));
    assert!(said(Expr::Both(not(read(1)), read(2)), 1));
    assert!(!said(Expr::Both(read(2), not(read(1))), 1));
}

/// `z[c]++` means one element, whatever others do to `c`.
#[test]
fn places_are_evaluated_once() {
    let element = Place::Element(1, read(3));
    let sum =
        binary(Op::Add, Box::new(Expr::Read(Place::At(1))), Box::new(Expr::Read(Place::At(2))));
    let t = |last: Statement| {
        let is_one = binary(Op::Differs, sum.clone(), Expr::number(1));
        vec![last, Statement::While(*is_one, Vec::new())]
    };
    let u = || for_ever(vec![set(3, Expr::number(1)), set(3, Expr::number(0))]);
    let objects: [(What, &[i8]); 2] =
        [(What::Array(Kind::Int), &[0, 2]), (What::Number(Kind::Atomic), &[0])];
    let zeros: [(What, &[i8]); 2] = [(What::Array(Kind::Int), &[0, 0]), objects[1]];
    let count = Expr::Count { up: true, old: true, place: element.clone(), read: None };
    assert!(!goes_on(&program(&zeros, t(Statement::Do(count)), u())));
    // Two evaluations may read one element and write the other: `z[c] = z[c] + 1`.
    let next = binary(Op::Add, Box::new(Expr::Read(element.clone())), Expr::number(1));
    let twice = Statement::Do(Expr::Assign(element, next));
    assert!(goes_on(&program(&[(What::Array(Kind::Int), &[0, 1]), objects[1]], t(twice), u())));
}

/// Fields beside each other are one cell: to write one is to write both.
#[test]
fn fields_are_written_together() {
    let field = |number| Place::Field(Box::new(Place::At(1)), number);
    let t = vec![count_down(field(0))];
    let write = Expr::Assign(field(1), Expr::number(1));
    let u = for_ever(vec![Statement::Do(write)]);
    assert!(goes_on(&program(&[(What::Fields, &[2])], t.clone(), u)));
    assert!(!goes_on(&program(&[(What::Fields, &[2])], t, Vec::new())));
}

/// Who holds the lock is alone, and who waits for it makes no steps.
#[test]
fn locks_keep_others_out() {
    let objects: [(What, &[i8]); 2] = [(What::Number(Kind::Int), &[2]), (What::Lock, &[0])];
    let locked = |body| Statement::Locked(Expr::Address(2), body);
    let t = || vec![locked(vec![count_down(Place::At(1))])];
    let refill = || set(1, Expr::number(2));
    assert!(!goes_on(&program(&objects, t(), for_ever(vec![locked(vec![refill()])]))));
    assert!(goes_on(&program(&objects, t(), for_ever(vec![refill()]))));
    let twice = vec![locked(vec![locked(Vec::new())])];
    assert!(!goes_on(&program(&objects, twice, Vec::new())));
}

/// Who waits for a thread makes no steps, and goes on when it has ended.
#[test]
fn joins_wait() {
    let mut waits = program(&[], for_ever(Vec::new()), Vec::new());
    assert!(goes_on(&waits));
    waits.named = MAIN;
    assert!(!goes_on(&waits));
    waits.functions[MAIN].body.extend(for_ever(Vec::new()));
    assert!(!goes_on(&waits));
    waits.functions[0].body.clear();
    assert!(goes_on(&waits));
}

/// A call is a whole for the thread that makes it, not for others.
#[test]
fn calls_are_whole_for_their_thread() {
    let call = || Expr::Call(Box::new(Expr::Function(2)), Vec::new());
    let value = *binary(Op::Add, Box::new(call()), read(1));
    let with_call = |t: Vec<Statement>, u: Vec<Statement>| {
        let mut program = program(&[(What::Number(Kind::Atomic), &[0])], t, u);
        let role = Role::Helper { parameters: 0, returns: true };
        let body = vec![set(1, Expr::number(1)), set(1, Expr::number(0))];
        let called = Function { name: "f".to_owned(), role, n_locals: 0, body };
        program.functions.insert(MAIN, called);
        program
    };
    assert!(!goes_on(&with_call(stays_if(value.clone(), 1), Vec::new())));
    assert!(goes_on(&with_call(stays_if(value, 1), vec![Statement::Do(call())])));
}

/// What `main` runs before and behind its own body is part of it.
#[test]
fn handlers_are_part_of_main() {
    let role = Role::Helper { parameters: 0, returns: false };
    let handler = Function { name: "h".to_owned(), role, n_locals: 0, body: for_ever(Vec::new()) };
    let with = |edit: &dyn Fn(&mut Program)| {
        let mut program = program(&[], Vec::new(), Vec::new());
        program.functions.insert(MAIN, handler.clone());
        program.named = MAIN + 1;
        edit(&mut program);
        goes_on(&program)
    };
    let own = u8::try_from(MAIN).unwrap();
    assert!(!with(&|_| {}));
    assert!(with(&|it| it.constructors.push(own)));
    assert!(with(&|it| it.destructors.push(own)));
    assert!(with(&|it| it.functions[MAIN + 1].body.insert(0, Statement::Do(Expr::Register(own)))));
}

/// A thread may be called what one was called that has been waited for, but not what one is
/// called that has not.
#[test]
fn names_of_threads_are_used_again() {
    let is_old = Expr::Binary(Op::Equal, Box::new(Expr::Itself), read(1));
    let t = vec![Statement::While(is_old, Vec::new())];
    let mut program = program(&[(What::Id, &[0])], t, Vec::new());
    let first = Statement::Do(Expr::Create(1, Some(1)));
    program.functions[MAIN].body = vec![first.clone(), join(1), create(0)];
    assert!(goes_on(&program));
    program.functions[MAIN].body = vec![first, create(0)];
    assert!(!goes_on(&program));
}

/// Without `main`, all functions run beside each other, any number of times.
#[test]
fn functions_of_others_run_at_any_time() {
    let more = binary(Op::More, read(1), Expr::number(0));
    let t = vec![Statement::While(*more, vec![set(1, Expr::number(0))])];
    let u = vec![set(1, Expr::number(2))];
    let mut library = program(&[(What::Number(Kind::Int), &[2])], t, u);
    library.functions.pop();
    library.threads[1].function = usize::MAX;
    assert!(goes_on(&library));
    library.functions[1].body = vec![set(1, Expr::number(0))];
    assert!(!goes_on(&library));
}
