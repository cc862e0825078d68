//! `--shard I/N`: a part of the work, for one of several machines.

use sha2::{Digest as _, Sha256};
use std::str::FromStr;

/// One part of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Its number, from 1.
    number: u64,
    /// How many there are.
    n_all: u64,
    unit: Unit,
}

/// What is not divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A function, or a program with one entry: parts are about as large.
    Function,
    /// All functions of a file: a change of one file concerns few parts.
    File,
}

impl Shard {
    /// Its number and how many there are.
    pub(crate) fn of_all(self) -> (u64, u64) {
        (self.number, self.n_all)
    }

    /// The same part, where files are not divided.
    pub(crate) fn of_files(self) -> Self {
        Self { unit: Unit::File, ..self }
    }

    /// All parts of so many, where files are not divided.
    pub(crate) fn all_of_files(n_all: u16) -> impl Iterator<Item = Self> {
        let n_all = u64::from(n_all);
        (1..=n_all).map(move |number| Self { number, n_all, unit: Unit::File })
    }

    /// What is not divided.
    pub(crate) fn unit(self) -> Unit {
        self.unit
    }

    /// Whether the program, function or file of this name belongs to it: by the name alone, so that
    /// all machines agree and other names change nothing.
    pub(crate) fn takes(self, name: &str) -> bool {
        let digest = Sha256::digest(name.as_bytes());
        let number = digest.iter().take(8).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        number % self.n_all + 1 == self.number
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected I/N, such as 2/8, with I from 1 to N".to_owned();
        let (number, n_all) = text.split_once('/').ok_or_else(expected)?;
        let [number, n_all] = [number, n_all].map(|it| it.trim().parse::<u64>().ok());
        match (number, n_all) {
            (Some(number), Some(n_all)) if (1..=n_all).contains(&number) => {
                Ok(Self { number, n_all, unit: Unit::Function })
            }
            _ => Err(expected()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn each_name_belongs_to_one_shard() {
        let shards: Vec<Shard> =
            (1..=5).map(|it| format!("{it}/5").parse()).collect::<Result<_, _>>().expect("shards");
        let mut n_names = [0; 5];
        for name in (0..500).map(|it| format!("function_{it} of a.c")) {
            let own: Vec<usize> = (0..5).filter(|it| shards[*it].takes(&name)).collect();
            assert_eq!(own.len(), 1, "{name}");
            n_names[own[0]] += 1;
        }
        assert!(n_names.iter().all(|n| (60..140).contains(n)), "{n_names:?}");
        for wrong in ["", "1", "0/4", "5/4", "1/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
