//! What the trainer promises, in one program, because linking is what takes long.

mod learning;
mod pairwise;
mod session;
