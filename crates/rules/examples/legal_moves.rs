//! Shows a position and its legal moves: `cargo run --example legal_moves -- "FEN"`.

use saavedra_rules::{Bitboard, FenError, Position};

fn main() -> Result<(), FenError> {
    let position = std::env::args().nth(1).map_or(Ok(Position::initial()), |fen| fen.parse::<Position>())?;
    println!("{position:?}\n");
    let names: Vec<String> = position.san_moves().into_iter().map(|(_, name)| name).collect();
    println!("{} legal moves: {}", names.len(), names.join(" "));
    for moves in position.piece_moves(Bitboard::ALL) {
        let squares: Vec<String> = moves.targets.into_iter().map(|square| square.to_string()).collect();
        println!("{:?} on {}: {}", moves.role, moves.from, squares.join(" "));
    }
    if let Some(outcome) = position.outcome() {
        println!("{outcome}");
    }
    Ok(())
}
