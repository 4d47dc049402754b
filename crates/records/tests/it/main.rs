//! What the records promises, in one program, because linking is what takes long.

mod eco;
mod epd;
mod openings;
mod pgn_reading;
mod pgn_writing;
mod polyglot;
mod support;
mod witness;
