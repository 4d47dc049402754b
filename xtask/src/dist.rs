//! `cargo xtask dist`: what is given to people who do not compile: an archive, a Debian package, and their checksums.
//!
//! The binary is built for every CPU of its kind and knows no path of this machine. Names, times and owners in the
//! archives are fixed; still, builds in different folders differ, because the binaries do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::{host, output, run, web};

const FOLDER: &str = "target/dist";
/// Builds of their own, because their flags differ from those of the usual ones.
const BUILDS: &str = "target/dist-build";
const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
const SHELLS: [(&str, &str); 4] =
    [("bash", "saavedra.bash"), ("zsh", "_saavedra"), ("fish", "saavedra.fish"), ("powershell", "_saavedra.ps1")];
/// The time of every file: one day after the epoch, because some tools take zero for none.
const TIME: &str = "@86400";

/// Builds for this kind of machine or for the targets that are named.
pub(crate) fn run_for(words: &[&str]) -> Result<()> {
    if let Err(error) = web::build() {
        bail!("a release has the page inside: {error:#}");
    }
    let host = host()?;
    let is_check = words.contains(&"--check");
    let named: Vec<&str> = words.iter().copied().filter(|word| *word != "--check").collect();
    let targets = if named.is_empty() { vec![host.as_str()] } else { named };
    let _ = fs::remove_dir_all(FOLDER);
    fs::create_dir_all(FOLDER)?;
    for target in targets {
        let release = Release::build(target)?;
        release.stage()?;
        release.archive()?;
        release.debian_package()?;
        if is_check {
            release.check()?;
        }
        fs::remove_dir_all(release.folder())?;
    }
    write_checksums()
}

/// The program for one kind of machine.
struct Release<'a> {
    target: &'a str,
    version: String,
    binary: PathBuf,
}

impl<'a> Release<'a> {
    fn build(target: &'a str) -> Result<Release<'a>> {
        println!("== {target}");
        let root = std::env::current_dir()?;
        let home =
            std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")))?;
        let flags = format!("--remap-path-prefix={}=saavedra --remap-path-prefix={home}=cargo", root.display());
        let mut build = Command::new("cargo");
        build.args(["build", "--release", "--locked", "--package", "saavedra", "--target", target]);
        run(build.args(["--target-dir", BUILDS]).env("RUSTFLAGS", flags))?;
        let name = if target.contains("windows") { "saavedra.exe" } else { "saavedra" };
        let binary = Path::new(BUILDS).join(target).join("release").join(name);
        let manifest: toml::Table = fs::read_to_string("Cargo.toml")?.parse()?;
        let version = manifest["workspace"]["package"]["version"].as_str().context("the workspace has no version")?;
        Ok(Release { target, version: version.to_owned(), binary })
    }

    fn name(&self) -> String {
        format!("saavedra-{}-{}", self.version, self.target)
    }

    fn folder(&self) -> PathBuf {
        Path::new(FOLDER).join(self.name())
    }

    /// The binary as it can be run here: by itself, or by an emulator.
    fn command(&self, binary: &Path) -> Result<Command> {
        let (machine, here) = (self.target.split('-').next().unwrap_or_default(), std::env::consts::ARCH);
        if machine == here {
            return Ok(Command::new(binary));
        }
        ensure!(self.target.contains("linux"), "{} cannot be run here", self.target);
        let mut command = Command::new(format!("qemu-{machine}"));
        command.args(["-L", &format!("/usr/{machine}-linux-gnu")]).arg(binary);
        Ok(command)
    }

    /// Lays out the files of the archive.
    fn stage(&self) -> Result<()> {
        let folder = self.folder();
        fs::create_dir_all(folder.join("completions"))?;
        for text in TEXTS {
            fs::copy(text, folder.join(text))?;
        }
        fs::copy("crates/saavedra/THIRD-PARTY.txt", folder.join("THIRD-PARTY.txt"))?;
        fs::copy(&self.binary, folder.join(self.binary.file_name().context("the binary has a name")?))?;
        for (shell, file) in SHELLS {
            let script = output(self.command(&self.binary)?.args(["completions", shell]))?;
            fs::write(folder.join("completions").join(file), script)?;
        }
        run(self.command(&self.binary)?.arg("man").arg(folder.join("man/man1")))
    }

    fn archive(&self) -> Result<()> {
        let archive = format!("{FOLDER}/{}.tar.gz", self.name());
        let mut tar = Command::new("tar");
        tar.args(["--create", "--sort=name", "--mtime", TIME, "--owner=0", "--group=0", "--numeric-owner"]);
        tar.args(["--mode=u+rw,go+r-w", "--use-compress-program", "gzip -n -9", "--file", &archive]);
        run(tar.args(["--directory", FOLDER, &self.name()]))
    }

    /// A Debian package, where the target has some and the tool is there.
    fn debian_package(&self) -> Result<()> {
        let architecture = match self.target {
            "x86_64-unknown-linux-gnu" => "amd64",
            "aarch64-unknown-linux-gnu" => "arm64",
            _ => return Ok(()),
        };
        if Command::new("dpkg-deb").arg("--version").output().is_err() {
            println!("   skipped: there is no dpkg-deb here, so no Debian package is made");
            return Ok(());
        }
        let root = self.folder().with_extension("deb-root");
        let share = root.join("usr/share");
        let copy = |from: &str, to: PathBuf| -> Result<()> {
            fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
            fs::copy(self.folder().join(from), to)?;
            Ok(())
        };
        copy("saavedra", root.join("usr/bin/saavedra"))?;
        copy("completions/saavedra.bash", share.join("bash-completion/completions/saavedra"))?;
        copy("completions/_saavedra", share.join("zsh/vendor-completions/_saavedra"))?;
        copy("completions/saavedra.fish", share.join("fish/vendor_completions.d/saavedra.fish"))?;
        for text in TEXTS.into_iter().chain(["THIRD-PARTY.txt"]) {
            copy(text, share.join("doc/saavedra").join(text))?;
        }
        for page in fs::read_dir(self.folder().join("man/man1"))? {
            let name = page?.file_name().into_string().ok().context("a page has a plain name")?;
            copy(&format!("man/man1/{name}"), share.join("man/man1").join(&name))?;
            run(Command::new("gzip").args(["-n", "-9"]).arg(share.join("man/man1").join(&name)))?;
        }
        fs::create_dir_all(root.join("DEBIAN"))?;
        fs::write(root.join("DEBIAN/control"), self.control(architecture))?;
        let package = format!("{FOLDER}/saavedra_{}_{architecture}.deb", self.version);
        let mut build = Command::new("dpkg-deb");
        build.args(["--root-owner-group", "--build"]).arg(&root).arg(package);
        run(build.env("SOURCE_DATE_EPOCH", TIME.trim_start_matches('@')))?;
        Ok(fs::remove_dir_all(root)?)
    }

    fn control(&self, architecture: &str) -> String {
        format!(
            "Package: saavedra\nVersion: {}\nArchitecture: {architecture}\nSection: games\nPriority: optional\n\
             Maintainer: The Saavedra authors\nDepends: libc6 (>= 2.34), libgcc-s1\n\
             Description: chess in one program\n \
             Rules, a UCI engine, opponents of any strength, matches, training and a board in the browser.\n",
            self.version
        )
    }

    /// Unpacks the archive somewhere else and uses the binary there, on an old CPU too.
    fn check(&self) -> Result<()> {
        let place = Path::new(FOLDER).join("check");
        fs::create_dir_all(&place)?;
        let archive = format!("{FOLDER}/{}.tar.gz", self.name());
        run(Command::new("tar").args(["--extract", "--file", &archive, "--directory"]).arg(&place))?;
        let binary = place.join(self.name()).join("saavedra");
        let leaves = output(self.command(&binary)?.args(["perft", "4"]))?;
        ensure!(leaves.contains("197,281"), "perft 4 says {leaves}");
        let bench = |command: &mut Command| -> Result<String> {
            let said = output(command.args(["bench", "6"]))?;
            let line = said.lines().find(|line| line.starts_with("Bench: ")).context("there is no signature")?;
            Ok(line.to_owned())
        };
        let signature = bench(&mut self.command(&binary)?)?;
        println!("   perft and {signature} from the archive");
        // A CPU of 2008, without AVX and BMI.
        let mut old = Command::new("qemu-x86_64");
        old.args(["-cpu", "Nehalem"]).arg(&binary);
        if self.target.starts_with("x86_64") && Command::new("qemu-x86_64").arg("--version").output().is_ok() {
            let there = bench(&mut old)?;
            ensure!(there == signature, "{there} on a CPU of 2008, {signature} here");
            println!("   the same on a CPU of 2008");
        }
        Ok(fs::remove_dir_all(place)?)
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
