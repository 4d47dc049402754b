//! Whether every published crate can be packaged.

use anyhow::Result;

use crate::cargo;
use crate::packages::Packages;

/// Makes the packages, without building what is in them: that was built from the same files.
pub(crate) fn run() -> Result<()> {
    let packages = Packages::read()?;
    let excluded = packages.unpublished().flat_map(|name| ["--exclude", name]);
    let options = ["package", "--quiet", "--workspace", "--no-verify", "--allow-dirty"];
    cargo(&options.into_iter().chain(excluded).collect::<Vec<_>>())
}
