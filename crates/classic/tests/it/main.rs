//! What the classic boards promises, in one program, because linking is what takes long.

mod counters;
mod encodings;
mod errors;
mod perft;
mod support;
mod witnesses;
