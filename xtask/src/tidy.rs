//! `cargo xtask tidy`: the rules of the house that a compiler does not know.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::Value;

use crate::{links, metadata};

/// The crates from the lowest layer up. Data flows down this list: a crate may use those above it in the list, never
/// one below.
const LAYERS: &[&str] = &[
    "saavedra-random",
    "saavedra-rules",
    "saavedra-interface",
    "saavedra-nnue",
    "saavedra-lessons",
    "saavedra-classic",
    "saavedra-doctor",
    "saavedra-records",
    "saavedra-search",
    "saavedra-syzygy",
    "saavedra-uci",
    "saavedra-programs",
    "saavedra-minds",
    "saavedra-game",
    "saavedra-arena",
    "saavedra-train",
    "saavedra-forge",
    "saavedra-evolve",
    "saavedra-review",
    "saavedra-engine",
    "saavedra-uci-check",
    "saavedra-serve",
    "saavedra-hub",
    "saavedra",
];

/// Crates that ship with nothing from outside, unless a feature asks for it.
const WITHOUT_DEPENDENCIES: [&str; 2] = ["saavedra-random", "saavedra-rules"];

/// A file tells one story, and a story has an end.
const MOST_LINES: usize = 500;

/// Lines with comments are read beside other windows.
const WIDEST_COMMENT: usize = 120;

/// Endings of the files that are checked, and how such a file opens: with a comment that says what it is.
const LANGUAGES: [(&str, &str); 4] = [(".rs", "//!"), (".ts", "// "), (".mjs", "// "), (".css", "/* ")];

/// How the root of a crate may open instead: its documentation is its README.
const README: &str = "#![doc = include_str!(\"../README.md\")]";

/// Words that comments and the names of tests do without, in two parts so that this file does not find itself.
const BANNED: [(&str, &str); 6] = [
    ("who", "ever"),
    ("some", "body"),
    ("no", "body"),
    ("by ", "lot "),
    ("the usual ", "position"),
    ("how man", "ieth"),
];

/// Folders that tools fill.
const BUILT: [&str; 5] = ["target", "node_modules", "page", "dist.new", "generated"];

pub(crate) fn run() -> Result<()> {
    let metadata = metadata()?;
    let mut complaints = Vec::new();
    check_layers(&metadata, &mut complaints);
    check_files(Path::new("."), &mut complaints)?;
    check_unsafe(&mut complaints)?;
    check_walks(&fs::read_to_string("ARCHITECTURE.md")?, &mut complaints);
    if complaints.is_empty() {
        return Ok(());
    }
    for complaint in &complaints {
        eprintln!("tidy: {complaint}");
    }
    bail!("{} things are not tidy", complaints.len())
}

fn check_layers(metadata: &Value, complaints: &mut Vec<String>) {
    let layer = |name: &str| LAYERS.iter().position(|&crate_name| crate_name == name);
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let manifest_text = fs::read_to_string(manifest).unwrap_or_default();
        if !manifest_text.contains("[lints]\nworkspace = true") {
            complaints
                .push(format!("{name} does not take the lints of the workspace, missing documentation among them"));
        }
        let is_published = package["publish"].is_null();
        let own_layer = layer(name);
        if is_published && own_layer.is_none() {
            complaints.push(format!("{name} is published, but has no place in the layers"));
        }
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().unwrap_or_default();
            // What only tests use does not ship.
            if dependency["kind"] == "dev" || own_layer.is_none() {
                continue;
            }
            if WITHOUT_DEPENDENCIES.contains(&name) && dependency["optional"] != true {
                complaints.push(format!("{name} depends on {used}, but must not depend on anything"));
            }
            if dependency["path"].is_string() && layer(used) >= own_layer {
                complaints.push(format!("{name} depends on {used}, which is not below it"));
            }
            if dependency["path"].is_string() && layer(used).is_none() {
                complaints.push(format!("{name} ships, but depends on {used}, which does not"));
            }
        }
    }
}

/// A crate without unsafe code promises to stay so.
fn check_unsafe(complaints: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir("crates")? {
        let folder = entry?.path().join("src");
        let root = ["lib.rs", "main.rs"].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
        let promises =
            |root: &PathBuf| fs::read_to_string(root).is_ok_and(|text| text.contains("#![forbid(unsafe_code)]"));
        if !root.as_ref().is_some_and(promises) && !has_unsafe_code(&folder)? {
            complaints.push(format!("{} needs no unsafe code, but does not forbid it", folder.display()));
        }
    }
    Ok(())
}

fn has_unsafe_code(folder: &Path) -> Result<bool> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let has = match path.is_dir() {
            true => has_unsafe_code(&path)?,
            false => ["unsafe {", "unsafe fn", "unsafe impl"]
                .iter()
                .any(|mark| fs::read_to_string(&path).is_ok_and(|text| text.contains(mark))),
        };
        if has {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The walks through the code name files and functions that exist: `path/to/file.rs: function`.
fn check_walks(text: &str, complaints: &mut Vec<String>) {
    let walks = text.split("\n## ").find(|section| section.starts_with("Walks")).unwrap_or_default();
    for name in walks.split('`').skip(1).step_by(2).filter(|name| name.contains('/')) {
        let (file, function) = name.split_once(": ").unwrap_or((name, ""));
        let source = fs::read_to_string(file).unwrap_or_default();
        let is_there = match file.ends_with(".rs") {
            true => ["(", "<"].iter().any(|end| source.contains(&format!("fn {function}{end}"))),
            false => source.contains(&format!("{function}(")),
        };
        if source.is_empty() || (!function.is_empty() && !is_there) {
            complaints.push(format!("ARCHITECTURE.md walks to {name}, which does not exist"));
        }
    }
}

fn check_files(folder: &Path, complaints: &mut Vec<String>) -> Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            let is_ours = !name.starts_with('.') && !BUILT.contains(&name.as_ref());
            if is_ours {
                check_files(&path, complaints)?;
            }
        } else if name.ends_with(".md") {
            links::check(&path, complaints);
        } else if let Some((_, opening)) = LANGUAGES.iter().find(|(ending, _)| name.ends_with(ending)) {
            check_source(&path, &fs::read_to_string(&path)?, opening, complaints);
        }
    }
    Ok(())
}

fn check_source(path: &Path, text: &str, opening: &str, complaints: &mut Vec<String>) {
    let shown = path.display();
    let lines = text.lines().count();
    if lines > MOST_LINES {
        complaints.push(format!("{shown} has {lines} lines; {MOST_LINES} are the limit"));
    }
    if !text.starts_with(opening) && !text.starts_with(README) {
        complaints.push(format!("{shown} does not open with what it is and why it exists"));
    }
    for (number, line) in (1..).zip(text.lines()) {
        let columns = line.chars().count();
        if columns > WIDEST_COMMENT && ["//", "/*", "* "].iter().any(|mark| line.trim_start().starts_with(mark)) {
            complaints
                .push(format!("{shown}:{number} is a comment of {columns} columns; {WIDEST_COMMENT} are the limit"));
        }
    }
    // Comments, and the names of functions, which are the sentences that tests say.
    let spoken = text.lines().filter_map(spoken).collect::<Vec<&str>>().join("\n").to_lowercase();
    for (one, other) in BANNED {
        if spoken.contains(&format!("{one}{other}")) {
            complaints.push(format!("{shown} says \"{one}{other}\" where a plain word would do"));
        }
    }
    // Spelled in two parts, so that this file does not find itself.
    for mark in [concat!("todo", "!("), concat!("unimplemented", "!("), concat!("dbg", "!("), concat!("FIX", "ME")] {
        if text.contains(mark) {
            complaints.push(format!("{shown} contains {mark}"));
        }
    }
}

/// What a line says in words: its comment, or the name of its function.
fn spoken(line: &str) -> Option<&str> {
    let comment = line.split_once("//").map(|(_, comment)| comment);
    comment.or_else(|| line.trim_start().strip_prefix("fn "))
}
