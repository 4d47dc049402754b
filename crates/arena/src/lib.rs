//! Minds meet: matches, tournaments, SPRT, ratings and tuning, resumable at any moment.

pub mod plot;
pub mod statistics;
