//! Programs that are entered several times, against programs that are read anew each time.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::{DataModel, IntModel, MallocModel, Options, PreprocessedSource, compile_parsed, parse};

/// Two files that share names, structures and functions, and disagree about one of them.
const FILES: [(&str, &str); 2] = [
    (
        "one.c",
        "struct same { int a; }; struct other { int a; };
         extern int limit; static int own = 3; int puts(const char *);
         int twice(struct same *it) { static int calls; extern int far; calls++;
             return it->a * 2 + own + far; }
         static int helper(int n) { return n < limit ? helper(n + 1) : n; }
         int first(int n) { puts(\"first\"); return helper(n); }
         int main(void) { struct same s = {limit}; return first(twice(&s)); }",
    ),
    (
        "two.c",
        "struct same { int a; }; struct other { long b; };
         int limit = 10, far = 1; static int own = 4; int twice(struct same *);
         int second(struct other *it) { struct same s = {(int)it->b}; own++; return twice(&s); }
         int third(void) { int (*f)(struct same *) = twice; struct same s = {0}; return f(&s); }",
    ),
];

fn sources() -> Vec<PreprocessedSource> {
    let source = |(name, text): (&str, &str)| PreprocessedSource {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    FILES.map(source).to_vec()
}

/// All ways to read them.
fn ways() -> Vec<Options> {
    let mut ways = Vec::new();
    for entry in [None, Some("main"), Some("first"), Some("second"), Some("third"), Some("none")] {
        for int_model in [IntModel::C, IntModel::Math, IntModel::Machine] {
            for data_model in [DataModel::Lp64, DataModel::Ilp32] {
                for malloc in [MallocModel::Succeeds, MallocModel::MayFail] {
                    let entry = entry.map(str::to_owned);
                    let options =
                        Options { entry, int_model, data_model, malloc, ..Options::default() };
                    ways.push(options);
                }
            }
        }
    }
    ways
}

/// What was read before, and how often, changes nothing.
#[test]
fn a_program_that_is_entered_again_is_the_same() {
    let input = Options::default().input;
    let kept = parse(&sources(), input).unwrap();
    let told = |parsed: &crate::Parsed, options: &Options| {
        format!("{:?}", compile_parsed(parsed, options).map_err(|it| it.errors))
    };
    let alone: Vec<String> =
        ways().iter().map(|it| told(&parse(&sources(), input).unwrap(), it)).collect();
    for _ in 0..2 {
        for (options, alone) in ways().iter().zip(&alone).rev() {
            assert!(told(&kept, options) == *alone, "{options:?}");
        }
    }
    assert!(alone.iter().any(|it| it.contains("second")), "the program is read");
    assert!(alone.iter().any(|it| it.starts_with("Err")), "a function that is missing is told of");
}

/// Types that are as deep as the text lies in one another are forgotten without harm, on a thread
/// with little stack, too.
#[test]
fn deep_types_are_forgotten() {
    let text = format!("int {}deep;\nint main(void) {{ return 0; }}\n", "*".repeat(100_000));
    let source = PreprocessedSource { name: "deep.c".to_owned(), text };
    let options = Options::default();
    let parsed = parse(&[source], options.input).unwrap();
    assert!(compile_parsed(&parsed, &options).is_ok());
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(move || drop(parsed));
    thread.unwrap().join().unwrap();
}
