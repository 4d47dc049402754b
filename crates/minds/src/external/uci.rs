//! An engine that speaks UCI as a mind.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use programs::CommandLine;
use rules::{Game, Move, Position};
use search::{Control, Reporter};
use uci::{Castling, Command, EngineOption, Go, Info, Message, OptionKind, PositionCommand, suggest};

use super::process::{EngineProcess, Received, Wait};
use crate::{Allowance, Choice, Fault, FaultKind, GameEnd, Mind};

/// An engine in another process, driven by UCI.
pub struct UciMind {
    process: EngineProcess,
    /// Options to set, by name and value.
    wanted_options: Vec<(String, String)>,
    options: Vec<EngineOption>,
    author: String,
    castling: Castling,
    /// The reply that it expects to its last move.
    expected: Option<Move>,
    pondering: Option<Pondering>,
}

/// What an engine thinks about while its opponent does: the game with the reply that it expects.
struct Pondering {
    plies: usize,
    reply: Move,
}

/// What an engine answers to `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciAnswer {
    /// The move to play; none where there is no legal move.
    pub best: Option<Move>,
    /// The reply it expects, if it tells a legal one.
    pub ponder: Option<Move>,
}

/// More options than any engine has. What an engine tells beyond them is not kept.
const MOST_OPTIONS: usize = 2048;

impl UciMind {
    /// An engine that is started when its first game begins.
    pub fn new(command: CommandLine) -> UciMind {
        UciMind {
            process: EngineProcess::new(command, Some("quit")),
            wanted_options: Vec::new(),
            options: Vec::new(),
            author: String::new(),
            castling: Castling::KingMoves,
            expected: None,
            pondering: None,
        }
    }

    /// Sets an option whenever the engine is started. An engine that does not have it does not start.
    #[must_use]
    pub fn with_option(mut self, name: impl Into<String>, value: impl Into<String>) -> UciMind {
        self.wanted_options.push((name.into(), value.into()));
        self
    }

    /// Gives the engine another time to start and to get ready.
    #[must_use]
    pub fn with_time_to_start(mut self, time: Duration) -> UciMind {
        self.process.time_to_start = time;
        self
    }

    /// Gives the engine another time for a search whose limits say nothing of time, instead of ten minutes.
    #[must_use]
    pub fn with_longest_search(mut self, time: Duration) -> UciMind {
        self.process.longest_search = time;
        self
    }

    /// A flag that ends every wait for the engine, as if its time were over; the engine is then ended.
    pub fn give_up_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.process.is_given_up)
    }

    /// Who wrote the engine, as far as it said so when it was started.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// The options of the engine, which is started if it does not run.
    pub fn options(&mut self) -> Result<&[EngineOption], Fault> {
        if !self.process.was_started() {
            self.handshake()?;
        }
        Ok(&self.options)
    }

    /// The options of the engine, as far as it was started.
    pub fn known_options(&self) -> &[EngineOption] {
        &self.options
    }

    /// Sets an option that is a number, within what the engine allows. Returns what was set; nothing if the engine has
    /// no such option. It is started if it does not run.
    pub fn set_number(&mut self, name: &str, value: i64) -> Result<Option<i64>, Fault> {
        self.options()?;
        let Some(EngineOption { name, kind: OptionKind::Spin { min, max, .. } }) = self.option(name) else {
            return Ok(None);
        };
        let value = value.min(max).max(min);
        self.process.send(Command::SetOption { name, value: Some(value.to_string()) })?;
        Ok(Some(value))
    }

    /// Sets an option, or presses it if it is a button. The engine is started if it does not run, and refused what it
    /// does not have.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        self.options()?;
        let Some(option) = self.option(name) else {
            return Err(self.process.fault(FaultKind::Refused { text: self.no_such_option(name) }));
        };
        self.send_option(option, value)
    }

    /// Waits until the engine has done everything so far. It is started if it does not run.
    pub fn ping(&mut self) -> Result<(), Fault> {
        self.options()?;
        self.catch_up()
    }

    /// Lets the engine search the last position of a game, and hands on all it tells. It is started if it does not run.
    pub fn search(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        tell: &mut dyn FnMut(Info),
    ) -> Result<UciAnswer, Fault> {
        let is_hit = self.takes_up(game);
        if !is_hit {
            self.stop_pondering()?;
            self.get_ready(game.start())?;
            self.catch_up()?;
        }
        let position = game.position();
        let go = Go::new(&allowance.limits, position, self.castling);
        let mut wait =
            if go.infinite { Wait::without_end(control) } else { self.process.wait_for_move(allowance, control) };
        if is_hit {
            self.process.ask(Command::PonderHit)?;
        } else {
            self.process.ask(self.question(game, go))?;
        }
        loop {
            match self.process.receive(&wait)? {
                Received::Line(line) => match Message::read(&line).map(|reading| reading.value) {
                    Some(Message::Info(info)) => tell(*info),
                    Some(Message::BestMove { best, ponder }) => {
                        return self.read_answer(position, best.as_deref(), ponder.as_deref());
                    }
                    _ => {}
                },
                Received::Stopped => {
                    self.process.send(Command::Stop)?;
                    wait = Wait::after_stop(allowance);
                }
                Received::Late => return Err(self.process.too_late(&wait)),
            }
        }
    }

    /// A game and how to think about it, at once, so that the engine wakes only when it can begin to think.
    fn question(&self, game: &Game, go: Go) -> String {
        let position = Command::Position(PositionCommand::of(game, self.castling));
        format!("{position}\n{}", Command::Go(go))
    }

    /// Whether it was told to ponder.
    fn does_ponder(&self) -> bool {
        let is_set = |(name, value): &(String, String)| name.eq_ignore_ascii_case("ponder") && value == "true";
        self.wanted_options.iter().any(is_set)
    }

    /// Whether the engine ponders on just this game, so that it only has to be told that the reply was played.
    fn takes_up(&mut self, game: &Game) -> bool {
        let is_this = |pondering: &mut Pondering| {
            game.moves().len() == pondering.plies && game.moves().last() == Some(&pondering.reply)
        };
        self.pondering.take_if(is_this).is_some()
    }

    /// Ends a search for a reply that was not played. Its answer is of no use.
    fn stop_pondering(&mut self) -> Result<(), Fault> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        self.process.send(Command::Stop)?;
        self.process.wait_for(Allowance::USUAL_GRACE, |_, line| {
            let is_answer = |message: &Message| matches!(message, Message::BestMove { .. });
            Ok(Message::read(line).filter(|reading| is_answer(&reading.value)).map(|_| ()))
        })
    }

    fn read_answer(&self, position: &Position, best: Option<&str>, ponder: Option<&str>) -> Result<UciAnswer, Fault> {
        let Some(text) = best.or(position.has_legal_moves().then_some("0000")) else {
            return Ok(UciAnswer { best: None, ponder: None });
        };
        let Ok(best) = position.parse_uci(text) else {
            let (text, fen) = (text.to_owned(), position.to_string());
            return Err(self.process.fault(FaultKind::IllegalMove { text, fen }));
        };
        let ponder = ponder.and_then(|ponder| position.play_unchecked(best).parse_uci(ponder).ok());
        Ok(UciAnswer { best: Some(best), ponder })
    }

    /// Starts the engine if it does not run, and makes it ready for games like this.
    fn get_ready(&mut self, start: &Position) -> Result<(), Fault> {
        let castling = if start.is_chess960() { Castling::KingTakesRook } else { Castling::KingMoves };
        let is_new = !self.process.was_started();
        if is_new {
            self.handshake()?;
        }
        if castling != self.castling || is_new && castling != Castling::KingMoves {
            let Some(option) = self.option("UCI_Chess960") else {
                return Err(self.process.fault(FaultKind::Refused { text: "it does not play Chess960".to_owned() }));
            };
            let (name, value) = (option.name.clone(), (castling == Castling::KingTakesRook).to_string());
            self.process.send(Command::SetOption { name, value: Some(value) })?;
        }
        self.castling = castling;
        Ok(())
    }

    fn handshake(&mut self) -> Result<(), Fault> {
        self.process.start()?;
        self.castling = Castling::KingMoves;
        self.process.send(Command::Uci)?;
        let options = &mut self.options;
        options.clear();
        let author = &mut self.author;
        self.process.wait_for(self.process.time_to_start, |process, line| {
            match Message::read(line).map(|reading| reading.value) {
                Some(Message::Name(name)) if !name.is_empty() => process.name = name,
                Some(Message::Author(name)) => *author = name,
                Some(Message::Option(option)) if options.len() < MOST_OPTIONS => options.push(option),
                Some(Message::UciOk) => return Ok(Some(())),
                _ => {}
            }
            Ok(None)
        })?;
        for (name, value) in self.wanted_options.clone() {
            let Some(option) = self.option(&name) else {
                return Err(self.process.fault(FaultKind::DidNotStart { reason: self.no_such_option(&name) }));
            };
            self.send_option(option, &value)?;
        }
        Ok(())
    }

    fn send_option(&mut self, option: EngineOption, value: &str) -> Result<(), Fault> {
        let value = (option.kind != OptionKind::Button).then(|| value.to_owned());
        self.process.send(Command::SetOption { name: option.name, value })
    }

    fn no_such_option(&self, name: &str) -> String {
        let names = self.options.iter().map(|option| option.name.as_str());
        let hint = suggest(name, names).map_or(String::new(), |close| format!(" (did you mean {close:?}?)"));
        format!("it has no option {name:?}{hint}")
    }

    fn option(&self, name: &str) -> Option<EngineOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name)).cloned()
    }

    /// Waits until the engine has done everything so far. What it says meanwhile is too late to be an answer.
    fn catch_up(&mut self) -> Result<(), Fault> {
        self.process.send(Command::IsReady)?;
        self.process.wait_for(self.process.time_to_start, |_, line| {
            Ok(Message::read(line).filter(|reading| reading.value == Message::ReadyOk).map(|_| ()))
        })
    }
}

impl Mind for UciMind {
    fn name(&self) -> &str {
        &self.process.name
    }

    fn new_game(&mut self, start: &Position) -> Result<(), Fault> {
        self.expected = None;
        if !self.process.is_running() {
            self.process.leave();
            self.pondering = None;
        }
        self.stop_pondering()?;
        self.get_ready(start)?;
        self.process.send(Command::NewGame)?;
        self.catch_up()
    }

    /// Without limits an engine is told to think until it is stopped.
    fn needs_limits(&self) -> bool {
        true
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        let position = game.position();
        let answer = self.search(game, allowance, control, &mut |info| {
            if let Some((line, stats)) = info.line(position) {
                reporter.line(&line, &stats);
            }
        })?;
        self.expected = answer.ponder;
        answer.best.map(Choice::Move).ok_or_else(|| self.process.fault(FaultKind::NothingToChoose))
    }

    fn ponder(&mut self, game: &Game, allowance: &Allowance) {
        let Some(reply) = self.expected.take().filter(|_| self.does_ponder()) else { return };
        let mut game = game.clone();
        if game.play(reply).is_err() || game.outcome().is_some() {
            return;
        }
        let go = Go { ponder: true, ..Go::new(&allowance.limits, game.position(), self.castling) };
        // If it cannot be told now, it shows when it is asked for a move.
        if self.process.send(self.question(&game, go)).is_ok() {
            self.pondering = Some(Pondering { plies: game.moves().len(), reply });
        }
    }

    fn time_taken(&self) -> Option<Duration> {
        self.process.time_taken()
    }

    fn end_game(&mut self, _ending: GameEnd) {
        // An engine that does not end its search is ended, and started again for the next game.
        let _ = self.stop_pondering();
    }
}
