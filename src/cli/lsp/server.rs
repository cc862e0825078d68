//! What the server knows, and what it does with each message. Nothing here takes long: checks are
//! a matter of the worker, so each request is answered before the next one is read.

use super::super::output::read_baseline;
use super::Event;
use super::actions::{self, ACCEPT, EXPLAIN, Sheet};
use super::answers::Answers;
use super::diagnostics::{self, View};
use super::documents::{Document, Documents, is_checked};
use super::hovers::{self, Spot};
use super::lenses;
use super::names::path_of;
use super::pages::{self, Pages};
use super::positions::Carried;
use super::publisher::Publisher;
use super::queue::Queue;
use super::settings::{Abilities, Ability, Settings};
use super::ticker::{Ticker, ticket_of};
use super::wire::{Client, Refusal};
use super::worker::{self, Job, News};
use lsp_server::{ErrorCode, RequestId};
use lsp_types::notification::{LogMessage, PublishDiagnostics};
use lsp_types::request::CodeLensRefresh;
use lsp_types::{
    CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeLens, CodeLensParams, Diagnostic,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, ExecuteCommandParams, Hover, HoverParams, LogMessageParams,
    MessageType, PublishDiagnosticsParams, Uri, WorkDoneProgressCancelParams,
};
use report::accepted::Baseline;
use report::codes;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::thread;

/// A server that was started.
pub(super) struct Server {
    client: Client,
    abilities: Abilities,
    settings: Settings,
    documents: Documents,
    queue: Queue,
    /// Where the worker gets its jobs.
    jobs: Sender<Job>,
    known: BTreeMap<PathBuf, Answers>,
    publisher: Publisher,
    ticker: Ticker,
    pages: Pages,
    n_refreshes: usize,
}

/// Answers about a document, and where their lines are now.
type Known<'a> = (&'a Answers, Carried);

impl Server {
    /// A server for a client, and the thread that works for it and tells of that as events.
    pub(super) fn start(
        client: Client,
        abilities: Abilities,
        settings: Settings,
        events: Sender<Event>,
    ) -> Self {
        let (jobs, received) = mpsc::channel();
        let own = settings.clone();
        // If no thread can be had, nothing is checked, as the client will see.
        let _ = thread::Builder::new().spawn(move || {
            // Where nobody listens any more, nothing is missed.
            let tell = |news| drop(events.send(Event::Work(news)));
            worker::work(&received, &own, &tell);
        });
        Self {
            client,
            abilities,
            settings,
            documents: Documents::default(),
            queue: Queue::default(),
            jobs,
            known: BTreeMap::new(),
            publisher: Publisher::default(),
            ticker: Ticker::default(),
            pages: Pages::default(),
            n_refreshes: 0,
        }
    }

    /// Ends the work.
    pub(super) fn stop(&mut self) {
        self.queue.clear();
    }

    /// The document was opened.
    pub(super) fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let Some(path) = path_of(&document.uri) else { return };
        let (uri, text) = (document.uri, document.text);
        self.documents.open(path.clone(), Document { uri, text });
        if is_checked(&path) {
            self.queue.append(path);
            self.work();
        }
    }

    /// The document was changed, and is not saved yet.
    pub(super) fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let path = path_of(&params.text_document.uri);
        if let Some(document) = path.and_then(|path| self.documents.get_mut(&path)) {
            document.change(params.content_changes, self.abilities.encoding);
        }
    }

    /// The document was saved. A header concerns all documents that may include it; most answers
    /// are remembered.
    pub(super) fn saved(&mut self, params: DidSaveTextDocumentParams) {
        let Some(path) = path_of(&params.text_document.uri) else { return };
        if self.documents.get(&path).is_none() {
            return;
        }
        if is_checked(&path) {
            self.queue.put_first(path);
        } else {
            let others: Vec<PathBuf> = self.documents.paths().cloned().collect();
            for other in others.into_iter().filter(|it| is_checked(it)) {
                self.queue.put_first(other);
            }
        }
        self.work();
    }

    /// The document was closed: nothing is shown of it any more.
    pub(super) fn closed(&mut self, params: DidCloseTextDocumentParams) {
        let Some(path) = path_of(&params.text_document.uri) else { return };
        self.queue.remove(&path);
        self.known.remove(&path);
        let changed = self.publisher.remove(&path);
        self.publish(changed);
        self.documents.close(&path);
    }

    /// The user wants something that takes long to end.
    pub(super) fn cancelled(&mut self, params: WorkDoneProgressCancelParams) {
        if let Some(ticket) = ticket_of(&params.token) {
            self.queue.cancel(ticket);
        }
    }

    /// The client has answered a request.
    pub(super) fn answered(&mut self, id: &RequestId, answer: Result<(), ()>) {
        self.ticker.answered(&self.client, id, answer);
    }

    /// The worker has something to say.
    pub(super) fn heard(&mut self, news: News) {
        match news {
            News::Looking(ticket, what, n_done, n_all) => {
                if self.abilities.progress == Ability::Present
                    && self.queue.wanted(ticket).is_some()
                {
                    let position = n_done.saturating_add(1).min(n_all.max(1));
                    let message = format!("checking {what} ({position} of {})", n_all.max(1));
                    let percentage = n_done.saturating_mul(100) / n_all.max(1);
                    let percentage = u32::try_from(percentage).unwrap_or(0).min(100);
                    self.ticker.show(&self.client, ticket, message, percentage);
                }
            }
            News::Some(ticket, answers) => {
                if let Some(path) = self.queue.wanted(ticket).map(Path::to_owned) {
                    let answers = match self.known.get(&path) {
                        Some(before) => answers.beside(before),
                        None => *answers,
                    };
                    self.learn(path, answers);
                }
            }
            News::All(ticket, answers, line) => {
                if let Some(path) = self.queue.wanted(ticket).map(Path::to_owned) {
                    self.learn(path, *answers);
                    self.log(line);
                }
                self.finish(ticket);
            }
            News::Cancelled(ticket) => {
                self.log("a check was cancelled".to_owned());
                self.finish(ticket);
            }
        }
    }

    fn finish(&mut self, ticket: u64) {
        self.ticker.end(&self.client, ticket);
        self.queue.finish(ticket);
        self.work();
    }

    /// Gives the worker its next job, if it has none.
    fn work(&mut self) {
        if let Some(job) = self.queue.next() {
            // See `start`.
            let _ = self.jobs.send(job);
        }
    }

    /// Shows what is known of a document now.
    fn learn(&mut self, path: PathBuf, answers: Answers) {
        let (abilities, unknown) = (self.abilities, self.settings.unknown);
        let view = View { abilities, unknown, documents: &self.documents };
        let mut changed = self.publisher.update(&path, diagnostics::of(&answers, view));
        let before = self.lenses_of(&path);
        self.known.insert(path.clone(), answers);
        let has_other_lenses = self.lenses_of(&path) != before;
        let can_refresh = self.abilities.refresh == Ability::Present;
        if has_other_lenses && !can_refresh {
            // Such a client asks for lenses when diagnostics come, be they the same.
            let all = || self.publisher.all_of(&path);
            changed.entry(path.clone()).or_insert_with(all);
        }
        self.publish(changed);
        if has_other_lenses && can_refresh {
            self.n_refreshes += 1;
            let id = RequestId::from(format!("wane/refresh/{}", self.n_refreshes));
            self.client.ask::<CodeLensRefresh>(id, ());
        }
    }

    fn publish(&self, changed: BTreeMap<PathBuf, Vec<Diagnostic>>) {
        for (path, diagnostics) in changed {
            if let Some(uri) = self.documents.uri(&path) {
                let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
                self.client.notify::<PublishDiagnostics>(params);
            }
        }
    }

    fn log(&self, message: String) {
        self.client.notify::<LogMessage>(LogMessageParams { typ: MessageType::LOG, message });
    }

    /// A document with its path, and what is known of it.
    fn looked_up(&self, uri: &Uri) -> Option<(PathBuf, &Document, Option<Known<'_>>)> {
        let path = path_of(uri)?;
        let document = self.documents.get(&path)?;
        let known = self.known.get(&path).map(|answers| {
            let before = answers.text(&path).unwrap_or_default();
            (answers, Carried::between(before, &document.text))
        });
        Some((path, document, known))
    }

    /// What stands above lines of a document.
    pub(super) fn lenses(&mut self, params: CodeLensParams) -> Vec<CodeLens> {
        let path = path_of(&params.text_document.uri);
        path.and_then(|path| self.lenses_of(&path)).unwrap_or_default()
    }

    /// The same; nothing, if it is not known yet.
    fn lenses_of(&self, path: &Path) -> Option<Vec<CodeLens>> {
        let (document, answers) = (self.documents.get(path)?, self.known.get(path)?);
        let carried = Carried::between(answers.text(path).unwrap_or_default(), &document.text);
        Some(lenses::of(answers, path, carried, self.abilities.encoding))
    }

    /// What is known of a word.
    pub(super) fn hover(&mut self, params: HoverParams) -> Option<Hover> {
        let at = params.text_document_position_params;
        let (path, document, known) = self.looked_up(&at.text_document.uri)?;
        let (answers, carried) = known?;
        let (text, position, encoding) = (&document.text, at.position, self.abilities.encoding);
        hovers::of(answers, &Spot { path: &path, text, position, encoding }, carried)
    }

    /// What can be done about diagnostics.
    pub(super) fn actions(&mut self, params: CodeActionParams) -> Vec<CodeActionOrCommand> {
        let wanted = params.context.only.unwrap_or_else(|| vec![CodeActionKind::QUICKFIX]);
        let is_wanted = |kind: &CodeActionKind| ["", "quickfix"].contains(&kind.as_str());
        let Some((path, document, known)) = self.looked_up(&params.text_document.uri) else {
            return Vec::new();
        };
        let (uri, text, encoding) = (&document.uri, &document.text, self.abilities.encoding);
        let sheet = Sheet { uri, path: &path, text, encoding };
        let diagnostics =
            params.context.diagnostics.iter().filter(|_| wanted.iter().any(is_wanted));
        diagnostics.flat_map(|diagnostic| actions::of(diagnostic, known, &sheet)).collect()
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// There is no such command, or it cannot be carried out.
    pub(super) fn execute(&mut self, params: ExecuteCommandParams) -> Result<Value, Refusal> {
        let wrong = |why| (ErrorCode::InvalidParams, why);
        match params.command.as_str() {
            EXPLAIN => self.explain(&params.arguments),
            ACCEPT => self.accept(&params.arguments).map_err(wrong),
            other => Err(wrong(format!("there is no command `{other}`"))),
        }
    }

    /// Adds to the baseline what is known of a line by a code, and checks the document again: most
    /// answers are remembered.
    fn accept(&mut self, arguments: &[Value]) -> Result<Value, String> {
        let [uri, line, code] = arguments else {
            return Err("a document, a line and a code are wanted".to_owned());
        };
        let read = |error: serde_json::Error| error.to_string();
        let uri: Uri = serde_json::from_value(uri.clone()).map_err(read)?;
        let line: u32 = serde_json::from_value(line.clone()).map_err(read)?;
        let own = (line, code.as_str().unwrap_or_default().to_owned());
        let encoding = self.abilities.encoding;
        let known = self.looked_up(&uri);
        let Some((path, document, Some((answers, carried)))) = known else {
            return Err("nothing is known of this document".to_owned());
        };
        let file = answers.baseline.clone().ok_or("no `baseline` is set in wane.toml")?;
        let mut baseline = match file.exists() {
            true => read_baseline(&file)?,
            false => Baseline::default(),
        };
        let sheet = Sheet { uri: &document.uri, path: &path, text: &document.text, encoding };
        let meant = actions::meant(&own, answers, carried, &sheet);
        baseline.add(meant, &answers.texts, &answers.report.home);
        fs::write(&file, baseline.write())
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        self.queue.put_first(path);
        self.work();
        Ok(Value::Null)
    }

    fn explain(&mut self, arguments: &[Value]) -> Result<Value, Refusal> {
        let code = arguments.first().and_then(Value::as_str).unwrap_or_default();
        let page = codes::find(code)
            .ok_or_else(|| (ErrorCode::InvalidParams, format!("there is no code `{code}`")))?;
        let is_open = self.abilities.show_document == Ability::Present
            && self.pages.open(&self.client, page).is_ok();
        if !is_open {
            pages::say(&self.client, page);
        }
        Ok(Value::Null)
    }
}
