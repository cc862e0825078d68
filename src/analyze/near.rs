//! What a name that is none may have been meant to be.

/// The name that is most like an unknown one, as a question behind what is said of that; nothing
/// if none is.
#[must_use]
pub fn did_you_mean<'a>(unknown: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let measured = names.into_iter().map(|it| (strsim::damerau_levenshtein(it, unknown), it));
    let alike = measured.filter(|(distance, it)| *distance > 0 && *distance <= 1 + it.len() / 4);
    alike.min().map_or_else(String::new, |(_, name)| format!("; did you mean `{name}`?"))
}
