//! Watches the folder of the page, so that a page built later finds its way into the binary. It only reads.

use std::path::Path;

fn main() {
    let page = Path::new("page");
    // A folder that is not there cannot be watched, but the one in which it would appear can. Without a page the binary
    // says so.
    let watched = if page.is_dir() { page } else { Path::new(".") };
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", watched.display());
}
