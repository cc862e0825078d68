//! What memory looks like in a state of the interpreter, for a person.

use super::parts::{Parts, quoted};
use super::run::{Condition, Drawing, DrawnBlock, Field, FieldContent};
use concrete::memory::{Content, Lifetime, MemoryBlock, MemoryBlockId};
use concrete::state::State;
use concrete::value::{Pointer, Value};
use ir::expr::ScalarType;
use ir::{MemoryKind, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// More blocks than this are not drawn.
const MAX_BLOCKS: usize = 14;
/// More variables than this are not drawn.
const MAX_VARIABLES: usize = 14;
/// More parts of a block than this are not drawn.
const MAX_FIELDS: usize = 8;

/// Numbers for heap blocks, in the order of their allocation, from 1.
#[derive(Clone, Debug)]
pub struct BlockNames {
    names: BTreeMap<MemoryBlockId, String>,
    n_heap_blocks: usize,
    /// The variables that hold the address of a block which is a variable of C.
    homes: BTreeSet<Variable>,
}

impl BlockNames {
    /// No heap block yet.
    #[must_use]
    pub fn of_program(program: &Program) -> Self {
        let blocks = program.blocks();
        let commands = blocks.flat_map(|block| &block.commands);
        let allocations = commands.filter_map(|it| it.command.allocation());
        let homes = allocations.filter_map(|(target, _, kind)| {
            matches!(kind, MemoryKind::Stack | MemoryKind::Static | MemoryKind::Constant)
                .then_some(target)
        });
        Self { names: BTreeMap::new(), n_heap_blocks: 0, homes: homes.collect() }
    }

    /// Names a new heap block.
    pub fn add(&mut self, id: MemoryBlockId) -> &str {
        self.n_heap_blocks += 1;
        let number = self.n_heap_blocks;
        self.names.entry(id).or_insert_with(|| format!("#{number}"))
    }

    /// The name of a heap block.
    #[must_use]
    pub fn get(&self, id: MemoryBlockId) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }
}

/// The memory that named variables lead to, and these blocks.
#[must_use]
pub fn draw(
    program: &Program,
    state: &State,
    names: &BlockNames,
    also: &[MemoryBlockId],
) -> Drawing {
    let parts = Parts::of(program, state);
    let mut draft =
        Draft { program, state, names, parts, order: Vec::new(), titles: BTreeMap::new() };
    let named = named_variables(program, state);
    draft.title_variables(&named);
    draft.title_arguments();
    let mut shown = Vec::new();
    for it in &named {
        if shown.len() == MAX_VARIABLES {
            break;
        }
        let field = draft.variable(it);
        shown.extend(field.filter(|it| !shown.contains(it)));
    }
    // What has no room is no object of the program.
    for id in also.iter().filter(|it| state.memory().block(**it).size > 0) {
        draft.meet(*id);
    }
    let mut next = 0;
    let mut fields = Vec::new();
    while let Some(id) = draft.order.get(next).copied() {
        fields.push(draft.fields(id));
        next += 1;
    }
    draft.finish(shown, fields)
}

/// What a person calls a scalar in memory: by the variable that it is or is part of, or by the heap
/// block.
pub(super) fn name_of(
    program: &Program,
    state: &State,
    names: &BlockNames,
    (at, ty): (Pointer, ScalarType),
) -> Option<String> {
    let parts = Parts::of(program, state);
    let mut draft =
        Draft { program, state, names, parts, order: Vec::new(), titles: BTreeMap::new() };
    draft.title_variables(&named_variables(program, state));
    draft.title_arguments();
    match draft.parts.part(at, ty) {
        Some(part) if part.path.is_empty() => {
            let heap = names.get(at.block);
            heap.or_else(|| draft.titles.get(&at.block).map(String::as_str)).map(str::to_owned)
        }
        Some(part) => draft.part_of(at.block, part.inside()),
        None => draft.part_of(at.block, &format!("[byte {}]", at.offset)),
    }
}

/// A variable that a person named.
struct NamedVariable<'a> {
    variable: Variable,
    name: &'a str,
    value: Value,
    /// The function that is called where it is a local.
    function: Option<&'a str>,
}

/// The variables that a person named, the innermost call's first, globals last.
fn named_variables<'a>(program: &'a Program, state: &State) -> Vec<NamedVariable<'a>> {
    let locals = state.frames().iter().rev().flat_map(|frame| {
        let function = program.procedure(frame.location().procedure).shown_name();
        frame.variables().map(move |it| (it, Some(function)))
    });
    let all = locals.chain(state.globals().map(|it| (it, None)));
    let named = all.filter_map(|((variable, value), function)| {
        let info = program.variable(variable);
        let is_library = program.sources.files.get(usize::from(info.span.file));
        let is_library = is_library.is_some_and(|name| name.starts_with('<'));
        let owner = info.owner.map(|it| program.procedure(it));
        let is_library = is_library || owner.is_some_and(ir::Procedure::is_of_library);
        let is_named = !info.name.contains('$') && info.span.is_somewhere() && !is_library;
        is_named.then_some(NamedVariable { variable, name: &info.name, value, function })
    });
    named.collect()
}

struct Draft<'a> {
    program: &'a Program,
    state: &'a State,
    names: &'a BlockNames,
    parts: Parts<'a>,
    order: Vec<MemoryBlockId>,
    /// The names of variables that live in memory.
    titles: BTreeMap<MemoryBlockId, String>,
}

impl Draft<'_> {
    /// Blocks of variables that live in memory are called as these are.
    fn title_variables(&mut self, named: &[NamedVariable<'_>]) {
        for it in named.iter().filter(|it| self.names.homes.contains(&it.variable)) {
            let Value::Pointer(pointer) = it.value else { continue };
            let is_taken = self.titles.values().any(|title| title == it.name);
            let title = match it.function.filter(|_| is_taken) {
                Some(function) => format!("{} of {function}", it.name),
                None => it.name.to_owned(),
            };
            self.titles.entry(pointer.block).or_insert(title);
        }
    }

    /// The texts that `main` is given are called by their place, whatever else leads to them.
    fn title_arguments(&mut self) {
        let procedures = self.state.frames().iter().map(|it| it.location().procedure);
        let mut procedures = procedures.map(|it| self.program.procedure(it));
        let Some(main) = procedures.find(|it| it.name == "main") else { return };
        let [_, texts, ..] = main.parameters.as_slice() else { return };
        let mut values = self.state.frames().iter().flat_map(|it| it.variables());
        let array = values.find(|(variable, _)| variable == texts);
        let Some(array) = array.and_then(|(_, it)| it.as_pointer()) else { return };
        let name = &self.program.variable(*texts).name;
        let pointers = self.state.memory().block(array.block).targets();
        for (index, text) in pointers.enumerate() {
            self.titles.entry(text.block).or_insert_with(|| format!("{name}[{index}]"));
        }
    }

    /// What is shown of a variable. One that lives in memory shows its block, or
    /// what its block holds if that is one scalar.
    fn variable(&mut self, it: &NamedVariable<'_>) -> Option<Field> {
        let (name, function) = (it.name.to_owned(), it.function.map(str::to_owned));
        if let Value::Pointer(pointer) = it.value {
            let block = self.state.memory().block(pointer.block);
            if self.names.homes.contains(&it.variable) {
                return match sole_scalar(block) {
                    Some((ty, held)) => {
                        Some(Field { name, content: self.content(ty, held), function })
                    }
                    None => {
                        if block.cells().next().is_some() {
                            self.meet(pointer.block);
                        }
                        None
                    }
                };
            }
        }
        let ty = self.program.variable(it.variable).ty;
        let content = self.content(ty, it.value);
        self.name_target(&content, || format!("*{name}"));
        Some(Field { name, content, function })
    }

    /// A block without a name is called by the first way to it.
    fn name_target(&mut self, content: &FieldContent, name: impl FnOnce() -> String) {
        let FieldContent::Address(index, 0) = content else { return };
        let id = self.order[*index];
        if self.names.get(id).is_none() {
            self.titles.entry(id).or_insert_with(name);
        }
    }

    /// What a part of a block is called.
    fn part_of(&self, id: MemoryBlockId, part: &str) -> Option<String> {
        let owner = self.names.get(id).or_else(|| self.titles.get(&id).map(String::as_str))?;
        Some(match (owner.strip_prefix('*'), part.starts_with('[')) {
            (Some(pointer), true) => format!("{pointer}{part}"),
            (Some(pointer), false) => format!("{pointer}->{part}"),
            (None, true) => format!("{owner}{part}"),
            (None, false) => format!("{owner}.{part}"),
        })
    }

    fn meet(&mut self, id: MemoryBlockId) -> usize {
        let known = self.order.iter().position(|it| *it == id);
        known.unwrap_or_else(|| {
            self.order.push(id);
            self.order.len() - 1
        })
    }

    fn content(&mut self, ty: ScalarType, value: Value) -> FieldContent {
        match value {
            Value::Int(0) if ty == ScalarType::Pointer => FieldContent::Text("null".to_owned()),
            Value::Int(number) => FieldContent::Text(number.to_string()),
            Value::Procedure(id) => FieldContent::Text(self.program.procedure(id).name.clone()),
            Value::Pointer(pointer) => {
                let block = self.state.memory().block(pointer.block);
                match (block.kind, block.lifetime) {
                    // What a stream holds is known to the library only.
                    (MemoryKind::Stream, Lifetime::Live) => {
                        FieldContent::Text("an open stream".to_owned())
                    }
                    (MemoryKind::Stream, Lifetime::Ended) => {
                        FieldContent::Text("a closed stream".to_owned())
                    }
                    _ => FieldContent::Address(self.meet(pointer.block), pointer.offset),
                }
            }
        }
    }

    /// The parts of a block that are shown, and how many there are beside.
    fn fields(&mut self, id: MemoryBlockId) -> (Vec<Field>, usize) {
        let block = self.state.memory().block(id);
        if let Some(text) = whole_text(block) {
            return (vec![Field::of("text".to_owned(), FieldContent::Text(text))], 0);
        }
        let mut fields: Vec<Field> = Vec::new();
        let mut n_left = 0;
        for (offset, cell) in block.cells() {
            let is_full = fields.len() == MAX_FIELDS;
            let (name, content) = match cell.content {
                Content::Scalar { value: Value::Pointer(_), .. } if is_full => {
                    n_left += 1;
                    continue;
                }
                Content::Scalar { ty, value } => {
                    let part = self.parts.part(Pointer { block: id, offset }, ty);
                    let name = part.map_or_else(|| byte(offset), |it| it.inside().to_owned());
                    (name, self.content(ty, value))
                }
                Content::Run(byte) => bytes(offset, cell.width, byte),
                Content::Opaque | Content::Moved => continue,
            };
            if let Some(part) = self.part_of(id, &name) {
                self.name_target(&content, || part);
            }
            let row = fields.last().and_then(|last| row_of(last, &name, &content));
            match (row, fields.last_mut()) {
                (Some(row), Some(last)) => last.name = row,
                _ if is_full => n_left += 1,
                _ => fields.push(Field::of(name, content)),
            }
        }
        (fields, n_left)
    }

    fn finish(self, variables: Vec<Field>, fields: Vec<(Vec<Field>, usize)>) -> Drawing {
        let lost = self.state.leaked();
        let drawn = self.order.iter().zip(fields).map(|(id, (fields, n_more))| {
            let block = self.state.memory().block(*id);
            let name = self.names.get(*id).map(str::to_owned);
            DrawnBlock {
                name: name.or_else(|| self.titles.get(id).cloned()).unwrap_or_else(|| match block
                    .kind
                {
                    MemoryKind::Static | MemoryKind::Constant => "a constant or global".to_owned(),
                    MemoryKind::Stream => "an open stream".to_owned(),
                    MemoryKind::Heap | MemoryKind::Stack | MemoryKind::Alloca | MemoryKind::Any => {
                        "a local".to_owned()
                    }
                }),
                size: block.size.to_string(),
                condition: match block.lifetime {
                    Lifetime::Ended => Condition::Gone,
                    Lifetime::Live if lost.contains(id) => Condition::Lost,
                    Lifetime::Live => Condition::Live,
                },
                fields,
                n_more,
            }
        });
        let mut blocks: Vec<DrawnBlock> = drawn.collect();
        let n_more = blocks.len().saturating_sub(MAX_BLOCKS);
        let mut variables = variables;
        if n_more > 0 {
            blocks.truncate(MAX_BLOCKS);
            let fields = blocks.iter_mut().flat_map(|block| &mut block.fields);
            for field in fields.chain(&mut variables) {
                if let FieldContent::Address(index, _) = field.content
                    && index >= MAX_BLOCKS
                {
                    field.content = FieldContent::Text("another block".to_owned());
                }
            }
        }
        Drawing { variables, blocks, n_more }
    }
}

/// What elements are called together that hold the same: `row[0..3]`, where the next one is
/// `row[4]`, are `row[0..4]` with it.
fn row_of(last: &Field, next: &str, content: &FieldContent) -> Option<String> {
    let parts = |name: &str| -> Option<(String, String)> {
        let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        Some((array.to_owned(), index.to_owned()))
    };
    let ((array, range), (other, index)) = (parts(&last.name)?, parts(next)?);
    let (first, end) = range.split_once("..").unwrap_or((&range, &range));
    let is_next = end.parse::<u64>().ok()?.checked_add(1) == index.parse().ok();
    let is_same = matches!(content, FieldContent::Text(_)) && last.content == *content;
    (array == other && is_next && is_same).then(|| format!("{array}[{first}..{index}]"))
}

/// The place of something that has no name.
fn byte(offset: i128) -> String {
    format!("byte {offset}")
}

/// Bytes that are all the same.
fn bytes(offset: i128, width: i128, content: u8) -> (String, FieldContent) {
    match width {
        1 => (byte(offset), FieldContent::Text(content.to_string())),
        width => {
            let name = format!("bytes {offset} to {}", offset + width - 1);
            (name, FieldContent::Text(format!("each {content}")))
        }
    }
}

/// The text that a block begins with, if its bytes are known up to the end of that, and a person
/// can read them.
fn whole_text(block: &MemoryBlock) -> Option<String> {
    let mut text = Vec::new();
    for (offset, cell) in block.cells() {
        if usize::try_from(offset).ok() != Some(text.len()) {
            return None;
        }
        let byte = match cell.content {
            Content::Scalar { ty: ScalarType::Int(kind), value: Value::Int(number) }
                if kind.bits == 8 =>
            {
                u8::try_from(number).ok()?
            }
            Content::Run(0) => 0,
            _ => return None,
        };
        if byte == 0 {
            return (!text.is_empty()).then(|| quoted(text.into_iter().map(Some)));
        }
        let is_readable = byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        text.push(Some(byte).filter(|_| is_readable)?);
    }
    None
}

/// The scalar that fills a block.
fn sole_scalar(block: &MemoryBlock) -> Option<(ScalarType, Value)> {
    let mut cells = block.cells();
    let (0, cell) = cells.next()? else { return None };
    match cell.content {
        Content::Scalar { ty, value } if cell.width == block.size => Some((ty, value)),
        Content::Scalar { .. } | Content::Run(_) | Content::Opaque | Content::Moved => None,
    }
}
