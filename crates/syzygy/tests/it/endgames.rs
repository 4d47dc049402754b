//! Well-known endgames, asked of real tables. Without the tables the tests pass.

use rules::{Color, Game, Outcome, Position, Rank, Role, Square};
use saavedra_syzygy::Syzygy;
use search::{Tablebase, TablebaseResult};

use crate::random_positions;

fn tables() -> Option<Syzygy> {
    let folder = testkit::data_file("syzygy")?;
    Some(Syzygy::open(folder.to_str().expect("the folder's name is text")).expect("the tables open"))
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a legal position")
}

#[test]
fn famous_endgames_have_their_famous_results() {
    use TablebaseResult::{Draw, Loss, Win};
    let Some(tables) = tables() else { return };
    assert_eq!((tables.most_pieces(), tables.tables()), (4, 35));
    for (fen, expected) in [
        ("8/8/8/8/8/4k3/8/4K2R w - - 0 1", Win),
        ("8/8/8/8/8/4k3/8/4K2R b - - 0 1", Loss),
        // Two knights cannot force mate.
        ("8/8/8/3k4/8/8/3NNK2/8 w - - 0 1", Draw),
        // The king is in front of his pawn, with and without the opposition.
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Loss),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Win),
        ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", Draw),
        ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", Loss),
        // The square of the pawn: inside it the king is in time.
        ("8/8/8/7k/P7/8/8/7K w - - 0 1", Win),
        ("8/8/8/4k3/P7/8/8/7K b - - 0 1", Draw),
        // A rook's pawn, and the king in the corner.
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", Draw),
        // A bishop that does not control the corner, and one that does.
        ("k7/8/1K6/P7/8/8/8/4B3 w - - 0 1", Draw),
        ("k7/8/1K6/P7/8/8/8/5B2 w - - 0 1", Win),
        // Saavedra's own study.
        ("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1", Win),
        // Taking en passant is the only way not to lose the pawn.
        ("8/8/8/8/k2Pp3/8/8/4K3 b - d3 0 1", Draw),
        ("8/8/8/8/8/4k3/8/4K3 w - - 0 1", Draw),
    ] {
        assert_eq!(tables.result(&position(fen)), Some(expected), "{fen}");
    }
    assert_eq!(tables.result(&position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")), None, "castling is not in the tables");
    assert_eq!(tables.result(&Position::initial()), None);
}

#[test]
fn saavedra_promotes_to_a_rook() {
    let Some(tables) = tables() else { return };
    let study = position("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1");
    for respects_fifty_moves in [true, false] {
        let ranked = tables.rank_moves(&study, respects_fifty_moves).expect("all moves are known");
        assert_eq!(ranked.len(), study.legal_moves().len());
        let best = ranked[0];
        assert_eq!((study.uci(best.mv).as_str(), best.result), ("c7c8r", TablebaseResult::Win));
        let queen = ranked.iter().find(|ranked| study.uci(ranked.mv) == "c7c8q").expect("every move is ranked");
        assert_eq!(queen.result, TablebaseResult::Draw, "it is stalemate three plies later");
    }
}

/// Plays the first move for both sides until the end.
fn play_out(tables: &Syzygy, start: &Position) -> Outcome {
    let mut game = Game::new(*start);
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome;
        }
        assert_eq!(game.claimable_draw(), None, "the win was shuffled away: {start}");
        let ranked = tables.rank_moves(game.position(), true).expect("all moves are known");
        game.play(ranked[0].mv).expect("ranked moves are legal");
    }
}

#[test]
fn the_first_move_wins_whatever_is_won_before_the_fifty_move_rule() {
    use Color::{Black, White};
    let Some(tables) = tables() else { return };
    let kings = [(White, Role::King), (Black, Role::King)];
    for (seed, others) in [
        [(White, Role::Bishop), (White, Role::Knight)],
        [(White, Role::Queen), (Black, Role::Rook)],
        [(White, Role::Rook), (Black, Role::Pawn)],
        [(White, Role::Pawn), (Black, Role::Pawn)],
        [(Black, Role::Queen), (White, Role::Pawn)],
    ]
    .iter()
    .enumerate()
    {
        for start in random_positions(seed as u64, &[&kings[..], others].concat(), 40) {
            let winner = match tables.result(&start).expect("the table is there") {
                TablebaseResult::Win => Some(start.turn()),
                TablebaseResult::Loss => Some(!start.turn()),
                TablebaseResult::Draw => continue,
                cursed => panic!("no ending of four pieces takes fifty moves, but {start} is {cursed:?}"),
            };
            let mated = match play_out(&tables, &start) {
                Outcome::Checkmate { winner } => Some(winner),
                Outcome::Draw(_) => None,
            };
            assert_eq!(mated, winner, "{start}");
        }
    }
}

#[test]
fn a_counter_that_has_run_too_far_spoils_the_win() {
    let Some(tables) = tables() else { return };
    let best = |fen: &str, respects_fifty_moves| {
        tables.rank_moves(&position(fen), respects_fifty_moves).expect("all moves are known")[0].result
    };
    // Bishop and knight need more than ten moves here.
    assert_eq!(best("8/8/3k4/8/8/3BNK2/8/8 w - - 0 1", true), TablebaseResult::Win);
    assert_eq!(best("8/8/3k4/8/8/3BNK2/8/8 w - - 80 100", true), TablebaseResult::CursedWin);
    assert_eq!(best("8/8/3k4/8/8/3BNK2/8/8 b - - 80 100", true), TablebaseResult::BlessedLoss);
    assert_eq!(best("8/8/3k4/8/8/3BNK2/8/8 w - - 80 100", false), TablebaseResult::Win);
    // A mate in one is in time even with the last move.
    assert_eq!(best("7k/8/6K1/8/8/8/8/R7 w - - 99 100", true), TablebaseResult::Win);
}

#[test]
fn ranks_agree_with_the_results_of_the_moves() {
    use Color::{Black, White};
    let Some(tables) = tables() else { return };
    let pieces = [(White, Role::King), (Black, Role::King), (White, Role::Pawn), (Black, Role::Pawn)];
    for start in random_positions(7, &pieces, 300) {
        let ranked = tables.rank_moves(&start, true).expect("all moves are known");
        assert_eq!(ranked.len(), start.legal_moves().len(), "{start}");
        if let Some(best) = ranked.first() {
            assert_eq!(Some(best.result), tables.result(&start), "{start}");
        }
        assert!(ranked.windows(2).all(|pair| pair[0].rank >= pair[1].rank && pair[0].result >= pair[1].result));
    }
}

#[test]
fn a_king_and_pawn_follow_the_textbook() {
    let Some(tables) = tables() else { return };
    let mut seen = [0; 3];
    let pieces = [(Color::White, Role::King), (Color::Black, Role::King), (Color::White, Role::Pawn)];
    for start in random_positions(1, &pieces, 20_000) {
        let result = tables.result(&start).expect("the table is there");
        let pawn = start.pieces(Role::Pawn, Color::White).first().expect("there is a pawn");
        let (white, black) = (start.king(Color::White), start.king(Color::Black));
        let white_moves = start.turn() == Color::White;
        // White cannot lose, and the mirror image has the same result.
        let allowed = if white_moves {
            [TablebaseResult::Win, TablebaseResult::Draw]
        } else {
            [TablebaseResult::Loss, TablebaseResult::Draw]
        };
        assert!(allowed.contains(&result), "{start}");
        let mirrored = start.setup().flipped().position().expect("the mirror image is legal");
        assert_eq!(tables.result(&mirrored), Some(result), "{start}");
        let is_won = result != TablebaseResult::Draw;
        // A king who starts outside the square of a pawn with a free path is too late.
        let steps = Rank::Eighth.index() - pawn.rank().index().max(2);
        let goal = Square::new(pawn.file(), Rank::Eighth);
        let is_clear = [white, black].iter().all(|king| king.file() != pawn.file() || king.rank() < pawn.rank());
        let is_far = distance(black, goal) > steps + 1;
        if white_moves && is_clear && is_far {
            assert!(is_won, "{start}");
            seen[0] += 1;
        }
        // A king in the corner before a rook's pawn is never driven out.
        let is_rook_pawn = matches!(pawn.file().index(), 0 | 7);
        if is_rook_pawn && black == goal && distance(white, goal) > 2 && pawn.rank() < Rank::Seventh {
            assert!(!is_won, "{start}");
            seen[1] += 1;
        }
        // An unprotected pawn that can be taken is no longer there.
        if !white_moves && distance(black, pawn) == 1 && distance(white, pawn) > 1 {
            assert!(!is_won, "{start}");
            seen[2] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// How many steps a king needs on an empty board.
fn distance(from: Square, to: Square) -> usize {
    from.file().index().abs_diff(to.file().index()).max(from.rank().index().abs_diff(to.rank().index()))
}
