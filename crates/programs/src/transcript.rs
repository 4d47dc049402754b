//! Who said what, and when.

use std::collections::VecDeque;
use std::time::Instant;

/// Longer lines are cut here: a transcript is for people.
const LONGEST_SHOWN: usize = 400;

/// Who spoke.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// We did.
    Us,
    /// The program did.
    Program,
}

/// One line of a transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranscriptEntry {
    /// When it was sent, or came out of the program.
    pub at: Instant,
    /// Who said it.
    pub voice: Voice,
    /// What was said; long lines are cut, with an ellipsis.
    pub text: String,
}

/// The last lines of a conversation. What the program said is in it once it was received.
#[derive(Clone, Debug)]
pub struct Transcript {
    entries: VecDeque<TranscriptEntry>,
    longest: usize,
    forgotten: usize,
}

impl Transcript {
    pub(crate) fn new(longest: usize) -> Transcript {
        Transcript { entries: VecDeque::new(), longest, forgotten: 0 }
    }

    /// The lines, oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &TranscriptEntry> + ExactSizeIterator {
        self.entries.iter()
    }

    /// How many earlier lines are not kept any more.
    pub fn forgotten(&self) -> usize {
        self.forgotten
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.longest > 0
    }

    pub(crate) fn add(&mut self, at: Instant, voice: Voice, text: &str) {
        if !self.is_kept() {
            return;
        }
        if self.entries.len() == self.longest {
            self.entries.pop_front();
            self.forgotten += 1;
        }
        let text = match text.char_indices().nth(LONGEST_SHOWN) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        };
        self.entries.push_back(TranscriptEntry { at, voice, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept_and_long_ones_are_cut() {
        let mut transcript = Transcript::new(2);
        for text in ["a".to_owned(), "b".to_owned(), "ö".repeat(LONGEST_SHOWN + 1)] {
            transcript.add(Instant::now(), Voice::Us, &text);
        }
        assert_eq!(transcript.forgotten(), 1);
        let texts: Vec<&str> = transcript.entries().map(|entry| entry.text.as_str()).collect();
        assert_eq!(texts, ["b", &format!("{}…", "ö".repeat(LONGEST_SHOWN))]);
    }
}
