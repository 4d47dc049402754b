//! The kinds of machines that we build for: how to compile for each, and how to run what came out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::output;

/// A kind of machine that the program is built for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Target {
    /// What it is called, also in the names of files.
    pub(super) name: &'static str,
    /// What the compiler calls it.
    pub(super) triple: &'static str,
    /// Whether all libraries are inside, so that it needs nothing of the system. It cannot load a GPU's driver then.
    pub(super) is_static: bool,
    /// What Debian calls it, where there is a package for it.
    pub(super) debian: Option<&'static str>,
    /// The compiler for C and linker, where it is not this machine.
    cross: Cross,
}

/// What compiles C and links for another kind of machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cross {
    /// A GCC of this prefix.
    Gcc(&'static str),
    /// Zig, from the Python package `ziglang`.
    Zig(&'static str),
}

pub(super) const TARGETS: [Target; 5] = [
    Target {
        name: "x86_64-unknown-linux-gnu",
        triple: "x86_64-unknown-linux-gnu",
        is_static: false,
        debian: Some("amd64"),
        cross: Cross::Gcc("x86_64-linux-gnu"),
    },
    Target {
        name: "x86_64-linux-static",
        triple: "x86_64-unknown-linux-gnu",
        is_static: true,
        debian: None,
        cross: Cross::Gcc("x86_64-linux-gnu"),
    },
    Target {
        name: "aarch64-unknown-linux-gnu",
        triple: "aarch64-unknown-linux-gnu",
        is_static: false,
        debian: Some("arm64"),
        cross: Cross::Gcc("aarch64-linux-gnu"),
    },
    Target {
        name: "x86_64-pc-windows-gnu",
        triple: "x86_64-pc-windows-gnu",
        is_static: false,
        debian: None,
        cross: Cross::Gcc("x86_64-w64-mingw32"),
    },
    Target {
        name: "aarch64-apple-darwin",
        triple: "aarch64-apple-darwin",
        is_static: false,
        debian: None,
        cross: Cross::Zig("aarch64-macos"),
    },
];

impl Target {
    pub(super) fn named(name: &str) -> Result<Target> {
        TARGETS.into_iter().find(|target| target.name == name).with_context(|| {
            let names = TARGETS.map(|target| target.name).join(", ");
            format!("there are no releases for {name:?}, only for {names}")
        })
    }

    pub(super) fn is_windows(self) -> bool {
        self.triple.contains("windows")
    }

    /// The name of the program there.
    pub(super) fn binary(self) -> &'static str {
        if self.is_windows() { "saavedra.exe" } else { "saavedra" }
    }

    fn machine(self) -> &'static str {
        self.triple.split('-').next().unwrap_or_default()
    }

    fn system(self) -> &'static str {
        let is = |system: &str| self.triple.contains(system);
        if is("linux") {
            "linux"
        } else if is("windows") {
            "windows"
        } else {
            "macos"
        }
    }

    /// Whether the program runs on this machine by itself.
    pub(super) fn is_of_this_machine(self) -> bool {
        (self.machine(), self.system()) == (std::env::consts::ARCH, std::env::consts::OS)
    }

    /// The program as it can be run here: by itself, or by an emulator; none if neither is there.
    pub(super) fn command(self, binary: &Path) -> Option<Command> {
        if self.is_of_this_machine() {
            return Some(Command::new(binary));
        }
        let mut command = match self.system() {
            "linux" if std::env::consts::OS == "linux" => {
                let mut command = Command::new(format!("qemu-{}", self.machine()));
                command.args(["-L", &format!("/usr/{}-linux-gnu", self.machine())]);
                command
            }
            "windows" => {
                // It tells nothing of itself, and opens no window.
                let mut command = Command::new(first_there(&["wine64", "wine", "/usr/lib/wine/wine64"])?);
                command.env("WINEDEBUG", "-all").env("DISPLAY", "");
                command
            }
            _ => return None,
        };
        is_there(command.get_program().to_str()?).then(|| {
            command.arg(binary);
            command
        })
    }

    /// Prepares a build for this target: which compilers, and whether the standard library is built too.
    pub(super) fn prepare(self, build: &mut Command, folder: &Path) -> Result<()> {
        if self.triple != crate::host()? {
            self.set_up_standard_library(build)?;
            self.set_up_linker(build, folder)?;
        }
        Ok(())
    }

    /// The standard library for another machine comes with the toolchain, or is built by a compiler that has its
    /// sources.
    fn set_up_standard_library(self, build: &mut Command) -> Result<()> {
        let folder = output(Command::new("rustc").args(["--print", "target-libdir", "--target", self.triple]))?;
        if Path::new(folder.trim()).exists() {
            return Ok(());
        }
        for compiler in ["rustc", "/usr/bin/rustc"] {
            let Ok(sysroot) = output(Command::new(compiler).args(["--print", "sysroot"])) else { continue };
            if Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/Cargo.lock").exists() {
                println!("   the standard library is built from the sources of {compiler}");
                build.env("RUSTC", compiler).env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=std,panic_abort");
                return Ok(());
            }
        }
        bail!(
            "the toolchain has no standard library for {0}: rustup target add {0}, or install Debian's packages \
             rustc-web and rust-web-src",
            self.triple
        );
    }

    fn set_up_linker(self, build: &mut Command, folder: &Path) -> Result<()> {
        let linker = match self.cross {
            Cross::Gcc(prefix) => PathBuf::from(format!("{prefix}-gcc")),
            Cross::Zig(target) => zig(target, folder)?,
        };
        let linker_name = linker.display().to_string();
        ensure!(is_there(&linker_name), "{linker_name} is not installed, which links for {}", self.name);
        let upper = self.triple.to_uppercase().replace('-', "_");
        let lower = self.triple.replace('-', "_");
        build.env(format!("CARGO_TARGET_{upper}_LINKER"), &linker).env(format!("CC_{lower}"), &linker);
        if let Cross::Gcc(prefix) = self.cross {
            build.env(format!("AR_{lower}"), format!("{prefix}-ar"));
        }
        Ok(())
    }
}

/// Calls Zig as the compiler of a target, without what only Apple's own compiler understands.
const ZIG: &str = r#"#!/bin/sh
left=$#
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  case $word in
    -arch) shift; left=$((left - 1)) ;;
    --target=* | -mmacosx-version-min=* | -mtargetos=*) ;;
    *) set -- "$@" "$word" ;;
  esac
done
exec python3 -m ziglang cc -target TARGET "$@"
"#;

/// Zig compiles C and links for any system.
fn zig(target: &str, folder: &Path) -> Result<PathBuf> {
    let is_installed = output(Command::new("python3").args(["-m", "ziglang", "version"])).is_ok();
    ensure!(is_installed, "the Python package ziglang is not installed, which links for {target}");
    fs::create_dir_all(folder)?;
    let script = std::path::absolute(folder)?.join("zig-cc");
    let text = ZIG.replace("TARGET", target);
    fs::write(&script, text).with_context(|| format!("cannot write {}", script.display()))?;
    output(Command::new("chmod").arg("+x").arg(&script))?;
    Ok(script)
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn first_there(programs: &[&'static str]) -> Option<&'static str> {
    programs.iter().copied().find(|program| is_there(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_found_by_its_name_and_any_other_is_refused() {
        assert_eq!(Target::named("aarch64-apple-darwin").expect("it is there").debian, None);
        let error = Target::named("vax").expect_err("there is none").to_string();
        assert!(error.starts_with("there are no releases for \"vax\", only for x86_64-unknown-linux-gnu, "), "{error}");
    }
}
