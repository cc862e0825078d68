//! Texts that led a run to something new, and others that are made of them.
//!
//! A command that a program understands takes it where it was not; what more commands do is seen
//! only in runs that give it those. So what leads somewhere new is kept and changed (Zalewski,
//! *American fuzzy lop*), line by line.

use super::random::Random;
use super::script::Script;
use super::{Texts, Words};
use base::limits::STEPS_WITH_TEXTS;
use concrete::state::State;
use ir::{BlockId, ProcedureId};
use std::collections::{BTreeMap, HashMap};

/// Before anything is changed, so many texts are guessed; later, one of so many is.
const FIRST_GUESSES: u64 = 64;
const TURNS_A_GUESS: u64 = 4;

/// So many times the steps of the shortest run others may take more.
const STEPS_OF_LEAST: u64 = 4;

/// From a block to another one, perhaps of another procedure.
type Way = [(ProcedureId, BlockId); 2];

/// What runs were seen to do, and what they read.
pub struct Learnt<'a> {
    words: &'a Words,
    random: Random,
    n_runs: u64,
    /// What led a run on a way that none had taken, and what took one more often.
    kept: [Vec<Script>; 2],
    /// How often a way was taken in one run, at most, by its number of binary digits.
    most: HashMap<Way, u32>,
    /// How often it was taken in the present run.
    taken: BTreeMap<Way, u64>,
    before: Option<(ProcedureId, BlockId)>,
    /// The steps of the present run, and the least that one took.
    n_steps: u64,
    least: Option<u64>,
}

impl<'a> Learnt<'a> {
    /// Nothing was seen yet of a program that knows these words.
    #[must_use]
    pub fn new(words: &'a Words) -> Self {
        Self {
            words,
            random: Random::new(0),
            n_runs: 0,
            kept: [Vec::new(), Vec::new()],
            most: HashMap::new(),
            taken: BTreeMap::new(),
            before: None,
            n_steps: 0,
            least: None,
        }
    }

    /// What the next run reads.
    pub fn next_texts(&mut self) -> Texts<'a> {
        let seed = self.n_runs;
        self.n_runs += 1;
        let is_guess = seed < FIRST_GUESSES || seed.is_multiple_of(TURNS_A_GUESS);
        if is_guess {
            return Texts::new(self.words, seed);
        }
        let (Some(of), Some(other)) = (self.one_of_the_kept(), self.one_of_the_kept()) else {
            return Texts::new(self.words, seed);
        };
        let script = of.changed(&other, self.words, &mut self.random);
        Texts::following(self.words, seed, script)
    }

    /// What came last has come farthest; what is short can be made into most.
    fn one_of_the_kept(&mut self) -> Option<Script> {
        let Self { random, kept: [new, more], .. } = self;
        let kept = if more.is_empty() || random.below(4) > 0 { new } else { more };
        let mut some = || kept.get(random.position(kept.len()));
        let (first, second, third) = (some()?, some()?, some()?);
        let chosen = match random.below(4) {
            0 => kept.last()?,
            1 => first,
            _ => [first, second, third].into_iter().min_by_key(|it| it.length())?,
        };
        Some(chosen.clone())
    }

    /// The most steps of a run that says something: some programs do much before they read.
    #[must_use]
    pub fn most_steps(&self) -> u64 {
        let least = self.least.unwrap_or(0).min(STEPS_WITH_TEXTS);
        STEPS_WITH_TEXTS + STEPS_OF_LEAST * least
    }

    /// Notes where a run is.
    pub fn watch(&mut self, state: &State) {
        self.n_steps += 1;
        let Some(at) = state.location().filter(|it| it.command == 0) else { return };
        let here = (at.procedure, at.block);
        if let Some(before) = self.before.replace(here) {
            *self.taken.entry([before, here]).or_default() += 1;
        }
    }

    /// Notes that the run that was watched ends, and what it had read. Gives the number of its steps.
    pub fn end(&mut self, texts: &Texts<'_>) -> u64 {
        self.before = None;
        let (mut is_new, mut is_more) = (false, false);
        for (way, times) in std::mem::take(&mut self.taken) {
            let digits = u64::BITS - times.leading_zeros();
            let most = self.most.entry(way).or_default();
            is_new |= *most == 0;
            is_more |= digits > *most;
            *most = digits.max(*most);
        }
        if is_more && !texts.given.is_empty() {
            self.kept[usize::from(!is_new)].push(texts.given.clone());
        }
        let n_steps = std::mem::take(&mut self.n_steps);
        self.least = Some(self.least.map_or(n_steps, |it| it.min(n_steps)));
        n_steps
    }
}

#[cfg(test)]
mod tests {
    use super::{Learnt, STEPS_WITH_TEXTS, Texts, Words};
    use concrete::Outcome;
    use concrete::interpreter::Interpreter;
    use concrete::state::State;
    use ir::Program;

    /// Counts lines `p` and `q` that take turns; with any other one it begins anew.
    const ASKS: &str = "procedure main() { local c: i32 local at: i32
        b0: at := 0 goto b1
        b1: c := input \"getchar\" if c == -1 goto b8 else b9
        b9: if c == 10 goto b1 else b2
        b2: if c == 112 goto b3 else b4
        b3: if at % 2 == 0 goto b6 else b0
        b4: if c == 113 goto b5 else b0
        b5: if at % 2 == 1 goto b6 else b0
        b6: at := at + 1 if at > 11 goto b7 else b1
        b7: error \"here\" return
        b8: return }
        entry main";

    /// The end of a run that reads such texts; each of its states is shown.
    fn end_of<'w>(
        program: &Program,
        mut texts: Texts<'w>,
        watch: &mut dyn FnMut(&State),
    ) -> (Outcome, Texts<'w>) {
        let interpreter = Interpreter::new(program);
        let (mut state, mut outcome) = (interpreter.initial(), Outcome::Running);
        for _ in 0..STEPS_WITH_TEXTS {
            watch(&state);
            outcome = interpreter.step(&mut state, &mut texts);
            if outcome != Outcome::Running {
                break;
            }
        }
        (outcome, texts)
    }

    #[test]
    fn what_leads_on_is_changed_until_it_leads_there() {
        let program = ir::text::parse("asks.goto", ASKS).unwrap().program;
        let words = Words::of(&program).unwrap();
        let is_there = |it: &Outcome| matches!(it, Outcome::ReachedError { .. });
        let mut learnt = Learnt::new(&words);
        let found = (0..2_000).any(|_| {
            let texts = learnt.next_texts();
            let (outcome, texts) = end_of(&program, texts, &mut |state| learnt.watch(state));
            assert!(learnt.end(&texts) <= STEPS_WITH_TEXTS);
            is_there(&outcome)
        });
        assert!(found, "{:?}", learnt.kept.each_ref().map(Vec::len));
        let guessed = (0..2_000)
            .any(|seed| is_there(&end_of(&program, Texts::new(&words, seed), &mut |_| ()).0));
        assert!(!guessed, "guesses alone do not lead there");
    }
}
