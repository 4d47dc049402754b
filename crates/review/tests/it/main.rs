//! What the review promises, in one program, because linking is what takes long.

mod claims;
mod common;
mod ladder;
mod reviews;
mod trace;
