//! What the rules promises, in one program, because linking is what takes long.

mod game;
mod instructions;
mod notation;
mod perft;
mod perft_deep;
mod properties;
mod san_bytes;
mod see;
#[cfg(feature = "serde")]
mod serde;
