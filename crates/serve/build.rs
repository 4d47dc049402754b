//! Watches the folder of the page, so that a page built later finds its way into the binary.

use std::fs;
use std::path::Path;

fn main() {
    let page = Path::new("page");
    // A folder that does not exist cannot be watched. Where it cannot be created either, the page is missing and
    // `serve` says so.
    let _ = fs::create_dir_all(page);
    println!("cargo::rerun-if-changed=build.rs");
    if page.is_dir() {
        println!("cargo::rerun-if-changed={}", page.display());
    }
}
