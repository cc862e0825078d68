//! Words that every layer uses and that know nothing of analysis: typed
//! indices, source positions, graphs, budgets and limits.

pub mod budget;
pub mod dataflow;
pub mod effort;
pub mod graph;
pub mod limits;
pub mod source;

/// Declares a copyable index type, so that a location is never mistaken for a
/// variable.
#[macro_export]
macro_rules! typed_index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a position in a vector.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The index of the `position`-th element.
            ///
            /// # Panics
            /// Never for tables below 2^32 entries, which the budget guarantees.
            #[must_use]
            pub fn at(position: usize) -> Self {
                Self(u32::try_from(position).expect("tables stay below 2^32 entries"))
            }
        }
    };
}
