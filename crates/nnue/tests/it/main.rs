//! What the network promises, in one program, because linking is what takes long.

mod accumulators;
mod files;
