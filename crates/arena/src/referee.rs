//! The referee: plays one game between two minds, and judges it.
//!
//! A mind that misbehaves loses, and the record says how; it never stops the referee. The rules of match runners hold:
//! the third repetition and the fiftieth move end the game without a claim. A draw is agreed when each player has
//! offered one with their last move. A claim is right if the draw is there or one move of the claimant away, and loses
//! the game otherwise. Time is what the [mind says it took](Mind::time_taken), or else what the referee measured.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use minds::{Allowance, Choice, Control, Fault, FaultKind, GameEnd, Limits, Line, Mind, Reporter, Score, SearchStats};
use rules::{ByColor, Color, Game};
use search::{Bound, Tablebase};

use crate::adjudication::{Adjudication, Consensus, Opinions, ask_tablebase};
use crate::record::{EndReason, GameRecord, MoveInfo};
use crate::{TimeControl, Timer};

/// What holds for every game of an event.
#[derive(Clone, Default)]
pub struct Terms {
    /// When a game is ended from outside.
    pub adjudication: Adjudication,
    /// Who knows endgames, if anybody does.
    pub tablebase: Option<Arc<dyn Tablebase>>,
    /// How much too late a move may come without losing.
    pub time_margin: Duration,
    /// How much longer than its flag a program that does not answer is waited for, if not as long as usual.
    pub grace: Option<Duration>,
}

/// The game was stopped before it ended. There is no record of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// Plays a game to its end.
///
/// It goes on from the last position of the opening. Setting the flag `stop` interrupts it, as soon as the mind that
/// thinks has looked up.
pub fn play<'d>(
    minds: ByColor<&mut (dyn Mind + 'd)>,
    times: ByColor<TimeControl>,
    opening: &Game,
    terms: &Terms,
    stop: &Arc<AtomicBool>,
) -> Result<GameRecord, Interrupted> {
    let mut referee = Referee {
        minds,
        timers: ByColor::new_with(|color| Timer::new(times[color])),
        game: opening.clone(),
        thoughts: Vec::new(),
        opinions: Opinions::new(&terms.adjudication),
        offers: ByColor::default(),
        terms,
        stop,
    };
    let sentence = referee.play();
    let ending = sentence.as_ref().map_or(GameEnd::Unfinished, |sentence| sentence.ending);
    for color in Color::ALL {
        referee.minds[color].end_game(ending);
    }
    let Sentence { ending, reason, fault } = sentence?;
    Ok(GameRecord {
        start: *opening.start(),
        moves: referee.game.moves().to_vec(),
        book_plies: opening.moves().len(),
        thoughts: referee.thoughts,
        ending,
        reason,
        fault,
    })
}

/// How a game ended.
struct Sentence {
    ending: GameEnd,
    reason: EndReason,
    fault: Option<String>,
}

impl Sentence {
    fn drawn(reason: EndReason) -> Sentence {
        Sentence { ending: GameEnd::Drawn, reason, fault: None }
    }

    fn won(winner: Color, reason: EndReason) -> Sentence {
        Sentence { ending: GameEnd::Won(winner), reason, fault: None }
    }

    /// A player loses by its own fault.
    fn forfeited(culprit: Color, reason: EndReason, fault: &str) -> Sentence {
        // Whatever a program said, it is told in one line.
        let fault = fault.replace(char::is_control, " ");
        Sentence { fault: Some(fault), ..Sentence::won(!culprit, reason) }
    }
}

/// A game in progress.
struct Referee<'a, 'd> {
    minds: ByColor<&'a mut (dyn Mind + 'd)>,
    timers: ByColor<Timer>,
    game: Game,
    thoughts: Vec<MoveInfo>,
    opinions: Opinions<'a>,
    /// Who offered a draw with their last move.
    offers: ByColor<bool>,
    terms: &'a Terms,
    stop: &'a Arc<AtomicBool>,
}

/// What a player did when it was their turn, and how long it took.
struct Turn {
    choice: Result<Choice, Fault>,
    time: Duration,
    gist: Gist,
}

impl Referee<'_, '_> {
    fn play(&mut self) -> Result<Sentence, Interrupted> {
        for color in Color::ALL {
            self.check_interruption()?;
            if let Err(fault) = self.minds[color].new_game(self.game.start()) {
                // Whatever went wrong, there was no player when the game was to begin.
                let reason = match reason_of(&fault.kind) {
                    EndReason::Refused => EndReason::Refused,
                    _ => EndReason::DidNotStart,
                };
                return Ok(Sentence::forfeited(color, reason, &fault.to_string()));
            }
        }
        loop {
            if let Some(sentence) = self.judge() {
                return Ok(sentence);
            }
            let player = self.game.position().turn();
            let turn = self.ask(player)?;
            if let Some(sentence) = self.carry_out(player, turn) {
                return Ok(sentence);
            }
        }
    }

    /// What a player may take for a move, now or when the opponent has moved.
    fn allowance(&self, player: Color) -> Allowance {
        let limits = Limits { opponent_clock: self.timers[!player].clock(), ..self.timers[player].limits() };
        Allowance { limits, grace: self.terms.grace.unwrap_or(Allowance::USUAL_GRACE) }
    }

    fn check_interruption(&self) -> Result<(), Interrupted> {
        if self.stop.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
    }

    /// Whether the game has ended, by the rules or otherwise.
    fn judge(&self) -> Option<Sentence> {
        let position = self.game.position();
        let draw = |reason| Some(Sentence::drawn(reason));
        if !position.has_legal_moves() {
            return match position.is_check() {
                true => Some(Sentence::won(!position.turn(), EndReason::Checkmate)),
                false => draw(EndReason::Stalemate),
            };
        }
        if position.is_insufficient_material() {
            return draw(EndReason::InsufficientMaterial);
        }
        if position.halfmove_clock() >= 100 {
            return draw(EndReason::FiftyMoves);
        }
        if self.game.repetitions() >= 3 {
            return draw(EndReason::Repetition);
        }
        if self.offers.white && self.offers.black {
            return draw(EndReason::Agreed);
        }
        let rules = &self.terms.adjudication;
        let known = self.terms.tablebase.as_ref().and_then(|tablebase| ask_tablebase(&**tablebase, rules, position));
        if let Some(winner) = known {
            return Some(
                winner.map_or(Sentence::drawn(EndReason::Tablebase), |winner| {
                    Sentence::won(winner, EndReason::Tablebase)
                }),
            );
        }
        let plies = self.game.moves().len();
        match self.opinions.consensus(plies) {
            Some(Consensus::Won(winner)) => return Some(Sentence::won(winner, EndReason::AdjudicatedWin)),
            Some(Consensus::Drawn) => return draw(EndReason::AdjudicatedDraw),
            None => {}
        }
        if rules.longest.is_some_and(|longest| plies >= 2 * longest) { draw(EndReason::TooLong) } else { None }
    }

    /// Asks a player what to do.
    fn ask(&mut self, player: Color) -> Result<Turn, Interrupted> {
        self.check_interruption()?;
        let allowance = self.allowance(player);
        if self.timers[!player].time_left().is_some() && !self.thoughts.is_empty() {
            let its_allowance = self.allowance(!player);
            self.minds[!player].ponder(&self.game, &its_allowance);
        }
        let mind = &mut self.minds[player];
        let mut gist = Gist::default();
        let control = Control::sharing(Arc::clone(self.stop));
        let asked = Instant::now();
        let choice = mind.choose(&self.game, &allowance, &control, &mut gist);
        let time = asked.elapsed();
        let time = if choice.is_ok() { mind.time_taken().unwrap_or(time) } else { time };
        // A mind that was stopped in its thoughts did not play as it would have.
        self.check_interruption()?;
        Ok(Turn { choice, time, gist })
    }

    /// Does what the player chose. If that ends the game, it is told how.
    fn carry_out(&mut self, player: Color, turn: Turn) -> Option<Sentence> {
        let choice = match turn.choice {
            Ok(choice) => choice,
            Err(fault) => return Some(Sentence::forfeited(player, reason_of(&fault.kind), &fault.to_string())),
        };
        if let Err(late) = self.timers[player].spend(turn.time, self.terms.time_margin) {
            let late = late.by.as_secs_f64();
            let fault = format!("{} answered {late:.6} s after its flag fell", self.minds[player].name());
            return Some(Sentence::forfeited(player, EndReason::OutOfTime, &fault));
        }
        self.timers[!player].opponent_spent(turn.time);
        let (mv, offers) = match choice {
            Choice::Move(mv) => (mv, false),
            Choice::MoveAndOfferDraw(mv) => (mv, true),
            Choice::Resign => return Some(Sentence::won(!player, EndReason::Resigned)),
            Choice::ClaimDraw => return Some(self.judge_claim(player)),
        };
        if self.game.play(mv).is_err() {
            let position = self.game.position();
            let fault = format!("{} answered {mv}, which is not a legal move in {position}", self.minds[player].name());
            return Some(Sentence::forfeited(player, EndReason::IllegalMove, &fault));
        }
        self.offers[player] = offers;
        // The record keeps microseconds.
        let time = Duration::from_micros(turn.time.as_micros() as u64);
        self.thoughts.push(MoveInfo { score: turn.gist.score, depth: turn.gist.depth, nodes: turn.gist.nodes, time });
        self.opinions.record(player, turn.gist.score, self.game.position());
        None
    }

    fn judge_claim(&self, claimant: Color) -> Sentence {
        let claimable = self.game.claimable_draw().or_else(|| {
            let mut game = self.game.clone();
            self.game.position().legal_moves().iter().find_map(|&mv| {
                game.play(mv).ok()?;
                let draw = game.claimable_draw();
                game.take_back();
                draw
            })
        });
        match claimable {
            Some(draw) => Sentence::drawn(draw.into()),
            None => {
                let position = self.game.position();
                let fault = format!("{} claims a draw that is not there in {position}", self.minds[claimant].name());
                Sentence::forfeited(claimant, EndReason::WrongClaim, &fault)
            }
        }
    }
}

fn reason_of(kind: &FaultKind) -> EndReason {
    match kind {
        FaultKind::DidNotStart { .. } => EndReason::DidNotStart,
        FaultKind::IllegalMove { .. } => EndReason::IllegalMove,
        FaultKind::TimedOut { .. } => EndReason::OutOfTime,
        FaultKind::Crashed { .. } => EndReason::Crashed,
        FaultKind::Forfeited => EndReason::Forfeited,
        _ => EndReason::Refused,
    }
}

/// What remains of what a mind said while it thought.
#[derive(Default)]
struct Gist {
    score: Option<Score>,
    depth: usize,
    nodes: u64,
}

impl Reporter for Gist {
    fn line(&mut self, line: &Line, stats: &SearchStats) {
        self.nodes = self.nodes.max(stats.nodes);
        if line.rank == 1 && line.bound == Bound::Exact {
            self.score = Some(line.score);
            self.depth = line.depth;
        }
    }
}
