//! Installs a Debian package in a folder of its own, uses what it brought, and removes it again.
//!
//! Nothing of this system changes, and no rights are needed: dpkg is told of another root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::check::Findings;
use super::{FOLDER, Release, debian};
use crate::{output, run};

/// Installs the package of a release, if it has one, and purges it.
pub(super) fn install_and_purge(release: &Release, findings: &mut Findings) -> Result<()> {
    let Some(architecture) = release.target.debian else { return Ok(()) };
    let package = debian::file(release, architecture);
    if !Path::new(&package).exists() {
        findings.skip(format!("no Debian package was made of {}", release.target.name));
        return Ok(());
    }
    let root = std::path::absolute(Path::new(FOLDER).join("deb-check"))?;
    let system = System { root: root.clone() };
    for folder in ["updates", "info"] {
        fs::create_dir_all(root.join("var/lib/dpkg").join(folder))?;
    }
    fs::write(root.join("var/lib/dpkg/status"), "")?;
    system.dpkg(&["--install", &package])?;
    if release.target.is_of_this_machine() {
        let version = output(Command::new(root.join("usr/bin/saavedra")).arg("--version"))?;
        ensure!(version.contains(&release.version), "the installed program calls itself {version}");
    }
    system.show_page("saavedra-match", findings)?;
    system.complete()?;
    system.dpkg(&["--purge", "saavedra"])?;
    let left = files(&root)?;
    let left: Vec<&PathBuf> = left.iter().filter(|path| !path.starts_with(root.join("var"))).collect();
    ensure!(left.is_empty(), "after the purge there are still {left:?}");
    println!("   the Debian package: installed, page shown, command completed, purged");
    Ok(fs::remove_dir_all(root)?)
}

/// A folder that dpkg takes for a system.
struct System {
    root: PathBuf,
}

impl System {
    fn dpkg(&self, words: &[&str]) -> Result<()> {
        // The folder has no other packages, so what ours depends on is not there.
        let mut dpkg = Command::new("dpkg");
        dpkg.arg("--root").arg(&self.root);
        for force in ["not-root", "depends", "architecture", "bad-path"] {
            dpkg.arg(format!("--force-{force}"));
        }
        dpkg.arg(format!("--log={}", self.root.join("var/dpkg.log").display())).args(words);
        run(&mut dpkg)
    }

    /// Lets `man` look for a page and set it.
    fn show_page(&self, page: &str, findings: &mut Findings) -> Result<()> {
        let mut man = Command::new("man");
        man.arg("--manpath").arg(self.root.join("usr/share/man")).args(["--pager=cat", page]);
        if Command::new("man").arg("--version").output().is_err() {
            findings.skip("there is no man to show a page".to_owned());
            return Ok(());
        }
        let shown = output(man.env("MANWIDTH", "100"))?;
        ensure!(shown.contains("SYNOPSIS") && shown.contains("saavedra"), "man {page} shows {shown}");
        Ok(())
    }

    /// Lets bash complete a word as it would at its prompt.
    fn complete(&self) -> Result<()> {
        let script = self.root.join("usr/share/bash-completion/completions/saavedra");
        let ask = "source \"$1\"; COMP_WORDS=(saavedra tourn); COMP_CWORD=1; \
                   _saavedra saavedra tourn saavedra; echo \"${COMPREPLY[@]}\"";
        let offered = output(Command::new("bash").args(["--norc", "-c", ask, "bash"]).arg(script))?;
        ensure!(offered.trim() == "tournament", "bash completes tourn to {offered:?}");
        Ok(())
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    Ok(found)
}
