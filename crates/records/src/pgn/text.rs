//! Text as it stands in a file: bytes that are UTF-8, if all is well.

use std::borrow::Cow;

use super::annotation::{self, Annotations};

/// Bytes as text: UTF-8, or else Latin-1, which any bytes are.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// The value of a tag as it stands between its quotation marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TagText<'a>(pub(super) &'a [u8]);

impl<'a> TagText<'a> {
    /// The bytes in the file.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// The value itself: escaped quotation marks and backslashes stand for themselves.
    pub fn decode(self) -> Cow<'a, str> {
        let text = decode(self.0);
        if !text.contains('\\') {
            return text;
        }
        let mut value = String::with_capacity(text.len());
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letters.peek() {
                Some(&escaped @ ('"' | '\\')) if letter == '\\' => {
                    value.push(escaped);
                    letters.next();
                }
                _ => value.push(letter),
            }
        }
        Cow::Owned(value)
    }
}

/// A comment as it stands between its braces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommentText<'a>(pub(super) &'a [u8]);

impl<'a> CommentText<'a> {
    /// The bytes in the file.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// The clocks and evaluations in it.
    pub fn values(self) -> Annotations {
        annotation::find(self.0)
    }

    /// The text, line breaks and all.
    pub fn decode(self) -> Cow<'a, str> {
        decode(self.0)
    }
}
