//! The rules of chess that a move generator can break, each with a name and a sentence for its author.

use std::fmt;

use rules::Role;

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $variant:ident, $id:literal, $name:literal, $explanation:literal;)+) => {
        /// A rule that is broken.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = $doc])+ $variant,)+
            /// A piece goes where no piece of its kind can go.
            ImpossibleStep(Role),
            /// An ordinary move of a piece is not found.
            MoveMissing(Role),
        }

        impl Rule {
            /// A short word for programs.
            pub fn id(self) -> &'static str {
                match self {
                    $(Rule::$variant => $id,)+
                    Rule::ImpossibleStep(_) => "impossible-step",
                    Rule::MoveMissing(_) => "move-missing",
                }
            }

            /// What the rule says, in a sentence.
            pub fn explanation(self) -> String {
                match self {
                    $(Rule::$variant => $explanation.to_owned(),)+
                    Rule::ImpossibleStep(role) => format!("No {role} can go there, whatever stands on the board."),
                    Rule::MoveMissing(role) => {
                        format!("Nothing stands in the way of this {role} move, and the king is safe after it.")
                    }
                }
            }
        }

        impl fmt::Display for Rule {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Rule::$variant => f.write_str($name),)+
                    Rule::ImpossibleStep(role) => write!(f, "a {role} makes an impossible step"),
                    Rule::MoveMissing(role) => write!(f, "a {role} move is missing"),
                }
            }
        }
    };
}

rules! {
    /// The king castles while in check.
    CastlingOutOfCheck, "castling-out-of-check", "castling out of check",
        "A king that is in check may not castle.";
    /// The king castles over an attacked square.
    CastlingThroughCheck, "castling-through-check", "castling through check",
        "The king may not castle over a square that is attacked.";
    /// The king castles to an attacked square.
    CastlingIntoCheck, "castling-into-check", "castling into check",
        "The square where the king ends must not be attacked.";
    /// The king castles although something stands between it and the rook.
    CastlingBlocked, "castling-blocked", "castling although a piece stands between",
        "All squares between king and rook must be empty, on the queen side the one beside the rook too.";
    /// The king castles without the right to.
    CastlingWithoutRight, "castling-without-right", "castling without the right",
        "The FEN names the castlings that are still allowed; this one is not among them.";
    /// A legal castling is not found.
    CastlingMissing, "castling-missing", "castling is missing",
        "The FEN gives the right, the squares between are empty, and the king is attacked nowhere on its way.";
    /// A castling is refused because the rook, or a square only it passes, is attacked.
    CastlingRookAttacked, "castling-rook-attacked", "castling refused because the rook is attacked",
        "Only the squares of the king matter: the rook may be attacked, and may pass an attacked square.";
    /// The right to castle outlives a move of the king.
    RightKeptAfterKingMove, "right-kept-after-king-move", "castling right not cleared by a king move",
        "Once the king has moved, castling included, all rights of its side are gone for good.";
    /// The right to castle outlives a move of the rook.
    RightKeptAfterRookMove, "right-kept-after-rook-move", "castling right not cleared by a rook move",
        "Once a rook has left its home square the right to castle with it is gone, even if it comes back.";
    /// The right to castle outlives the rook.
    RightKeptAfterRookCapture, "right-kept-after-rook-capture", "castling right not cleared by a rook capture",
        "When a rook is taken on its home square its owner loses the right to castle with it.";
    /// A right to castle is lost although neither king nor rook moved.
    RightLost, "right-lost", "castling right lost without a reason",
        "Only moves of the king, moves of the rook and captures of the rook end a right.";
    /// The rook stays where it was when the king castles.
    CastlingRookNotMoved, "castling-rook-not-moved", "the rook does not move when castling",
        "Castling moves two pieces: the rook jumps to the square that the king passed.";
    /// A legal capture en passant is not found.
    EnPassantMissing, "en-passant-missing", "en passant is missing",
        "A pawn beside one that has just gone two squares may take it on the square it passed, which the FEN names.";
    /// A capture en passant that ends a check is not found.
    EnPassantEvasionMissing, "en-passant-evasion-missing", "en passant out of check is missing",
        "The pawn that gives check stands beside the target square, not on it; taking it en passant ends the check.";
    /// En passant takes two pawns off a rank and exposes the king on it.
    EnPassantDiscoveredOnRank, "en-passant-discovered-on-rank", "en passant exposes the king on the rank",
        "Both pawns leave the rank at once: a rook or queen at its end then attacks the king.";
    /// En passant takes a pawn off a diagonal and exposes the king on it.
    EnPassantDiscoveredOnDiagonal, "en-passant-discovered-on-diagonal", "en passant exposes the king on the diagonal",
        "The captured pawn was what stood between the king and a bishop or queen.";
    /// En passant is played although the king stays in check.
    EnPassantIgnoresCheck, "en-passant-ignores-check", "en passant although the king stays in check",
        "In check, en passant is legal only if it takes the checking pawn or steps into the line.";
    /// A double push does not make en passant possible.
    EnPassantSquareNotSet, "en-passant-square-not-set", "en-passant square not set by a double push",
        "After a pawn has gone two squares, the square it passed must be remembered for one move.";
    /// The right to take en passant outlives the next move.
    EnPassantSquareNotCleared, "en-passant-square-not-cleared", "en-passant square not cleared",
        "En passant is possible in the very next move only; every other move forgets the square.";
    /// The pawn taken en passant stays on the board.
    EnPassantVictimStays, "en-passant-victim-stays", "the pawn taken en passant stays on the board",
        "The captured pawn does not stand on the target square, and must be taken off where it stands.";
    /// A pawn jumps over a piece.
    DoublePushBlocked, "double-push-blocked", "double push over a piece",
        "A pawn may go two squares only if both are empty.";
    /// A pawn goes two squares from elsewhere than its home rank.
    DoublePushNotFromHome, "double-push-not-from-home", "double push from the wrong rank",
        "Only a pawn on the second rank of its side may go two squares.";
    /// A double push is not found.
    DoublePushMissing, "double-push-missing", "double push is missing",
        "A pawn on the second rank of its side may go two squares if both are empty.";
    /// A pawn goes ahead onto a piece.
    PawnPushBlocked, "pawn-push-blocked", "pawn push onto a piece",
        "Pawns take diagonally; straight ahead they only go to empty squares.";
    /// A pawn goes diagonally although there is nothing to take.
    PawnTakesNothing, "pawn-takes-nothing", "pawn captures an empty square",
        "A pawn goes diagonally only to take, or to the en-passant square if there is one.";
    /// A pawn goes backwards.
    PawnBackwards, "pawn-backwards", "pawn goes backwards",
        "White pawns go up the board, black pawns down.";
    /// Promotions are not found.
    PromotionMissing, "promotion-missing", "promotion is missing",
        "A pawn that reaches the last rank becomes a queen, rook, bishop or knight: four moves.";
    /// Promotions to other pieces than a queen are not found.
    UnderpromotionMissing, "underpromotion-missing", "underpromotion is missing",
        "A pawn may become a rook, a bishop or a knight as well as a queen.";
    /// Promotions by capture are not found.
    CapturePromotionMissing, "capture-promotion-missing", "promotion by capture is missing",
        "A pawn that takes on the last rank promotes too: four moves for each capture.";
    /// A pawn reaches the last rank and stays a pawn.
    PromotionOmitted, "promotion-omitted", "pawn reaches the last rank without promotion",
        "On the last rank a pawn must become another piece; the move ends with its letter, as in e7e8q.";
    /// A promotion that no pawn can make.
    PromotionImpossible, "promotion-impossible", "impossible promotion",
        "Only pawns promote, only on the last rank, and only to queen, rook, bishop or knight.";
    /// The promoted piece is not the one that was chosen.
    PromotedPieceWrong, "promoted-piece-wrong", "promotion to the wrong piece",
        "The move names the new piece, but another one stands on the board afterwards.";
    /// The king goes to an attacked square.
    KingIntoCheck, "king-into-check", "king moves into check",
        "The king may not go to a square that an enemy piece attacks.";
    /// The king goes back on the line on which it is checked.
    KingBackAlongRay, "king-back-along-ray", "king steps back along the checking line",
        "The king itself hides that square: once it has left its place, the checking piece attacks further.";
    /// The king takes something that is protected.
    KingTakesProtected, "king-takes-protected", "king captures a protected piece",
        "A piece that is protected by another cannot be taken by the king.";
    /// The king goes next to the other king.
    KingsTouch, "kings-touch", "the kings touch",
        "A king attacks the squares around it too; the other king may not go there.";
    /// A check is not answered.
    CheckIgnored, "check-ignored", "check is ignored",
        "In check the only legal moves take the checking piece, step into its line, or move the king away.";
    /// A double check is answered by another piece than the king.
    DoubleCheckIgnored, "double-check-ignored", "double check answered by another piece",
        "Against two checks at once only the king can move: no other move answers both.";
    /// A capture of the checking piece is not found.
    CheckerCaptureMissing, "checker-capture-missing", "capture of the checking piece is missing",
        "A check may be answered by taking the piece that gives it.";
    /// A move into the line of a check is not found.
    BlockMissing, "block-missing", "a move into the line of check is missing",
        "A check from afar may be answered by putting a piece in between.";
    /// A pinned piece leaves its line.
    PinnedPiece, "pinned-piece", "a pinned piece moves",
        "The piece stands between its king and an enemy rook, bishop or queen, and may not leave that line.";
    /// A pinned pawn leaves its line.
    PinnedPawn, "pinned-pawn", "a pinned pawn moves",
        "The pawn stands between its king and an enemy rook, bishop or queen; pushes and captures must stay on that line.";
    /// A pinned piece may not move along its line.
    PinnedAlongLineMissing, "pinned-along-line-missing", "a pinned piece may move along its line",
        "A pin forbids leaving the line; moves along it, and taking the pinning piece, are legal.";
    /// A move leaves the board on one side and comes back on the other.
    EdgeWrap, "edge-wrap", "a move wraps around the edge of the board",
        "The a-file and the h-file are neighbours as numbers, but not on the board.";
    /// A rook, bishop or queen jumps.
    SliderJumps, "slider-jumps", "a rook, bishop or queen jumps over a piece",
        "Sliding pieces stop at the first piece they meet.";
    /// A piece takes one of its own side.
    OwnCapture, "own-capture", "a piece captures its own side",
        "A square with a piece of one's own is no target.";
    /// A move from a square with no piece of the player to move.
    NotOwnPiece, "not-own-piece", "a move with no piece of one's own",
        "The piece to move belongs to the player whose turn it is.";
    /// The same move is listed more than once.
    MoveTwice, "move-twice", "a move is listed twice",
        "Every move is generated once.";
    /// The list is right, but not every move counts as one leaf.
    WrongLeafCount, "wrong-leaf-count", "a move does not count as one",
        "At depth one there is exactly one leaf below each move.";
    /// A count is wrong, and the program does not answer when asked for the reason.
    WrongCount, "wrong-count", "a count is wrong, and the program fails when asked further",
        "The moves are right, but not the number of leaves below one of them; the next question got no answer.";
    /// The program spoils the position when it makes the move.
    MakeMove, "make-move", "the position is wrong after the program made the move",
        "From the FEN of the position after the move the list is right, so making the move leaves something wrong.";
    /// The program spoils the position when it takes a move back.
    UndoMove, "undo-move", "the position is wrong after a move was taken back",
        "After each move alone the list is right, so what goes wrong is the board that an earlier move left behind.";
    /// The program spoils the position by making or undoing moves.
    MakeOrUndo, "make-or-undo", "making or taking back a move spoils the position",
        "From the FEN of the position after the move the counts are right, so making this move, or taking back one \
         that was tried before it, leaves something wrong.";
}
