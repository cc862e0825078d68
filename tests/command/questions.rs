//! Questions with an argument: formulas, specifications, threads; what is answered, and what is said of
//! those that are none.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::cli::{COUNTDOWN, check, json, run, wane};
use std::fs;

#[test]
fn formulas_of_branching_time_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int nondet(void); int x;\n\
                int main(void) { while (1) { x = 0; if (nondet()) x = 1; } }\n";
    fs::write(folder.path().join("a.c"), text).unwrap();
    let ask = |formula: &str| {
        let mut command = wane();
        let flags = ["check", "a.c", "--format", "json", "--ctl", formula];
        run(command.current_dir(folder.path()).args(flags))
    };
    for (formula, verdict, status) in [
        ("AG(x == 0 -> EF(x == 1))", "true", 0),
        ("AG(EF(x == 1))", "true", 0),
        ("AF(x == 1)", "false", 1),
        ("EF(AG(x == 1))", "false", 1),
        ("EG(x == 0)", "true", 0),
    ] {
        let outcome = ask(formula);
        let value = json(&outcome.output);
        assert_eq!((&value["results"][0]["verdict"], outcome.status), (&verdict.into(), status));
    }
    for (formula, words) in [("AG(EF y)", "`y` is not declared"), ("AG(", "ends too early")] {
        let outcome = ask(formula);
        assert_eq!(outcome.status, 2, "{formula}");
        let said = format!("{}{}", outcome.output, outcome.errors);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_thread_needs_a_function() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), COUNTDOWN).unwrap();
    let mut command = wane();
    command.current_dir(folder.path()).args(["check", "a.c", "--thread", "mian"]);
    let outcome = run(&mut command);
    assert_eq!(outcome.status, 2);
    let said = format!("{}{}", outcome.output, outcome.errors);
    assert!(said.contains("no function `mian` is defined here; did you mean `main`?"), "{said}");
}

const REQUESTS: &str = "#define OPEN 1
int nondet(void);
int request;
void begin(int kind) { request = kind; }
void end(void) { request = 0; }
int main(void) {
    begin(OPEN);
    while (nondet())
        ;
    end();
    return 0;
}
";

#[test]
fn formulas_and_specifications_are_answered() {
    let lasting = "begin.entry { if ($1 == OPEN) set(); }\nend.entry { unset(); }\n";
    let fair = "fairness { nondet.exit { 1 } nondet.exit { $return == 0 } }\n";
    let (folder, _) = check("a.c", REQUESTS);
    fs::write(folder.path().join("lasting.slic"), lasting).unwrap();
    fs::write(folder.path().join("fair.slic"), format!("{lasting}{fair}")).unwrap();
    let ask =
        |flags: &[&str]| run(wane().current_dir(folder.path()).args(["check", "a.c"]).args(flags));
    let refuted = ask(&["--ltl", "G(request == OPEN -> F request == 0)"]);
    assert_eq!(refuted.status, 1, "{}", refuted.output);
    assert!(refuted.output.contains("error[W051]") && refuted.output.contains("a.c:8:"));
    assert!(!refuted.output.contains('$'), "{}", refuted.output);
    let proved = ask(&["--ltl", "G(request == 0 || request == OPEN)"]);
    assert_eq!(proved.status, 0, "{}", proved.output);
    let reachable = ask(&["--ctl", "EF(request == OPEN)"]);
    assert_eq!(reachable.status, 0, "{}", reachable.output);
    let both = ask(&["--spec", "fair.slic", "--spec", "lasting.slic", "--format", "json"]);
    assert_eq!(both.status, 1, "{}", both.output);
    let results = json(&both.output)["results"].clone();
    assert_eq!(results[0]["verdict"], "true");
    assert_eq!(results[1]["verdict"], "false");
    assert_eq!(results[1]["argument"], "lasting.slic");
}

#[test]
fn errors_in_formulas_and_specifications_have_places() {
    let (folder, _) = check("a.c", REQUESTS);
    fs::write(folder.path().join("open.slic"), "state { int x; }\nbegin.entry { set();\n").unwrap();
    fs::write(folder.path().join("name.slic"), "begin.entry {\n    if (requests) set();\n}\n")
        .unwrap();
    let rows: [(&[&str], &str); 4] = [
        (&["--ltl", "G(request == "], "the formula ends too early"),
        (&["--ltl", "G(requests == 1)"], "`requests` is not declared; did you mean `request`?"),
        (&["--spec", "open.slic"], "open.slic:2:13: this brace is not closed"),
        (&["--spec", "name.slic"], "name.slic:2:9"),
    ];
    for (flags, expected) in rows {
        let outcome = run(wane().current_dir(folder.path()).args(["check", "a.c"]).args(flags));
        assert_eq!(outcome.status, 2, "{flags:?}: {}", outcome.output);
        assert!(outcome.errors.contains(expected), "{flags:?}: {}", outcome.errors);
    }
    let unknown = "reset.entry { unset(); }\n";
    fs::write(folder.path().join("reset.slic"), unknown).unwrap();
    let outcome = run(wane().current_dir(folder.path()).args(["a.c", "--spec", "reset.slic"]));
    assert!(
        outcome.output.contains("`reset`, which the specification watches"),
        "{}",
        outcome.output
    );
}
