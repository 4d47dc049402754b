//! What the classic boards promise, in one program, because linking is what takes long.

mod counters;
mod encodings;
mod errors;
mod exercises;
mod inspect;
mod perft;
mod services;
mod support;
mod witnesses;
