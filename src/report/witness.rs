//! Witnesses in the YAML format, version 2.1, of the software verification
//! competition.
//!
//! A proof becomes a set of invariants: those of its facts about loops that are C
//! expressions ([`super::c_terms`]). An empty set is a witness, too; it only
//! says nothing. A counterexample becomes a sequence of waypoints: what the input
//! functions return, then the error, or for a run that never ends what is passed
//! again and again.

use super::c_terms::{Claim, ClaimKind};
use super::calls::NULL;
use super::run::Rounds;
use super::{
    Answer, EndlessRun, Evidence, FailingRun, Finding, Input, Location, Repetition, Report, Texts,
    yaml,
};
use concolic::texts::is_read_into_memory;
use question::Question;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a witness says that is not in the report.
#[derive(Clone, Debug)]
pub struct Stamp {
    /// When it was written, in ISO 8601.
    pub created: String,
    /// The SHA-256 of each file, in hexadecimal digits.
    pub hashes: BTreeMap<String, String>,
}

/// Witnesses of all decided answers about C programs that have one.
#[must_use]
pub fn render(report: &Report, texts: &Texts, stamp: &Stamp) -> String {
    let entries: Vec<Value> =
        report.findings.iter().filter_map(|finding| entry(report, finding, texts, stamp)).collect();
    yaml::document(&Value::Array(entries))
}

fn entry(report: &Report, finding: &Finding, texts: &Texts, stamp: &Stamp) -> Option<Value> {
    // The competition knows no other entry, and no precondition.
    let evidence = finding.evidence.as_ref().filter(|_| finding.entry == "main")?;
    let (kind, content) = match finding.answer {
        Answer::Proved => ("invariant_set", proof(finding, evidence, texts)),
        Answer::Refuted => ("violation_sequence", violation(finding, evidence, texts)?),
        Answer::Unknown => return None,
    };
    Some(json!({
        "entry_type": kind,
        "metadata": metadata(report, finding, stamp)?,
        "content": content,
    }))
}

/// Whether a place is in the file that was asked about: a witness names no other one.
fn is_of(finding: &Finding, place: &Location) -> bool {
    place.file == finding.file
}

fn metadata(report: &Report, finding: &Finding, stamp: &Stamp) -> Option<Value> {
    let hash = stamp.hashes.get(&finding.file)?;
    let mut hashes = serde_json::Map::new();
    hashes.insert(finding.file.clone(), json!(hash));
    Some(json!({
        "format_version": "2.1",
        "uuid": uuid(hash, finding),
        "creation_time": stamp.created,
        "producer": { "name": report.tool, "version": report.version },
        "task": {
            "input_files": [finding.file],
            "input_file_hashes": hashes,
            "specification": specification(finding)?,
            "data_model": if finding.data_model == "ilp32" { "ILP32" } else { "LP64" },
            "language": "C",
        },
    }))
}

/// A name for the witness that depends on the file and the question only.
fn uuid(hash: &str, finding: &Finding) -> String {
    let parts = [hash, &finding.property, &finding.entry, finding.answer.word()];
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let step = |hash: u128, byte: u8| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    };
    let digits = format!("{:032x}", bytes.fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, step));
    // Version 8: bits of one's own choice.
    format!(
        "{}-{}-8{}-a{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[13..16],
        &digits[17..20],
        &digits[20..]
    )
}

/// The property in the competition's words, as its property file has them: validators compare
/// the whole of it, also where one part of it is refuted.
fn specification(finding: &Finding) -> Option<String> {
    let formulas: &[&str] = match Question::from_name(&finding.property)? {
        Question::Termination => &["F end"],
        Question::Reach => &["G ! call(reach_error())"],
        Question::MemoryCleanup => &["G valid-memcleanup"],
        Question::MemorySafety => &["G valid-free", "G valid-deref", "G valid-memtrack"],
        Question::Specification { .. }
        | Question::Ctl(_)
        | Question::Ltl(_)
        | Question::ThreadTermination(_) => return None,
    };
    let check = |it: &&str| format!("CHECK( init({}()), LTL({it}) )", finding.entry);
    Some(formulas.iter().map(check).collect::<Vec<_>>().join("\n"))
}

fn proof(finding: &Finding, evidence: &Evidence, texts: &Texts) -> Value {
    let claims = evidence.claims.iter().filter(|it| is_of(finding, &it.location));
    let claims = claims.filter(|claim| is_loop(&claim.location, texts));
    Value::Array(claims.map(invariant).collect())
}

fn invariant(claim: &Claim) -> Value {
    let (kind, format) = match claim.kind {
        ClaimKind::Invariant => ("loop_invariant", "c_expression"),
        ClaimKind::Transition => ("loop_transition_invariant", "ext_c_expression"),
    };
    json!({ "invariant": {
        "type": kind,
        "location": location(&claim.location, Some(&claim.function)),
        "value": claim.value,
        "format": format,
    }})
}

/// Whether the place is the keyword of a loop whose condition comes first.
fn is_loop(place: &Location, texts: &Texts) -> bool {
    let Some(rest) = text_at(place, texts) else { return false };
    ["while", "for"].iter().any(|keyword| {
        let behind = rest.strip_prefix(keyword);
        behind.is_some_and(|behind| behind.trim_start().starts_with('('))
    })
}

fn location(place: &Location, function: Option<&str>) -> Value {
    let mut value = json!({ "file_name": place.file });
    if let Some(line) = place.line {
        value["line"] = json!(line);
    }
    if let Some(column) = place.column {
        value["column"] = json!(column);
    }
    if let Some(function) = function.filter(|it| !it.is_empty()) {
        value["function"] = json!(function);
    }
    value
}

/// The text from a place on.
fn text_at<'a>(place: &Location, texts: &'a Texts) -> Option<&'a str> {
    let text = texts.get(&place.file)?;
    let line = usize::try_from(place.line?).ok()?.checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let column = usize::try_from(place.column?).ok()?.checked_sub(1)?;
    let rest = text.get(start..)?;
    let (byte, _) = rest.char_indices().nth(column)?;
    rest.get(byte..)
}

fn violation(finding: &Finding, evidence: &Evidence, texts: &Texts) -> Option<Value> {
    let segments = match (&evidence.failing_run, &evidence.endless_run) {
        (Some(run), _) => failing(finding, run, texts)?,
        (None, Some(run)) => endless(finding, run, texts)?,
        (None, None) => return None,
    };
    Some(Value::Array(segments))
}

fn segment(waypoint: &Value) -> Value {
    json!({ "segment": [{ "waypoint": waypoint }] })
}

/// The inputs in order, then the error.
fn failing(finding: &Finding, run: &FailingRun, texts: &Texts) -> Option<Vec<Value>> {
    let mut segments = returns(finding, &run.inputs, ("follow", texts));
    let target = finding.causes.first()?.location.as_ref().filter(|it| is_of(finding, it))?;
    segments.push(segment(&json!({
        "type": "target",
        "action": "follow",
        "location": location(target, None),
    })));
    Some(segments)
}

/// The inputs of the stem, then what comes again and again: the inputs of the cycle
/// and the loop or function itself. Nothing when neither can be pointed at.
fn endless(finding: &Finding, run: &EndlessRun, texts: &Texts) -> Option<Vec<Value>> {
    let mut segments = returns(finding, &run.inputs, ("follow", texts));
    let mut cycle = match run.rounds {
        Rounds::Alike => returns(finding, &run.cycle_inputs, ("cycle", texts)),
        Rounds::Differ => Vec::new(),
    };
    let place = finding.causes.first()?.location.as_ref()?;
    match run.kind {
        Repetition::Loop => {
            if is_of(finding, place) && is_loop(place, texts) && is_entered(place, run, texts) {
                let head = json!({
                    "type": "branching",
                    "action": "cycle",
                    "location": location(place, Some(&run.function)),
                    "constraint": { "value": "true" },
                });
                cycle.insert(0, segment(&head));
            }
        }
        Repetition::Recursion => {}
    }
    segments.append(&mut cycle.clone());
    (!cycle.is_empty()).then_some(segments)
}

/// Whether the cycle does something in the body of the loop, so that the loop's
/// condition was true.
fn is_entered(place: &Location, run: &EndlessRun, texts: &Texts) -> bool {
    let Some(rest) = text_at(place, texts) else { return false };
    let Some(header) = closing(rest, '(', ')') else { return false };
    let Some(behind) = rest.get(header + 1..) else { return false };
    let length = if behind.trim_start().starts_with('{') {
        closing(behind, '{', '}')
    } else {
        behind.find(';')
    };
    let Some(length) = length else { return false };
    let start = offset_of(place, texts);
    run.visited.iter().filter(|visited| visited.file == place.file).any(|visited| {
        let inside = (start, offset_of(visited, texts));
        let (Some(start), Some(offset)) = inside else { return false };
        (start + header + 1..start + header + 1 + length).contains(&offset)
    })
}

/// How many bytes of its file come before a place.
fn offset_of(place: &Location, texts: &Texts) -> Option<usize> {
    let whole = texts.get(&place.file)?.len();
    Some(whole - text_at(place, texts)?.len())
}

/// What functions return, a segment each. A value that no call of a function in the
/// text gives is left out: then more runs fit.
fn returns(finding: &Finding, inputs: &[Input], (action, texts): (&str, &Texts)) -> Vec<Value> {
    let one = |input: &Input| {
        let rest = text_at(&input.location, texts)?.strip_prefix(input.name.as_str())?;
        if !rest.trim_start().starts_with('(') {
            return None;
        }
        if is_read_into_memory(&input.name) {
            return None;
        }
        let is_allocation = matches!(input.name.as_str(), "malloc" | "calloc" | "realloc");
        if is_allocation && input.value != "0" {
            return None;
        }
        let place = closing_place(&input.location, &input.name, rest)?;
        Some(segment(&json!({
            "type": "function_return",
            "action": action,
            "location": location(&place, None),
            "constraint": {
                "value": format!("\\result == {}", number(&input.value)?),
                "format": "ext_c_expression",
            },
        })))
    };
    inputs.iter().filter(|it| is_of(finding, &it.location)).filter_map(one).collect()
}

/// A number, or null, as a C literal of a type that it fits in; of all else that is told in words,
/// none.
fn number(value: &str) -> Option<String> {
    Some(match value.parse::<i128>() {
        Ok(it) if it == i128::from(i64::MIN) => "-9223372036854775807LL - 1".to_owned(),
        Ok(it) if i64::try_from(it).is_err() => format!("{value}ULL"),
        Ok(it) if i32::try_from(it).is_err() => format!("{value}LL"),
        Ok(_) => value.to_owned(),
        Err(_) if value == NULL => "0".to_owned(),
        Err(_) => return None,
    })
}

/// The place of the closing parenthesis of a call; `rest` is the text behind the name.
fn closing_place(call: &Location, name: &str, rest: &str) -> Option<Location> {
    let before = rest.get(..closing(rest, '(', ')')?)?;
    let lines = u32::try_from(before.matches('\n').count()).ok()?;
    let last = before.rsplit('\n').next()?.chars().count();
    let column = if lines == 0 {
        call.column? + u32::try_from(name.chars().count() + last).ok()?
    } else {
        u32::try_from(last + 1).ok()?
    };
    Some(Location {
        line: Some(call.line? + lines),
        column: Some(column),
        length: 1,
        ..call.clone()
    })
}

/// Where what opens first is closed, in bytes. Texts and characters in quotes count
/// for nothing; what stands in comments does.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut characters = text.char_indices();
    while let Some((index, character)) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(mark), _) if mark == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, _) if character == open => depth += 1,
            (None, _) if character == close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            (None, _) => {}
        }
    }
    None
}
