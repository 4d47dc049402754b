//! Whether every published crate can be packaged, with all that it needs.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::packages::Packages;
use crate::{cargo, output};

/// The server, and a file of the page that it is published with.
const SERVER: &str = "saavedra-serve";
const PAGE: &str = "page/index.html";

/// Makes the packages, without building what is in them: that was built from the same files.
pub(crate) fn run() -> Result<()> {
    let packages = Packages::read()?;
    let excluded = packages.unpublished().flat_map(|name| ["--exclude", name]);
    let options = ["package", "--quiet", "--workspace", "--no-verify", "--allow-dirty"];
    cargo(&options.into_iter().chain(excluded).collect::<Vec<_>>())?;
    check_page()
}

/// Git does not know the page, so that cargo would leave it out unless the manifest says otherwise.
fn check_page() -> Result<()> {
    if !Path::new("crates/serve").join(PAGE).exists() {
        println!("   skipped: the page is not built, so {SERVER} is packaged without it");
        return Ok(());
    }
    let files = output(Command::new("cargo").args(["package", "--list", "--allow-dirty", "--package", SERVER]))?;
    ensure!(files.lines().any(|file| file == PAGE), "{SERVER} is packaged without {PAGE}");
    Ok(())
}
