//! A client of `wane lsp` that follows a script.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// An answer that takes longer never comes.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a usual editor says that it can do.
pub(crate) fn usual() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-16"] },
        "window": { "workDoneProgress": true, "showDocument": { "support": true } },
        "workspace": { "codeLens": { "refreshSupport": true } },
        "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
    })
}

/// A client, and the folder that it works in.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    incoming: Receiver<Value>,
    /// Messages that came while others were waited for.
    waiting: VecDeque<Value>,
    n_requests: i64,
    folder: TempDir,
}

impl Client {
    /// A server that was started and knows the client, in a folder with these files.
    pub(crate) fn new(files: &[(&str, &str)], capabilities: Value, options: Value) -> Self {
        let mut client = Self::silent(files);
        let params = json!({
            "processId": null, "rootUri": null, "capabilities": capabilities,
            "initializationOptions": options,
        });
        let result = client.request("initialize", params);
        assert_eq!(result["serverInfo"]["name"], "wane");
        client.notify("initialized", json!({}));
        client
    }

    /// A server that was told nothing yet.
    pub(crate) fn silent(files: &[(&str, &str)]) -> Self {
        let folder = crate::folder::folder(files);
        let mut child = Command::new(env!("CARGO_BIN_EXE_wane"))
            .arg("lsp")
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, incoming) = mpsc::channel();
        thread::spawn(move || {
            loop {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    if output.read_line(&mut line).unwrap() == 0 {
                        return;
                    }
                    if line == "\r\n" {
                        break;
                    }
                    let value = line.strip_prefix("Content-Length: ").unwrap();
                    length = value.trim().parse().unwrap();
                }
                let mut body = vec![0; length];
                output.read_exact(&mut body).unwrap();
                if sender.send(serde_json::from_slice(&body).unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { child, input, incoming, waiting: VecDeque::new(), n_requests: 0, folder }
    }

    /// A file of the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The same, as the protocol names it.
    pub(crate) fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Sends a text as a message.
    pub(crate) fn send_text(&mut self, text: &str) {
        self.send_raw(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        self.send_text(&message.to_string());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// The whole response to a request.
    pub(crate) fn response(&mut self, method: &str, params: Value) -> Value {
        self.n_requests += 1;
        let id = self.n_requests;
        self.send(json!({ "id": id, "method": method, "params": params }));
        self.wait(|it| it["id"] == id && it.get("method").is_none())
    }

    /// The result of a request.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let mut response = self.response(method, params);
        assert!(response.get("error").is_none(), "{response}");
        response["result"].take()
    }

    /// The error of a request.
    pub(crate) fn error(&mut self, method: &str, params: Value) -> i64 {
        let response = self.response(method, params);
        response["error"]["code"].as_i64().unwrap_or_else(|| panic!("{response}"))
    }

    /// Agrees to a request of the server.
    pub(crate) fn agree(&mut self, request: &Value) {
        self.send(json!({ "id": request["id"], "result": null }));
    }

    /// The first message of some kind; others that came before stay for later.
    pub(crate) fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.waiting.iter().position(&is_wanted) {
            return self.waiting.remove(index).unwrap();
        }
        loop {
            let Ok(message) = self.incoming.recv_timeout(PATIENCE) else {
                panic!("it does not come; but these did: {:#?}", self.waiting);
            };
            if is_wanted(&message) {
                return message;
            }
            self.waiting.push_back(message);
        }
    }

    /// The parameters of the next call of a method.
    pub(crate) fn told(&mut self, method: &str) -> Value {
        self.wait(|it| it["method"] == method)["params"].take()
    }

    /// How many calls of a method came that were not waited for.
    pub(crate) fn n_told(&self, method: &str) -> usize {
        self.waiting.iter().filter(|it| it["method"] == method).count()
    }

    /// Opens a file.
    pub(crate) fn open(&mut self, name: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        let (uri, version) = (self.uri(name), 1);
        let document = json!({ "uri": uri, "languageId": "c", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Writes another text into an open file and saves it.
    pub(crate) fn save(&mut self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
        let document = json!({ "uri": self.uri(name), "version": 2 });
        let changes = json!([{ "text": text }]);
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
        let document = json!({ "uri": self.uri(name) });
        self.notify("textDocument/didSave", json!({ "textDocument": document }));
    }

    /// Waits until a check is done, and returns the line about it.
    pub(crate) fn checked(&mut self) -> String {
        self.told("window/logMessage")["message"].as_str().unwrap().to_owned()
    }

    /// The last diagnostics of a file that came by now.
    pub(crate) fn diagnostics(&mut self, name: &str) -> Vec<Value> {
        let uri = self.uri(name);
        // What is asked now is answered behind all that was published.
        self.response("wane/nothing", Value::Null);
        let is_own = |it: &Value| {
            it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == uri
        };
        let last = self.waiting.iter().rev().find(|it| is_own(it));
        let last = last.map(|it| it["params"]["diagnostics"].as_array().unwrap().clone());
        last.unwrap_or_else(|| panic!("nothing was published for {name}: {:#?}", self.waiting))
    }

    /// The titles of lenses, with their lines from 1 on.
    pub(crate) fn lenses(&mut self, name: &str) -> Vec<(u64, String)> {
        let document = json!({ "uri": self.uri(name) });
        let lenses = self.request("textDocument/codeLens", json!({ "textDocument": document }));
        let lens = |it: &Value| {
            let line = it["range"]["start"]["line"].as_u64().unwrap() + 1;
            (line, it["command"]["title"].as_str().unwrap().to_owned())
        };
        lenses.as_array().unwrap().iter().map(lens).collect()
    }

    /// What is shown at a line and a column, from 0 on.
    pub(crate) fn hover(&mut self, name: &str, (line, column): (u32, u32)) -> Value {
        let params = json!({
            "textDocument": { "uri": self.uri(name) },
            "position": { "line": line, "character": column },
        });
        self.request("textDocument/hover", params)
    }

    /// Says that the server should end, and waits for that.
    pub(crate) fn end(&mut self) -> ExitStatus {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.child.wait().unwrap()
    }

    /// Says no more, and waits for the end.
    pub(crate) fn hang_up(&mut self) -> ExitStatus {
        self.input = None;
        self.child.wait().unwrap()
    }

    /// Waits for the end.
    pub(crate) fn status(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // One that has ended already cannot be ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A text with some edits of the protocol made, whose columns count UTF-16 units.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for edit in edits.as_array().unwrap() {
        assert_eq!(edit["range"]["start"], edit["range"]["end"], "only insertions are made here");
        let line = usize::try_from(edit["range"]["start"]["line"].as_u64().unwrap()).unwrap();
        let column =
            usize::try_from(edit["range"]["start"]["character"].as_u64().unwrap()).unwrap();
        let units: Vec<u16> = lines[line].encode_utf16().collect();
        let [before, after] = [&units[..column], &units[column..]].map(String::from_utf16);
        lines[line] =
            [before.unwrap().as_str(), edit["newText"].as_str().unwrap(), after.unwrap().as_str()]
                .concat();
    }
    lines.join("\n")
}

/// Whether a file is there.
pub(crate) fn exists(uri: &str) -> bool {
    Path::new(uri.strip_prefix("file://").unwrap()).exists()
}
