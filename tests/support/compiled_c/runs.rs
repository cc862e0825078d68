//! Programs compiled with sanitizers and run, many at a time.
//!
//! A batch is one C file. Its `main` runs each program in a process of its own, with a
//! limit of steps and of blocks instead of a clock, and says what became of it.

use super::program::Program;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// How long a run may take.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Patience {
    /// A run that takes more steps than this does probably not end.
    Usual,
    /// Enough for the rounds of an unsigned counter of 32 bits. Memory is not watched.
    Long,
}

impl Patience {
    fn steps(self) -> u64 {
        match self {
            Self::Usual => 300_000,
            Self::Long => 1 << 34,
        }
    }

    /// The blocks that a run may ask for, and the numbers that it may read.
    fn blocks(self) -> u32 {
        match self {
            Self::Usual => 5_000,
            // A counter of 16 bits may count them.
            Self::Long => 1 << 20,
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Usual => &[
                "-O0",
                "-fsanitize=address,undefined",
                // What these find is either found by AddressSanitizer as well, or no error
                // of memory.
                "-fno-sanitize=null,alignment,bounds,object-size",
                "-fno-sanitize-recover=undefined",
            ],
            Self::Long => &["-O1", "-fwrapv"],
        }
    }
}

const DRIVER: &str = r#"
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum state { STARTED, ENDED, LASTS, ERROR };
static struct result { int state, observed, acc, n_unfreed, n_lost; } *result;
static unsigned long n_steps;
static const signed char *inputs;
static unsigned n_inputs;
struct block { char *start; unsigned long size; int is_live, is_reached; };
static struct block blocks[N_BLOCKS];
static unsigned n_blocks;

static void lasts(void) { result->state = LASTS; _exit(0); }
static void tick(void) { if (++n_steps > N_STEPS) lasts(); }
static void observe(int acc) { result->observed = 1; result->acc = acc; }
static void program_error(void) { result->state = ERROR; _exit(0); }
static void program_exit(int status) { result->state = ENDED; _exit(0); }
static int foreign(int value) { return value & 3; }
static int many(const char *first, ...) { return 0; }
static int input(void)
{
    if (++n_inputs > N_BLOCKS) lasts();
    return inputs[n_inputs % 16];
}

static void *noted(void *start, unsigned long size)
{
    if (n_blocks == N_BLOCKS) lasts();
    blocks[n_blocks++] = (struct block){ start, size, 1, 0 };
    return start;
}
static void forget(void *start)
{
    for (unsigned i = n_blocks; i-- > 0;)
        if (blocks[i].start == start && blocks[i].is_live) { blocks[i].is_live = 0; return; }
}
static void *program_malloc(unsigned long size) { return noted(malloc(size), size); }
static void *program_calloc(unsigned long count, unsigned long size) { return noted(calloc(count, size), count * size); }
static char *program_strdup(const char *text) { return noted(strdup(text), strlen(text) + 1); }
static char *program_strndup(const char *text, unsigned long size) { return noted(strndup(text, size), strnlen(text, size) + 1); }
static void *program_aligned(unsigned long alignment, unsigned long size) { return noted(aligned_alloc(alignment, size), size); }
static int program_memalign(void **target, unsigned long alignment, unsigned long size)
{
    int failed = posix_memalign(target, alignment, size);
    if (!failed) noted(*target, size);
    return failed;
}
static void program_free(void *start) { free(start); forget(start); }
static void *program_realloc(void *start, unsigned long size)
{
    void *moved = realloc(start, size);
    forget(start);
    return noted(moved, size);
}

static void *program_reallocarray(void *start, unsigned long count, unsigned long size)
{
    return program_realloc(start, count * size);
}

/* Marks the blocks that some bytes point into. */
static void root(const void *start, unsigned long size)
{
    for (unsigned long at = 0; at + sizeof(char *) <= size; at++) {
        char *word;
        memcpy(&word, (const char *)start + at, sizeof word);
        for (unsigned i = 0; i < n_blocks; i++) {
            struct block *it = &blocks[i];
            if (it->is_live && !it->is_reached && word >= it->start && word <= it->start + it->size) {
                it->is_reached = 1;
                root(it->start, it->size);
            }
        }
    }
}

struct run { int (*program)(void); void (*roots)(void); const signed char *inputs; };

static void run(const struct run *it)
{
    inputs = it->inputs;
    it->program();
    it->roots();
    for (unsigned i = 0; i < n_blocks; i++) {
        result->n_unfreed += blocks[i].is_live;
        result->n_lost += blocks[i].is_live && !blocks[i].is_reached;
    }
    result->state = ENDED;
    _exit(0);
}

static void run_all(const struct run *runs, int n_runs)
{
    char name[64], line[400];
    result = mmap(0, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < n_runs; i++) {
        int status;
        memset(result, 0, sizeof *result);
        snprintf(name, sizeof name, "run%d.err", i);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            int file = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);
            dup2(file, 2);
            dup2(open("/dev/null", O_WRONLY), 1);
            run(&runs[i]);
        }
        waitpid(child, &status, 0);
        printf("%d %d %d %d %d %d ", i, result->state, result->observed, result->acc, result->n_unfreed, result->n_lost);
        FILE *said = fopen(name, "r");
        int is_found = 0;
        while (said && !is_found && fgets(line, sizeof line, said))
            is_found = strstr(line, "runtime error: ") || strstr(line, "ERROR: AddressSanitizer");
        if (said) fclose(said);
        unlink(name);
        if (is_found) printf("%s", line);
        else printf(WIFSIGNALED(status) ? "killed\n" : "\n");
    }
}

#define malloc program_malloc
#define calloc program_calloc
#define realloc program_realloc
#define strdup program_strdup
#define strndup program_strndup
#define aligned_alloc program_aligned
#define posix_memalign program_memalign
#define reallocarray program_reallocarray
#define free program_free
#define reach_error program_error
#define exit program_exit
#define __VERIFIER_nondet_int input
"#;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// `main` has returned.
    Returned { n_unfreed: u32, n_lost: u32 },
    /// It has taken too many steps to end.
    Lasts,
    /// It has called `reach_error`.
    Error,
    /// `AddressSanitizer` has found this.
    Memory(String),
    /// An operator has no result, and the machine stops there: a divisor is zero, or a shift is
    /// out of range.
    Arithmetic,
    /// Something is undefined: the run says nothing.
    Undefined(String),
}

impl Ending {
    /// A word to count it under.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Returned { .. } => "returns".to_owned(),
            Self::Lasts => "lasts".to_owned(),
            Self::Error => "reaches an error".to_owned(),
            Self::Memory(what) => what.clone(),
            Self::Arithmetic => "divides by zero".to_owned(),
            Self::Undefined(_) => "undefined".to_owned(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) ending: Ending,
    /// What the program had computed where it is looked at, if it came there.
    pub(crate) value: Option<i64>,
}

impl Run {
    /// This run, if it does what another one does, in which new blocks hold other bytes. If
    /// not, it depends on what nobody has written: only what goes wrong in it is kept.
    fn or_undefined(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let ending = match (self.ending, other.ending) {
            (Ending::Memory(what), _) | (_, Ending::Memory(what)) => Ending::Memory(what),
            (Ending::Arithmetic, _) | (_, Ending::Arithmetic) => Ending::Arithmetic,
            _ => Ending::Undefined("it depends on what is not written".to_owned()),
        };
        Self { ending, value: None }
    }
}

/// Inputs of the runs of a program that reads some.
const INPUTS: [[i8; 16]; 4] = [
    [0; 16],
    [1; 16],
    [1, 0, 2, 1, 0, 3, -1, 5, 0, 1, 2, 3, 0, 7, 1, 0],
    [-1, 7, 3, 0, 6, 2, 1, 1, 4, 5, 0, -1, 2, 2, 1, 0],
];

/// What the runs of some programs do: one run each, or a few of those that read inputs.
/// `Err` is what the compiler says.
pub(crate) fn run_all(
    programs: &[Program],
    folder: &Path,
    patience: Patience,
) -> Result<Vec<Vec<Run>>, String> {
    let steps = patience.steps();
    let blocks = patience.blocks();
    let mut text = format!("enum {{ N_BLOCKS = {blocks} }};\n#define N_STEPS {steps}u\n{DRIVER}");
    let mut runs = String::new();
    let mut owners = Vec::new();
    for (index, inputs) in INPUTS.iter().enumerate() {
        let numbers = inputs.map(|it| it.to_string()).join(", ");
        let _ = writeln!(text, "static const signed char inputs_{index}[16] = {{ {numbers} }};");
    }
    for (number, program) in programs.iter().enumerate() {
        text.push_str(&program.for_batch(number));
        let n_runs = if program.is_open { INPUTS.len() } else { 1 };
        for index in 0..n_runs {
            let _ = writeln!(runs, "    {{ main_{number}, roots_{number}, inputs_{index} }},");
            owners.push(number);
        }
    }
    let n_runs = owners.len();
    let _ = write!(
        text,
        "static const struct run runs[] = {{\n{runs}}};\n\
         int main(void) {{ run_all(runs, {n_runs}); return 0; }}\n"
    );
    fs::write(folder.join("batch.c"), text).map_err(|error| error.to_string())?;
    let mut command = Command::new("cc");
    command.args(FLAGS).args(patience.flags()).args(["batch.c", "-o", "batch"]).current_dir(folder);
    let built = command.output().map_err(|error| error.to_string())?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let filled_otherwise = run_batch(folder, &owners, 0)?;
    let runs = run_batch(folder, &owners, 0xbe)?;
    let mut found = vec![Vec::new(); programs.len()];
    for (owner, (run, other)) in owners.into_iter().zip(runs.into_iter().zip(filled_otherwise)) {
        found[owner].push(run.or_undefined(other));
    }
    Ok(found)
}

/// Runs what is compiled, with new blocks of the heap full of a byte.
fn run_batch(folder: &Path, owners: &[usize], byte: u8) -> Result<Vec<Run>, String> {
    let mut command = Command::new(folder.join("batch"));
    command.current_dir(folder);
    command.env(
        "ASAN_OPTIONS",
        format!(
            "detect_leaks=0:detect_stack_use_after_return=1:symbolize=0:strict_memcmp=0:\
             malloc_fill_byte={byte}"
        ),
    );
    command.env("UBSAN_OPTIONS", "symbolize=0");
    let output = command.output().map_err(|error| error.to_string())?;
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = output.lines();
    let mut next = || {
        let line = lines.next().ok_or_else(|| format!("the batch stops early: {output}"))?;
        read(line).ok_or_else(|| format!("not understood: {line}"))
    };
    owners.iter().map(|_| next()).collect()
}

const FLAGS: &[&str] = &["-std=gnu11", "-w", "-g0", "-fno-strict-aliasing", "-fno-builtin"];

/// Reads a line of the driver.
fn read(line: &str) -> Option<Run> {
    let mut words = line.splitn(7, ' ');
    let mut number = || words.next()?.parse::<i64>().ok();
    let (_, state, observed, acc) = (number()?, number()?, number()?, number()?);
    let (n_unfreed, n_lost) = (number()?, number()?);
    let said = words.next().unwrap_or("").trim();
    let ending = if let Some((_, kind)) = said.split_once("ERROR: AddressSanitizer: ") {
        let kind = kind.split_whitespace().next().unwrap_or("?");
        match kind.trim_end_matches(':') {
            "stack-overflow" => Ending::Lasts,
            // No access is invalid.
            "FPE" => Ending::Undefined(kind.to_owned()),
            kind if kind.ends_with("-overlap") => Ending::Undefined(kind.to_owned()),
            kind => Ending::Memory(kind.to_owned()),
        }
    } else if let Some((_, what)) = said.split_once("runtime error: ") {
        match what {
            "division by zero" => Ending::Arithmetic,
            what if what.starts_with("shift exponent") => Ending::Arithmetic,
            what => Ending::Undefined(what.to_owned()),
        }
    } else {
        match state {
            1 => Ending::Returned {
                n_unfreed: u32::try_from(n_unfreed).ok()?,
                n_lost: u32::try_from(n_lost).ok()?,
            },
            2 => Ending::Lasts,
            3 => Ending::Error,
            _ => Ending::Undefined(format!("it stops: {said}")),
        }
    };
    Some(Run { ending, value: (observed != 0).then_some(acc) })
}

/// Whether the compiler makes code of a program: there are correct ones at which it crashes.
pub(crate) fn compiles(program: &Program, folder: &Path) -> bool {
    let text = program.for_wane(super::program::End::Silent);
    if fs::write(folder.join("alone.c"), text).is_err() {
        return false;
    }
    let mut command = Command::new("cc");
    command.args(["-std=gnu11", "-w", "-S", "-o", "alone.s", "alone.c"]).current_dir(folder);
    command.output().is_ok_and(|output| output.status.success())
}
