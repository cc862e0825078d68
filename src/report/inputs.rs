//! What a run is given, for a person.

use super::endless::counted;
use super::parts::quoted;
use super::path::Teller;
use super::{Input, Location};
use concolic::texts::is_reader;
use ir::expr::ScalarType;
use ir::{HavocSource, Program};
use verdict::violation::Chosen;

/// What a run is given, for a person: of what is chosen in a library function, only what it reads
/// and what it gives back; of all else what `own` says. The first of these choices has this
/// position in the run.
pub(super) fn of_choices(
    program: &Program,
    (choices, first): (&[Chosen], usize),
    teller: &Teller<'_>,
    own: impl Fn(usize, &Chosen) -> Option<Input>,
) -> Vec<Input> {
    let mut inputs = Vec::new();
    let (mut at, mut told) = (0, None);
    while let Some(chosen) = choices.get(at) {
        let position = first + at;
        if let Some((word, length)) = word_read(program, &choices[at..]) {
            inputs.push(word);
            told = teller.call_of_choice(position).map(|(call, _)| call);
            at += length;
            continue;
        }
        if let Some((text, length)) = text_in_memory(program, (&choices[at..], position), teller) {
            inputs.push(text);
            at += length;
            continue;
        }
        let is_read = chosen.function.as_deref().is_some_and(is_reader);
        match teller.call_of_choice(position) {
            _ if teller.is_hidden(position) || begins_reading(&choices[at..]) => {}
            Some((call, it)) if !is_read => {
                let result = it.told().filter(|_| told.replace(call) != Some(call));
                let location = it.place.clone();
                inputs.extend(result.map(|value| Input { name: it.name.clone(), value, location }));
            }
            _ => inputs.extend(own(position, chosen)),
        }
        at += 1;
    }
    inputs
}

/// A choice for a person: what gives it, or what it is of, if that has a name.
pub(super) fn input(program: &Program, chosen: &Chosen, unset: Option<&str>) -> Input {
    let name = chosen.function.as_deref().or(unset).unwrap_or("memory without a value");
    let location = Location::of_span(chosen.span, &program.sources);
    match name {
        HavocSource::ORDER => another_order(location),
        _ => Input { name: name.to_owned(), value: chosen.value.to_string(), location },
    }
}

/// Whether nothing is told of an input: an automaton beside the program has chosen it, or it says
/// that the parts of an expression are evaluated as they are written, which is 0.
pub(super) fn is_made_up(name: &str, value: i128) -> bool {
    name.starts_with('$') && (name != HavocSource::ORDER || value == 0)
}

/// That C leaves an order open, and the run takes another one than that of the text.
pub(super) fn another_order(location: Location) -> Input {
    let (name, value) = ("order of evaluation".to_owned(), "not as written".to_owned());
    Input { name, value, location }
}

/// The bytes in memory without a value of their own that are read here, and how many there are.
fn text_in_memory(
    program: &Program,
    (choices, first): (&[Chosen], usize),
    teller: &Teller<'_>,
) -> Option<(Input, usize)> {
    let start = choices.first()?;
    let name = |at: &usize| {
        let it = choices.get(*at).filter(|it| bits(it) == 8 && it.span == start.span)?;
        let name = teller.name_of_unset(first + at)?;
        (it.function.is_none() && !teller.is_hidden(first + at)).then_some(name)
    };
    let row = |at: &usize| Some(name(at)?.rsplit_once('[')?.0);
    let n_bytes = (1..choices.len()).take_while(|it| row(it).is_some() && row(it) == row(&0));
    let (name, bytes) = (name(&0)?, &choices[..=n_bytes.count()]);
    Some(match bytes {
        [byte] => (input(program, byte, Some(name)), 1),
        _ => {
            let text = quoted(bytes.iter().map(letter));
            let name = name.replacen("[0]`", "`", 1);
            (Input { value: text, ..input(program, start, Some(&name)) }, bytes.len())
        }
    })
}

/// The bits of a number that is chosen; none of other scalars.
fn bits(chosen: &Chosen) -> u8 {
    if let ScalarType::Int(kind) = chosen.ty { kind.bits } else { 0 }
}

fn letter(chosen: &Chosen) -> Option<u8> {
    u8::try_from(chosen.value.rem_euclid(256)).ok()
}

/// Whether a choice only says that there is something to be read, and what is read follows.
fn begins_reading(choices: &[Chosen]) -> bool {
    let [first, rest @ ..] = choices else { return false };
    let is_status = first.function.as_deref().is_some_and(HavocSource::is_in_library);
    let is_yes = is_status && first.value == 1;
    let behind = rest.iter().take_while(|it| it.span == first.span);
    let mut others = behind.filter(|it| it.function.is_some() && it.function != first.function);
    is_yes && others.next().is_some()
}

/// The word that is read from a stream here, as text, and how many choices it is: that there is
/// one, how long it is, and its bytes.
fn word_read(program: &Program, choices: &[Chosen]) -> Option<(Input, usize)> {
    let [there_is, length, bytes @ ..] = choices else { return None };
    let reader = length.function.as_deref()?;
    let is_word = (bits(there_is), there_is.value, there_is.span) == (1, 1, length.span)
        && bits(length) == 64
        && length.value > 0;
    let is_byte = |it: &&Chosen| it.function.is_none() && bits(it) == 8 && it.span == length.span;
    let n_bytes = usize::try_from(length.value).ok().filter(|_| is_word)?;
    let bytes: Vec<&Chosen> = bytes.iter().take_while(is_byte).take(n_bytes).collect();
    let value = match bytes.len() {
        // Where nobody reads its bytes, a word is told as a number is: by its length.
        0 => return None,
        known if known == n_bytes => quoted(bytes.iter().copied().map(letter)),
        _ => format!("a word of {}", counted(n_bytes, "byte")),
    };
    let location = Location::of_span(length.span, &program.sources);
    Some((Input { name: reader.to_owned(), value, location }, 2 + bytes.len()))
}
