//! Programs in the manner of device drivers, of any size: dispatch functions with
//! status codes and flags, nested loops, loops that are state machines, and calls
//! between them, under a loop that serves requests. All of them end.

use std::fmt::Write as _;

const HEADER: &str = "int input(void);
struct device { int state; int flags; int pending; };
static int failures;
static int wait_for(struct device *dev, int ticks) {
    while (ticks > 0) {
        if (input()) return 0;
        ticks--;
        dev->pending = ticks;
    }
    return -1;
}
";

const LOOPS: &str = "    while (done < length) {
        int chunk = input();
        status = wait_for(dev, 10);
        if (status < 0 || chunk <= 0) return status;
        for (int j = 0; j < chunk; j++)
            if (input()) flags ^= 1;
        done += chunk;
    }
    while (state != 3) {
        switch (state) {
        case 0: state = 1; break;
        case 1: if (retries > 0) retries--; else state = 2; break;
        case 2: state = 3; break;
        default: return -1;
        }
    }
";

/// Some lines of a dispatch function without loops.
fn branches(number: usize) -> String {
    match number % 4 {
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
        2 => format!(
            "    status = status < 0 ? status : input();\n    if (status == {})\n        return status;\n    retries = input();\n",
            number % 13,
        ),
        _ => format!(
            "    switch (request) {{\n    case {}: status = 1; break;\n    default: status = 0; break;\n    }}\n",
            number % 5,
        ),
    }
}

/// A program of so many dispatch functions; each has so many branches beside its
/// loops, and every other one calls the one before it.
pub(crate) fn program(n_functions: usize, n_branches: usize) -> String {
    let mut text = String::from(HEADER);
    let mut cases = String::new();
    for index in 0..n_functions {
        let _ = write!(
            text,
            "static int dispatch{index}(struct device *dev, int request, int length) {{
    int status = 0, done = 0, retries = input(), flags = 0, state = 0;
    if (length > 4096) return -22;\n"
        );
        (0..n_branches).for_each(|number| text.push_str(&branches(number)));
        text.push_str(LOOPS);
        if index % 2 == 1 {
            let callee = index - 1;
            let _ = writeln!(text, "    status = dispatch{callee}(dev, request, length);");
            let call = format!("dispatch{index}(&dev, input(), length)");
            let _ = writeln!(cases, "        case {index}: {call}; break;");
        }
        text.push_str("    if (status < 0) failures = failures + 1;\n    return status;\n}\n");
    }
    let _ = write!(
        text,
        "int main(void) {{
    struct device dev = {{ 0, 0, 0 }};
    int requests = input();
    while (requests > 0) {{
        int length = input();
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
