//! Concolic execution: the interpreter runs a program, and a *shadow* beside it
//! says which values are linear expressions over *symbols* (Godefroid, Klarlund,
//! Sen: *DART*, PLDI 2005; Godefroid, Levin, Molnar: *Automated whitebox fuzz
//! testing*, NDSS 2008).
//!
//! The interpreter alone says what a run does. The shadow adds for what
//! other values of the symbols the same steps would be taken:
//!
//! * [`shadow`]: forms of values, what they are read from, and the decisions;
//! * `eval`: forms of expressions; what is not linear is *pinned* to its value;
//! * `products`: comparisons of products with numbers, by the signs of the factors;
//! * `whatever`: numbers that may be any of a range;
//! * [`machine`]: one step of the interpreter with its shadow;
//! * [`footprint`]: what a stretch of a run needs of the state it starts in, and
//!   whether the state at its end gives it again;
//! * `agenda`: which branches are tried next;
//! * `coverage`: which of them promise something new;
//! * `ranges`: what decisions say of single numbers;
//! * `inputs`: what runs choose, and which choices lead elsewhere;
//! * `futures`: which runs can do the same from where they are;
//! * `read_later`: what a run still reads;
//! * [`repeated`]: runs that come back to a state;
//! * [`texts`]: inputs that look like text;
//! * [`explore`]: search for inputs that lead a run to other branches.
//!
//! A run that is shadowed from the program's start has the choices as its symbols. A
//! run that is [resumed](machine::Concolic::resume) in some state has symbols
//! for the integers that it reads and did not write: its footprint.

mod agenda;
pub mod bits;
mod coverage;
mod eval;
pub mod explore;
mod filler;
pub mod footprint;
mod futures;
mod hashes;
mod inputs;
#[cfg(test)]
mod laws;
pub mod machine;
mod products;
mod ranges;
mod read_later;
pub mod repeated;
pub mod shadow;
pub mod texts;
pub mod turns;
mod whatever;
