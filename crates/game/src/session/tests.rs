//! The session without threads: what it does with moves, answers and time.

use super::*;

/// A game and the time at which it began. Unless told otherwise, a person with White plays an engine.
struct TestGame {
    session: GameSession,
    began: Instant,
}

fn against_engine() -> ByColor<Player> {
    ByColor { white: Player::human("Ada"), black: Player::engine("engine") }
}

impl TestGame {
    fn new(fen: Option<&str>, time: Option<&str>) -> TestGame {
        let time = time.map(|time| time.parse().expect("a time control"));
        TestGame::of(GameSetup { time, ..GameSetup::new(start(fen), against_engine()) })
    }

    fn of(setup: GameSetup) -> TestGame {
        let began = Instant::now();
        TestGame { session: GameSession::new(setup, began), began }
    }

    fn at(&self, seconds: u64) -> Instant {
        self.began + Duration::from_secs(seconds)
    }

    fn mv(&self, san: &str) -> Move {
        self.session.position().parse_san(san).expect("a legal move")
    }

    /// The side to move plays this move at this time.
    fn move_at(&mut self, seconds: u64, san: &str) {
        let (mv, now) = (self.mv(san), self.at(seconds));
        if self.session.engine_to_move().is_some() {
            self.answer_at(seconds, Ok(Choice::Move(mv)));
        } else {
            assert_eq!(self.session.play(mv, now), Ok(()), "{san}");
        }
    }

    fn moves(&mut self, moves: &str) {
        for san in moves.split_whitespace() {
            self.move_at(0, san);
        }
    }

    fn answer_at(&mut self, seconds: u64, choice: Result<Choice, String>) {
        assert!(self.session.engine_to_move().is_some(), "the engine is asked");
        let now = self.at(seconds);
        self.session.engine_answered(EngineAnswer { choice, spent: None, score: None }, now);
    }

    fn result(&self) -> Option<(GameEnd, &str)> {
        self.session.result().map(|result| (result.ending, result.reason.as_str()))
    }

    /// The seconds that both clocks show.
    fn clocks(&self, seconds: u64) -> (u64, u64) {
        let left = |color| self.session.remaining(color, self.at(seconds)).expect("a clock").as_secs();
        (left(Color::White), left(Color::Black))
    }
}

fn start(fen: Option<&str>) -> Game {
    Game::new(fen.map_or_else(Position::initial, |fen| fen.parse().expect("a position")))
}

#[test]
fn people_and_engines_take_turns() {
    let mut test = TestGame::new(None, None);
    assert_eq!(test.session.engine_to_move(), None);
    test.moves("e4");
    assert_eq!(test.session.engine_to_move(), Some(Color::Black));
    let d4 = Position::initial().parse_san("d4").expect("a move");
    let not_yours = ActionError::NotYourTurn { name: "engine".to_owned() };
    assert_eq!(test.session.play(d4, test.at(0)), Err(not_yours));
    test.moves("c5");
    assert_eq!((test.session.engine_to_move(), test.session.game().moves().len()), (None, 2));
    let illegal = Position::initial().parse_san("e4").expect("a move");
    assert!(matches!(test.session.play(illegal, test.at(0)), Err(ActionError::Illegal(_))));
}

#[test]
fn every_change_has_a_revision_of_its_own() {
    let mut test = TestGame::new(None, None);
    let mut seen = vec![test.session.revision()];
    test.moves("e4");
    seen.push(test.session.revision());
    test.session.take_back(test.at(0)).expect("there is a move");
    seen.push(test.session.revision());
    test.moves("d4");
    seen.push(test.session.revision());
    test.session.replace_engine(Color::Black, "other", test.at(0));
    seen.push(test.session.revision());
    test.session.resign(None, test.at(0)).expect("it is in progress");
    seen.push(test.session.revision());
    assert!(seen.is_sorted_by(|before, after| before < after), "{seen:?}");
}

#[test]
fn only_the_running_clock_loses_time_and_a_move_brings_the_increment() {
    let mut test = TestGame::new(None, Some("60+2"));
    assert_eq!(test.clocks(10), (50, 60));
    test.move_at(10, "e4");
    assert_eq!(test.clocks(10), (52, 60));
    test.move_at(40, "e5");
    assert_eq!(test.clocks(50), (42, 32));
    test.session.resign(None, test.at(50)).expect("it is in progress");
    assert_eq!(test.clocks(500), (42, 32), "the clocks stop when the game ends");
}

#[test]
fn an_engine_may_know_better_how_long_it_thought() {
    let mut test = TestGame::new(None, Some("60"));
    test.moves("e4");
    let (mv, now) = (test.mv("e5"), test.at(10));
    let answer = EngineAnswer { choice: Ok(Choice::Move(mv)), spent: Some(Duration::from_secs(1)), score: None };
    test.session.engine_answered(answer, now);
    assert_eq!(test.clocks(10), (60, 59));
    let (timed, clock) = test.session.timed_move(1).expect("the move of the engine");
    assert_eq!((timed, clock), (TimedMove { mv, spent: Duration::from_secs(1) }, Some(Duration::from_secs(59))));
}

#[test]
fn the_first_move_may_be_untimed() {
    let setup = GameSetup {
        time: Some("1+0.1".parse().expect("a time control")),
        clock_start: ClockStart::AfterFirstMove,
        ..GameSetup::new(start(None), against_engine())
    };
    let mut test = TestGame::of(setup);
    assert!(!test.session.is_ticking() && !test.session.tick(test.at(100)));
    test.move_at(100, "e4");
    let left = test.session.remaining(Color::White, test.at(100));
    assert_eq!((left, test.session.is_ticking()), (Some(Duration::from_millis(1100)), true));
    test.session.take_back(test.at(101)).expect("there is a move");
    assert!(!test.session.is_ticking(), "it is the first move again");
}

#[test]
fn the_clock_of_an_engine_stands_while_it_pauses() {
    let time = Some("5m".parse().expect("a time control"));
    let setup = GameSetup { time, pause: Duration::from_secs(3), ..GameSetup::new(start(None), against_engine()) };
    let mut test = TestGame::of(setup);
    test.move_at(10, "e4");
    assert_eq!(test.clocks(12), (290, 300));
    assert_eq!(test.session.pause_left(test.at(12)), Duration::from_secs(1));
    assert_eq!(test.clocks(20), (290, 293), "from then on it runs");
    test.move_at(20, "e5");
    assert_eq!(test.session.pause_left(test.at(20)), Duration::ZERO, "people do not pause");
}

#[test]
fn taking_back_gives_the_turn_and_the_time_back() {
    let mut test = TestGame::new(None, Some("5m+3s"));
    assert_eq!(test.session.take_back(test.at(0)), Err(ActionError::NothingToTakeBack));
    test.move_at(10, "e4");
    test.move_at(30, "e5");
    assert_eq!(test.clocks(30), (293, 283));
    test.move_at(40, "d4");
    test.move_at(41, "d5");
    assert_eq!(test.session.take_back(test.at(60)), Ok(()));
    assert_eq!((test.clocks(60), test.session.game().moves().len()), ((293, 283), 2));
    test.move_at(70, "Nf3");
    assert_eq!(test.session.take_back(test.at(80)), Ok(()), "while the engine thinks, one move is enough");
    assert_eq!((test.clocks(80), test.session.game().moves().len()), ((293, 283), 2));
}

#[test]
fn the_opening_is_not_taken_back() {
    let mut opening = start(None);
    for san in ["e4", "e5"] {
        let mv = opening.position().parse_san(san).expect("a move");
        opening.play(mv).expect("a legal move");
    }
    let mut test = TestGame::of(GameSetup::new(opening, against_engine()));
    assert_eq!(test.session.take_back(test.at(0)), Err(ActionError::NothingToTakeBack));
    test.moves("Nf3 Nc6");
    assert_eq!(test.session.take_back(test.at(0)), Ok(()));
    assert_eq!((test.session.game().moves().len(), test.session.opening_moves()), (2, 2));
    assert_eq!(test.session.timed_move(1), None, "moves of the opening are not timed");
}

#[test]
fn a_finished_game_can_be_taken_back() {
    let mut test = TestGame::new(Some("k7/8/1K6/8/8/8/8/7R w - - 0 1"), None);
    test.moves("Rh8");
    assert_eq!(test.result(), Some((GameEnd::Won(Color::White), "checkmate")));
    assert_eq!(
        test.session.check_human_to_move(),
        Err(ActionError::Over { reason: "checkmate".to_owned() }),
        "nothing can be played"
    );
    assert_eq!(test.session.take_back(test.at(0)), Ok(()));
    assert_eq!((test.result(), test.session.engine_to_move()), (None, None));
    test.moves("Kc7");
    assert_eq!(test.session.engine_to_move(), Some(Color::Black));
}

#[test]
fn a_flag_falls_on_the_player_to_move() {
    let mut test = TestGame::new(None, Some("1m"));
    assert!(!test.session.tick(test.at(59)));
    assert_eq!(test.result(), None);
    assert!(test.session.tick(test.at(60)));
    assert_eq!(test.result(), Some((GameEnd::Won(Color::Black), "white ran out of time")));
    assert!(!test.session.tick(test.at(99)), "it falls once");
    let mut bare = TestGame::new(Some("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"), Some("1m"));
    assert!(bare.session.tick(bare.at(61)));
    assert_eq!(bare.result(), Some((GameEnd::Drawn, "white ran out of time, and black cannot mate")));
    assert_eq!(bare.clocks(99), (0, 60));
}

#[test]
fn draws_are_claimed_agreed_or_declined() {
    let mut test = TestGame::new(None, None);
    assert_eq!(test.session.draw(None, test.at(0)), Ok(DrawAnswer::Declined));
    test.moves("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(test.session.draw(None, test.at(0)), Ok(DrawAnswer::Claimed));
    assert_eq!(test.result(), Some((GameEnd::Drawn, "threefold repetition, claimed by white")));

    let mut test = TestGame::new(None, None);
    let shuffle = "Nf3 Nf6 Ng1 Ng8 Nc3 Nf6 Nb1 Ng8 Nf3 Nc6 Ng1 Nb8 e3 e6 Ke2 Ke7 Ke1 Ke8 a3 a6 a4 a5 h3 h6 h4 h5 \
                   Nf3 Nf6 Ng1 Ng8 b3 b6 c3 c6 d3 d6 g3 g6 f3 f6 e4";
    test.moves(shuffle);
    test.session.set_score(Color::Black, Score::new(20));
    assert_eq!(test.session.draw(None, test.at(0)), Ok(DrawAnswer::Declined));
    test.session.set_score(Color::Black, Score::new(-10));
    assert_eq!(test.session.draw(None, test.at(0)), Ok(DrawAnswer::Agreed));
    assert_eq!(test.result(), Some((GameEnd::Drawn, "agreement")));
}

#[test]
fn a_draw_that_the_engine_offers_stands_until_the_next_move() {
    let mut test = TestGame::new(None, None);
    test.moves("e4");
    let mv = test.mv("e5");
    test.answer_at(0, Ok(Choice::MoveAndOfferDraw(mv)));
    assert_eq!(test.session.draw_offer(), Some(Color::Black));
    let mut accepted = test.session.clone();
    assert_eq!(accepted.draw(None, test.at(0)), Ok(DrawAnswer::Agreed));
    test.moves("Nf3 Nc6");
    assert_eq!((test.session.draw_offer(), test.session.draw(None, test.at(0))), (None, Ok(DrawAnswer::Declined)));
}

#[test]
fn an_engine_that_fails_can_be_replaced() {
    let mut test = TestGame::new(None, Some("60"));
    test.moves("e4");
    test.answer_at(3, Err("it crashed".to_owned()));
    assert_eq!((test.session.engine_to_move(), test.session.fault()), (None, Some("it crashed")));
    let failed = ActionError::EngineFailed { name: "engine".to_owned() };
    assert_eq!(test.session.check_human_to_move(), Err(failed));
    test.session.replace_engine(Color::Black, "other", test.at(5));
    assert_eq!((test.session.fault(), test.session.player(Color::Black)), (None, &Player::engine("other")));
    assert_eq!(test.clocks(5), (60, 55), "the time that was lost stays lost");
    test.moves("e5");
}

#[test]
fn an_engine_cannot_cheat() {
    let e4 = Position::initial().parse_san("e4").expect("a move");
    for (choice, complaint) in [
        (Choice::ClaimDraw, "engine claims a draw that is not there"),
        (Choice::Move(e4), "engine chose e2e4, which is not legal"),
        (Choice::MoveAndOfferDraw(e4), "engine chose e2e4, which is not legal"),
    ] {
        let mut test = TestGame::new(None, None);
        test.moves("e4");
        test.answer_at(0, Ok(choice));
        assert_eq!((test.session.fault(), test.session.game().moves().len()), (Some(complaint), 1));
        assert_eq!(test.session.draw_offer(), None);
    }
}

#[test]
fn engines_resign_and_claim_draws() {
    let mut test = TestGame::new(None, None);
    test.moves("e4");
    test.answer_at(0, Ok(Choice::Resign));
    assert_eq!(test.result(), Some((GameEnd::Won(Color::White), "black resigned")));
    let mut test = TestGame::new(None, None);
    test.moves("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3");
    test.answer_at(0, Ok(Choice::ClaimDraw));
    assert_eq!(test.result(), Some((GameEnd::Drawn, "threefold repetition, claimed by black")));
}

#[test]
fn the_person_who_acts_is_known() {
    let resigned = |white: Player, black: Player, side| {
        let mut test = TestGame::of(GameSetup::new(start(None), ByColor { white, black }));
        test.session.resign(side, test.began).map(|()| test.result().map(|(_, reason)| reason.to_owned()))
    };
    let (human, engine) = (|| Player::human("Ada"), || Player::engine("engine"));
    let white = Ok(Some("white resigned".to_owned()));
    let black = Ok(Some("black resigned".to_owned()));
    assert_eq!(resigned(human(), engine(), None), white);
    assert_eq!(resigned(engine(), human(), None), black);
    assert_eq!(resigned(human(), human(), None), white, "the player to move");
    assert_eq!(resigned(human(), human(), Some(Color::Black)), black);
    assert_eq!(resigned(human(), engine(), Some(Color::Black)), Err(ActionError::NotHuman(Color::Black)));
    assert_eq!(resigned(engine(), engine(), None), Err(ActionError::NoHuman));
}

#[test]
fn two_people_agree_and_take_back_move_by_move() {
    let players = ByColor { white: Player::human("Ada"), black: Player::human("Bea") };
    let mut test = TestGame::of(GameSetup::new(start(None), players));
    test.moves("e4 e5");
    assert_eq!(test.session.take_back(test.at(0)), Ok(()));
    assert_eq!((test.session.turn(), test.session.game().moves().len()), (Color::Black, 1));
    assert_eq!(test.session.draw(Some(Color::White), test.at(0)), Ok(DrawAnswer::Agreed));
    assert_eq!(test.session.abort(test.at(0)), Err(ActionError::Over { reason: "agreement".to_owned() }));
}

#[test]
fn engines_alone_take_nothing_back_and_end_at_the_limit() {
    let players = ByColor { white: Player::engine("a"), black: Player::engine("b") };
    let mut test = TestGame::of(GameSetup { max_plies: 2, ..GameSetup::new(start(None), players) });
    test.moves("e4 e5");
    assert_eq!(test.session.take_back(test.at(0)), Err(ActionError::NoHuman));
    test.moves("Nf3");
    assert_eq!(test.result(), Some((GameEnd::Unfinished, "aborted: a game has at most 2 moves here")));
    let mut test = TestGame::of(GameSetup { max_plies: 0, ..GameSetup::new(start(None), against_engine()) });
    let mv = test.mv("e4");
    assert_eq!(test.session.play(mv, test.at(0)), Err(ActionError::TooLong(0)));
}

#[test]
fn a_game_is_resumed_as_it_was() {
    let setup = GameSetup {
        time: Some("60+1".parse().expect("a time control")),
        clock_start: ClockStart::AfterFirstMove,
        ..GameSetup::new(start(None), against_engine())
    };
    let mut test = TestGame::of(setup.clone());
    test.move_at(5, "e4");
    test.move_at(15, "e5");
    test.move_at(35, "Nf3");
    let moves: Vec<TimedMove> = (0..3).map(|ply| test.session.timed_move(ply).expect("a move").0).collect();
    let later = test.at(1000);
    let resumed = GameSession::resume(setup.clone(), &moves, None, later).expect("legal moves");
    assert_eq!(resumed.game().moves(), test.session.game().moves());
    let clocks = |session: &GameSession, now| Color::ALL.map(|color| session.remaining(color, now));
    assert_eq!(clocks(&resumed, later), clocks(&test.session, test.at(35)));
    assert!(!resumed.is_ticking(), "the time in between is not charged");
    test.session.resign(None, test.at(0)).expect("it is in progress");
    let result = test.session.result().cloned();
    let over = GameSession::resume(setup, &moves, result.clone(), later).expect("legal moves");
    assert_eq!((over.result().cloned(), over.engine_to_move()), (result, None));
}

#[test]
fn the_allowance_is_the_clocks_or_what_is_given_without_them() {
    let test = TestGame::new(None, Some("40/60+1"));
    let limits = Limits { nodes: Some(5), ..Limits::default() };
    let allowance = test.session.allowance(&limits, test.at(10));
    let clock = |remaining| {
        Some(Clock {
            remaining: Duration::from_secs(remaining),
            increment: Duration::from_secs(1),
            moves_to_go: Some(40),
        })
    };
    assert_eq!(
        (allowance.limits.clock, allowance.limits.opponent_clock, allowance.limits.nodes),
        (clock(50), clock(60), None)
    );
    let test = TestGame::new(None, None);
    assert_eq!(test.session.allowance(&limits, test.at(10)).limits, limits);
}

#[test]
fn the_score_sheet_has_what_is_known() {
    let mut test = TestGame::new(None, Some("5m+3s"));
    test.moves("e4 e5");
    test.session.resign(None, test.at(0)).expect("it is in progress");
    let text = test.session.score_sheet("2026.11.16").to_string();
    for part in ["[White \"Ada\"]", "[Black \"engine\"]", "[Result \"0-1\"]", "[TimeControl \"300+3\"]", "1. e4 e5 0-1"]
    {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}
