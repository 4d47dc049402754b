//! The session without threads: what it does with moves, answers and time.

use super::*;

/// A game and the time at which it began. Unless told otherwise, a person with White plays an engine.
struct Table {
    session: GameSession,
    began: Instant,
}

fn against_engine() -> ByColor<Player> {
    ByColor { white: Player::human("Ada"), black: Player::engine("engine") }
}

impl Table {
    fn new(fen: Option<&str>, time: Option<&str>) -> Table {
        let time = time.map(|time| time.parse().expect("a time control"));
        Table::of(GameSetup { time, ..GameSetup::new(start(fen), against_engine()) })
    }

    fn of(setup: GameSetup) -> Table {
        let began = Instant::now();
        Table { session: GameSession::new(setup, began), began }
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
    let mut table = Table::new(None, None);
    assert_eq!(table.session.engine_to_move(), None);
    table.moves("e4");
    assert_eq!(table.session.engine_to_move(), Some(Color::Black));
    let d4 = Position::initial().parse_san("d4").expect("a move");
    let not_yours = ActionError::NotYourTurn { name: "engine".to_owned() };
    assert_eq!(table.session.play(d4, table.at(0)), Err(not_yours));
    table.moves("c5");
    assert_eq!((table.session.engine_to_move(), table.session.game().moves().len()), (None, 2));
    let illegal = Position::initial().parse_san("e4").expect("a move");
    assert!(matches!(table.session.play(illegal, table.at(0)), Err(ActionError::Illegal(_))));
}

#[test]
fn every_change_has_a_revision_of_its_own() {
    let mut table = Table::new(None, None);
    let mut seen = vec![table.session.revision()];
    table.moves("e4");
    seen.push(table.session.revision());
    table.session.take_back(table.at(0)).expect("there is a move");
    seen.push(table.session.revision());
    table.moves("d4");
    seen.push(table.session.revision());
    table.session.replace_engine(Color::Black, "other", table.at(0));
    seen.push(table.session.revision());
    table.session.resign(None, table.at(0)).expect("it is in progress");
    seen.push(table.session.revision());
    assert!(seen.is_sorted_by(|before, after| before < after), "{seen:?}");
}

#[test]
fn only_the_running_clock_loses_time_and_a_move_brings_the_increment() {
    let mut table = Table::new(None, Some("60+2"));
    assert_eq!(table.clocks(10), (50, 60));
    table.move_at(10, "e4");
    assert_eq!(table.clocks(10), (52, 60));
    table.move_at(40, "e5");
    assert_eq!(table.clocks(50), (42, 32));
    table.session.resign(None, table.at(50)).expect("it is in progress");
    assert_eq!(table.clocks(500), (42, 32), "the clocks stop when the game ends");
}

#[test]
fn an_engine_may_know_better_how_long_it_thought() {
    let mut table = Table::new(None, Some("60"));
    table.moves("e4");
    let (mv, now) = (table.mv("e5"), table.at(10));
    let answer = EngineAnswer { choice: Ok(Choice::Move(mv)), spent: Some(Duration::from_secs(1)), score: None };
    table.session.engine_answered(answer, now);
    assert_eq!(table.clocks(10), (60, 59));
    let (timed, clock) = table.session.timed_move(1).expect("the move of the engine");
    assert_eq!((timed, clock), (TimedMove { mv, spent: Duration::from_secs(1) }, Some(Duration::from_secs(59))));
}

#[test]
fn the_first_move_may_be_untimed() {
    let setup = GameSetup {
        time: Some("1+0.1".parse().expect("a time control")),
        clock_start: ClockStart::AfterFirstMove,
        ..GameSetup::new(start(None), against_engine())
    };
    let mut table = Table::of(setup);
    assert!(!table.session.is_ticking() && !table.session.tick(table.at(100)));
    table.move_at(100, "e4");
    let left = table.session.remaining(Color::White, table.at(100));
    assert_eq!((left, table.session.is_ticking()), (Some(Duration::from_millis(1100)), true));
    table.session.take_back(table.at(101)).expect("there is a move");
    assert!(!table.session.is_ticking(), "it is the first move again");
}

#[test]
fn taking_back_gives_the_turn_and_the_time_back() {
    let mut table = Table::new(None, Some("5m+3s"));
    assert_eq!(table.session.take_back(table.at(0)), Err(ActionError::NothingToTakeBack));
    table.move_at(10, "e4");
    table.move_at(30, "e5");
    assert_eq!(table.clocks(30), (293, 283));
    table.move_at(40, "d4");
    table.move_at(41, "d5");
    assert_eq!(table.session.take_back(table.at(60)), Ok(()));
    assert_eq!((table.clocks(60), table.session.game().moves().len()), ((293, 283), 2));
    table.move_at(70, "Nf3");
    assert_eq!(table.session.take_back(table.at(80)), Ok(()), "while the engine thinks, one move is enough");
    assert_eq!((table.clocks(80), table.session.game().moves().len()), ((293, 283), 2));
}

#[test]
fn the_opening_is_not_taken_back() {
    let mut opening = start(None);
    for san in ["e4", "e5"] {
        let mv = opening.position().parse_san(san).expect("a move");
        opening.play(mv).expect("a legal move");
    }
    let mut table = Table::of(GameSetup::new(opening, against_engine()));
    assert_eq!(table.session.take_back(table.at(0)), Err(ActionError::NothingToTakeBack));
    table.moves("Nf3 Nc6");
    assert_eq!(table.session.take_back(table.at(0)), Ok(()));
    assert_eq!((table.session.game().moves().len(), table.session.opening_moves()), (2, 2));
    assert_eq!(table.session.timed_move(1), None, "moves of the opening are not timed");
}

#[test]
fn a_finished_game_can_be_taken_back() {
    let mut table = Table::new(Some("k7/8/1K6/8/8/8/8/7R w - - 0 1"), None);
    table.moves("Rh8");
    assert_eq!(table.result(), Some((GameEnd::Won(Color::White), "checkmate")));
    assert_eq!(
        table.session.check_human_to_move(),
        Err(ActionError::Over { reason: "checkmate".to_owned() }),
        "nothing can be played"
    );
    assert_eq!(table.session.take_back(table.at(0)), Ok(()));
    assert_eq!((table.result(), table.session.engine_to_move()), (None, None));
    table.moves("Kc7");
    assert_eq!(table.session.engine_to_move(), Some(Color::Black));
}

#[test]
fn a_flag_falls_on_the_player_to_move() {
    let mut table = Table::new(None, Some("1m"));
    assert!(!table.session.tick(table.at(59)));
    assert_eq!(table.result(), None);
    assert!(table.session.tick(table.at(60)));
    assert_eq!(table.result(), Some((GameEnd::Won(Color::Black), "white ran out of time")));
    assert!(!table.session.tick(table.at(99)), "it falls once");
    let mut bare = Table::new(Some("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"), Some("1m"));
    assert!(bare.session.tick(bare.at(61)));
    assert_eq!(bare.result(), Some((GameEnd::Drawn, "white ran out of time, and black cannot mate")));
    assert_eq!(bare.clocks(99), (0, 60));
}

#[test]
fn draws_are_claimed_agreed_or_declined() {
    let mut table = Table::new(None, None);
    assert_eq!(table.session.draw(None, table.at(0)), Ok(DrawAnswer::Declined));
    table.moves("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(table.session.draw(None, table.at(0)), Ok(DrawAnswer::Claimed));
    assert_eq!(table.result(), Some((GameEnd::Drawn, "threefold repetition, claimed by white")));

    let mut table = Table::new(None, None);
    let shuffle = "Nf3 Nf6 Ng1 Ng8 Nc3 Nf6 Nb1 Ng8 Nf3 Nc6 Ng1 Nb8 e3 e6 Ke2 Ke7 Ke1 Ke8 a3 a6 a4 a5 h3 h6 h4 h5 \
                   Nf3 Nf6 Ng1 Ng8 b3 b6 c3 c6 d3 d6 g3 g6 f3 f6 e4";
    table.moves(shuffle);
    table.session.set_score(Color::Black, Score::new(20));
    assert_eq!(table.session.draw(None, table.at(0)), Ok(DrawAnswer::Declined));
    table.session.set_score(Color::Black, Score::new(-10));
    assert_eq!(table.session.draw(None, table.at(0)), Ok(DrawAnswer::Agreed));
    assert_eq!(table.result(), Some((GameEnd::Drawn, "agreement")));
}

#[test]
fn a_draw_that_the_engine_offers_stands_until_the_next_move() {
    let mut table = Table::new(None, None);
    table.moves("e4");
    let mv = table.mv("e5");
    table.answer_at(0, Ok(Choice::MoveAndOfferDraw(mv)));
    assert_eq!(table.session.draw_offer(), Some(Color::Black));
    let mut accepted = table.session.clone();
    assert_eq!(accepted.draw(None, table.at(0)), Ok(DrawAnswer::Agreed));
    table.moves("Nf3 Nc6");
    assert_eq!((table.session.draw_offer(), table.session.draw(None, table.at(0))), (None, Ok(DrawAnswer::Declined)));
}

#[test]
fn an_engine_that_fails_can_be_replaced() {
    let mut table = Table::new(None, Some("60"));
    table.moves("e4");
    table.answer_at(3, Err("it crashed".to_owned()));
    assert_eq!((table.session.engine_to_move(), table.session.fault()), (None, Some("it crashed")));
    let failed = ActionError::EngineFailed { name: "engine".to_owned() };
    assert_eq!(table.session.check_human_to_move(), Err(failed));
    table.session.replace_engine(Color::Black, "other", table.at(5));
    assert_eq!((table.session.fault(), table.session.player(Color::Black)), (None, &Player::engine("other")));
    assert_eq!(table.clocks(5), (60, 55), "the time that was lost stays lost");
    table.moves("e5");
}

#[test]
fn an_engine_cannot_cheat() {
    let e4 = Position::initial().parse_san("e4").expect("a move");
    for (choice, complaint) in [
        (Choice::ClaimDraw, "engine claims a draw that is not there"),
        (Choice::Move(e4), "engine chose e2e4, which is not legal"),
        (Choice::MoveAndOfferDraw(e4), "engine chose e2e4, which is not legal"),
    ] {
        let mut table = Table::new(None, None);
        table.moves("e4");
        table.answer_at(0, Ok(choice));
        assert_eq!((table.session.fault(), table.session.game().moves().len()), (Some(complaint), 1));
        assert_eq!(table.session.draw_offer(), None);
    }
}

#[test]
fn engines_resign_and_claim_draws() {
    let mut table = Table::new(None, None);
    table.moves("e4");
    table.answer_at(0, Ok(Choice::Resign));
    assert_eq!(table.result(), Some((GameEnd::Won(Color::White), "black resigned")));
    let mut table = Table::new(None, None);
    table.moves("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3");
    table.answer_at(0, Ok(Choice::ClaimDraw));
    assert_eq!(table.result(), Some((GameEnd::Drawn, "threefold repetition, claimed by black")));
}

#[test]
fn the_person_who_acts_is_known() {
    let resigned = |white: Player, black: Player, side| {
        let mut table = Table::of(GameSetup::new(start(None), ByColor { white, black }));
        table.session.resign(side, table.began).map(|()| table.result().map(|(_, reason)| reason.to_owned()))
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
    let mut table = Table::of(GameSetup::new(start(None), players));
    table.moves("e4 e5");
    assert_eq!(table.session.take_back(table.at(0)), Ok(()));
    assert_eq!((table.session.turn(), table.session.game().moves().len()), (Color::Black, 1));
    assert_eq!(table.session.draw(Some(Color::White), table.at(0)), Ok(DrawAnswer::Agreed));
    assert_eq!(table.session.abort(table.at(0)), Err(ActionError::Over { reason: "agreement".to_owned() }));
}

#[test]
fn engines_alone_take_nothing_back_and_end_at_the_limit() {
    let players = ByColor { white: Player::engine("a"), black: Player::engine("b") };
    let mut table = Table::of(GameSetup { max_plies: 2, ..GameSetup::new(start(None), players) });
    table.moves("e4 e5");
    assert_eq!(table.session.take_back(table.at(0)), Err(ActionError::NoHuman));
    table.moves("Nf3");
    assert_eq!(table.result(), Some((GameEnd::Unfinished, "aborted: a game has at most 2 moves here")));
    let mut table = Table::of(GameSetup { max_plies: 0, ..GameSetup::new(start(None), against_engine()) });
    let mv = table.mv("e4");
    assert_eq!(table.session.play(mv, table.at(0)), Err(ActionError::TooLong(0)));
}

#[test]
fn a_game_is_resumed_as_it_was() {
    let setup = GameSetup {
        time: Some("60+1".parse().expect("a time control")),
        clock_start: ClockStart::AfterFirstMove,
        ..GameSetup::new(start(None), against_engine())
    };
    let mut table = Table::of(setup.clone());
    table.move_at(5, "e4");
    table.move_at(15, "e5");
    table.move_at(35, "Nf3");
    let moves: Vec<TimedMove> = (0..3).map(|ply| table.session.timed_move(ply).expect("a move").0).collect();
    let later = table.at(1000);
    let resumed = GameSession::resume(setup.clone(), &moves, None, later).expect("legal moves");
    assert_eq!(resumed.game().moves(), table.session.game().moves());
    let clocks = |session: &GameSession, now| Color::ALL.map(|color| session.remaining(color, now));
    assert_eq!(clocks(&resumed, later), clocks(&table.session, table.at(35)));
    assert!(!resumed.is_ticking(), "the time in between is not charged");
    table.session.resign(None, table.at(0)).expect("it is in progress");
    let result = table.session.result().cloned();
    let over = GameSession::resume(setup, &moves, result.clone(), later).expect("legal moves");
    assert_eq!((over.result().cloned(), over.engine_to_move()), (result, None));
}

#[test]
fn the_allowance_is_the_clocks_or_what_is_given_without_them() {
    let table = Table::new(None, Some("40/60+1"));
    let limits = Limits { nodes: Some(5), ..Limits::default() };
    let allowance = table.session.allowance(&limits, table.at(10));
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
    let table = Table::new(None, None);
    assert_eq!(table.session.allowance(&limits, table.at(10)).limits, limits);
}

#[test]
fn the_score_sheet_has_what_is_known() {
    let mut table = Table::new(None, Some("5m+3s"));
    table.moves("e4 e5");
    table.session.resign(None, table.at(0)).expect("it is in progress");
    let text = table.session.score_sheet("2026.11.16").to_string();
    for part in ["[White \"Ada\"]", "[Black \"engine\"]", "[Result \"0-1\"]", "[TimeControl \"300+3\"]", "1. e4 e5 0-1"]
    {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}
