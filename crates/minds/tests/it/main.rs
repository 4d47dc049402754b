//! What the minds promises, in one program, because linking is what takes long.

mod document;
mod examples;
mod founding;
mod outside;
mod real_engines;
mod speaking;
mod spec;
