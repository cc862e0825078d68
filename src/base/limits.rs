//! How the work on an obligation is shared out, in one table.
//!
//! *Steps* are counted where states of the program are looked at, *units* in searches beside
//! them ([`Budget::of_search`](super::budget::Budget::of_search)). A limit here ends work. What
//! only makes an abstraction coarser, such as how many disequalities a state keeps, stands
//! beside the code that does it.

/// The steps of a first attempt at a proof, at least. It is short: where a proof takes long, a
/// run against the goal may be found sooner.
pub const FIRST_STEPS: u64 = 1_000;

/// The steps of a first attempt for each command and branch of the program: a large program
/// is not hard for being large.
pub const FIRST_STEPS_EACH: u64 = 24;

/// The steps of an attempt at a proof by numbers alone, for each command and branch of the program:
/// states without memory are small.
pub const NUMBERS_STEPS_EACH: u64 = 60;

/// The least and the most of them: what a large program's loops need of numbers is mostly near.
pub const NUMBERS_STEPS: [u64; 2] = [4_000, 20_000];

/// The steps of an attempt at a proof by bounds of pointers, for each command and branch of the
/// program.
pub const BOUNDS_STEPS_EACH: u64 = 60;

/// The least and the most of them.
pub const BOUNDS_STEPS: [u64; 2] = [4_000, 12_000];

/// So many things are said to be needed of calls, beside what types say.
pub const MOST_NEEDS: usize = 20;

/// So often is it tried whether some are enough.
pub const MOST_TRIALS: usize = 150;

/// The steps of an attempt at a proof by a slice of a large program, for each command and branch
/// of it. Most are not in the slice.
pub const SLICE_STEPS_EACH: u64 = 100;

/// The steps that each plan may take before the next one has its turn: a plan that does not
/// fit may use up any number, and a later one may need few. What is not proved in the last
/// round has too many states.
pub const PLAN_STEPS: [u64; 3] = [6_000, 40_000, 150_000];

/// So many times the steps of a first attempt are taken for those where nothing is known of the
/// numbers in nodes, all plans together.
pub const LINKED_STEPS_EACH: u64 = 8;

/// The steps of an attempt that tells states apart by control variables: there are as many sorts of
/// states as these have values together.
pub const STAGES_STEPS: u64 = 120_000;

/// The steps of an analysis without abstraction: loops that are left after a few rounds need no
/// more.
pub const EXACT_STEPS: u64 = 4_000;

/// The steps that the search for a run against the goal may take: more than a proof, for a
/// step of the interpreter costs little beside one of abstract states.
pub const REFUTATION_STEPS: u64 = 500_000;

/// The same for each command and branch of a large program: most lead to others that are as
/// far from the error.
pub const REFUTATION_STEPS_EACH: u64 = 100;

/// The steps of a second search for a run, toward the places where the last proof found that
/// something may go wrong.
pub const STEPS_TOWARD_ALARMS: u64 = 400_000;

/// The steps of a search for an endless run of a function that is called by somebody, toward all
/// loops together.
pub const IDLE_STEPS: u64 = 160_000;

/// The loops of a large program that runs are led to.
pub const MOST_SUSPECTS: usize = 8;

/// The steps of the search for endless runs that are led to one loop.
pub const STEPS_TOWARD_SUSPECT: u64 = 60_000;

/// In a large program, the steps that are looked at for cycles of one run: another may show an
/// endless one sooner.
pub const STEPS_OF_CYCLES_IN_LARGE: u64 = 12_000;

/// The steps of the search for an endless run that go to concrete runs, before loops are looked
/// at one by one: most are found within them.
pub const FIRST_REFUTATION_STEPS: u64 = 100_000;

/// The steps of the runs that are looked at for cycles and traps before all others: most loops
/// that hang do so soon, if the inputs lead there.
pub const SHORT_RUNS: u64 = 500;

/// The steps of the search in these.
pub const SHORT_RUNS_STEPS: u64 = 200_000;

/// The steps that are looked at for cycles of one of them: there are many, and the last cycles
/// come first.
pub const STEPS_OF_CYCLES_IN_SHORT: u64 = 6_000;

/// The steps of the search for endless runs by loops: a step is a walk gone on with, for each
/// of its constraints.
pub const LOOPS_STEPS: u64 = 200_000;

/// The steps of the runs that say what to choose so that a program does not end.
pub const RESTRICTION_RUNS_STEPS: u64 = 80_000;

/// The steps of an attempt to show that a program does not end with such choices.
pub const RESTRICTION_STEPS: u64 = 8_000;

/// The steps of the longest run that is looked at: path conditions grow with runs.
pub const LONGEST_RUN: u64 = 4_000;

/// The steps of a plain run for each command and branch of the program, where it has to come to
/// all loops.
pub const STEPS_EACH: u64 = 40;

/// What the plain runs are given that show which loops can be left.
pub const RUNS_FOR_EXITS: [i128; 4] = [0, 1, -1, 7];

/// The steps of the runs that are looked at if these show too little.
pub const STEPS_FOR_EXITS: u64 = 20_000;

/// The steps of the longest cycle that is looked at: a stem leads to it within one run.
pub const LONGEST_CYCLE: u64 = 2_400;

/// The steps of a short run. These are looked at first: many errors need few rounds of a loop,
/// but the right inputs in each.
pub const SHORT_RUN: u64 = 160;

/// The steps that go to short runs.
pub const SHORT_RUN_STEPS: u64 = 100_000;

/// So many steps that are only run cost as much as one that is looked at.
pub const STEPS_OF_RUN_A_STEP: u64 = 20;

/// So many runs at most read texts that are guessed, each for so many steps or more, and all for so
/// many.
pub const RUNS_WITH_TEXTS: u64 = 6_000;
/// See [`RUNS_WITH_TEXTS`].
pub const STEPS_WITH_TEXTS: u64 = 8_000;
/// See [`RUNS_WITH_TEXTS`].
pub const STEPS_WITH_ALL_TEXTS: u64 = 8_000_000;
/// So many steps a run costs to begin.
pub const STEPS_TO_BEGIN: u64 = 300;
/// So many runs read long texts, each for so many steps: tables are filled by many lines.
pub const RUNS_WITH_LONG_TEXTS: u64 = 32;
/// See [`RUNS_WITH_LONG_TEXTS`].
pub const STEPS_WITH_LONG_TEXTS: u64 = 120_000;

/// The steps of a run that is neither short nor long, and those that go to such runs: most inputs
/// that lead to an error are lines of text.
pub const MIDDLE_RUN: u64 = 800;
/// See [`MIDDLE_RUN`].
pub const MIDDLE_RUN_STEPS: u64 = 250_000;

/// The steps of the search for plainer inputs of a run that makes an error, or never ends.
pub const MINIMISING_STEPS: u64 = 100_000;

/// The steps that are done when memory is lost in one run, to find one that does something
/// worse: that is more use to the reader, but not worth a whole search.
pub const STEPS_BEHIND_LEAK: u64 = 30_000;

/// The candidates for a precondition that are executed: each access that misses memory
/// multiplies them.
pub const MOST_PROBES: usize = 240;

/// The steps of the execution of one candidate: it only goes a few rounds.
pub const PROBE_STEPS: u64 = 3_000;

/// The steps for which it is looked which returns a proof's states lead to.
pub const RETURN_STEPS: u64 = 20_000;

/// The candidates for which a proof is tried, in two rounds: a proof may cost as much as many
/// probes, and the likely ones come first.
pub const MOST_PROOFS: [usize; 2] = [24, 6];

/// The steps of a proof for a candidate by one plan, in two rounds: nearly all that can be
/// proved take few, and there is a second round only where the first found none.
pub const PROOF_STEPS: [u64; 2] = [5_000, 60_000];

/// The effort for which a search for preconditions goes on without a proof: most are found
/// within a tenth of it.
pub const FRUITLESS_EFFORT: u64 = 150_000;

/// The same where a search for another goal of the same function was fruitless.
pub const FRUITLESS_EFFORT_AGAIN: u64 = 30_000;

/// The effort for which it goes on after a proof: it has an answer by then, and what makes the
/// precondition weaker is mostly near.
pub const EXTENSION_EFFORT: u64 = 90_000;

/// The states at one loop before the analysis gives up: each new one is compared with all of
/// them.
pub const MOST_STATES: usize = 160;

/// The entry or exit states of one procedure before it does: they multiply.
pub const MOST_SUMMARIES: usize = 48;

/// The states at one cutpoint before an exact analysis gives up: nothing is joined there, so
/// that each round of a loop makes a state.
pub const MOST_EXACT_STATES: usize = 40;

/// The same where states have no memory, and cost little.
pub const MOST_EXACT_STATES_OF_NUMBERS: usize = 300;

/// The steps of a run of a call on constants: strings are short.
pub const CONSTANT_CALL_STEPS: u64 = 4_000;

/// The goals of one walk of an entailment: rules that make up the same instance in several
/// ways are otherwise tried in all combinations.
pub const MOST_GOALS: usize = 4_000;

/// The goals of finding what one element of an array owns.
pub const MOST_GOALS_OF_ELEMENT: usize = 200;

/// So many elements of a row stay named where program variables are their indices.
pub const MOST_NAMED_ELEMENTS: usize = 3;

/// The units of one search for ranking functions: a part with many edges asks many linear
/// programs.
pub const RANKING_UNITS: u64 = 4_000_000;

/// The units of a division of locations into cells, a question about a step counted with its
/// constraints: more cells make more steps, which are then ranked.
pub const DIVISION_UNITS: u64 = 60_000;

/// The constraints that all queries for transition invariants of a system may look at: this
/// is the last resort, after all rankings.
pub const TRANSITION_INVARIANT_UNITS: u64 = 25_000;
