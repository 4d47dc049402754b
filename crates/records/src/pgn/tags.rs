//! The tags of a game: seven that every game has, and others in the order in which they were given.

use super::PgnResult;

/// The Seven Tag Roster, in its order; the seventh is the result.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// What is told of a game besides its moves. Where it started is not among them: the game knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tags {
    roster: [String; ROSTER.len()],
    result: PgnResult,
    others: Vec<(String, String)>,
}

impl Default for Tags {
    fn default() -> Tags {
        Tags { roster: ROSTER.map(|(_, value)| value.to_owned()), result: PgnResult::Unknown, others: Vec::new() }
    }
}

impl Tags {
    /// The value of a tag. The seven that every game has are there even if nothing is known.
    pub fn get(&self, name: &str) -> Option<&str> {
        if name == "Result" {
            return Some(self.result.as_str());
        }
        match ROSTER.iter().position(|(tag, _)| *tag == name) {
            Some(index) => Some(&self.roster[index]),
            None => self.others.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str()),
        }
    }

    /// Sets a tag. Line breaks in the value become blanks. What cannot be a tag is not kept: names with anything but
    /// letters, digits and `_+#=:-`, a `Result` that is none, and `FEN` and `SetUp`, which the game tells by itself.
    pub fn set(&mut self, name: &str, value: &str) {
        if name == "Result" {
            self.result = PgnResult::from_bytes(value.trim().as_bytes()).unwrap_or_default();
            return;
        }
        if !is_name(name) || name == "FEN" || name == "SetUp" {
            return;
        }
        let value: String = value.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        if let Some(index) = ROSTER.iter().position(|(tag, _)| *tag == name) {
            self.roster[index] = value;
        } else if let Some((_, old)) = self.others.iter_mut().find(|(tag, _)| tag == name) {
            *old = value;
        } else {
            self.others.push((name.to_owned(), value));
        }
    }

    /// Removes a tag, if it is not one of the seven.
    pub fn remove(&mut self, name: &str) {
        self.others.retain(|(tag, _)| tag != name);
    }

    /// The result.
    pub fn result(&self) -> PgnResult {
        self.result
    }

    /// Sets the result.
    pub fn set_result(&mut self, result: PgnResult) {
        self.result = result;
    }

    /// The seven tags that every game has, in their order.
    pub fn roster(&self) -> impl Iterator<Item = (&str, &str)> {
        let first = ROSTER.iter().zip(&self.roster).map(|((name, _), value)| (*name, value.as_str()));
        first.chain([("Result", self.result.as_str())])
    }

    /// All tags besides the seven.
    pub fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        self.others.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn is_name(text: &str) -> bool {
    let is_inside = |letter: char| letter.is_ascii_alphanumeric() || "_+#=:-".contains(letter);
    text.starts_with(|letter: char| letter.is_ascii_alphanumeric()) && text.chars().all(is_inside)
}
