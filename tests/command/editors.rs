//! Editors with the settings that `docs/editors.md` shows: Neovim and Emacs where they are at hand,
//! what stands for Visual Studio Code in node, and a client of python3 that reads each message of
//! the server by the types of the protocol.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::folder::folder;
use crate::outside::{Machine, has_module, has_program, skipped, text, told};
use tempfile::TempDir;

const PROGRAM: &str = "struct node { struct node *next; };\n\
    int length(struct node *list) { int n = 0; for (; list; list = list->next) n++; return n; }\n\
    void hang(int n) { for (;;) n = n ? 0 : 1; }\n\
    int null(void) { int *p = 0; return *p; }\n";

/// Nothing is to be shown of this but what stands above it.
const PROVED: &str = "int one(void) { return 1; }\n";

/// The examples in a language that the page has, in order.
fn examples(language: &str) -> Vec<String> {
    let page = text("docs/editors.md");
    let fence = format!("```{language}\n");
    let blocks = page.split(&fence).skip(1).map(|it| it.split("```").next().unwrap().to_owned());
    blocks.collect()
}

/// A folder with a program and a root, and files of an editor.
fn workspace(files: &[(&str, &str)]) -> TempDir {
    folder(&[&[("a.c", PROGRAM), ("compile_commands.json", "[]")], files].concat())
}

/// What an editor says that it shows must have the errors at their lines.
fn shows_errors(output: &str) {
    for line in ["3 W050 this loop can run for ever", "4 W001 a null pointer is dereferenced here"]
    {
        assert!(output.contains(line), "{line}: {output}");
    }
}

/// Opens the file, waits for all that is shown, and tells it.
const IN_NEOVIM: &str = r"
vim.cmd.edit('a.c')
vim.cmd('filetype detect')
local buffer = vim.api.nvim_get_current_buf()
local function lenses()
  local told = {}
  for _, lens in ipairs(vim.lsp.codelens.get(buffer)) do
    if lens.command then
      table.insert(told, lens.range.start.line + 1 .. ' lens ' .. lens.command.title)
    end
  end
  return told
end
local function diagnostics()
  return vim.diagnostic.get(buffer)
end
vim.wait(120000, function() return #diagnostics() >= 2 and #lenses() >= 4 end, 20)
for _, it in ipairs(diagnostics()) do
  print(it.lnum + 1 .. ' ' .. it.code .. ' ' .. it.message)
end
print(table.concat(lenses(), '\n'))
vim.cmd.edit('proved.c')
vim.cmd('filetype detect')
buffer = vim.api.nvim_get_current_buf()
vim.wait(120000, function() return #lenses() >= 1 end, 20)
print('proved.c ' .. table.concat(lenses(), '\n'))
vim.cmd('qa!')
";

#[test]
fn neovim_shows_errors_and_lenses() {
    let newest = ["--headless", "-u", "NONE", "-c", "if has('nvim-0.11') | cq 7 | endif | q"];
    let machine = Machine::with(&[]);
    let asked = machine.command("nvim", std::env::temp_dir().as_path()).args(newest).output();
    if !asked.is_ok_and(|it| it.status.code() == Some(7)) {
        return skipped("there is no neovim from 0.11 on");
    }
    let settings = examples("lua");
    let project =
        workspace(&[("init.lua", &settings[0]), ("drive.lua", IN_NEOVIM), ("proved.c", PROVED)]);
    let mut nvim = machine.command("nvim", project.path());
    nvim.args(["--headless", "-u", "init.lua", "-l", "drive.lua"]);
    for folder in ["XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
        nvim.env(folder, project.path());
    }
    let (_, output) = told(&mut nvim);
    shows_errors(&output);
    for line in [
        "2 lens ends · memory safe",
        "2 lens the way along links gets smaller",
        "proved.c 1 lens ends · memory safe",
    ] {
        assert!(output.contains(line), "{output}");
    }
}

const IN_EMACS: &str = r#"
(require 'package)
(package-initialize)
(unless (require 'eglot nil t) (kill-emacs 7))
(require 'flymake)
(load-file "settings.el")
(setq eglot-sync-connect 60)
(find-file "a.c")
(c-mode)
(apply #'eglot (eglot--guess-contact))
(let ((end (+ (float-time) 120)))
  (while (and (< (float-time) end) (< (length (flymake-diagnostics)) 2))
    (accept-process-output nil 0.05)
    (flymake-start)))
(dolist (it (flymake-diagnostics))
  (princ (format "%s %s\n" (line-number-at-pos (flymake-diagnostic-beg it))
                 (replace-regexp-in-string "^wane \\[\\(.*\\)\\]:" "\\1"
                                           (flymake-diagnostic-text it)))))
(kill-emacs 0)
"#;

#[test]
fn emacs_shows_errors() {
    if !has_program("emacs") {
        return skipped("there is no emacs");
    }
    let settings = examples("elisp");
    let project = workspace(&[("settings.el", &settings[0]), ("drive.el", IN_EMACS)]);
    let machine = Machine::with(&[]);
    let mut emacs = machine.command("emacs", project.path());
    emacs.env("HOME", project.path()).args(["--batch", "-l", "drive.el"]);
    match told(&mut emacs) {
        (7, _) => skipped("emacs has no eglot"),
        (_, output) => shows_errors(&output),
    }
}

/// What the extension asks of its library: a client that starts the server, greets it and reads the
/// answer, in however many pieces it comes.
const LIBRARY: &str = r"
const { spawn } = require('child_process');
exports.LanguageClient = class {
  constructor(id, name, server, options) { Object.assign(this, { server, options }); }
  start() {
    const { command, args } = this.server;
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const { initializationOptions } = this.options;
    const params = { processId: null, rootUri: null, capabilities: {}, initializationOptions };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    this.child.stdin.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    let told = '';
    return new Promise((resolve) => {
      this.child.stdout.on('end', () => resolve(told));
      this.child.stdout.on('data', (it) => {
        told += it;
        const [head, body] = told.split('\r\n\r\n');
        if (body !== undefined && body.length >= /\d+/.exec(head)[0]) resolve(body);
      });
    });
  }
  stop() { this.child.kill(); }
};
";

/// The manifest names the file; the file starts a server that knows its options.
#[test]
fn the_extension_for_visual_studio_code_starts_the_server() {
    let manifest = examples("json").remove(0);
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["main"], "./extension.js");
    if !has_program("node") {
        return skipped("there is no node");
    }
    let drive = "const it = require('./extension.js');
        it.activate().then((told) => { console.log(told); it.deactivate(); });";
    let project = workspace(&[
        ("extension.js", &examples("js")[0]),
        ("node_modules/vscode-languageclient/node.js", LIBRARY),
        ("drive.js", drive),
    ]);
    let machine = Machine::with(&[]);
    let (status, output) = told(machine.command("node", project.path()).arg("drive.js"));
    assert!(status == 0 && output.contains("\"serverInfo\":{\"name\":\"wane\""), "{output}");
}

/// A session as editors have it: all that the server sends is read as the types of the protocol have
/// it, and what is none is an error.
const IN_PYTHON: &str = r#"
import asyncio, pathlib, sys
from lsprotocol import types
from pygls.lsp.client import BaseLanguageClient

class Client(BaseLanguageClient):
    def report_server_error(self, error, source):
        print("error", error, source)
        sys.exit(1)

async def main():
    client, told = Client("test", "1"), asyncio.Queue()
    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda it: told.put_nowait(it))
    client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda it: None)
    client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda *it: None)
    await client.start_io("wane", "lsp")
    path = pathlib.Path("a.c").resolve()
    uri, text = path.as_uri(), path.read_text()
    capabilities = types.ClientCapabilities(
        window=types.WindowClientCapabilities(work_done_progress=True),
        workspace=types.WorkspaceClientCapabilities(
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True)))
    root = path.parent.as_uri()
    await client.initialize_async(types.InitializeParams(
        capabilities=capabilities, root_uri=root, process_id=None,
        workspace_folders=[types.WorkspaceFolder(root, "root")]))
    client.initialized(types.InitializedParams())
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        types.TextDocumentItem(uri, "c", 1, text)))
    document = types.TextDocumentIdentifier(uri)
    found = []
    while len(found) < 2:
        found = (await told.get()).diagnostics
    for it in found:
        print(it.range.start.line + 1, it.code, it.message)
    lenses = []
    while len(lenses) < 4:
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
        await asyncio.sleep(0.02)
    for it in lenses:
        print(it.range.start.line + 1, "lens", it.command.title)
    at = found[0].range
    hover = await client.text_document_hover_async(types.HoverParams(document, types.Position(1, 5)))
    print("hover", hover.contents.value.splitlines()[0])
    actions = await client.text_document_code_action_async(types.CodeActionParams(
        document, at, types.CodeActionContext(found)))
    for it in actions:
        print("action", it.title)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()

asyncio.run(asyncio.wait_for(main(), 120))
"#;

#[test]
fn messages_are_of_the_types_of_the_protocol() {
    if !has_module("pygls.lsp.client") {
        return skipped("python3 has no module pygls");
    }
    let project = workspace(&[("drive.py", IN_PYTHON)]);
    let machine = Machine::with(&[]);
    let (status, output) = told(machine.command("python3", project.path()).arg("drive.py"));
    assert_eq!(status, 0, "{output}");
    shows_errors(&output);
    for line in ["2 lens ends · memory safe", "hover **`length`**", "action Explain W050"] {
        assert!(output.contains(line), "{line}: {output}");
    }
}
