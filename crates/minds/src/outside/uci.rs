//! An engine that speaks UCI as a mind.

use std::time::Duration;

use programs::CommandLine;
use rules::{Color, Game, Position};
use search::{Bound, Clock, Control, Limits, Line, MAX_PLY, Reporter, Score, SearchStats};
use uci::{Castling, Command, Go, History, Info, Kind, Message, Setting, Value, suggest};

use super::is_chess960;
use super::partner::{Heard, Partner, Wait};
use crate::{Allowance, Choice, Fault, Mind, Misdeed};

/// An engine in another process, driven by UCI.
pub struct UciMind {
    partner: Partner,
    /// Options to set, by name and value.
    wishes: Vec<(String, String)>,
    settings: Vec<Setting>,
    castling: Castling,
}

impl UciMind {
    /// An engine that is started when its first game begins.
    pub fn new(command: CommandLine) -> UciMind {
        let partner = Partner::new(command, Some("quit"));
        UciMind { partner, wishes: Vec::new(), settings: Vec::new(), castling: Castling::KingMoves }
    }

    /// Sets an option whenever the engine is started. An engine that does not have it does not start.
    #[must_use]
    pub fn with_option(mut self, name: impl Into<String>, value: impl Into<String>) -> UciMind {
        self.wishes.push((name.into(), value.into()));
        self
    }

    /// Gives the engine another time to start and to get ready.
    #[must_use]
    pub fn with_time_to_start(mut self, time: Duration) -> UciMind {
        self.partner.time_to_start = time;
        self
    }

    /// The options of the engine, which is started if it does not run.
    pub fn settings(&mut self) -> Result<&[Setting], Fault> {
        if !self.partner.was_started() {
            self.shake_hands()?;
        }
        Ok(&self.settings)
    }

    /// Starts the engine if it does not run, and makes it ready for games like this.
    fn get_ready(&mut self, start: &Position) -> Result<(), Fault> {
        let castling = if is_chess960(start) { Castling::KingTakesRook } else { Castling::KingMoves };
        let is_new = !self.partner.was_started();
        if is_new {
            self.shake_hands()?;
        }
        if castling != self.castling || is_new && castling != Castling::KingMoves {
            let Some(setting) = self.setting("UCI_Chess960") else {
                return Err(self.partner.fault(Misdeed::Refused { text: "it does not play Chess960".to_owned() }));
            };
            let (name, value) = (setting.name.clone(), (castling == Castling::KingTakesRook).to_string());
            self.partner.send(Command::SetOption { name, value: Some(value) })?;
        }
        self.castling = castling;
        Ok(())
    }

    fn shake_hands(&mut self) -> Result<(), Fault> {
        self.partner.start()?;
        self.castling = Castling::KingMoves;
        self.partner.send(Command::Uci)?;
        let settings = &mut self.settings;
        settings.clear();
        self.partner.hear_out(self.partner.time_to_start, |partner, line| {
            match Message::read(line).map(|reading| reading.value) {
                Some(Message::Name(name)) if !name.is_empty() => partner.name = name,
                Some(Message::Option(setting)) => settings.push(setting),
                Some(Message::UciOk) => return Ok(Some(())),
                _ => {}
            }
            Ok(None)
        })?;
        for (name, value) in self.wishes.clone() {
            let Some(setting) = self.setting(&name) else {
                let names = self.settings.iter().map(|setting| setting.name.as_str());
                let hint = suggest(&name, names).map_or(String::new(), |close| format!(" (did you mean {close:?}?)"));
                let reason = format!("it has no option {name:?}{hint}");
                return Err(self.partner.fault(Misdeed::DidNotStart { reason }));
            };
            let value = (setting.kind != Kind::Button).then_some(value);
            self.partner.send(Command::SetOption { name: setting.name.clone(), value })?;
        }
        Ok(())
    }

    fn setting(&self, name: &str) -> Option<Setting> {
        self.settings.iter().find(|setting| setting.name.eq_ignore_ascii_case(name)).cloned()
    }

    /// Waits until the engine has done everything so far. What it says meanwhile is too late to be an answer.
    fn catch_up(&mut self) -> Result<(), Fault> {
        self.partner.send(Command::IsReady)?;
        self.partner.hear_out(self.partner.time_to_start, |_, line| {
            Ok(Message::read(line).filter(|reading| reading.value == Message::ReadyOk).map(|_| ()))
        })
    }

    fn read_choice(&self, position: &Position, text: Option<&str>) -> Result<Choice, Fault> {
        let text = text.unwrap_or("0000");
        position
            .parse_uci(text)
            .map(Choice::Move)
            .map_err(|_| self.partner.fault(Misdeed::IllegalMove { text: text.to_owned(), fen: position.to_string() }))
    }
}

impl Mind for UciMind {
    fn name(&self) -> &str {
        &self.partner.name
    }

    fn new_game(&mut self, start: &Position) -> Result<(), Fault> {
        if !self.partner.is_running() {
            self.partner.leave();
        }
        self.get_ready(start)?;
        self.partner.send(Command::NewGame)?;
        self.catch_up()
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        self.get_ready(game.start())?;
        self.catch_up()?;
        let position = game.position();
        let go = go(position, allowance, self.castling);
        let mut wait = if go.infinite { Wait::without_end(control) } else { Wait::for_move(allowance, control) };
        let position_told = Command::Position(History::of(game, self.castling));
        // Both at once, so that the engine wakes only when it can begin to think.
        self.partner.ask(format_args!("{position_told}\n{}", Command::Go(go)))?;
        loop {
            match self.partner.hear(&wait)? {
                Heard::Line(line) => match Message::read(&line).map(|reading| reading.value) {
                    Some(Message::Info(info)) => report(&info, position, reporter),
                    Some(Message::BestMove { best, .. }) => return self.read_choice(position, best.as_deref()),
                    _ => {}
                },
                Heard::Stopped => {
                    self.partner.send(Command::Stop)?;
                    wait = Wait::after_stop(allowance);
                }
                Heard::Late => return Err(self.partner.too_late(&wait)),
            }
        }
    }

    fn time_taken(&self) -> Option<Duration> {
        self.partner.time_taken()
    }
}

fn go(position: &Position, allowance: &Allowance, castling: Castling) -> Go {
    let Limits { depth, nodes, soft_nodes, mate, move_time, clock, opponent_clock, moves } = &allowance.limits;
    let milliseconds = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let times = |clock: Option<Clock>| {
        // An engine without any time would take itself to have all of it.
        (clock.map(|clock| milliseconds(clock.remaining).max(1)), clock.map(|clock| milliseconds(clock.increment)))
    };
    let (own, other) = (times(*clock), times(clock.and(*opponent_clock)));
    let (white, black) = if position.turn() == Color::White { (own, other) } else { (other, own) };
    let nodes = nodes.or(*soft_nodes);
    Go {
        search_moves: moves.iter().flatten().map(|&mv| castling.write(position, mv)).collect(),
        white_time: white.0,
        white_increment: white.1,
        black_time: black.0,
        black_increment: black.1,
        moves_to_go: clock.and_then(|clock| clock.moves_to_go).map(u64::from),
        depth: depth.map(|depth| depth as u64),
        nodes,
        mate: mate.map(u64::from),
        move_time: move_time.map(milliseconds),
        infinite: allowance.limits.is_infinite(),
        ..Go::default()
    }
}

/// Passes a line of thought on, as far as it can be played.
fn report(info: &Info, position: &Position, reporter: &mut dyn Reporter) {
    let Some(score) = info.score else { return };
    let mut after = *position;
    let moves = info.pv.iter().map_while(|text| {
        let mv = after.parse_uci(text).ok()?;
        after = after.play_unchecked(mv);
        Some(mv)
    });
    let depth = info.depth.unwrap_or(0) as usize;
    let plies = |moves: i32| (moves.unsigned_abs() as usize).saturating_mul(2).min(MAX_PLY);
    let line = Line {
        depth,
        selective_depth: info.selective_depth.map_or(depth, |deepest| deepest as usize),
        rank: info.multi_pv.unwrap_or(1) as usize,
        score: match score.value {
            Value::Centipawns(value) => Score::new(value),
            Value::Mate(moves @ 1..) => Score::mate_in(plies(moves) - 1),
            Value::Mate(moves) => Score::mated_in(plies(moves)),
        },
        bound: match score.bound {
            uci::Bound::Exact => Bound::Exact,
            uci::Bound::Lower => Bound::Lower,
            uci::Bound::Upper => Bound::Upper,
        },
        moves: moves.collect(),
    };
    let stats = SearchStats {
        nodes: info.nodes.unwrap_or(0),
        time: Duration::from_millis(info.time.unwrap_or(0)),
        hash_full: info.hash_full.unwrap_or(0),
        tablebase_hits: info.tablebase_hits.unwrap_or(0),
    };
    reporter.line(&line, &stats);
}
