//! Which texts are C: the classic troubles with typedef names, and GNU forms.

use super::support::{accepted, compile_with, options, refused};

/// Accepted in a file that has a `main`.
#[track_caller]
fn ok(text: &str) {
    accepted(&format!("{text}\nint main(void) {{ return 0; }}\n"));
}

#[test]
fn typedef_names() {
    ok("typedef int T; T x;");
    ok("typedef int T; void f(void) { { int T; T = 1; } T y; y = 2; }");
    ok("typedef int T; void f(T T) { T = 1; } T *q;");
    ok("typedef int T; void f(void) { enum { T } e; e = T; } T z;");
    ok("typedef int T; struct s { T T; T t; };");
    ok("typedef int T; void f(void) { T: goto T; }");
    ok("typedef int T; int f(int (T)); int g(int); int f(int (*p)(int)) { return p(1); }");
    ok("int typedef W; W w;");
    ok("typedef int T; int f(int x) { return ({ T y = x; y; }); }");
    ok("typedef int T; int f(int x) { return (T)x * sizeof(T)*2; }");
    ok("typedef int T; T T_(T a) { T b; return a + (b = 1); }");
    ok("typedef int T; void f(void) { for (int T = 0; T < 1; T++) T += 0; T x; x = 1; }");
    ok("typedef struct T T; struct T { T *next; };");
    ok("typedef int (*F)(void); typedef int (*F)(void); F f;");
    ok("typedef int T; int f(void) { int T = sizeof(T); return T; }");
    ok("typedef char T, U; U f(T (*g)(U)) { return g(1); }");
    ok("typedef int T; static const T x = 1; const T *p = &x; unsigned U;");
    ok("typedef int T; void f(void) { typedef char T; T c = 1; { unsigned T; T = c; } }");
}

#[test]
fn refused_declarations() {
    refused("typedef int T; void f(void) { unsigned T x; }\nint main(void) { return 0; }");
    refused("int main(void) { undeclared x; }");
}

#[test]
fn dangling_else() {
    ok("int f(int a, int b) { if (a) if (b) return 1; else return 2; return 3; }");
    ok("int f(int a) { while (a) if (a) for (;;) if (a) break; else a--; else a = 0; return a; }");
}

#[test]
fn gnu_forms() {
    ok(
        "__attribute__((unused)) static __inline__ int f(int x) __attribute__((const)); static int f(int x) { return x; }",
    );
    ok(
        "extern int f(const char *__restrict, ...) __asm__(\"g\") __attribute__((format(printf, 1, 2)));",
    );
    ok("struct __attribute__((packed, aligned(4))) s { int a; } __attribute__((unused)) v;");
    ok("__extension__ typedef long long L; L f(void) { return __extension__ 1; }");
    ok("void f(void) { __label__ out; goto out; out:; }");
    ok("int f(int x) { switch (x) { case 1 ... 3: return 1; default: ; } return x ?: 2; }");
    ok("int a[] = { [0 ... 3] = 1, [7] = 2 }; struct s { int x; } s = { x: 1 };");
    ok("void f(int n) { int a[n]; a[0] = 1; __typeof__(a[0]) b = a[0]; (void)b; }");
    ok(
        "void f(void) { int x; __asm__ volatile (\"\" : \"=r\"(x) : \"0\"(1), [n] \"m\"(x) : \"cc\"); asm(\"nop\"); }",
    );
    ok("_Noreturn void f(void); _Thread_local int t; _Alignas(16) char c; _Alignas(long) char d;");
    ok("#pragma once\n# 7 \"other.h\" 1 3\n#ident \"x\"\nint x;");
    ok("void main_like(); static x, *y; unsigned long int long z; int long unsigned w;");
    ok("_Float128 f(_Float64x x, __int128 y, unsigned __int128 z, __builtin_va_list v);");
    ok("int f(a, b) register int a; const char *b; { return a; }");
    ok("char *s = \"a\" \"b\\x41\\101\\n\" L\"\"; int c = 'ab' + L'x';");
}

#[test]
fn line_markers_locate_errors() {
    let message = refused(
        "# 40 \"inner.h\"\nint x;\n\nint y = z;\n# 3 \"test.c\" 2\nint main(void) { return y; }\n",
    );
    assert_eq!(message, "inner.h:42:9: `z` is not declared");
}

#[test]
fn entry_function() {
    let with_entry = |name: &str| wane::c::Options { entry: Some(name.to_owned()), ..options() };
    let text =
        "struct s { int x; }; int f(struct s *p, int n, double d) { return p ? n : (int)d; }";
    assert!(compile_with(text, &with_entry("f")).is_ok());
    assert!(compile_with(text, &with_entry("g")).is_err());
    assert_eq!(refused(text), "test.c:1:1: no function `main` is defined here");
}
