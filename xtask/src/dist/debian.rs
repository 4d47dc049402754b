//! The Debian package of a release.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{FOLDER, Release, TEXTS, TIME};
use crate::{output, run};

/// Packs what was staged, where the target has a package and the tool is there.
pub(super) fn pack(release: &Release) -> Result<()> {
    let Some(architecture) = release.target.debian else { return Ok(()) };
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        println!("   skipped: there is no dpkg-deb here, so no Debian package is made");
        return Ok(());
    }
    let root = release.folder().with_extension("deb-root");
    let share = root.join("usr/share");
    let copy = |from: &str, to: &Path| -> Result<()> {
        fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        fs::copy(release.folder().join(from), to)?;
        Ok(())
    };
    copy("saavedra", &root.join("usr/bin/saavedra"))?;
    copy("completions/saavedra.bash", &share.join("bash-completion/completions/saavedra"))?;
    copy("completions/_saavedra", &share.join("zsh/vendor-completions/_saavedra"))?;
    copy("completions/saavedra.fish", &share.join("fish/vendor_completions.d/saavedra.fish"))?;
    for text in TEXTS {
        copy(text, &share.join("doc/saavedra").join(text))?;
    }
    for page in fs::read_dir(release.folder().join("man/man1"))? {
        let name = page?.file_name().into_string().ok().context("a page has a plain name")?;
        let page = share.join("man/man1").join(&name);
        copy(&format!("man/man1/{name}"), &page)?;
        run(Command::new("gzip").args(["-n", "-9"]).arg(page))?;
    }
    fs::write(share.join("doc/saavedra/copyright"), COPYRIGHT)?;
    fs::create_dir_all(root.join("DEBIAN"))?;
    let depends = depends(&output(
        Command::new("readelf").args(["--wide", "--dynamic", "--version-info"]).arg(&release.binary),
    )?)?;
    fs::write(root.join("DEBIAN/control"), control(&release.version, architecture, &depends))?;
    let package = file(release, architecture);
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "--build"]).arg(&root).arg(package);
    run(build.env("SOURCE_DATE_EPOCH", TIME.trim_start_matches('@')))?;
    Ok(fs::remove_dir_all(root)?)
}

/// Where the package of a release is.
pub(super) fn file(release: &Release, architecture: &str) -> String {
    format!("{FOLDER}/saavedra_{}_{architecture}.deb", release.version)
}

/// The licence in the form that Debian's tools read. Those of the libraries inside are in THIRD-PARTY.txt beside it.
const COPYRIGHT: &str = "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Saavedra

Files: *
Copyright: The Saavedra authors
License: Expat or Apache-2.0

License: Expat
 See /usr/share/doc/saavedra/LICENSE-MIT.

License: Apache-2.0
 See /usr/share/common-licenses/Apache-2.0.
";

/// The packages that a program needs, from what readelf tells of it: each library belongs to one, and the newest
/// version of a symbol of the C library says how new that has to be.
fn depends(elf: &str) -> Result<String> {
    let between = |line: &str, from: &str, to: char| {
        line.split_once(from).map(|(_, rest)| rest.split(to).next().unwrap_or_default().trim().to_owned())
    };
    let mut packages = BTreeSet::new();
    for library in elf.lines().filter_map(|line| between(line, "Shared library: [", ']')) {
        packages.insert(match library.split('.').next().unwrap_or_default() {
            "libc" | "libm" | "ld-linux-x86-64" | "ld-linux-aarch64" => "libc6",
            "libgcc_s" => "libgcc-s1",
            _ => bail!("no Debian package is known for {library}"),
        });
    }
    let newest = elf
        .lines()
        .filter_map(|line| between(line, "Name: GLIBC_2.", ' '))
        .filter_map(|minor| minor.split('.').next()?.parse::<u32>().ok())
        .max();
    let with_version = |package: &str| match newest {
        Some(minor) if package == "libc6" => format!("libc6 (>= 2.{minor})"),
        _ => package.to_owned(),
    };
    Ok(packages.into_iter().map(with_version).collect::<Vec<_>>().join(", "))
}

fn control(version: &str, architecture: &str, depends: &str) -> String {
    format!(
        "Package: saavedra\nVersion: {version}\nArchitecture: {architecture}\nSection: games\nPriority: optional\n\
         Maintainer: The Saavedra authors\nDepends: {depends}\n\
         Description: chess in one program\n \
         Rules, a UCI engine, opponents of any strength, matches, training and a board in the browser.\n",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_names_the_libraries_and_the_oldest_version_that_will_do() {
        let elf = "
 0x0000000000000001 (NEEDED)             Shared library: [libgcc_s.so.1]
 0x0000000000000001 (NEEDED)             Shared library: [libm.so.6]
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
  0x0020:   Name: GLIBC_2.34  Flags: none  Version: 12
  0x0030:   Name: GLIBC_2.2.5  Flags: none  Version: 11
  0x0050:   Name: GCC_3.0  Flags: none  Version: 7
";
        assert_eq!(depends(elf).expect("they are known"), "libc6 (>= 2.34), libgcc-s1");
        let unknown = depends("(NEEDED) Shared library: [libx.so.1]").expect_err("it is not known").to_string();
        assert_eq!(unknown, "no Debian package is known for libx.so.1");
    }
}
