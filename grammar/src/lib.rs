//! Token streams, syntax trees and grammars.

pub mod c;
