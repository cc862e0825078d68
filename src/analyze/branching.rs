//! Questions of branching time. Where a program has one initial state, what connects formulas
//! there is decided first; of each that is left, it or its negation is to be shown by a game.

mod guides;
mod strategies;

use self::strategies::{Part, parts, strategies};
use super::temporal::{unreadable, with_appendix};
use super::{Origin, Subject};
use base::budget::Budget;
use c::{self, Appendix, Options, Parsed};
use heap::shape::ShapeLibrary;
use ir::semantics::IntModel;
use ir::{BlockId, Callee, Command, InitialContent, ProcedureId, Program};
use obligation::{Goal, Obligation};
use prove::{prove, prove_at_once, prove_beside};
use question::Question;
use reduce::ctl::strategy::{Choices, Strategy, Victory};
use reduce::ctl::{Branching, States, branching};
use reduce::instrument::Instrumented;
use reduce::integers::{Answered, Asked, answer, readings};
use reduce::{Combination, Implication, Truth};
use report::codes::VIOLATED;
use report::{Answer, Cause, Evidence, Finding};
use std::cell::Cell;
use temporal::formula::{Formula, FormulaId};
use verdict::{Reason, Verdict};

/// More strategies than this are not tried for a formula.
const MOST_STRATEGIES: usize = 160;
/// The steps of the last proof for the simplest strategies, by all plans.
const STRATEGY_STEPS: u64 = 20_000;
/// The turns of strategies: how many have each, as long as their proofs were cut short, and at
/// least how many steps it has.
const TURNS: [(usize, u64); 3] = [(MOST_STRATEGIES, 0), (40, 20_000), (10, LONGEST_TURN)];
/// The steps of the longest turn, which the simplest strategies have at once.
const LONGEST_TURN: u64 = 150_000;
/// The effort for which games go on.
const GAMES_EFFORT: u64 = 2_000_000;
/// So many strategies are tried by all means: one for each side early, the others in the end.
const SIMPLEST: usize = 8;
/// So many of the others are tried soon, if the formula speaks of all paths.
const UNIVERSAL: usize = 2;
/// So many strategies have a turn before those before them have their next one.
const BATCH: usize = 10;

impl Subject {
    /// Whether a formula of branching time holds of the program.
    pub(super) fn ctl(
        &self,
        question: &Question,
        formula: &str,
        library: &ShapeLibrary,
        budget: &Budget,
    ) -> Result<Finding, Reason> {
        let mut branching = branching(formula).map_err(|error| {
            Reason::NotBuilt(format!("this formula, byte {}: {}", error.start + 1, error.message))
        })?;
        let parsed;
        let text = match &self.origin {
            Origin::C { parsed: own, .. } => {
                parsed = with_appendix(own, of_formula(&branching))
                    .map_err(|rejection| unreadable("formula", &rejection))?;
                Text::C(&parsed)
            }
            Origin::System { locations, .. } => {
                let program = self.program.as_ref().map_err(Clone::clone)?;
                if locations.is_empty() {
                    let what = "formulas of branching time about goto programs";
                    return Err(Reason::NotBuilt(what.to_owned()));
                }
                let system = branching.system(program).map_err(Reason::NotBuilt)?;
                Text::System(Box::new(system), locations)
            }
        };
        let root = branching.root;
        // The formula may speak of memory that the program itself does not mention.
        let starts = match text {
            Text::C(parsed) => c::compile_parsed(parsed, &self.options)
                .map_or(Starts::InSeveral, |it| starts(&it.program, self.main())),
            Text::System(..) => Starts::InSeveral,
        };
        let judge = Judge {
            subject: self,
            question,
            text,
            starts,
            is_by_choices: Cell::new(false),
            library,
            budget,
        };
        judge.decide(&mut branching, root).map(|judged| judged.finding)
    }

    fn main(&self) -> &str {
        self.options.entry.as_deref().unwrap_or("main")
    }
}

/// A program with the propositions of a formula.
enum Text<'a> {
    /// As C files.
    C(&'a Parsed),
    /// As a transition system, with its locations.
    System(Box<Program>, &'a [BlockId]),
}

/// The C text of a formula.
pub(super) fn of_formula(branching: &Branching) -> Appendix {
    Appendix { text: branching.appendix(), roots: branching.roots(), hooks: Vec::new() }
}

/// How many initial states a program has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Starts {
    /// One.
    InOneState,
    /// More, perhaps.
    InSeveral,
}

/// Whether all that is there before the function `main` of a C program has one value, and that is
/// given nothing.
fn starts(program: &Program, main: &str) -> Starts {
    let is_main = |it: ProcedureId| program.procedure(it).name == main;
    let before = &program.procedure(program.entry).blocks;
    let mut commands = before.iter().flat_map(|block| &block.commands);
    let is_fixed = commands.all(|instruction| match &instruction.command {
        Command::Havoc { .. } | Command::Allocate { content: InitialContent::Arbitrary, .. } => {
            false
        }
        Command::Call { callee: Callee::Direct(callee), arguments, .. } => {
            is_main(*callee) && arguments.is_empty()
        }
        Command::Call { .. } => false,
        _ => true,
    });
    if is_fixed && !is_main(program.entry) { Starts::InOneState } else { Starts::InSeveral }
}

/// What is judged, and with what.
struct Judge<'a> {
    subject: &'a Subject,
    question: &'a Question,
    text: Text<'a>,
    starts: Starts,
    /// Whether a game was won only because states behind inputs count.
    is_by_choices: Cell<bool>,
    library: &'a ShapeLibrary,
    budget: &'a Budget,
}

/// What is shown of a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// That it holds.
    Formula,
    /// That its negation does.
    Negation,
}

/// Whether a formula holds in the initial state, if that is known, and why.
struct Judged {
    holds: Option<bool>,
    finding: Finding,
}

/// How long a game is played.
#[derive(Clone, Copy)]
enum Patience {
    /// With the steps of a first attempt at a proof, or so many.
    Steps(u64),
    /// By all means.
    All,
}

/// How a game ended.
enum Played {
    /// With a proof.
    Won(Box<Judged>),
    /// There were too few steps to tell.
    Open,
    /// Not with a proof.
    Lost,
}

impl Judge<'_> {
    fn decide(&self, branching: &mut Branching, id: FormulaId) -> Result<Judged, Reason> {
        let whole = self.combination(branching, id);
        let (_, judged) = whole.decided(&mut |part| {
            let judged = self.show(branching, *part)?;
            let truth = match judged.holds {
                Some(true) => Truth::Holds,
                Some(false) => Truth::Fails,
                None => Truth::Open,
            };
            Ok((truth, judged))
        })?;
        let nothing = || self.subject.unknown(self.question, Vec::new());
        Ok(judged.unwrap_or_else(|| Judged { holds: None, finding: nothing() }))
    }

    /// The parts of a formula that are shown each by itself.
    fn combination(&self, branching: &Branching, id: FormulaId) -> Combination<FormulaId> {
        let parts = |left, right| [left, right].map(|it| self.combination(branching, it)).to_vec();
        match branching.table.get(id) {
            _ if branching.table.is_propositional(id) => {}
            Formula::And(left, right) => return Combination::All(parts(left, right)),
            // What holds of some initial states and what holds of the others need not be one part.
            Formula::Or(left, right) if self.starts == Starts::InOneState => {
                return Combination::Any(parts(left, right));
            }
            _ => {}
        }
        Combination::Ask(id, Implication::Equivalent)
    }

    /// Shows a formula, or its negation.
    fn show(&self, branching: &mut Branching, id: FormulaId) -> Result<Judged, Reason> {
        let negation = branching.table.negation(id);
        let sides = [(id, Side::Formula), (negation, Side::Negation)];
        let mut first_unknown = None;
        for (id, side) in sides {
            if branching.is_forced(id) {
                let judged = self.forced(branching, id, side)?;
                if judged.holds.is_some() {
                    return Ok(judged);
                }
                first_unknown = first_unknown.or(Some(judged));
            }
        }
        let open = sides.into_iter().filter(|(id, _)| !branching.is_forced(*id));
        let mut open: Vec<(FormulaId, Side)> = open.collect();
        if self.starts == Starts::InSeveral && branching.is_forced(negation) {
            // To fail in one initial state is to fail, if a run begins there.
            let some_run = branching.table.some_run();
            open.push((branching.table.and(negation, some_run), Side::Negation));
        }
        let mut games = Vec::new();
        for (id, side) in open {
            games.push(self.games(branching, id, side)?);
        }
        if let Some(judged) = self.play_in_turns(branching, &games)? {
            return Ok(judged);
        }
        match first_unknown {
            Some(judged) => Ok(judged),
            None => {
                let what = match self.is_by_choices.get() {
                    true => {
                        "this formula: whether it holds depends on whether a state counts in \
                        which an input was read, and nothing else has changed"
                    }
                    false => "this formula: no strategy was found that shows it or its negation",
                };
                Err(Reason::NotBuilt(what.to_owned()))
            }
        }
    }

    /// Plays games: most that are won are won at once, and those that may be after all come
    /// again with more steps. In the end the simplest strategies are tried by all means.
    fn play_in_turns(
        &self,
        branching: &Branching,
        games: &[Games],
    ) -> Result<Option<Judged>, Reason> {
        let in_round = |round: usize| {
            let strategy = move |it: &'_ Games| it.strategies.get(round).cloned();
            games.iter().filter_map(move |games| Some((games, strategy(games)?)))
        };
        let all: Vec<(&Games, Strategy)> = (0..MOST_STRATEGIES).flat_map(in_round).collect();
        let mut batches: Vec<Vec<_>> = all.chunks(BATCH).map(<[_]>::to_vec).collect();
        let mut left = TURNS.map(|(most, _)| most);
        let first: Vec<_> = all.iter().take(SIMPLEST).cloned().collect();
        let (simplest, others) = first.split_at(games.len().min(first.len()));
        let is_universal = |it: &&(&Games, Strategy)| !branching.is_existential(it.0.id);
        let universal: Vec<_> =
            others.iter().filter(is_universal).take(UNIVERSAL).cloned().collect();
        let by_all_means = |chosen: &[(&Games, Strategy)]| {
            for (games, strategy) in chosen {
                if let Played::Won(judged) = self.play(branching, games, strategy, Patience::All)? {
                    return Ok(Some(*judged));
                }
            }
            Ok(None)
        };
        let effort_before = self.budget.effort();
        for round in 0..batches.len() + TURNS.len() {
            if round == 1 {
                for (games, strategy) in simplest {
                    let long = Patience::Steps(LONGEST_TURN);
                    if let Played::Won(judged) = self.play(branching, games, strategy, long)? {
                        return Ok(Some(*judged));
                    }
                }
                if let Some(judged) = by_all_means(simplest)? {
                    return Ok(Some(judged));
                }
                if let Some(judged) = self.play_guided(branching, games)? {
                    return Ok(Some(judged));
                }
            }
            if round == 2
                && let Some(judged) = by_all_means(&universal)?
            {
                return Ok(Some(judged));
            }
            if self.budget.effort() - effort_before > GAMES_EFFORT {
                break;
            }
            for (turn, (_, n_steps)) in TURNS.into_iter().enumerate() {
                let batch = round.checked_sub(turn).and_then(|it| batches.get_mut(it));
                let Some(batch) = batch else { continue };
                for (games, strategy) in std::mem::take(batch) {
                    if left[turn] == 0 {
                        break;
                    }
                    left[turn] -= 1;
                    match self.play(branching, games, &strategy, Patience::Steps(n_steps))? {
                        Played::Won(judged) => return Ok(Some(*judged)),
                        Played::Open => batch.push((games, strategy)),
                        Played::Lost => {}
                    }
                }
            }
        }
        by_all_means(others)
    }

    /// A formula that leaves nothing to us holds if and only if the game has no fair run.
    fn forced(&self, branching: &Branching, id: FormulaId, side: Side) -> Result<Judged, Reason> {
        let proofs = readings(Goal::Ends, self.subject.options.int_model)[0].model;
        let program = self.program(proofs)?;
        if Branching::may_break_off(&program) {
            // Most games are won though the adversary has it easier than it should.
            let at_once = Games { id, side, program, strategies: Vec::new() };
            let simple = Strategy::default();
            if let Played::Won(judged) = self.play(branching, &at_once, &simple, Patience::All)? {
                return Ok(*judged);
            }
        }
        let silent = Strategy { victory: Victory::InTheEnd, ..Strategy::default() };
        let weave = |program| branching.game(id, &silent, program, self.states());
        let [proofs, _] = readings(Goal::Ends, self.subject.options.int_model);
        let Instrumented { program, fairness } =
            weave(self.program(proofs.model)?).map_err(Reason::NotBuilt)?;
        let obligation = Obligation::new(&program, Goal::Ends).under(fairness);
        match self.text {
            Text::C(parsed) => {
                let asked = Asked::of(parsed, &self.subject.options).through(&weave);
                let answered = answer(&obligation, &asked, self.library, self.budget);
                Ok(self.decided(branching, side, &answered))
            }
            Text::System(..) => {
                let verdict = prove(&obligation, self.library, self.budget);
                Ok(self.decided(branching, side, &Answered::of(verdict, &program)))
            }
        }
    }

    /// What the answer to a game that leaves nothing to us decides.
    fn decided(&self, branching: &Branching, side: Side, answered: &Answered<'_>) -> Judged {
        let holds = match answered.verdict {
            Verdict::Proved(_) => self.proved(branching, side, answered.program),
            // A run from one of several initial states says nothing of the others.
            Verdict::Refuted(_) if side == Side::Formula => Some(false),
            Verdict::Refuted(_) => (self.starts == Starts::InOneState).then_some(true),
            Verdict::Violated(_) | Verdict::Unknown(_) => None,
        };
        self.judged(holds, answered)
    }

    /// Whether the formula holds where it, or its negation, was proved of the runs in which all
    /// propositions have values. Where one has none, neither holds.
    fn proved(&self, branching: &Branching, side: Side, program: &Program) -> Option<bool> {
        match side {
            Side::Formula => Some(true),
            Side::Negation => branching.is_defined(program).then_some(false),
        }
    }

    fn states(&self) -> States<'_> {
        match self.text {
            Text::C(_) => States::Throughout(self.subject.main()),
            Text::System(_, locations) => States::At(locations),
        }
    }

    /// The games for a formula that leaves something to us.
    fn games(&self, branching: &Branching, id: FormulaId, side: Side) -> Result<Games, Reason> {
        let [proofs, runs] = readings(Goal::Ends, self.subject.options.int_model);
        // A run that is to be there must not overflow.
        let is_existential = branching.is_existential(id);
        let model = if is_existential { runs.model } else { proofs.model };
        let program = self.program(model)?;
        let moments = branching.moments(id, program.clone(), self.states());
        let moments = moments.map_err(Reason::NotBuilt)?;
        let mut parts = parts(branching, id);
        // To fail in one initial state is to fail.
        if side == Side::Negation && is_existential && self.starts == Starts::InSeveral {
            parts.push(Part::Start);
        }
        let strategies = strategies(&parts, &program, &moments);
        Ok(Games { id, side, program, strategies })
    }

    /// Plays a game. It is won only if it is also won without the states behind inputs: what a
    /// state is where nothing has changed that the formula speaks of is not for us to say.
    fn play(
        &self,
        branching: &Branching,
        games: &Games,
        strategy: &Strategy,
        patience: Patience,
    ) -> Result<Played, Reason> {
        let game = |strategy: &Strategy| {
            let game = branching.game(games.id, strategy, games.program.clone(), self.states());
            game.map_err(Reason::NotBuilt)
        };
        let Instrumented { program, fairness } = game(strategy)?;
        let verdict =
            self.proof_of(&Obligation::new(&program, Goal::Ends).under(fairness), patience);
        match &verdict {
            Verdict::Proved(_) => {
                let without = Strategy { choices: Choices::DoNotCount, ..strategy.clone() };
                let again = game(&without)?;
                if Branching::passes_over_choices(&again.program) {
                    let obligation = Obligation::new(&again.program, Goal::Ends);
                    let verdict = self.proof_of(&obligation.under(again.fairness), patience);
                    if !matches!(verdict, Verdict::Proved(_)) {
                        self.is_by_choices.set(true);
                        return Ok(Played::Lost);
                    }
                }
                let holds = match branching.is_existential(games.id) {
                    // There, what has no value is lost.
                    true => Some(games.side == Side::Formula),
                    false => self.proved(branching, games.side, &program),
                };
                if holds.is_none() {
                    return Ok(Played::Lost);
                }
                let answered = Answered::of(verdict, &program).meaning(Implication::Sound);
                Ok(Played::Won(Box::new(self.judged(holds, &answered))))
            }
            Verdict::Unknown(unknown) if unknown.is_cut_short() => Ok(Played::Open),
            _ => Ok(Played::Lost),
        }
    }

    /// A proof that a game is won, or why there is none.
    fn proof_of(&self, obligation: &Obligation<'_>, patience: Patience) -> Verdict {
        match patience {
            Patience::Steps(n_steps) => {
                prove_at_once(obligation, self.library, (self.budget, n_steps))
            }
            Patience::All => {
                let steps = self.budget.of_part(STRATEGY_STEPS);
                prove_beside(&|_: &Budget, _: &[_]| None, obligation, self.library, &steps).0
            }
        }
    }

    fn program(&self, model: IntModel) -> Result<Program, Reason> {
        let parsed = match &self.text {
            Text::C(parsed) => parsed,
            Text::System(program, _) => return Ok(Program::clone(program)),
        };
        let options = Options { int_model: model, ..self.subject.options.clone() };
        let compiled = c::compile_parsed(parsed, &options)
            .map_err(|rejection| unreadable(self.question.name(), &rejection))?;
        if compiled.program.open.is_some() {
            let what = "`ctl` of functions that are analysed by themselves";
            return Err(Reason::NotBuilt(what.to_owned()));
        }
        Ok(compiled.program)
    }

    fn judged(&self, holds: Option<bool>, answered: &Answered<'_>) -> Judged {
        let finding = self.subject.finding(self.question, answered, self.library);
        let asked = self.question.argument().unwrap_or_default();
        let entry = &finding.entry;
        let evidence = finding.evidence.clone().unwrap_or_default();
        let finding = match holds {
            None if finding.answer == Answer::Unknown => finding,
            None => {
                let what = "this formula: it holds from some of the initial states";
                let reason = Reason::NotBuilt(what.to_owned());
                let cause = Cause::of_reason(&reason, &answered.program.sources);
                self.subject.unknown(self.question, vec![cause])
            }
            Some(true) => Finding {
                answer: Answer::Proved,
                reason: format!("`{asked}` holds of `{entry}`"),
                causes: Vec::new(),
                evidence: Some(evidence),
                test_case: None,
                ..finding
            },
            Some(false) => Finding {
                answer: Answer::Refuted,
                reason: format!("`{asked}` does not hold of `{entry}`"),
                causes: vec![why_not(&finding, asked)],
                evidence: Some(Evidence { claims: Vec::new(), ..evidence }),
                subproperty: None,
                test_case: None,
                ..finding
            },
        };
        Judged { holds, finding }
    }
}

/// Games for a formula: a proof that one of them is won decides.
struct Games {
    id: FormulaId,
    /// What it is to the formula that is judged.
    side: Side,
    program: Program,
    strategies: Vec<Strategy>,
}

/// Why a formula does not hold, in a sentence.
fn why_not(finding: &Finding, asked: &str) -> Cause {
    let found = finding.causes.first().filter(|_| finding.answer == Answer::Refuted);
    let location = found.and_then(|cause| cause.location.clone());
    let message = match &location {
        Some(_) => format!("a run that goes on for ever here shows that `{asked}` does not hold"),
        None if found.is_some() => {
            format!("the program ends, and that shows that `{asked}` does not hold")
        }
        None => format!("the negation of `{asked}` was proved"),
    };
    Cause { code: VIOLATED, message, location }
}
