//! What the names of links say of their direction.

/// What the name of a link says of its direction. Nothing rests on it: shapes that are proposed
/// are proved, and less is granted of links that lead back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// To where a list goes on.
    Ahead,
    /// To where a list came from.
    Back,
    /// To the owner.
    Up,
    /// To a part.
    Down,
    /// Anywhere else.
    Forth,
}

impl Sense {
    /// By words that programmers use.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let name = name.rsplit('.').next().unwrap_or(name).to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| name.contains(word));
        if says(&["prev", "back", "blink", "pred"]) {
            Self::Back
        } else if says(&["next", "forw", "flink", "succ"]) {
            Self::Ahead
        } else if says(&["parent", "owner", "father"]) || name == "up" {
            Self::Up
        } else if says(&["child", "left", "right", "kid", "sub"]) {
            Self::Down
        } else {
            Self::Forth
        }
    }
}
