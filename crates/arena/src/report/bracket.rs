//! The bracket of a knockout: who met whom in each round, and who went on.

use std::fmt;

use serde::Serialize;

use super::table::points;
use crate::event::EventLog;
use crate::schedule::KnockoutEncounter;

/// The rounds of a knockout, each with its encounters. In JSON they are lists within a list.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Bracket<'a> {
    rounds: Vec<Vec<Encounter<'a>>>,
}

/// Two players who met, or one who was free.
#[derive(Serialize)]
struct Encounter<'a> {
    /// The higher seed first.
    players: [Option<&'a str>; 2],
    #[serde(serialize_with = "as_points")]
    points: [u64; 2],
    /// None until it is decided.
    winner: Option<&'a str>,
}

/// JSON has points where we count half points.
fn as_points<S: serde::Serializer>(half_points: &[u64; 2], serializer: S) -> Result<S::Ok, S::Error> {
    half_points.map(|half_points| half_points as f64 / 2.0).serialize(serializer)
}

impl<'a> Bracket<'a> {
    /// The bracket of an event, if it is a knockout.
    pub fn of(log: &'a EventLog) -> Option<Bracket<'a>> {
        let plan = log.plan();
        let name = |player: usize| plan.players[player].name.as_str();
        let encounter = |encounter: &KnockoutEncounter| Encounter {
            players: [Some(name(encounter.higher)), encounter.lower.map(name)],
            points: encounter.half_points,
            winner: encounter.winner.map(name),
        };
        let rounds = plan.schedule.bracket(plan.players.len(), log.scores())?;
        Some(Bracket { rounds: rounds.iter().map(|round| round.iter().map(encounter).collect()).collect() })
    }
}

impl fmt::Display for Bracket<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rounds.iter().flatten().flat_map(|encounter| encounter.players).flatten();
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        for (number, round) in self.rounds.iter().enumerate() {
            match round.len() {
                1 => writeln!(f, "Final")?,
                2 => writeln!(f, "Semi-finals")?,
                4 => writeln!(f, "Quarter-finals")?,
                _ => writeln!(f, "Round {}", number + 1)?,
            }
            for Encounter { players, points: [higher, lower], winner } in round {
                let [Some(one), Some(other)] = players else {
                    writeln!(f, "  {:<width$}  bye", players[0].unwrap_or_default())?;
                    continue;
                };
                let end = match winner {
                    None => "not decided".to_owned(),
                    Some(winner) if higher == lower => format!("{winner}, the higher seed"),
                    Some(winner) => (*winner).to_owned(),
                };
                let score = format!("{} : {}", points(*higher), points(*lower));
                writeln!(f, "  {one:<width$}  {score}  {other:<width$}  -> {end}")?;
            }
        }
        Ok(())
    }
}
