//! `wane.explain`: the page about a code, in the editor.

use super::names::uri_of;
use super::wire::Client;
use lsp_server::RequestId;
use lsp_types::notification::ShowMessage;
use lsp_types::request::ShowDocument;
use lsp_types::{MessageType, ShowDocumentParams, ShowMessageParams};
use report::codes::Page;
use std::fs;
use std::io;
use std::path::PathBuf;
use tempfile::TempDir;

/// The pages that were shown, as files of a folder that lives as long as the server.
#[derive(Debug, Default)]
pub(super) struct Pages {
    folder: Option<TempDir>,
    n_shown: usize,
}

impl Pages {
    /// Opens a page as a document.
    ///
    /// # Errors
    /// The page cannot be written.
    pub(super) fn open(&mut self, client: &Client, page: &Page) -> io::Result<()> {
        let path = self.written(page)?;
        let uri = uri_of(&path).ok_or(io::ErrorKind::InvalidFilename)?;
        self.n_shown += 1;
        let id = RequestId::from(format!("wane/page/{}", self.n_shown));
        let (external, take_focus) = (Some(false), Some(true));
        client.ask::<ShowDocument>(
            id,
            ShowDocumentParams { uri, external, take_focus, selection: None },
        );
        Ok(())
    }

    fn written(&mut self, page: &Page) -> io::Result<PathBuf> {
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => tempfile::Builder::new().prefix("wane-").tempdir()?,
        };
        let path = folder.path().join(format!("{}.md", page.code));
        self.folder = Some(folder);
        fs::write(&path, page.text)?;
        Ok(path)
    }
}

/// Says in a message what a page is about.
pub(super) fn say(client: &Client, page: &Page) {
    let message = format!("{}: {}\n\n{}", page.code, page.title(), page.summary());
    client.notify::<ShowMessage>(ShowMessageParams { typ: MessageType::INFO, message });
}
