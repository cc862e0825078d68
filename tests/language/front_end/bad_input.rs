//! Input that is no C, or too much of it: a located message, never a crash.

use wane::c::DataModel;
use wane::c::preprocess::preprocess;
use wane_grammar::c::literal::decode;

use super::support::{compile_with, messages, options, refused};

/// `before`, `middle` so many times, `after`.
fn repeated(before: &str, middle: &str, count: usize, after: &str) -> String {
    format!("{before}{}{after}", middle.repeat(count))
}

/// Anything but a crash.
fn survives(text: &str) {
    if let Err(rejection) = compile_with(text, &options()) {
        assert!(!rejection.errors.is_empty());
        assert!(rejection.errors.iter().all(|error| error.span.is_somewhere()));
    }
}

#[test]
fn located_messages() {
    let cases = [
        ("int main(void) { return 0 }", "test.c:1:27: unexpected `}`, expected `;`"),
        ("int main(void) { return 0; ", "test.c:1:26: unexpected end of file"),
        ("int main(void) { /* never", "test.c:1:18: unterminated comment"),
        ("char *s = \"abc\n;", "test.c:1:11: unterminated string literal"),
        ("int c = 'a\n;", "test.c:1:9: unterminated character constant"),
        ("int x = 1 @ 2;", "test.c:1:11: unexpected character `@`"),
        ("int x = \u{1};", "test.c:1:9: unexpected control character U+0001"),
        ("#include <stdio.h>\n", "test.c:1:1: `#include` needs a preprocessor"),
        (
            "int x = 12345678901234567890123;",
            "test.c:1:9: integer constant is too large for any type",
        ),
        ("int x = 09;", "test.c:1:9: `09` is no number"),
        ("int x = 'ab\\q' + '';", "test.c:1:18: empty character constant"),
        ("int main(void) { return x; }", "test.c:1:25: `x` is not declared"),
        (
            "int main(void) { struct s *p; return p->x; }",
            "test.c:1:38: the structure `s` has no definition here",
        ),
        (
            "struct s { struct s inner; }; int main(void) { return 0; }",
            "test.c:1:1: member `inner` has a type without a size",
        ),
        ("int main(void) { goto out; }", "test.c:1:18: there is no label `out`"),
        ("int main(void) { break; }", "test.c:1:18: `break` outside a loop or switch"),
        ("int main(void) { int x = 1; return *x; }", "test.c:1:36: an integer cannot be followed"),
        ("int main(void) { int a[-1]; return 0; }", "test.c:1:24: an array has a negative length"),
        (
            "struct s { int a; } s; int main(void) { return s.b; }",
            "test.c:1:48: the structure `s` has no member `b`",
        ),
        (
            "int x; int x(void); int main(void) { return 0; }",
            "test.c:1:12: `x` is declared as something else before",
        ),
        (
            "_Static_assert(1 == 2, \"no\"); int main(void) { return 0; }",
            "test.c:1:16: static assertion fails",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refused(text), expected, "{text}");
    }
}

#[test]
fn nesting_is_limited() {
    let deep = 100_000;
    for text in [
        repeated("int x = ", "(", deep, "1"),
        repeated("int x", "[", deep, ""),
        repeated("int main(void) ", "{", deep, ""),
        repeated("int ", "*", deep, "x; int main(void) { return 0; }"),
        repeated("int main(void) { return ", "-", deep, "1; }"),
        repeated("int main(void) { return ", "!", deep, "1; }"),
        repeated("int main(void) { int x; x", " = x", deep, "; }"),
        repeated("int main(void) { return 1", " ? 1 : 1", deep, "; }"),
        repeated("int main(void) { return 1", ", 1", deep, "; }"),
        repeated("int main(void) { return ", "sizeof ", deep, "1; }"),
        repeated("int main(void) { return ", "(int)", deep, "1; }"),
        repeated("int main(void) { ", "if (1) ", deep, "; }"),
        repeated("int main(void) { ", "while (1) ", deep, "; }"),
        repeated("int main(void) { ", "do ", deep, "; }"),
        repeated("int main(void) { ", "a: ", deep, "; }"),
        repeated("int x = ", "{", deep, "1"),
        repeated("", "struct s { ", deep, "int x;"),
        repeated("int f", "(int g", deep, ""),
        repeated("int x", "[1]", deep, ";"),
        repeated("int *p; int main(void) { return p", "[0]", deep, "; }"),
        repeated("int main(void) { f", "()", deep, "; }"),
        repeated("int main(void) { return ", "({ ", deep, "1; }); }"),
        repeated("int main(void) { return ", "sizeof(int[", deep, "1"),
        repeated("int x = ", "sizeof(typeof(", 250, "1"),
    ] {
        survives(&text);
    }
}

#[test]
fn long_chains() {
    survives(&repeated("int a; int main(void) { return a", " + a", 200_000, "; }"));
    survives(&repeated("int a; int main(void) { return a", " && a", 200_000, "; }"));
    survives(&repeated("int a; int main(void) { return a", " + a", 1_900, "; }"));
    survives(&repeated("int a; int main(void) { return a", " && a", 1_900, "; }"));
    survives(&repeated(
        "int a; int main(void) { return a",
        " || (a",
        400,
        &format!("{}; }}", ")".repeat(400)),
    ));
    survives(&repeated("int a; int main(void) { if (a) ;", " else if (a) ;", 20_000, " }"));
    survives(&repeated(
        "int a; int main(void) { if (a) { a = 1; }",
        " else if (a == 2) { a = 3; }",
        20_000,
        " return 0; }",
    ));
    survives(&repeated("int main(void) { ", "{ }", 50_000, " }"));
    survives(&repeated("char *s = ", "\"a\" ", 100_000, "; int main(void) { return s[0]; }"));
}

#[test]
fn long_literals() {
    survives(&repeated("char *s = \"", "x", 1 << 20, "\"; int main(void) { return s[0]; }"));
    survives(&repeated("char s[] = \"", "x", 1 << 20, "\"; int main(void) { return s[0]; }"));
    survives(&repeated("int x = ", "9", 1 << 20, "; int main(void) { return x; }"));
    survives(&repeated("int ", "x", 1 << 20, "; int main(void) { return 0; }"));
    survives(&repeated("int a[] = { ", "1, ", 100_000, "}; int main(void) { return a[5]; }"));
    survives("int a[1000000000000]; int main(void) { return a[0]; }");
    survives("int a[9223372036854775807][9223372036854775807]; int main(void) { return a[0][0]; }");
    survives("int a[] = { [0 ... 2000000000] = 1 }; int main(void) { return a[0]; }");
    survives("int x = 1 << 1000000000; int y = 1 / 0; int main(void) { return x + y; }");
}

#[test]
fn garbage() {
    let mut state = 1_u64;
    for length in [0, 1, 10, 100, 1_000, 10_000] {
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                state.to_be_bytes()[0]
            })
            .collect();
        survives(&decode(&bytes));
    }
    assert_eq!(
        refused(&decode(b"int \xff;")),
        "test.c:1:5: unexpected byte 0xff, which is no UTF-8 text"
    );
    // In strings and comments any byte will do.
    survives(&decode(b"/* \xe4 */ char *s = \"\xfc\"; int main(void) { return s[0]; }"));
}

/// Tokens of C in any order.
#[test]
fn shuffled_tokens() {
    let tokens = [
        "int", "x", "(", ")", "{", "}", "[", "]", ";", ",", "=", "*", "&", "struct", "typedef",
        "T", "if", "else", "while", "for", "return", "1", "\"s\"", "'c'", "->", ".", "+", "?", ":",
        "case", "default", "switch", "goto", "sizeof", "do", "...", "static", "enum", "union",
        "typeof", "1.5",
    ];
    let mut state = 7_u64;
    for _ in 0..2_000 {
        let mut text = String::from("typedef int T; int main(void) { int x; ");
        for _ in 0..12 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let pick = usize::try_from(state >> 33).expect("31 bits") % tokens.len();
            text.push_str(tokens[pick]);
            text.push(' ');
        }
        text.push_str("; }");
        survives(&text);
    }
}

#[test]
fn preprocessor_errors_are_located() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("missing.c");
    std::fs::write(&path, "int x;\n#include \"nowhere.h\"\n").expect("the temporary file");
    let rejection = preprocess(&path, DataModel::Lp64).expect_err("there is no such header");
    let error = &rejection.errors[0];
    assert!(error.span.is_somewhere());
    // Without a compiler the message is another one.
    if error.message.contains("says") {
        assert_eq!((error.span.line, error.span.column), (2, 10));
        assert!(error.message.contains("nowhere.h"), "{}", error.message);
    }
    let rejection = preprocess(&folder.path().join("absent.c"), DataModel::Lp64);
    assert!(messages(&rejection.expect_err("there is no such file"))[0].contains("cannot be read"));
}
