//! `cargo xtask web`: the page that `saavedra serve` hands out, built by Node, and its tests in a real browser.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::debian::{self, answers};
use crate::jobs::{self, Job};
use crate::{cargo, run, target_folder};

const FOLDER: &str = "web";

/// The first Node that the page's tools run on.
const OLDEST_NODE: u32 = 20;

/// What a machine may lack for the page. Saying so is no failure of the tests.
const WITHOUT_NODE: &str = "there is no Node on this machine (20 or later, with npm; https://nodejs.org)";
const WITHOUT_CHROMIUM: &str =
    "there is no Chromium on this machine, and none could be installed (set CHROMIUM to the path of one)";

const WITHOUT_FIREFOX: &str =
    "skipped in Firefox: there is none on this machine, and none could be installed (set FIREFOX to the path of one)";

/// The names that Chromium goes by.
const CHROMIUM: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Builds the page into the crate of the server.
pub(crate) fn build() -> Result<()> {
    if !has_node() {
        bail!(
            "{WITHOUT_NODE}: the page cannot be built. Everything else can, and `saavedra serve` will say what is missing"
        );
    }
    install()?;
    npm(&["run", "--silent", "build"])
}

/// Checks the page and builds it, so that what is built afterwards has it inside. Tells whether it could.
pub(crate) fn check() -> Result<bool> {
    if !has_node() {
        println!("   skipped: {WITHOUT_NODE}");
        return Ok(false);
    }
    if let Err(error) = install() {
        println!("   skipped: the page's tools are missing and cannot be had ({error:#})");
        return Ok(false);
    }
    npm(&["run", "--silent", "check"])?;
    npm(&["run", "--silent", "build"])?;
    Ok(true)
}

/// Uses the page in a real browser, served by the real binary.
pub(crate) fn test() -> Result<()> {
    cargo(&["build", "--quiet", "--package", "saavedra"])?;
    jobs::run(tests()?).map(drop)
}

/// The tests in a real browser as a job, if there is one. The binary they need was built with the other tests.
pub(crate) fn tests() -> Result<Option<Job>> {
    let Some(chromium) = browser("CHROMIUM", &CHROMIUM, "chromium") else {
        println!("   skipped: {WITHOUT_CHROMIUM}");
        return Ok(None);
    };
    let binary = target_folder()?.join("debug/saavedra");
    let mut tests = Command::new("npm");
    tests.args(["test", "--silent"]).current_dir(FOLDER).env("CHROMIUM", chromium).env("SAAVEDRA", binary);
    match browser("FIREFOX", &["firefox-esr", "firefox"], "firefox-esr") {
        Some(firefox) => drop(tests.env("FIREFOX", firefox)),
        None => println!("   {WITHOUT_FIREFOX}"),
    }
    Ok(Some(Job::new("page", tests)))
}

fn has_node() -> bool {
    let version = Command::new("node").arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    let version = String::from_utf8_lossy(&version).into_owned();
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    major.is_some_and(|major| major >= OLDEST_NODE) && answers(Command::new("npm").arg("--version"))
}

/// Installs what the lock file names, unless it is there already.
fn install() -> Result<()> {
    let changed = |file: &str| fs::metadata(Path::new(FOLDER).join(file)).and_then(|data| data.modified()).ok();
    if changed("node_modules/.package-lock.json") >= changed("package-lock.json") {
        return Ok(());
    }
    npm(&["ci", "--no-audit", "--no-fund", "--loglevel", "error"])
}

fn npm(arguments: &[&str]) -> Result<()> {
    run(Command::new("npm").args(arguments).current_dir(FOLDER))
}

/// A browser of this machine, as a variable or the path names it; where there is none, Debian's is installed if we may.
fn browser(variable: &str, names: &[&str], package: &str) -> Option<String> {
    installed(variable, names).or_else(|| debian::install(package).then(|| installed(variable, names)).flatten())
}

/// The path of a browser that answers. Some tools that drive browsers want a path.
fn installed(variable: &str, names: &[&str]) -> Option<String> {
    let named = env::var(variable).ok();
    let known = names.iter().copied().map(str::to_owned);
    named.into_iter().chain(known).find(|name| answers(Command::new(name).arg("--version"))).map(|name| path_of(&name))
}

/// The path of a program that was named as a shell finds it.
fn path_of(name: &str) -> String {
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.map_or_else(|| name.to_owned(), |file| file.to_string_lossy().into_owned())
}
