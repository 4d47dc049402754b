//! viriformat: games for training as the engine Viridithas and others keep them. It is ours without blocks and sums,
//! with some numbers in other places.

use std::io::{self, BufRead, Write};

use rules::Square;
use thiserror::Error;

use super::board::PackedBoard;
use super::game::{GameError, PLY, PackedGame, replay};

/// What is wrong with a file in viriformat, which cannot be read on behind it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ViriformatError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It holds what is no game.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// Where no pawn can be taken en passant.
const NO_SQUARE: u8 = 64;

/// Our kinds of moves by theirs, and the other way round: ordinary, promotion, en passant, castling here; ordinary, en
/// passant, castling, promotion there.
const OUR_KIND: [u16; 4] = [0, 2, 3, 1];
const THEIR_KIND: [u16; 4] = [0, 3, 1, 2];

fn with_kind(bits: u16, kinds: [u16; 4]) -> u16 {
    bits & 0x3FFF | kinds[usize::from(bits >> 14)] << 14
}

impl PackedGame {
    /// Writes the game in viriformat. It has no room for a half-move clock above 255.
    pub fn write_viriformat(&self, out: &mut impl Write) -> io::Result<()> {
        let start = self.start();
        let mut board = *PackedBoard::new(start).bytes();
        let en_passant = start.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
        board[24] = (start.turn() as u8) << 7 | en_passant;
        board[25] = u8::try_from(start.halfmove_clock()).unwrap_or(u8::MAX);
        board[26..28].copy_from_slice(&start.fullmove_number().to_le_bytes());
        board[28..30].fill(0);
        board[30] = self.result() as u8;
        board[31] = 0;
        out.write_all(&board)?;
        for ply in self.plies() {
            out.write_all(&with_kind(ply.mv.bits(), THEIR_KIND).to_le_bytes())?;
            out.write_all(&ply.score.to_le_bytes())?;
        }
        out.write_all(&[0; PLY])
    }

    /// Reads the next game in viriformat; nothing at the end of the file.
    pub fn read_viriformat(input: &mut impl BufRead) -> Result<Option<PackedGame>, ViriformatError> {
        if input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut theirs = [0; PackedBoard::SIZE];
        read(input, &mut theirs)?;
        let mut board = theirs;
        let en_passant = theirs[24] & 0x7F;
        let file = match Square::from_index(usize::from(en_passant)) {
            Some(square) => square.file() as u8 + 1,
            None if en_passant == NO_SQUARE => 0,
            None => 15,
        };
        board[24] = theirs[24] >> 7 | file << 4;
        board[25] = theirs[30].saturating_add(1);
        board[26..28].copy_from_slice(&[theirs[25], 0]);
        board[28..30].copy_from_slice(&theirs[26..28]);
        board[30..].fill(0);
        // Looked at before the moves, so that what is no game at all is given up at once.
        PackedBoard::from_bytes(board).position().map_err(GameError::from)?;
        let mut game = board.to_vec();
        loop {
            let mut ply = [0; PLY];
            read(input, &mut ply)?;
            let bits = with_kind(u16::from_le_bytes([ply[0], ply[1]]), OUR_KIND);
            ply[..2].copy_from_slice(&bits.to_le_bytes());
            game.extend_from_slice(&ply);
            if bits == 0 {
                break;
            }
            if game.len() > LONGEST {
                return Err(GameError::Unfinished.into());
            }
        }
        let mut plies = Vec::with_capacity(game.len() / PLY);
        let (start, result) = replay(&game, |moment| plies.push(super::Ply { mv: moment.mv, score: moment.score }))?;
        Ok(Some(PackedGame::replayed(start, plies, result)))
    }
}

/// No game is longer: memory must not depend on a missing end.
const LONGEST: usize = 1 << 18;

fn read(input: &mut impl BufRead, bytes: &mut [u8]) -> Result<(), ViriformatError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => GameError::Unfinished.into(),
        _ => error.into(),
    })
}
