//! One position to learn from, in 32 bytes: the board as the player to move sees it, a score, and how the game ended.

use rules::{Bitboard, Color, Piece, Position, Role, Square};

/// How a game ended for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wdl {
    /// The player to move lost.
    Loss,
    /// A draw.
    Draw,
    /// The player to move won.
    Win,
}

impl Wdl {
    /// The points of the player to move: 0, a half or 1.
    pub fn points(self) -> f32 {
        self as u8 as f32 / 2.0
    }

    /// The result for one player, from the winner, if there was one.
    pub fn for_player(player: Color, winner: Option<Color>) -> Wdl {
        match winner {
            None => Wdl::Draw,
            Some(color) if color == player => Wdl::Win,
            Some(_) => Wdl::Loss,
        }
    }
}

/// A position to learn from. The player to move is White here: boards with Black to move are turned around.
///
/// Four words, the same on every machine and on the GPU: the occupied squares; two words of four bits per piece, in the
/// order of the squares; and from the low end score (16 bits), result (8), king to move (8), other king (8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample([u64; 4]);

const _: () = assert!(size_of::<Sample>() == 32);

impl Sample {
    /// How many words a sample has.
    pub const WORDS: usize = 4;

    /// The most pieces that fit: as many as a game begins with.
    pub const MOST_PIECES: usize = 32;

    /// The sample of a position, with its score and the result of the game, both as seen by the player to move.
    pub fn new(position: &Position, score: i16, wdl: Wdl) -> Sample {
        let us = position.turn();
        let occupied = match us {
            Color::White => position.occupied(),
            Color::Black => position.occupied().flip_ranks(),
        };
        let mut words = [occupied.0, 0, 0, 0];
        for (number, square) in occupied.into_iter().take(Sample::MOST_PIECES).enumerate() {
            if let Some(piece) = position.piece_at(square.relative_to(us)) {
                let code = piece.role as u64 | u64::from(piece.color != us) << 3;
                words[1 + number / 16] |= code << (4 * (number % 16));
            }
        }
        let kings = [us, !us].map(|color| position.king(color).relative_to(us).index() as u64);
        words[3] = u64::from(score as u16) | (wdl as u64) << 16 | kings[0] << 24 | kings[1] << 32;
        Sample(words)
    }

    /// A sample from its words, as they come from the GPU.
    pub fn from_words(words: [u64; Sample::WORDS]) -> Sample {
        Sample(words)
    }

    /// The words, as they go to the GPU.
    pub fn words(self) -> [u64; Sample::WORDS] {
        self.0
    }

    /// The score in centipawns for the player to move.
    pub fn score(self) -> i16 {
        self.0[3] as u16 as i16
    }

    /// How the game ended for the player to move.
    pub fn wdl(self) -> Wdl {
        match self.0[3] >> 16 & 3 {
            0 => Wdl::Loss,
            1 => Wdl::Draw,
            _ => Wdl::Win,
        }
    }

    /// How many pieces are on the board.
    pub fn piece_count(self) -> usize {
        self.0[0].count_ones() as usize
    }

    /// The square of a king; White is the player to move.
    pub fn king(self, color: Color) -> Square {
        let shift = 24 + 8 * color as u32;
        Square::ALL[(self.0[3] >> shift & 63) as usize]
    }

    /// The pieces and their squares; White is the player to move.
    pub fn pieces(self) -> impl Iterator<Item = (Piece, Square)> {
        Bitboard(self.0[0]).into_iter().enumerate().map(move |(number, square)| {
            let code = self.0[1 + number / 16 % 2] >> (4 * (number % 16)) & 15;
            let color = if code < 8 { Color::White } else { Color::Black };
            (Role::ALL[(code & 7) as usize % Role::COUNT].of(color), square)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::{Variants, random_walks};

    #[test]
    fn a_sample_holds_the_board_as_the_player_to_move_sees_it() {
        let mut seen = 0;
        random_walks(1, 40, Variants::All, |position| {
            let us = position.turn();
            let sample = Sample::new(position, -321, Wdl::Win);
            assert_eq!((sample.score(), sample.wdl()), (-321, Wdl::Win));
            assert_eq!(sample.piece_count(), position.occupied().count() as usize);
            assert_eq!(sample.king(Color::White), position.king(us).relative_to(us));
            assert_eq!(sample.king(Color::Black), position.king(!us).relative_to(us));
            for (piece, square) in sample.pieces() {
                let owner = if piece.color == Color::White { us } else { !us };
                assert_eq!(position.piece_at(square.relative_to(us)), Some(piece.role.of(owner)));
                seen += 1;
            }
        });
        assert!(seen > 10_000);
    }

    #[test]
    fn both_players_see_a_mirrored_position_alike() {
        random_walks(2, 20, Variants::Standard, |position| {
            if let Ok(mirrored) = position.setup().flipped().playable_position() {
                assert_eq!(Sample::new(position, 5, Wdl::Draw), Sample::new(&mirrored, 5, Wdl::Draw));
            }
        });
    }

    #[test]
    fn a_win_is_a_point() {
        assert_eq!([Wdl::Loss, Wdl::Draw, Wdl::Win].map(Wdl::points), [0.0, 0.5, 1.0]);
        assert_eq!(Wdl::for_player(Color::Black, Some(Color::White)), Wdl::Loss);
        assert_eq!(Wdl::for_player(Color::Black, Some(Color::Black)), Wdl::Win);
        assert_eq!(Wdl::for_player(Color::White, None), Wdl::Draw);
    }
}
