//! Lines of an answer: moves with counts, totals, ends.

use doctor::Divide;

/// What a line of an answer can be.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// A move and the leaves below it.
    Entry(String, u64),
    /// The sum of all.
    Total(u64),
    /// The end, without a sum.
    End,
    /// Something else.
    Other,
}

impl Line {
    /// Reads `e2e4 20`, `e2e4: 20`, `total 400`, `Nodes searched: 400`, `done` and the like.
    pub(super) fn parse(line: &str) -> Line {
        let words: Vec<&str> =
            line.split([' ', '\t', ':', '=']).filter(|word| !word.is_empty() && *word != "-").collect();
        let number = |word: &str| word.parse::<u64>().ok();
        match words[..] {
            [] => Line::End,
            [word] if word.eq_ignore_ascii_case("done") => Line::End,
            [mv, count] if is_move(mv) => match number(count) {
                Some(count) => Line::Entry(mv.to_ascii_lowercase(), count),
                None => Line::Other,
            },
            [first, .., last] if ["total", "nodes"].iter().any(|word| first.eq_ignore_ascii_case(word)) => {
                let is_rate = words.iter().any(|word| word.eq_ignore_ascii_case("per") || word.contains('/'));
                number(last).filter(|_| !is_rate).map_or(Line::Other, Line::Total)
            }
            _ => Line::Other,
        }
    }
}

fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_square = |square: &[u8]| matches!(square, [b'a'..=b'h', b'1'..=b'8']);
    match bytes.len() {
        4 => is_square(&bytes[..2]) && is_square(&bytes[2..]),
        5 => is_square(&bytes[..2]) && is_square(&bytes[2..4]) && bytes[4].is_ascii_alphabetic(),
        _ => false,
    }
}

/// Checks a sum that the program gave against its own lines.
pub(super) fn check_total(divide: &Divide, total: u64) -> Result<(), String> {
    let sum = divide.total();
    if sum == total {
        Ok(())
    } else {
        Err(format!("it says that there are {total} leaves, but its lines add up to {sum}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spellings_of_many_programs_are_understood() {
        for text in ["e7e8q 20", "e7e8q: 20", "e7e8Q - 20", "e7e8q\t= 20"] {
            assert_eq!(Line::parse(text), Line::Entry("e7e8q".to_owned(), 20), "{text}");
        }
        for text in ["total 400", "Total: 400", "Nodes searched: 400", "nodes 400", "Total nodes: 400"] {
            assert_eq!(Line::parse(text), Line::Total(400), "{text}");
        }
        for text in ["", "  ", "done", "Done"] {
            assert_eq!(Line::parse(text), Line::End, "{text:?}");
        }
        for text in
            ["e2e4", "e2e4 x", "e2e4 -1", "i2e4 20", "e2e4 20 30", "nodes per second 7", "Nodes/second: 7", "ouch"]
        {
            assert_eq!(Line::parse(text), Line::Other, "{text}");
        }
    }
}
