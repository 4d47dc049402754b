//! What a player can say: moves, and commands with a name.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use clap::ValueEnum;
use rules::{Color, Position};

use super::opponent;

/// Something a player said, understood as far as it can be without looking at the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    /// Play the move that this text stands for.
    Play(String),
    TakeBack,
    Hint,
    /// Start again, with other colors if they are named.
    New(Option<Side>),
    Flip,
    /// Claim a draw, accept one, or offer one.
    Draw,
    Resign,
    /// Make the opponent move at once.
    Now,
    /// Add the game to a file.
    Save(Option<String>),
    /// Play on against another engine.
    Engine(String),
    /// List the engines there are.
    Engines,
    Board,
    Moves,
    Fen,
    Pgn,
    Help,
    Quit,
}

/// The colors a player may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Side {
    White,
    Black,
    Random,
}

impl Side {
    /// The color, chosen at random if need be.
    pub(crate) fn color(self) -> Color {
        match self {
            Side::White => Color::White,
            Side::Black => Color::Black,
            // Every state of the standard library's hasher begins with other random keys.
            Side::Random if RandomState::new().build_hasher().finish().is_multiple_of(2) => Color::White,
            Side::Random => Color::Black,
        }
    }
}

/// The commands with what they do, in the order in which they are shown.
const COMMANDS: [(&str, &str); 18] = [
    ("undo", "take your last move back"),
    ("hint", "ask what the search would play"),
    ("now", "make the opponent move at once"),
    ("draw", "claim a draw, accept one, or offer one"),
    ("resign", "give the game up"),
    ("new [white|black|random]", "start a new game"),
    ("engine NAME", "play on against another engine, like random or uci:stockfish"),
    ("engines", "list the engines there are"),
    ("elo RATING", "play on against the search held back to a rating"),
    ("flip", "turn the board round"),
    ("board", "show the board"),
    ("moves", "list the legal moves"),
    ("fen", "show the position as FEN"),
    ("pgn", "show the game as PGN"),
    ("save [FILE]", "add the game to a file, saavedra.pgn if none is named"),
    ("help", "show this list"),
    ("quit", "leave"),
    ("e4, Nf3, exd5, O-O, e7e8q", "play a move"),
];

/// The list of commands.
pub(crate) fn help() -> String {
    let lines: Vec<String> = COMMANDS.iter().map(|(name, purpose)| format!("{name:<26}{purpose}")).collect();
    lines.join("\n")
}

impl Command {
    /// Understands a line, or says what is wrong with it. An empty line says nothing.
    pub(crate) fn parse(line: &str) -> Result<Option<Command>, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let command = match word.to_ascii_lowercase().as_str() {
            "" => return Ok(None),
            "undo" | "back" | "takeback" => Command::TakeBack,
            "hint" => Command::Hint,
            "now" => Command::Now,
            "draw" => Command::Draw,
            "resign" => Command::Resign,
            "new" => return new_game(rest).map(Some),
            // `mind` and `minds` are the old names.
            "engine" | "mind" if rest.is_empty() => return Err("name an engine, as in: engine random".to_owned()),
            "engine" | "mind" => return Ok(Some(Command::Engine(rest.to_owned()))),
            "elo" => return Ok(Some(Command::Engine(opponent::rated(opponent::parse_rating(rest)?).to_string()))),
            "engines" | "minds" => Command::Engines,
            "flip" => Command::Flip,
            "board" => Command::Board,
            "moves" => Command::Moves,
            "fen" => Command::Fen,
            "pgn" => Command::Pgn,
            "save" => return Ok(Some(Command::Save((!rest.is_empty()).then(|| rest.to_owned())))),
            "help" | "?" => Command::Help,
            "quit" | "exit" => Command::Quit,
            _ => return Ok(Some(Command::Play(line.to_owned()))),
        };
        if rest.is_empty() { Ok(Some(command)) } else { Err(format!("{word} takes nothing more, found {rest:?}")) }
    }
}

fn new_game(side: &str) -> Result<Command, String> {
    match side {
        "" => Ok(Command::New(None)),
        side => Side::from_str(side, true)
            .map(|side| Command::New(Some(side)))
            .map_err(|_| format!("new takes white, black or random, not {side:?}")),
    }
}

/// What the beginning of a line may become: legal moves first, then commands.
pub(crate) fn completions(start: &str, position: &Position) -> Vec<String> {
    let mut moves: Vec<String> = position.san_moves().into_iter().map(|(_, name)| name).collect();
    moves.sort();
    let long = position.legal_moves().into_iter().map(|mv| position.uci(mv));
    // Moves in long notation are offered once the beginning of one is typed.
    moves.extend(long.filter(|_| start.len() >= 2));
    let words = COMMANDS.iter().filter_map(|(name, _)| name.split(' ').next()).filter(|name| !name.ends_with(','));
    moves.into_iter().chain(words.map(str::to_owned)).filter(|word| word.starts_with(start)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_moves() {
        let parse = |line: &str| Command::parse(line).expect("a sensible line");
        assert_eq!(parse("  "), None);
        assert_eq!(parse("UNDO"), Some(Command::TakeBack));
        assert_eq!(parse("new black"), Some(Command::New(Some(Side::Black))));
        assert_eq!(parse("save my games.pgn "), Some(Command::Save(Some("my games.pgn".to_owned()))));
        assert_eq!(parse(" Nf3 "), Some(Command::Play("Nf3".to_owned())));
        assert_eq!(parse("bxc3"), Some(Command::Play("bxc3".to_owned())));
        assert_eq!(Command::parse("engine"), Err("name an engine, as in: engine random".to_owned()));
        assert_eq!(parse("mind random"), parse("engine random"), "the old name");
        assert_eq!(Command::parse("new green"), Err("new takes white, black or random, not \"green\"".to_owned()));
        assert_eq!(parse("elo 1500"), Some(Command::Engine("search:elo=1500".to_owned())));
        assert!(Command::parse("elo high").is_err());
        assert_eq!(Command::parse("flip it"), Err("flip takes nothing more, found \"it\"".to_owned()));
    }

    #[test]
    fn every_command_in_the_list_is_understood() {
        for (name, _) in COMMANDS {
            let word = name.split(' ').next().expect("a word");
            let is_move = matches!(Command::parse(word), Ok(Some(Command::Play(_))));
            assert_eq!(is_move, word == "e4,", "{word}");
        }
    }

    #[test]
    fn the_beginning_of_a_move_is_completed() {
        let start = Position::initial();
        assert_eq!(completions("N", &start), ["Na3", "Nc3", "Nf3", "Nh3"]);
        assert_eq!(completions("e2", &start), ["e2e3", "e2e4"]);
        assert_eq!(completions("re", &start), ["resign"]);
        assert_eq!(completions("", &start).len(), 20 + 17);
        assert!(completions("x", &start).is_empty());
    }
}
