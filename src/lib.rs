//! wane proves that C programs stop: lists get shorter, depths *wane*, and that
//! is the proof.
//!
//! A [`Project`] is read from files and answers [`Question`]s:
//!
//! ```
//! use wane::{Answer, Problem, Project, Question};
//!
//! fn main() -> Result<(), Vec<Problem>> {
//!     let reverse = Project::from_files(&["examples/reverse.c"])?;
//!     let finding = reverse.ask(&Question::Termination)?;
//!     assert_eq!(finding.answer, Answer::Proved);
//!     // What gets smaller in each of its loops.
//!     let loops = finding.evidence.map_or_else(Vec::new, |it| it.loops);
//!     assert!(loops.iter().all(|it| !it.measure.is_empty()));
//!     // Each proof is checked, and says what it takes for granted.
//!     assert!(finding.assumptions.contains(&"malloc does not fail".to_owned()));
//!
//!     let stuck = Project::from_files(&["examples/stuck.c"])?;
//!     let finding = stuck.ask(&Question::Termination)?;
//!     assert_eq!(finding.answer, Answer::Refuted);
//!     // A hang comes with its run: inputs, the way there, and what is repeated.
//!     let run = finding.evidence.and_then(|it| it.endless_run);
//!     assert!(run.is_some_and(|it| !it.path.is_empty()));
//!     Ok(())
//! }
//! ```
//!
//! How files are read, with which flags and from which function on, is a [`Reading`] for
//! [`Project::read`]; what is wrong with them is a [`Problem`] with its place. The command line is
//! the same with a clock and many programs at once.
//!
//! Each module is a crate; lowest first, a crate knows earlier ones only:
//!
//! | module | what it is |
//! |---|---|
//! | [`base`] | typed indices, source positions, graphs, budgets, limits |
//! | [`ir`] | the goto program that all analyses read |
//! | [`simplify`] | expressions made smaller by equality saturation |
//! | [`its`] | integer transition systems to goto programs |
//! | [`c`] | C to goto programs |
//! | [`concrete`] | the reference semantics: an interpreter |
//! | [`logic`] | exact numbers, linear constraints, simplex with Farkas proofs |
//! | [`concolic`] | runs with a shadow: under which inputs they go the same way |
//! | [`numeric`] | numeric abstract domains |
//! | [`heap`] | symbolic heaps, shapes |
//! | [`entail`] | entailment and folding |
//! | [`descent`] | arguments that relations are well-founded, and their check |
//! | [`rank`] | the search for them |
//! | [`obligation`] | a program with a goal: what provers and the check know |
//! | [`evidence`] | what proofs by abstract states are made of |
//! | [`rules`] | the rules of execution |
//! | [`sonar`] | CAV'06: the shape analysis |
//! | [`verdict`] | answers with evidence, and the check that follows it |
//! | [`temporal`] | linear temporal logic and its automata |
//! | [`prove`] | obligations to verdicts. CAV'06: MUTANT |
//! | [`question`] | what a user may ask |
//! | [`reduce`] | questions to obligations, and their answers back |
//! | [`report`] | answers for people and machines |
//! | [`analyze`] | from the text of a file to answers |
//! | [`project`] | from files on disk to programs |

pub use c::Options;
pub use project::{Preprocessing, Project, Reading};
pub use question::Question;
pub use report::{Answer, Finding, Problem};
pub use {
    analyze, base, c, concolic, concrete, descent, entail, evidence, heap, ir, its, logic, numeric,
    obligation, project, prove, question, rank, reduce, report, rules, simplify, sonar, temporal,
    verdict,
};
