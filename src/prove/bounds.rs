//! Memory safety of functions by themselves whose callers keep to types: pointers know their
//! bounds ([`ir::slice::bounds`]), and all else is a question about numbers.
//!
//! What types do not say is looked for from the weakest on, where an access is not known to be
//! valid: that a pointer is not null, or leads to so many elements as a number says. Each of these
//! that helps is kept.

use super::by_states;
use base::budget::Budget;
use base::limits::{BOUNDS_STEPS, BOUNDS_STEPS_EACH, MOST_NEEDS, MOST_TRIALS};
use base::source::Span;
use evidence::alarm::{Alarm, AlarmKind};
use evidence::approach::Form;
use heap::shape::ShapeLibrary;
use ir::slice;
use ir::slice::bounds::{Bounded, Check, MemberPlace, Need, Wrong, gives_up, with_bounds};
use ir::slice::relevance::{self, Aim};
use ir::{BinaryOp, Block, Command, Expr, Gap, IntKind, Program, ScalarType, Terminator, Variable};
use obligation::{Callers, ErrorKind, Goal, Obligation};
use simplify::simplify;
use sonar::{Effort, Machine};
use std::collections::BTreeSet;
use verdict::{Reason, Verdict};

/// A proof for calls that keep to types, and to what is found to be needed beside; nothing where
/// the question is another, or there is none.
pub(super) fn prove(
    obligation: &Obligation<'_>,
    library: &ShapeLibrary,
    budget: &Budget,
) -> Option<Verdict> {
    let is_about_memory =
        obligation.goal != Goal::Ends && !obligation.goal.avoids(ErrorKind::ErrorReached);
    if !is_about_memory || obligation.callers != Callers::ByTypes {
        return None;
    }
    let mut search = Search { obligation, library, budget, needs: Vec::new(), trials: 0 };
    search.run()
}

struct Search<'a> {
    obligation: &'a Obligation<'a>,
    library: &'a ShapeLibrary,
    budget: &'a Budget,
    needs: Vec<Need>,
    trials: usize,
}

/// What an attempt comes to.
enum Attempt {
    Proof(Verdict),
    /// Here it is not known that all goes well.
    Fails(BTreeSet<Place>),
    /// There is none, whatever is needed.
    Hopeless,
}

/// What is said of a divisor.
const ZERO: &str = "a divisor that may be zero";

/// Numbers that can be divided by, if not 0 alone is left out, and by which can be shifted.
const RANGES: [(i128, i128); 3] = [(1, i64::MAX as i128), (0, 63), (0, 31)];

/// So many numbers of elements are tried, the smallest first.
const MOST_COUNTS: usize = 16;

/// So many numbers are held against the limits of their types.
const MOST_LIMITS: usize = 4;

/// So many numbers are said to be of a ring.
const MOST_OF_RING: usize = 4;

/// No array that is a member is so long.
const LARGEST_INDEX: i128 = 1 << 16;

/// Where what may go wrong.
type Place = (Span, String);

impl Search<'_> {
    fn run(&mut self) -> Option<Verdict> {
        if gives_up(self.obligation.simplified(simplify)) {
            self.needs.push(Need::Owned);
        }
        let mut open = match self.attempt(&self.needs.clone()) {
            Attempt::Proof(proof) => return Some(proof),
            Attempt::Fails(failures) => failures,
            Attempt::Hopeless => return None,
        };
        while self.needs.len() < MOST_NEEDS {
            match self.mend(&open)? {
                Attempt::Proof(_) if self.reaches_nothing() => return None,
                Attempt::Proof(proof) => return Some(self.with_fewer(proof)),
                Attempt::Fails(failures) => open = failures,
                Attempt::Hopeless => return None,
            }
        }
        None
    }

    /// The same proof, or one without what a later need of the same number made needless, or what was
    /// asked of several at once.
    fn with_fewer(&mut self, mut proof: Verdict) -> Verdict {
        let number = |need: &Need| match *need {
            Need::Elements { count, .. } => Some(count),
            Need::Between(number, ..) => Some(number),
            _ => None,
        };
        for need in self.needs.clone() {
            let same = self.needs.iter().filter(|it| number(it) == number(&need)).count();
            let is_from_zero = matches!(need, Need::Between(_, 0, _));
            if number(&need).is_none() || same < 2 && !is_from_zero {
                continue;
            }
            let fewer: Vec<Need> = self.needs.iter().copied().filter(|it| *it != need).collect();
            if let Attempt::Proof(other) = self.attempt(&fewer) {
                (self.needs, proof) = (fewer, other);
            }
        }
        proof
    }

    /// Keeps the first of what may be needed with which one of these does not go wrong any more:
    /// null first.
    fn mend(&mut self, open: &BTreeSet<Place>) -> Option<Attempt> {
        let program = self.obligation.simplified(simplify);
        let bounded = with_bounds(program, &self.needs)?;
        let mut places: Vec<&Place> = open.iter().collect();
        let is_null =
            |it: &Place| bounded.failures.get(&it.1).is_some_and(|it| it.wrong == Wrong::Null);
        places.sort_by_key(|it| !is_null(it));
        for place in places {
            for more in candidates(&bounded, place) {
                let mut needs = self.needs.clone();
                needs.retain(|known| !more.iter().any(|it| it.implies(*known)));
                needs.extend(more);
                match self.attempt(&needs) {
                    Attempt::Fails(places) if places.contains(place) => {}
                    Attempt::Hopeless => {}
                    other => {
                        self.needs = needs;
                        return Some(other);
                    }
                }
            }
        }
        None
    }

    fn attempt(&mut self, needs: &[Need]) -> Attempt {
        self.trials += 1;
        if self.trials > MOST_TRIALS {
            return Attempt::Hopeless;
        }
        match self.verdict(needs) {
            Some(proof @ Verdict::Proved(_)) => Attempt::Proof(proof),
            Some(Verdict::Unknown(unknown)) if !unknown.is_cut_short() => {
                let failure = |reason: &Reason| match reason {
                    Reason::Alarm(Alarm { span, kind: AlarmKind::DivisionByZero }) => {
                        Some((*span, ZERO.to_owned()))
                    }
                    Reason::Alarm(Alarm { span, kind: AlarmKind::Undefined(what) }) => {
                        Some((*span, what.clone()))
                    }
                    _ => None,
                };
                Attempt::Fails(unknown.reasons.iter().filter_map(failure).collect())
            }
            _ => Attempt::Hopeless,
        }
    }

    /// Whether numbers that are needed keep all calls from what may go wrong: no check at all is
    /// come to then, so that such a proof is one of nothing.
    fn reaches_nothing(&self) -> bool {
        let is_of_number = |it: &Need| matches!(it, Need::Between(..) | Need::NotZero(_));
        let program = self.obligation.simplified(simplify);
        let Some(bounded) = with_bounds(program, &self.needs) else { return false };
        let is_reached = || match self.verdict_of(&failing(bounded.program), &self.needs) {
            // An argument that none is reached would be about another program than the one asked of.
            Some(Verdict::Unknown(it)) => !matches!(it.reasons[..], [Reason::Rejected(_)]),
            _ => true,
        };
        self.needs.iter().any(is_of_number) && !is_reached()
    }

    fn verdict(&self, needs: &[Need]) -> Option<Verdict> {
        let program = self.obligation.simplified(simplify);
        self.verdict_of(&with_bounds(program, needs)?.program, needs)
    }

    /// The verdict on a program with bounds.
    fn verdict_of(&self, bounded: &Program, needs: &[Need]) -> Option<Verdict> {
        let program = self.obligation.simplified(simplify);
        let bounded = simplify(bounded);
        let left_out = relevance::irrelevant(&bounded, &Aim::default())?;
        let sliced = slice::without(&bounded, &left_out.variables);
        let steps = BOUNDS_STEPS_EACH * slice::size(&sliced) as u64;
        let mut steps = self.budget.of_part(steps.clamp(BOUNDS_STEPS[0], BOUNDS_STEPS[1]));
        let slice = (&sliced, Form::Bounds(needs.to_vec()), left_out);
        let machine = Machine::sliced(self.obligation, slice, self.library);
        let machine = machine.with_effort(Effort::Little);
        let machine = match relevance::is_large(program) {
            true => machine.with_long_calls_tabulated(),
            false => machine,
        };
        Some(by_states(&machine, &mut steps))
    }
}

/// The same program where each check fails.
fn failing(mut program: Program) -> Program {
    for procedure in &mut program.procedures {
        let is_end = |block: &Block| {
            let first = block.commands.first().map(|it| &it.command);
            matches!(first, Some(Command::Unsupported { gap: Gap::Undefined, .. }))
        };
        let ends: Vec<bool> = procedure.blocks.iter().map(is_end).collect();
        for block in &mut procedure.blocks {
            if let Terminator::Branch { otherwise, .. } = &block.terminator
                && ends[otherwise.index()]
            {
                block.terminator = Terminator::Goto(*otherwise);
            }
        }
    }
    program
}

/// What may be needed where something may go wrong, as sets of needs: that what comes in is not null,
/// and how far its objects reach.
fn candidates(bounded: &Bounded, (place, what): &Place) -> Vec<Vec<Need>> {
    let each = |needs: Vec<Need>| needs.into_iter().map(|it| vec![it]).collect::<Vec<_>>();
    if what == ZERO {
        let is_number = |it: &Variable| !bounded.strides.contains_key(it);
        let numbers = || bounded.inputs.iter().copied().filter(is_number);
        let ranges = RANGES.iter().flat_map(|(least, most)| {
            numbers().map(|it| Need::Between(it, *least, *most)).collect::<Vec<_>>()
        });
        return each(numbers().map(Need::NotZero).chain(ranges).collect());
    }
    let Some(failure) = bounded.failures.get(what) else { return Vec::new() };
    let is_of_it = |it: &Check| failure.pointer.is_none_or(|pointer| it.pointer == pointer);
    let checks = || bounded.checks.iter().filter(|it| it.span == *place && is_of_it(it));
    let origins = checks().filter_map(|it| bounded.origins.get(&it.pointer)).flatten();
    let inputs: BTreeSet<Variable> = origins.copied().collect();
    let members: BTreeSet<MemberPlace> =
        checks().filter_map(|it| bounded.members.get(&it.pointer)).flatten().copied().collect();
    let objects: Vec<Variable> = inputs.intersection(&bounded.objects).copied().collect();
    let of_offsets = |need: fn(Variable, i128) -> Need, bytes: BTreeSet<i128>| {
        let all = objects.iter().flat_map(|it| bytes.iter().map(move |bytes| need(*it, *bytes)));
        each(all.collect())
    };
    match failure.wrong {
        Wrong::Null => {
            let needs: Vec<Need> = inputs.into_iter().map(Need::NotNull).collect();
            let members: Vec<Need> =
                members.difference(&bounded.tested).copied().map(Need::Member).collect();
            let both = [&needs[..], &members[..]].concat();
            let all = all_of(needs.clone()).into_iter();
            let of_both = (!members.is_empty()).then(|| all_of(both)).flatten();
            // A member that is an array ends where its index is compared with a number.
            let is_outside = needs.is_empty() && members.is_empty();
            let indices = if is_outside { indices(bounded) } else { Vec::new() };
            let single = each(needs).into_iter().chain(all).chain(each(members));
            single.chain(of_both).chain(indices).collect()
        }
        Wrong::Member => each(inputs.into_iter().map(Need::NotNull).collect()),
        Wrong::Start => {
            let before: BTreeSet<i128> =
                checks().filter_map(|it| it.begins).filter(|it| *it < 0).map(|it| -it).collect();
            let numbers = each(from(0, bounded)).into_iter().chain(each(from(1, bounded)));
            let offsets = of_offsets(Need::Before, before).into_iter();
            offsets.chain(numbers).chain(before_limits(bounded)).collect()
        }
        Wrong::End => {
            let is_text = |it: &&Variable| bounded.strides.get(*it).is_none_or(|it| *it <= 1);
            let strings: Vec<Need> =
                objects.iter().filter(is_text).map(|it| Need::String(*it)).collect();
            let strings = Some(strings).filter(|it| !it.is_empty());
            let reaches: BTreeSet<i128> = checks().filter_map(|it| it.reach).collect();
            let found: Vec<Need> =
                objects.iter().flat_map(|it| extents(bounded, *it, &reaches)).collect();
            let counts =
                [0, 1].map(|least| found.iter().filter_map(move |it| counted_from(least, *it)));
            let counts: Vec<Vec<Need>> = counts.into_iter().flatten().collect();
            let extents = each(found).into_iter();
            let ends = checks().filter_map(|it| it.ends).filter(|it| *it > 0).collect();
            let bytes = of_offsets(Need::Bytes, ends);
            let texts: Vec<Need> = members.into_iter().map(Need::MemberString).collect();
            let all = strings.iter().flatten().copied().chain(texts.iter().copied()).collect();
            let of_both = (!texts.is_empty()).then(|| all_of(all)).flatten();
            let single = extents.chain(strings).chain(each(texts)).chain(of_both).chain(bytes);
            single.chain(each(counted(bounded, &objects))).chain(counts).collect()
        }
        Wrong::Gone => owners(bounded),
        Wrong::Overlap => each(pairs(&objects, Need::Disjoint)),
        Wrong::Size => each(from(0, bounded)).into_iter().chain(each(from(1, bounded))).collect(),
        Wrong::Nowhere => Vec::new(),
    }
}

/// Which parameters may have to be the only ones that lead into a block.
fn owners(bounded: &Bounded) -> Vec<Vec<Need>> {
    let open = bounded.program.open.as_ref();
    let parameters = open.map_or(&[][..], |it| &bounded.program.procedure(it.procedure).parameters);
    let pointers: Vec<Variable> =
        parameters.iter().copied().filter(|it| bounded.objects.contains(it)).collect();
    let sole = pointers.iter().map(|it| vec![Need::Sole(*it)]);
    let apart = pairs(&pointers, Need::Apart).into_iter().map(|it| vec![it]);
    sole.chain(apart).collect()
}

/// The same of each two pointers.
fn pairs(pointers: &[Variable], need: fn(Variable, Variable) -> Need) -> Vec<Need> {
    let with_later = pointers.iter().enumerate();
    let of = |(at, one): (usize, &Variable)| {
        pointers[at + 1..].iter().map(|other| need(*one, *other)).collect::<Vec<_>>()
    };
    with_later.flat_map(of).collect()
}

/// All of several needs.
fn all_of(needs: Vec<Need>) -> Option<Vec<Need>> {
    (needs.len() > 1).then_some(needs)
}

/// That a number that comes in is so large at least.
fn from(least: i128, bounded: &Bounded) -> Vec<Need> {
    let numbers = bounded.inputs.iter().filter(|it| !bounded.strides.contains_key(it));
    numbers.map(|it| Need::Between(*it, least, i64::MAX.into())).collect()
}

/// That a signed number that comes in is not the greatest of its type: what counts up to it, and
/// one further, comes round. And that another one, or the same, is not negative.
fn before_limits(bounded: &Bounded) -> Vec<Vec<Need>> {
    let limits = bounded.inputs.iter().filter_map(|it| {
        let ScalarType::Int(IntKind { bits, signed: true }) = bounded.program.variable(*it).ty
        else {
            return None;
        };
        let most = (u32::from(bits) <= i64::BITS).then(|| (1_i128 << (bits - 1)) - 2)?;
        Some(Need::Between(*it, i64::MIN.into(), most))
    });
    let limits: Vec<Need> = limits.take(MOST_LIMITS).collect();
    let with_start = limits.iter().flat_map(|limit| {
        let both = |start: Need| match (*limit, start) {
            (Need::Between(it, _, most), Need::Between(other, least, _)) if it == other => {
                vec![Need::Between(it, least, most)]
            }
            _ => vec![*limit, start],
        };
        from(0, bounded).into_iter().take(MOST_LIMITS).map(both).collect::<Vec<_>>()
    });
    limits.iter().map(|it| vec![*it]).chain(with_start).collect()
}

/// The numbers up to which the program compares others by such operators.
fn compared(bounded: &Bounded, by: fn(BinaryOp) -> bool) -> impl Iterator<Item = i128> + '_ {
    let parts = bounded.program.expressions().flat_map(Expr::parts);
    parts.filter_map(move |part| match part {
        Expr::Binary(op, _, right) if by(*op) => match (op, &**right) {
            (BinaryOp::Less | BinaryOp::GreaterEqual, Expr::Constant(end)) => end.checked_sub(1),
            (_, Expr::Constant(most)) => Some(*most),
            _ => None,
        },
        _ => None,
    })
}

/// How many bytes behind a pointer may be accessed by an index that is compared with a number of the
/// program: so many elements, or one more.
fn counted(bounded: &Bounded, objects: &[Variable]) -> Vec<Need> {
    let is_order = |op| {
        use BinaryOp::{Greater, GreaterEqual, Less, LessEqual};
        matches!(op, Less | LessEqual | Greater | GreaterEqual)
    };
    let counts: BTreeSet<i128> = compared(bounded, is_order)
        .flat_map(|it| [it + 1, it + 2])
        .filter(|it| (2..=LARGEST_INDEX).contains(it))
        .collect();
    let of = |pointer: &Variable| {
        let (pointer, own) = (*pointer, bounded.strides.get(pointer).copied().unwrap_or(1).max(1));
        let counts = counts.iter().take(MOST_COUNTS);
        counts.map(move |it| Need::Bytes(pointer, own * it)).collect::<Vec<_>>()
    };
    objects.iter().flat_map(of).collect()
}

/// The ranges of numbers that come in which may be indices of an array: from 0 on, up to what the
/// program compares with, the widest first. Two values are too few: loops would hardly run.
fn indices(bounded: &Bounded) -> Vec<Vec<Need>> {
    let is_end = |op| matches!(op, BinaryOp::LessEqual);
    let bounds: BTreeSet<i128> =
        compared(bounded, is_end).filter(|it| (2..LARGEST_INDEX).contains(it)).collect();
    let numbers = from(0, bounded);
    let up_to = bounds.into_iter().rev().flat_map(|most| {
        let numbers = numbers.iter().filter_map(|it| it.about());
        numbers.map(move |it| vec![Need::Between(it, 0, most)]).collect::<Vec<_>>()
    });
    numbers.iter().map(|it| vec![*it]).chain(up_to).chain(rings(bounded)).collect()
}

/// That all numbers that come in are indices or counts of a ring: from 0 up to what the program
/// divides by. What is needless of it is left out later.
fn rings(bounded: &Bounded) -> Vec<Vec<Need>> {
    let parts = bounded.program.expressions().flat_map(Expr::parts);
    let divisors = parts.filter_map(|part| match part {
        Expr::Binary(BinaryOp::Remainder, _, right) => match **right {
            Expr::Constant(divisor) => Some(divisor),
            _ => None,
        },
        _ => None,
    });
    let ends: BTreeSet<i128> = divisors.filter(|it| (2..LARGEST_INDEX).contains(it)).collect();
    let numbers: Vec<Variable> = from(0, bounded).iter().filter_map(|it| it.about()).collect();
    let all = |most: i128| numbers.iter().map(|it| Need::Between(*it, 0, most)).collect();
    let is_ring = (2..=MOST_OF_RING).contains(&numbers.len());
    ends.into_iter().filter(|_| is_ring).map(all).collect()
}

/// The same where there are so many at least: a size must not be negative, and what runs up to
/// `n - 1` asks for one.
fn counted_from(least: i128, extent: Need) -> Option<Vec<Need>> {
    match extent {
        Need::Elements { count, more: 0, .. } => {
            Some(vec![extent, Need::Between(count, least, i64::MAX.into())])
        }
        _ => None,
    }
}

/// How far the object of a pointer may have to reach, if accesses end so many bytes behind multiples
/// of a number.
fn extents(bounded: &Bounded, pointer: Variable, reaches: &BTreeSet<i128>) -> Vec<Need> {
    let own = bounded.strides.get(&pointer).copied().unwrap_or(0);
    let others = || bounded.inputs.iter().copied().filter(|it| *it != pointer);
    let is_pointer = |it: &Variable| bounded.strides.contains_key(it);
    let ends = others().filter(|it| bounded.compared.contains(&(pointer, *it)));
    let mut found: Vec<Need> = ends.map(|end| Need::Until { pointer, end }).collect();
    let mut strides = if own > 1 { vec![own, 1] } else { vec![1] };
    let multiples = bounded.factors.iter().filter_map(|it| it.checked_mul(own.max(1)));
    for stride in multiples.chain(bounded.distances.iter().copied()) {
        if !strides.contains(&stride) {
            strides.push(stride);
        }
    }
    for stride in strides {
        let mut more = vec![0, own.max(1)];
        more.extend(reaches.iter().flat_map(|reach| [reach - stride, *reach]));
        let mut known = BTreeSet::new();
        for more in more.into_iter().filter(|it| *it >= 0 && known.insert(*it)) {
            let numbers = others().filter(|it| !is_pointer(it));
            found.extend(numbers.map(|count| Need::Elements { pointer, stride, count, more }));
        }
    }
    found
}
