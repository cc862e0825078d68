//! Numbers that look random.

/// From a seed (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }

    /// The same as a value.
    pub(crate) fn number(&mut self, bound: usize) -> i64 {
        i64::try_from(self.below(bound)).unwrap()
    }
}
