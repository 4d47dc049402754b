//! One binary, one subcommand per job.

fn main() {}
