//! What the server promises, in one program, because linking is what takes long.

mod analysis;
mod common;
mod games;
mod host;
mod manners;
mod openapi;
mod questions;
