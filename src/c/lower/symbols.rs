//! What the text of files says before anything is lowered: which names a linker would find,
//! and where a program without `main` can be entered.

use std::collections::{BTreeMap, BTreeSet};

use wane_grammar::c::ast::{
    Attribute, Declaration, Declarator, Derivation, FunctionDefinition, Item, Specifier, Storage,
};
use wane_grammar::c::name::Symbol;

use super::address_taken::Taken;
use super::source::Source;
use crate::parsed::Files;
use base::source::Span;

/// The names of one file that linking is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// The functions and variables that it defines for all files.
    pub defined: BTreeSet<String>,
    /// The names outside of functions that it mentions.
    pub mentioned: BTreeSet<String>,
}

/// A function where a program without `main` can be entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// Its name for [`Options::entry`](crate::Options::entry).
    pub name: String,
    /// Its name in the program.
    pub function: String,
    /// The file that it is defined in, as the user named it.
    pub file: String,
    /// The file that holds its text: the same, or one that the same includes.
    pub holder: String,
    /// Its place there.
    pub span: Span,
}

/// The names of all files of a program together.
pub(crate) fn symbols(program: &Files) -> Symbols {
    let mut symbols = Symbols::default();
    for file in files(program) {
        let own = FileNames::of(file);
        let text = |name: &Symbol| program.unit.names.text(*name).to_owned();
        symbols.defined.extend(own.defined.iter().map(text));
        symbols.mentioned.extend(own.mentioned.keys().map(text));
    }
    symbols
}

/// Whether one of the files defines `main` for all.
pub(crate) fn defines_main(program: &Files) -> bool {
    let Some(main) = program.unit.names.find("main") else { return false };
    let defines = |file: &[Item]| {
        file.iter().any(|item| defined_names(item).any(|name| name == main))
            && !file.iter().any(|item| internal_names(item).contains(&main))
    };
    files(program).any(defines)
}

/// Which functions are entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entries {
    /// Those that other programs can call, and those that nothing in their own file mentions.
    Callable,
    /// All that a file defines.
    All,
}

/// The functions where a program can be entered, in the order of the text. Functions of headers
/// are a matter of those that call them.
pub(crate) fn entry_points(program: &Files, entries: Entries) -> Vec<EntryPoint> {
    let source = Source::new(program);
    let mut found: Vec<EntryPoint> = Vec::new();
    // A name of several functions says which file it is of, whether or not all are entered.
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for (file, own_name) in files(program).zip(&program.names) {
        let names = FileNames::of(file);
        for function in file.iter().filter_map(definition) {
            let place = function.declarator.place;
            let Some(name) = function.declarator.name else { continue };
            *count.entry(source.name(name).to_owned()).or_default() += 1;
            let span = source.span(place);
            let is_own = source.is_users(place) && !source.file(span).ends_with(".h");
            let is_callable = entries == Entries::All
                || names.defined.contains(&name)
                || !names.is_mentioned_elsewhere(name);
            if is_own && is_callable {
                let function = source.name(name).to_owned();
                let (name, file) = (function.clone(), own_name.clone());
                let holder = source.file(span).to_owned();
                found.push(EntryPoint { name, function, file, holder, span });
            }
        }
    }
    for entry in found.iter_mut().filter(|entry| count[&entry.function] > 1) {
        entry.name = format!("{}:{}", entry.file, entry.function);
    }
    found
}

/// The items of the files, without those of the models.
fn files(program: &Files) -> impl Iterator<Item = &[Item]> {
    program.unit.items.split(|item| matches!(item, Item::EndOfFile(_))).skip(1)
}

fn definition(item: &Item) -> Option<&FunctionDefinition> {
    match item {
        Item::Function(function) => Some(function),
        Item::Declaration(_) | Item::Asm(..) | Item::EndOfFile(_) => None,
    }
}

/// The names of one file.
#[derive(Default)]
struct FileNames {
    /// Functions and variables with external linkage that it defines.
    defined: BTreeSet<Symbol>,
    /// Mentioned names, and by which functions; `None` is an initial value.
    mentioned: BTreeMap<Symbol, BTreeSet<Option<Symbol>>>,
}

impl FileNames {
    fn of(file: &[Item]) -> Self {
        let mut names = Self::default();
        let mut internal: BTreeSet<Symbol> = file.iter().flat_map(internal_names).collect();
        for name in file.iter().flat_map(external_names) {
            internal.remove(&name);
        }
        for item in file {
            let by = definition(item).and_then(|function| function.declarator.name);
            for name in Taken::of([item]).mentioned() {
                names.mentioned.entry(name).or_default().insert(by);
            }
            names.defined.extend(defined_names(item).filter(|name| !internal.contains(name)));
        }
        names
    }

    /// Whether a function is mentioned outside of itself.
    fn is_mentioned_elsewhere(&self, function: Symbol) -> bool {
        let by = self.mentioned.get(&function);
        by.is_some_and(|by| by.iter().any(|it| *it != Some(function)))
    }
}

/// The names that a file keeps for itself: what is static, and inline functions that are
/// not declared to be there for others.
fn internal_names(item: &Item) -> Vec<Symbol> {
    let (words, declarators): (&[Specifier], Vec<&Declarator>) = match item {
        Item::Declaration(declaration) => {
            (&declaration.specifiers.list, declarators(declaration).collect())
        }
        Item::Function(function) => (&function.specifiers.list, vec![&function.declarator]),
        Item::Asm(..) | Item::EndOfFile(_) => return Vec::new(),
    };
    let has =
        |storage| words.iter().any(|it| matches!(it, Specifier::Storage(it) if *it == storage));
    let is_inline = words.iter().any(|it| matches!(it, Specifier::Inline));
    if has(Storage::Static) || is_inline && !has(Storage::Extern) {
        declarators.iter().filter_map(|declarator| declarator.name).collect()
    } else {
        Vec::new()
    }
}

/// The functions that an item declares to be there for others: that makes their inline
/// definition one for all files.
fn external_names(item: &Item) -> Vec<Symbol> {
    let Item::Declaration(declaration) = item else { return Vec::new() };
    let is_inner =
        |word: &Specifier| matches!(word, Specifier::Storage(Storage::Static | Storage::Typedef));
    let words = &declaration.specifiers.list;
    let is_extern = words.iter().any(|it| matches!(it, Specifier::Storage(Storage::Extern)));
    let is_inline = words.iter().any(|it| matches!(it, Specifier::Inline));
    if words.iter().any(is_inner) || is_inline && !is_extern {
        return Vec::new();
    }
    let functions = declarators(declaration).filter(|it| is_function(it));
    functions.filter_map(|declarator| declarator.name).collect()
}

/// The functions and variables that an item defines, those among them that are other names.
fn defined_names(item: &Item) -> impl Iterator<Item = Symbol> {
    let function = definition(item).and_then(|function| function.declarator.name);
    let declared = match item {
        Item::Declaration(declaration) => {
            Some(defined_variables(declaration).chain(aliases(declaration)))
        }
        _ => None,
    };
    function.into_iter().chain(declared.into_iter().flatten())
}

/// What a declaration makes another name of something.
fn aliases(declaration: &Declaration) -> impl Iterator<Item = Symbol> {
    let is_alias = |word: &Specifier| matches!(word, Specifier::Attribute(Attribute::Alias(_)));
    let all = declaration.specifiers.list.iter().any(is_alias);
    let named = declarators(declaration)
        .filter(move |declarator| all || declarator.attributes.iter().any(is_alias));
    named.filter_map(|declarator| declarator.name)
}

fn is_function(declarator: &Declarator) -> bool {
    matches!(declarator.derivations.first(), Some(Derivation::Function(_)))
}

fn defined_variables(declaration: &Declaration) -> impl Iterator<Item = Symbol> {
    let words = &declaration.specifiers.list;
    let is_type = words.iter().any(|it| matches!(it, Specifier::Storage(Storage::Typedef)));
    let is_extern = words.iter().any(|it| matches!(it, Specifier::Storage(Storage::Extern)));
    let items = declaration.declarators.iter().filter(move |item| {
        !is_type && !is_function(&item.declarator) && (!is_extern || item.initializer.is_some())
    });
    items.filter_map(|item| item.declarator.name)
}

fn declarators(declaration: &Declaration) -> impl Iterator<Item = &Declarator> {
    declaration.declarators.iter().map(|item| &item.declarator)
}
