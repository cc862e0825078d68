//! The text of a program that is entered at several functions: where all answers are known from an
//! earlier run, it is not parsed.

use analyze::link;
use c::{Input, Parsed};
use project::{Linked, Program};
use std::hash::Hasher;
use std::sync::{Arc, OnceLock};

/// Files that are linked, and what they were parsed to, once that was done.
pub(super) struct Text {
    program: Arc<Program>,
    input: Input,
    parsed: OnceLock<Option<Arc<Parsed>>>,
}

impl Text {
    /// Of a program that was parsed.
    pub(super) fn parsed(program: &Arc<Program>, input: Input, parsed: Arc<Parsed>) -> Self {
        Self { parsed: OnceLock::from(Some(parsed)), ..Self::unparsed(program, input) }
    }

    /// Of a program that an earlier run could parse.
    pub(super) fn unparsed(program: &Arc<Program>, input: Input) -> Self {
        Self { program: Arc::clone(program), input, parsed: OnceLock::new() }
    }

    /// Tells all that the program was read from.
    pub(super) fn identify(&self, state: &mut impl Hasher) {
        self.program.identify(state);
    }

    /// The parsed files; nothing, where the text is no C.
    pub(super) fn get(&self) -> Option<Arc<Parsed>> {
        let parse = || match &*self.program {
            Program::C(Linked { sources, extent, unread, models, .. }) => {
                link::parse_program(sources, self.input, (*extent, unread, models)).0
            }
            Program::System(_) => None,
        };
        self.parsed.get_or_init(parse).clone()
    }

    /// Whether it was parsed by now.
    #[cfg(test)]
    pub(super) fn is_parsed(&self) -> bool {
        self.parsed.get().is_some()
    }
}
