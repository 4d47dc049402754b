//! What a hub promises: rights, garbage, workers who lie. Each test has a real nats-server of its own; where there is
//! none, it says so and passes.

#![cfg(unix)]

mod crash;
mod garbage;
mod lies;
mod rights;
mod support;
