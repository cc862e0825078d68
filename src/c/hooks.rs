//! Functions that are called where others begin and return.
//!
//! A hook is a function without parameters in more text for a program. It gets the parameters of
//! the function that it watches, under the names `$1`, `$2` and so on, and what that returns, as
//! `$return`.

use wane_grammar::c::ast::{
    Attribute, Basic, Declarator, Derivation, FunctionDefinition, FunctionDerivation, Item,
    Parameter, Parameters, Specifier, Specifiers, TranslationUnit,
};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

/// A function that is called where another begins or returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The function that is watched.
    pub function: String,
    /// When the hook is called.
    pub moment: Moment,
    /// The name of the hook.
    pub procedure: String,
}

/// When a hook is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before the first statement.
    Entry,
    /// Before the function returns.
    Exit,
}

/// Gives the hooks their parameters. Hooks of functions that nothing declares stay as they are.
pub(super) fn give_parameters(unit: &mut TranslationUnit, hooks: &[Hook]) {
    for hook in hooks {
        let (Some(watched), Some(own)) =
            (unit.names.find(&hook.function), unit.names.find(&hook.procedure))
        else {
            continue;
        };
        let Some(parameters) = parameters_for(unit, watched, hook.moment) else { continue };
        let mut definitions = unit.items.iter_mut().filter_map(|item| match item {
            Item::Function(function) if function.declarator.name == Some(own) => Some(function),
            _ => None,
        });
        if let Some(Derivation::Function(head)) =
            definitions.next().and_then(|function| function.declarator.derivations.first_mut())
        {
            head.parameters = Parameters::Typed(parameters);
        }
    }
}

/// A function that is watched by a name which only stands for another function, and where it gets
/// that name. Calls by it are calls of the other one.
pub(super) fn other_name<'a>(
    unit: &'a TranslationUnit,
    hooks: &[Hook],
) -> Option<(&'a str, Place)> {
    let is_other = |word: &Specifier, name: Symbol| match word {
        Specifier::Attribute(Attribute::Alias(_)) => true,
        Specifier::AsmName(other) => !is_version(unit, other, unit.names.text(name)),
        _ => false,
    };
    let watched: Vec<Symbol> =
        hooks.iter().filter_map(|hook| unit.names.find(&hook.function)).collect();
    unit.items.iter().find_map(|item| {
        let Item::Declaration(declaration) = item else { return None };
        let declarators = declaration.declarators.iter().map(|it| &it.declarator);
        let named = declarators.filter_map(|it| Some((it.name?, it)));
        let mut watched = named.filter(|(name, _)| watched.contains(name));
        let (name, renamed) = watched.find(|(name, it)| {
            let mut words = declaration.specifiers.list.iter().chain(&it.attributes);
            words.any(|word| is_other(word, *name))
        })?;
        Some((unit.names.text(name), renamed.place))
    })
}

/// Whether the assembler's name of a function is that of one version of it, as the C library has
/// them (`__isoc99_scanf`), and no function of the program.
fn is_version(unit: &TranslationUnit, other: &str, name: &str) -> bool {
    let defines = |item: &Item| match item {
        Item::Function(function) => {
            function.declarator.name.is_some_and(|it| unit.names.text(it) == other)
        }
        _ => false,
    };
    let is_of_library = other.strip_prefix("__").is_some_and(|it| it.ends_with(name));
    is_of_library && !unit.items.iter().any(defines)
}

/// The parameters of a hook.
fn parameters_for(
    unit: &TranslationUnit,
    watched: Symbol,
    moment: Moment,
) -> Option<Vec<Parameter>> {
    let (specifiers, declarator) = declared(unit, watched)?;
    let (Derivation::Function(head), result) = declarator.derivations.split_first()? else {
        return None;
    };
    let mut parameters = named(unit, head)?;
    if let (Moment::Exit, Some(name)) = (moment, unit.names.find("$return"))
        && !(result.is_empty() && is_void(specifiers))
    {
        let declarator =
            Declarator { name: Some(name), derivations: result.to_vec(), ..Declarator::default() };
        parameters.push(Parameter { specifiers: without_storage(specifiers), declarator });
    }
    Some(parameters)
}

/// The parameters of a function by the names that hooks know them by; nothing where their types
/// stand elsewhere (K&R).
fn named(unit: &TranslationUnit, head: &FunctionDerivation) -> Option<Vec<Parameter>> {
    let parameters = match &head.parameters {
        Parameters::Typed(parameters) => parameters.as_slice(),
        Parameters::Unknown => &[],
        Parameters::Names(_) => return None,
    };
    let is_nothing =
        |it: &Parameter| it.declarator.derivations.is_empty() && is_void(&it.specifiers);
    let given = parameters.iter().filter(|it| !is_nothing(it)).enumerate();
    let renamed = given.map(|(index, parameter)| {
        let mut parameter = parameter.clone();
        parameter.declarator.name = unit.names.find(&format!("${}", index + 1));
        parameter
    });
    Some(renamed.collect())
}

/// How a function is defined, or else declared.
fn declared(unit: &TranslationUnit, name: Symbol) -> Option<(&Specifiers, &Declarator)> {
    let definition = unit.items.iter().find_map(|item| match item {
        Item::Function(FunctionDefinition { specifiers, declarator, .. })
            if declarator.name == Some(name) =>
        {
            Some((specifiers, declarator))
        }
        _ => None,
    });
    let is_function =
        |it: &Declarator| matches!(it.derivations.first(), Some(Derivation::Function(_)));
    definition.or_else(|| {
        unit.items.iter().find_map(|item| {
            let Item::Declaration(declaration) = item else { return None };
            let mut all = declaration.declarators.iter().map(|it| &it.declarator);
            let own = all.find(|it| it.name == Some(name) && is_function(it))?;
            Some((&declaration.specifiers, own))
        })
    })
}

fn is_void(specifiers: &Specifiers) -> bool {
    specifiers.list.iter().any(|word| matches!(word, Specifier::Basic(Basic::Void)))
}

/// The words that say what the type is.
fn without_storage(specifiers: &Specifiers) -> Specifiers {
    let mut kept = specifiers.clone();
    kept.list.retain(|word| {
        !matches!(word, Specifier::Storage(_) | Specifier::Inline | Specifier::Attribute(_))
    });
    kept
}
