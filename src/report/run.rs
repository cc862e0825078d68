//! Counterexamples as data: runs with what happens on their way, and what memory
//! looks like there.

use super::endless::counted;
use super::{Location, Repetition};
use serde::{Deserialize, Serialize};

/// Of the minor events only so many are told.
const MAX_MINOR: usize = 60;
/// Of the others, too: the first and the last ones.
pub(super) const MAX_EVENTS: usize = 120;

/// A run that does what it must not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingRun {
    /// What it is given, in order.
    pub inputs: Vec<Input>,
    /// How many steps of the program it has.
    pub steps: u64,
    /// For a block that is lost or left behind, where it was allocated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocated: Option<Location>,
    /// What happens on the way, in order; the last event is the error.
    pub path: Vec<Event>,
}

/// A run that never ends: a stem, and a cycle that is repeated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndlessRun {
    /// What is repeated.
    pub kind: Repetition,
    /// The function it is in.
    pub function: String,
    /// What the stem chooses, in order.
    pub inputs: Vec<Input>,
    /// How many steps of the program the stem has.
    pub stem_steps: u64,
    /// What the cycle chooses each time, in order.
    pub cycle_inputs: Vec<Input>,
    /// How many steps of the program the cycle has.
    pub cycle_steps: u64,
    /// Whether each round is like the one that is shown.
    #[serde(default, skip_serializing_if = "Rounds::are_alike")]
    pub rounds: Rounds,
    /// What holds whenever the cycle begins.
    pub invariant: Vec<String>,
    /// Why it never ends, as a sentence.
    pub explanation: String,
    /// What happens on the way, in order. An event of kind `cycle` stands where the
    /// cycle begins, and another one, the last of all, where it is done.
    pub path: Vec<Event>,
    /// The places that the cycle passes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visited: Vec<Location>,
}

/// Whether all rounds of a run that never ends are alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rounds {
    /// They go the same way with the same inputs.
    #[default]
    Alike,
    /// The way or the inputs depend on the numbers that a round begins with.
    Differ,
}

impl Rounds {
    /// Whether they are.
    #[must_use]
    pub fn are_alike(&self) -> bool {
        *self == Self::Alike
    }
}

/// A value that a run of a counterexample is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// What asks for it.
    pub name: String,
    /// The number, in decimal digits; a text in quotes, as C writes it, for one that the program is
    /// started with or reads as a word; a few words for a pointer and what nothing looks at.
    pub value: String,
    /// Where it is asked for.
    #[serde(flatten)]
    pub location: Location,
}

/// Something that happens in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What kind of thing.
    pub kind: EventKind,
    /// What it is, as a clause.
    pub message: String,
    /// Where the program stands.
    #[serde(flatten)]
    pub location: Location,
    /// Whether the error cannot be understood without it.
    #[serde(default)]
    pub weight: Weight,
    /// What memory looks like afterwards; for an error, when it happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap: Option<Drawing>,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// The run is given a value.
    Input,
    /// A function is called.
    Call,
    /// A function returns.
    Return,
    /// A heap block begins to live.
    Allocated,
    /// A heap block is freed.
    Freed,
    /// The null pointer that is followed later is made.
    Null,
    /// The cycle begins, or is done.
    Cycle,
    /// What must not happen happens.
    Error,
}

/// How much an event matters for a short story.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Weight {
    /// It belongs in every story.
    #[default]
    Main,
    /// It belongs in a long one.
    Minor,
}

/// Memory at one moment, as far as variables lead to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawing {
    /// The variables: the innermost call's first.
    pub variables: Vec<Field>,
    /// The blocks, in the order in which they are met.
    pub blocks: Vec<DrawnBlock>,
    /// How many more there are than are drawn.
    pub n_more: usize,
}

/// A block of memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnBlock {
    /// What it is called: `#3`, or the name of a variable in memory.
    pub name: String,
    /// How many bytes it has.
    pub size: String,
    /// What has become of it.
    pub condition: Condition,
    /// What it holds.
    pub fields: Vec<Field>,
    /// How many parts it has that are not shown.
    #[serde(default)]
    pub n_more: usize,
}

impl DrawnBlock {
    /// That there are more parts, if there are.
    #[must_use]
    pub fn more(&self) -> Option<String> {
        (self.n_more > 0).then(|| format!("and {} more", self.n_more))
    }
}

/// What has become of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// It can be used.
    Live,
    /// It was freed, or its scope has ended.
    Gone,
    /// Nothing leads to it.
    Lost,
}

/// A variable or a part of a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name, or its distance from the block's start.
    pub name: String,
    /// What it holds.
    pub content: FieldContent,
    /// The function that is called where it is a local variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

impl Field {
    /// What is no local variable.
    #[must_use]
    pub fn of(name: String, content: FieldContent) -> Self {
        Self { name, content, function: None }
    }
}

/// What a variable or a part of a block holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldContent {
    /// A number, null, or a function.
    Text(String),
    /// The address of a block (an index into [`Drawing::blocks`]) and a distance.
    Address(usize, i128),
}

impl FieldContent {
    /// The content in a line of text.
    #[must_use]
    pub fn describe(&self, drawing: &Drawing) -> String {
        match self {
            Self::Text(text) => format!("= {text}"),
            Self::Address(index, offset) => {
                let name = drawing.blocks.get(*index).map_or("?", |block| block.name.as_str());
                match offset {
                    0 => format!("-> {name}"),
                    1.. => format!("-> {name}+{offset}"),
                    _ => format!("-> {name}{offset}"),
                }
            }
        }
    }
}

impl Drawing {
    /// The memory as text: the variables in one line, or in one for each call where there are
    /// several; then a line a block.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let one = |field: &Field| format!("{} {}", field.name, field.content.describe(self));
        let all = |fields: &[Field]| fields.iter().map(one).collect::<Vec<_>>().join(", ");
        let mut lines = Vec::new();
        let calls: Vec<&[Field]> =
            self.variables.chunk_by(|one, other| one.function == other.function).collect();
        match calls.as_slice() {
            [] => {}
            [only] => lines.push(all(only)),
            several => lines.extend(several.iter().map(|call| {
                let function = call.first().and_then(|it| it.function.as_ref());
                match function {
                    Some(function) => format!("in `{function}`: {}", all(call)),
                    None => all(call),
                }
            })),
        }
        for block in &self.blocks {
            let condition = match block.condition {
                Condition::Live => "",
                Condition::Gone if block.name.starts_with('#') => " (freed)",
                Condition::Gone => " (gone)",
                Condition::Lost => " (lost)",
            };
            lines.push(match block.fields.as_slice() {
                [] => format!("{}{condition}: {}", block.name, counted(&block.size, "byte")),
                fields => {
                    let more = block.more().map_or_else(String::new, |it| format!(", {it}"));
                    format!("{}{condition}: {{ {}{more} }}", block.name, all(fields))
                }
            });
        }
        if self.n_more > 0 {
            lines.push(format!("and {}", counted(self.n_more, "more block")));
        }
        lines
    }
}

/// A story of bounded length: minor events from its middle are left out.
pub(super) fn shortened(mut events: Vec<Event>) -> Vec<Event> {
    let n_minor = events.iter().filter(|it| it.weight == Weight::Minor).count();
    let excess = n_minor.saturating_sub(MAX_MINOR);
    let mut seen = 0;
    events.retain(|it| {
        if it.weight == Weight::Main {
            return true;
        }
        seen += 1;
        seen <= MAX_MINOR / 2 || seen > MAX_MINOR / 2 + excess
    });
    if let Some(excess) = events.len().checked_sub(MAX_EVENTS) {
        events.drain(MAX_EVENTS / 2..MAX_EVENTS / 2 + excess);
    }
    events
}
