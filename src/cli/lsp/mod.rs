//! `wane lsp`: a language server on the standard input and output.
//!
//! Data flows one way: `wire` reads messages, the loop here hands them to the `server`, that puts
//! documents into the `queue`, the `worker` checks them on a thread of its own, and its news come
//! back as events of the same loop. What is known of a document (`answers`) is shown as
//! `diagnostics`, `lenses` and `hovers`, with `actions` for what the user may do about it.

mod actions;
mod answers;
mod carrying;
mod diagnostics;
mod documents;
mod hovers;
mod lenses;
mod names;
mod pages;
mod positions;
mod publisher;
mod queue;
mod server;
mod settings;
mod ticker;
mod verdicts;
mod wire;
mod worker;

use lsp_server::{ErrorCode, Message, Notification, Request};
use lsp_types::notification::{self as told, Notification as _, ShowMessage};
use lsp_types::request::{self as asked, Request as _};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    ExecuteCommandOptions, HoverProviderCapability, InitializeParams, InitializeResult,
    MessageType, SaveOptions, ServerCapabilities, ServerInfo, ShowMessageParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use server::Server;
use settings::{Abilities, Settings};
use std::io::{self, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::mpsc::{self, Sender};
use std::thread;
use wire::{Client, Incoming, Refusal};
use worker::News;

/// What the loop waits for.
enum Event {
    /// The client says something.
    Client(Incoming),
    /// The worker does.
    Work(News),
}

/// Serves a client until it says that the server should exit, or says no more. The status is 0 if
/// it asked for a shutdown before.
pub(super) fn run() -> ExitCode {
    let (events, received) = mpsc::channel();
    let (sender, outgoing) = mpsc::channel();
    let of_client = events.clone();
    thread::spawn(move || {
        let listen = |incoming| of_client.send(Event::Client(incoming)).map_err(|_| ());
        wire::read(&mut BufReader::new(io::stdin()), listen);
    });
    let writer = thread::spawn(move || wire::write(&outgoing, &mut io::stdout()));
    let mut session = Session { client: Client(sender), events, phase: Phase::New };
    let status = received.into_iter().find_map(|event| session.handle(event));
    drop(session);
    // What was said last is to be heard.
    let _ = writer.join();
    status.unwrap_or(ExitCode::FAILURE)
}

/// How far the talk is.
enum Phase {
    /// The client has not introduced itself.
    New,
    /// The server was started.
    Running(Box<Server>),
    /// Only the end is to come.
    ShutDown,
}

struct Session {
    client: Client,
    events: Sender<Event>,
    phase: Phase,
}

impl Session {
    /// Does what an event asks for. The result is the status at the end.
    fn handle(&mut self, event: Event) -> Option<ExitCode> {
        match event {
            Event::Client(Incoming::Message(Message::Request(request))) => self.answer(request),
            Event::Client(Incoming::Message(Message::Notification(notification))) => {
                if notification.method == told::Exit::METHOD {
                    let is_shut_down = matches!(self.phase, Phase::ShutDown);
                    let status = if is_shut_down { ExitCode::SUCCESS } else { ExitCode::FAILURE };
                    return Some(status);
                }
                self.hear(notification);
            }
            Event::Client(Incoming::Message(Message::Response(response))) => {
                if let Phase::Running(server) = &mut self.phase {
                    let answer = response.response_result.map(|_| ()).map_err(|_| ());
                    server.answered(&response.id, answer);
                }
            }
            Event::Client(Incoming::Malformed(Some(id), code, why)) => {
                self.client.answer(id, Err((code, why)));
            }
            Event::Client(Incoming::Malformed(None, code, why)) => self.client.refuse(code, why),
            Event::Client(Incoming::End) => return Some(ExitCode::FAILURE),
            Event::Work(news) => {
                if let Phase::Running(server) = &mut self.phase {
                    // The last safety net; the message is on the standard error.
                    let _ = catch_unwind(AssertUnwindSafe(|| server.heard(news)));
                }
            }
        }
        None
    }

    fn answer(&mut self, request: Request) {
        let id = request.id.clone();
        let result = catch_unwind(AssertUnwindSafe(|| self.result(request)));
        let failed = |_| {
            let why = "wane failed; the message is on the standard error".to_owned();
            Err((ErrorCode::InternalError, why))
        };
        self.client.answer(id, result.unwrap_or_else(failed));
    }

    fn result(&mut self, request: Request) -> Result<Value, Refusal> {
        let Request { method, params, .. } = request;
        match (&mut self.phase, method.as_str()) {
            (Phase::New, asked::Initialize::METHOD) => self.initialize(params),
            (Phase::New, _) => Err((
                ErrorCode::ServerNotInitialized,
                "the client has not said `initialize`".into(),
            )),
            (Phase::Running(server), asked::Shutdown::METHOD) => {
                server.stop();
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Running(_), asked::Initialize::METHOD) | (Phase::ShutDown, _) => {
                Err((ErrorCode::InvalidRequest, format!("it is too late for `{method}`")))
            }
            (Phase::Running(server), method) => match method {
                asked::CodeLensRequest::METHOD => written(&server.lenses(read(params)?)),
                asked::HoverRequest::METHOD => written(&server.hover(read(params)?)),
                asked::CodeActionRequest::METHOD => written(&server.actions(read(params)?)),
                asked::ExecuteCommand::METHOD => server.execute(read(params)?),
                _ => Err((ErrorCode::MethodNotFound, format!("there is no method `{method}`"))),
            },
        }
    }

    fn initialize(&mut self, params: Value) -> Result<Value, Refusal> {
        let params: InitializeParams = read(params)?;
        let abilities = Abilities::of(&params);
        // Settings, names in answers and the baseline are those of the folder that the user works
        // in, wherever the editor has started the server.
        if let Some(folder) = settings::workspace(&params) {
            let _ = std::env::set_current_dir(folder);
        }
        let (settings, wrong) = Settings::read(params.initialization_options);
        if !wrong.is_empty() {
            let why = wrong.join("; ");
            let message = format!("options of wane are not understood, and left aside: {why}");
            let typ = MessageType::WARNING;
            self.client.notify::<ShowMessage>(ShowMessageParams { typ, message });
        }
        let (client, events) = (self.client.clone(), self.events.clone());
        self.phase = Phase::Running(Box::new(Server::start(client, abilities, settings, events)));
        written(&InitializeResult {
            capabilities: capabilities(abilities),
            server_info: Some(ServerInfo {
                name: "wane".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    /// Notifications that are not known, or make no sense, have no answer. `$/cancelRequest` is
    /// one: when it is read, the request was answered.
    fn hear(&mut self, notification: Notification) {
        let Phase::Running(server) = &mut self.phase else { return };
        let Notification { method, params } = notification;
        let heard = || {
            match method.as_str() {
                told::DidOpenTextDocument::METHOD => server.opened(read(params)?),
                told::DidChangeTextDocument::METHOD => server.changed(read(params)?),
                told::DidSaveTextDocument::METHOD => server.saved(read(params)?),
                told::DidCloseTextDocument::METHOD => server.closed(read(params)?),
                told::WorkDoneProgressCancel::METHOD => server.cancelled(read(params)?),
                _ => {}
            }
            Ok::<(), Refusal>(())
        };
        // The last safety net, as for requests.
        let _ = catch_unwind(AssertUnwindSafe(heard));
    }
}

/// Reads the parameters of a message.
fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn written(result: &impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(result).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

/// What the server can do.
fn capabilities(abilities: Abilities) -> ServerCapabilities {
    let save = SaveOptions { include_text: Some(false) };
    ServerCapabilities {
        position_encoding: Some(abilities.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(save)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![actions::EXPLAIN.to_owned(), actions::ACCEPT.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
