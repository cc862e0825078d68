//! wane proves that C programs stop.

pub mod base;
pub mod ir;
pub mod c;
pub mod concrete;
pub mod logic;
pub mod numeric;
pub mod heap;
pub mod rank;
pub mod sonar;
pub mod verdict;
pub mod prove;
pub mod report;
