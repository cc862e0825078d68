//! The search for arguments that linear relations are well-founded.
//!
//! A [`RankingTemplate`] looks for affine functions at the locations of a system; what it finds
//! is a [`Certificate`], which [`check_ranking`] verifies.
//!
//! To add a template: one file here that implements [`RankingTemplate`], and
//! one line in [`well_founded`]. If it needs a new kind of argument, that is a
//! variant of [`EdgeProof`](descent::EdgeProof) and its meaning in `descent/certificate.rs`.

pub mod affine;
mod carried;
mod comparisons;
mod farkas_lp;
pub mod lexicographic;
pub mod multiphase;
pub mod splitting;
mod synthesis;

use descent::certificate::check_ranking;
use descent::{Certificate, System};

/// A family of ranking arguments that a search can explore.
pub trait RankingTemplate {
    /// What reports call it.
    fn name(&self) -> &'static str;

    /// A certificate for the whole system, if the family has one that the
    /// search finds. The certificate passes [`check_ranking`].
    fn rank(&self, system: &System) -> Option<Certificate>;
}

/// A certificate that no path of the system is infinite, by the first template
/// that has one; nothing when none was found.
#[must_use]
pub fn well_founded(system: &System) -> Option<Certificate> {
    let templates: [&dyn RankingTemplate; 3] =
        [&affine::Affine, &lexicographic::Lexicographic, &multiphase::Multiphase];
    templates.iter().find_map(|template| {
        let found = template.rank(system)?;
        check_ranking(system, &found).is_ok().then_some(found)
    })
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod refinement_tests;
