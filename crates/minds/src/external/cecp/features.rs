//! What an engine says it can do.

/// The features of an engine that change how we speak with it. The defaults are the protocol's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Features {
    pub(super) name: Option<String>,
    pub(super) variants: Vec<String>,
    /// It answers `ping` with `pong` once it has done everything before.
    pub(super) ping: bool,
    /// It can be given a position.
    pub(super) setboard: bool,
    /// It wants moves as people write them.
    pub(super) san: bool,
    /// It wants the word `usermove` before a move.
    pub(super) usermove: bool,
    /// It wants to know the clocks.
    pub(super) time: bool,
    /// It wants to be told which color is to move.
    pub(super) colors: bool,
    /// It can play more than one game.
    pub(super) reuse: bool,
    /// Whether it has told everything; unknown until it says so one way or the other.
    pub(super) done: Option<bool>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            name: None,
            variants: vec!["normal".to_owned()],
            ping: false,
            setboard: false,
            san: false,
            usermove: false,
            time: true,
            colors: true,
            reuse: true,
            done: None,
        }
    }
}

/// Features that ask for commands we never send, or that change nothing for us.
const HARMLESS: [&str; 16] = [
    "analyze",
    "debug",
    "draw",
    "egt",
    "exclude",
    "highlight",
    "ics",
    "memory",
    "name",
    "nps",
    "option",
    "pause",
    "playother",
    "sigint",
    "sigterm",
    "smp",
];

impl Features {
    /// Accepts a feature. False if the feature or its value is unknown.
    pub(super) fn take(&mut self, name: &str, value: &str) -> bool {
        let flag = match value {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        };
        let switch = match name {
            "myname" => {
                self.name = Some(value.to_owned()).filter(|name| !name.is_empty());
                return true;
            }
            "variants" => {
                self.variants = value.split(',').map(|variant| variant.trim().to_owned()).collect();
                return true;
            }
            "done" => {
                self.done = flag;
                return flag.is_some();
            }
            "ping" => &mut self.ping,
            "setboard" => &mut self.setboard,
            "san" => &mut self.san,
            "usermove" => &mut self.usermove,
            "time" => &mut self.time,
            "colors" => &mut self.colors,
            "reuse" => &mut self.reuse,
            _ => return HARMLESS.contains(&name),
        };
        if let Some(flag) = flag {
            *switch = flag;
        }
        flag.is_some()
    }
}

/// The names and values of a line like `ping=1 myname="A Name" done=1`. What is not a name and a value is passed over.
pub(super) fn read(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter == '=' || letter.is_whitespace()).unwrap_or(rest.len());
        let name = &rest[..end];
        let Some(value) = rest[end..].strip_prefix('=') else {
            rest = rest[end..].trim_start();
            continue;
        };
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        found.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_with_quotes_and_junk() {
        let found = read(r#" ping=1 junk myname="A Name 1.0"  variants="normal,fischerandom" done=1 open="x"#);
        let expected = [
            ("ping", "1"),
            ("myname", "A Name 1.0"),
            ("variants", "normal,fischerandom"),
            ("done", "1"),
            ("open", "x"),
        ];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(read("  = a"), [(String::new(), String::new())]);
    }

    #[test]
    fn what_we_do_not_know_is_refused() {
        let mut features = Features::default();
        assert!(features.take("usermove", "1") && features.usermove);
        assert!(features.take("sigint", "0"));
        assert!(!features.take("usermove", "yes") && features.usermove);
        assert!(!features.take("teleport", "1"));
    }
}
