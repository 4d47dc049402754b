//! What the tablebases promise, in one program, because linking is what takes long.

mod endgames;
