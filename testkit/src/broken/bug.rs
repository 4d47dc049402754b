//! The mistakes.

macro_rules! bugs {
    ($($(#[doc = $doc:literal])+ $variant:ident,)+) => {
        /// One mistake in the generator.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Bug {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Bug {
            /// All of them.
            pub const ALL: &'static [Bug] = &[$(Bug::$variant,)+];
        }
    };
}

bugs! {
    /// Castles although in check.
    CastlesOutOfCheck,
    /// Castles over an attacked square.
    CastlesThroughCheck,
    /// Castles to an attacked square.
    CastlesIntoCheck,
    /// Castles long over a piece beside the rook.
    CastlesOverKnight,
    /// Castles whenever king and rook stand at home.
    CastlesWithoutRight,
    /// Never castles.
    NoCastling,
    /// Does not castle while the rook, or the square beside it on the queen side, is attacked.
    CastlingFearsForRook,
    /// The king may castle after it moved and came back.
    KingMoveKeepsRights,
    /// A rook may castle after it moved and came back.
    RookMoveKeepsRight,
    /// The same, without a look whether the rook is there.
    RookMoveKeepsRightBlindly,
    /// Another rook may castle after the first was taken.
    RookCaptureKeepsRight,
    /// The same, without a look whether there is a rook.
    RookCaptureKeepsRightBlindly,
    /// A king move ends the rights of both sides.
    KingMoveEndsAllRights,
    /// The rook stays in the corner.
    CastlingLeavesRook,
    /// Never takes en passant.
    NoEnPassant,
    /// Does not take en passant out of check.
    NoEnPassantEvasion,
    /// Does not see that en passant empties a rank.
    EnPassantIgnoresRank,
    /// Does not see that en passant opens a diagonal.
    EnPassantIgnoresDiagonal,
    /// Takes en passant while another piece gives check.
    EnPassantIgnoresCheck,
    /// A double push is forgotten at once.
    EnPassantNotSet,
    /// A double push is never forgotten.
    EnPassantNotCleared,
    /// The pawn that was taken stays.
    EnPassantVictimStays,
    /// Double pushes jump.
    DoublePushJumps,
    /// Double pushes from everywhere.
    DoublePushAnywhere,
    /// No double pushes.
    NoDoublePush,
    /// Pawns take straight ahead.
    PawnPushTakes,
    /// Pawns go diagonally without taking.
    PawnTakesNothing,
    /// Pawns step back.
    PawnStepsBack,
    /// Pawns stop before the last rank.
    NoPromotion,
    /// Only queens.
    NoUnderpromotion,
    /// No promotion by capture.
    NoCapturePromotion,
    /// A pawn on the last rank stays a pawn.
    PromotionWithoutLetter,
    /// A pawn may become a king.
    PromotesToKing,
    /// A queen appears whatever was chosen.
    AlwaysQueen,
    /// The king does not fear knights.
    KingIgnoresKnights,
    /// The king hides the line behind it.
    KingStepsBack,
    /// The king takes whatever is near.
    KingTakesProtected,
    /// Kings do not fear each other.
    KingsTouch,
    /// Other pieces do not care for a check.
    IgnoresCheck,
    /// Only the first of two checks is answered.
    IgnoresDoubleCheck,
    /// The checking piece is not taken.
    NoCheckerCapture,
    /// Nothing steps into the line of check.
    NoBlock,
    /// Pins do not exist.
    IgnoresPins,
    /// Pins of pawns do not exist.
    IgnoresPawnPins,
    /// Pinned pieces do not move at all.
    PinnedFrozen,
    /// Knights jump around the edge.
    KnightsWrap,
    /// Pawns take around the edge.
    PawnsWrap,
    /// Sliding pieces pass through others.
    SlidersJump,
    /// Knights take their own side.
    KnightsTakeOwn,
    /// Moves knights of either side.
    MovesEnemyKnights,
    /// Knights see seven squares.
    KnightMoveForgotten,
    /// Queens move as rooks and as bishops, and king moves are listed by both.
    KingListedTwice,
    /// A bishop makes one step straight ahead.
    BishopStepsAhead,
    /// Rights that a move ended stay ended when it is taken back.
    RightsNotRestored,
    /// A piece that was taken stays away when the move is taken back.
    CaptureNotRestored,
}

impl Bug {
    /// The bug with this name.
    pub fn from_name(name: &str) -> Option<Bug> {
        Bug::ALL.iter().copied().find(|bug| format!("{bug:?}") == name)
    }
}
