//! Any mind as a UCI engine, for GUIs and match runners that know nothing of minds.

use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rules::{Color, Game, Position};
use search::{Bound, Clock, Control, Limits, Line, Reporter, STACK_SIZE, SearchStats, Verdict};
use uci::{Castling, Command, Go, Info, Kind, Message, Score, Setting, Value};

use crate::{Allowance, Choice, Mind};

/// Lets a mind play as a UCI engine until `quit` or the end of the input.
///
/// The mind thinks in a thread of its own, so that `stop` and `isready` are heard meanwhile. A mind that cannot answer
/// says why as text and plays the null move `0000`; nothing that is read ends the conversation but `quit`.
pub fn speak_uci(mind: Box<dyn Mind>, input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let output = Output { writer: Arc::new(Mutex::new(output)) };
    let mut session = Session {
        name: mind.name().to_owned(),
        state: State::Idle(mind),
        game: Some(Game::default()),
        castling: Castling::KingMoves,
        is_new_game: true,
        output,
    };
    for line in input.split(b'\n') {
        let Some(reading) = Command::read(&String::from_utf8_lossy(&line?)) else { continue };
        for complaint in reading.complaints {
            session.output.say(Message::text(complaint))?;
        }
        if reading.value == Command::Quit {
            break;
        }
        session.obey(reading.value)?;
    }
    session.stop().map(|_| ())
}

/// One output for both threads, a whole line at a time.
struct Output<W> {
    writer: Arc<Mutex<W>>,
}

impl<W> Clone for Output<W> {
    fn clone(&self) -> Output<W> {
        Output { writer: Arc::clone(&self.writer) }
    }
}

impl<W: Write> Output<W> {
    fn say(&self, message: impl Into<Message>) -> io::Result<()> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(format!("{}\n", message.into()).as_bytes())?;
        writer.flush()
    }
}

/// What the mind is doing.
enum State {
    Idle(Box<dyn Mind>),
    Thinking {
        control: Arc<Control>,
        thread: JoinHandle<Box<dyn Mind>>,
    },
    /// It was lost by a panic, which ends the session.
    Lost,
}

struct Session<W> {
    name: String,
    state: State,
    /// There is none after a position that makes no sense.
    game: Option<Game>,
    castling: Castling,
    is_new_game: bool,
    output: Output<W>,
}

impl<W: Write + Send + 'static> Session<W> {
    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.output.say(Message::ReadyOk),
            Command::SetOption { name, value } => {
                if name.eq_ignore_ascii_case("UCI_Chess960") {
                    let is_on = value.is_some_and(|value| value.eq_ignore_ascii_case("true"));
                    self.castling = if is_on { Castling::KingTakesRook } else { Castling::KingMoves };
                }
                Ok(())
            }
            Command::NewGame => {
                self.is_new_game = true;
                self.rest()
            }
            Command::Position(history) => {
                self.rest()?;
                let game = history.game();
                let told = game.as_ref().err().map(|error| self.output.say(Message::text(error.to_string())));
                self.game = game.ok();
                told.unwrap_or(Ok(()))
            }
            Command::Go(go) => self.go(&go),
            Command::Stop => {
                if let State::Thinking { control, .. } = &self.state {
                    control.stop();
                }
                Ok(())
            }
            Command::PonderHit => {
                if let State::Thinking { control, .. } = &self.state {
                    control.ponder_hit();
                }
                Ok(())
            }
            Command::Debug(_) | Command::Register(_) | Command::Quit => Ok(()),
            other => self.output.say(Message::text(format!("a mind does not know what to do about {other}"))),
        }
    }

    fn introduce(&self) -> io::Result<()> {
        self.output.say(Message::Name(format!("{} (a mind of Saavedra)", self.name)))?;
        self.output.say(Message::Author("the Saavedra authors".to_owned()))?;
        let chess960 = Setting { name: "UCI_Chess960".to_owned(), kind: Kind::Check { default: false } };
        self.output.say(Message::Option(chess960))?;
        self.output.say(Message::UciOk)
    }

    /// Stops thinking, if the mind thinks, and gives it back once it has answered.
    fn stop(&mut self) -> io::Result<Box<dyn Mind>> {
        match std::mem::replace(&mut self.state, State::Lost) {
            State::Idle(mind) => Ok(mind),
            State::Thinking { control, thread } => {
                control.stop();
                thread.join().map_err(|_| io::Error::other(format!("{} broke down while it was thinking", self.name)))
            }
            State::Lost => Err(io::Error::other(format!("{} broke down before", self.name))),
        }
    }

    fn rest(&mut self) -> io::Result<()> {
        self.state = State::Idle(self.stop()?);
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let mut mind = self.stop()?;
        let Some(game) = self.game.clone() else {
            self.state = State::Idle(mind);
            return self.output.say(no_move());
        };
        let allowance = allowance(go, game.position());
        let control = Arc::new(if go.ponder { Control::pondering() } else { Control::new() });
        let is_new_game = std::mem::take(&mut self.is_new_game);
        let turn = Turn { game, castling: self.castling, output: self.output.clone() };
        let is_infinite = go.infinite || allowance.limits.is_infinite();
        let switch = Arc::clone(&control);
        let builder = thread::Builder::new().name("mind".to_owned()).stack_size(STACK_SIZE);
        let thread = builder.spawn(move || {
            let answer = turn.think(&mut *mind, is_new_game, &allowance, &switch);
            switch.wait_for_release(is_infinite);
            // If nobody reads the answer, whoever sends the next command finds out.
            let _ = turn.output.say(answer);
            mind
        })?;
        self.state = State::Thinking { control, thread };
        Ok(())
    }
}

/// A move to be chosen.
struct Turn<W> {
    game: Game,
    castling: Castling,
    output: Output<W>,
}

impl<W: Write> Turn<W> {
    /// The message that answers `go`. All else is said on the way.
    fn think(&self, mind: &mut dyn Mind, is_new_game: bool, allowance: &Allowance, control: &Control) -> Message {
        let position = self.game.position();
        if !position.has_legal_moves() {
            let value = if position.is_check() { Value::Mate(0) } else { Value::Centipawns(0) };
            let score = Some(Score { value, bound: uci::Bound::Exact });
            let _ = self.output.say(Info { depth: Some(0), score, ..Info::default() });
            return no_move();
        }
        let readied = if is_new_game { mind.new_game(self.game.start()) } else { Ok(()) };
        let choice = readied.and_then(|()| mind.choose(&self.game, allowance, control, &mut Teller(self)));
        let excuse = match choice {
            Ok(Choice::Move(mv) | Choice::MoveAndOfferDraw(mv)) => {
                return Message::BestMove { best: Some(self.castling.write(position, mv)), ponder: None };
            }
            Ok(Choice::Resign) => format!("{} resigns", mind.name()),
            Ok(Choice::ClaimDraw) => format!("{} claims a draw", mind.name()),
            Err(fault) => fault.to_string(),
        };
        let _ = self.output.say(Message::text(excuse));
        no_move()
    }
}

/// Tells lines of thought as a UCI engine does.
struct Teller<'a, W>(&'a Turn<W>);

impl<W: Write> Reporter for Teller<'_, W> {
    fn line(&mut self, line: &Line, stats: &SearchStats) {
        let number = |count: usize| Some(u32::try_from(count).unwrap_or(u32::MAX));
        let moves = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
        let score = Score {
            value: match line.score.verdict() {
                Verdict::Centipawns(value) => Value::Centipawns(value),
                Verdict::MateIn(count) => Value::Mate(moves(count)),
                Verdict::MatedIn(count) => Value::Mate(-moves(count)),
            },
            bound: match line.bound {
                Bound::Exact => uci::Bound::Exact,
                Bound::Lower => uci::Bound::Lower,
                Bound::Upper => uci::Bound::Upper,
            },
        };
        let Turn { game, castling, output } = self.0;
        let info = Info {
            depth: number(line.depth),
            selective_depth: number(line.selective_depth),
            multi_pv: number(line.rank),
            score: Some(score),
            nodes: Some(stats.nodes),
            nps: (!stats.time.is_zero()).then(|| stats.nodes_per_second()),
            hash_full: Some(stats.hash_full),
            tablebase_hits: Some(stats.tablebase_hits),
            time: Some(u64::try_from(stats.time.as_millis()).unwrap_or(u64::MAX)),
            pv: castling.write_line(game.position(), &line.moves),
            ..Info::default()
        };
        let _ = output.say(info);
    }
}

fn no_move() -> Message {
    Message::BestMove { best: None, ponder: None }
}

fn allowance(go: &Go, position: &Position) -> Allowance {
    let time = |milliseconds: i64| Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
    let clock = |remaining: Option<i64>, increment: Option<i64>| {
        remaining.map(|remaining| Clock {
            remaining: time(remaining),
            increment: increment.map_or(Duration::ZERO, time),
            moves_to_go: go.moves_to_go.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        })
    };
    let white = clock(go.white_time, go.white_increment);
    let black = clock(go.black_time, go.black_increment);
    let (own, opponent_clock) = if position.turn() == Color::White { (white, black) } else { (black, white) };
    // If only the opponent's clock is told, ours is taken to show the same: without any we would think for ever.
    let own = own.or(opponent_clock);
    let moves: Vec<_> = go.search_moves.iter().filter_map(|text| position.parse_uci(text).ok()).collect();
    let limits = Limits {
        depth: go.depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX)),
        nodes: go.nodes,
        soft_nodes: None,
        mate: go.mate.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
        move_time: go.move_time.map(time),
        clock: own,
        opponent_clock,
        // Moves that make no sense are as if they had not been named.
        moves: (!moves.is_empty()).then_some(moves),
    };
    Allowance::new(limits)
}
