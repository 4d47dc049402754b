//! What the engine crate promises, in one program, because linking is what takes long.

mod common;
mod every_engine;
mod minds;
mod session;
