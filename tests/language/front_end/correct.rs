//! Correct C is not refused. Lists of snippets (`correct/*.txt`) are put where C allows such
//! a thing: constants where a constant is asked for, initializers at objects of each storage
//! duration, types at each kind of declaration, and everything through macros too. The system's
//! compiler says which of the programs are correct; wane takes each of them. What it does not
//! model it may say so of, with a place.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use wane::c::preprocess::preprocess;
use wane::c::{DataModel, compile};

use super::support::{messages, options};

/// What snippets may use at file scope.
const GLOBALS: &str = "\
struct pair { int first, second; };
struct inner { int x; };
union both { int x; float y; };
struct record { int first; struct inner inner; int list[3]; struct { int anonymous; };
  struct pair pair; unsigned bits : 4; int second; };
enum number { ONE = 1, THREE = 3 };
typedef unsigned long size; typedef unsigned char small; typedef _Bool flag, bool_t;
typedef int function(int); typedef int vec __attribute__((vector_size(16)));
int file_int, file_array[4]; struct record file_record; _Thread_local int tls_count; const int con = 1;
int twice(int x) { return 2 * x; }
int va_count(int n, ...) { return n; }
struct record make(void) { struct record r = {0}; return r; }
void clean(int *k) { *k = 0; }
";

/// What they may use inside of functions.
const LOCALS: &str = "\
int i = 1, n = 1, a[4] = {0}, m[2][3] = {0}, *p = &i; unsigned u = 1; long l = 1; char c = 1;
char text[4] = \"abc\", *s = text; double d = 1; struct record v = {0}, *q = &v;
int (*f_ptr)(int) = twice; double _Complex complex_a = 1, complex_b = 2; vec w = {1};
_Atomic int at = 0; volatile int vol = 0; register int reg = 1; here: ;
";

/// One place for a snippet: what is written at file scope, and what in a function.
struct Setting {
    outside: String,
    inside: String,
}

fn outside(text: String, use_it: &str) -> Setting {
    Setting { outside: text, inside: use_it.to_owned() }
}

fn inside(text: String) -> Setting {
    Setting { outside: String::new(), inside: text }
}

fn constants(it: &str) -> Vec<Setting> {
    vec![
        outside(format!("int k[{it}];"), "(void) sizeof k; k[0] = 1;"),
        outside(format!("enum {{ K = {it}, L }};"), "i = L;"),
        outside(format!("struct t {{ char x[{it}]; }} k;"), "k.x[0] = sizeof k;"),
        outside(format!("struct t {{ long x : {it}; }} k;"), "k.x = 1;"),
        outside(format!("int k = {it};"), "k++;"),
        outside(
            format!("_Static_assert(({it}) || 1, \"\");\n#define M {it}\nint k[M];"),
            "k[0] = M;",
        ),
        inside(format!("int k[{it}]; k[0] = sizeof k;")),
        inside(format!("static int k[] = {{[{it}] = 1}}; k[0] = 2;")),
        inside(format!("switch (i) {{ case {it}: n = 2; }}")),
        inside(format!("enum {{ K = {it} }}; n = K;")),
        inside(format!("static long k = {it}; n = k + ({it});")),
    ]
}

fn values(it: &str) -> Vec<Setting> {
    vec![
        inside(format!("{it};")),
        inside(format!("(void) ({it});")),
        inside(format!("if ({it}) n = 1;")),
        inside(format!("n = ({it}) ? 1 : 2;")),
        inside(format!("for (i = 0; i < 1 && ({it}); {it}) n++;")),
        inside(format!("va_count(1, {it});")),
        inside(format!("(void) sizeof({it}); __typeof__({it}) *k = 0; (void) k;")),
        inside(format!("#undef M\n#define M {it}\n(void) (M); if(M)n=1;")),
        inside(format!(
            "#undef N\n#define N(...) (__VA_ARGS__) + (__VA_ARGS__)\n(void) (N({it}));"
        )),
        inside(format!("#undef O\n#define O(x, ...) ((x)<(__VA_ARGS__))\ni = O(.5,{it});")),
    ]
}

fn statements(it: &str) -> Vec<Setting> {
    vec![
        inside(it.to_owned()),
        inside(format!("if (i) {{\n{it}\n}}")),
        inside(format!("for (;;) {{ {{\n{it}\n}} break; }}")),
        inside(format!("#undef N\n#define N(...) __VA_ARGS__\nN({it})")),
        inside(format!("(void) ({{\n{it}\n0; }});")),
    ]
}

fn types(it: &str) -> Vec<Setting> {
    vec![
        outside(format!("__typeof__({it}) k;"), "(void) &k;"),
        outside(format!("typedef __typeof__({it}) t; t *k; t j;"), "(void) k; (void) &j;"),
        outside(format!("struct t {{ int before; __typeof__({it}) x; }} k;"), "(void) &k.x;"),
        outside(format!("void g({it}); void g(__typeof__({it}) x) {{ (void) x; }}"), "(void) g;"),
        outside(format!("int g(void) {{ return sizeof({it}); }}"), "(void) g();"),
        outside(format!("extern __typeof__({it}) k; static __typeof__({it}) *j;"), "(void) &j;"),
        inside(format!("__typeof__({it}) k; (void) &k; (void) sizeof k;")),
        inside(format!("(void) ((__typeof__({it}) *) 0 == 0);")),
        inside(format!("n = sizeof({it}) + _Alignof({it});")),
        inside(format!("n = _Generic((__typeof__({it}) *) 0, int *: 1, default: 2);")),
        inside(format!("(void) ({it}) {{0}};")),
        inside(format!("(void) ({it}) i;")),
        inside(format!("#undef N\n#define N(...) __VA_ARGS__\nn = sizeof(N({it}));")),
    ]
}

fn initializers(it: &str) -> Vec<Setting> {
    vec![
        outside(format!("{it};"), "(void) &k; (void) k;"),
        outside(format!("static {it};"), "(void) &k;"),
        outside(format!("const {it};"), "(void) &k;"),
        outside(format!("#define M {it};\nM"), "(void) &k; (void) k;"),
        inside(format!("static {it}; (void) &k; (void) k;")),
        inside(format!("{it}; (void) &k;")),
        inside(format!("for ({it}; i < 2; i++) (void) &k;")),
    ]
}

/// The program that puts a snippet into these places.
fn program(settings: &[&Setting]) -> String {
    let mut text = GLOBALS.to_owned();
    for (number, setting) in settings.iter().enumerate() {
        let Setting { outside, inside } = setting;
        let _ = write!(text, "\n{outside}\nvoid f{number}(void) {{\n{LOCALS}\n{inside}\n}}\n");
    }
    text.push_str("int main(void) {\n");
    (0..settings.len()).for_each(|number| {
        let _ = writeln!(text, "  f{number}();");
    });
    text.push_str("}\n");
    text
}

/// Whether the system's compiler takes the file.
fn is_correct(file: &Path) -> bool {
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-fsyntax-only", "-w"]).arg(file).stderr(Stdio::null());
    compiler.status().is_ok_and(|status| status.success())
}

/// Why wane refuses a file; nothing, if it says that something is not modelled there.
fn refusal(file: &Path) -> Option<String> {
    let result = preprocess(file, DataModel::Lp64).and_then(|source| compile(&source, &options()));
    let message = messages(&result.err()?).remove(0);
    (!message.ends_with("is not modelled")).then_some(message)
}

/// What is found about a program.
enum Judgement {
    Taken,
    Refused(String),
    /// The compiler refuses it, too.
    Incorrect,
}

fn judge(folder: &Path, name: &str, text: &str) -> Judgement {
    let file = folder.join(format!("{name}.c"));
    assert!(std::fs::write(&file, text).is_ok(), "{} cannot be written", file.display());
    match (is_correct(&file), refusal(&file)) {
        (false, _) => Judgement::Incorrect,
        (true, None) => Judgement::Taken,
        (true, Some(message)) => Judgement::Refused(message),
    }
}

fn list(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/front_end/correct").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every fourth of some things, others with each `WANE_SEED`; all with `WANE_EVERY_SNIPPET`.
fn some<T>(all: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let seed: usize = std::env::var("WANE_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    let (first, step) = match std::env::var_os("WANE_EVERY_SNIPPET") {
        Some(_) => (0, 1),
        None => (seed % 4, 4),
    };
    all.skip(first).step_by(step)
}

/// Judges each program, two at a time. Each is a name and settings, or a whole text. Where
/// not all settings of a snippet are correct, each is tried by itself.
fn each_is_taken(kind: &str, snippets: &[(String, Vec<String>)]) {
    let Ok(folder) = tempfile::tempdir() else { panic!("no temporary folder") };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some((snippet, texts)) = snippets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = format!("{kind}{}", found.len());
            let name = format!("{name}-{:?}", std::thread::current().id());
            let (mut n_correct, mut refused) = (0, None);
            for text in texts {
                match judge(folder.path(), &name, text) {
                    Judgement::Incorrect => continue,
                    Judgement::Taken => n_correct += 1,
                    Judgement::Refused(message) => {
                        n_correct += 1;
                        refused.get_or_insert(message);
                    }
                }
                // The first text has all settings at once.
                if n_correct == 1 && refused.is_none() && std::ptr::eq(text, &texts[0]) {
                    break;
                }
            }
            found.push((snippet, n_correct, refused));
        }
        found
    };
    let mut found = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        let results = workers.into_iter().map(|it| it.join().unwrap_or_default());
        results.flatten().collect::<Vec<_>>()
    });
    found.sort_by_key(|(snippet, ..)| *snippet);
    assert_eq!(found.len(), snippets.len(), "a snippet was lost");
    let mut text = String::new();
    let mut n_incorrect = 0;
    for (snippet, n_correct, refused) in &found {
        if *n_correct == 0 {
            n_incorrect += 1;
            let _ = writeln!(text, "incorrect: {snippet}");
        }
        if let Some(message) = refused {
            let _ = writeln!(text, "refused: {snippet}\n    {message}");
        }
    }
    let n_refused = found.iter().filter(|(.., refused)| refused.is_some()).count();
    assert_eq!(n_refused, 0, "{text}");
    // Compilers differ; a list that most of them refuse would test nothing.
    assert!(n_incorrect * 20 <= found.len() + 20, "{text}");
}

fn each_line_is_taken(kind: &str, settings_of: fn(&str) -> Vec<Setting>) {
    let list = list(&format!("{kind}.txt"));
    let snippets: Vec<(String, Vec<String>)> = some(list.lines().filter(|line| !line.is_empty()))
        .map(|line| {
            let settings = settings_of(line);
            let all: Vec<&Setting> = settings.iter().collect();
            let whole = std::iter::once(program(&all));
            let single = settings.iter().map(|setting| program(&[setting]));
            (line.to_owned(), whole.chain(single).collect())
        })
        .collect();
    each_is_taken(kind, &snippets);
}

#[test]
fn constant_expressions() {
    each_line_is_taken("constants", constants);
}

#[test]
fn expressions() {
    each_line_is_taken("values", values);
}

#[test]
fn statements_and_local_declarations() {
    each_line_is_taken("statements", statements);
}

#[test]
fn types_everywhere() {
    each_line_is_taken("types", types);
}

#[test]
fn initializers_of_each_duration() {
    each_line_is_taken("initializers", initializers);
}

#[test]
fn whole_files() {
    let list = list("files.txt");
    let snippets: Vec<(String, Vec<String>)> = some(list.split("\n\n"))
        .map(|text| {
            let call = "int main(void) { int (*g)() = (int (*)()) f; return g(0); }";
            (text.to_owned(), vec![format!("{text}\n{call}\n")])
        })
        .collect();
    each_is_taken("files", &snippets);
}
