//! What programs write into comments: clocks `[%clk 0:03:07]`, time spent `[%emt 0:00:02.5]` and evaluations
//! `[%eval -0.31,20]`, as values.

use std::fmt;
use std::time::Duration;

use super::lexer::find_byte;

/// What an engine thought of the position after a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Eval {
    /// Who is better, seen from White.
    pub score: Evaluation,
    /// How deep the engine looked, if it says.
    pub depth: Option<u32>,
}

/// An advantage, seen from White.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Evaluation {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// White mates in so many moves, or is mated if the number is negative.
    Mate(i32),
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Evaluation::Centipawns(value) => {
                let sign = if value < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)?;
            }
            Evaluation::Mate(moves) => write!(f, "#{moves}")?,
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}

/// The values found in a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Annotations {
    /// What the player's clock showed after the move.
    pub clock: Option<Duration>,
    /// The time the move took.
    pub elapsed: Option<Duration>,
    /// What an engine thought of the position after the move.
    pub eval: Option<Eval>,
}

/// The values of a comment, which is only looked at. Where there are several of a kind, the last one counts.
pub(super) fn find(text: &[u8]) -> Annotations {
    // No value is longer, and a comment full of opening brackets is not searched to its end for each of them.
    const LONGEST: usize = 64;
    let mut found = Annotations::default();
    let mut rest = text;
    while let Some(start) = find_byte(rest, b'[') {
        rest = &rest[start + 1..];
        let Some(directive) = rest.strip_prefix(b"%") else { continue };
        let window = &directive[..directive.len().min(LONGEST)];
        let Some(end) = find_byte(window, b']') else { continue };
        found.accept_bytes(&window[..end]);
    }
    found
}

/// Takes the values out of a comment and returns what is left. What looks like a value and is none stays in the text.
pub(super) fn extract(text: &str, found: &mut Annotations) -> String {
    let mut kept = String::with_capacity(text.len());
    // Where those directives begin that may still turn out to be values. What has a bracket inside it is none, unless
    // the bracket belongs to a value that is taken out.
    let mut open = Vec::new();
    for letter in text.chars() {
        kept.push(letter);
        match letter {
            '%' if kept.ends_with("[%") => open.push(kept.len() - 2),
            ']' => match open.pop() {
                Some(start) if found.accept(&kept[start + 2..kept.len() - 1]) => {
                    kept.truncate(start);
                    kept.push(' ');
                }
                _ => open.clear(),
            },
            _ => {}
        }
    }
    normalize(&kept)
}

/// Comments hold words with one blank between, and no closing brace.
pub(super) fn normalize(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().map(|letter| if letter == '}' { ')' } else { letter }));
    }
    words
}

impl Annotations {
    /// Takes a directive as it mostly is, or goes the long way.
    fn accept_bytes(&mut self, directive: &[u8]) {
        let is_taken = match directive {
            [b'c', b'l', b'k', b' ', value @ ..] => replace(&mut self.clock, parse_time(value.trim_ascii())),
            [b'e', b'm', b't', b' ', value @ ..] => replace(&mut self.elapsed, parse_time(value.trim_ascii())),
            [b'e', b'v', b'a', b'l', b' ', value @ ..] => {
                replace(&mut self.eval, str::from_utf8(value.trim_ascii()).ok().and_then(parse_eval))
            }
            _ => false,
        };
        if !is_taken && let Ok(directive) = str::from_utf8(directive) {
            self.accept(directive);
        }
    }

    fn accept(&mut self, directive: &str) -> bool {
        let Some((name, value)) = directive.split_once(char::is_whitespace) else { return false };
        let value = value.trim();
        match name {
            "clk" => replace(&mut self.clock, parse_time(value.as_bytes())),
            "emt" => replace(&mut self.elapsed, parse_time(value.as_bytes())),
            "eval" => replace(&mut self.eval, parse_eval(value)),
            _ => false,
        }
    }

    /// The values as a comment holds them.
    pub(super) fn directives(self) -> impl Iterator<Item = String> {
        let eval = self.eval.map(|eval| format!("[%eval {eval}]"));
        let clock = self.clock.map(|time| format!("[%clk {}]", show_time(time)));
        let elapsed = self.elapsed.map(|time| format!("[%emt {}]", show_time(time)));
        [eval, clock, elapsed].into_iter().flatten()
    }
}

fn replace<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    let is_value = value.is_some();
    if is_value {
        *place = value;
    }
    is_value
}

/// `H:MM:SS`, with fewer parts or a fraction of a second too.
fn parse_time(text: &[u8]) -> Option<Duration> {
    let (mut seconds, mut part, mut digits, mut parts) = (0_u64, 0_u64, 0, 1);
    let mut letters = text.iter().copied();
    for letter in letters.by_ref() {
        match letter {
            b'0'..=b'9' => {
                part = part * 10 + u64::from(letter - b'0');
                digits += 1;
                if part > u64::from(u32::MAX) {
                    return None;
                }
            }
            b':' if digits > 0 && parts < 3 => {
                (seconds, part, digits, parts) = ((seconds + part) * 60, 0, 0, parts + 1);
            }
            b'.' => break,
            _ => return None,
        }
    }
    if digits == 0 {
        return None;
    }
    let (mut nanoseconds, mut unit) = (0, 100_000_000);
    for letter in letters.take(9) {
        nanoseconds += u32::from(letter.checked_sub(b'0').filter(|digit| *digit < 10)?) * unit;
        unit /= 10;
    }
    Some(Duration::new(seconds + part, nanoseconds))
}

fn show_time(time: Duration) -> String {
    let (seconds, nanoseconds) = (time.as_secs(), time.subsec_nanos());
    let mut text = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if nanoseconds > 0 {
        text.push_str(format!(".{nanoseconds:09}").trim_end_matches('0'));
    }
    text
}

fn parse_eval(text: &str) -> Option<Eval> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score.trim_end(), Some(digits(depth.trim_start())?)),
        None => (text, None),
    };
    let (moves, score) = match score.strip_prefix('#') {
        Some(moves) => (true, moves),
        None => (false, score),
    };
    let (sign, size) = match score.strip_prefix('-') {
        Some(size) => (-1, size),
        None => (1, score.strip_prefix('+').unwrap_or(score)),
    };
    let score = if moves {
        Evaluation::Mate(sign * i32::try_from(digits(size)?).ok()?)
    } else {
        let (pawns, hundredths) = size.split_once('.').unwrap_or((size, ""));
        let pawns = if pawns.is_empty() && !hundredths.is_empty() { 0 } else { digits(pawns)? };
        let hundredths = match hundredths.len() {
            0 => 0,
            1 => digits(hundredths)? * 10,
            _ => {
                digits(hundredths)?;
                digits(&hundredths[..2])?
            }
        };
        Evaluation::Centipawns(sign * i32::try_from(pawns.checked_mul(100)? + hundredths).ok()?)
    };
    Some(Eval { score, depth })
}

/// A number of digits alone.
fn digits(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Annotations, String) {
        let mut found = Annotations::default();
        let rest = extract(text, &mut found);
        (found, rest)
    }

    #[test]
    fn values_are_taken_out_of_comments_and_put_back() {
        let (found, rest) = read("[%eval -0.31,20] good [%clk 1:02:03.50] [%emt 0:00:07]  move");
        assert_eq!(found.clock, Some(Duration::from_millis(3_723_500)));
        assert_eq!(found.elapsed, Some(Duration::from_secs(7)));
        assert_eq!(found.eval, Some(Eval { score: Evaluation::Centipawns(-31), depth: Some(20) }));
        assert_eq!(rest, "good move");
        let directives: Vec<String> = found.directives().collect();
        assert_eq!(directives, ["[%eval -0.31,20]", "[%clk 1:02:03.5]", "[%emt 0:00:07]"]);
    }

    #[test]
    fn values_are_found_without_taking_the_comment_apart() {
        let text = "[%eval -0.31,20] good [%clk 1:02:03.50][%emt soon] [%emt 0:00:07]  move [%csl Ga4] [%";
        assert_eq!(find(text.as_bytes()), read(text).0);
        let brackets = ["[%".repeat(500_000), "]".to_owned()].concat();
        assert_eq!(find(brackets.as_bytes()), Annotations::default());
    }

    #[test]
    fn evaluations_come_in_several_spellings() {
        for (text, shown) in
            [("#3", "#3"), ("#-12", "#-12"), ("+1.5", "1.50"), (".25", "0.25"), ("12", "12.00"), ("-0.049", "-0.04")]
        {
            assert_eq!(parse_eval(text).map(|eval| eval.to_string()), Some(shown.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_no_value_stays_text() {
        for text in [
            "[%clk soon]",
            "[%clk 1:2:3:4]",
            "[%eval 1.2.3]",
            "[%csl Ga4]",
            "[%clk",
            "[%clk 99999999999:00:00]",
            "[%eval é]",
            "[%eval 1.é]",
        ] {
            assert_eq!(read(text), (Annotations::default(), text.to_owned()));
        }
        assert_eq!(read("a } b\n c").1, "a ) b c");
    }

    #[test]
    fn a_comment_full_of_directives_is_read_once() {
        // Looked through again for each of them, this would take minutes.
        let text = ["[%clk 0:00:01] ".repeat(70_000), "[%".repeat(500_000)].concat();
        let (found, rest) = read(&text);
        assert_eq!(found.clock, Some(Duration::from_secs(1)));
        assert_eq!(rest.len(), 1_000_000);
    }

    #[test]
    fn no_value_hides_behind_another() {
        let (found, rest) = read("[%clk [%clk 0:00:01] 0:00:02]");
        assert_eq!((found.clock, rest.as_str()), (Some(Duration::from_secs(2)), ""));
    }
}
