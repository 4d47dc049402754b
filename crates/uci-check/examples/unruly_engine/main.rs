//! A UCI engine with perfect manners, but for the one that its argument asks it to forget.
//!
//! `unruly_engine [FAULT]`, where a fault is one of those below, written with dashes: `dies-on-bad-fen`. It plays badly
//! and is not meant to play: it is what `saavedra uci-check` is examined with.

mod thinking;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{env, process};

use rules::{Game, Move};
use uci::{Castling, Command, Go, Info, Message, PositionCommand, Start, UciScore};

use thinking::{DEEPEST, Limits, MATE, Search, Signals, Variation};

macro_rules! faults {
    ($($fault:ident $name:literal,)*) => {
        /// A bad habit.
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Fault { $($fault,)* }

        impl Fault {
            fn from_name(name: &str) -> Option<Fault> {
                match name { $($name => Some(Fault::$fault),)* _ => None }
            }
        }
    };
}

faults! {
    AnswersBeforeAsked "answers-before-asked",
    HangsAtUci "hangs-at-uci",
    FloodsAtUci "floods-at-uci",
    MindsCase "minds-case",
    DiesOfBadValue "dies-of-bad-value",
    EloAlone "elo-alone",
    DiesOfHugeHash "dies-of-huge-hash",
    FalseChess960 "false-chess960",
    StumblesOverJunk "stumbles-over-junk",
    HatesTabs "hates-tabs",
    LosesMoves "loses-moves",
    DiesOfBadFen "dies-of-bad-fen",
    PlaysOn "plays-on",
    BelievesAnything "believes-anything",
    ForgetsHistory "forgets-history",
    CastlesOddly "castles-oddly",
    IgnoresSearchMoves "ignores-searchmoves",
    StopsShort "stops-short",
    LosesOnTime "loses-on-time",
    AnswersInfinite "answers-infinite",
    IgnoresPonderHit "ignores-ponderhit",
    AnswersIdleStop "answers-idle-stop",
    SlowToStop "slow-to-stop",
    DeafWhileThinking "deaf-while-thinking",
    WantsPeace "wants-peace",
    AnswersTwice "answers-twice",
    SilentAtMate "silent-at-mate",
    IllegalPonderMove "illegal-ponder-move",
    MateInPlies "mate-in-plies",
    IllegalLine "illegal-line",
    DoubleLines "double-lines",
    NodesFall "nodes-fall",
    WrongChances "wrong-chances",
    TalksTooMuch "talks-too-much",
    DebugOutput "debug-output",
    IgnoresEndOfInput "ignores-end-of-input",
    IgnoresQuit "ignores-quit",
    Fickle "fickle",
}

fn main() {
    let fault = env::args().nth(1).and_then(|name| Fault::from_name(&name));
    let mut engine = Engine::new(fault);
    if fault == Some(Fault::AnswersBeforeAsked) {
        println!("readyok");
    }
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        engine.handle_line(&line);
    }
    if fault == Some(Fault::IgnoresEndOfInput) {
        forever();
    }
}

fn forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Writes a line. When the output is closed, there is nothing left to do.
fn say(message: impl ToString) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{}", message.to_string()).and_then(|()| out.flush()).is_err() {
        process::exit(0);
    }
}

/// Everything that was set.
#[derive(Clone)]
struct Settings {
    fault: Option<Fault>,
    lines: usize,
    shows_chances: bool,
    castling: Castling,
}

struct Engine {
    settings: Settings,
    /// The game, or nothing if the last `position` made no sense.
    game: Option<Game>,
    running: Option<(Arc<Signals>, JoinHandle<()>)>,
}

impl Engine {
    fn new(fault: Option<Fault>) -> Engine {
        let settings = Settings { fault, lines: 1, shows_chances: false, castling: Castling::KingMoves };
        Engine { settings, game: Some(Game::default()), running: None }
    }

    fn is(&self, fault: Fault) -> bool {
        self.settings.fault == Some(fault)
    }

    fn is_thinking(&self) -> bool {
        self.running.as_ref().is_some_and(|(_, thread)| !thread.is_finished())
    }

    fn handle_line(&mut self, line: &str) {
        if self.is(Fault::StumblesOverJunk) && line.starts_with("joho")
            || self.is(Fault::HatesTabs) && line.contains('\t')
        {
            return;
        }
        let Some(reading) = Command::read(line) else { return };
        match reading.value {
            Command::Uci => self.greet(),
            Command::IsReady if self.is(Fault::DeafWhileThinking) && self.is_thinking() => {}
            Command::IsReady => say(Message::ReadyOk),
            Command::SetOption { name, value } => self.set(&name, &value.unwrap_or_default()),
            Command::NewGame | Command::Position(_) | Command::Go(_)
                if self.is(Fault::WantsPeace) && self.is_thinking() => {}
            Command::NewGame => self.stop(),
            Command::Position(history) => {
                self.stop();
                self.set_up(&history);
            }
            Command::Go(go) => {
                self.stop();
                self.go(&go);
            }
            Command::Stop if self.is(Fault::AnswersIdleStop) && !self.is_thinking() => say("bestmove 0000"),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some((signals, _)) = self.running.as_ref().filter(|_| !self.is(Fault::IgnoresPonderHit)) {
                    signals.ponder_hit();
                }
            }
            Command::Quit if self.is(Fault::IgnoresQuit) => forever(),
            Command::Quit => process::exit(0),
            _ => {}
        }
    }

    fn set_up(&mut self, history: &PositionCommand) {
        // Rooks that are not in the corners have other letters.
        let is_odd = matches!(&history.start, Start::Fen(fen) if fen.contains(" GA "));
        let game = history.game();
        self.game = match (self.settings.fault, game) {
            (Some(Fault::DiesOfBadFen), Err(_)) => process::exit(1),
            (Some(Fault::FalseChess960), Ok(_)) if is_odd => None,
            (Some(Fault::LosesMoves), Ok(game)) => Some(Game::new(*game.start())),
            (Some(Fault::ForgetsHistory), Ok(game)) => Some(Game::new(*game.position())),
            (_, Ok(game)) => Some(game),
            (fault, Err(error)) => {
                say(Message::text(error.to_string()));
                let plays_on = match fault {
                    Some(Fault::PlaysOn) => true,
                    Some(Fault::BelievesAnything) => history.start != Start::Initial,
                    _ => false,
                };
                plays_on.then(Game::default)
            }
        };
    }

    fn greet(&self) {
        if self.is(Fault::HangsAtUci) {
            forever();
        }
        while self.is(Fault::FloodsAtUci) {
            say("option");
        }
        let elo = if self.is(Fault::EloAlone) {
            "option name UCI_Elo type spin default 1500 min 1000 max 2000\n"
        } else {
            ""
        };
        say(format!(
            "id name Unruly\nid author nobody\noption name Hash type spin default 16 min 1 max 1048576\n\
             option name Clear Hash type button\noption name MultiPV type spin default 1 min 1 max 8\n\
             option name SyzygyPath type string default <empty>\noption name Ponder type check default false\n\
             option name UCI_Chess960 type check default false\noption name UCI_ShowWDL type check default false\n{elo}uciok"
        ));
    }

    fn set(&mut self, name: &str, value: &str) {
        if self.is(Fault::MindsCase) && name == name.to_lowercase() {
            return;
        }
        match name.to_lowercase().as_str() {
            "hash" => match value.parse::<u64>() {
                Ok(1_000_000..) if self.is(Fault::DiesOfHugeHash) => process::exit(1),
                Err(_) if self.is(Fault::DiesOfBadValue) => process::exit(1),
                _ => {}
            },
            "multipv" => self.settings.lines = value.parse::<usize>().unwrap_or(1).clamp(1, 8),
            "uci_showwdl" => self.settings.shows_chances = value == "true",
            "uci_chess960" if !self.is(Fault::FalseChess960) => {
                self.settings.castling = if value == "true" { Castling::KingTakesRook } else { Castling::KingMoves };
            }
            _ => {}
        }
    }

    fn stop(&mut self) {
        let Some((signals, thread)) = self.running.take() else { return };
        if self.is(Fault::SlowToStop) {
            thread::sleep(Duration::from_millis(300));
        }
        signals.stop();
        // A thread that panicked has said so itself.
        let _ = thread.join();
    }

    fn go(&mut self, go: &Go) {
        let fault = self.settings.fault;
        let moves_on_clock = go.moves_to_go.unwrap_or(20).clamp(1, 20) + 1;
        let game = self.game.clone();
        let is_white = game.as_ref().is_none_or(|game| game.position().turn() == rules::Color::White);
        let (clock, increment) =
            if is_white { (go.white_time, go.white_increment) } else { (go.black_time, go.black_increment) };
        let share = |clock: i64| {
            let share = clock.max(0) / moves_on_clock as i64 + increment.unwrap_or(0) / 2;
            share.min(clock - 100).max(1)
        };
        let time = match (clock.map(share), go.move_time) {
            (Some(share), Some(time)) => Some(share.min(time)),
            (share, time) => share.or(time),
        };
        let time = time.filter(|_| fault != Some(Fault::LosesOnTime) || clock.is_none());
        let limits = Limits {
            depth: go.depth.or(go.mate.map(|mate| 2 * mate)).map(|depth| depth.min(DEEPEST.into()) as u32),
            nodes: go.nodes,
            time: time.map(|time| Duration::from_millis(time.max(0) as u64)),
        };
        let is_limited = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
        let is_patient = fault != Some(Fault::AnswersInfinite);
        let signals = Signals::new((go.infinite || !is_limited) && !go.ponder && is_patient, go.ponder && is_patient);
        let task = Task {
            settings: self.settings.clone(),
            game,
            limits,
            only: go.search_moves.clone(),
            signals: signals.clone(),
        };
        self.running = Some((signals, thread::spawn(move || task.run())));
    }
}

/// A search with all it needs.
struct Task {
    settings: Settings,
    game: Option<Game>,
    limits: Limits,
    only: Vec<String>,
    signals: Arc<Signals>,
}

impl Task {
    fn is(&self, fault: Fault) -> bool {
        self.settings.fault == Some(fault)
    }

    fn run(mut self) {
        let Some(mut game) = self.game.take() else {
            self.signals.wait();
            return say("bestmove 0000");
        };
        let position = *game.position();
        let is_wanted = |mv: &Move| {
            let wanted: Vec<Move> = self.only.iter().filter_map(|text| position.parse_uci(text).ok()).collect();
            wanted.is_empty() || self.is(Fault::IgnoresSearchMoves) || wanted.contains(mv)
        };
        let moves: Vec<Move> = position.legal_moves().into_iter().filter(is_wanted).collect();
        if moves.is_empty() {
            if !self.is(Fault::SilentAtMate) {
                say(if position.is_check() { "info depth 0 score mate 0" } else { "info depth 0 score cp 0" });
            }
            self.signals.wait();
            return say("bestmove 0000");
        }
        let best = self.think(&mut game, &moves);
        self.signals.wait();
        let text = self.castling().write_line(&position, &best.moves);
        let ponder = if self.is(Fault::IllegalPonderMove) { Some("a1a1".to_owned()) } else { text.get(1).cloned() };
        let answer = Message::BestMove { best: text.first().cloned(), ponder };
        say(&answer);
        if self.is(Fault::AnswersTwice) {
            say(&answer);
        }
    }

    fn castling(&self) -> Castling {
        if self.is(Fault::CastlesOddly) { Castling::KingTakesRook } else { self.settings.castling }
    }

    fn think(&self, game: &mut Game, moves: &[Move]) -> Variation {
        let started = Instant::now();
        let limits = self.limits.clone();
        let mut search = Search { signals: &self.signals, limits, started, nodes: 0, is_over: false };
        let mut best = Variation { score: 0, moves: moves[..1].to_vec() };
        let deepest =
            self.limits.depth.unwrap_or(DEEPEST) - u32::from(self.is(Fault::StopsShort) && self.limits.depth > Some(1));
        for depth in 1..=deepest.max(1) {
            let mut left = moves.to_vec();
            let mut lines: Vec<Variation> = Vec::new();
            for _ in 0..self.settings.lines.min(moves.len()) {
                let Some(line) = search.best(game, &left, depth) else { return best };
                left.retain(|&mv| mv != line.moves[0] || self.is(Fault::DoubleLines));
                lines.push(line);
            }
            best = lines[0].clone();
            for (rank, line) in lines.iter().enumerate() {
                self.tell(game, depth, rank, line, &search);
            }
            while self.is(Fault::TalksTooMuch) && !search.is_over && started.elapsed() < Duration::from_millis(900) {
                self.tell(game, depth, 0, &best, &search);
                thread::sleep(Duration::from_millis(1));
            }
            if search.is_over {
                break;
            }
        }
        best
    }

    fn tell(&self, game: &Game, depth: u32, rank: usize, line: &Variation, search: &Search) {
        if self.is(Fault::DebugOutput) {
            say(format!("searched {} nodes", search.nodes));
        }
        let time = search.started.elapsed().as_millis() as u64;
        let plies = MATE - line.score.abs();
        let score = match plies {
            ..1000 if self.is(Fault::MateInPlies) => UciScore::mate(plies * line.score.signum()),
            ..1000 => UciScore::mate((plies + 1) / 2 * line.score.signum()),
            _ => UciScore::Centipawns(line.score),
        };
        let win = (500 + line.score / 2).clamp(0, 1000) as u32;
        let wdl = if self.is(Fault::WrongChances) { [1000 - win, 0, win] } else { [win, 0, 1000 - win] };
        let nodes = match self.settings.fault {
            Some(Fault::NodesFall) => u64::MAX / 2 - search.nodes,
            Some(Fault::Fickle) => search.nodes + u64::from(process::id()),
            _ => search.nodes,
        };
        let mut pv = self.castling().write_line(game.position(), &line.moves);
        if self.is(Fault::IllegalLine) {
            pv.push("a1a1".to_owned());
        }
        say(Message::from(Info {
            depth: Some(depth),
            selective_depth: Some(depth),
            multi_pv: Some(rank as u32 + 1),
            score: Some(score),
            wdl: self.settings.shows_chances.then_some(wdl),
            nodes: Some(nodes),
            nps: Some(search.nodes * 1000 / time.max(1)),
            hash_full: Some(0),
            tablebase_hits: Some(0),
            time: Some(time),
            pv,
            ..Info::default()
        }));
    }
}
