//! How the work goes on, shown by the client for as long as a check takes.

use super::wire::Client;
use lsp_server::RequestId;
use lsp_types::notification::Progress;
use lsp_types::request::WorkDoneProgressCreate;
use lsp_types::{
    NumberOrString, ProgressParams, ProgressParamsValue, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use std::collections::BTreeMap;

const PREFIX: &str = "wane/check/";

/// How far the client is with what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It was asked whether it will show it.
    Asked,
    /// The same, and the work is done already.
    Late,
    /// It shows it.
    Shown,
    /// It will not.
    Refused,
}

/// What is shown of each job, by its ticket.
#[derive(Debug, Default)]
pub(super) struct Ticker(BTreeMap<u64, Stage>);

impl Ticker {
    /// Shows what a job is doing; asks the client first whether it will show that.
    pub(super) fn show(&mut self, client: &Client, ticket: u64, message: String, percentage: u32) {
        match self.0.get(&ticket) {
            None => {
                self.0.insert(ticket, Stage::Asked);
                let params = WorkDoneProgressCreateParams { token: token(ticket) };
                client.ask::<WorkDoneProgressCreate>(RequestId::from(name(ticket)), params);
            }
            Some(Stage::Shown) => {
                let (message, percentage) = (Some(message), Some(percentage));
                let report =
                    WorkDoneProgressReport { cancellable: Some(true), message, percentage };
                tell(client, ticket, WorkDoneProgress::Report(report));
            }
            Some(Stage::Asked | Stage::Late | Stage::Refused) => {}
        }
    }

    /// The client has answered a request of this server: perhaps whether it will show a job.
    pub(super) fn answered(&mut self, client: &Client, id: &RequestId, answer: Result<(), ()>) {
        let own = self.0.iter_mut().find(|(ticket, _)| RequestId::from(name(**ticket)) == *id);
        let Some((ticket, stage)) = own else { return };
        let ticket = *ticket;
        if answer.is_err() {
            *stage = Stage::Refused;
            return;
        }
        let is_late = *stage == Stage::Late;
        *stage = Stage::Shown;
        let begin = WorkDoneProgressBegin {
            title: "wane".to_owned(),
            cancellable: Some(true),
            message: None,
            percentage: Some(0),
        };
        tell(client, ticket, WorkDoneProgress::Begin(begin));
        if is_late {
            self.end(client, ticket);
        }
    }

    /// The job is done.
    pub(super) fn end(&mut self, client: &Client, ticket: u64) {
        match self.0.get(&ticket) {
            Some(Stage::Shown) => {
                self.0.remove(&ticket);
                tell(client, ticket, WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
            }
            Some(Stage::Asked) => drop(self.0.insert(ticket, Stage::Late)),
            Some(Stage::Late | Stage::Refused) | None => drop(self.0.remove(&ticket)),
        }
    }
}

fn name(ticket: u64) -> String {
    format!("{PREFIX}{ticket}")
}

fn token(ticket: u64) -> NumberOrString {
    NumberOrString::String(name(ticket))
}

/// The ticket of the job that a token stands for.
pub(super) fn ticket_of(token: &NumberOrString) -> Option<u64> {
    match token {
        NumberOrString::String(name) => name.strip_prefix(PREFIX)?.parse().ok(),
        NumberOrString::Number(_) => None,
    }
}

fn tell(client: &Client, ticket: u64, value: WorkDoneProgress) {
    let value = ProgressParamsValue::WorkDone(value);
    client.notify::<Progress>(ProgressParams { token: token(ticket), value });
}

#[cfg(test)]
mod tests {
    use super::super::wire::{Client, Outgoing};
    use super::{Ticker, name};
    use lsp_server::{Message, RequestId};
    use std::sync::mpsc;

    /// What the client hears.
    fn heard(talk: impl FnOnce(&mut Ticker, &Client)) -> Vec<String> {
        let (sender, receiver) = mpsc::channel();
        talk(&mut Ticker::default(), &Client(sender));
        let word = |outgoing| match outgoing {
            Outgoing::Message(Message::Notification(it)) => {
                it.params["value"]["kind"].as_str().unwrap_or_default().to_owned()
            }
            Outgoing::Message(Message::Request(_)) => "create".to_owned(),
            Outgoing::Message(Message::Response(_)) | Outgoing::Refusal(..) => String::new(),
        };
        receiver.into_iter().map(word).collect()
    }

    #[test]
    fn nothing_is_shown_before_the_client_agrees() {
        let id = RequestId::from(name(1));
        let show = |ticker: &mut Ticker, client: &Client| ticker.show(client, 1, String::new(), 0);
        let words = heard(|ticker, client| {
            show(ticker, client);
            show(ticker, client);
            ticker.answered(client, &id, Ok(()));
            show(ticker, client);
            ticker.end(client, 1);
        });
        assert_eq!(words, ["create", "begin", "report", "end"]);
        let words = heard(|ticker, client| {
            show(ticker, client);
            ticker.end(client, 1);
            ticker.answered(client, &id, Ok(()));
        });
        assert_eq!(words, ["create", "begin", "end"]);
        let words = heard(|ticker, client| {
            show(ticker, client);
            ticker.answered(client, &id, Err(()));
            show(ticker, client);
            ticker.end(client, 1);
        });
        assert_eq!(words, ["create"]);
    }
}
