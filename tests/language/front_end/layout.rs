//! Sizes, alignments and offsets: ours against the compiler's.

use std::process::Command;

use super::support::accepted;

/// Structures, and expressions about them that are compared.
const TYPES: &str = "
    struct a { char c; int i; char d; };
    struct b { short s; struct a inner[3]; long l; };
    union c { char bytes[13]; double d; struct a a; };
    struct d { unsigned x : 3, y : 7; int z : 20; unsigned char w : 5; long long v : 40; };
    struct e { char c; int : 0; char d; };
    struct f { char c; int i; short s; } __attribute__((packed));
    struct g { char c; char d __attribute__((aligned(16))); };
    struct h { int n; double flexible[]; };
    struct i { char c; struct { short s; union { int i; char k; }; }; long double q; };
    struct j { _Bool b; enum { A, B } e; void *p; char t[3]; };
    struct k { char c; unsigned long long n : 33; char d; } __attribute__((packed));
    #pragma pack(push, 2)
    struct l { char c; long n; };
    #pragma pack(pop)
    struct m { char c : 4; char d : 6; short e : 9; int f : 2; };
";

const QUESTIONS: &[&str] = &[
    "sizeof(struct a)",
    "sizeof(struct b)",
    "sizeof(union c)",
    "sizeof(struct d)",
    "sizeof(struct e)",
    "sizeof(struct f)",
    "sizeof(struct g)",
    "sizeof(struct h)",
    "sizeof(struct i)",
    "sizeof(struct j)",
    "sizeof(struct k)",
    "sizeof(struct l)",
    "sizeof(struct m)",
    "sizeof(long double)",
    "sizeof(__int128)",
    "sizeof(wchar)",
    "_Alignof(struct b)",
    "_Alignof(union c)",
    "_Alignof(struct f)",
    "_Alignof(struct g)",
    "__builtin_offsetof(struct b, inner[1].d)",
    "__builtin_offsetof(struct b, l)",
    "__builtin_offsetof(struct e, d)",
    "__builtin_offsetof(struct f, s)",
    "__builtin_offsetof(struct h, flexible[2])",
    "__builtin_offsetof(struct i, k)",
    "__builtin_offsetof(struct i, q)",
    "__builtin_offsetof(struct j, t)",
    "__builtin_offsetof(struct k, d)",
    "__builtin_offsetof(struct l, n)",
];

/// Text with a static assertion for each question and its answer.
fn assertions(answers: &[u64]) -> String {
    let checks = QUESTIONS.iter().zip(answers);
    let checks =
        checks.map(|(question, answer)| format!("_Static_assert({question} == {answer}, \"\");\n"));
    format!(
        "typedef int wchar;\n{TYPES}\n{}int main(void) {{ return 0; }}\n",
        checks.collect::<String>()
    )
}

#[test]
fn agrees_with_the_compiler() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, binary) = (folder.path().join("layout.c"), folder.path().join("layout"));
    let prints: String = QUESTIONS
        .iter()
        .map(|question| format!("printf(\"%d\\n\", (int)({question}));\n"))
        .collect();
    let text = format!(
        "#include <stdio.h>\ntypedef int wchar;\n{TYPES}\nint main(void) {{ {prints} return 0; }}\n"
    );
    std::fs::write(&source, text).expect("the temporary file");
    let compiled = Command::new("cc").arg("-w").arg("-o").arg(&binary).arg(&source).status();
    if !compiled.is_ok_and(|status| status.success()) {
        return;
    }
    let output = Command::new(&binary).output().expect("the compiled program");
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers: Vec<u64> = output.lines().filter_map(|line| line.parse().ok()).collect();
    assert_eq!(answers.len(), QUESTIONS.len());
    accepted(&assertions(&answers));
}
