//! The language server, as an editor uses it: over pipes, with the real program.

use crate::lsp_client::{Client, edited, exists, usual};
use serde_json::{Value, json};
use std::fs;
use std::time::{Duration, Instant};

const STUCK: &str = "void stuck(int n) {\n  while (n < 5)\n    n = n - n;\n}\n";
const PROVED: &str = "int sum(int n) {\n  int all = 0;\n  for (int i = 0; i < n; i++)\n    all += i % 7;\n  \
                      return all;\n}\n";
/// Whether this ends is an open problem.
const OPEN: &str =
    "int collatz(int n) {\n  while (n > 1) n = n % 2 ? 3 * n + 1 : n / 2;\n  return n;\n}\n";
/// The same with branches that do not matter: it takes seconds to give up.
const HARD: &str = "int collatz(int n, int a, int b, int c, int d, int e, int f) {
  while (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; if (a > 0) f += a; if (b > 1) f += b; \
     if (c > 2) f += c; if (d > 3) f += d; if (e > 4) f += e; }
  return n;
}
";

fn client(files: &[(&str, &str)]) -> Client {
    Client::new(files, usual(), json!({}))
}

/// Termination, which so many seconds end, and no steps.
fn only_a_clock(seconds: f64) -> Value {
    json!({ "timeout": seconds, "steps": 1_000_000_000_000_u64, "property": "termination" })
}

fn code_and_line(diagnostic: &Value) -> (&str, u64) {
    let line = diagnostic["range"]["start"]["line"].as_u64().unwrap();
    (diagnostic["code"].as_str().unwrap_or_default(), line + 1)
}

#[test]
fn a_loop_that_hangs_is_an_error_at_its_place() {
    let mut client = client(&[("a.c", STUCK)]);
    client.open("a.c");
    client.checked();
    let found = client.diagnostics("a.c");
    let [only] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(code_and_line(only), ("W050", 2));
    assert_eq!((&only["severity"], &only["source"]), (&json!(1), &json!("wane")));
    assert_eq!(only["range"]["start"]["character"], 2);
    assert_eq!(only["range"]["end"]["character"], 7);
    let message = only["message"].as_str().unwrap();
    assert!(
        message.starts_with("this loop can run for ever\na run of `stuck` never ends\n"),
        "{message}"
    );
    assert!(only.get("codeDescription").is_none());
    assert!(client.end().success());
}

#[test]
fn functions_and_loops_have_lenses_that_follow_the_text() {
    let text = format!("{PROVED}{STUCK}");
    let mut client = client(&[("a.c", &text)]);
    client.open("a.c");
    client.checked();
    client.told("workspace/codeLens/refresh");
    let wanted = |shift: u64| {
        let lenses = [
            (1, "ends \u{b7} memory safe"),
            (7, "can run for ever (W050) \u{b7} memory safe"),
            (3, "`n - i` gets smaller"),
        ];
        lenses.map(|(line, title)| (line + shift, title.to_owned())).to_vec()
    };
    assert_eq!(client.lenses("a.c"), wanted(0));
    // Lines above, not saved yet, as the user types them.
    let start = json!({ "line": 0, "character": 0 });
    let change = json!([{ "range": { "start": start, "end": start }, "text": "\n\n" }]);
    let document = json!({ "uri": client.uri("a.c"), "version": 2 });
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": change }),
    );
    assert_eq!(client.lenses("a.c"), wanted(2));
}

#[test]
fn names_and_loops_tell_what_is_known() {
    let text = format!(
        "{PROVED}struct cell {{ struct cell *next; int value; }};\n\
         int last(struct cell *c) {{\n  while (c->next) c = c->next;\n  return c->value + sum(3);\n}}\n"
    );
    let mut client = client(&[("a.c", &text)]);
    client.open("a.c");
    client.checked();
    let hover = client.hover("a.c", (7, 6));
    assert_eq!(hover["contents"]["kind"], "markdown");
    let value = hover["contents"]["value"].as_str().unwrap();
    assert!(value.starts_with("**`last`**\n\n- **ends**\n"), "{value}");
    for part in ["memory safe on a condition", "if `c != 0`", "scope: general", "assuming that"] {
        assert!(value.contains(part), "{part} in {value}");
    }
    assert_eq!(
        hover["range"],
        json!({
            "start": { "line": 7, "character": 4 }, "end": { "line": 7, "character": 8 },
        })
    );
    // A call, and the first word of a loop.
    let call = client.hover("a.c", (9, 21));
    assert!(call["contents"]["value"].as_str().unwrap().starts_with("**`sum`**"), "{call}");
    let repetition = client.hover("a.c", (2, 3));
    let value = repetition["contents"]["value"].as_str().unwrap();
    assert!(
        value.starts_with("`n - i` gets smaller\n\n- where `n - i` is at least 1 here"),
        "{value}"
    );
    assert_eq!(client.hover("a.c", (1, 7)), Value::Null);
    assert_eq!(client.hover("a.c", (99, 0)), Value::Null);
}

#[test]
fn only_what_was_changed_is_asked_again() {
    let text = format!("{STUCK}{PROVED}int end(void) {{ return 0; }}\n");
    let mut client = client(&[("a.c", &text)]);
    client.open("a.c");
    assert!(client.checked().starts_with("a.c: 6 answers, 0 of them as before"));
    assert_eq!(client.diagnostics("a.c").len(), 1);
    client.save("a.c", &text.replace("n - n;", "n + 1;"));
    assert!(client.checked().starts_with("a.c: 6 answers, 4 of them as before"));
    assert_eq!(client.diagnostics("a.c").len(), 0);
    client.save("a.c", &text);
    assert!(client.checked().starts_with("a.c: 6 answers, 6 of them as before"));
    assert_eq!(client.diagnostics("a.c").len(), 1);
}

fn actions(client: &mut Client, name: &str, diagnostic: &Value) -> Vec<Value> {
    let params = json!({
        "textDocument": { "uri": client.uri(name) },
        "range": diagnostic["range"],
        "context": { "diagnostics": [diagnostic] },
    });
    client.request("textDocument/codeAction", params).as_array().unwrap().clone()
}

#[test]
fn a_comment_makes_a_diagnostic_go_away() {
    let text = STUCK.replace("(n < 5)", "(n < 5) // f\u{fc}r \u{1f980}");
    let mut client = client(&[("a.c", &text)]);
    client.open("a.c");
    client.checked();
    let diagnostic = client.diagnostics("a.c")[0].clone();
    let found = actions(&mut client, "a.c", &diagnostic);
    let titles: Vec<_> = found.iter().map(|it| it["title"].as_str().unwrap()).collect();
    let wanted = ["Allow W050 on this line", "Allow W050 in this function", "Explain W050"];
    assert_eq!(titles, wanted);
    let above = edited(&text, &found[1]["edit"]["changes"][client.uri("a.c")]);
    assert_eq!(above, format!("// wane: allow-function(W050)\n{text}"));
    assert_eq!(found[0]["kind"], "quickfix");
    let after = edited(&text, &found[0]["edit"]["changes"][client.uri("a.c")]);
    let line = "  while (n < 5) // f\u{fc}r \u{1f980} // wane: allow(W050)";
    assert_eq!(after.lines().nth(1), Some(line));
    client.save("a.c", &after);
    client.checked();
    assert_eq!(client.diagnostics("a.c"), [] as [Value; 0]);
    // A comment that is needed no more is a warning.
    client.save("a.c", &after.replace("n - n", "n + 1"));
    client.checked();
    let warnings = client.diagnostics("a.c");
    assert_eq!((warnings.len(), &warnings[0]["severity"]), (1, &json!(2)), "{warnings:?}");
    // Diagnostics of others are theirs.
    let foreign = json!({ "range": diagnostic["range"], "message": "", "code": "W050" });
    assert!(actions(&mut client, "a.c", &foreign).is_empty());
}

/// Settings are those of the folder that the user works in, wherever the server was started.
#[test]
fn the_settings_of_the_workspace_hold() {
    let settings = "exclude = [\"gen\"]\ncache = \"kept\"\n[report]\nbaseline = \
                    \"known.json\"\n[check]\nproperty = [\"termination\"]\n";
    let files = [
        ("work/wane.toml", settings),
        ("work/a.c", STUCK),
        ("work/gen/b.c", STUCK),
        ("wane.toml", "[check]\nproperty = [\"reach\"]\n"),
    ];
    for kind in ["rootUri", "workspaceFolders"] {
        let mut client = Client::silent(&files);
        let root = client.uri("work");
        let mut params = json!({ "processId": null, "rootUri": null, "capabilities": usual() });
        params[kind] = match kind {
            "rootUri" => json!(root),
            _ => json!([{ "uri": root, "name": "work" }]),
        };
        client.request("initialize", params);
        client.notify("initialized", json!({}));
        client.open("work/gen/b.c");
        assert_eq!(client.checked(), "gen/b.c: left out by the settings");
        client.open("work/a.c");
        let line = client.checked();
        assert!(line.starts_with("a.c: 1 answers, 0 of them as before"), "{line}");
        assert!(client.path("work/kept/.gitignore").exists(), "the cache is there");
        let diagnostic = client.diagnostics("work/a.c")[0].clone();
        let found = actions(&mut client, "work/a.c", &diagnostic);
        let add = found.iter().find(|it| it["title"] == "Add to the baseline").unwrap();
        let command = &add["command"];
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        client.request("workspace/executeCommand", params.clone());
        let line = client.checked();
        assert!(line.starts_with("a.c: 1 answers, 1 of them as before"), "{line}");
        assert_eq!(client.diagnostics("work/a.c"), [] as [Value; 0]);
        let known = fs::read_to_string(client.path("work/known.json")).unwrap();
        let known: Value = serde_json::from_str(&known).unwrap();
        assert_eq!((&known["version"], &known["known"][0]["file"]), (&json!(1), &json!("a.c")));
        // The command line accepts the same.
        let mut wane = std::process::Command::new(env!("CARGO_BIN_EXE_wane"));
        let output = wane.current_dir(client.path("work")).arg("a.c").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "1 accepted\n");
        // What is no command of this program's making is refused.
        client.error("workspace/executeCommand", json!({ "command": "wane.accept" }));
    }
}

/// A client that cannot be told to ask for lenses again gets diagnostics, though there are none.
#[test]
fn a_file_without_diagnostics_is_told_of() {
    let files = [("a.c", "int f(int n) {\n  while (n > 0) n--;\n  return n;\n}\n")];
    let mut client = Client::new(&files, json!({}), json!({}));
    client.open("a.c");
    client.checked();
    assert_eq!(client.diagnostics("a.c"), [] as [Value; 0]);
}

/// Models that the settings name stand for what a file does not define.
#[test]
fn the_models_of_the_workspace_are_known() {
    let text = "int take(int n);\nint all(int n) {\n  while (n > 0) n = take(n);\n  return n;\n}\n";
    let files = [
        ("wane.toml", "models = [\"models/take.c\"]\n[check]\nproperty = [\"termination\"]\n"),
        ("models/take.c", "int take(int n) { return n - 1; }\n"),
        ("a.c", text),
    ];
    let mut client = Client::new(&files, usual(), json!({}));
    client.open("a.c");
    let line = client.checked();
    assert!(line.starts_with("a.c: 1 answers"), "{line}");
    let hover = client.hover("a.c", (1, 5)).to_string();
    assert!(hover.contains("`take` does what models/take.c says"), "{hover}");
}

#[test]
fn all_reasons_of_an_answer_are_allowed_together() {
    let loops = "int two(int n) {\n  while (n > 1) n = n % 2 ? 3 * n + 1 : n / 2;\n  \
                 while (n > 3) n = n % 2 ? 5 * n + 1 : n / 2;\n  return n;\n}\n";
    // One reason is about a line, and one about the function.
    let frees = "void free(void *);\nvoid twice(char *p) {\n  free(p);\n  free(p);\n}\n";
    for (text, property) in [(loops, "termination"), (frees, "memsafety")] {
        let options = json!({ "steps": 20000, "property": property });
        let mut client = Client::new(&[("a.c", text)], usual(), options);
        client.open("a.c");
        client.checked();
        let diagnostic = client.diagnostics("a.c")[0].clone();
        assert_eq!(diagnostic["severity"], 3);
        let found = actions(&mut client, "a.c", &diagnostic);
        let after = edited(text, &found[0]["edit"]["changes"][client.uri("a.c")]);
        client.save("a.c", &after);
        client.checked();
        assert_eq!(client.diagnostics("a.c"), [] as [Value; 0], "{after}");
    }
}

#[test]
fn codes_are_explained_in_a_document_or_a_message() {
    let mut client = client(&[]);
    let explain = |code: &str| json!({ "command": "wane.explain", "arguments": [code] });
    client.request("workspace/executeCommand", explain("W050"));
    let uri = client.told("window/showDocument")["uri"].as_str().unwrap().to_owned();
    let text = fs::read_to_string(uri.strip_prefix("file://").unwrap()).unwrap();
    assert!(text.starts_with("# W050"), "{text}");
    assert_eq!(client.error("workspace/executeCommand", explain("W999")), -32602);
    assert_eq!(client.error("workspace/executeCommand", json!({ "command": "rm" })), -32602);
    assert!(client.end().success());
    assert!(!exists(&uri), "nothing is left behind");

    let mut simple = Client::new(&[], json!({}), Value::Null);
    simple.request("workspace/executeCommand", explain("W050"));
    let message = simple.told("window/showMessage")["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("W050: "), "{message}");
}

#[test]
fn columns_count_what_the_client_counts() {
    // A letter of two bytes, and one of four, which is two units of 16 bits.
    let text = "void f(int n) { /* \u{e4}\u{1f980} */ while (n < 5) n = n - n; }\n";
    for (encodings, column) in [
        (json!(null), 26),
        (json!(["utf-16", "utf-8"]), 26),
        (json!(["utf-8", "utf-16"]), 29),
        (json!(["utf-32"]), 25),
        (json!(["utf-7"]), 26),
    ] {
        let mut capabilities = usual();
        capabilities["general"]["positionEncodings"] = encodings.clone();
        if encodings.is_null() {
            capabilities["general"] = json!({});
        }
        let mut client = Client::new(&[("a.c", text)], capabilities, json!({}));
        client.open("a.c");
        client.checked();
        let range = client.diagnostics("a.c")[0]["range"].clone();
        assert_eq!(range["start"]["character"], column, "{encodings}");
        assert_eq!(range["end"]["character"], column + 5, "{encodings}");
        let lens = client.hover("a.c", (0, 5));
        assert!(lens["contents"]["value"].as_str().unwrap().contains("W050"));
    }
}

#[test]
fn headers_have_their_own_diagnostics_until_the_document_is_closed() {
    let header = "static int stuck(int n) {\n  while (n < 5) n = n - n;\n  return n;\n}\n";
    let text = "#include \"a.h\"\nint f(int n) { return stuck(n); }\n";
    let mut client = client(&[("a.h", header), ("a.c", text)]);
    client.open("a.h");
    client.open("a.c");
    client.checked();
    assert_eq!(code_and_line(&client.diagnostics("a.h")[0]), ("W050", 2));
    // Its documents are checked again when it is saved.
    client.save("a.h", &header.replace("n - n", "n + 1"));
    client.checked();
    assert!(client.diagnostics("a.h").is_empty());
    client.save("a.h", header);
    client.checked();
    assert_eq!(client.diagnostics("a.h").len(), 1);
    let document = json!({ "uri": client.uri("a.c") });
    client.notify("textDocument/didClose", json!({ "textDocument": document }));
    assert!(client.diagnostics("a.h").is_empty());
}

#[test]
fn flags_come_from_the_nearest_database_and_from_the_client() {
    let text = "#include <deep.h>\nint f(int n) { while (n > LEAST) n = n - STEP; return n; }\n";
    let command = "cc -Iinclude -DSTEP=1 -c src/below/a.c";
    let database = json!([{ "directory": "..", "file": "src/below/a.c", "command": command }]);
    let files = [
        ("include/deep.h", "#define LEAST 3\n"),
        ("build/compile_commands.json", &*database.to_string()),
        ("src/below/a.c", text),
        ("src/below/new.c", text),
        ("src/below/b.c", "int g(int n) { while (n > 0) n = n - OF_CLIENT; return n; }\n"),
    ];
    let options = json!({ "flags": ["-DOF_CLIENT=0"] });
    let mut client = Client::new(&files, usual(), options);
    for name in ["src/below/a.c", "src/below/new.c"] {
        client.open(name);
        client.checked();
        assert_eq!(client.lenses(name)[0].1, "ends \u{b7} memory safe", "{name}");
    }
    client.open("src/below/b.c");
    client.checked();
    assert_eq!(client.lenses("src/below/b.c")[0].1, "can run for ever (W050) \u{b7} memory safe");
}

#[test]
fn files_that_cannot_be_read_have_diagnostics_and_come_back() {
    let mut client = client(&[("a.c", "int f(int n) {\n  return n +;\n}\n"), ("b.c", PROVED)]);
    client.open("a.c");
    client.checked();
    let found = client.diagnostics("a.c");
    assert_eq!((found.len(), &found[0]["severity"]), (1, &json!(1)));
    assert_eq!(found[0]["range"]["start"], json!({ "line": 1, "character": 12 }));
    client.open("b.c");
    client.checked();
    fs::remove_file(client.path("b.c")).unwrap();
    let document = json!({ "uri": client.uri("b.c") });
    client.notify("textDocument/didSave", json!({ "textDocument": document }));
    client.checked();
    let message = client.diagnostics("b.c")[0]["message"].clone();
    assert!(message.as_str().unwrap().contains("cannot be read"), "{message}");
    assert!(client.lenses("b.c").is_empty());
    client.save("b.c", PROVED);
    client.checked();
    assert!(client.diagnostics("b.c").is_empty());
    // A file without functions is no mistake; what is no file is none of wane's business.
    client.save("a.c", "int n;\n");
    client.checked();
    assert!(client.diagnostics("a.c").is_empty());
    let untitled = json!({ "uri": "untitled:1", "languageId": "c", "version": 1, "text": "int" });
    client.notify("textDocument/didOpen", json!({ "textDocument": untitled }));
    assert!(client.end().success());
}

#[test]
fn whole_programs_are_entered_at_main_and_their_functions_are_asked_about() {
    let text = "#include <stdlib.h>\nstatic int g;\nstatic int read(int *p) { return *p; }\n\
                int main(void) {\n  g = 3;\n  int *p = malloc(sizeof *p);\n  *p = g;\n  free(p);\n  \
                return read(p);\n}\n";
    let mut client = client(&[("a.c", text)]);
    client.open("a.c");
    client.checked();
    let found = client.diagnostics("a.c");
    let [error] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((code_and_line(error), &error["severity"]), (("W002", 3), &json!(1)));
    let related = error["relatedInformation"].as_array().unwrap();
    let lines: Vec<_> =
        related.iter().map(|it| &it["location"]["range"]["start"]["line"]).collect();
    assert_eq!(lines, [5, 7], "allocated and freed: {related:#?}");
    let titles: Vec<_> = client.lenses("a.c").into_iter().map(|(line, _)| line).collect();
    assert_eq!(titles, [3, 4]);
}

#[test]
fn unknown_answers_are_shown_as_the_client_wants() {
    let shown = |unknown: &str| {
        let options = json!({ "steps": 20000, "unknown": unknown });
        let mut client = Client::new(&[("a.c", OPEN)], usual(), options);
        client.open("a.c");
        client.checked();
        client
            .diagnostics("a.c")
            .iter()
            .map(|it| it["severity"].as_i64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(shown("information"), [3]);
    assert_eq!(shown("hint"), [4]);
    let mut client = Client::new(&[("a.c", OPEN)], usual(), json!({ "unknown": "shout" }));
    let message = client.told("window/showMessage")["message"].as_str().unwrap().to_owned();
    assert!(message.contains("shout"), "{message}");
    // What is wrong or misspelt leaves the others as they are.
    let options = json!({ "timeot": 5, "steps": -1, "timeout": 1, "unknown": "hint" });
    let mut client = Client::new(&[("a.c", OPEN)], usual(), options);
    let message = client.told("window/showMessage")["message"].as_str().unwrap().to_owned();
    assert!(message.contains("there is no option `timeot`; did you mean `timeout`?"), "{message}");
    assert!(message.contains("`steps`: "), "{message}");
    client.open("a.c");
    client.checked();
    assert_eq!(client.diagnostics("a.c")[0]["severity"], 4);
}

/// A check that finds what was known sends nothing.
#[test]
fn diagnostics_that_are_the_same_are_not_sent_again() {
    for abilities in [usual(), json!({})] {
        let mut client = Client::new(&[("a.c", STUCK)], abilities, json!({}));
        client.open("a.c");
        client.checked();
        assert_eq!(client.diagnostics("a.c").len(), 1);
        let methods = ["textDocument/publishDiagnostics", "workspace/codeLens/refresh"];
        let before = methods.map(|it| client.n_told(it));
        client.save("a.c", STUCK);
        assert!(client.checked().starts_with("a.c: 2 answers, 2 of them as before"));
        assert_eq!(methods.map(|it| client.n_told(it)), before);
    }
}

#[test]
fn long_work_is_told_of_and_can_be_cancelled() {
    let mut client = Client::new(&[("a.c", HARD), ("b.c", STUCK)], usual(), only_a_clock(600.0));
    client.open("a.c");
    let create = client.wait(|it| it["method"] == "window/workDoneProgress/create");
    let token = create["params"]["token"].clone();
    client.agree(&create);
    let kind = |client: &mut Client, kind: &str| {
        client.wait(|it| it["method"] == "$/progress" && it["params"]["value"]["kind"] == kind)
    };
    assert_eq!(kind(&mut client, "begin")["params"]["token"], token);
    // What is done is told from time to time: before the function is come to, and then.
    client.wait(|it| it["params"]["value"]["message"] == "checking collatz (1 of 1)");
    // What is saved meanwhile comes first, and the other check goes on later.
    client.open("b.c");
    client.save("b.c", STUCK);
    assert_eq!(client.checked(), "a check was cancelled");
    assert!(client.checked().starts_with("b.c: 1 answers"));
    assert_eq!(client.diagnostics("b.c").len(), 1);
    let create = client.wait(|it| it["method"] == "window/workDoneProgress/create");
    client.agree(&create);
    kind(&mut client, "begin");
    let token = create["params"]["token"].clone();
    client.notify("window/workDoneProgress/cancel", json!({ "token": token }));
    assert_eq!(client.checked(), "a check was cancelled");
    kind(&mut client, "end");
    // It was not answered, so it is asked again; then it is mended.
    client.save("a.c", HARD);
    client.save("a.c", PROVED);
    assert_eq!(client.checked(), "a check was cancelled");
    assert!(client.checked().starts_with("a.c: 1 answers, 0 of them as before"));
    assert!(client.end().success());
}

/// All functions have a first look before one has more: what hangs is told of while what nobody
/// knows is still looked at, and that is called open until then.
#[test]
fn no_function_waits_for_a_hard_one() {
    let text = format!("{HARD}{STUCK}");
    let mut client = Client::new(&[("a.c", &text)], usual(), only_a_clock(600.0));
    client.open("a.c");
    let told = client.wait(|it| {
        let diagnostics = it["params"]["diagnostics"].as_array();
        it["method"] == "textDocument/publishDiagnostics"
            && diagnostics.is_some_and(|it| it.len() == 2)
    });
    let first = &told["params"]["diagnostics"][0];
    // At its function or its loop, whichever was looked at when its time was over.
    assert_eq!(code_and_line(first).0, "W033", "{told}");
    assert!(first["message"].as_str().unwrap().contains("a first look"), "{told}");
    assert_eq!(code_and_line(&told["params"]["diagnostics"][1]).1, 6, "{told}");
    assert!(client.end().success());
}

/// What the clock has cut short is not asked once more as long as nothing changes.
#[test]
fn answers_that_were_cut_short_are_remembered() {
    let text = format!("{HARD}{STUCK}");
    let mut client = Client::new(&[("a.c", &text)], usual(), only_a_clock(0.5));
    client.open("a.c");
    assert!(client.checked().starts_with("a.c: 2 answers, 0 of them as before"));
    assert_eq!(client.diagnostics("a.c").len(), 2);
    client.save("a.c", &format!("{text}\n"));
    assert!(client.checked().starts_with("a.c: 2 answers, 2 of them as before"));
    assert_eq!(client.diagnostics("a.c").len(), 2);
}

#[test]
fn a_function_of_sixty_lines_is_checked_at_once() {
    let body: String = (0..28)
        .map(|it| format!("  if (at[{it}] > n) all += at[{it}];\n  else all -= {it};\n"))
        .collect();
    let text = |step: u32| {
        format!(
            "{PROVED}int long_one(const int *at, int n) {{\n  int all = 0;\n  \
             for (int i = 0; i < n; i += {step})\n    all ^= at[i];\n{body}  return all;\n}}\n"
        )
    };
    let options = json!({ "property": "termination" });
    let mut client = Client::new(&[("a.c", &text(1))], usual(), options);
    client.open("a.c");
    client.checked();
    let started = Instant::now();
    client.save("a.c", &text(2));
    let line = client.checked();
    assert!(started.elapsed() < Duration::from_secs(10), "{line}");
    assert!(line.starts_with("a.c: 2 answers, 1 of them as before"), "{line}");
}

#[test]
fn the_protocol_is_kept_whatever_comes() {
    let mut client = Client::silent(&[]);
    assert_eq!(client.error("textDocument/hover", json!({})), -32002);
    client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(client.error("initialize", json!({ "capabilities": {} })), -32600);
    assert_eq!(client.error("textDocument/fly", json!({})), -32601);
    assert_eq!(client.error("textDocument/hover", json!({ "position": "here" })), -32602);
    client.notify("$/setTrace", json!({ "value": "off" }));
    client.notify("$/cancelRequest", json!({ "id": 1 }));
    client.notify("textDocument/didOpen", json!(7));
    client
        .notify("textDocument/didChange", json!({ "textDocument": { "uri": ":", "version": 1 } }));
    client.send_raw("no header\n");
    client.send_text("{ no JSON");
    assert_eq!(client.wait(|it| it["id"].is_null())["error"]["code"], -32700);
    client.send_text("[1, 2]");
    assert_eq!(client.wait(|it| it["id"].is_null())["error"]["code"], -32600);
    client.send_text(r#"{"jsonrpc":"2.0","id":"x"}"#);
    assert_eq!(client.wait(|it| it["id"] == "x")["error"]["code"], -32600);
    let nowhere = json!({ "textDocument": { "uri": "file:///none.c" } });
    assert_eq!(client.request("textDocument/codeLens", nowhere), json!([]));
    client.request("shutdown", Value::Null);
    assert_eq!(client.error("textDocument/hover", json!({})), -32600);
    client.notify("exit", Value::Null);
    assert!(client.status().success());

    let mut hasty = Client::new(&[], usual(), json!({}));
    hasty.notify("exit", Value::Null);
    assert_eq!(hasty.status().code(), Some(1));
    assert_eq!(Client::new(&[], usual(), json!({})).hang_up().code(), Some(1));
}
