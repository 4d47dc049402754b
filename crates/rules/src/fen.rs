//! Positions as text: Forsyth-Edwards Notation, with the castling letters of X-FEN and Shredder-FEN.
//!
//! Reading is strict: four to six fields, separated by one space each; a missing clock reads as 0 and a missing move
//! number as 1 (and so does a move number of 0, which some programs write). The castling field takes `KQkq`, which mean
//! the outermost rook on that side of the king, and the letters of files, which name a rook. Writing prefers `KQkq` and
//! falls back to files where another rook stands further out; [`Position::shredder_fen`] always writes files.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::{Bitboard, CastlingSide, Color, File, IllegalSetup, Piece, Position, Rank, Role, Setup, Square};

/// What is wrong with a FEN, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenError {
    /// There are not four to six fields.
    Fields(usize),
    /// The first field does not have eight ranks.
    Ranks(usize),
    /// A rank does not have eight files.
    RankLength(Rank, usize),
    /// A letter that is no piece, or a digit that is no number of empty squares, or two digits in a row.
    Placement(Rank, char),
    /// The second field is neither `w` nor `b`.
    Turn(String),
    /// The third field is not `-` or a list of castling letters.
    Castling(String),
    /// The fourth field is neither `-` nor a square.
    EnPassant(String),
    /// The fifth field is not a number.
    HalfmoveClock(String),
    /// The sixth field is not a number.
    FullmoveNumber(String),
    /// The text reads well, but the position cannot be played.
    Illegal(IllegalSetup),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Fields(1) => write!(f, "FEN has 1 field, expected four to six separated by single spaces"),
            FenError::Fields(found) => {
                write!(f, "FEN has {found} fields, expected four to six separated by single spaces")
            }
            FenError::Ranks(found) => write!(f, "FEN field 1 (pieces) has {found} ranks, expected eight"),
            FenError::RankLength(rank, found) => {
                write!(f, "FEN field 1 (pieces): rank {rank} has {found} squares, expected eight")
            }
            FenError::Placement(rank, letter) => {
                write!(f, "FEN field 1 (pieces): unexpected {letter:?} in rank {rank}")
            }
            FenError::Turn(text) => write!(f, "FEN field 2 (turn) is {text:?}, expected w or b"),
            FenError::Castling(text) => {
                write!(f, "FEN field 3 (castling) is {text:?}, expected - or letters like KQkq or HAha, none twice")
            }
            FenError::EnPassant(text) => {
                write!(f, "FEN field 4 (en passant) is {text:?}, expected - or a square like e3")
            }
            FenError::HalfmoveClock(text) => {
                write!(f, "FEN field 5 (half-move clock) is {text:?}, expected a number up to {}", u16::MAX)
            }
            FenError::FullmoveNumber(text) => {
                write!(f, "FEN field 6 (move number) is {text:?}, expected a number up to {}", u16::MAX)
            }
            FenError::Illegal(problems) => write!(f, "illegal position: {problems}"),
        }
    }
}

impl std::error::Error for FenError {}

impl From<IllegalSetup> for FenError {
    fn from(problems: IllegalSetup) -> FenError {
        FenError::Illegal(problems)
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        Ok(fen.parse::<Setup>()?.position()?)
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Setup, FenError> {
        let fields: Vec<&str> = fen.split(' ').collect();
        let &[pieces, turn, castling, en_passant, ref counters @ ..] = fields.as_slice() else {
            return Err(FenError::Fields(fields.len()));
        };
        if counters.len() > 2 {
            return Err(FenError::Fields(fields.len()));
        }
        let mut setup = Setup::empty();
        setup.pieces = parse_pieces(pieces)?;
        setup.turn = match turn {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::Turn(turn.to_owned())),
        };
        setup.castling = parse_castling(castling, &setup)?;
        if en_passant != "-" {
            let square = en_passant.parse().map_err(|_| FenError::EnPassant(en_passant.to_owned()))?;
            setup.en_passant = Some(square);
        }
        if let Some(text) = counters.first() {
            setup.halfmove_clock = parse_number(text).ok_or_else(|| FenError::HalfmoveClock((*text).to_owned()))?;
        }
        if let Some(text) = counters.get(1) {
            let number = parse_number(text).ok_or_else(|| FenError::FullmoveNumber((*text).to_owned()))?;
            setup.fullmove_number = number.max(1);
        }
        Ok(setup)
    }
}

fn parse_pieces(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let mut pieces = [None; 64];
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(FenError::Ranks(ranks));
    }
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut file = 0;
        let mut after_digit = false;
        for letter in row.chars() {
            match (letter, Piece::from_letter(letter)) {
                ('1'..='8', _) if !after_digit => file += letter as usize - '0' as usize,
                (_, Some(piece)) => {
                    if let Some(file) = File::from_index(file) {
                        pieces[Square::new(file, rank).index()] = Some(piece);
                    }
                    file += 1;
                }
                _ => return Err(FenError::Placement(rank, letter)),
            }
            after_digit = letter.is_ascii_digit();
        }
        if file != 8 {
            return Err(FenError::RankLength(rank, file));
        }
    }
    Ok(pieces)
}

/// The rooks that a castling field names. A letter that names no rook stands for the usual corner, so that the set-up
/// can say what is wrong with it.
fn parse_castling(text: &str, setup: &Setup) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let file = match letter.to_ascii_lowercase() {
            'k' => outermost_rook(setup, color, CastlingSide::KingSide).map_or(File::H, Square::file),
            'q' => outermost_rook(setup, color, CastlingSide::QueenSide).map_or(File::A, Square::file),
            lower => File::from_letter(lower).ok_or_else(|| FenError::Castling(text.to_owned()))?,
        };
        let rook = Square::new(file, color.back_rank());
        if rooks.contains(rook) {
            return Err(FenError::Castling(text.to_owned()));
        }
        rooks = rooks.with(rook);
    }
    if rooks.is_empty() { Err(FenError::Castling(text.to_owned())) } else { Ok(rooks) }
}

/// The rook nearest to the corner on one side of the king.
fn outermost_rook(setup: &Setup, color: Color, side: CastlingSide) -> Option<Square> {
    let home = color.back_rank().squares();
    let king = (setup.squares(Role::King, color) & home).first()?;
    let rooks = setup.squares(Role::Rook, color) & home;
    let outermost = match side {
        CastlingSide::KingSide => rooks.last(),
        CastlingSide::QueenSide => rooks.first(),
    };
    outermost.filter(|&rook| CastlingSide::of(king, rook) == side)
}

fn parse_number(text: &str) -> Option<u16> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, |color, rook| {
            let side = CastlingSide::ALL.into_iter().find(|&side| outermost_rook(self, color, side) == Some(rook));
            match side {
                Some(CastlingSide::KingSide) => 'k',
                Some(CastlingSide::QueenSide) => 'q',
                None => rook.file().letter(),
            }
        })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup().fmt(f)
    }
}

impl Position {
    /// The position's FEN with castling rights written as the rooks' files: `HAha` at the start of a game.
    pub fn shredder_fen(&self) -> String {
        let mut fen = String::new();
        // Writing to a string cannot fail.
        let _ = self.setup().write_fen(&mut fen, |_, rook| rook.file().letter());
        fen
    }
}

impl Setup {
    fn write_fen(&self, f: &mut impl Write, letter: impl Fn(Color, Square) -> char) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.pieces[Square::new(file, rank).index()] {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        empty = 0;
                        f.write_char(piece.letter())?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::First {
                f.write_char('/')?;
            }
        }
        write!(f, " {} ", self.turn.letter())?;
        self.write_castling(f, letter)?;
        match self.en_passant {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmove_clock, self.fullmove_number)
    }

    /// White's rooks before Black's, the king's side before the queen's.
    fn write_castling(&self, f: &mut impl Write, letter: impl Fn(Color, Square) -> char) -> fmt::Result {
        let home = Rank::First.squares() | Rank::Eighth.squares();
        if !self.castling.intersects(home) {
            return f.write_char('-');
        }
        for color in Color::ALL {
            let rooks: Vec<Square> = (self.castling & color.back_rank().squares()).into_iter().collect();
            for rook in rooks.into_iter().rev() {
                let letter = letter(color, rook);
                f.write_char(if color == Color::White { letter.to_ascii_uppercase() } else { letter })?;
            }
        }
        Ok(())
    }
}
