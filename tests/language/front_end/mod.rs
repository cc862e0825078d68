//! The C front end: what is accepted, what is refused, and what the goto
//! program means.

mod bad_input;
mod correct;
mod layout;
mod lowering;
mod parsing;
mod runs;
mod support;
