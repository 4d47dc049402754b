//! The Debian package of a release.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::{FOLDER, Release, TEXTS, TIME};
use crate::run;

/// Packs what was staged, where the target has a package and the tool is there.
pub(super) fn pack(release: &Release) -> Result<()> {
    let Some(architecture) = release.target.debian else { return Ok(()) };
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        println!("   skipped: there is no dpkg-deb here, so no Debian package is made");
        return Ok(());
    }
    let root = release.folder().with_extension("deb-root");
    let share = root.join("usr/share");
    let copy = |from: &str, to: &Path| -> Result<()> {
        fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        fs::copy(release.folder().join(from), to)?;
        Ok(())
    };
    copy("saavedra", &root.join("usr/bin/saavedra"))?;
    copy("completions/saavedra.bash", &share.join("bash-completion/completions/saavedra"))?;
    copy("completions/_saavedra", &share.join("zsh/vendor-completions/_saavedra"))?;
    copy("completions/saavedra.fish", &share.join("fish/vendor_completions.d/saavedra.fish"))?;
    for text in TEXTS {
        copy(text, &share.join("doc/saavedra").join(text))?;
    }
    for page in fs::read_dir(release.folder().join("man/man1"))? {
        let name = page?.file_name().into_string().ok().context("a page has a plain name")?;
        let page = share.join("man/man1").join(&name);
        copy(&format!("man/man1/{name}"), &page)?;
        run(Command::new("gzip").args(["-n", "-9"]).arg(page))?;
    }
    fs::create_dir_all(root.join("DEBIAN"))?;
    fs::write(root.join("DEBIAN/control"), control(&release.version, architecture))?;
    let package = format!("{FOLDER}/saavedra_{}_{architecture}.deb", release.version);
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "--build"]).arg(&root).arg(package);
    run(build.env("SOURCE_DATE_EPOCH", TIME.trim_start_matches('@')))?;
    Ok(fs::remove_dir_all(root)?)
}

fn control(version: &str, architecture: &str) -> String {
    format!(
        "Package: saavedra\nVersion: {version}\nArchitecture: {architecture}\nSection: games\nPriority: optional\n\
         Maintainer: The Saavedra authors\nDepends: libc6 (>= 2.34), libgcc-s1\n\
         Description: chess in one program\n \
         Rules, a UCI engine, opponents of any strength, matches, training and a board in the browser.\n",
    )
}
