//! What the doctor promises, in one program, because linking is what takes long.

mod diagnosis;
mod robustness;
