//! The packages of the workspace, and which of them a change touches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{metadata, output};

pub(crate) struct Packages(Vec<Package>);

struct Package {
    name: String,
    /// Relative to the root of the workspace.
    folder: String,
    /// The packages of the workspace that it uses, in tests too.
    uses: Vec<String>,
    is_published: bool,
}

impl Packages {
    /// The packages that stay in the workspace.
    pub(crate) fn unpublished(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|package| !package.is_published).map(|package| package.name.as_str())
    }

    pub(crate) fn read() -> Result<Packages> {
        let metadata = metadata()?;
        let root = PathBuf::from(metadata["workspace_root"].as_str().context("cargo metadata names no root")?);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let package = |package: &Value| {
            let mut folder = PathBuf::from(text(&package["manifest_path"]));
            folder.pop();
            let folder = folder.strip_prefix(&root).unwrap_or(&folder).display().to_string();
            let dependencies = package["dependencies"].as_array().into_iter().flatten();
            let uses = dependencies.filter(|used| used["path"].is_string()).map(|used| text(&used["name"])).collect();
            Package { name: text(&package["name"]), folder, uses, is_published: package["publish"].is_null() }
        };
        Ok(Packages(metadata["packages"].as_array().into_iter().flatten().map(package).collect()))
    }

    /// The packages that differ from where the branch left `main`, and those that depend on them. On `main` itself it
    /// is the work that is not committed, or else the last commit.
    pub(crate) fn changed(&self) -> Result<Vec<String>> {
        let git = |arguments: &[&str]| output(Command::new("git").args(arguments)).map(|text| text.trim().to_owned());
        let (head, fork) = (git(&["rev-parse", "HEAD"])?, git(&["merge-base", "HEAD", "main"])?);
        let is_clean = git(&["status", "--porcelain"])?.is_empty();
        let base = if head == fork && is_clean { "HEAD~".to_owned() } else { fork };
        let changed = git(&["diff", "--name-only", &base])?;
        let new = git(&["ls-files", "--others", "--exclude-standard"])?;
        Ok(self.touched(changed.lines().chain(new.lines())))
    }

    /// The packages in which these files are, and their dependants.
    fn touched<'a>(&self, files: impl Iterator<Item = &'a str>) -> Vec<String> {
        let mut touched = BTreeSet::new();
        for file in files {
            if ["Cargo.toml", "Cargo.lock"].contains(&file) || file.starts_with(".cargo/") {
                let all: BTreeSet<String> = self.0.iter().map(|package| package.name.clone()).collect();
                return all.into_iter().collect();
            }
            // The page is compiled into the server.
            let file = if file.starts_with("web/") { "crates/serve/" } else { file };
            let owner = self.0.iter().find(|package| file.starts_with(&format!("{}/", package.folder)));
            touched.extend(owner.map(|package| package.name.clone()));
        }
        let mut used_by: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for package in &self.0 {
            package.uses.iter().for_each(|used| used_by.entry(used).or_default().push(&package.name));
        }
        let mut waiting: Vec<String> = touched.iter().cloned().collect();
        while let Some(name) = waiting.pop() {
            for &user in used_by.get(name.as_str()).into_iter().flatten() {
                if touched.insert(user.to_owned()) {
                    waiting.push(user.to_owned());
                }
            }
        }
        touched.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_touches_its_package_and_those_that_depend_on_it() {
        let package = |name: &str, uses: &[&str]| Package {
            name: name.to_owned(),
            folder: format!("crates/{name}"),
            uses: uses.iter().map(|&name| name.to_owned()).collect(),
            is_published: true,
        };
        let packages = Packages(vec![
            package("rules", &[]),
            package("search", &["rules"]),
            package("uci", &["rules"]),
            package("engine", &["search", "uci"]),
        ]);
        let touched = |files: &[&str]| packages.touched(files.iter().copied()).join(" ");
        assert_eq!(touched(&["crates/search/src/lib.rs", "README.md"]), "engine search");
        assert_eq!(touched(&["crates/rules/src/lib.rs"]), "engine rules search uci");
        assert_eq!(touched(&["crates/uci/Cargo.toml"]), "engine uci");
        assert_eq!(touched(&["docs/engine.md"]), "");
        assert_eq!(touched(&["Cargo.lock"]), "engine rules search uci");
    }
}
