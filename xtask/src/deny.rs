//! What the project may depend on: licences, sources and bans, as `deny.toml` lists them.
//!
//! `cargo deny` reads the same file, and is asked as well where it is installed. Building it takes longer than all
//! tests, so what it would say about licences, bans and sources is checked here.

mod expression;
mod notices;

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{cargo, output};

pub(crate) use notices::{id, used_by_the_binary, write as write_notices};

const LIST: &str = "deny.toml";

pub(crate) fn run() -> Result<()> {
    let metadata = dependencies()?;
    let list = List::read()?;
    let mut complaints = Vec::new();
    for package in packages(&metadata) {
        list.check(package, &mut complaints);
    }
    complaints.extend(list.banned_uses(&metadata));
    for complaint in &complaints {
        eprintln!("deny: {complaint}");
    }
    if !complaints.is_empty() {
        bail!("{} dependencies break the rules of {LIST}", complaints.len());
    }
    notices::check(&metadata)?;
    ask_cargo_deny()
}

/// Everything that cargo knows of all packages, those from outside as well.
fn dependencies() -> Result<Value> {
    let text = output(Command::new("cargo").args(["metadata", "--format-version", "1", "--locked", "--all-features"]))?;
    serde_json::from_str(&text).context("cargo metadata did not print JSON")
}

pub(crate) fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

pub(crate) fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap_or_default()
}

/// Has `cargo deny` look too, and at security advisories if their database can be reached.
fn ask_cargo_deny() -> Result<()> {
    let is_there = Command::new("cargo").args(["deny", "--version"]).output().is_ok_and(|out| out.status.success());
    if !is_there {
        println!("   skipped: cargo deny is not installed, so security advisories are not looked up");
        return Ok(());
    }
    cargo(&["deny", "--log-level", "error", "check", "licenses", "bans", "sources"])?;
    if !Command::new("cargo").args(["deny", "fetch", "db"]).output().is_ok_and(|out| out.status.success()) {
        println!("   skipped: the database of security advisories cannot be reached");
        return Ok(());
    }
    cargo(&["deny", "--log-level", "error", "check", "advisories"])
}

/// The part of `deny.toml` that is checked here.
struct List {
    licences: Vec<String>,
    /// Crates with a licence of their own, and which.
    exceptions: Vec<(String, Vec<String>)>,
    /// Crates that only some packages may use, and which.
    bans: Vec<(String, Vec<String>)>,
}

impl List {
    fn read() -> Result<List> {
        let text = fs::read_to_string(LIST).with_context(|| format!("cannot read {LIST}"))?;
        let list: toml::Table = text.parse().with_context(|| format!("{LIST} is not TOML"))?;
        let strings = |value: Option<&toml::Value>| -> Vec<String> {
            let values = value.and_then(toml::Value::as_array).into_iter().flatten();
            values.filter_map(toml::Value::as_str).map(str::to_owned).collect()
        };
        let pairs = |section: &str, key: &str, inner: &str| -> Vec<(String, Vec<String>)> {
            let tables = list.get(section).and_then(|table| table.get(key)).and_then(toml::Value::as_array);
            let pair = |table: &toml::Value| {
                (
                    table.get("crate").and_then(toml::Value::as_str).unwrap_or_default().to_owned(),
                    strings(table.get(inner)),
                )
            };
            tables.into_iter().flatten().map(pair).collect()
        };
        Ok(List {
            licences: strings(list.get("licenses").and_then(|table| table.get("allow"))),
            exceptions: pairs("licenses", "exceptions", "allow"),
            bans: pairs("bans", "deny", "wrappers"),
        })
    }

    /// The licence of a package, and that it comes from the registry.
    fn check(&self, package: &Value, complaints: &mut Vec<String>) {
        let name = name(package);
        let exception = self.exceptions.iter().find(|(crate_name, _)| crate_name == name).map(|(_, licences)| licences);
        let is_allowed = |licence: &str| {
            self.licences.iter().chain(exception.into_iter().flatten()).any(|allowed| allowed == licence)
        };
        match package["license"].as_str() {
            Some(licence) if expression::holds(licence, &is_allowed) => {}
            Some(licence) => complaints.push(format!("{name} has the licence {licence}, which is not allowed")),
            None => complaints.push(format!("{name} names no licence")),
        }
        let source = package["source"].as_str().filter(|source| !source.starts_with("registry+"));
        if let Some(source) = source {
            complaints.push(format!("{name} comes from {source}, not from the registry"));
        }
    }

    /// Packages that use what only others may use.
    fn banned_uses(&self, metadata: &Value) -> Vec<String> {
        let mut complaints = Vec::new();
        for package in packages(metadata) {
            for used in package["dependencies"].as_array().into_iter().flatten() {
                let ban = self.bans.iter().find(|(crate_name, _)| crate_name == self::name(used));
                if let Some((banned, wrappers)) = ban
                    && !wrappers.iter().any(|wrapper| wrapper == name(package))
                {
                    complaints.push(format!("{} uses {banned}, which it must not", name(package)));
                }
            }
        }
        complaints
    }
}
