//! Moves as people write them: Standard Algebraic Notation, `Nf3`, `exd5`, `O-O`, `e8=Q#`.
//!
//! Writing is exact: as few squares as tell the moves apart, and the sign for check or mate. Reading takes what real
//! files hold: more squares than needed, missing or wrong check signs, `0-0`, `e8Q`, `e8(Q)`, `e.p.`, `Ng1-f3`,
//! comments like `!?`, and plain UCI moves.

use std::fmt;

use crate::{Bitboard, CastlingSide, File, Move, MoveKind, Position, Rank, Role, Square};

/// Why a text is not a move in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not a move in algebraic notation.
    Syntax(String),
    /// The text reads well, but no legal move is meant.
    Illegal(String),
    /// Several legal moves could be meant.
    Ambiguous(String, Vec<String>),
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanError::Syntax(text) => write!(f, "{text:?} is not a move: expected something like Nf3, exd5 or O-O"),
            SanError::Illegal(text) => write!(f, "{} is not a legal move here", text.escape_debug()),
            SanError::Ambiguous(text, moves) => {
                write!(f, "{} is ambiguous: {}", text.escape_debug(), moves.join(" or "))
            }
        }
    }
}

impl std::error::Error for SanError {}

/// What a text says about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Castle(CastlingSide),
    Piece(Described),
}

/// A move as far as it is described. Without a role a pawn is meant, or whatever stands on a square given in full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Described {
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
    en_passant: bool,
}

/// Takes the text apart from its end: signs, en passant, promotion, target, a dash or cross, origin, piece.
fn parse(text: &str) -> Option<Meaning> {
    let without_signs = |text: &str| text.trim().trim_end_matches(['+', '#', '!', '?', '=']).trim_end().to_owned();
    let mut text = without_signs(text);
    let marks = ["(e.p.)", "(ep)", "e.p.", "ep"];
    let en_passant = marks.into_iter().find_map(|mark| text.strip_suffix(mark).map(without_signs));
    let is_en_passant = en_passant.is_some();
    text = en_passant.unwrap_or(text);

    match text.replace(['0', 'o'], "O").as_str() {
        "O-O" | "OO" if !is_en_passant => return Some(Meaning::Castle(CastlingSide::KingSide)),
        "O-O-O" | "OOO" if !is_en_passant => return Some(Meaning::Castle(CastlingSide::QueenSide)),
        _ => {}
    }
    let letters: Vec<char> = text.chars().collect();
    let (letters, promotion) = split_promotion(&letters);
    let [origin @ .., file, rank] = letters else { return None };
    let to = Square::new(File::from_letter(*file)?, Rank::from_digit(*rank)?);
    let origin =
        origin.strip_suffix(&['x']).or(origin.strip_suffix(&[':'])).or(origin.strip_suffix(&['-'])).unwrap_or(origin);
    // An upper-case letter is a piece; a lower-case b is the file.
    let (role, origin) = match origin {
        [letter, rest @ ..] if letter.is_ascii_uppercase() => (Some(Role::from_letter(*letter)?), rest),
        _ => (None, origin),
    };
    let (file, rank) = match *origin {
        [] => (None, None),
        [letter] if letter.is_ascii_digit() => (None, Some(Rank::from_digit(letter)?)),
        [letter] => (Some(File::from_letter(letter)?), None),
        [file, rank] => (Some(File::from_letter(file)?), Some(Rank::from_digit(rank)?)),
        _ => return None,
    };
    Some(Meaning::Piece(Described { role, file, rank, to, promotion, en_passant: is_en_passant }))
}

/// Cuts a promotion off the end, where it follows the rank of the target: `=Q`, `Q`, `(Q)`, `=(Q)`, `/Q`, or a
/// lower-case letter as in UCI.
fn split_promotion(letters: &[char]) -> (&[char], Option<Role>) {
    let (rest, letter) = match letters {
        [rest @ .., '=', '(', letter, ')'] | [rest @ .., '(', letter, ')'] => (rest, letter),
        [rest @ .., '=' | '/', letter] | [rest @ .., letter] => (rest, letter),
        [] => return (letters, None),
    };
    let role = Role::from_letter(*letter).filter(|role| Role::PROMOTIONS.contains(role));
    if role.is_some() && rest.last().is_some_and(char::is_ascii_digit) { (rest, role) } else { (letters, None) }
}

impl Position {
    /// Reads a legal move in algebraic notation, forgiving the ways in which real files stray from the standard.
    ///
    /// ```
    /// use saavedra_rules::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse()?;
    /// assert_eq!(position.parse_san("Rhf1")?, position.parse_san("Rh1-f1!?")?);
    /// assert_eq!(position.parse_san("0-0")?, position.parse_san("O-O")?);
    /// assert_eq!(
    ///     position.parse_san("Rf9").expect_err("no such square").to_string(),
    ///     "\"Rf9\" is not a move: expected something like Nf3, exd5 or O-O"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let Some(meaning) = parse(text) else {
            return Err(SanError::Syntax(text.to_owned()));
        };
        let mut moves = self.legal_moves();
        moves.retain(|mv| self.is_meant(mv, meaning));
        match (&moves[..], meaning) {
            ([mv], _) => Ok(*mv),
            (
                [],
                Meaning::Piece(Described {
                    role: None, file: Some(file), rank: Some(rank), to, promotion: None, ..
                }),
            ) => {
                // A king that castles, written as in UCI.
                let squares = format!("{}{to}", Square::new(file, rank));
                self.parse_uci(&squares).map_err(|_| SanError::Illegal(text.to_owned()))
            }
            ([], _) => Err(SanError::Illegal(text.to_owned())),
            _ => Err(SanError::Ambiguous(text.to_owned(), moves.iter().map(|&mv| self.san(mv)).collect())),
        }
    }

    fn is_meant(&self, mv: Move, meaning: Meaning) -> bool {
        let told = match meaning {
            Meaning::Castle(side) => {
                return mv.kind() == MoveKind::Castle && CastlingSide::of(mv.from(), mv.to()) == side;
            }
            Meaning::Piece(_) if mv.kind() == MoveKind::Castle => return false,
            Meaning::Piece(told) => told,
        };
        let from = mv.from();
        let role = self.role_at(from);
        let is_role = match told.role {
            Some(wanted) => role == Some(wanted),
            None => (told.file.is_some() && told.rank.is_some()) || role == Some(Role::Pawn),
        };
        // A pawn that takes is written with its file: without one, it goes straight ahead.
        let file = told.file.or((role == Some(Role::Pawn)).then_some(told.to.file()));
        is_role
            && mv.to() == told.to
            && mv.promotion_role() == told.promotion
            && (mv.kind() == MoveKind::EnPassant || !told.en_passant)
            && file.is_none_or(|file| from.file() == file)
            && told.rank.is_none_or(|rank| from.rank() == rank)
    }

    /// Writes a legal move in algebraic notation.
    ///
    /// ```
    /// use saavedra_rules::Position;
    ///
    /// // Saavedra's move: the queen would stalemate, the rook wins.
    /// let position: Position = "8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1".parse()?;
    /// assert_eq!(position.san(position.parse_uci("c7c8r")?), "c8=R");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        let rivals = self.moves_to(mv.to().bitboard()).into_iter().filter(|&other| self.are_rivals(mv, other));
        self.write_san(mv, rivals.map(Move::from).collect())
    }

    /// All legal moves, each with its algebraic notation: the same as [`san`](Position::san) writes for each of them,
    /// in much less time.
    ///
    /// ```
    /// use saavedra_rules::Position;
    ///
    /// let position: Position = "k7/8/8/8/8/8/P7/R3K3 w Q - 0 1".parse()?;
    /// let texts: Vec<String> = position.san_moves().into_iter().map(|(_, text)| text).collect();
    /// assert_eq!(texts, position.legal_moves().iter().map(|&mv| position.san(mv)).collect::<Vec<_>>());
    /// # Ok::<(), saavedra_rules::FenError>(())
    /// ```
    pub fn san_moves(&self) -> Vec<(Move, String)> {
        let moves = self.legal_moves();
        // By role and target: the squares from which a piece of the role can go there.
        let mut origins = [[Bitboard::EMPTY; 64]; 6];
        let origins_of = |mv: Move| Some((self.role_at(mv.from())? as usize, mv.to().index()));
        for &mv in moves.iter().filter(|mv| mv.kind() == MoveKind::Normal) {
            if let Some((role, to)) = origins_of(mv) {
                origins[role][to] |= mv.from().bitboard();
            }
        }
        let write = |mv: Move| {
            let rivals = origins_of(mv).map_or(Bitboard::EMPTY, |(role, to)| origins[role][to].without(mv.from()));
            (mv, self.write_san(mv, rivals))
        };
        moves.into_iter().map(write).collect()
    }

    /// Whether two moves bring different pieces of one role to the same square.
    fn are_rivals(&self, mv: Move, other: Move) -> bool {
        other.to() == mv.to()
            && other.from() != mv.from()
            && other.kind() == MoveKind::Normal
            && self.role_at(other.from()) == self.role_at(mv.from())
    }

    /// Writes a legal move, given where other pieces of its role stand that could go to the same square.
    fn write_san(&self, mv: Move, rivals: Bitboard) -> String {
        let mut text = self.san_without_sign(mv, rivals);
        if self.gives_check(mv) {
            text.push(if self.play_unchecked(mv).has_legal_moves() { '+' } else { '#' });
        }
        text
    }

    fn san_without_sign(&self, mv: Move, rivals: Bitboard) -> String {
        let (from, to) = (mv.from(), mv.to());
        let capture = if self.is_capture(mv) { "x" } else { "" };
        match (mv.kind(), self.role_at(from)) {
            (MoveKind::Castle, _) => match CastlingSide::of(from, to) {
                CastlingSide::KingSide => "O-O".to_owned(),
                CastlingSide::QueenSide => "O-O-O".to_owned(),
            },
            (_, None | Some(Role::Pawn)) => {
                let file = if capture.is_empty() { String::new() } else { from.file().to_string() };
                let promotion = mv.promotion_role().map_or(String::new(), |role| format!("={}", role.upper_letter()));
                format!("{file}{capture}{to}{promotion}")
            }
            (_, Some(role)) => {
                format!("{}{}{capture}{to}", role.upper_letter(), distinguishing_squares(from, rivals))
            }
        }
    }
}

/// What must be said of a piece's square so that no other of its role can be meant: the file if that is enough, else
/// the rank, else both.
fn distinguishing_squares(from: Square, rivals: Bitboard) -> String {
    if rivals.is_empty() {
        String::new()
    } else if !rivals.intersects(from.file().squares()) {
        from.file().to_string()
    } else if !rivals.intersects(from.rank().squares()) {
        from.rank().to_string()
    } else {
        from.to_string()
    }
}
