//! Figures in the documents that a command writes: what stands between `<!-- adopt:NAME -->` and `<!-- /adopt -->`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

const END: &str = "<!-- /adopt -->";

/// Writes a figure into every block of its name, and prints it.
pub(super) fn write(name: &str, figure: &str) -> Result<()> {
    println!("{figure}");
    let mut places = 0;
    for path in documents()? {
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (new, count) = replace(&text, name, figure).with_context(|| path.display().to_string())?;
        places += count;
        if new != text {
            fs::write(&path, new).with_context(|| format!("cannot write {}", path.display()))?;
            println!("   {name}: {} rewritten", path.display());
        }
    }
    if places == 0 {
        println!("   {name}: no document has a block <!-- adopt:{name} --> for it");
    }
    Ok(())
}

/// The documents of the project.
fn documents() -> Result<Vec<PathBuf>> {
    let mut paths = vec![PathBuf::from("README.md")];
    for entry in fs::read_dir("docs").context("cannot list docs")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The text with the figure in each block of the name, and how many there are. A figure of several lines gets lines of
/// its own.
fn replace(text: &str, name: &str, figure: &str) -> Result<(String, usize)> {
    let start = format!("<!-- adopt:{name} -->");
    let gap = if figure.contains('\n') { "\n" } else { "" };
    let mut parts = text.split(&start);
    let mut new = parts.next().unwrap_or_default().to_owned();
    let mut count = 0;
    for part in parts {
        let (_, rest) = part.split_once(END).with_context(|| format!("the block {start} has no {END}"))?;
        new += &format!("{start}{gap}{}{gap}{END}{rest}", figure.trim_end());
        count += 1;
    }
    Ok((new, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_rewritten_and_the_rest_stays() {
        let text =
            "| nodes | <!-- adopt:signature -->1<!-- /adopt --> |\n<!-- adopt:wdl -->\nold\n<!-- /adopt -->\nend";
        let (new, count) = replace(text, "signature", "2,000").expect("it is right");
        assert_eq!((new.as_str(), count), (text.replace("->1<", "->2,000<").as_str(), 1));
        let (new, count) = replace(text, "wdl", "a\nb\n").expect("it is right");
        assert_eq!((new.as_str(), count), (text.replace("old", "a\nb").as_str(), 1));
        assert_eq!(replace(&new, "wdl", "a\nb\n").expect("it is right"), (new.clone(), 1));
        assert_eq!(replace(text, "league", "x").expect("it is right"), (text.to_owned(), 0));
        assert!(replace("<!-- adopt:speed --> without end", "speed", "x").is_err());
    }
}
