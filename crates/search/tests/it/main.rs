//! What the search promises, in one program, because linking is what takes long.

mod search;
mod strength;
mod threads;
