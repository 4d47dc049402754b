//! Links between the pages of the documentation, and from them into the code: what they name must exist.

use std::fs;
use std::path::Path;

/// Complains about the links of one Markdown file that lead nowhere.
///
/// A file must be there, and a heading in it if one is named. Where the text of a link into Rust code is a name, such
/// as ``[`Cell::of`](cells.rs)``, the file must hold that name.
pub(crate) fn check(path: &Path, complaints: &mut Vec<String>) {
    let text = prose(&fs::read_to_string(path).unwrap_or_default());
    for (label, target) in links(&text) {
        if let Some(problem) = problem(path, &text, label, target) {
            complaints.push(format!("{} links to {target}, {problem}", path.display()));
        }
    }
}

/// The text without its blocks of code.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The links of a text, as label and target: `[label](target)`, and `[label][name]` with `[name]: target` somewhere.
fn links(text: &str) -> Vec<(&str, &str)> {
    let definition = |name: &str| {
        text.lines().find_map(|line| line.strip_prefix('[')?.strip_prefix(name)?.strip_prefix("]: ")).map(str::trim)
    };
    let mut found = Vec::new();
    for (end, _) in text.match_indices(']') {
        let line = text[..end].rsplit('\n').next().unwrap_or_default();
        // Within a span of code, brackets are brackets.
        if line.matches('`').count() % 2 == 1 {
            continue;
        }
        let label = line.rsplit('[').next().unwrap_or_default();
        let rest = &text[end + 1..];
        if let Some(target) = rest.strip_prefix('(').and_then(|rest| rest.split(')').next()) {
            found.push((label, target));
        } else if let Some(name) = rest.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            found.push((label, definition(name).unwrap_or(name)));
        }
    }
    found
}

fn problem(path: &Path, text: &str, label: &str, target: &str) -> Option<&'static str> {
    if target.contains(':') {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let linked = path.parent().unwrap_or(Path::new(".")).join(file);
    if !linked.exists() {
        return Some("which does not exist");
    }
    if !heading.is_empty() {
        let other =
            if file.is_empty() { text.to_owned() } else { prose(&fs::read_to_string(&linked).unwrap_or_default()) };
        return (!other.lines().any(|line| anchor(line).as_deref() == Some(heading)))
            .then_some("which has no such heading");
    }
    let name = label.strip_prefix('`')?.strip_suffix('`')?;
    if !file.ends_with(".rs") || name.contains(['/', ' ']) {
        return None;
    }
    let is_there = match name.ends_with(".rs") {
        true => file.ends_with(name),
        false => holds_word(&fs::read_to_string(&linked).unwrap_or_default(), name.rsplit("::").next().unwrap_or(name)),
    };
    (!is_there).then_some("which does not hold what the link is called")
}

/// The name under which a heading can be linked to.
fn anchor(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    Some(kept.collect::<String>().to_lowercase().replace(' ', "-"))
}

fn holds_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|found| found == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_both_forms_are_found_and_code_is_no_text() {
        let text = prose("[a](b.md), [`c`][d], `moved[8][8]`\n```\n[no](link)\n```\n[d]: e.rs\n");
        assert_eq!(links(&text), [("a", "b.md"), ("`c`", "e.rs")]);
    }

    #[test]
    fn headings_become_anchors() {
        assert_eq!(anchor("## Then and now").as_deref(), Some("then-and-now"));
        assert_eq!(anchor("### One `go`").as_deref(), Some("one-go"));
        assert_eq!(anchor("no heading"), None);
    }

    #[test]
    fn what_does_not_exist_is_named() {
        let here = Path::new(file!()).strip_prefix("xtask").expect("the tests run in the folder of the package");
        let complaint = |label, target| problem(here, "# Here\n", label, target);
        assert_eq!(complaint("x", "nowhere.md"), Some("which does not exist"));
        assert_eq!(complaint("x", "#here"), None);
        assert_eq!(complaint("x", "#there"), Some("which has no such heading"));
        assert_eq!(complaint("`links::anchor`", "links.rs"), None);
        assert_eq!(complaint("`links.rs`", "links.rs"), None);
        let misnamed = concat!("`no_such", "_name`");
        assert_eq!(complaint(misnamed, "links.rs"), Some("which does not hold what the link is called"));
        assert_eq!(complaint("x", "https://example.org"), None);
    }
}
