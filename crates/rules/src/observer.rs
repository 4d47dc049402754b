//! The seam through which moves report what they do to the pieces.

use crate::{Piece, Square};

/// Is told what a move does to the pieces, so as to keep something of its own up to date.
///
/// A capture is reported as the captured piece removed, then the moving piece removed from its square and placed on
/// the new one; a promotion places another role than it removed; castling removes king and rook, then places both.
///
/// ```
/// use saavedra_rules::{Observer, Piece, Position, Square};
///
/// #[derive(Default)]
/// struct Log(Vec<String>);
///
/// impl Observer for Log {
///     fn removed(&mut self, piece: Piece, square: Square) {
///         self.0.push(format!("-{}{square}", piece.letter()));
///     }
///     fn placed(&mut self, piece: Piece, square: Square) {
///         self.0.push(format!("+{}{square}", piece.letter()));
///     }
/// }
///
/// let position: Position = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse()?;
/// let mut log = Log::default();
/// let next = position.play_unchecked_observed(position.parse_san("exd5")?, &mut log);
/// assert_eq!(log.0, ["-pd5", "-Pe4", "+Pd5"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer {
    /// A piece left the board, or left its square to be placed elsewhere.
    fn removed(&mut self, piece: Piece, square: Square);

    /// A piece appeared on a square.
    fn placed(&mut self, piece: Piece, square: Square);
}

/// Ignores everything.
impl Observer for () {
    #[inline(always)]
    fn removed(&mut self, _piece: Piece, _square: Square) {}

    #[inline(always)]
    fn placed(&mut self, _piece: Piece, _square: Square) {}
}

/// Tells two observers.
impl<A: Observer, B: Observer> Observer for (&mut A, &mut B) {
    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.0.removed(piece, square);
        self.1.removed(piece, square);
    }

    #[inline(always)]
    fn placed(&mut self, piece: Piece, square: Square) {
        self.0.placed(piece, square);
        self.1.placed(piece, square);
    }
}
