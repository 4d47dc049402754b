//! What the tablebases promises, in one program, because linking is what takes long.

mod endgames;
mod folders;
