//! Counting as a program with a flaw would count, to recognise the flaw by its numbers.
//!
//! A program that only answers perft does not show what its board looks like after a move. But a flaw in making moves
//! leaves its mark on the counts, and few flaws leave the same one.

use rules::{Bitboard, CastlingSide, File, Move, MoveKind, Position, Rank, Role, Setup, Square, attacks};

use crate::compare::Comparison;
use crate::diagram::passed_square;
use crate::judge::attackers;
use crate::{Diagram, Divide, Rule};

/// Something that goes wrong when a move is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flaw {
    KeepsRight(Event, Care),
    LosesRights,
    RookStays,
    VictimStays,
    NoPassedSquare,
    StalePassedSquare(Care),
    AlwaysQueen,
}

/// What should have ended a right to castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    KingMove,
    RookMove,
    RookCapture,
}

/// Whether the program looks for the rook before it castles, or for the pawn before it takes en passant, or trusts what
/// it has noted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Care {
    Looks,
    Trusts,
}

impl Flaw {
    const ALL: [Flaw; 13] = [
        Flaw::KeepsRight(Event::KingMove, Care::Looks),
        Flaw::KeepsRight(Event::KingMove, Care::Trusts),
        Flaw::KeepsRight(Event::RookMove, Care::Looks),
        Flaw::KeepsRight(Event::RookMove, Care::Trusts),
        Flaw::KeepsRight(Event::RookCapture, Care::Looks),
        Flaw::KeepsRight(Event::RookCapture, Care::Trusts),
        Flaw::LosesRights,
        Flaw::RookStays,
        Flaw::VictimStays,
        Flaw::NoPassedSquare,
        Flaw::StalePassedSquare(Care::Looks),
        Flaw::StalePassedSquare(Care::Trusts),
        Flaw::AlwaysQueen,
    ];

    fn rule(self) -> Rule {
        match self {
            Flaw::KeepsRight(Event::KingMove, _) => Rule::RightKeptAfterKingMove,
            Flaw::KeepsRight(Event::RookMove, _) => Rule::RightKeptAfterRookMove,
            Flaw::KeepsRight(Event::RookCapture, _) => Rule::RightKeptAfterRookCapture,
            Flaw::LosesRights => Rule::RightLost,
            Flaw::RookStays => Rule::CastlingRookNotMoved,
            Flaw::VictimStays => Rule::EnPassantVictimStays,
            Flaw::NoPassedSquare => Rule::EnPassantSquareNotSet,
            Flaw::StalePassedSquare(_) => Rule::EnPassantSquareNotCleared,
            Flaw::AlwaysQueen => Rule::PromotedPieceWrong,
        }
    }
}

/// The flaw that explains all counts of an answer.
pub(crate) fn recognise(diagram: &Diagram, depth: u32, said: &Divide) -> Option<Rule> {
    let state = State::new(diagram);
    Flaw::ALL.into_iter().find_map(|flaw| {
        let mut flawed = Divide::default();
        for mv in diagram.position().legal_moves() {
            flawed.push(diagram.position().uci(mv), state.play(flaw, mv).count(flaw, depth - 1));
        }
        // The answer is compared with the truth elsewhere; here, with what this flaw would have said.
        let agrees = Comparison::new(diagram.position(), depth, &flawed).counts
            == Comparison::new(diagram.position(), depth, said).counts;
        agrees.then(|| flaw.rule())
    })
}

/// A position as the flawed program sees it.
#[derive(Clone, Copy)]
struct State {
    position: Position,
    /// Rights that should have ended.
    kept: Bitboard,
    /// The last square that a pawn passed, even if that was long ago.
    passed: Option<Square>,
}

impl State {
    fn new(diagram: &Diagram) -> State {
        State { position: *diagram.position(), kept: Bitboard::EMPTY, passed: diagram.passed_square() }
    }

    fn count(&self, flaw: Flaw, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.position.legal_moves();
        if depth == 1 {
            return moves.len() as u64 + self.castlings_without_rook(flaw) + self.captures_without_pawn(flaw);
        }
        moves.into_iter().map(|mv| self.play(flaw, mv).count(flaw, depth - 1)).sum()
    }

    fn play(&self, flaw: Flaw, mv: Move) -> State {
        let before = &self.position;
        let after = before.play_unchecked(mv);
        let mut setup = after.setup();
        let mut kept = self.kept;
        let passed = passed_square(before, mv).or(self.passed);
        match flaw {
            Flaw::KeepsRight(event, _) => {
                kept |= lost_by(event, before, &after, mv);
                setup.castling |= returned(&setup, kept);
            }
            Flaw::LosesRights => {
                let touched = mv.kind() == MoveKind::Castle || before.role_at(mv.from()) == Some(Role::King);
                if touched {
                    setup.castling = Bitboard::EMPTY;
                }
            }
            Flaw::RookStays if mv.kind() == MoveKind::Castle => {
                let side = CastlingSide::of(mv.from(), mv.to());
                let target = Square::new(side.rook_file(), mv.to().rank());
                setup.pieces.swap(target.index(), mv.to().index());
            }
            Flaw::VictimStays if mv.kind() == MoveKind::EnPassant => {
                let victim = Square::new(mv.to().file(), mv.from().rank());
                setup.pieces[victim.index()] = Some(Role::Pawn.of(after.turn()));
            }
            Flaw::NoPassedSquare => setup.en_passant = None,
            Flaw::StalePassedSquare(_) if setup.en_passant.is_none() => setup.en_passant = passed,
            Flaw::AlwaysQueen if mv.promotion_role().is_some() => {
                setup.pieces[mv.to().index()] = Some(Role::Queen.of(before.turn()));
            }
            _ => {}
        }
        // Where the flaw leaves something that is no position, there is nothing to count; the truth stands in.
        let position = setup.position().unwrap_or(after);
        State { position, kept, passed }
    }

    /// Castlings with rooks that are not there, by a program that does not look.
    fn castlings_without_rook(&self, flaw: Flaw) -> u64 {
        let Flaw::KeepsRight(_, Care::Trusts) = flaw else { return 0 };
        let position = &self.position;
        let us = position.turn();
        let king = position.king(us);
        if king != Square::new(File::E, us.back_rank()) {
            return 0;
        }
        let ghosts = (self.kept & us.back_rank().squares()) - position.castling_rights().rooks();
        let may_castle = |rook: &Square| {
            let side = CastlingSide::of(king, *rook);
            let files: &[File] = match side {
                CastlingSide::KingSide => &[File::F, File::G],
                CastlingSide::QueenSide => &[File::B, File::C, File::D],
            };
            let way = [File::E, side.rook_file(), side.king_file()];
            let square = |file: &File| Square::new(*file, king.rank());
            files.iter().map(square).all(|square| !position.occupied().contains(square))
                && way.iter().map(square).all(|square| attackers(position, square, position.occupied()).is_empty())
        };
        ghosts.into_iter().filter(may_castle).count() as u64
    }

    /// Captures en passant where the pawn has gone on or is gone, by a program that does not look.
    fn captures_without_pawn(&self, flaw: Flaw) -> u64 {
        let (Flaw::StalePassedSquare(Care::Trusts), Some(passed)) = (flaw, self.passed) else { return 0 };
        let position = &self.position;
        let us = position.turn();
        let is_useless = position.en_passant() == Some(passed)
            || passed.rank() != us.relative(Rank::Sixth)
            || position.occupied().contains(passed)
            || position.is_check();
        if is_useless {
            return 0;
        }
        let takers = attacks::pawn(!us, passed) & position.pieces(Role::Pawn, us);
        (takers - position.pinned()).count().into()
    }
}

/// The rights that a move ended in this way.
fn lost_by(event: Event, before: &Position, after: &Position, mv: Move) -> Bitboard {
    let lost = before.castling_rights().rooks() - after.castling_rights().rooks();
    let us = before.turn();
    match event {
        Event::KingMove if before.role_at(mv.from()) == Some(Role::King) => lost & us.back_rank().squares(),
        Event::RookMove if before.role_at(mv.from()) == Some(Role::Rook) => lost & mv.from().bitboard(),
        Event::RookCapture => lost & mv.to().bitboard() & (!us).back_rank().squares(),
        _ => Bitboard::EMPTY,
    }
}

/// Of the rights that were kept by mistake, those whose king and rook stand at home.
fn returned(setup: &Setup, kept: Bitboard) -> Bitboard {
    kept.into_iter()
        .filter(|&rook| {
            let Some(piece) = setup.pieces[rook.index()] else { return false };
            let home = Square::new(File::E, piece.color.back_rank());
            piece == Role::Rook.of(piece.color)
                && rook.rank() == home.rank()
                && setup.pieces[home.index()] == Some(Role::King.of(piece.color))
        })
        .collect()
}
