//! The library: games of any kind, searched, labelled, imported, exported and explored.

pub(crate) mod explorer;
pub(crate) mod export;
mod housekeeping;
pub(crate) mod import;
mod reading;
pub(crate) mod review;
pub(crate) mod routes;
pub(crate) mod selection;
mod view;

pub(crate) use explorer::SharedBook;
pub(crate) use housekeeping::keep_tidy;
pub(crate) use import::Imports;
pub(crate) use review::{KeptReview, keep_review};
pub(crate) use routes::tree;
