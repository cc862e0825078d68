//! Writes random programs of expressions with effects.

use crate::compiled_c::dice::Dice;
use crate::compiled_c::program::{Declaration, Part, Program};

const PROTOTYPES: &str = "typedef unsigned long size_t;
extern void *malloc(size_t size);
extern void free(void *block);
extern void exit(int status);
extern int printf(const char *format, ...);
extern int abs(int value);
extern int foreign(int value);
extern int many(const char *first, ...);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
";

/// What is declared at file scope, with the names.
const GLOBALS: &[(&[&str], &str)] = &[
    (&["acc@"], "static int acc@;"),
    (&["g@"], "static int g@ = 2;"),
    (&["a@"], "static int a@[4] = { 2, 0, 1, 3 };"),
    (&["pair@"], "struct pair@ { int one; double two; };"),
    (&["in@"], "static int in@(void) { return __VERIFIER_nondet_int(); }"),
    (&["id@"], "static int id@(int value) { return value; }"),
    (&["skip@"], "static void skip@(int value) { }"),
    (&["some@"], "static int some@(int first, ...) { return first; }"),
    (&["bump@"], "static int bump@(int value) { acc@ += value & 3; return value; }"),
    (&["real@"], "static double real@(double value) { return value; }"),
];

/// What is done with a value: `$` is an expression, `#` a condition, `%` one of few numbers.
const CONTEXTS: &[&str] = &[
    "$;",
    "(void)($);",
    "x = ($) & 7;",
    "y = ($, %);",
    "x = ($) != 0;",
    "{ double d = $; (void)d; }",
    "{ float d = $; }",
    "(void)(float)($);",
    "(void)real@($);",
    "real@($);",
    "{ double d = 1.5; d += $; }",
    "if ((double)($) > 1.5) acc@++;",
    "id@($);",
    "skip@($);",
    "abs($);",
    "some@(1, $);",
    "some@($, %, $);",
    "printf(\"%d\\n\", $);",
    "printf(\"%g %ld\\n\", (double)($), (long)($));",
    "foreign($);",
    "many(\"\", $);",
    "if (#) exit($);",
    "for (int i = 0; i < 3; i++, $) { TICK; }",
    "for ($; x > 90; x--) { TICK; }",
    "for (int i = 0; i < 4 && ($, 1); i++) { TICK; }",
    "if ($) ;",
    "if ($) acc@++;",
    "while ($) { TICK; break; }",
    "while ((x = x - 1, $, x > 0)) { TICK; }",
    "while (#) { TICK; $; if (x-- < 0) break; }",
    "do { TICK; } while (($, 0));",
    "do { TICK; $; } while (x++ < 5);",
    "switch ($) { }",
    "switch ($) { case 1: acc@++; break; default: ; }",
    "{ int list[3] = { $, 1, $ }; (void)list; }",
    "{ struct pair@ p = { .two = $, .one = 1 }; (void)p; }",
    "{ static const int k = 3; (void)(k + ($)); }",
    "a@[($) & 3];",
    "(void)&a@[($) & 3];",
    "(void)(a@ + (($) & 3));",
    "a@[($) & 3] = %;",
    "(void)((int[]){ $, 1 });",
    "{ int length[(($) & 3) + 1]; (void)length; }",
    "(void)sizeof(int[(($) & 3) + 1]);",
    "x = (int)sizeof($) & 3;",
    "(#) ? (void)($) : (void)0;",
    "(#) && ($);",
    "(#) || ($);",
    "!($);",
    "({ $; });",
    "(void)({ int k = $; k; });",
    "{ char *m = malloc((($) & 3) + 1); m[0] = (char)($); free(m); }",
    "first@(x, y);",
    "x = first@(y, g@) & 1;",
    "second@(y);",
];

/// What an expression is made of: `$` is a smaller one, `!` one that is seldom zero.
const OPERATORS: &[&str] = &[
    "$ + $",
    "$ - $",
    "$ * %",
    "$ & $",
    "$ | $",
    "$ ^ $",
    "$ < $",
    "$ == $",
    "$ / !",
    "$ % !",
    "$ / $",
    "$ % $",
    "$ << (! & 3)",
    "$ << !",
    "$ >> !",
    "$ >> $",
    "# ? $ : $",
    "# && $",
    "# || $",
    "!$",
    "- $",
    "~$",
    "(char)($)",
    "(unsigned char)($)",
    "(short)($)",
    "(long)($)",
    "(unsigned)($)",
    "(_Bool)+($)",
    "(int)(double)(($) & 7)",
    "($, $)",
    "bump@($)",
    "id@($)",
    "10u / (unsigned)!",
    "7L % !",
    "a@[($) & 3]",
];

/// Operators that may have no result.
const PARTIAL: &[&str] = &["$ / !", "$ % !", "$ << !", "$ >> !", "10u / (unsigned)!", "7L % !"];

/// The smallest expressions.
const LEAVES: &[&str] = &["x", "y", "g@", "%", "%", "%", "a@[1]", "n", "x", "y", "in@()", "HOT"];

/// The program with this number.
pub(crate) fn random_program(number: u64) -> Program {
    let mut dice = Dice::of_program(number);
    let caution = dice.below(3);
    Writer { dice, n_effects: 0, caution, is_open: false, is_plain: false }.write()
}

struct Writer {
    dice: Dice,
    /// How many variables the present statement changes.
    n_effects: usize,
    /// How seldom what may go wrong is taken.
    caution: usize,
    is_open: bool,
    /// Whether only parameters are at hand.
    is_plain: bool,
}

impl Writer {
    fn write(&mut self) -> Program {
        let mut declarations: Vec<Declaration> =
            GLOBALS.iter().map(|(names, text)| Declaration::new(names, text)).collect();
        self.is_plain = true;
        let result = self.full();
        declarations.push(Declaration::new(
            &["first@"],
            &format!("static int first@(int x, int y) {{ int n = 2; return {result}; }}"),
        ));
        let result = self.full();
        declarations.push(Declaration::new(
            &["second@"],
            &format!(
                "static double second@(int y) {{ int x = 1, n = 3; if (y > 0) return {result}; return y; }}"
            ),
        ));
        self.is_plain = false;
        let start = |writer: &mut Self, name: &str| {
            let number = writer.number();
            Declaration::new(&[name], &format!("int {name} = {number};"))
        };
        let mut locals: Vec<Declaration> =
            ["x", "y", "n"].iter().map(|name| start(self, name)).collect();
        locals.push(Declaration::new(&["t0", "t1", "t2"], "int t0 = 0, t1 = 1, t2 = 2;"));
        let number = self.number();
        locals.push(Declaration::new(&["HOT"], &format!("volatile int hot = {number};")));
        let count = 1 + self.dice.below(4);
        let mut body: Vec<Part> = (0..count).map(|_| Part::Line(self.statement())).collect();
        body.push(Part::Line(
            "acc@ += (x & 3) + (y & 3) + (t0 & 3) + (t1 & 3) + t2 % 3;".to_owned(),
        ));
        Program {
            prototypes: PROTOTYPES,
            declarations,
            locals,
            body,
            cleanup: Vec::new(),
            is_open: self.is_open,
            depends_on_addresses: false,
            is_watched: true,
        }
    }

    fn number(&mut self) -> &'static str {
        ["0", "1", "1", "2", "3", "4", "5", "-1", "7", "30", "33"][self.dice.below(11)]
    }

    fn statement(&mut self) -> String {
        self.n_effects = 0;
        let context = self.dice.one_of(CONTEXTS);
        let statement = self.filled(context, Self::full);
        if !self.dice.once_in(4) {
            return statement;
        }
        let condition = self.condition();
        format!("if ({condition}) {{ {statement} }}")
    }

    fn full(&mut self) -> String {
        if self.dice.once_in(3) {
            let operator = self.dice.one_of(PARTIAL);
            return self.operation(operator, 2);
        }
        self.expression(2)
    }

    fn filled(&mut self, template: &str, mut part: impl FnMut(&mut Self) -> String) -> String {
        let mut text = String::new();
        let mut before = ' ';
        for letter in template.chars() {
            match letter {
                '$' => text.push_str(&part(self)),
                '#' => text.push_str(&self.condition()),
                // In a format it is no number.
                '%' if before != '"' && !template.contains("printf") => {
                    text.push_str(self.number());
                }
                other => text.push(other),
            }
            before = letter;
        }
        text
    }

    fn condition(&mut self) -> String {
        let name = self.dice.one_of(&["x", "y", "g@", "n"]);
        let operator = self.dice.one_of(&["<", ">", "==", "!=", "<="]);
        format!("({name} {operator} {})", self.number())
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.dice.once_in(6) {
            return self.leaf();
        }
        if !self.is_plain && self.n_effects < 3 && self.dice.once_in(8) {
            return self.effect(depth);
        }
        let operator = loop {
            let operator = self.dice.one_of(OPERATORS);
            let may_err = ["$ / $", "$ % $", "$ << !", "$ >> $"].contains(&operator);
            if !may_err || self.dice.once_in(1 + 2 * self.caution) {
                break operator;
            }
        };
        self.operation(operator, depth)
    }

    fn operation(&mut self, operator: &str, depth: usize) -> String {
        let divisor = ["/ !", "% !", ">> !", "<< !", "(! &", "(unsigned)!"];
        let divides = divisor.iter().any(|it| operator.contains(it));
        let operator = if divides {
            let divisor = self.seldom_zero();
            operator.replacen('!', &divisor, 1)
        } else {
            operator.to_owned()
        };
        // Only the letters of the template stand for something.
        let is_remainder = operator.contains("% ") && !operator.contains("* %");
        let operator = if is_remainder { operator.replace("% ", "\u{1} ") } else { operator };
        let text = self.filled(&operator, |writer| writer.expression(depth - 1));
        format!("({})", text.replace('\u{1}', "%"))
    }

    fn seldom_zero(&mut self) -> String {
        let mut name = self.dice.one_of(&["x", "y", "n", "g@", "a@[2]", "a@[1]"]);
        if !self.is_plain && self.dice.once_in(8) {
            name = "HOT";
            self.is_open = true;
        }
        match self.dice.below(4 + self.caution) {
            0 => name.to_owned(),
            1 => format!("({name} - {})", self.number()),
            2 => format!("({name} & 3)"),
            3 => "2".to_owned(),
            _ => format!("({name} & 3 | 1)"),
        }
    }

    /// An expression that changes a variable that no other part of it reads.
    fn effect(&mut self, depth: usize) -> String {
        let name = ["t0", "t1", "t2"][self.n_effects];
        self.n_effects += 1;
        let value = self.expression(depth - 1);
        match self.dice.below(6) {
            0 => format!("{name}++"),
            1 => format!("--{name}"),
            2 => format!("({name} = {value})"),
            3 => format!("({name} += {value})"),
            4 => format!("({name}++, {value})"),
            _ => format!("({name} = {value}, {name})"),
        }
    }

    fn leaf(&mut self) -> String {
        let leaf = loop {
            let leaf = self.dice.one_of(LEAVES);
            let is_rare = ["in@()", "HOT"].contains(&leaf);
            if !is_rare || !self.is_plain && self.dice.once_in(3) {
                break leaf;
            }
        };
        self.is_open |= ["in@()", "HOT"].contains(&leaf);
        match leaf {
            "%" => self.number().to_owned(),
            leaf => leaf.to_owned(),
        }
    }
}
