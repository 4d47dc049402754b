//! The list of everything that a binary is made of, in the form of CycloneDX, which scanners read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::target::Target;
use crate::deny::{id, name, packages, used_by_the_binary};
use crate::output;

/// Writes the list for a target.
pub(super) fn write(target: Target, file: &Path) -> Result<()> {
    let metadata = output(Command::new("cargo").args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        target.triple,
    ]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata did not print JSON")?;
    let lock: toml::Table = fs::read_to_string("Cargo.lock")?.parse().context("Cargo.lock is not TOML")?;
    let text = serde_json::to_string_pretty(&list(&metadata, &checksums(&lock)))?;
    fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))
}

/// The checksums of packages from outside, by name and version.
fn checksums(lock: &toml::Table) -> BTreeMap<(&str, &str), &str> {
    let all = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    all.filter_map(|package| {
        let field = |key| package.get(key).and_then(toml::Value::as_str);
        Some(((field("name")?, field("version")?), field("checksum")?))
    })
    .collect()
}

fn version(package: &Value) -> &str {
    package["version"].as_str().unwrap_or_default()
}

fn reference(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", name(package), version(package))
}

fn component(package: &Value, checksums: &BTreeMap<(&str, &str), &str>) -> Value {
    let mut component = json!({
        "type": if name(package) == "saavedra" { "application" } else { "library" },
        "bom-ref": reference(package),
        "name": name(package),
        "version": version(package),
        "purl": reference(package),
    });
    if let Some(licence) = package["license"].as_str() {
        // An old way to write a choice.
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
    }
    if let Some(checksum) = checksums.get(&(name(package), version(package))) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

fn list(metadata: &Value, checksums: &BTreeMap<(&str, &str), &str>) -> Value {
    let used = used_by_the_binary(metadata);
    let used: BTreeMap<&str, &Value> =
        packages(metadata).filter(|package| used.contains(id(package))).map(|package| (id(package), package)).collect();
    let (binary, libraries): (Vec<&Value>, Vec<&Value>) =
        used.values().partition(|package| name(package) == "saavedra");
    let nodes = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let dependencies = nodes.filter_map(|node| {
        let package = used.get(id(node))?;
        let needs = node["deps"].as_array().into_iter().flatten();
        let needs = needs.filter_map(|needed| used.get(needed["pkg"].as_str()?)).map(|needed| reference(needed));
        Some(json!({ "ref": reference(package), "dependsOn": needs.collect::<Vec<_>>() }))
    });
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": binary.first().map(|package| component(package, checksums)) },
        "components": libraries.iter().map(|package| component(package, checksums)).collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_linked_is_listed_with_its_checksum_and_what_only_tests_is_not() {
        let package = |name: &str| json!({ "id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0" });
        let needs = |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [package("saavedra"), package("serde"), package("tempfile")],
            "resolve": { "nodes": [
                { "id": "saavedra", "deps": [needs("serde", Value::Null), needs("tempfile", json!("dev"))] },
                { "id": "serde", "deps": [] },
                { "id": "tempfile", "deps": [] },
            ]},
        });
        let lock = "[[package]]\nname = \"serde\"\nversion = \"1.0.0\"\nchecksum = \"ab12\"\n";
        let lock: toml::Table = lock.parse().expect("a table");
        let list = list(&metadata, &checksums(&lock));
        assert_eq!(list["metadata"]["component"]["bom-ref"], "pkg:cargo/saavedra@1.0.0");
        assert_eq!(list["components"].as_array().map(Vec::len), Some(1));
        assert_eq!(list["components"][0]["hashes"][0]["content"], "ab12");
        assert_eq!(list["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        let dependencies = json!([
            { "ref": "pkg:cargo/saavedra@1.0.0", "dependsOn": ["pkg:cargo/serde@1.0.0"] },
            { "ref": "pkg:cargo/serde@1.0.0", "dependsOn": [] },
        ]);
        assert_eq!(list["dependencies"], dependencies);
    }
}
