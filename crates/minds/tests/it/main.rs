//! What the minds promises, in one program, because linking is what takes long.

// The example minds of the classic boards are compiled into these tests, and know the crate by its full name.
extern crate classic as saavedra_classic;

mod document;
mod examples;
mod founding;
mod outside;
mod real_engines;
mod services;
mod speaking;
mod spec;
