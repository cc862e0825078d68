//! What keeps a proof from being found inside of a function of the library: a person knows the
//! call, and what the function asks of it.

use base::source::Span;
use evidence::alarm::{Alarm, AlarmKind};
use ir::{Command, Program};
use verdict::Reason;

/// A reason as a clause of a sentence, if its place is a call of a library function.
pub(super) fn of_call(program: &Program, reason: &Reason) -> Option<String> {
    let Some(name) = called_at(program, reason.span()?) else { return of_bytes(program, reason) };
    let inside = match reason {
        Reason::NoRanking(_) => "no measure was found that a loop decreases",
        Reason::TooManyStates(_) => "a loop has too many abstract states",
        Reason::NotClosed(_) => "the states found for a loop are not closed under execution",
        Reason::Alarm(Alarm { kind: AlarmKind::Undefined(what), .. }) => {
            return Some(format!("the call of `{name}` may make {what}, which C leaves undefined"));
        }
        Reason::Alarm(alarm) => {
            let deed = deed(&alarm.kind)?;
            let needs = needs_of(name).filter(|_| alarm.kind.is_about_an_access());
            let needs = needs.map_or_else(String::new, |it| format!(": {it}"));
            return Some(format!("the call of `{name}` may {deed}{needs}"));
        }
        Reason::Exhausted(_)
        | Reason::Overflow(_)
        | Reason::EndsByOverflow(_)
        | Reason::NotBuilt(_)
        | Reason::Rejected(_) => return None,
    };
    Some(format!("in the call of `{name}`, {inside}"))
}

/// The same of a copy, or of bytes that are set: `memcpy` and `memset` are commands.
fn of_bytes(program: &Program, reason: &Reason) -> Option<String> {
    let Reason::Alarm(Alarm { span, kind: AlarmKind::OutOfBounds }) = reason else { return None };
    let mut commands = program.blocks().flat_map(|it| &it.commands).filter(|it| it.span == *span);
    let needs = commands.find_map(|it| match it.command {
        Command::Copy { .. } => Some("both objects need as many bytes as are copied"),
        Command::Fill { .. } => Some("the object needs as many bytes as are set"),
        _ => None,
    })?;
    Some(format!("this access may be out of bounds: {needs}"))
}

/// The library function that is called at a place: all of its body is there. What writes or reads
/// by a format calls others for its parts.
fn called_at(program: &Program, span: Span) -> Option<&str> {
    let procedures = program.procedures.iter().filter(|it| it.is_of_library() && it.span == span);
    let mut names = procedures.map(ir::Procedure::shown_name).filter(|_| span.is_somewhere());
    let first = names.next()?;
    let mut all = std::iter::once(first).chain(names);
    Some(all.find(|it| it.ends_with("printf") || it.ends_with("scanf")).unwrap_or(first))
}

/// What a call may do that it must not.
fn deed(kind: &AlarmKind) -> Option<&'static str> {
    Some(match kind {
        AlarmKind::NullDereference => "follow a null pointer",
        AlarmKind::WildDereference => "use memory that is no live object",
        AlarmKind::OutOfBounds => "access memory out of bounds",
        AlarmKind::ConstantWrite => "write to a string literal or a constant object",
        AlarmKind::InvalidFree => "free something that is not a live heap block",
        AlarmKind::NegativeAllocation => "allocate a negative size",
        AlarmKind::DivisionByZero => "divide by zero",
        AlarmKind::Leak => "lose the last pointer to a heap block",
        AlarmKind::Undefined(_)
        | AlarmKind::Unsupported(_)
        | AlarmKind::Granted(_)
        | AlarmKind::Inseparable(_)
        | AlarmKind::UnknownCallee
        | AlarmKind::Overwritten
        | AlarmKind::Unfreed
        | AlarmKind::ErrorReached(_) => return None,
    })
}

/// What a function asks of its arguments.
fn needs_of(function: &str) -> Option<&'static str> {
    Some(match function.trim_start_matches("__builtin_") {
        "strcpy" | "stpcpy" | "wcscpy" => "the target needs room for the text and its zero",
        "strcat" | "strncat" | "wcscat" => "the target needs room for both texts and a zero",
        "strncpy" | "stpncpy" | "strlcpy" | "strlcat" | "snprintf" | "vsnprintf" => {
            "the target needs room for as many bytes as are said, and a text its zero"
        }
        "sprintf" | "vsprintf" => {
            "the target needs room for all that is written and a zero, and a text its zero"
        }
        "strcmp" | "strcasecmp" | "strcoll" | "strstr" | "strspn" | "strcspn" | "strpbrk"
        | "strtok" | "strtok_r" | "strsep" => "both texts need their zero in their memory",
        "strncmp" | "strncasecmp" | "memcmp" => {
            "both need as many bytes as are said, or a zero before"
        }
        "fgets" | "fread" | "read" | "pread" | "recv" | "recvfrom" => {
            "the buffer needs room for as many bytes as are asked for"
        }
        "fwrite" | "write" | "pwrite" | "send" | "sendto" | "memchr" => {
            "the buffer needs as many bytes as are said"
        }
        "qsort" | "bsearch" => "the array needs as many elements as are said, each with a value",
        "strlen" | "strchr" | "strrchr" | "strdup" | "strndup" | "puts" | "fputs" | "printf"
        | "fprintf" | "atoi" | "atol" | "atoll" | "atof" | "strtol" | "strtoll" | "strtoul"
        | "strtoull" | "strtod" | "fopen" | "sscanf" | "perror" => {
            "a text needs its zero in its memory"
        }
        _ => return None,
    })
}
