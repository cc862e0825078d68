//! The page for a browser: its marks and links are looked at here, by `tidy` where it is at hand,
//! and it is used as a person does in Chromium, by the keyboard and by clicks.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder::folder;
use crate::outside::{has_program, skipped};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// Answers of all kinds, in two files, with characters that are marks in HTML.
fn page() -> TempDir {
    let one = "#include <stdlib.h>\nstruct node { struct node *next; };\n\
               int length(struct node *list) {\n  int n = 0;\n  while (list && n < 9) { list = list->next; n++; }\n  return n;\n}\n\
               void hang(int n) {\n  for (;;)\n    n = n ? 0 : 1;\n}\n\
               int null(void) {\n  int *p = 0;\n  return *p;\n}\n\
               int lost(void) {\n  char *p = malloc(3);\n  return \"<&>\"[1] && p;\n}\n";
    let other =
        "void collatz(unsigned n) {\n  while (n > 1)\n    n = n % 2 ? 3 * n + 1 : n / 2;\n}\n";
    let project = folder(&[("a.c", one), ("sub/b & c.c", other)]);
    let wane = Command::new(env!("CARGO_BIN_EXE_wane"))
        .current_dir(project.path())
        .args(["--format", "html", "-o", "page.html", "--steps", "200000", "a.c", "sub/b & c.c"])
        .status();
    assert_eq!(wane.unwrap().code(), Some(1));
    project
}

/// Elements that have no end.
const VOID: [&str; 7] = ["meta", "link", "br", "hr", "img", "input", "wbr"];

/// The start tags of a page, name and attributes; all are closed in their order.
fn tags(html: &str) -> Vec<(String, Vec<(String, String)>)> {
    let (mut open, mut all) = (Vec::new(), Vec::new());
    let mut rest =
        html.strip_prefix("<!DOCTYPE html>").or(html.strip_prefix("<!doctype html>")).unwrap();
    while let Some((_, tail)) = rest.split_once('<') {
        let (tag, behind) = tail.split_once('>').unwrap();
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{:.80}", behind);
            continue;
        }
        let (name, mut written) = tag.split_once(' ').unwrap_or((tag, ""));
        let (name, is_closed) = (name.trim_end_matches('/').to_owned(), tag.ends_with('/'));
        let mut attributes = Vec::new();
        while !written.trim_matches(['/', ' ']).is_empty() {
            written = written.trim_start();
            let end = written.find([' ', '=']).unwrap_or(written.len());
            let (key, tail) = written.split_at(end);
            let value = tail.strip_prefix("=\"").map(|it| it.split_once('"').unwrap());
            let (value, tail) = value.unwrap_or(("", tail));
            attributes.push((key.to_owned(), value.to_owned()));
            written = tail;
        }
        if name == "style" || name == "script" {
            rest = rest.split_once(&format!("</{name}>")).unwrap().1;
        } else if !VOID.contains(&name.as_str()) && !is_closed {
            open.push(name.clone());
        }
        all.push((name, attributes));
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

/// Each link leads to one place of the page, and nothing is loaded from elsewhere.
#[test]
fn links_of_a_page_lead_somewhere() {
    let project = page();
    let html = fs::read_to_string(project.path().join("page.html")).unwrap();
    let tags = tags(&html);
    let of = |wanted: &str| -> Vec<String> {
        let attributes = tags.iter().flat_map(|(_, attributes)| attributes);
        attributes.filter(|(key, _)| key == wanted).map(|(_, value)| value.clone()).collect()
    };
    let (ids, links) = (of("id"), of("href"));
    let known: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(known.len(), ids.len(), "no two have the same name: {ids:?}");
    assert!(links.len() > 30, "{links:?}");
    for link in &links {
        let name = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads away"));
        assert!(known.contains(&name.to_owned()), "{link}");
    }
    assert!(of("src").is_empty() && !html.contains("@import"));
    assert_eq!(html.matches("url(").count(), html.matches("url(#").count());
    // From the table to each answer, and from each answer and line back.
    for id in ids.iter().filter(|it| it.starts_with("answer") && !it.contains("step")) {
        let n_links = links.iter().filter(|it| it[1..] == **id).count();
        assert!(n_links >= 1 || id == "answers", "{id}");
    }
    assert!(html.contains("&lt;&amp;&gt;") && html.contains("b &amp; c.c"));
}

/// Where tidy is at hand, it has nothing to say.
#[test]
fn a_page_is_html() {
    if !has_program("tidy") {
        return skipped("there is no tidy");
    }
    let project = page();
    let tidy =
        Command::new("tidy").args(["-q", "-e", "page.html"]).current_dir(project.path()).output();
    let told = String::from_utf8(tidy.unwrap().stderr).unwrap();
    assert_eq!(told, "");
}

/// Chromium, by its protocol for developers.
struct Browser {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    n_calls: u64,
    /// What happened meanwhile.
    events: Vec<Value>,
}

impl Browser {
    /// A browser without a window, if there is one.
    fn start(folder: &Path) -> Option<Self> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let name = names.into_iter().find(|it| has_program(it))?;
        // It reads calls from file 3 and answers on file 4.
        let script = "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null";
        let mut child = Command::new("bash")
            .args([
                "-c",
                script,
                "browser",
                name,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
            ])
            .args(["--no-first-run", "--disable-dev-shm-usage", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let (input, output) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        let (session, events) = (None, Vec::new());
        let mut browser = Self { child, input, output, session, n_calls: 0, events };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        Some(browser)
    }

    fn receive(&mut self) -> Value {
        let mut message = Vec::new();
        self.output.read_until(0, &mut message).unwrap();
        message.pop();
        serde_json::from_slice(&message).unwrap()
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.n_calls += 1;
        let mut call = json!({ "id": self.n_calls, "method": method, "params": params });
        if let Some(session) = &self.session {
            call["sessionId"] = json!(session);
        }
        self.input.write_all(format!("{call}\0").as_bytes()).unwrap();
        self.input.flush().unwrap();
        loop {
            let mut message = self.receive();
            if message["id"] == self.n_calls {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
            self.events.push(message);
        }
    }

    /// Shows a page, and comes back when it is there.
    fn show(&mut self, path: &Path) {
        self.events.clear();
        self.call("Page.navigate", json!({ "url": format!("file://{}", path.display()) }));
        let is_loaded = |it: &Value| it["method"] == "Page.loadEventFired";
        while !self.events.iter().any(is_loaded) {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// What an expression is there.
    fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true, "userGesture": true });
        let mut found = self.call("Runtime.evaluate", asked);
        assert!(found.get("exceptionDetails").is_none(), "{expression}: {found}");
        found["result"]["value"].take()
    }

    /// Presses a key.
    fn press(&mut self, key: &str, code: u32, text: Option<&str>) {
        let mut event = json!({
            "type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code,
        });
        if let Some(text) = text {
            event["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", event.clone());
        event["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", event);
    }

    /// Goes on by the tabulator until an element of this kind has the focus.
    fn go_to(&mut self, selector: &str) {
        for _ in 0..200 {
            self.press("Tab", 9, None);
            if self.value(&format!("document.activeElement.matches('{selector}')")) == true {
                return;
            }
        }
        panic!("the keyboard does not lead to {selector}");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How many elements of a kind are seen.
fn seen(selector: &str) -> String {
    format!(
        "[...document.querySelectorAll('{selector}')].filter(it => it.checkVisibility()).length"
    )
}

/// By the keyboard alone: the table is filtered, details are opened; links lead there and back.
#[test]
fn a_page_is_used_in_a_browser() {
    let project = page();
    let path = project.path().join("page.html");
    let Some(mut browser) = Browser::start(project.path()) else {
        return skipped("there is no chromium");
    };
    browser.show(&path);
    // The first stop leads past the table.
    browser.press("Tab", 9, None);
    assert_eq!(browser.value("document.activeElement.getAttribute('href')"), "#answers");
    browser.press("Enter", 13, Some("\r"));
    assert_eq!(browser.value("location.hash"), "#answers");
    browser.show(&path);
    let count = |browser: &mut Browser, selector: &str| browser.value(&seen(selector));
    let (refuted, unknown) = (json!(3), json!(1));
    assert_eq!(count(&mut browser, "tr.refuted"), refuted);
    browser.go_to("input.show-refuted");
    browser.press(" ", 32, Some(" "));
    assert_eq!(count(&mut browser, "tr.refuted"), 0, "they are filtered");
    assert_eq!(count(&mut browser, "tr.unknown"), unknown);
    browser.press(" ", 32, Some(" "));
    assert_eq!(count(&mut browser, "tr.refuted"), refuted);
    browser.go_to("details:not([open]) > summary");
    browser.press("Enter", 13, Some("\r"));
    assert_eq!(browser.value("document.activeElement.parentElement.open"), true);
    // From an answer to its line, and back.
    let links = "[...document.querySelectorAll('.answer .cause a.path')]";
    assert_eq!(browser.value(&format!("{links}.length > 2")), true);
    let there_and_back = format!(
        "{links}.every(link => {{
            const answer = link.closest('.answer').id;
            link.click();
            const line = document.querySelector(':target');
            const back = [...line.querySelectorAll('a.back')];
            const own = back.find(it => it.hash.split('-')[0] === '#' + answer);
            own?.click();
            return line.matches('.line.mark') && own
                && document.querySelector(':target')?.closest('.answer')?.id === answer;
        }})"
    );
    assert_eq!(browser.value(&there_and_back), true);
    let dead = "[...document.querySelectorAll('a[href]')]
        .filter(it => !document.getElementById(decodeURIComponent(it.hash.slice(1)))).length";
    assert_eq!(browser.value(dead), 0);
    // Nothing is wider than a narrow window.
    for width in [400, 900, 1440] {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        browser.call("Emulation.setDeviceMetricsOverride", size);
        assert_eq!(
            browser.value("document.documentElement.scrollWidth <= innerWidth"),
            true,
            "{width}"
        );
    }
    let is_error = |it: &&Value| {
        let params = &it["params"];
        let told = params["entry"]["level"] == "error" || params["type"] == "error";
        it["method"] == "Runtime.exceptionThrown" || told
    };
    let errors: Vec<&Value> = browser.events.iter().filter(is_error).collect();
    assert!(errors.is_empty(), "{errors:?}");
}
