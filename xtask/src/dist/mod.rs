//! `cargo xtask dist`: what is given to people who do not compile: archives, Debian packages, lists of what is in them,
//! and their checksums.
//!
//! A binary is built for every CPU of its kind and knows no path of this machine. Names, times and owners in the
//! archives are fixed, so that two builds of one commit are the same bytes.

mod check;
mod debian;
mod debian_check;
mod sbom;
mod target;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::{output, run, web};
use target::{TARGETS, Target};

const FOLDER: &str = "target/dist";
/// Builds of their own, because their flags differ from those of the usual ones.
const BUILDS: &str = "target/dist-build";
/// What lies beside the program.
const TEXTS: [&str; 6] =
    ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt", "sbom.cdx.json"];
const SHELLS: [(&str, &str); 4] =
    [("bash", "saavedra.bash"), ("zsh", "_saavedra"), ("fish", "saavedra.fish"), ("powershell", "_saavedra.ps1")];
/// The time of every file: one day after the epoch, because some tools take zero for none.
const TIME: &str = "@86400";

/// Builds for this kind of machine, for the targets that are named, or for `all`.
pub(crate) fn run_for(words: &[&str]) -> Result<()> {
    let named = words.iter().copied().filter(|word| !["--check", "all"].contains(word));
    let mut targets = named.map(Target::named).collect::<Result<Vec<_>>>()?;
    if words.contains(&"all") {
        targets = TARGETS.to_vec();
    } else if targets.is_empty() {
        let host = crate::host()?;
        targets.extend(TARGETS.into_iter().filter(|target| target.triple == host));
    }
    if targets.is_empty() {
        bail!("there are no releases for this kind of machine: name one of those that `cargo xtask` lists");
    }
    if let Err(error) = web::build() {
        bail!("a release has the page inside: {error:#}");
    }
    let _ = fs::remove_dir_all(FOLDER);
    fs::create_dir_all(FOLDER)?;
    let is_checked = words.contains(&"--check");
    let mut findings = check::Findings::default();
    for target in targets {
        let release = Release::build(target)?;
        if is_checked && target.is_of_this_machine() && !target.is_static {
            release.build_again()?;
        }
        release.stage()?;
        release.archive()?;
        debian::pack(&release)?;
        if is_checked {
            check::unpack_and_use(&release, &mut findings)?;
        }
        fs::remove_dir_all(release.folder())?;
    }
    if is_checked {
        findings.print();
    }
    write_checksums()
}

/// The program for one kind of machine.
struct Release {
    target: Target,
    version: String,
    binary: PathBuf,
}

impl Release {
    fn build(target: Target) -> Result<Release> {
        println!("== {}", target.name);
        Release::compile(target)
    }

    /// Builds once more from nothing: two builds of one commit are the same bytes.
    fn build_again(&self) -> Result<()> {
        let first = fs::read(&self.binary)?;
        let folder = Path::new(BUILDS).join(self.target.name).join(self.target.triple);
        fs::remove_dir_all(&folder)?;
        Release::compile(self.target)?;
        ensure!(fs::read(&self.binary)? == first, "two builds for {} differ", self.target.name);
        println!("   built twice, the same bytes");
        Ok(())
    }

    fn compile(target: Target) -> Result<Release> {
        let root = std::env::current_dir()?;
        let home =
            std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")))?;
        let mut flags = vec![
            format!("--remap-path-prefix={}=saavedra", root.display()),
            format!("--remap-path-prefix={home}=cargo"),
        ];
        if target.is_static {
            flags.push("-Ctarget-feature=+crt-static".to_owned());
        }
        // Two targets may be one to the compiler.
        let folder = Path::new(BUILDS).join(target.name);
        let mut build = Command::new("cargo");
        build.args(["build", "--release", "--locked", "--package", "saavedra", "--target", target.triple]);
        target.prepare(&mut build, &folder)?;
        // The code in C must not name folders either.
        let mapped = format!("-ffile-prefix-map={}=saavedra -ffile-prefix-map={home}=cargo", root.display());
        run(build.arg("--target-dir").arg(&folder).env("RUSTFLAGS", flags.join(" ")).env("CFLAGS", mapped))?;
        let binary = folder.join(target.triple).join("release").join(target.binary());
        let manifest: toml::Table = fs::read_to_string("Cargo.toml")?.parse()?;
        let version = manifest["workspace"]["package"]["version"].as_str().context("the workspace has no version")?;
        Ok(Release { target, version: version.to_owned(), binary })
    }

    fn name(&self) -> String {
        format!("saavedra-{}-{}", self.version, self.target.name)
    }

    fn folder(&self) -> PathBuf {
        Path::new(FOLDER).join(self.name())
    }

    /// The program, or where that cannot be run here, the same program for this machine: it prints the same texts.
    fn command(&self) -> Result<Command> {
        if let Some(command) = self.target.command(&self.binary) {
            return Ok(command);
        }
        let mut command = Command::new("cargo");
        command.args(["run", "--quiet", "--release", "--package", "saavedra", "--"]);
        Ok(command)
    }

    /// Lays out the files of the archive.
    fn stage(&self) -> Result<()> {
        let folder = self.folder();
        fs::create_dir_all(folder.join("completions"))?;
        for text in TEXTS {
            match text {
                "sbom.cdx.json" => sbom::write(self.target, &folder.join(text))?,
                "THIRD-PARTY.txt" => drop(fs::copy("crates/saavedra/THIRD-PARTY.txt", folder.join(text))?),
                _ => drop(fs::copy(text, folder.join(text))?),
            }
        }
        fs::copy(&self.binary, folder.join(self.target.binary()))?;
        for (shell, file) in SHELLS {
            let script = output(self.command()?.args(["completions", shell]))?;
            fs::write(folder.join("completions").join(file), script)?;
        }
        run(self.command()?.arg("man").arg(folder.join("man/man1")))
    }

    /// The file that everything is packed into.
    fn archive_file(&self) -> String {
        format!("{}.{}", self.name(), if self.target.is_windows() { "zip" } else { "tar.gz" })
    }

    fn archive(&self) -> Result<()> {
        if self.target.is_windows() {
            let touch = ["-exec", "touch", "--date", TIME, "{}", "+"];
            run(Command::new("find").arg(self.folder()).args(touch))?;
            // Sorted, and without what differs from system to system.
            let pack = format!(
                "find {0} -type f | LC_ALL=C sort | TZ=UTC zip -q -9 -X {1} -@",
                self.name(),
                self.archive_file()
            );
            return run(Command::new("sh").args(["-c", &pack]).current_dir(FOLDER));
        }
        let mut tar = Command::new("tar");
        tar.args(["--create", "--sort=name", "--mtime", TIME, "--owner=0", "--group=0", "--numeric-owner"]);
        tar.args(["--mode=u+rw,go+r-w", "--use-compress-program", "gzip -n -9", "--file", &self.archive_file()]);
        run(tar.arg(self.name()).current_dir(FOLDER))
    }
}

fn write_checksums() -> Result<()> {
    let mut files: Vec<String> = Vec::new();
    for entry in fs::read_dir(FOLDER)? {
        files.push(entry?.file_name().into_string().ok().context("a file has a plain name")?);
    }
    files.sort();
    let sums = output(Command::new("sha256sum").args(&files).current_dir(FOLDER))?;
    print!("{sums}");
    Ok(fs::write(Path::new(FOLDER).join("SHA256SUMS"), sums)?)
}
