//! Players as people write them: a mind, a name before it if it should have another, and its own time behind it.
//!
//! With everything, `Fish=uci,Hash=64:stockfish@2+0.02`. A name has no comma, colon or equals sign, so that
//! where it ends is never in doubt.

use std::str::FromStr;

use arena::{Participant, TimeControl};
use minds::{MindSpec, SpecError};
use programs::CommandLine;

/// A player before it is known who else plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entrant {
    name: Option<String>,
    mind: MindSpec,
    time: Option<TimeControl>,
}

impl FromStr for Entrant {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Entrant, SpecError> {
        let named = text.split_once('=').filter(|(name, _)| !name.contains([',', ':']) && !name.trim().is_empty());
        let (name, rest) = named.map_or((None, text), |(name, rest)| (Some(name.trim().to_owned()), rest));
        // A program's path may have an @ too; only what is a time control is taken as one.
        let timed = rest.rsplit_once('@').and_then(|(mind, time)| Some((mind, time.parse().ok()?)));
        let (mind, time) = timed.map_or((rest, None), |(mind, time)| (mind, Some(time)));
        Ok(Entrant { name, mind: mind.parse()?, time })
    }
}

impl Entrant {
    /// A player of this name, timed as is usual.
    pub(super) fn named(name: &str, mind: MindSpec) -> Entrant {
        Entrant { name: Some(name.to_owned()), mind, time: None }
    }

    fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| match &self.mind {
            MindSpec::Program(program) => {
                let command = program.command.parse::<CommandLine>();
                command.map_or_else(|_| program.command.clone(), |command| command.name())
            }
            mind => mind.to_string(),
        })
    }
}

/// The players, with the usual time where they have none of their own. Of equal names each gets a number.
pub(super) fn players(entrants: &[Entrant], usual: TimeControl) -> Vec<Participant> {
    let names: Vec<String> = entrants.iter().map(Entrant::name).collect();
    let count = |name: &String, names: &[String]| names.iter().filter(|other| *other == name).count();
    let mut taken: Vec<String> = names.iter().filter(|name| count(name, &names) == 1).cloned().collect();
    let mut players = Vec::with_capacity(entrants.len());
    for (entrant, name) in entrants.iter().zip(&names) {
        let mut own = name.clone();
        if count(name, &names) > 1 {
            let free = (1..).map(|number| format!("{name} {number}")).find(|name| !taken.contains(name));
            own = free.unwrap_or(own);
            taken.push(own.clone());
        }
        players.push(Participant { name: own, mind: entrant.mind.clone(), time: entrant.time.unwrap_or(usual) });
    }
    players
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(texts: &[&str]) -> Vec<String> {
        let entrants: Vec<Entrant> = texts.iter().map(|text| text.parse().expect("a player")).collect();
        let players = players(&entrants, "1+0.01".parse().expect("a time control"));
        players.iter().map(|player| format!("{} | {} | {}", player.name, player.mind, player.time)).collect()
    }

    #[test]
    fn a_player_is_a_mind_perhaps_with_a_name_and_a_time() {
        assert_eq!(
            shown(&[
                "search:nodes=5000",
                "Fish=uci,Hash=64:/usr/games/stockfish@2+0.02",
                "uci:'/my engines/a' --fast@nodes=7",
                "uci:/home/me@work/engine.exe",
                "Old one = minimax:depth=1",
                "line:python3 bots/grabber.py",
            ]),
            [
                "search:nodes=5000 | search:nodes=5000 | 1+0.01",
                "Fish | uci,Hash=64:/usr/games/stockfish | 2+0.02",
                "a | uci:'/my engines/a' --fast | nodes=7",
                "engine | uci:/home/me@work/engine.exe | 1+0.01",
                "Old one | minimax:depth=1 | 1+0.01",
                "grabber | line:python3 bots/grabber.py | 1+0.01",
            ]
        );
    }

    #[test]
    fn equal_names_are_numbered_and_never_taken_twice() {
        let names = |texts: &[&str]| -> Vec<String> {
            shown(texts).iter().map(|shown| shown.split(" |").next().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(names(&["random", "random", "capture"]), ["random 1", "random 2", "capture"]);
        assert_eq!(names(&["random", "random", "random 1=capture"]), ["random 2", "random 3", "random 1"]);
    }

    #[test]
    fn names_that_are_no_players_are_refused() {
        let error = "randm".parse::<Entrant>().expect_err("a slip");
        assert_eq!(error.to_string(), "there is no mind \"randm\" (did you mean \"random\"?)");
    }
}
