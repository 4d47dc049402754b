//! A program that plays the first legal move, or misbehaves on request: `fake_program PROTOCOL BEHAVIOUR`.
//!
//! The tests play with it in every protocol. It answers properly unless the behaviour says otherwise, and writes what
//! it was told to the file that `FAKE_PROGRAM_LOG` names.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use rules::{Game, Move, Position};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [protocol, behaviour] = &arguments[..] else {
        eprintln!("usage: fake_program PROTOCOL BEHAVIOUR");
        exit(2);
    };
    // As an interpreter does that loads a library first.
    if behaviour == "slow" {
        sleep(Duration::from_millis(300));
    }
    let log = std::env::var_os("FAKE_PROGRAM_LOG")
        .map(|path| OpenOptions::new().create(true).append(true).open(path).expect("the log can be written"));
    let mut fake = Fake { behaviour: behaviour.clone(), log, game: Game::default() };
    match protocol.as_str() {
        "uci" => fake.run(Fake::handle_uci),
        "cecp" => fake.run(Fake::handle_cecp),
        "world" => fake.run(Fake::handle_fen),
        _ => fake.run(Fake::handle_question),
    }
}

struct Fake {
    behaviour: String,
    log: Option<File>,
    game: Game,
}

fn say(line: impl std::fmt::Display) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

impl Fake {
    fn run(&mut self, handle: fn(&mut Fake, &str)) {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if let Some(log) = &mut self.log {
                writeln!(log, "{line}").expect("the log can be written");
            }
            handle(self, &line);
        }
    }

    fn is(&self, behaviour: &str) -> bool {
        self.behaviour == behaviour
    }

    fn first_move(position: &Position) -> Move {
        position.legal_moves()[0]
    }

    /// What every protocol can get wrong when it is time to move.
    fn misbehave(&self) {
        match self.behaviour.as_str() {
            "crash" => {
                eprintln!("out of cheese");
                exit(3);
            }
            "hang" => sleep(Duration::from_secs(600)),
            "flood" => loop {
                say("info string there is no end to this");
            },
            "babble" => {
                say("x".repeat(1 << 20));
                say("");
            }
            _ => {}
        }
    }

    fn handle_uci(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] if self.is("mute") => {}
            ["uci"] => {
                say("id name Fake 1.0");
                say("option name Hash type spin default 1 min 1 max 64");
                say("option name UCI_Chess960 type check default false");
                say("option name Ponder type check default false");
                say("uciok");
            }
            ["isready"] => say("readyok"),
            ["position", ..] => match uci::Command::read(line).map(|reading| reading.value) {
                Some(uci::Command::Position(history)) => self.game = history.game().expect("a game"),
                other => panic!("{other:?}"),
            },
            // It finds its move while it ponders, and tells it when it may.
            ["go", "ponder", ..] => {}
            ["ponderhit"] => self.go(),
            ["stop"] if self.is("ponder") => self.go(),
            ["go", ..] => self.go(),
            ["stop"] if self.is("patient") => say("bestmove a2a3"),
            ["quit"] => exit(0),
            _ => {}
        }
    }

    fn go(&self) {
        self.misbehave();
        let position = self.game.position();
        let mv = Fake::first_move(position);
        match self.behaviour.as_str() {
            "patient" => say("info depth 1 score cp 5 pv a2a3"),
            "illegal" => say("bestmove e2e5"),
            "none" => say("bestmove (none)"),
            "ponder" => {
                let next = position.play_unchecked(mv);
                let reply = Fake::first_move(&next);
                say(format_args!("bestmove {} ponder {}", position.uci(mv), next.uci(reply)));
            }
            _ => {
                say(format_args!("info depth 3 score mate -2 nodes 7 time 1 pv {} nonsense", position.uci(mv)));
                say(format_args!("bestmove {}", position.uci(mv)));
                if self.is("twice") {
                    say("bestmove e2e5");
                }
            }
        }
    }

    fn handle_cecp(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["protover", _] if self.is("old") => {}
            ["protover", _] if self.is("mute") => say("feature done=0"),
            ["protover", _] => {
                say("feature ping=1 setboard=1 usermove=1 colors=0 teleport=1");
                say(r#"feature myname="Fake Board 2" done=1"#);
            }
            ["rejected", feature] => assert_eq!(feature, "teleport"),
            ["new"] => self.game = Game::default(),
            ["setboard", ..] => self.game = Game::new(line["setboard ".len()..].parse().expect("a position")),
            ["ping", number] => say(format_args!("pong {number}")),
            ["usermove", _] if self.is("stubborn") => say("Illegal move: all of them"),
            ["usermove", mv] => self.play(mv),
            [mv] if self.is("old") && self.game.position().parse_uci(mv).is_ok() => self.play(mv),
            ["go"] => self.go_in_xboard(),
            ["sd", _] if self.is("eager") => say(format_args!("Illegal move: {line}")),
            ["?"] if self.is("patient") || self.is("eager") => {
                say("move a2a3");
                self.play("a2a3");
            }
            ["quit"] => exit(0),
            _ => {}
        }
    }

    fn play(&mut self, text: &str) {
        let mv = self.game.position().parse_uci(text).expect("a legal move");
        self.game.play(mv).expect("a legal move");
    }

    fn go_in_xboard(&mut self) {
        self.misbehave();
        let mv = Fake::first_move(self.game.position());
        let (number, san) = (self.game.position().fullmove_number(), self.game.position().san(mv));
        match self.behaviour.as_str() {
            "patient" => return,
            "eager" => return (1..9).for_each(|depth| say(format_args!("{depth} 10 0 {} a3", 200 * depth))),
            "illegal" => return say("move e2e5"),
            "resign" => return say("resign"),
            "claim" => return say("1/2-1/2 {Draw by repetition}"),
            "boast" => return say("1-0 {White mates}"),
            "old" => say(format_args!("{number}. ... {san}")),
            _ => {
                say(format_args!("4 -33 2 99 {san}"));
                if self.is("offer") {
                    say("offer draw");
                }
                say(format_args!("move {san}"));
                say("1-0 {a claim that comes too late}");
            }
        }
        self.game.play(mv).expect("a legal move");
    }

    fn handle_fen(&mut self, line: &str) {
        self.misbehave();
        match (self.behaviour.as_str(), line.parse::<Position>()) {
            ("forfeit", _) | (_, Err(_)) => say("0,0"),
            ("illegal", _) => say("12,36"),
            ("nonsense", _) => say("12-28"),
            (_, Ok(position)) => {
                let mv = Fake::first_move(&position);
                say(saavedra_minds::world_answer(&position, Some(mv)));
            }
        }
    }

    fn handle_question(&mut self, line: &str) {
        self.misbehave();
        let (fen, moves) = line.split_once(" moves ").expect("a question");
        let position: Position = fen["fen ".len()..].parse().expect("a position");
        let first = moves.split(' ').next().expect("a move");
        match self.behaviour.as_str() {
            "illegal" => say("e2e5"),
            "resign" => say("resign"),
            "san" => say(position.san(Fake::first_move(&position))),
            _ => {
                say("# thinking of nothing");
                say(first);
            }
        }
    }
}
