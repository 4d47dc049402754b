//! Says which GPU there is, and whether it searches as the emulation on the CPU does:
//! `cargo run --release --example prove_gpu`.

use std::error::Error;

use saavedra_forge::{Gpu, Kernels, prove};

fn main() -> Result<(), Box<dyn Error>> {
    let gpu = Gpu::open()?;
    println!("{}", gpu.description()?);
    for kernels in Kernels::all() {
        prove(&gpu, kernels)?;
    }
    println!("it searches the same nodes as the emulation");
    Ok(())
}
