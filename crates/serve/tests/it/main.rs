//! The tests of the server, in one program, because linking takes long.

mod analysis;
mod common;
mod games;
mod openapi;
mod robustness;
mod routes;
mod schema;
mod test_server;
