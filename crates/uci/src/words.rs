//! A line as words, and what came of reading it.

use std::borrow::Cow;

/// What a line says, and what in it made no sense.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading<T> {
    /// What the line says once everything that makes no sense is left out.
    pub value: T,
    /// What was left out and why, one sentence each, for people to read.
    pub complaints: Vec<String>,
}

/// The words of a line that are still to be read.
pub(crate) struct Words<'a> {
    rest: &'a str,
    pub(crate) complaints: Vec<String>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(line: &'a str) -> Words<'a> {
        Words { rest: line.trim(), complaints: Vec::new() }
    }

    /// The next word, which stays.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    /// The next word.
    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest[word.len()..].trim_start();
        Some(word)
    }

    /// The next word, unless it is one that opens something else.
    pub(crate) fn next_unless(&mut self, opens: impl Fn(&str) -> bool) -> Option<&'a str> {
        self.peek().filter(|word| !opens(word))?;
        self.next()
    }

    /// All words up to one that opens something else.
    pub(crate) fn until(&mut self, opens: impl Fn(&str) -> bool) -> Vec<String> {
        std::iter::from_fn(|| self.next_unless(&opens).map(str::to_owned)).collect()
    }

    /// The rest of the line as it stands.
    pub(crate) fn text(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    pub(crate) fn complain(&mut self, complaint: impl Into<String>) {
        self.complaints.push(complaint.into());
    }

    /// A whole number after the word `name`, cut to what its type holds. Decimals are dropped.
    pub(crate) fn number<N: TryFrom<i128>>(&mut self, name: &str, opens: impl Fn(&str) -> bool) -> Option<N> {
        let Some(word) = self.next_unless(opens) else {
            self.complain(format!("{name} lacks its number"));
            return None;
        };
        let number = whole_number(word).and_then(saturated);
        if number.is_none() {
            self.complain(format!("{name} wants a whole number, not {:?}", abridged(word)));
        }
        number
    }

    pub(crate) fn reading<T>(self, value: T) -> Reading<T> {
        Reading { value, complaints: self.complaints }
    }
}

/// The whole part of a number, however long.
fn whole_number(word: &str) -> Option<i128> {
    let (is_negative, digits) = match word.as_bytes().first()? {
        b'-' => (true, &word[1..]),
        b'+' => (false, &word[1..]),
        _ => (false, word),
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !are_digits(whole) || !are_digits(decimals) {
        return None;
    }
    let size = whole.parse().unwrap_or(i128::MAX);
    Some(if is_negative { -size } else { size })
}

/// A number cut to what a type holds.
fn saturated<N: TryFrom<i128>>(number: i128) -> Option<N> {
    // Integer types hold a range around or from zero, so the nearest number they hold is found by going towards zero.
    let powers = (1..=64).rev().map(|bits| (1_i128 << bits) - 1);
    let nearest = |limit: i128| if number < 0 { (-limit - 1).max(number) } else { limit.min(number) };
    N::try_from(number).ok().or_else(|| powers.map(nearest).chain([0]).find_map(|number| N::try_from(number).ok()))
}

/// The text with its line breaks replaced by blanks.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let breaks = |letter: char| letter == '\n' || letter == '\r';
    if text.contains(breaks) { text.replace(breaks, " ").into() } else { text.into() }
}

/// The beginning of a text, for complaints that quote it.
pub(crate) fn abridged(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_to_what_their_type_holds() {
        let huge = "9".repeat(400);
        let number = |word: &str| Words::new(word).number::<i64>("n", |_| false);
        assert_eq!(number(&huge), Some(i64::MAX));
        assert_eq!(number(&format!("-{huge}")), Some(i64::MIN));
        assert_eq!(number("-5"), Some(-5));
        assert_eq!(number("+5.75"), Some(5));
        assert_eq!([number("abc"), number("-"), number("5e3"), number("--5"), number("")], [None; 5]);
        assert_eq!(Words::new(&huge).number::<u64>("n", |_| false), Some(u64::MAX));
        assert_eq!(Words::new("-7").number::<u64>("n", |_| false), Some(0));
        assert_eq!(Words::new("4294967296").number::<u32>("n", |_| false), Some(u32::MAX));
    }
}
