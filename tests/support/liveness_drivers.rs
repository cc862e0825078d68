//! Programs in the manner of device drivers, of any size, with specifications as in Tables 1 to 4
//! of POPL'07: critical regions, spin locks, interrupt levels, and dispatch routines that end
//! if a device can be created at some time.

use std::fmt::Write as _;

/// What a driver is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Who enters a critical region leaves it (Table 1).
    Region,
    /// Who takes a spin lock gives it back, and does not take it twice (Table 2).
    SpinLock,
    /// Who raises the interrupt level lowers it again (Table 3).
    Level,
    /// Dispatch routines end (Table 4).
    Dispatch,
}

/// Whether one of the functions forgets something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoldPrecision {
    /// None does.
    Careful,
    /// The last one does, on one of its paths.
    Careless,
}

pub(crate) const ALL: [Kind; 4] = [Kind::Region, Kind::SpinLock, Kind::Level, Kind::Dispatch];

const HEADER: &str = "int input(void);
enum { CREATED, COLLISION, FAILED };
struct device { int state; int flags; int pending; };
static int failures, level;
static void enter_region(void) {}
static void leave_region(void) {}
static void take_lock(void) {}
static void give_lock(void) {}
static int current_level(void) { return level; }
static void raise_level(int to, int *old) { *old = level; level = to; }
static void lower_level(int to) { level = to; }
static int create_device(void) {
    if (input()) return CREATED;
    return input() ? COLLISION : FAILED;
}
";

const FAIRNESS: &str = "fairness {
  create_device.exit { 1 }
  create_device.exit { $return != 1 }
}
";

impl Kind {
    /// The specification, in the language of POPL'07.
    pub(crate) fn specification(self) -> String {
        let own = match self {
            Self::Region => "enter_region.entry { set(); }\nleave_region.entry { unset(); }\n",
            Self::SpinLock => {
                "state { int held = 0; }
take_lock.entry { if (held) { error(); } held = 1; set(); }
give_lock.entry { if (!held) { error(); } held = 0; unset(); }
"
            }
            Self::Level => {
                "state { int old_level = -1; }
raise_level.entry { if (old_level == -1) { old_level = current_level(); set(); } }
lower_level.entry { if ($1 == old_level && old_level > -1) { unset(); } old_level = -1; }
"
            }
            Self::Dispatch => "state {}\n",
        };
        own.to_owned() + FAIRNESS
    }

    fn begin(self) -> &'static str {
        match self {
            Self::Region => "    enter_region();\n",
            Self::SpinLock => "    take_lock();\n",
            Self::Level => "    raise_level(2, &old);\n",
            Self::Dispatch => "",
        }
    }

    fn end(self) -> &'static str {
        match self {
            Self::Region => "leave_region();",
            Self::SpinLock => "give_lock();",
            Self::Level => "lower_level(old);",
            Self::Dispatch => ";",
        }
    }
}

/// Some lines of a dispatch function without loops and returns.
fn branches(number: usize) -> String {
    match number % 3 {
        0 => format!(
            "    if (request == {}) {{\n        status = -{};\n        flags |= {};\n    }}\n",
            number % 17,
            number % 9,
            1 << (number % 5),
        ),
        1 => format!(
            "    if (flags & 2)\n        dev->flags = dev->flags + {};\n    else\n        dev->state = {};\n",
            number % 7,
            number % 11,
        ),
        _ => format!(
            "    switch (request) {{\n    case {}: status = 1; break;\n    default: status = 0; break;\n    }}\n",
            number % 5,
        ),
    }
}

/// A driver of so many dispatch functions of about 60 lines each.
pub(crate) fn program(kind: Kind, care: FoldPrecision, n_functions: usize) -> String {
    let mut text = String::from(HEADER);
    let mut cases = String::new();
    for index in 0..n_functions {
        let forgets = care == FoldPrecision::Careless && index + 1 == n_functions;
        let (early, retry) = match (kind, forgets) {
            (Kind::Dispatch, true) => ("", "while (create_device() != CREATED)"),
            (_, true) => ("", "while (create_device() == COLLISION)"),
            (_, false) => (kind.end(), "while (create_device() == COLLISION)"),
        };
        let _ = write!(
            text,
            "static int dispatch{index}(struct device *dev, int request, int length) {{
    int status = 0, flags = 0, old = 0;
    if (length > 4096) return -22;\n"
        );
        text.push_str(kind.begin());
        (0..10).for_each(|number| text.push_str(&branches(number + index)));
        let _ = write!(
            text,
            "    for (int j = 0; j < length; j++)
        if (input()) flags ^= 1;
    if (input()) {{ {early} return -1; }}
    {retry}
        dev->pending = 1;
    {}
    if (status < 0) failures = failures + 1;
    return status + old;\n}}\n",
            kind.end()
        );
        let _ = writeln!(
            cases,
            "        case {index}: dispatch{index}(&dev, input(), input()); break;"
        );
    }
    let _ = write!(
        text,
        "int main(void) {{
    struct device dev = {{ 0, 0, 0 }};
    int requests = input();
    while (requests > 0) {{
        switch (input()) {{
{cases}        default: break;
        }}
        requests--;
    }}
    return 0;
}}\n"
    );
    text
}
