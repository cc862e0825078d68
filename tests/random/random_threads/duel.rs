//! Duels: small programs in which a loop of one thread and one thing that another does meet at
//! the same numbers. Most of them are answered, and what is done wrong shows.

use super::generate::Maker;
use super::terms::{binary, create, for_ever, join, read, set, update};
use super::tree::{Cell, Expr, Kind, Op, Place, Role, Started, Statement, What};

/// What a duel is about.
#[derive(Clone, Copy, Debug)]
enum Matter {
    /// In which order operands are read.
    Order,
    /// What of an update is one step.
    Update,
    /// Which element is meant, and how often that is asked.
    Element,
    /// Which pointers lead to a number.
    Address,
    /// What runs before `main` and behind it.
    Handler,
}

const MATTERS: [Matter; 5] =
    [Matter::Order, Matter::Update, Matter::Element, Matter::Address, Matter::Handler];

/// The thread that is asked about, if it is not `main`, and the other one.
const THREAD: usize = 0;
const OTHER: usize = 1;

impl Maker<'_> {
    pub(crate) fn duel(&mut self) {
        self.kind = self.any(&[Kind::Int, Kind::Atomic, Kind::Atomic, Kind::Volatile]);
        for name in ["t", "u"] {
            self.function(name, Role::Thread);
        }
        let [mut thread, mut other] = match self.any(&MATTERS) {
            Matter::Order => self.about_order(),
            Matter::Update => self.about_updates(),
            Matter::Element => self.about_elements(),
            Matter::Address => self.about_addresses(),
            Matter::Handler => self.about_handlers(),
        };
        std::mem::swap(&mut self.program.functions[THREAD].body, &mut thread);
        std::mem::swap(&mut self.program.functions[OTHER].body, &mut other);
        let starts = |function| Started { function, argument: None };
        self.program.threads = [THREAD, OTHER].map(starts).to_vec();
        let main = self.function("main", Role::Main);
        self.program.functions[main].body.extend([create(0), create(1), join(0), join(1)]);
    }

    fn variable(&mut self, name: &str, initial: i8) -> Cell {
        self.object(name, What::Number(self.kind), vec![initial])
    }

    /// `while (place OP value) change`, with a change or without.
    fn stays(&mut self, place: &Place) -> Statement {
        let op = self.any(&[Op::More, Op::More, Op::Equal, Op::Differs]);
        let value = if op == Op::Equal { self.number(3) } else { self.number(2) };
        let condition = *binary(op, Box::new(Expr::Read(place.clone())), Expr::number(value));
        let change = match self.random.below(4) {
            0 | 1 => Vec::new(),
            2 => vec![update(Op::Subtract, place.clone(), 1)],
            _ => vec![Statement::Do(self.count(place))],
        };
        Statement::While(condition, change)
    }

    fn count(&mut self, place: &Place) -> Expr {
        let (up, old) = (self.one_in(3), self.one_in(2));
        Expr::Count { up, old, place: place.clone(), read: None }
    }

    /// Once, or again and again.
    fn perhaps_for_ever(&mut self, body: Vec<Statement>) -> Vec<Statement> {
        if self.one_in(3) { for_ever(body) } else { body }
    }

    /// `k = x - y; while (k == bad);` while others set both.
    fn about_order(&mut self) -> [Vec<Statement>; 2] {
        let (x, y) = (self.variable("x", 0), self.variable("y", 0));
        let op = self.any(&[Op::Subtract, Op::Subtract, Op::More, Op::Less]);
        let (one, two) = if self.one_in(2) { (x, y) } else { (y, x) };
        let value = *binary(op, read(one), read(two));
        let bad = if op == Op::Subtract { self.number(3) - 1 } else { 1 };
        let is_bad = *binary(Op::Equal, Box::new(Expr::Local(1)), Expr::number(bad));
        let thread = vec![Statement::Set(1, value), Statement::While(is_bad, Vec::new())];
        let other = [x, y].map(|it| set(it, Expr::number(1)));
        [thread, self.perhaps_for_ever(other.to_vec())]
    }

    /// `y = 0; x = 0; while (x != 0);` while others do `x |= y`, in one step or in several.
    fn about_updates(&mut self) -> [Vec<Statement>; 2] {
        if !self.one_in(4) {
            self.kind = Kind::Atomic;
        }
        let first = self.number(3);
        let (x, y) = (self.variable("x", first), self.variable("y", 1));
        let mut thread = vec![set(y, Expr::number(0))];
        if !self.one_in(4) {
            thread.push(set(x, Expr::number(self.number(2))));
        }
        thread.push(self.stays(&Place::At(x)));
        let op = self.any(&[Op::Add, Op::Subtract, Op::And, Op::Or, Op::Or]);
        let change = match self.random.below(6) {
            0 => set(x, read(y)),
            1 => set(x, binary(op, read(x), read(y))),
            _ => Statement::Do(Expr::Update(op, Place::At(x), read(y), None)),
        };
        [thread, self.perhaps_for_ever(vec![change])]
    }

    /// `z[c++] -= 1; while (z[0] == 1);` while others set `c`.
    fn about_elements(&mut self) -> [Vec<Statement>; 2] {
        let initial = vec![self.number(3), self.number(3)];
        let array = self.object("z", What::Array(self.kind), initial);
        let index = self.variable("c", 0);
        let at = match self.random.below(3) {
            0 => read(index),
            _ => Box::new(Expr::Count { up: true, old: true, place: Place::At(index), read: None }),
        };
        let element = Place::Element(array, at);
        let change = match self.random.below(5) {
            0 => Expr::Assign(element, Expr::number(self.number(3))),
            1 | 2 => self.count(&element),
            _ => {
                let op = self.any(&[Op::Add, Op::Subtract, Op::Subtract, Op::Or]);
                Expr::Update(op, element, Expr::number(1), None)
            }
        };
        let watched = Place::Element(array, Expr::number(self.number(2)));
        let thread = vec![Statement::Do(change), self.stays(&watched)];
        let other = match self.one_in(2) {
            true => vec![set(index, Expr::number(self.number(2)))],
            false => Vec::new(),
        };
        [thread, other]
    }

    /// `while (x > 0) x--;` while others do `*g = 2`.
    fn about_addresses(&mut self) -> [Vec<Statement>; 2] {
        let kind = self.kind;
        let first = self.number(3);
        let x = self.variable("x", first);
        let own = Place::At(x);
        let pointed = match self.random.below(4) {
            0 => read(self.object("h", What::Hidden(kind), vec![x])),
            1 => {
                let table = self.object("tab", What::Table(kind), vec![x, x]);
                Box::new(Expr::Read(Place::Element(table, Expr::number(self.number(2)))))
            }
            _ => read(self.object("g", What::Pointer(kind), vec![x])),
        };
        let other = Place::Pointed(pointed, 0);
        let (watched, changed) = if self.one_in(4) { (other, own) } else { (own, other) };
        let change = match self.random.below(3) {
            0 => self.count(&changed),
            _ => Expr::Assign(changed, Expr::number(self.number(3))),
        };
        let change = vec![Statement::Do(change)];
        [vec![self.stays(&watched)], self.perhaps_for_ever(change)]
    }

    /// A loop before `main` or behind it, or a change that a loop waits for.
    fn about_handlers(&mut self) -> [Vec<Statement>; 2] {
        let first = self.number(3);
        let x = self.variable("x", first);
        let is_first = self.one_in(2);
        let name = if is_first { "first" } else { "last" };
        let handler = self.function(name, Role::Helper { parameters: 0, returns: false });
        let own = u8::try_from(handler).unwrap();
        match is_first {
            true => self.program.constructors.push(own),
            false => self.program.destructors.push(own),
        }
        let loops = self.stays(&Place::At(x));
        let change = |maker: &mut Self| set(x, Expr::number(maker.number(3)));
        if is_first && self.one_in(2) {
            self.program.functions[handler].body = vec![change(self)];
            return [vec![loops], Vec::new()];
        }
        self.program.functions[handler].body = vec![loops];
        // That of `main` is the next function.
        self.program.named = handler + 1;
        [vec![change(self)], Vec::new()]
    }
}
