//! Token streams, syntax trees and grammars.
