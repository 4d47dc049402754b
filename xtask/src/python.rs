//! The Python package: built as a wheel, installed into a virtual environment of its own, and tested there.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{output, run, target_folder};

/// What the tests need besides the wheel. python-chess is a witness and never part of what ships.
const FOR_TESTS: [&str; 3] = ["maturin>=1.9,<2", "pytest", "chess"];

/// What more tests need: those of arrays, of Arrow and of types are left out where one of these cannot be installed.
const FOR_MORE_TESTS: [&str; 3] = ["numpy", "pyarrow", "mypy"];

/// Libraries to compare with, and what they need. Not every Python has each of them.
const FOR_BENCH: [&str; 5] = ["bulletchess", "rust_chess", "numpy", "pyarrow", "rust_pgn_reader_python_binding"];

/// Builds and tests the package; where there is no Python, or no way to its tools, says so in one line.
pub(crate) fn test(options: &[&str]) -> Result<()> {
    let Some(python) = environment("python-tests")? else { return Ok(()) };
    install_if_possible(&python, &FOR_MORE_TESTS);
    install_wheel(&python, &[])?;
    check_source_distribution(&python)?;
    let mut tests = Command::new(&python);
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(options);
    // The binary is a witness for reviews and an engine outside, where it was built.
    let binary = std::path::absolute(target_folder()?.join("debug/saavedra"))?;
    if binary.exists() && std::env::var_os("SAAVEDRA_BINARY").is_none() {
        tests.env("SAAVEDRA_BINARY", binary);
    }
    // Not from `python`: there the folder of the sources would be imported instead of the wheel.
    run(tests.current_dir("python/tests"))
}

/// What a wheel cannot be built without, and what is no source of Rust or Python.
const IN_SOURCES: &str = "
import sys, tarfile
names = {name.split('/', 1)[-1] for name in tarfile.open(sys.argv[1]).getnames()}
wanted = {'Cargo.lock', 'pyproject.toml', 'crates/search/nets/default.nnue', 'saavedra/py.typed'}
sys.exit('the source distribution lacks ' + ', '.join(sorted(wanted - names)) if wanted - names else 0)";

/// Makes the source distribution and looks whether it is whole. To build from it takes minutes: docs/python.md has the
/// commands.
fn check_source_distribution(python: &Path) -> Result<()> {
    let folder = target_folder()?.join("wheels/sources");
    let mut build = Command::new(python);
    build.args(["-m", "maturin", "sdist", "--manifest-path", "python/Cargo.toml", "--out"]);
    output(build.arg(&folder))?;
    run(Command::new(python).args(["-c", IN_SOURCES]).arg(only_file(&folder, "gz")?))
}

/// The file with an ending in a folder.
fn only_file(folder: &Path, ending: &str) -> Result<PathBuf> {
    std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|found| found == ending))
        .with_context(|| format!("maturin has left no file .{ending}"))
}

/// Measures lists of moves and work in bulk beside other libraries, with a release build.
pub(crate) fn bench() -> Result<()> {
    let Some(python) = environment("python-bench")? else { return Ok(()) };
    install_if_possible(&python, &FOR_BENCH);
    let wheel = install_wheel(&python, &["--release"])?;
    run(Command::new(&python).arg("python/tests/bench_moves.py"))?;
    run(Command::new(&python).arg("python/tests/bench_data.py").arg(wheel))
}

/// Installs one after the other, so that one that is missing keeps none of the others away.
fn install_if_possible(python: &Path, libraries: &[&str]) {
    for library in libraries {
        let mut install = pip(python);
        if run(install.args(["install", "--quiet", "--disable-pip-version-check", library])).is_err() {
            println!("   {library} cannot be installed for this Python, and is left out");
        }
    }
}

/// The Python of a virtual environment with the tools, made if it is missing.
fn environment(name: &str) -> Result<Option<PathBuf>> {
    let folder = target_folder()?.join(name);
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        let Some(found) = find_python() else {
            println!("   skipped: there is no Python of version 3.9 or later with venv, so its package is not tested");
            return Ok(None);
        };
        run(Command::new(found).args(["-m", "venv"]).arg(&folder))?;
    }
    if run(pip(&python).args(["install", "--quiet", "--disable-pip-version-check"]).args(FOR_TESTS)).is_err() {
        println!("   skipped: pip cannot install {}, so the Python package is not tested", FOR_TESTS.join(", "));
        return Ok(None);
    }
    Ok(Some(std::path::absolute(python)?))
}

/// The newest Python on the path that can make virtual environments.
fn find_python() -> Option<&'static str> {
    const CHECK: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))";
    let is_good = |name: &&str| Command::new(name).args(["-c", CHECK]).output().is_ok_and(|out| out.status.success());
    ["python3", "python", "python3.14", "python3.13", "python3.12"].into_iter().find(is_good)
}

fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip"]);
    command
}

/// Builds the wheel and installs it in place of the one before.
fn install_wheel(python: &Path, options: &[&str]) -> Result<PathBuf> {
    let wheels = target_folder()?.join(if options.is_empty() { "wheels/test" } else { "wheels/bench" });
    let mut build = Command::new(python);
    build.args(["-m", "maturin", "build", "--quiet", "--manifest-path", "python/Cargo.toml", "--interpreter"]);
    output(build.arg(python).arg("--out").arg(&wheels).args(options))?;
    let wheel = only_file(&wheels, "whl")?;
    run(pip(python).args(["install", "--quiet", "--force-reinstall", "--no-deps"]).arg(&wheel))?;
    Ok(wheel)
}
