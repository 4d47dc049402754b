//! Moves as people write them: Standard Algebraic Notation, `Nf3`, `exd5`, `O-O`, `e8=Q#`.
//!
//! Writing is exact: as few squares as tell the moves apart, and the sign for check or mate. Reading takes what real
//! files hold: more squares than needed, missing or wrong check signs, `0-0`, `e8Q`, `e8(Q)`, `e.p.`, `Ng1-f3`,
//! comments like `!?`, and plain UCI moves.

use std::fmt;

use crate::{Bitboard, File, Move, MoveKind, Position, Rank, Role, Square, Wing};

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
            SanError::Illegal(text) => write!(f, "{text} is not a legal move here"),
            SanError::Ambiguous(text, moves) => write!(f, "{text} is ambiguous: {}", moves.join(" or ")),
        }
    }
}

impl std::error::Error for SanError {}

/// What a text says about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Castle(Wing),
    Piece { role: Option<Role>, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Role> },
}

/// Takes the text apart from its end: signs, promotion, target, origin, piece.
fn parse(text: &str) -> Option<Meaning> {
    let text = text.trim_end_matches(['+', '#', '!', '?', '=']);
    let text = text.strip_suffix("e.p.").or(text.strip_suffix("ep")).unwrap_or(text).trim_end();
    let plain: String = text.chars().map(|letter| if letter == '0' || letter == 'o' { 'O' } else { letter }).collect();
    match plain.as_str() {
        "O-O" | "OO" => return Some(Meaning::Castle(Wing::King)),
        "O-O-O" | "OOO" => return Some(Meaning::Castle(Wing::Queen)),
        _ => {}
    }
    let mut letters: Vec<char> = text.chars().filter(|letter| !matches!(letter, 'x' | ':' | '-')).collect();
    let promotion = parse_promotion(&mut letters);
    let rank = Rank::from_digit(letters.pop()?)?;
    let file = File::from_letter(letters.pop()?)?;
    let role = match letters.first() {
        // A lower-case b is the file.
        Some(&letter) if letter.is_ascii_uppercase() => {
            letters.remove(0);
            Some(Role::from_letter(letter)?)
        }
        _ => None,
    };
    let (from_file, from_rank) = match letters[..] {
        [] => (None, None),
        [letter] if letter.is_ascii_digit() => (None, Some(Rank::from_digit(letter)?)),
        [letter] => (Some(File::from_letter(letter)?), None),
        [file, rank] => (Some(File::from_letter(file)?), Some(Rank::from_digit(rank)?)),
        _ => return None,
    };
    Some(Meaning::Piece { role, file: from_file, rank: from_rank, to: Square::new(file, rank), promotion })
}

/// Cuts a promotion off the end: `=Q`, `Q`, `(Q)`, `/Q`, or a lower-case letter as in UCI.
fn parse_promotion(letters: &mut Vec<char>) -> Option<Role> {
    let in_brackets = letters.last() == Some(&')');
    let at = letters.len().checked_sub(1 + usize::from(in_brackets))?;
    // A promotion follows the rank of the target square.
    let role = Role::from_letter(letters[at]).filter(|role| Role::PROMOTIONS.contains(role))?;
    letters.truncate(at);
    if matches!(letters.last(), Some('=' | '(' | '/')) {
        letters.pop();
    }
    Some(role)
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
        match moves[..] {
            [mv] => Ok(mv),
            // A king that castles, written as in UCI.
            [] => self.parse_uci(&text.replace('-', "")).map_err(|_| SanError::Illegal(text.to_owned())),
            _ => Err(SanError::Ambiguous(text.to_owned(), moves.iter().map(|&mv| self.san(mv)).collect())),
        }
    }

    fn is_meant(&self, mv: Move, meaning: Meaning) -> bool {
        match meaning {
            Meaning::Castle(wing) => mv.kind() == MoveKind::Castle && Wing::of(mv.from(), mv.to()) == wing,
            Meaning::Piece { role, file, rank, to, promotion } => {
                let from = mv.from();
                // Without a letter a pawn is meant, or any piece if its square is given in full.
                let is_role = match role {
                    Some(role) => self.role_at(from) == Some(role),
                    None => (file.is_some() && rank.is_some()) || self.role_at(from) == Some(Role::Pawn),
                };
                mv.kind() != MoveKind::Castle
                    && is_role
                    && mv.to() == to
                    && mv.promotion_role() == promotion
                    && file.is_none_or(|file| from.file() == file)
                    && rank.is_none_or(|rank| from.rank() == rank)
            }
        }
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
        let mut text = self.san_without_sign(mv);
        let next = self.play_unchecked(mv);
        if next.is_check() {
            text.push(if next.has_legal_moves() { '+' } else { '#' });
        }
        text
    }

    fn san_without_sign(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        let capture = if self.is_capture(mv) { "x" } else { "" };
        match (mv.kind(), self.role_at(from)) {
            (MoveKind::Castle, _) => match Wing::of(from, to) {
                Wing::King => "O-O".to_owned(),
                Wing::Queen => "O-O-O".to_owned(),
            },
            (_, None | Some(Role::Pawn)) => {
                let file = if capture.is_empty() { String::new() } else { from.file().to_string() };
                let promotion = mv.promotion_role().map_or(String::new(), |role| format!("={}", role.upper_letter()));
                format!("{file}{capture}{to}{promotion}")
            }
            (_, Some(role)) => {
                let origin = self.distinguishing_squares(mv, role);
                format!("{}{origin}{capture}{to}", role.upper_letter())
            }
        }
    }

    /// What must be said of a piece's square so that no other of its kind can be meant: the file if that is enough,
    /// else the rank, else both.
    fn distinguishing_squares(&self, mv: Move, role: Role) -> String {
        let from = mv.from();
        let rivals: Bitboard = self
            .legal_moves()
            .into_iter()
            .filter(|other| {
                other.to() == mv.to()
                    && other.from() != from
                    && other.kind() == MoveKind::Normal
                    && self.role_at(other.from()) == Some(role)
            })
            .map(Move::from)
            .collect();
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
}
