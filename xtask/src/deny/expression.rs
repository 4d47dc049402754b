//! Licence expressions as crates write them: `MIT OR Apache-2.0`, `(MIT OR Apache-2.0) AND Unicode-3.0`, and
//! `MIT/Apache-2.0` of old.

/// Whether an expression can be satisfied with licences that are allowed. What cannot be read does not hold.
pub(super) fn holds(expression: &str, is_allowed: &impl Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut words = &words[..];
    any(&mut words, is_allowed) == Some(true) && words.is_empty()
}

/// `a OR b OR ...`
fn any(words: &mut &[&str], is_allowed: &impl Fn(&str) -> bool) -> Option<bool> {
    let mut holds = all(words, is_allowed)?;
    while let ["OR", rest @ ..] = words {
        *words = rest;
        holds |= all(words, is_allowed)?;
    }
    Some(holds)
}

/// `a AND b AND ...`
fn all(words: &mut &[&str], is_allowed: &impl Fn(&str) -> bool) -> Option<bool> {
    let mut holds = one(words, is_allowed)?;
    while let ["AND", rest @ ..] = words {
        *words = rest;
        holds &= one(words, is_allowed)?;
    }
    Some(holds)
}

/// A licence, perhaps with an exception to it, or an expression in parentheses.
fn one(words: &mut &[&str], is_allowed: &impl Fn(&str) -> bool) -> Option<bool> {
    match **words {
        ["(", ref rest @ ..] => {
            *words = rest;
            let holds = any(words, is_allowed)?;
            *words = words.strip_prefix(&[")"])?;
            Some(holds)
        }
        [licence, "WITH", exception, ref rest @ ..] => {
            *words = rest;
            Some(is_allowed(&format!("{licence} WITH {exception}")))
        }
        ["AND" | "OR" | ")", ..] | [] => None,
        [licence, ref rest @ ..] => {
            *words = rest;
            Some(is_allowed(licence))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_hold_if_allowed_licences_satisfy_them() {
        let is_allowed = |licence: &str| ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].contains(&licence);
        for good in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-3.0/MIT",
            "MIT AND Zlib",
            "(MIT OR GPL-3.0) AND Zlib",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        ] {
            assert!(holds(good, &is_allowed), "{good}");
        }
        for bad in ["GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0", "", "MIT OR", "(MIT", "MIT Zlib", ")"] {
            assert!(!holds(bad, &is_allowed), "{bad}");
        }
    }
}
