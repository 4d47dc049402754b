//! The tests of the server, in one program, because linking takes long.

mod analysis;
mod common;
mod games;
mod library;
mod openapi;
mod practice;
mod robustness;
mod routes;
mod schema;
mod stored;
mod test_server;
