//! Every reason that a review gives is true, by the word of code that shares nothing with the code that found it.

use std::sync::Arc;

use crate::common::{position, random_game_from, review, review_of_move};
use review::{
    Effort, Exchange, Hanging, HangingCause, Mate, MoveReview, Proof, Reason, Reviewer, Tactic, TacticKind, Variation,
};
use rules::{Color, DrawReason, Game, Move, Position, Role, Square};
use saavedra_review as review;

/// The values as the documentation states them.
fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

fn gain(position: &Position, mv: Move) -> i32 {
    let promoted = mv.promotion_role().map_or(0, |role| worth(role) - worth(Role::Pawn));
    position.captured(mv).map_or(0, |(role, _)| worth(role)) + promoted
}

/// What a move wins on its square, by trying every capture there and the choice to stop.
fn exchange(position: &Position, mv: Move) -> i32 {
    let next = position.play(mv).expect("a legal move");
    let replies = next.legal_moves();
    let takes = |reply: &&Move| reply.to() == mv.to() && next.captured(**reply).is_some_and(|(_, at)| at == mv.to());
    gain(position, mv) - replies.iter().filter(takes).map(|&reply| exchange(&next, reply)).fold(0, i32::max)
}

/// Whether the player to move mates in so many moves, by trying everything.
fn mates(position: &Position, moves: u32) -> bool {
    moves > 0
        && position.legal_moves().iter().any(|&mv| {
            let next = position.play(mv).expect("a legal move");
            let replies = next.legal_moves();
            if replies.is_empty() {
                next.is_check()
            } else {
                replies.iter().all(|&reply| mates(&next.play(reply).expect("a legal move"), moves - 1))
            }
        })
}

fn check_exchange(told: &Exchange) {
    let start = told.captures.start();
    let first = told.captures.first().expect("an exchange has a first capture");
    assert_eq!(told.square, first.to());
    assert_eq!(start.captured(first).map(|(role, _)| role), Some(told.victim));
    assert!(told.captures.moves().iter().all(|mv| mv.to() == told.square));
    assert_eq!(told.value, exchange(start, first), "{} in {start}", told.captures);
}

fn check_hanging(told: &Hanging, judged: &MoveReview) {
    check_exchange(&told.exchange);
    assert_eq!(*told.exchange.captures.start(), judged.position.play(judged.mv).expect("a legal move"));
    assert_eq!(told.taken, gain(&judged.position, judged.mv));
    assert!(told.exchange.value - told.taken >= 100);
    let first = told.exchange.captures.first();
    assert_eq!(told.cause == HangingCause::Moved, first.map(Move::to) == Some(judged.mv.to()));
    // What is left hanging could have been saved.
    if let (HangingCause::Left, Some(first), Some(best)) = (told.cause, first, judged.best.first()) {
        let saved = judged.position.play(best).expect("a legal move");
        assert!(!saved.is_legal(first) || exchange(&saved, first) < told.exchange.value);
    }
}

fn check_mate(told: &Mate, start: &Position) {
    assert_eq!(told.line.start(), start);
    assert!(told.line.end().is_checkmate());
    assert_eq!(told.line.moves().len() as u32, 2 * told.moves - 1);
    if told.proof == Proof::AllReplies && told.moves <= 2 {
        assert!(mates(start, told.moves), "{} in {start}", told.line);
        assert!(!mates(start, told.moves - 1), "{start}: there is a shorter mate than {}", told.line);
    }
}

/// Whatever the reply, a capture of the kind that is claimed wins what is claimed.
fn check_tactic(told: &Tactic, start: &Position) {
    assert_eq!(told.position, *start);
    let after = start.play(told.mv).expect("a legal move");
    let is_target = |square: Square| told.targets.iter().any(|&(target, _)| target == square);
    for &(square, role) in &told.targets {
        assert_eq!(after.role_at(square), Some(role));
        assert_eq!(after.color_at(square), Some(after.turn()));
        let is_direct = matches!(told.kind, TacticKind::Fork | TacticKind::DiscoveredAttack | TacticKind::Trap);
        assert!(!is_direct || after.attackers(square).contains(told.attacker));
    }
    let is_claimed = |reply: Move, mv: Move| match told.kind {
        TacticKind::Fork | TacticKind::Skewer => mv.from() == told.mv.to() && is_target(mv.to()),
        TacticKind::Trap => is_target(if mv.to() == reply.to() { reply.from() } else { mv.to() }),
        TacticKind::DiscoveredAttack => mv.from() == told.attacker || mv.from() == told.mv.to(),
        TacticKind::Pin => is_target(mv.to()),
    };
    for &reply in &after.legal_moves() {
        let next = after.play(reply).expect("a legal move");
        let captures = next.legal_moves();
        let best = captures
            .iter()
            .filter(|&&mv| is_claimed(reply, mv) && next.is_capture(mv))
            .map(|&mv| exchange(&next, mv))
            .max();
        let won = gain(start, told.mv) - gain(&after, reply) + best.unwrap_or(0);
        assert!(won >= told.wins, "{:?} {} {}: {won}", told.kind, Variation::new(*start, [told.mv, reply]), told.wins);
    }
    match told.kind {
        TacticKind::Fork => assert!(told.targets.len() >= 2 && told.attacker == told.mv.to()),
        TacticKind::Skewer => assert!(told.targets.len() == 2 && told.attacker == told.mv.to()),
        TacticKind::Trap => assert_eq!(told.targets.len(), 1),
        TacticKind::Pin => assert!(after.pinned().contains(told.targets[0].0)),
        TacticKind::DiscoveredAttack => {
            // The same piece did not see them before.
            assert!(told.targets.iter().all(|&(square, _)| !start.attackers(square).contains(told.attacker)));
        }
    }
}

/// Whether a line promotes a pawn of a player within six plies, and the new piece stays for a move.
fn promotes(line: &Variation, color: Color) -> bool {
    let moves = &line.moves()[..line.moves().len().min(6)];
    let plies = moves.iter().enumerate().filter(|(ply, _)| (ply % 2 == 0) == (line.start().turn() == color));
    plies
        .into_iter()
        .any(|(ply, mv)| mv.promotion_role().is_some() && moves.get(ply + 1).is_none_or(|reply| reply.to() != mv.to()))
}

/// Checks all that is said of a move. The game ends with it.
pub(crate) fn check(judged: &MoveReview, played: &Game) {
    let after = judged.position.play(judged.mv).expect("a legal move");
    assert_eq!(after, *played.position());
    for reason in &judged.reasons {
        match reason {
            Reason::Hangs(hanging) => check_hanging(hanging, judged),
            Reason::MissesCapture(exchange) => {
                check_exchange(exchange);
                assert_eq!(*exchange.captures.start(), judged.position);
                assert_ne!(exchange.captures.first(), Some(judged.mv));
            }
            Reason::MissesMate(mate) => check_mate(mate, &judged.position),
            Reason::AllowsMate(mate) => check_mate(mate, &after),
            Reason::AllowsTactic(tactic) => check_tactic(tactic, &after),
            Reason::MissesTactic(tactic) => check_tactic(tactic, &judged.position),
            Reason::AllowsStalemate(line) => {
                assert_eq!(*line, judged.reply);
                assert!(line.end().legal_moves().is_empty() && !line.end().is_check());
            }
            Reason::SpoilsEndgame(results) => assert!(results.before > results.after),
            Reason::MissesZugzwang(line) => assert_eq!(line.first(), judged.best.first()),
            Reason::Stalemates => assert!(after.legal_moves().is_empty() && !after.is_check()),
            Reason::DrawsWonGame(_) => assert!(played.outcome().is_some() || played.claimable_draw().is_some()),
            Reason::AllowsPromotion(line) => {
                assert_eq!(*line.start(), after);
                assert!(promotes(line, after.turn()) && !promotes(&judged.best, after.turn()));
            }
            Reason::MissesPromotion(line) => {
                assert_eq!(*line, judged.best);
                assert!(promotes(line, judged.color()) && !promotes(&judged.reply, judged.color()));
            }
            Reason::BetterLine(better) => {
                assert_eq!(*better.line.start(), judged.position);
                assert!(better.line.first().is_some_and(|first| first != judged.mv));
            }
            Reason::OnlyMove(other) => {
                assert!(!judged.judgement.is_error());
                assert_eq!(*other.line.start(), judged.position);
                assert!(other.line.first().is_some_and(|first| first != judged.mv));
            }
            Reason::LeavesBook(book) => assert!(!book.moves.contains(&judged.mv) && !book.moves.is_empty()),
        }
    }
}

#[test]
fn all_that_is_said_of_random_games_is_true() {
    let mut said = std::collections::BTreeMap::new();
    for seed in 0..12 {
        // Three of the games are Chess960.
        let start = Position::chess960(if seed % 4 == 3 { 77 * seed as u16 } else { 518 }).expect("a number below 960");
        let mut game = random_game_from(start, seed, 120);
        let review = review(&game, 600);
        for judged in review.moves.iter().rev() {
            check(judged, &game);
            for reason in &judged.reasons {
                *said.entry(reason.kind()).or_insert(0) += 1;
            }
            game.take_back();
        }
    }
    for kind in
        ["hangs", "misses_capture", "misses_mate", "allows_mate", "misses_tactic", "allows_tactic", "better_line"]
    {
        assert!(said.get(kind).is_some_and(|&count| count > 0), "random players do everything wrong: {said:?}");
    }
}

fn reasons(fen: &str, san: &str) -> Vec<Reason> {
    let judged = review_of_move(fen, san, 20_000);
    check(&judged, &crate::common::game(fen, san));
    judged.reasons
}

/// What a move leaves hanging to a reply.
fn hanging(fen: &str, san: &str, reply: &str) -> Option<Hanging> {
    let before = position(fen);
    let mv = before.parse_san(san).expect("a legal move");
    Hanging::after(&before, mv, before.play(mv).expect("a legal move").parse_san(reply).expect("a legal reply"))
}

fn tactic(fen: &str, san: &str) -> Option<Tactic> {
    let position = position(fen);
    let tactic = Tactic::of(&position, position.parse_san(san).expect("a legal move"))?;
    check_tactic(&tactic, &position);
    Some(tactic)
}

#[test]
fn a_piece_may_move_to_its_loss_be_left_there_or_lose_its_guard() {
    let moved = hanging("4k3/8/3p4/8/5P2/5N2/3P4/4K3 w - - 0 1", "Ne5", "dxe5").expect("it hangs");
    assert_eq!((moved.exchange.value, moved.cause), (220, HangingCause::Moved));
    assert_eq!(Reason::Hangs(moved).to_string(), "hangs the knight (1... dxe5 2. fxe5), which loses 2.2 pawns");
    let left = hanging("4k3/8/8/3p4/4N3/8/3P4/4K3 w - - 0 1", "Kf2", "dxe4").expect("it hangs");
    assert_eq!((left.exchange.value, left.cause), (320, HangingCause::Left));
    let exposed = hanging("3rk3/8/8/8/3R4/5N2/8/4K3 w - - 0 1", "Ng5", "Rxd4").expect("it hangs");
    assert_eq!((exposed.exchange.value, exposed.cause), (500, HangingCause::Exposed));
}

#[test]
fn what_was_traded_does_not_hang() {
    assert_eq!(hanging("3rk3/8/8/8/8/8/8/3RK3 w - - 0 1", "Rxd8+", "Kxd8"), None);
    let pawn = hanging("4k3/4p3/3p4/8/8/8/8/3RK3 w - - 0 1", "Rxd6", "exd6").expect("a rook for a pawn");
    assert_eq!((pawn.exchange.value, pawn.taken), (500, 100));
    assert!(Reason::Hangs(pawn).to_string().ends_with("hangs the rook (1... exd6), which loses 4 pawns"));
}

#[test]
fn a_mate_that_was_missed_and_one_that_was_allowed_are_shown_to_the_end() {
    let missed = reasons("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "h3");
    assert_eq!(missed[0].to_string(), "misses a back-rank mate in 1 (1. Rd8#)");
    assert_eq!(missed.len(), 1, "the mate is the better line");
    let allowed = reasons("3r2k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra7");
    assert_eq!(allowed[0].to_string(), "allows a back-rank mate in 1 (1... Rd1#)");
}

#[test]
fn a_fork_wins_whatever_the_reply() {
    let fork = tactic("r3k3/8/8/3N4/8/8/5PPP/6K1 w - - 0 1", "Nc7+").expect("a fork");
    assert_eq!((fork.kind, fork.wins), (TacticKind::Fork, 500));
    assert_eq!(
        Reason::MissesTactic(fork).to_string(),
        "misses a fork: 1. Nc7+ attacks the rook on a8 and the king on e8 (wins at least 5 pawns)"
    );
    assert_eq!(tactic("r3k3/8/1p6/3N4/8/8/5PPP/6K1 w - - 0 1", "Nf6+"), None, "it attacks nothing but the king");
    assert_eq!(tactic("r1b1k3/8/8/3N4/8/8/5PPP/6K1 w - - 0 1", "Ne7"), None, "a king takes what forks");
}

#[test]
fn a_pinned_piece_that_is_attacked_is_lost() {
    let pin = tactic("4k3/8/8/4n3/8/3P1P2/8/R5K1 w - - 0 1", "Re1").expect("a pin");
    assert_eq!((pin.kind, pin.wins, pin.targets), (TacticKind::Pin, 320, vec![(Square::E5, Role::Knight)]));
    assert_eq!(tactic("4k3/8/5p2/4n3/8/3P1P2/8/R5K1 w - - 0 1", "Re1"), None, "it is guarded");
}

#[test]
fn a_discovered_attack_opens_a_line() {
    let discovered = tactic("3q2k1/5ppp/8/8/8/3B4/5PPP/3R2K1 w - - 0 1", "Bxh7+").expect("a discovered attack");
    assert_eq!((discovered.kind, discovered.wins), (TacticKind::DiscoveredAttack, 675));
    assert_eq!((discovered.attacker, &discovered.targets[..]), (Square::D1, &[(Square::D8, Role::Queen)][..]));
}

#[test]
fn a_won_game_may_end_in_stalemate_or_repetition() {
    let stalemate = reasons("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7");
    assert!(stalemate.contains(&Reason::Stalemates), "{stalemate:?}");
    let game = crate::common::game("k7/8/8/8/8/8/1R6/2R1K3 w - - 0 1", "Rc3 Ka7 Rc1 Ka8 Rc3 Ka7 Rc1 Ka8 Rc3");
    let review = review(&game, 5_000);
    let [.., allowed, last] = &review.moves[..] else { panic!("there are nine moves") };
    check(last, &game);
    assert!(last.reasons.contains(&Reason::DrawsWonGame(DrawReason::ThreefoldRepetition)), "{:?}", last.reasons);
    assert!(allowed.reasons.is_empty(), "a lost player may repeat");
}

#[test]
fn a_crowded_square_is_left_to_the_search() {
    // More pieces than can be tried in every order: nothing is claimed, and nothing takes forever.
    let crowded = position("7k/2n1n3/1nqqqn2/3n4/1NQQQN2/2N1N3/8/K7 w - - 0 1");
    let capture = crowded.parse_san("Nbxd5").expect("a legal move");
    assert_eq!(Exchange::opened_by(&crowded, capture), None);
    // With as many as are tried, and others behind them.
    let full = position("1b4kr/2q3qb/3q1q2/4n3/3Q1Q2/2Q3Q1/1B5B/4R1K1 w - - 0 1");
    let capture = full.parse_san("Rxe5").expect("a legal move");
    assert!(Exchange::opened_by(&full, capture).is_none_or(|exchange| exchange.value > 0));
}

#[test]
fn a_rook_for_a_bishop_is_the_exchange() {
    let exchange = hanging("6k1/6b1/8/8/8/2R5/1P6/6K1 w - - 0 1", "Kg2", "Bxc3").expect("it hangs");
    assert_eq!(
        Reason::Hangs(exchange).to_string(),
        "leaves the rook on c3 hanging (1... Bxc3 2. bxc3), which loses the exchange"
    );
}

#[test]
fn tablebases_know_what_an_endgame_was_and_who_must_not_have_to_move() {
    let Some(folder) = testkit::data_file("syzygy") else { return };
    let tables = syzygy::Syzygy::open(&folder.to_string_lossy()).expect("tables");
    let mut reviewer = Reviewer::new(Effort::Nodes(1_000));
    reviewer.set_tablebase(Arc::new(tables));
    let game = crate::common::game("8/3k4/8/8/3PK3/8/8/8 w - - 0 1", "Ke5");
    let review = reviewer.review(&game, &Arc::default(), &mut |_| {}).expect("it is not stopped");
    check(&review.moves[0], &game);
    let told: Vec<String> = review.moves[0].reasons.iter().map(Reason::to_string).collect();
    assert_eq!(
        told[..2],
        [
            "by the tablebases the endgame was won and is drawn",
            "misses a zugzwang: after 1. Kd5 the opponent loses because they have to move"
        ]
    );
}
