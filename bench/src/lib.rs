//! Measurements of the rules, for the reports that the project publishes.

pub mod see;
