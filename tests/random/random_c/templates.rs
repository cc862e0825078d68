//! What random programs are made of.
//!
//! In a template `$a1` is a pointer to a `struct A@`, the same wherever it stands in that
//! template; `$b` points to a `struct B@`, `$x` is an integer variable, `$e` an expression,
//! `$c` a condition, `$k` a small number. `$f` is an integer field of A and `$g` of B; `$l`
//! leads from A to A, `$m` from A to B, `$h` from B to A, `$q` from B to B. A template with
//! `~` in front may do other things in another run, since blocks may lie elsewhere.

/// What is called, as a preprocessed file declares it.
pub(crate) const PROTOTYPES: &str = "typedef unsigned long size_t;
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void *realloc(void *block, size_t size);
extern void free(void *block);
extern void *memset(void *block, int byte, size_t size);
extern void *memcpy(void *target, const void *source, size_t size);
extern void *memmove(void *target, const void *source, size_t size);
extern int memcmp(const void *left, const void *right, size_t size);
extern void *memchr(const void *block, int byte, size_t size);
extern size_t strlen(const char *text);
extern char *strcpy(char *target, const char *source);
extern char *strncpy(char *target, const char *source, size_t size);
extern char *strcat(char *target, const char *source);
extern char *strncat(char *target, const char *source, size_t size);
extern int strcmp(const char *left, const char *right);
extern int strncmp(const char *left, const char *right, size_t size);
extern char *strchr(const char *text, int byte);
extern char *strrchr(const char *text, int byte);
extern char *strstr(const char *text, const char *part);
extern size_t strspn(const char *text, const char *bytes);
extern size_t strcspn(const char *text, const char *bytes);
extern char *strdup(const char *text);
extern int atoi(const char *text);
extern int abs(int number);
extern int isdigit(int byte);
extern int isalpha(int byte);
extern int toupper(int byte);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
";

/// Fields of `struct A@` that each program has.
pub(crate) const FIELDS_OF_A: &[&str] =
    &["struct A@ *next;", "int val;", "struct B@ *link;", "int (*call)(int);"];

/// Fields of `struct A@` that some programs have: their name, how they are declared, and
/// whether they are numbers.
pub(crate) const MORE_OF_A: &[(&str, &str, bool)] = &[
    ("other", "struct A@ *other;", false),
    ("tiny", "signed char tiny;", true),
    ("half", "unsigned short half;", true),
    ("bit", "int bit : 5;", true),
    ("flag", "unsigned flag : 3;", true),
    ("wide", "unsigned long wide : 37;", true),
    ("yes", "_Bool yes;", true),
    ("big", "long big;", true),
    ("few", "signed char few : 2;", true),
    ("v", "int v[3];", false),
    ("bytes", "unsigned char bytes[6];", false),
    ("u", "union U@ u;", false),
    ("in", "struct In@ in;", false),
    ("any", "void *any;", false),
    ("name", "char name[5];", false),
];

pub(crate) const FIELDS_OF_B: &[&str] =
    &["struct A@ *home;", "struct B@ *peer;", "int num;", "struct A@ *pair[2];"];

pub(crate) const MORE_OF_B: &[(&str, &str, bool)] = &[
    ("low", "short low;", true),
    ("tag", "unsigned char tag;", true),
    ("part", "unsigned part : 9;", true),
    ("sign", "long sign : 12;", true),
    ("a", "struct A@ a;", false),
    ("both", "union { int i; unsigned char b[4]; struct A@ *p; } both;", false),
];

pub(crate) const FIELDS_OF_U: &[&str] = &[
    "int i;",
    "unsigned w;",
    "unsigned char b[8];",
    "short h[4];",
    "struct A@ *p;",
    "int (*f)(int);",
    "struct { signed char c; short s; int i; } m;",
];

/// Variables that hold numbers: their declarations.
pub(crate) const NUMBERS: &[(&str, &str)] = &[
    ("x0", "int x0 = $k;"),
    ("x1", "int x1 = 0;"),
    ("x2", "int x2 = -$k;"),
    ("c0", "signed char c0 = $k;"),
    ("u0", "unsigned char u0 = 200;"),
    ("s0", "short s0 = $k;"),
    ("h0", "unsigned short h0 = 65530;"),
    ("w0", "unsigned w0 = $k;"),
    ("l0", "long l0 = $k;"),
    ("f0", "_Bool f0 = 1;"),
];

/// Other variables of `main`.
pub(crate) const LOCALS: &[(&str, &str)] = &[
    ("a0", "struct A@ *a0 = 0;"),
    ("a1", "struct A@ *a1 = 0;"),
    ("b0", "struct B@ *b0 = 0;"),
    ("b1", "struct B@ *b1 = 0;"),
    ("v0", "void *v0 = 0;"),
    ("n0", "unsigned long n0 = 0;"),
    ("n1", "long n1 = 0;"),
    ("s1", "struct A@ s1 = {0};"),
    ("s2", "struct A@ s2 = { .val = $k };"),
    ("t1", "struct B@ t1 = {0};"),
    ("un", "union U@ un = { .l = 0 };"),
    ("ip", "int *ip = &x0;"),
    ("cp", "char *cp = text@;"),
    ("bp", "unsigned char *bp = 0;"),
    ("vp", "int *vp = 0;"),
    ("sp", "struct A@ **sp = &ga@;"),
    ("fp", "int (*fp)(int) = inc@;"),
    ("fq", "int (*fq)(int) = count@;"),
    ("x9", "int x9 = 0;"),
];

/// What stands at file scope behind the types; globals that may hold pointers are roots.
pub(crate) const GLOBALS: &[(&str, &str)] = &[
    ("acc@", "static int acc@;"),
    ("g@", "static int g@ = $k;"),
    ("calls@", "static unsigned char calls@;"),
    ("vg@", "static volatile int vg@ = $k;"),
    ("*ga@", "static struct A@ *ga@;"),
    ("*gb@", "static struct B@ *gb@;"),
    ("*arr@", "static struct A@ arr@[3];"),
    ("*second@", "static struct A@ second@;"),
    ("*first@", "static struct A@ first@ = { .next = &second@, .val = $k };"),
    ("*gu@", "static union U@ gu@;"),
    ("text@", "static char text@[16] = \"ab,cd\";"),
    ("*slots@", "static void *slots@[4];"),
    ("words@", "static const char *const words@[3] = { \"one\", \"two2\", \"\" };"),
    ("steps@", "static const int steps@[4] = { 1, $k, 2, -1 };"),
    ("grid@", "static short grid@[2][3] = { { 1, 2, 3 }, { $k } };"),
    ("inc@", "static int inc@(int v) { return v + $k; }"),
    ("half@", "static int half@(int v) { return v / 2; }"),
    ("flip@", "static int flip@(int v) { return (v ^ 5) & 31; }"),
    ("count@", "static int count@(int v) { static int n; n += v & 3; calls@++; return n; }"),
    ("tally@", "static int tally@(int v) { acc@ += v & 1; return calls@; }"),
    ("table@", "static int (*const table@[3])(int) = { inc@, half@, flip@ };"),
    ("var@", "static int (*var@[2])(int) = { flip@, count@ };"),
    ("via@", "static int via@(int (*f)(int), int v) { return f(f(v)); }"),
    (
        "ops@",
        "struct Ops@ { int (*one)(int); int (*two)(int (*)(int), int); };\nstatic const struct Ops@ ops@ = { half@, via@ };",
    ),
    ("apply@", "static int apply@(int (*f)(int), int v) { return f(v) & 127; }"),
    (
        "take@",
        "static int take@(struct A@ s) { s.val += 3; s.$f += 1; return (s.val + s.$f) & 63; }",
    ),
    (
        "make@",
        "static struct A@ make@(int v) { struct A@ s = {0}; s.$f = v; s.val = v & 15; s.call = inc@; return s; }",
    ),
    (
        "makeb@",
        "static struct B@ makeb@(struct A@ *p) { struct B@ s = { .home = p, .num = $k }; return s; }",
    ),
    (
        "takeb@",
        "static struct A@ *takeb@(struct B@ s) { struct A@ *p = s.home; s.home = 0; return p; }",
    ),
    (
        "newa@",
        "static struct A@ *newa@(int v) { struct A@ *p = calloc(1, sizeof *p); p->val = v & 31; p->$f = v; return p; }",
    ),
    (
        "copya@",
        "static struct A@ *copya@(struct A@ s) { struct A@ *p = malloc(sizeof *p); *p = s; return p; }",
    ),
    (
        "newb@",
        "static struct B@ *newb@(struct A@ *p) { struct B@ *b = malloc(sizeof(struct B@)); memset(b, 0, sizeof *b); b->home = p; return b; }",
    ),
    (
        "keep@",
        "static int n_kept@;\nstatic void keep@(void *p) { if (n_kept@ < 4) slots@[n_kept@++] = p; }",
    ),
    (
        "swap@",
        "static void swap@(struct A@ **p, struct A@ **q) { struct A@ *t = *p; *p = *q; *q = t; }",
    ),
    ("put@", "static void put@(void *p, int v) { memcpy(p, &v, sizeof v); }"),
    ("get@", "static int get@(const void *p) { int v; memcpy(&v, p, sizeof v); return v; }"),
    (
        "sum@",
        "static int sum@(struct A@ *p) { int s = 0; while (p) { TICK; s += p->val & 7; p = p->next; } return s; }",
    ),
    (
        "deep@",
        "static int deep@(struct A@ *p, int d) { TICK; if (!p || d <= 0) return d; return deep@(p->$l, d - 1) + 1; }",
    ),
    (
        "even@",
        "static int odd@(unsigned char d);\nstatic int even@(unsigned char d) { TICK; return d == 0 ? 1 : odd@(d - 1); }\nstatic int odd@(unsigned char d) { TICK; return d == 0 ? 0 : even@(d - $k); }",
    ),
    (
        "each@",
        "static void each@(struct A@ *p, void (*f)(struct A@ *)) { for (; p; p = p->$l) { TICK; f(p); } }",
    ),
    ("bump@", "static void bump@(struct A@ *p) { p->$f++; acc@ += p->$f & 3; }"),
    ("loop@", "static void loop@(struct A@ *p) { if (p->val > $k) p->next = p; }"),
    ("cut@", "static void cut@(struct A@ *p) { p->next = 0; }"),
    (
        "drop@",
        "static void drop@(struct A@ *p) { while (p) { TICK; struct A@ *t = p->next; free(p); p = t; } }",
    ),
    (
        "dropb@",
        "static void dropb@(struct B@ *p) { while (p) { TICK; struct B@ *t = p->peer; free(p); p = t; } }",
    ),
    (
        "dropr@",
        "static void dropr@(struct A@ *p) { TICK; if (!p) return; dropr@(p->next); free(p); }",
    ),
    (
        "owner@",
        "static struct A@ *owner@(int *p) { return (struct A@ *)((char *)p - __builtin_offsetof(struct A@, val)); }",
    ),
    ("address@", "static unsigned long address@(const void *p) { return (unsigned long)p; }"),
];

/// Expressions; with more depth those further down may be taken.
pub(crate) const LEAVES: &[&str] = &[
    "$x",
    "$x",
    "$x",
    "$k",
    "$k",
    "-$k",
    "g@",
    "$x",
    "s1.$f",
    "arr@[$i].$f",
    "s2.$f",
    "t1.$g",
    "calls@",
    "*ip",
    "steps@[$x & 3]",
    "grid@[$x & 1][$i]",
    "first@.val",
    "($a ? $a->$f : $k)",
    "($b ? $b->$g : 1)",
    "un.b[$i]",
    "un.h[1]",
    "text@[$i]",
    "s1.v[$i]",
    "s1.bytes[$x & 3]",
    "(int)sizeof(struct A@) / 8",
];

pub(crate) const EXPRESSIONS: &[&str] = &[
    "($e + $e)",
    "($e - $e)",
    "$e + $k",
    "$e - 1",
    "($e & $k)",
    "($e | $k)",
    "($e ^ $e)",
    "~$e",
    "-($e)",
    "($e) * $k",
    "($e) % ($k + 1)",
    "($e) / ($k + 1)",
    "(signed char)($e)",
    "(unsigned char)($e)",
    "(short)($e)",
    "(unsigned)($e)",
    "(long)($e)",
    "(_Bool)($e)",
    "(int)((unsigned)($e) << $i)",
    "(($e) >> $i)",
    "((unsigned)($e) >> $i)",
    "((unsigned char)($e) >> $i)",
    "($c)",
    "($c ? $e : $e)",
    "inc@($e)",
    "half@($e)",
    "flip@($e)",
    "table@[$x & 1]($e)",
    "apply@($F, $e)",
    "(unsigned short)($e)",
    "!($e)",
    "((unsigned)($e) % 7u)",
    "(($e) << 1 & 63)",
    "(int)((unsigned long)($e) & 255)",
    "($x, $e)",
    "ops@.one($e)",
    "(($e) < 0 ? -1 : 1)",
    "abs($e)",
    "(int)(char)($e)",
    "((struct A@){ .val = $e }).val",
    "take@(s1)",
    "(int)(&arr@[$i] - arr@)",
    "((unsigned char *)&g@)[$i]",
];

pub(crate) const CONDITIONS: &[&str] = &[
    "$x < $k",
    "$x > $k",
    "$x <= $e",
    "$x != $k",
    "$x == $k",
    "$e < $e",
    "$e >= $k",
    "$a1",
    "!$a1",
    "$a1 == $a2",
    "$a1 != $a2",
    "$a1 && $a1->$f > $k",
    "$a1 && $a1->$l == $a1",
    "$a1 && $a1->$l && $a1->$l->val",
    "$b1",
    "$b1 && $b1->$h == $a2",
    "($x & 1)",
    "(unsigned)$x > 5u",
    "(unsigned char)$x < 10",
    "$x < 0 || $c",
    "$x > 0 && $c",
    "!($c)",
    "strcmp(text@, \"ab\") > 0",
    "strlen(text@) > $k",
    "memcmp(&s1.val, &s2.val, 4) == 0",
    "s1.call == inc@",
    "address@($a1) == address@($a2)",
    "(unsigned long)$a1 != 0",
    "fp == flip@",
    "un.p == $a1",
    "(int)$x == $x",
    "isdigit(text@[$i])",
    "(n0 & 7) == 0",
    "n0 == (unsigned long)$a1",
    "(void *)$a1 == v0",
    "cp && *cp",
    "(signed char)$x == $x",
    "&arr@[$i] < &arr@[2]",
    "$a1 >= arr@ && $a1 == &arr@[$i]",
    "(long)(short)$x == (long)$x",
    "-1 < $x",
    "$x < 3u",
    "s1.$f == s2.$f",
    "~(unsigned)(unsigned long)$a1 == (unsigned long)$a1",
    "~((unsigned long)$a1 << 32) >> 32 != (unsigned long)$a1",
    "~(unsigned long)$a1 + $k > (unsigned long)$a2",
    "~(unsigned long)$a1 * 3 > 5",
    "~((unsigned long)$a1 & 16)",
    "~(long)$a1 > 0",
    "~(int)(unsigned long)$a1 > 0",
    "~(short)(unsigned long)$a1 != 0",
    "~(unsigned char)(unsigned long)$a1 < 100",
    "~(unsigned long)$a1 - (unsigned long)$a2 < 1000",
    "~(unsigned long)fp < 0x7fffffff",
    "~(unsigned long)inc@ < (unsigned long)half@",
    "~((unsigned long)inc@ & 15) == 0",
    "~(unsigned long)$a1 < 0x7fffffff",
    "~-(long)$a1 < 0",
    "~(n0 ^ (unsigned long)$a1) < 64",
    "~(unsigned long)$a1 / 4096 != 0",
    "~(signed char)(long)$a1 >= 0",
    "~$a1 < $a2",
    "~$a1 + 1 > $a2",
    "~(char *)$a1 + $k > (char *)$a2",
    "~words@[0] == (char *)\"one\"",
    "~(struct A@ *)&first@ == &arr@[3]",
    "~(unsigned long)$a1 + ~0UL > (unsigned long)$a2",
    "~(unsigned long)&x0 > (unsigned long)&g@",
    "~(long)((unsigned long)$a1 + (1UL << 63)) < 0",
    "~(n1 = (long)$a1) < 0",
    "~vg@ == vg@",
];

/// Conditions that change something: nothing else may be read beside them.
pub(crate) const CHANGING: &[&str] = &["$x-- > 0", "++$x < $k", "$x1++ < $k && $c", "fq($e) < $k"];

/// Functions from `int` to `int` without effects.
pub(crate) const FUNCTIONS: &[&str] =
    &["inc@", "half@", "flip@", "&inc@", "table@[1]", "fp", "ops@.one"];

/// Heads and tails of blocks; `$p` is a name that pointers to A get inside.
pub(crate) const BLOCKS: &[(&str, &str)] = &[
    ("for (int $n = 0; $n < $k; $n++) { TICK;", "}"),
    ("for (int $n = 0; $n < $k; $n++) { TICK;", "}"),
    ("for (int $n = $k; $n > 0; $n -= 2) { TICK;", "}"),
    ("for ($x1 = 0; $x1 < $k; $x1++) { TICK;", "}"),
    ("for ($x1 = $k; $x1 > 0; $x1--) { TICK;", "}"),
    ("while ($x1 > 0) { TICK; $x1--;", "}"),
    ("while ($x1 < $k) { TICK;", "$x1++; }"),
    ("while ($x1 != $k) { TICK;", "$x1 += $k2; }"),
    ("do { TICK;", "} while ($c);"),
    ("do { TICK; $x1++;", "} while ($x1 < $k && $c);"),
    ("while ($c) { TICK;", "}"),
    ("for (unsigned char $n = $k; $n != $k2; $n += $k3) { TICK;", "}"),
    ("for (signed char $n = $k; $n > 0; $n += $k2) { TICK;", "}"),
    ("for (unsigned $n = $k; $n >= $k2; $n--) { TICK;", "}"),
    ("for (short $n = 0; $n < $k; $n += $k2) { TICK;", "}"),
    ("for (struct A@ *$p = $a1; $p; $p = $p->$l) { TICK;", "}"),
    ("for (struct A@ *$p = $a1; $p; $p = $p->$l) { TICK;", "}"),
    ("for (struct A@ *$p = $a1; $p && $p->$f < $k; $p = $p->$l) { TICK;", "}"),
    ("for (struct A@ *$p = $a1; $p; $p = $p->link ? $p->link->home : 0) { TICK;", "}"),
    ("for (struct A@ *$p = arr@; $p < arr@ + 3; $p++) { TICK;", "}"),
    ("for (struct A@ *$p = &arr@[$i]; $p != &arr@[3]; $p += 1) { TICK;", "}"),
    (
        "for (n0 = (unsigned long)arr@; n0 < (unsigned long)(arr@ + 3); n0 += sizeof(struct A@)) { TICK; struct A@ *$p = (struct A@ *)n0;",
        "}",
    ),
    ("for (struct B@ *r = $b1; r; r = r->peer) { TICK; struct A@ *$p = r->$h;", "}"),
    ("while ($a1) { TICK;", "if ($a1) $a1 = $a1->$l; }"),
    ("for (sp = &$a1; *sp; sp = &(*sp)->$l) { TICK;", "if (!*sp) break; }"),
    ("for (cp = text@; *cp; cp++) { TICK;", "}"),
    (
        "for (unsigned char *t = (unsigned char *)&g@; t < (unsigned char *)(&g@ + 1); t++) { TICK; *t += $k;",
        "}",
    ),
    ("for (;;) { TICK;", "if ($c) break; }"),
    ("for (;;) { TICK; if ($x1++ > $k) break;", "}"),
    ("while (1) { TICK; if (s1.$f == $k) break; s1.$f++;", "}"),
    ("for (s1.$f = 0; s1.$f < $k; s1.$f++) { TICK;", "}"),
    ("for (arr@[$i].$f = $k; arr@[$i].$f > 0; arr@[$i].$f--) { TICK;", "}"),
    ("if ($c) {", "}"),
    ("if ($c) {", "}"),
    ("if ($a1) { struct A@ *$p = $a1;", "}"),
    ("if ($a1 && $a1->$l) { struct A@ *$p = $a1->$l;", "}"),
    ("switch ($x & 3) { case 0:", "break; case 1: $x = $e; default: acc@++; }"),
    ("switch ($x) { case $k: acc@ += 2; break; default:", "}"),
    ("{ struct A@ *$p = newa@($e);", "free($p); }"),
    ("{ struct A@ $p0 = s1; struct A@ *$p = &$p0;", "}"),
];

/// What may end a program.
pub(crate) const CLEANUPS: &[&str] = &[
    "free(a0); if (a1 != a0) free(a1);",
    "free(a0);",
    "drop@(a0);",
    "dropr@(a0);",
    "drop@(ga@);",
    "dropb@(b0);",
    "free(b0); b0 = 0;",
    "free(b0); if (b1 != b0) free(b1);",
    "free(vp);",
    "free(bp);",
    "while (a0) { TICK; struct A@ *t = a0->next; free(a0->link); free(a0); a0 = t; }",
    "for (int i = 0; i < 4; i++) { TICK; free(slots@[i]); }",
    "free(ga@);",
    "free(gb@); gb@ = 0;",
    "ga@ = a0;",
    "gb@ = b0;",
    "slots@[0] = a0; slots@[1] = a1;",
];

/// What a program has to begin with.
pub(crate) const STARTS: &[&str] = &[
    "a0 = newa@($k);",
    "a0 = newa@($k); a1 = newa@($k); a0->$l = a1;",
    "a0 = newa@($k); a1 = a0;",
    "a1 = newa@($k); ga@ = a1;",
    "a0 = &arr@[$i]; arr@[0].$l = &arr@[1];",
    "a0 = copya@(s2); a0->next = newa@($k); a0->next->$l = a0;",
    "for (int i = 0; i < $k; i++) { TICK; struct A@ *t = newa@(i); t->next = a0; a0 = t; }",
    "for (int i = 0; i < 3; i++) { TICK; struct A@ *t = newa@(i); t->$l = a0; t->link = newb@(t); a0 = t; }",
    "for (int i = 0; i < 2; i++) { TICK; arr@[i].next = &arr@[i + 1]; arr@[i].val = i; } a1 = arr@;",
    "b0 = newb@(0);",
    "a0 = newa@($k); b0 = newb@(a0); a0->link = b0;",
    "b0 = newb@(&s1); b1 = newb@(a0); b0->peer = b1;",
    "a0 = &s1; s1.next = &s2; a1 = s1.$l;",
    "ga@ = newa@($k); a1 = ga@; ga@->link = newb@(ga@);",
    "a0 = &first@; first@.$l = &second@;",
    "x1 = $k; x2 = -$k; h0 = $k; un.l = $k;",
];

/// What the value of a program is made of at last.
pub(crate) const OBSERVATIONS: &[&str] = &[
    "acc@ += $x & 63;",
    "acc@ ^= ($x & 31) << 2;",
    "acc@ += s1.$f & 127;",
    "acc@ += s2.$f & 15;",
    "acc@ += arr@[$i].$f & 15;",
    "if (a0) acc@ += a0->$f & 63;",
    "if (a1) acc@ += a1->$f & 63;",
    "if (ga@) acc@ ^= ga@->$f & 63;",
    "if (b0) acc@ += b0->$g & 7;",
    "acc@ += g@ & 255;",
    "acc@ += un.b[$i] & 7;",
    "acc@ += text@[$i];",
    "acc@ += (a0 == a1) + 2 * (a0 != 0) + 4 * (a0 && a0->$l == a1);",
    "if (a0 && a0->$l) acc@ += a0->$l->val & 63;",
    "acc@ += grid@[1][$i] & 63;",
    "acc@ += t1.$g & 7;",
    "acc@ += fp(3);",
    "if (a0 && a0->call) acc@ += a0->call(2) & 7;",
    "acc@ += (int)strlen(text@);",
    "acc@ += (slots@[$i] != 0);",
    "if (a0 && a0->link && a0->link->home == a0) acc@ += 5;",
    "acc@ += calls@;",
    "acc@ += n0 & 7;",
    "acc@ += (unsigned char)$x;",
];
