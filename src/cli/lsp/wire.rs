//! Messages in and out, in the frames that the protocol puts around JSON.

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{notification, request};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read as _, Write};
use std::sync::mpsc::{Receiver, Sender};

/// What comes in.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A message.
    Message(Message),
    /// Something else, with its number if it has one, and what is wrong with it.
    Malformed(Option<RequestId>, ErrorCode, String),
    /// No more.
    End,
}

/// What goes out.
#[derive(Debug)]
pub(super) enum Outgoing {
    /// A message.
    Message(Message),
    /// The answer to something without a number.
    Refusal(ErrorCode, String),
}

/// Reads messages until there are no more, or nobody listens any more.
pub(super) fn read(input: &mut impl BufRead, listen: impl Fn(Incoming) -> Result<(), ()>) {
    loop {
        let incoming = match body(input) {
            Ok(Some(body)) => parsed(&body),
            Ok(None) | Err(_) => Incoming::End,
        };
        let is_last = matches!(incoming, Incoming::End);
        if listen(incoming).is_err() || is_last {
            return;
        }
    }
}

/// The bytes of the next message, or nothing at the end. Lines that are no header are skipped, so
/// that what follows them can be understood again.
fn body(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        if let (true, Some(length)) = (line.trim().is_empty(), length) {
            let mut body = Vec::new();
            let n_read = input.take(length).read_to_end(&mut body)?;
            return Ok((n_read as u64 == length).then_some(body));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
}

fn parsed(body: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => {
            let why = format!("this is no JSON: {error}");
            return Incoming::Malformed(None, ErrorCode::ParseError, why);
        }
    };
    let id = value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
    match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(message),
        Err(_) => {
            let why = "this is no request, response or notification".to_owned();
            Incoming::Malformed(id, ErrorCode::InvalidRequest, why)
        }
    }
}

/// Writes messages until there are no more, or nobody reads any more.
pub(super) fn write(messages: &Receiver<Outgoing>, output: &mut impl Write) {
    for outgoing in messages {
        let written = match outgoing {
            Outgoing::Message(message) => message.write(output),
            Outgoing::Refusal(code, why) => {
                let error = json!({ "code": code as i32, "message": why });
                let text = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
                write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())
                    .and_then(|()| output.flush())
            }
        };
        if written.is_err() {
            return;
        }
    }
}

/// Why a request has no result.
pub(super) type Refusal = (ErrorCode, String);

/// The other side, to which messages are sent. One that does not read them any more will soon
/// say no more, too.
#[derive(Clone, Debug)]
pub(super) struct Client(pub(super) Sender<Outgoing>);

impl Client {
    /// Answers a request.
    pub(super) fn answer(&self, id: RequestId, result: Result<Value, Refusal>) {
        let response = match result {
            Ok(value) => Response { id, response_result: Ok(value) },
            Err((code, why)) => Response::new_err(id, code as i32, why),
        };
        self.send(Message::Response(response));
    }

    /// Refuses what has no number.
    pub(super) fn refuse(&self, code: ErrorCode, why: String) {
        // See above.
        let _ = self.0.send(Outgoing::Refusal(code, why));
    }

    /// Tells something.
    pub(super) fn notify<N: notification::Notification>(&self, params: N::Params) {
        let params = serde_json::to_value(params).unwrap_or_default();
        self.send(Message::Notification(Notification { method: N::METHOD.to_owned(), params }));
    }

    /// Asks for something.
    pub(super) fn ask<R: request::Request>(&self, id: RequestId, params: R::Params) {
        let params = serde_json::to_value(params).unwrap_or_default();
        self.send(Message::Request(Request { id, method: R::METHOD.to_owned(), params }));
    }

    fn send(&self, message: Message) {
        // See above.
        let _ = self.0.send(Outgoing::Message(message));
    }
}

#[cfg(test)]
mod tests {
    use super::{Incoming, read};
    use std::cell::RefCell;

    #[test]
    fn what_is_no_message_does_not_end_the_talk() {
        let exit = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let framed = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
        let text =
            ["garbage\n", &framed("{"), &framed("[7]"), &framed(r#"{"id":7}"#), &framed(exit)];
        let heard = RefCell::new(Vec::new());
        read(&mut text.concat().as_bytes(), |incoming| {
            heard.borrow_mut().push(match incoming {
                Incoming::Message(_) => "message",
                Incoming::Malformed(None, ..) => "malformed",
                Incoming::Malformed(Some(_), ..) => "malformed with a number",
                Incoming::End => "end",
            });
            Ok(())
        });
        let wanted = ["malformed", "malformed", "malformed with a number", "message", "end"];
        assert_eq!(heard.into_inner(), wanted);
    }
}
