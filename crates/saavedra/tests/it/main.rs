//! What the binary promises, in one program, because linking is what takes long.

mod arena;
mod board;
mod color;
mod command_line;
mod common;
mod config;
mod data;
mod doctor;
mod documented;
mod evolve;
mod evolve_gpu;
mod forge;
mod log;
#[cfg(all(unix, feature = "nats"))]
mod machines;
mod minds;
mod net;
mod perft;
mod play;
mod practice;
mod rate;
mod review;
mod see;
mod serve;
mod train;
mod tree;
mod tune;
mod uci;
mod uci_check;
