//! What the search promises, in one program, because linking is what takes long.

mod sacrifices;
mod search;
mod strength;
mod threads;
