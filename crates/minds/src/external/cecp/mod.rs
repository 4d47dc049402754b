//! An engine that speaks xboard's protocol, version 2, as a mind.
//!
//! Between moves the engine is kept in force mode, where it takes moves without answering: it is told the moves it has
//! not seen, the clocks, and `go`. The protocol knows only whole seconds for a fixed time per move, and no limit of
//! nodes: an engine that tells what it thinks is hurried when it has looked at so many.

mod features;
mod reply;

use std::time::{Duration, Instant};

use programs::CommandLine;
use rules::{CastlingSide, Color, Game, Move, MoveKind, Position};
use search::{Clock, Control, Limits, Line, Reporter, SearchStats};

use super::process::{EngineProcess, Received, Wait};
use crate::{Allowance, Choice, Fault, FaultKind, GameEnd, Mind};
use features::Features;
use reply::Reply;

/// How long we wait for features before we take an engine for one that knows none.
const TIME_FOR_FEATURES: Duration = Duration::from_secs(5);
/// How long an engine that was told to move at once is left alone before it is told again.
const TIME_BETWEEN_HURRIES: Duration = Duration::from_millis(100);
/// Seconds for a move if time is not limited.
const ALL_THE_TIME: u64 = 3600;

/// An engine in another process, driven by xboard's protocol.
pub struct CecpMind {
    process: EngineProcess,
    features: Features,
    /// The game as the engine knows it, once it knows one.
    known: Option<Game>,
    /// What the engine was told last about its limits, so as not to repeat it.
    limits_told: Vec<String>,
    pings: u64,
}

impl CecpMind {
    /// An engine that is started when its first game begins.
    pub fn new(command: CommandLine) -> CecpMind {
        CecpMind {
            process: EngineProcess::new(command, Some("quit")),
            features: Features::default(),
            known: None,
            limits_told: Vec::new(),
            pings: 0,
        }
    }

    /// Gives the engine another time to start and to get ready.
    #[must_use]
    pub fn with_time_to_start(mut self, time: Duration) -> CecpMind {
        self.process.time_to_start = time;
        self
    }

    fn handshake(&mut self) -> Result<(), Fault> {
        self.process.start()?;
        self.features = Features::default();
        self.known = None;
        self.process.send("xboard")?;
        self.process.send("protover 2")?;
        let time_to_start = self.process.time_to_start;
        let mut wait = Wait::at_most(TIME_FOR_FEATURES.min(time_to_start));
        while self.features.done != Some(true) {
            match self.process.receive(&wait)? {
                Received::Line(line) => {
                    let knew_done = self.features.done;
                    self.handle_aside(&line)?;
                    // It asks for time.
                    if knew_done != self.features.done {
                        wait = Wait::at_most(time_to_start);
                    }
                }
                Received::Stopped => {}
                Received::Late if self.features.done == Some(false) => return Err(self.process.too_late(&wait)),
                // An engine of the first version of the protocol has no features to tell.
                Received::Late => return Ok(()),
            }
        }
        Ok(())
    }

    /// Handles what an engine may say at any time.
    fn handle_aside(&mut self, line: &str) -> Result<(), Fault> {
        match Reply::read(line) {
            Reply::Features(text) => {
                for (name, value) in features::read(&text) {
                    let answer = if self.features.take(&name, &value) { "accepted" } else { "rejected" };
                    self.process.send(format!("{answer} {name}"))?;
                }
                if let Some(name) = &self.features.name {
                    self.process.name.clone_from(name);
                }
                Ok(())
            }
            // An engine that cannot be told a depth is hurried once it has reached it.
            Reply::Refusal(text) if self.limits_told.iter().any(|told| is_depth(told) && text.ends_with(told)) => {
                Ok(())
            }
            Reply::Refusal(text) => {
                self.known = None;
                Err(self.process.fault(FaultKind::Refused { text }))
            }
            _ => Ok(()),
        }
    }

    /// Waits until the engine has done everything so far. What it says meanwhile is too late to be an answer.
    fn catch_up(&mut self) -> Result<(), Fault> {
        // Features that come late, while we listen, change nothing of what was asked.
        let is_asked = self.features.ping;
        let wait = if is_asked {
            self.pings += 1;
            self.process.send(format!("ping {}", self.pings))?;
            Wait::at_most(self.process.time_to_start)
        } else {
            // Without a ping we can only read what is there already.
            Wait::at_most(Duration::ZERO)
        };
        loop {
            match self.process.receive(&wait)? {
                Received::Line(line) if is_asked && Reply::read(&line) == Reply::Pong(self.pings) => return Ok(()),
                Received::Line(line) => self.handle_aside(&line)?,
                Received::Stopped | Received::Late if is_asked => return Err(self.process.too_late(&wait)),
                Received::Stopped | Received::Late => return Ok(()),
            }
        }
    }

    /// Sets up the start of a game.
    fn set_up(&mut self, start: &Position) -> Result<(), Fault> {
        self.known = None;
        self.limits_told.clear();
        self.process.send("new")?;
        let is_chess960 = start.is_chess960();
        let plays_chess960 = self.features.variants.iter().any(|variant| variant == "fischerandom");
        let obstacle = match () {
            () if is_chess960 && !plays_chess960 => Some("it does not play Chess960"),
            () if *start != Position::initial() && !self.features.setboard => Some("it cannot be given a position"),
            () => None,
        };
        if let Some(text) = obstacle {
            return Err(self.process.fault(FaultKind::Refused { text: text.to_owned() }));
        }
        if is_chess960 {
            self.process.send("variant fischerandom")?;
        }
        for word in ["force", "easy", "post"] {
            self.process.send(word)?;
        }
        if *start != Position::initial() {
            self.process.send(format!("setboard {start}"))?;
        }
        self.known = Some(Game::new(*start));
        self.catch_up()
    }

    /// Tells the engine the moves it has not seen, or the whole game if it has seen another.
    fn follow(&mut self, game: &Game) -> Result<(), Fault> {
        let is_known = |known: &Game| known.start() == game.start() && game.moves().starts_with(known.moves());
        if !self.known.as_ref().is_some_and(is_known) {
            self.set_up(game.start())?;
        }
        self.process.send("force")?;
        let seen = self.known.as_ref().map_or(0, |known| known.moves().len());
        for (&mv, position) in game.moves().iter().zip(game.positions()).skip(seen) {
            let text = self.write(position, mv);
            self.process.send(if self.features.usermove { format!("usermove {text}") } else { text })?;
        }
        self.known = Some(game.clone());
        Ok(())
    }

    fn write(&self, position: &Position, mv: Move) -> String {
        match mv.kind() {
            _ if self.features.san => position.san(mv),
            MoveKind::Castle if position.uci(mv) == mv.to_string() => match CastlingSide::of(mv.from(), mv.to()) {
                CastlingSide::KingSide => "O-O".to_owned(),
                CastlingSide::QueenSide => "O-O-O".to_owned(),
            },
            _ => position.uci(mv),
        }
    }

    fn tell_limits(&mut self, allowance: &Allowance) -> Result<(), Fault> {
        let limits = &allowance.limits;
        let mut lines = vec![match (limits.clock, limits.move_time) {
            (None, None) => format!("st {ALL_THE_TIME}"),
            (_, Some(time)) => format!("st {}", time.as_millis().div_ceil(1000).max(1)),
            (Some(clock), None) => format!("level {}", level(&clock)),
        }];
        lines.extend(limits.depth.map(|depth| format!("sd {depth}")));
        // A clock runs on by itself: its level is told once, and then only the time that is left.
        let repeats =
            |(told, now): (&String, &String)| told == now || told.starts_with("level") && now.starts_with("level");
        if self.limits_told.len() != lines.len() || !self.limits_told.iter().zip(&lines).all(repeats) {
            for line in &lines {
                self.process.send(line)?;
            }
            self.limits_told = lines;
        }
        if let (Some(clock), true) = (limits.clock, self.features.time) {
            let hundredths = |clock: Clock| clock.remaining.as_millis() / 10;
            self.process.send(format!("time {}", hundredths(clock)))?;
            self.process.send(format!("otim {}", hundredths(allowance.limits.opponent_clock.unwrap_or(clock))))?;
        }
        Ok(())
    }

    fn read_move(&mut self, game: &Game, text: String) -> Result<Move, Fault> {
        let position = game.position();
        let mv = position.parse_uci(&text).ok().or_else(|| position.parse_san(&text).ok());
        let Some(mv) = mv else {
            self.known = None;
            return Err(self.process.fault(FaultKind::IllegalMove { text, fen: position.to_string() }));
        };
        let mut after = game.clone();
        self.known = after.play(mv).is_ok().then_some(after);
        Ok(mv)
    }

    fn think(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        let mut wait = self.process.wait_for_move(&in_whole_seconds(allowance), control);
        let (mut offers_draw, mut is_hurried, mut stopped) = (false, false, None);
        let us = game.position().turn();
        loop {
            let line = match self.process.receive(&wait)? {
                Received::Line(line) => line,
                Received::Stopped => {
                    self.process.send("?")?;
                    stopped = Some(Instant::now());
                    wait = Wait::at_most(TIME_BETWEEN_HURRIES.min(allowance.grace));
                    continue;
                }
                Received::Late => match stopped.filter(|stopped| stopped.elapsed() < allowance.grace) {
                    // An engine that has only just begun to think may miss the first.
                    Some(stopped) => {
                        self.process.send("?")?;
                        wait = Wait::at_most(TIME_BETWEEN_HURRIES).since(stopped);
                        continue;
                    }
                    None => return Err(self.process.too_late(&wait)),
                },
            };
            match Reply::read(&line) {
                Reply::Move(text) => {
                    let mv = self.read_move(game, text)?;
                    return Ok(if offers_draw { Choice::MoveAndOfferDraw(mv) } else { Choice::Move(mv) });
                }
                Reply::OfferDraw => offers_draw = true,
                Reply::Result(GameEnd::Drawn) => return Ok(Choice::ClaimDraw),
                Reply::Result(GameEnd::Won(winner)) if winner == us => {
                    let text = format!("it claims to have won: {line}");
                    return Err(self.process.fault(FaultKind::Refused { text }));
                }
                Reply::Resign | Reply::Result(_) => return Ok(Choice::Resign),
                Reply::Other => {
                    if let Some((line, stats)) = reply::read_line(&line, game.position()) {
                        reporter.line(&line, &stats);
                        if !is_hurried && goes_too_far(&allowance.limits, &line, &stats) {
                            self.process.send("?")?;
                            is_hurried = true;
                        }
                    }
                }
                Reply::Refusal(_) | Reply::Features(_) | Reply::Pong(_) => self.handle_aside(&line)?,
            }
        }
    }
}

impl Mind for CecpMind {
    fn name(&self) -> &str {
        &self.process.name
    }

    fn new_game(&mut self, start: &Position) -> Result<(), Fault> {
        let is_used = self.known.is_some();
        if !self.process.is_running() || is_used && !self.features.reuse {
            self.handshake()?;
        }
        self.set_up(start)
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        if !self.process.was_started() {
            self.handshake()?;
        }
        if allowance.limits.depth.is_none() && self.limits_told.iter().any(|told| is_depth(told)) {
            // Only a new game makes an engine forget a limit of depth.
            self.known = None;
        }
        self.follow(game)?;
        self.tell_limits(allowance)?;
        // An engine that refuses a move or a limit says so now, before it thinks about something else.
        self.catch_up()?;
        if self.features.colors {
            self.process.send(if game.position().turn() == Color::White { "white" } else { "black" })?;
        }
        self.process.ask("go")?;
        self.think(game, allowance, control, reporter)
    }

    fn time_taken(&self) -> Option<Duration> {
        self.process.time_taken()
    }

    fn end_game(&mut self, ending: GameEnd) {
        // The game is over: whether the engine still listens will be seen at the next.
        let _ = self.process.send(format!("result {} {{the game has ended}}", ending.score()));
        let _ = self.process.send("force");
    }
}

fn is_depth(told: &str) -> bool {
    told.starts_with("sd ")
}

/// Whether an engine thinks beyond limits that it does not know: there is none of nodes, and not all know one of depth.
fn goes_too_far(limits: &Limits, line: &Line, stats: &SearchStats) -> bool {
    let most_nodes = [limits.nodes, limits.soft_nodes].into_iter().flatten().min();
    limits.depth.is_some_and(|most| line.depth > most) || most_nodes.is_some_and(|most| stats.nodes >= most)
}

/// Moves to the next time control, the time until then, and the increment.
fn level(clock: &Clock) -> String {
    let base = clock.remaining.as_secs();
    let increment = clock.increment.as_secs_f64();
    format!("{} {}:{:02} {increment}", clock.moves_to_go.unwrap_or(0), base / 60, base % 60)
}

/// The allowance as the engine understands it, so that it is not taken to be late when it keeps to it.
fn in_whole_seconds(allowance: &Allowance) -> Allowance {
    let mut rounded = allowance.clone();
    rounded.limits.move_time =
        allowance.limits.move_time.map(|time| Duration::from_secs(time.as_millis().div_ceil(1000).max(1) as u64));
    rounded
}
