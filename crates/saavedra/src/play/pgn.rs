//! Games as text: Portable Game Notation, the seven tags that every game has and the moves.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use rules::{Color, Game, Position};

/// A game as it is written down.
#[derive(Clone, Debug)]
pub(crate) struct Record<'a> {
    pub(crate) event: &'a str,
    pub(crate) date: String,
    pub(crate) white: &'a str,
    pub(crate) black: &'a str,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game that has not ended.
    pub(crate) result: &'a str,
    /// Seconds and seconds per move, as in `300+3`.
    pub(crate) time_control: Option<String>,
    pub(crate) game: &'a Game,
}

/// The widest line of moves.
const WIDTH: usize = 80;

impl fmt::Display for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.game.start();
        let mut tags = vec![
            ("Event", self.event.to_owned()),
            ("Site", "?".to_owned()),
            ("Date", self.date.clone()),
            ("Round", "-".to_owned()),
            ("White", self.white.to_owned()),
            ("Black", self.black.to_owned()),
            ("Result", self.result.to_owned()),
        ];
        if *start != Position::initial() {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", start.to_string())]);
        }
        tags.extend(self.time_control.clone().map(|control| ("TimeControl", control)));
        for (name, value) in tags {
            writeln!(f, "[{name} \"{}\"]", escape(&value))?;
        }
        writeln!(f)?;
        let mut width = 0;
        for word in movetext(self.game).iter().map(String::as_str).chain([self.result]) {
            let gap = usize::from(width > 0);
            if width + gap + word.len() > WIDTH {
                write!(f, "\n{word}")?;
                width = word.len();
            } else {
                write!(f, "{}{word}", [" "; 1][..gap].concat())?;
                width += gap + word.len();
            }
        }
        writeln!(f)
    }
}

/// The moves with their numbers, word by word.
pub(crate) fn movetext(game: &Game) -> Vec<String> {
    let mut words = Vec::new();
    for (position, mv) in game.positions().iter().zip(game.moves()) {
        match position.turn() {
            Color::White => words.push(format!("{}.", position.fullmove_number())),
            Color::Black if words.is_empty() => words.push(format!("{}...", position.fullmove_number())),
            Color::Black => {}
        }
        words.push(position.san(*mv));
    }
    words
}

/// A value between quotation marks: those inside are escaped, and nothing breaks the line.
fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}

/// Today, by the world's clock, as a PGN tag has it.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// The date so many days after the first of January 1970.
fn date(days: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year:04}.{month:02}.{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &mut Game, moves: &str) {
        for san in moves.split_whitespace() {
            let mv = game.position().parse_san(san).expect("a legal move");
            game.play(mv).expect("a legal move");
        }
    }

    fn record(game: &Game) -> Record<'_> {
        Record {
            event: "A \"casual\" game",
            date: "2026.11.15".to_owned(),
            white: "You",
            black: "a\\b\nc",
            result: "*",
            time_control: Some("300+3".to_owned()),
            game,
        }
    }

    #[test]
    fn a_game_has_seven_tags_its_moves_and_its_result() {
        let mut game = Game::default();
        play(&mut game, "e4 e5 Nf3");
        assert_eq!(
            record(&game).to_string(),
            "[Event \"A \\\"casual\\\" game\"]\n[Site \"?\"]\n[Date \"2026.11.15\"]\n[Round \"-\"]\n\
             [White \"You\"]\n[Black \"a\\\\b c\"]\n[Result \"*\"]\n[TimeControl \"300+3\"]\n\n\
             1. e4 e5 2. Nf3 *\n"
        );
    }

    #[test]
    fn a_game_from_elsewhere_tells_where_it_began() {
        let fen = "4k3/8/8/8/8/8/4p3/2K5 b - - 3 40";
        let mut game = Game::new(fen.parse().expect("a position"));
        play(&mut game, "e1=Q+ Kb2");
        let text = record(&game).to_string();
        assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")), "{text}");
        assert!(text.ends_with("\n\n40... e1=Q+ 41. Kb2 *\n"), "{text}");
    }

    #[test]
    fn lines_of_moves_end_before_the_eightieth_column() {
        let mut game = Game::default();
        for _ in 0..30 {
            play(&mut game, "Nf3 Nf6 Ng1 Ng8");
        }
        let text = record(&game).to_string();
        let (_, moves) = text.split_once("\n\n").expect("an empty line ends the tags");
        assert!(moves.lines().all(|line| line.len() <= 80 && line == line.trim()), "{moves}");
        assert!(moves.lines().rev().skip(1).all(|line| line.len() > 70), "{moves}");
        assert_eq!(moves.split_whitespace().count(), 60 + 120 + 1);
    }

    #[test]
    fn days_become_dates() {
        for (days, shown) in [
            (0, "1970.01.01"),
            (58, "1970.02.28"),
            (59, "1970.03.01"),
            (789, "1972.02.29"),
            (11_016, "2000.02.29"),
            (20_772, "2026.11.15"),
            (20_818, "2026.12.31"),
        ] {
            assert_eq!(date(days), shown);
        }
    }
}
