//! How the answer to a question is made of answers about obligations: data, which is interpreted
//! here and nowhere else.

use verdict::Verdict;

/// What is known of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
    /// Nothing.
    Open,
}

/// What the answer to an obligation means for what the obligation was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implication {
    /// It is the answer.
    Equivalent,
    /// A proof is a proof: all runs that count are runs of the obligation's program. A
    /// run against the obligation means nothing.
    Sound,
    /// A refutation is a refutation: all runs of the obligation's program count. A proof
    /// means nothing.
    Complete,
}

/// A question in terms of others. What decides comes first where there is a choice: parts are
/// asked in their order, and none once the whole is decided.
#[derive(Clone, Debug)]
pub enum Combination<A> {
    /// One that is asked, and what its answer means.
    Ask(A, Implication),
    /// Whether all hold.
    All(Vec<Self>),
    /// Whether one holds.
    Any(Vec<Self>),
    /// Whether it does not hold.
    Not(Box<Self>),
}

impl Truth {
    /// What a verdict says of its obligation.
    #[must_use]
    pub fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Proved(_) => Self::Holds,
            Verdict::Refuted(_) | Verdict::Violated(_) => Self::Fails,
            Verdict::Unknown(_) => Self::Open,
        }
    }

    /// What is known of the negation.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Holds => Self::Fails,
            Self::Fails => Self::Holds,
            Self::Open => Self::Open,
        }
    }
}

impl Implication {
    /// What is known, if so much is known of the obligation.
    #[must_use]
    pub fn carried(self, truth: Truth) -> Truth {
        match (self, truth) {
            (Self::Equivalent, truth) => truth,
            (Self::Sound, Truth::Holds) => Truth::Holds,
            (Self::Complete, Truth::Fails) => Truth::Fails,
            (Self::Sound | Self::Complete, _) => Truth::Open,
        }
    }
}

/// What is known of a whole, with what was said of the part that decides it; or why there is no
/// answer.
type Decided<T, E> = Result<(Truth, Option<T>), E>;

/// Says of a part what is known of it, and more.
type Asker<'a, A, T, E> = dyn FnMut(&A) -> Result<(Truth, T), E> + 'a;

impl<A> Combination<A> {
    /// What is known of the whole, by what `ask` says of parts. With it comes what was said of the
    /// part that decides it; where it stays open, of the first that is open. Nothing comes with
    /// what has no parts.
    ///
    /// # Errors
    /// The first one of `ask`.
    pub fn decided<T, E>(&self, ask: &mut Asker<'_, A, T, E>) -> Decided<T, E> {
        match self {
            Self::Ask(what, means) => {
                let (truth, said) = ask(what)?;
                Ok((means.carried(truth), Some(said)))
            }
            Self::Not(part) => {
                let (truth, said) = part.decided(ask)?;
                Ok((truth.negated(), said))
            }
            Self::All(parts) => decided_by(Truth::Fails, parts, ask),
            Self::Any(parts) => decided_by(Truth::Holds, parts, ask),
        }
    }
}

/// One part decides the whole, if it is so; else all must be the opposite.
fn decided_by<A, T, E>(
    settles: Truth,
    parts: &[Combination<A>],
    ask: &mut Asker<'_, A, T, E>,
) -> Decided<T, E> {
    let (mut whole, mut reason) = (settles.negated(), None);
    for part in parts {
        let (truth, said) = part.decided(ask)?;
        if truth == settles {
            return Ok((truth, said));
        }
        if whole != Truth::Open {
            (whole, reason) = (truth, said);
        }
    }
    Ok((whole, reason))
}

#[cfg(test)]
mod tests {
    use super::Truth::{Fails, Holds, Open};
    use super::{Combination, Implication, Truth};
    use std::convert::Infallible;

    const ALL: [Truth; 3] = [Holds, Fails, Open];

    fn ask(truth: Truth) -> Combination<Truth> {
        Combination::Ask(truth, Implication::Equivalent)
    }

    /// What is known of the whole, and the parts that were asked.
    fn outcome(whole: &Combination<Truth>) -> (Truth, Option<Truth>, Vec<Truth>) {
        let mut asked = Vec::new();
        let decided = whole.decided(&mut |truth| {
            asked.push(*truth);
            Ok::<_, Infallible>((*truth, *truth))
        });
        let Ok((truth, said)) = decided;
        (truth, said, asked)
    }

    #[test]
    fn a_part_settles_the_whole() {
        for left in ALL {
            for right in ALL {
                let all = outcome(&Combination::All(vec![ask(left), ask(right)]));
                let expected = match (left, right) {
                    (Fails, _) | (_, Fails) => Fails,
                    (Holds, Holds) => Holds,
                    _ => Open,
                };
                assert_eq!(all.0, expected, "{left:?} and {right:?}");
                assert_eq!(all.2.len(), if left == Fails { 1 } else { 2 });
                let [no_left, no_right] =
                    [left, right].map(|it| Combination::Not(Box::new(ask(it.negated()))));
                let same = outcome(&Combination::All(vec![no_left, no_right]));
                assert_eq!(same.0, expected);
                let [other, another] = [left, right].map(|it| ask(it.negated()));
                let any = outcome(&Combination::Any(vec![other, another]));
                assert_eq!(any.0, expected.negated(), "de Morgan: {left:?}, {right:?}");
            }
        }
    }

    #[test]
    fn what_is_said_is_of_the_part_that_decides() {
        let said = |parts: [Truth; 3]| outcome(&Combination::All(parts.map(ask).to_vec())).1;
        assert_eq!(said([Holds, Open, Fails]), Some(Fails));
        assert_eq!(said([Holds, Open, Holds]), Some(Open));
        assert_eq!(said([Holds, Holds, Holds]), Some(Holds));
        assert_eq!(outcome(&Combination::All(Vec::new())).0, Holds);
        assert_eq!(outcome(&Combination::Any(Vec::new())).0, Fails);
    }

    #[test]
    fn an_implication_carries_one_answer() {
        for truth in ALL {
            assert_eq!(Implication::Equivalent.carried(truth), truth);
            let [sound, complete] =
                [Implication::Sound, Implication::Complete].map(|it| it.carried(truth));
            assert_eq!(sound, if truth == Holds { Holds } else { Open });
            assert_eq!(complete, if truth == Fails { Fails } else { Open });
            let weak = outcome(&Combination::Ask(truth, Implication::Sound));
            assert_eq!(weak.0, sound);
        }
    }
}
