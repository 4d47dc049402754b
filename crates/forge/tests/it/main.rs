//! What the forge promises, in one program, because linking is what takes long.

mod gpu;
