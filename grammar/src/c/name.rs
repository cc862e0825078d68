//! Interned identifiers.

use std::collections::HashMap;

/// An identifier; equal identifiers of one translation unit are equal symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

impl Symbol {
    /// The symbol as a position in a vector.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The identifiers of a translation unit.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Box<str>>,
    known: HashMap<Box<str>, Symbol>,
}

impl Names {
    /// The symbol of `text`, new or known.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.known.get(text) {
            return *symbol;
        }
        let symbol = Symbol(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        self.texts.push(text.into());
        self.known.insert(text.into(), symbol);
        symbol
    }

    /// The symbol of `text`, if it occurs.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.known.get(text).copied()
    }

    /// The identifier's spelling.
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.index()).map_or("", |text| text)
    }
}
