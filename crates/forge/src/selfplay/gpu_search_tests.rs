//! A search of the host's games finds what self-play finds, by the emulation of the kernels.

use nnue::{Architecture, Network};
use rules::{Game, Move, Position};

use super::emulation::{GpuSearch, play};
use super::{Capacity, Conditions, GameSearcher, Kernels, Record, SearchParameters, proof};
use crate::GpuError;

fn network() -> Network {
    Network::random(3, Architecture::new(64).expect("a width that is allowed"))
}

fn parameters(nodes: i32) -> SearchParameters {
    SearchParameters { nodes, ..SearchParameters::default() }
}

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(fen.parse().expect("a legal position"));
    for text in moves.split_whitespace() {
        let mv = game.position().parse_uci(text).expect("a legal move");
        game.play(mv).expect("a legal move");
    }
    game
}

/// The game up to the first record. Its random moves were not written down, but they are found by trying.
fn game_of(records: &[Record]) -> Game {
    let first = records[0].position().expect("a legal position");
    let leads_there = |moves: &[Move]| {
        let mut game = Game::default();
        let is_legal = moves.iter().all(|&mv| game.play(mv).is_ok());
        (is_legal && game.position().is_repetition_of(&first)).then_some(game)
    };
    let start = Position::initial();
    let one_move = start.legal_moves().into_iter().find_map(|one| leads_there(&[one]));
    let two_moves =
        |one: Move| start.play_unchecked(one).legal_moves().into_iter().find_map(|other| leads_there(&[one, other]));
    one_move.or_else(|| start.legal_moves().into_iter().find_map(two_moves)).expect("one or two random moves")
}

#[test]
fn a_board_is_searched_as_self_play_does_it() {
    let (network, plies, warps) = (network(), 12, 3);
    let conditions = Conditions { random_plies: 1, ..Conditions::default() };
    let room = Capacity { records: plies, games: 1000, ..Capacity::default() };
    let Some(emulated) = play(&[(&network, parameters(150))], conditions, warps, room) else { return };
    let Some(mut search) = GpuSearch::new(&network, parameters(150), warps) else { return };
    let mut games: Vec<Game> = emulated.records.chunks(plies).map(game_of).collect();
    for ply in 0..plies {
        // A board that is not asked leaves its warp alone, and changes nothing for the others.
        for asked in [[true, false, true], [false, true, false]] {
            let shown: Vec<Option<&Game>> =
                games.iter().zip(asked).map(|(game, asked)| asked.then_some(game)).collect();
            let thoughts = search.think(&shown).expect("all can be played");
            let keys = search.keys_afterwards();
            for board in 0..warps {
                assert_eq!(thoughts[board].is_some(), asked[board]);
                let Some(thought) = thoughts[board] else { continue };
                let record = &emulated.records[board * plies + ply];
                let expected = (record.best_move(games[board].position()), record.sample().score(), record.nodes());
                assert_eq!((Some(thought.mv), thought.score as i16, thought.nodes as u32), expected, "ply {ply}");
                assert!(thought.depth > 0);
                games[board].play(thought.mv).expect("a legal move");
                // The host's keys are the kernels' own.
                let stored = super::Stored::new(games[board].position()).expect("the kernels play this");
                assert_eq!(stored.with_key(&super::tables::tables()).key, keys[board], "{}", games[board].position());
            }
        }
    }
}

#[test]
fn the_proof_for_gpus_searches_games_of_the_host() {
    for Kernels { chunks, layers } in Kernels::all() {
        let Some(chunks) = chunks else { continue };
        let player = proof::player(chunks, layers);
        let Some(mut search) = GpuSearch::new(&player.network, player.parameters, proof::BOARDS) else { return };
        let found = proof::play_out(&mut search).expect("all can be played");
        let expected = proof::expected(chunks, layers).search;
        assert_eq!(format!("{found:#x}"), format!("{expected:#x}"), "{layers}, {chunks} chunks");
    }
}

#[test]
fn what_happened_before_counts_as_a_repetition() {
    let Some(mut search) = GpuSearch::new(&network(), parameters(200), 2) else { return };
    // White can only go to and fro between a1 and b1, and has been there with Black's king on h8.
    let known = game("6k1/8/8/8/4b3/8/2r5/K7 w - - 0 1", "a1b1 g8h8 b1a1 h8g8 a1b1 g8h8");
    let unknown = Game::new(*known.position());
    let thoughts = search.think(&[Some(&known), Some(&unknown)]).expect("both can be played");
    let [known, unknown] = [0, 1].map(|board| thoughts[board].expect("both were asked"));
    assert_eq!((known.mv, known.score), (unknown.mv, 0));
    assert_ne!(unknown.score, 0);
}

#[test]
fn what_is_learnt_stays_until_a_new_game_begins() {
    let Some(mut search) = GpuSearch::new(&network(), parameters(200), 1) else { return };
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "f1b5 a7a6");
    let mut think = |forgets: bool| {
        if forgets {
            search.forget(0).expect("memory can be cleared");
        }
        search.think(&[Some(&game)]).expect("it can be played")[0].expect("it was asked")
    };
    let (fresh, again, forgotten) = (think(false), think(false), think(true));
    assert_eq!(fresh, forgotten);
    assert_ne!((fresh.nodes, fresh.depth, fresh.score), (again.nodes, again.depth, again.score));
}

#[test]
fn positions_that_the_kernels_cannot_play_are_refused() {
    let Some(mut search) = GpuSearch::new(&network(), parameters(200), 1) else { return };
    let other = Game::new(Position::chess960(1).expect("a start position"));
    let error = search.think(&[Some(&other)]).expect_err("castling is another");
    assert!(matches!(&error, GpuError::NotChess(fen) if *fen == other.position().to_string()), "{error}");
}
