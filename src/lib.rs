//! wane proves that C programs stop: lists get shorter, depths *wane*, and that
//! is the proof.
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

pub use {
    analyze, base, c, concolic, concrete, descent, entail, evidence, heap, ir, its, logic, numeric,
    obligation, prove, question, rank, reduce, report, rules, simplify, sonar, temporal, verdict,
};
