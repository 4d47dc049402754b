//! A UCI engine that plays the first legal move, or misbehaves on request: `unruly_player BEHAVIOUR`.
//!
//! | behaviour | what it does when it is to move, unless it says otherwise |
//! |---|---|
//! | `fine` | answers, and says what it thinks |
//! | `exit` | leaves before it says a word |
//! | `mute` | never gets ready |
//! | `crash` | complains and ends with status 3 |
//! | `hang` | says nothing more |
//! | `flood` | talks without end |
//! | `illegal` | plays a move that is not one |
//! | `late` | answers after 400 ms |
//! | `wise` | plays better the larger its option `Wisdom` is |

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use random::Random;
use rules::{Game, Move, Position, Role};
use uci::Command;

fn main() {
    let behaviour = std::env::args().nth(1).unwrap_or_else(|| "fine".to_owned());
    if behaviour == "exit" {
        exit(1);
    }
    let mut player = Unruly { behaviour, game: Game::default(), wisdom: 50 };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if let Some(command) = Command::read(&line) {
            player.handle(command.value);
        }
    }
}

struct Unruly {
    behaviour: String,
    game: Game,
    wisdom: i64,
}

fn say(line: impl std::fmt::Display) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

impl Unruly {
    fn handle(&mut self, command: Command) {
        match command {
            Command::Uci => {
                say("id name Unruly");
                say("option name Hash type spin default 16 min 1 max 1024");
                say("option name Wisdom type spin default 50 min 0 max 100");
                say("option name Mood type combo default calm var calm var wild");
                say("uciok");
            }
            Command::SetOption { name, value } if name == "Wisdom" => {
                self.wisdom = value.and_then(|value| value.parse().ok()).unwrap_or(self.wisdom);
            }
            Command::IsReady if self.behaviour == "mute" => {}
            Command::IsReady => say("readyok"),
            Command::Position(history) => self.game = history.game().expect("a game"),
            Command::Go(_) => self.go(),
            Command::Quit => exit(0),
            _ => {}
        }
    }

    fn go(&self) {
        let position = self.game.position();
        let (mut mv, mut score) = (position.legal_moves()[0], 12);
        match self.behaviour.as_str() {
            "crash" => {
                eprintln!("out of cheese");
                exit(3);
            }
            "hang" => {
                say("info string I am thinking");
                sleep(Duration::from_secs(600));
            }
            "flood" => loop {
                say("info string there is no end to this");
            },
            "illegal" => return say("bestmove e2e5"),
            "late" => sleep(Duration::from_millis(400)),
            "wise" => (mv, score) = (self.wise_move(), 100 * balance(position)),
            _ => {}
        }
        say(format_args!("info depth 5 score cp {score} nodes 99 pv {}", position.uci(mv)));
        say(format_args!("bestmove {}", position.uci(mv)));
    }

    /// Sees mates and what can be taken, as often as it is wise.
    fn wise_move(&self) -> Move {
        let position = self.game.position();
        let mut random = Random::new(position.key() ^ self.game.moves().len() as u64);
        let moves = position.legal_moves();
        let any = random.choose(&moves).expect("there is a move");
        if random.below(100) as i64 >= self.wisdom {
            return any;
        }
        let best = moves.iter().copied().max_by_key(|&mv| gain(position, mv)).expect("there is a move");
        if gain(position, best) > 0 { best } else { any }
    }
}

fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// What the player to move has more than the opponent.
fn balance(position: &Position) -> i32 {
    let has = |color| -> i32 {
        Role::ALL.iter().map(|&role| worth(role) * position.pieces(role, color).count() as i32).sum()
    };
    has(position.turn()) - has(!position.turn())
}

fn gain(position: &Position, mv: Move) -> i32 {
    if position.play_unchecked(mv).is_checkmate() {
        return 1000;
    }
    position.captured(mv).map_or(0, |(role, _)| worth(role)) + mv.promotion_role().map_or(0, worth)
}
