//! What a proof that runs end takes for granted of places in the program: that what happens there
//! is defined. Memory safety says of each place whether that is so.

use super::codes::CALLERS;
use super::{Answer, Cause, Finding, Location};
use base::source::Span;
use evidence::alarm::{Alarm, AlarmKind};
use evidence::approach::Form;
use evidence::certificate::Certificate;
use ir::{BinaryOp, Command, Expr, Gap, Instruction, ProcedureId, Program, Variable};
use question::Question;
use std::collections::{BTreeMap, BTreeSet};

/// So many places are listed for a person; other formats have them all.
const MAX_SHOWN: usize = 8;

/// What a proof takes for granted of places.
#[must_use]
pub fn of_certificate(certificate: &Certificate, program: &Program) -> Vec<Cause> {
    let cause = |alarm: &Alarm| Cause {
        code: alarm.kind.code(),
        message: granted(&alarm.kind),
        location: Some(of_users(Location::of_span(alarm.span, &program.sources))),
    };
    let callers = match certificate.approach.form {
        Form::Bounds(_) => of_callers(program),
        Form::Written | Form::Simplified | Form::Numbers(..) => Vec::new(),
    };
    let begun = Begun::of(program);
    let assumed = certificate.assumes.iter().filter(|it| !begun.is_all_at(it.span));
    assumed.map(cause).chain(callers).collect()
}

/// The places where nothing is done but to put first values into objects that live as long as the
/// program: these are valid whatever happens, and none of the program's accesses.
struct Begun {
    places: BTreeSet<Span>,
}

impl Begun {
    fn of(program: &Program) -> Self {
        let (mut sizes, mut places, mut others) =
            (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        for (index, procedure) in program.procedures.iter().enumerate() {
            let is_entry = ProcedureId::at(index) == program.entry;
            for Instruction { command, span } in procedure.blocks.iter().flat_map(|it| &it.commands)
            {
                let is_first = match command {
                    Command::Allocate { target, size: Expr::Constant(size), .. } => {
                        sizes.insert(*target, *size);
                        is_entry
                    }
                    Command::Store { address, ty, .. } => {
                        let end = i128::from(ty.bytes(program.pointer_bytes));
                        let fits = |(block, at): (Variable, i128)| {
                            sizes.get(&block).is_some_and(|size| at >= 0 && at + end <= *size)
                        };
                        is_entry && place_in_block(address).is_some_and(fits)
                    }
                    Command::Assign { .. } | Command::Havoc { .. } => continue,
                    _ => false,
                };
                if is_first { &mut places } else { &mut others }.insert(*span);
            }
        }
        Self { places: places.difference(&others).copied().collect() }
    }

    fn is_all_at(&self, span: Span) -> bool {
        self.places.contains(&span)
    }
}

/// The variable and the bytes behind it that an address is.
fn place_in_block(address: &Expr) -> Option<(Variable, i128)> {
    match address {
        Expr::Variable(block) => Some((*block, 0)),
        Expr::Binary(BinaryOp::Add, block, bytes) => match (&**block, &**bytes) {
            (Expr::Variable(block), Expr::Constant(bytes)) => Some((*block, *bytes)),
            _ => None,
        },
        _ => None,
    }
}

/// A place as users see it: they have no lines of what wane brings along.
fn of_users(place: Location) -> Location {
    if place.file.starts_with('<') { Location::of_file(&place.file) } else { place }
}

/// That callers keep to types, and others to what the locks are for that they share.
fn of_callers(program: &Program) -> Vec<Cause> {
    let at = |span| Some(Location::of_span(span, &program.sources));
    let entry = program.open.as_ref().map(|open| program.procedure(open.procedure).span);
    let types = Cause { code: CALLERS, message: KEPT.to_owned(), location: entry.and_then(at) };
    let commands = program.blocks().flat_map(|it| &it.commands);
    let locks = commands.filter_map(|Instruction { command, span }| match command {
        Command::Unsupported { gap: Gap::Granted(grant), .. } => Some(Cause {
            code: AlarmKind::Granted(*grant).code(),
            message: grant.what().to_owned(),
            location: at(*span),
        }),
        _ => None,
    });
    std::iter::once(types).chain(locks).collect()
}

/// What callers keep to.
const KEPT: &str = "pointers that come in, and those behind them, are null or point at live objects \
                    of their types, and memory that is there stays the callers' to free";

/// The opposite of what an alarm says, as a clause of a sentence.
fn granted(kind: &AlarmKind) -> String {
    let clause = match kind {
        AlarmKind::NullDereference => "this pointer is not null",
        AlarmKind::WildDereference => "this pointer points at a live object",
        AlarmKind::OutOfBounds => "this access is in bounds",
        AlarmKind::ConstantWrite => "the object written here is no constant",
        AlarmKind::InvalidFree => "what is freed here is a live heap block",
        AlarmKind::NegativeAllocation => "the size of this allocation is not negative",
        AlarmKind::DivisionByZero => "this divisor is not zero, and this shift count in range",
        AlarmKind::Undefined(what) | AlarmKind::Unsupported(what) => {
            return format!("there is no {what}");
        }
        AlarmKind::Granted(grant) => grant.what(),
        AlarmKind::Inseparable(_)
        | AlarmKind::UnknownCallee
        | AlarmKind::Leak
        | AlarmKind::Overwritten
        | AlarmKind::Unfreed
        | AlarmKind::ErrorReached(_) => {
            return format!("it does not happen that {}", kind.describe());
        }
    };
    clause.to_owned()
}

/// What stands at a place, and what is taken for granted of it, one and several.
fn phrase(code: &str) -> [&'static str; 3] {
    match code {
        "W004" => ["free", "frees", "what is freed is a live heap block"],
        "W007" => ["call", "calls", "the pointer is the address of a function of that type"],
        WAITING => [
            "lock",
            "locks",
            "others give it back and leave memory as it is, and what is given back is held",
        ],
        LINKS => ["link", "links", "a walk along such links comes to an end"],
        BRANCHES => ["link", "links", "a walk comes to an end whichever of such links it takes"],
        "W005" => ["allocation", "allocations", "the size is not negative"],
        "W009" => ["call", "calls", "what C leaves undefined does not happen"],
        "W006" => ["division or shift", "divisions and shifts", "the right operand is in range"],
        _ => ["access", "accesses", "valid"],
    }
}

/// The same as lines for a person, a line a kind.
#[must_use]
pub fn lines(finding: &Finding) -> Vec<String> {
    let mut phrases: Vec<[&'static str; 3]> = Vec::new();
    let (of_callers, of_places): (Vec<&Cause>, Vec<&Cause>) =
        finding.assumes.iter().partition(|it| it.code == CALLERS);
    let (refuted, of_places): (Vec<&Cause>, Vec<&Cause>) =
        of_places.into_iter().partition(|it| is_refuted(it));
    for cause in of_places {
        let phrase = phrase(cause.code);
        if !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
    }
    let of_callers =
        of_callers.into_iter().map(|it| format!("assuming that {}: not proved", it.message));
    let up_to = refuted.into_iter().filter_map(|it| it.location.as_ref()).map(|it| {
        format!(
            "up to the error at {}: it may be met, as memory safety shows",
            short(it, &finding.file)
        )
    });
    phrases.into_iter().map(|phrase| line(finding, phrase)).chain(of_callers).chain(up_to).collect()
}

/// What is said behind something taken for granted that does not hold.
const REFUTED: &str = ": refuted";

/// Whether a run shows that this does not hold.
pub(super) fn is_refuted(cause: &Cause) -> bool {
    cause.message.ends_with(REFUTED)
}

fn line(finding: &Finding, kind: [&'static str; 3]) -> String {
    let [one, several, claim] = kind;
    let of_kind =
        finding.assumes.iter().filter(|cause| phrase(cause.code) == kind && !is_refuted(cause));
    let places: BTreeSet<&Location> = of_kind.filter_map(|it| it.location.as_ref()).collect();
    let mut named: Vec<String> =
        places.iter().take(MAX_SHOWN).map(|it| short(it, &finding.file)).collect();
    if places.len() > MAX_SHOWN {
        named.push(format!("{} more", places.len() - MAX_SHOWN));
    }
    let last = named.pop().unwrap_or_default();
    let places = if named.is_empty() { last } else { format!("{} and {last}", named.join(", ")) };
    match (claim, one == "access", named.is_empty()) {
        (_, true, true) => format!("assuming that the {one} at {places} is valid: not proved"),
        (_, true, false) => {
            format!("assuming that the {several} at {places} are valid: not proved")
        }
        (claim, _, true) => format!("assuming of the {one} at {places} that {claim}: not proved"),
        (claim, ..) => format!("assuming of the {several} at {places} that {claim}: not proved"),
    }
}

/// A place, without the name of the file that the answer is about.
fn short(place: &Location, file: &str) -> String {
    match (place.line, place.column) {
        (Some(line), Some(column)) if place.file == file => format!("{line}:{column}"),
        _ => place.describe(),
    }
}

/// The code of what is taken for granted of links.
const LINKS: &str = "W013";

/// The code of links of which a walk takes one.
const BRANCHES: &str = "W016";

/// The code of what is taken for granted of others who hold locks.
const WAITING: &str = "W015";

/// Whether a proof takes for granted that links lead to an end.
#[must_use]
pub fn is_granted_links(finding: &Finding) -> bool {
    finding.assumes.iter().any(|it| it.code == LINKS)
}

/// Whether a proof takes for granted that callers keep to types.
#[must_use]
pub fn is_granted_types(finding: &Finding) -> bool {
    finding.assumes.iter().any(|it| it.code == CALLERS)
}

/// Nothing is to be taken for granted of a function that is memory safe: then answers about
/// other questions take nothing for granted either. Where a run does what others take for granted
/// not to happen, they say so.
pub fn settle(findings: &mut [Finding]) {
    mark_refuted(findings);
    let is_safe = |it: &Finding| {
        it.answer == Answer::Proved
            && it.precondition.is_empty()
            && it.assumes.is_empty()
            && Question::from_name(&it.property) == Some(Question::MemorySafety)
    };
    let safe: Vec<(String, String)> = findings
        .iter()
        .filter(|it| is_safe(it))
        .map(|it| (it.file.clone(), it.entry.clone()))
        .collect();
    for finding in findings {
        let about = (&finding.file, &finding.entry);
        if safe.iter().any(|(file, entry)| (file, entry) == about) {
            // What callers give, and how others go on, is no matter of safety.
            finding.assumes.retain(|it| [LINKS, WAITING].contains(&it.code));
        }
    }
}

/// Marks what is taken for granted of places where a run of the same function is shown to go wrong.
fn mark_refuted(findings: &mut [Finding]) {
    let is_about_memory =
        |it: &Finding| Question::from_name(&it.property) == Some(Question::MemorySafety);
    let wrong: Vec<(String, String, Location)> = findings
        .iter()
        .filter(|it| it.answer == Answer::Refuted && is_about_memory(it))
        .filter_map(|it| {
            let place = it.causes.first()?.location.clone()?;
            Some((it.file.clone(), it.entry.clone(), place))
        })
        .collect();
    for finding in findings.iter_mut().filter(|it| it.answer == Answer::Proved) {
        let Finding { file, entry, assumes, .. } = finding;
        let is_wrong = |it: &Cause| {
            let place = it.location.as_ref();
            wrong.iter().any(|(of, at, wrong)| of == file && at == entry && Some(wrong) == place)
        };
        for cause in assumes.iter_mut().filter(|it| is_wrong(it) && !is_refuted(it)) {
            cause.message.push_str(REFUTED);
        }
    }
}
