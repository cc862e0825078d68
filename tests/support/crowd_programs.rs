//! Producers, consumers and others, as C.

use std::fmt::Write as _;

/// How the threads are started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Main {
    /// One command for each.
    Line,
    /// In a loop.
    Loop,
}

/// Threads of three kinds and more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd {
    /// How many there are.
    pub(crate) n_threads: usize,
    /// Kinds beside producers, consumers and closers.
    pub(crate) n_more_kinds: usize,
    /// Whether a consumer closes the store before it takes: then nothing is added any more.
    pub(crate) closes: bool,
    /// How they are started.
    pub(crate) main: Main,
}

const KINDS: &str = "#include <pthread.h>
extern int nondet(void);
static int stored, closed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *unused) {
    while (nondet()) {
        pthread_mutex_lock(&lock);
        if (!closed) stored = stored + 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *closer(void *unused) {
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *consumer(void *unused) {
    int some = 1;
    CLOSE
    while (some) {
        pthread_mutex_lock(&lock);
        some = stored > 0;
        if (some) stored = stored - 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
";

impl Crowd {
    /// The program.
    pub(crate) fn text(&self) -> String {
        let close = "pthread_mutex_lock(&lock); closed = 1; pthread_mutex_unlock(&lock);";
        let mut text = KINDS.replace("CLOSE", if self.closes { close } else { "" });
        let mut kinds = vec!["producer".to_owned(), "consumer".to_owned(), "closer".to_owned()];
        for number in 0..self.n_more_kinds {
            writeln!(text, "static int seen{number};").unwrap();
            writeln!(
                text,
                "static void *watcher{number}(void *unused) {{
    pthread_mutex_lock(&lock);
    seen{number} = stored;
    pthread_mutex_unlock(&lock);
    return 0;
}}"
            )
            .unwrap();
            kinds.push(format!("watcher{number}"));
        }
        let n_threads = self.n_threads;
        writeln!(text, "int main(void) {{\n    pthread_t t[{n_threads}];\n    int i;").unwrap();
        match self.main {
            Main::Line => {
                for (number, kind) in (0..n_threads).zip(kinds.iter().cycle()) {
                    writeln!(text, "    pthread_create(&t[{number}], 0, {kind}, 0);").unwrap();
                }
            }
            Main::Loop => {
                writeln!(text, "    for (i = 0; i < {n_threads}; i++) {{").unwrap();
                let n_kinds = kinds.len();
                for (number, kind) in kinds.iter().enumerate() {
                    writeln!(
                        text,
                        "        if (i % {n_kinds} == {number}) pthread_create(&t[i], 0, {kind}, 0);"
                    )
                    .unwrap();
                }
                writeln!(text, "    }}").unwrap();
            }
        }
        writeln!(text, "    for (i = 0; i < {n_threads}; i++) pthread_join(t[i], 0);").unwrap();
        text.push_str("    return 0;\n}\n");
        text
    }
}
