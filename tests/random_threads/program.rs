//! Random programs of two or three threads, as C text and as instructions.

use crate::random::Random;
use std::fmt::Write as _;

/// Shared variables.
pub(crate) const N_SHARED: usize = 2;
/// Locks.
pub(crate) const N_LOCKS: usize = 2;

/// What a thread does at once: it touches at most one shared thing.
#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    /// `shared = constant`
    Set(usize, i64),
    /// `local = shared`
    Read(usize),
    /// `shared = local`
    Write(usize),
    /// `local = local + constant`, if the local is between 0 and 2 then.
    Add(i64),
    /// `shared` becomes the second constant if it is the first.
    Swap(usize, i64, i64),
    Lock(usize),
    Unlock(usize),
    /// Takes a lock, or else goes elsewhere.
    TryLock(usize, usize),
    /// Goes elsewhere unless the shared variable is more than the constant.
    UnlessMore(usize, i64, usize),
    /// The same for the local.
    UnlessLocalMore(i64, usize),
    /// Goes on, or elsewhere.
    Perhaps(usize),
    Goto(usize),
    /// Stays here for ever, without a step that others see.
    Stay,
    /// Ends the program, or the run does not count: it is one without this step.
    Stop,
    End,
}

/// A thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    /// The number of its function.
    pub(crate) function: usize,
    pub(crate) code: Vec<Instruction>,
    text: String,
}

/// A program; the thread that is asked about is the first, the last one is what `main` does
/// when it has started the others.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) initial: [i64; N_SHARED],
    pub(crate) threads: Vec<Thread>,
    /// Whether `main` waits for the others before it ends the program.
    joins: bool,
}

impl Program {
    pub(crate) fn random(random: &mut Random) -> Self {
        let initial = [random.number(3), random.number(3)];
        let n_threads = 2 + random.below(2);
        let mut threads: Vec<Thread> =
            (0..n_threads).map(|number| Thread::random(random, number)).collect();
        // A function may be run by two.
        if random.below(3) == 0 {
            let again = threads[random.below(threads.len())].clone();
            threads.push(again);
        }
        threads.push(Thread::of_main(random));
        Self { initial, threads, joins: random.below(3) > 0 }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::from("#include <pthread.h>\n#include <stdlib.h>\n");
        text.push_str("int nondet(void);\nvoid __VERIFIER_assume(int);\n");
        for (number, value) in self.initial.iter().enumerate() {
            writeln!(text, "int x{number} = {value};").unwrap();
        }
        for number in 0..N_LOCKS {
            writeln!(text, "pthread_mutex_t m{number} = PTHREAD_MUTEX_INITIALIZER;").unwrap();
        }
        let (main, started) = self.threads.split_last().unwrap();
        let is_first = |it: &(usize, &Thread)| it.0 == it.1.function;
        for (number, thread) in started.iter().enumerate().filter(is_first) {
            let body = &thread.text;
            writeln!(text, "void *thread{number}(void *a) {{\n  int t = 0;\n{body}  return 0;\n}}")
                .unwrap();
        }
        writeln!(text, "int main(void) {{").unwrap();
        let all = || 0..started.len();
        all().for_each(|it| writeln!(text, "  pthread_t p{it};").unwrap());
        all().for_each(|it| {
            let function = started[it].function;
            writeln!(text, "  pthread_create(&p{it}, 0, thread{function}, 0);").unwrap();
        });
        text.push_str(&main.text);
        if self.joins {
            all().for_each(|it| writeln!(text, "  pthread_join(p{it}, 0);").unwrap());
        }
        text.push_str("  return 0;\n}\n");
        text
    }
}

impl Thread {
    fn random(random: &mut Random, number: usize) -> Self {
        let mut thread = Self { function: number, ..Self::default() };
        // Of the first one it is asked whether it ends.
        if number == 0 {
            thread.repeat(random, 2, &mut Vec::new());
        }
        let n_more = 1 + random.below(2);
        for _ in 0..n_more {
            thread.statement(random, 2, &mut Vec::new());
        }
        thread.code.push(Instruction::End);
        thread
    }

    /// Perhaps a statement.
    fn of_main(random: &mut Random) -> Self {
        let mut thread = Self { function: usize::MAX, ..Self::default() };
        if random.below(4) == 0 {
            let (shared, constant) = (random.below(N_SHARED), random.number(3));
            thread.code.push(Instruction::Set(shared, constant));
            thread.line(3, &format!("x{shared} = {constant};"));
        }
        thread.code.push(Instruction::End);
        thread
    }

    fn line(&mut self, depth: usize, line: &str) {
        writeln!(self.text, "{}{line}", "  ".repeat(4 - depth.min(3))).unwrap();
    }

    /// A loop, with something in it.
    fn repeat(&mut self, random: &mut Random, depth: usize, held: &mut Vec<usize>) {
        let head = self.code.len();
        self.condition(random, depth, "while");
        let n_inside = 1 + random.below(2);
        for _ in 0..n_inside {
            self.statement(random, depth - 1, held);
        }
        self.code.push(Instruction::Goto(head));
        self.line(depth, "}");
        self.close(head);
    }

    /// `while (c) {` or `if (c) {`: an instruction whose target is still to be set.
    fn condition(&mut self, random: &mut Random, depth: usize, word: &str) {
        let bound = random.number(3) - 1;
        let (instruction, text) = match random.below(5) {
            0 => (Instruction::Perhaps(usize::MAX), "nondet()".to_owned()),
            1 => (Instruction::UnlessLocalMore(bound, usize::MAX), format!("t > {bound}")),
            _ => {
                let shared = random.below(N_SHARED);
                let instruction = Instruction::UnlessMore(shared, bound, usize::MAX);
                (instruction, format!("x{shared} > {bound}"))
            }
        };
        self.code.push(instruction);
        self.line(depth, &format!("{word} ({text}) {{"));
    }

    /// Lets the conditions from here on that go nowhere yet go to the end of the code.
    fn close(&mut self, from: usize) {
        let end = self.code.len();
        if let Instruction::UnlessMore(_, _, to)
        | Instruction::UnlessLocalMore(_, to)
        | Instruction::TryLock(_, to)
        | Instruction::Perhaps(to) = &mut self.code[from]
        {
            *to = end;
        }
    }

    fn statement(&mut self, random: &mut Random, depth: usize, held: &mut Vec<usize>) {
        let shared = random.below(N_SHARED);
        let constant = random.number(3);
        match random.below(if depth > 0 { 12 } else { 6 }) {
            0 => {
                self.code.push(Instruction::Set(shared, constant));
                self.line(depth, &format!("x{shared} = {constant};"));
            }
            1 => {
                self.code.push(Instruction::Read(shared));
                self.line(depth, &format!("t = x{shared};"));
            }
            2 => {
                self.code.push(Instruction::Write(shared));
                self.line(depth, &format!("x{shared} = t;"));
            }
            3 | 4 => {
                let by = if random.below(3) == 0 { 1 } else { -1 };
                self.code.push(Instruction::Add(by));
                let fits = if by > 0 { "t < 2" } else { "t > 0" };
                self.line(depth, &format!("if ({fits}) t = t + ({by});"));
            }
            5 => {
                let other = random.number(3);
                self.code.push(Instruction::Swap(shared, constant, other));
                let swap = "__sync_val_compare_and_swap";
                self.line(depth, &format!("{swap}(&x{shared}, {constant}, {other});"));
            }
            6 | 7 => self.repeat(random, depth, held),
            8 => {
                let from = self.code.len();
                self.condition(random, depth, "if");
                self.statement(random, depth - 1, held);
                self.line(depth, "}");
                self.close(from);
            }
            9 => self.never_on(random, depth),
            _ => self.critical(random, depth, held),
        }
    }

    /// Behind a condition, something from which the thread does not go on.
    fn never_on(&mut self, random: &mut Random, depth: usize) {
        let from = self.code.len();
        self.condition(random, depth, "if");
        let (instruction, text) = match random.below(3) {
            0 => (Instruction::Stay, "for (;;) t = t;"),
            1 => (Instruction::Stop, "exit(0);"),
            _ => (Instruction::Stop, "__VERIFIER_assume(0);"),
        };
        self.code.push(instruction);
        self.line(depth, text);
        self.line(depth, "}");
        self.close(from);
    }

    /// Something done while a lock is held.
    fn critical(&mut self, random: &mut Random, depth: usize, held: &mut Vec<usize>) {
        let lock = random.below(N_LOCKS);
        if held.contains(&lock) {
            return self.statement(random, 0, held);
        }
        let from = self.code.len();
        let tries = random.below(4) == 0;
        if tries {
            self.code.push(Instruction::TryLock(lock, usize::MAX));
            self.line(depth, &format!("if (pthread_mutex_trylock(&m{lock}) == 0) {{"));
        } else {
            self.code.push(Instruction::Lock(lock));
            self.line(depth, &format!("pthread_mutex_lock(&m{lock});"));
        }
        held.push(lock);
        let n_inside = 1 + random.below(2);
        for _ in 0..n_inside {
            self.statement(random, depth - 1, held);
        }
        held.pop();
        self.code.push(Instruction::Unlock(lock));
        self.line(depth, &format!("pthread_mutex_unlock(&m{lock});"));
        if tries {
            self.line(depth, "}");
            self.close(from);
        }
    }
}
