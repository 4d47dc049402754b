//! What a reader tells of the games in a file.

use rules::{Move, Position};

use super::{CommentText, Nag, PgnResult, TagText};

/// Whether a visitor wants what comes next: the moves of a game, or a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interest {
    /// It is read, checked and reported.
    Read,
    /// It is skipped without a check.
    Skip,
}

/// What a [`Reader`](super::Reader) tells the games to. Everything may be ignored.
///
/// ```
/// use saavedra_records::pgn::{Reader, Visitor};
/// use saavedra_records::rules::{Move, Position};
///
/// #[derive(Default)]
/// struct Mates(u32);
///
/// impl Visitor for Mates {
///     fn played(&mut self, _mv: Move, _before: &Position, after: &Position) {
///         self.0 += u32::from(after.is_checkmate());
///     }
/// }
///
/// let mut mates = Mates::default();
/// let mut reader = Reader::new("1. f3 e5 2. g4 Qh4# 0-1".as_bytes());
/// while let Some(report) = reader.read_game(&mut mates)? {
///     assert_eq!(report.problem, None);
/// }
/// assert_eq!(mates.0, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Visitor {
    /// A game begins.
    fn begin(&mut self) {}

    /// The game has this tag.
    fn tag(&mut self, _name: &[u8], _value: TagText<'_>) {}

    /// The tags are over, and the game starts from here. Its moves can be passed over.
    fn start(&mut self, _position: &Position) -> Interest {
        Interest::Read
    }

    /// A legal move is played.
    fn played(&mut self, _mv: Move, _before: &Position, _after: &Position) {}

    /// A comment on the last move, or on what comes next if there is none.
    fn comment(&mut self, _text: CommentText<'_>) {}

    /// A glyph for the last move.
    fn nag(&mut self, _nag: Nag) {}

    /// Other moves instead of the last one begin.
    fn begin_variation(&mut self) -> Interest {
        Interest::Read
    }

    /// The variation is over.
    fn end_variation(&mut self) {}

    /// The moves end with a result.
    fn result(&mut self, _result: PgnResult) {}
}
