//! The licences of what the binary is made of, as one file that ships inside it (`saavedra licenses`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{dependencies, name, packages};

/// The file, beside the sources of the binary.
const FILE: &str = "crates/saavedra/THIRD-PARTY.txt";

/// How the names of files with licences begin, in capitals.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "UNLICENSE"];

/// Writes the file anew.
pub(crate) fn write() -> Result<()> {
    let text = notices(&dependencies()?)?;
    fs::write(FILE, text).with_context(|| format!("cannot write {FILE}"))
}

/// Whether the file tells the licences of what is used now.
pub(super) fn check(metadata: &Value) -> Result<()> {
    let text = fs::read_to_string(FILE).unwrap_or_default();
    ensure!(text == notices(metadata)?, "{FILE} is out of date: cargo xtask licenses writes it");
    Ok(())
}

/// All packages from outside that the binary is made of, and the texts of their licences, each text once.
fn notices(metadata: &Value) -> Result<String> {
    let used = used_by_the_binary(metadata);
    let mut list = String::from("Saavedra is made with these packages, under the licences below.\n\n");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages(metadata).filter(|package| used.contains(id(package)) && package["source"].is_string()) {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let title = format!("{} {}", name(package), text("version"));
        list += &format!("{title}: {}\n", [text("license"), text("repository")].join(", ").trim_end_matches(", "));
        for licence in licence_texts(Path::new(text("manifest_path")), text("license"))? {
            texts.entry(licence).or_default().push(title.clone());
        }
    }
    for (text, titles) in texts {
        list += &format!("\n{}\n{}:\n\n{text}\n", "-".repeat(80), titles.join(", "));
    }
    Ok(list)
}

pub(crate) fn id(package: &Value) -> &str {
    package["id"].as_str().unwrap_or_default()
}

/// The packages that are linked into the binary, on any system that the metadata are of.
pub(crate) fn used_by_the_binary(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let nodes: BTreeMap<&str, &Value> = nodes.map(|node| (id(node), node)).collect();
    let mut waiting: Vec<&str> = packages(metadata).filter(|package| name(package) == "saavedra").map(id).collect();
    let mut used = BTreeSet::new();
    while let Some(package) = waiting.pop() {
        if !used.insert(package) {
            continue;
        }
        for dependency in nodes.get(package).and_then(|node| node["deps"].as_array()).into_iter().flatten() {
            let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
            if kinds.clone().any(|kind| kind["kind"].is_null()) {
                waiting.extend(dependency["pkg"].as_str());
            }
        }
    }
    used
}

/// The licences that lie beside a manifest. Where MIT may be chosen, it is.
fn licence_texts(manifest: &Path, expression: &str) -> Result<Vec<String>> {
    let folder = manifest.parent().unwrap_or(manifest);
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}: run cargo fetch", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        file.is_file() && NAMES.iter().any(|start| name.starts_with(start))
    });
    let is_mit = |file: &PathBuf| file.display().to_string().to_uppercase().ends_with("MIT");
    if !expression.contains("AND") && files.iter().any(is_mit) {
        files.retain(is_mit);
    }
    let read = |file: &PathBuf| {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        Ok(lines.join("\n").trim_matches('\n').to_owned())
    };
    files.iter().map(read).collect()
}
