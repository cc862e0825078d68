//! Ranking.
pub mod certificate;
