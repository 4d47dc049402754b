//! The ladder: minds of ours from a random mover to the search, and what they scored against each other.
//!
//! A player that is rated climbs it, so that a rating means the same everywhere: the mind that plays any legal move has
//! zero, and everything else follows from games. The results are measured and kept in a file of this crate; `saavedra
//! rate --calibrate` plays them anew.

use minds::MindSpec;
use serde::{Deserialize, Serialize};

use crate::event::{EventPlan, OpeningPlan};
use crate::report::{PlayerScore, Tallies};
use crate::schedule::{Format, PairScore};
use crate::statistics::{Anchor, League, Meeting, RatingError, RatingKind, Ratings};
use crate::{Adjudication, Participant, TimeControl};

/// Minds whose strengths are known from games among them. The first has a rating of zero.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// How the results came about, for people.
    pub measured: String,
    /// The minds as they are written, from the weakest to the strongest.
    pub rungs: Vec<String>,
    /// What they scored against each other, by their places in the list.
    pub results: Vec<Meeting>,
}

/// Rungs limit themselves, and are never short of time.
const ENOUGH: TimeControl = TimeControl::Nodes(1_000_000);

/// Random plies with which games start.
const RANDOM_PLIES: usize = 8;

impl Ladder {
    /// The minds that make the ladder: about two hundred points apart, cheap, and none alike in every game. Below the
    /// first thought, moves of the search are mixed with random moves; above, it looks at more and more positions. The
    /// others are landmarks.
    pub const RUNGS: [&'static str; 17] = [
        "random",
        "search:nodes=50,random=80,net=none",
        "capture",
        "search:nodes=50,random=60,net=none",
        "search:nodes=50,random=40,net=none",
        "search:elo=500,net=none",
        "search:nodes=50,random=20,net=none",
        "search:nodes=50,net=none",
        "minimax",
        "search:elo=1100,net=none",
        "search:nodes=150,net=none",
        "search:nodes=400,net=none",
        "search:elo=1700,net=none",
        "search:nodes=1000,net=none",
        "search:elo=2300,net=none",
        "search:nodes=3000,net=none",
        "search:nodes=10000,net=none",
    ];

    /// The ladder as it was measured.
    pub fn ours() -> Ladder {
        serde_json::from_str(include_str!("../data/ladder.json")).expect("a test reads the file of this crate")
    }

    /// The ladder as it is kept, with a line for each rung and each result.
    pub fn to_json(&self) -> String {
        fn lines<T: Serialize>(things: &[T]) -> String {
            let line = |thing: &T| format!("\n    {}", serde_json::to_string(thing).unwrap_or_default());
            things.iter().map(line).collect::<Vec<_>>().join(",")
        }
        format!(
            "{{\n  \"measured\": {},\n  \"rungs\": [{}\n  ],\n  \"results\": [{}\n  ]\n}}",
            serde_json::to_string(&self.measured).unwrap_or_default(),
            lines(&self.rungs),
            lines(&self.results),
        )
    }

    /// The ratings of the rungs, in their order. Errors are the distances from the first.
    pub fn ratings(&self) -> Result<Ratings, RatingError> {
        let zero = Anchor { player: 0, rating: 0.0, uncertainty: None };
        let meetings = self.results.clone();
        League { players: self.rungs.len(), meetings, anchors: vec![zero], ..League::default() }.rate()
    }

    /// The event in which players climb the ladder until their ratings are known to some error, in Elo, or so many
    /// pairs are played.
    pub fn climb(
        &self,
        climbers: Vec<Participant>,
        error: u32,
        pairs: u64,
    ) -> Result<(Vec<Participant>, Format), minds::SpecError> {
        let subjects = climbers.len();
        let shifted =
            |one: &Meeting| Meeting { white: one.white + subjects, black: one.black + subjects, results: one.results };
        let known = self.results.iter().map(shifted).collect();
        let rungs = self.rungs.iter().map(|rung| rung_player(rung)).collect::<Result<Vec<_>, _>>()?;
        let players = climbers.into_iter().chain(rungs).collect();
        Ok((players, Format::Ladder { subjects, error, pairs, known }))
    }

    /// The event in which the rungs are measured. The first one comes last, where those stand who are not rated.
    pub fn calibration(seed: u64, error: u32, pairs: u64) -> EventPlan {
        let (zero, others) = (Ladder::RUNGS[0], &Ladder::RUNGS[1..]);
        let player = |rung: &&str| rung_player(rung).expect("a test builds every rung");
        EventPlan {
            name: "calibration of the ladder".to_owned(),
            seed,
            schedule: Format::Ladder { subjects: others.len(), error, pairs, known: Vec::new() },
            players: others.iter().chain([&zero]).map(player).collect(),
            openings: OpeningPlan { plies: Some(RANDOM_PLIES), ..OpeningPlan::default() },
            adjudication: Adjudication::default(),
            tablebase: None,
            time_margin: 0,
            sprt: None,
        }
    }

    /// The ladder that the results of its calibration make, the weakest rung first.
    pub fn measured(
        plan: &EventPlan,
        scores: impl Iterator<Item = PairScore> + Clone,
        measured: String,
    ) -> Result<Ladder, RatingError> {
        let ratings = ratings(plan, scores.clone())?.players;
        let zero = plan.players.len() - 1;
        let mut order: Vec<usize> = (0..zero).collect();
        order.sort_by(|&one, &other| ratings[one].rating.total_cmp(&ratings[other].rating));
        order.insert(0, zero);
        let place = |player: usize| order.iter().position(|&other| other == player).unwrap_or(0);
        let meeting = |((one, other), score): ((usize, usize), PlayerScore)| {
            let (one, other) = (place(one), place(other));
            let results = score.games;
            if one > other {
                Meeting { white: one, black: other, results }
            } else {
                Meeting { white: other, black: one, results: results.reversed() }
            }
        };
        let mut results: Vec<Meeting> = Tallies::of(scores).meetings().map(meeting).collect();
        results.sort_by_key(|meeting| (meeting.white, meeting.black));
        let rungs = order.iter().map(|&player| plan.players[player].mind.to_string()).collect();
        Ok(Ladder { measured, rungs, results })
    }
}

fn rung_player(rung: &str) -> Result<Participant, minds::SpecError> {
    Ok(Participant { name: rung.to_owned(), mind: rung.parse::<MindSpec>()?, time: ENOUGH })
}

/// What the results of a climb say: rungs stay about where they are known to be, every other player is rated by games
/// against them.
pub fn ratings(plan: &EventPlan, scores: impl Iterator<Item = PairScore>) -> Result<Ratings, RatingError> {
    let players = plan.players.len();
    let anchors = match &plan.schedule {
        Format::Ladder { subjects, known, .. } => rungs(players, *subjects, known)?,
        _ => Vec::new(),
    };
    let meeting =
        |((white, black), score): ((usize, usize), PlayerScore)| Meeting { white, black, results: score.games };
    let meetings = Tallies::of(scores).meetings().map(meeting).collect();
    League { players, meetings, anchors, ..League::default() }.rate()
}

/// What is known of the players of a climb before it begins.
pub fn known_ratings(plan: &EventPlan) -> Result<Ratings, RatingError> {
    match &plan.schedule {
        Format::Ladder { subjects, known, .. } => before(plan.players.len(), *subjects, known),
        _ => League { players: plan.players.len(), ..League::default() }.rate(),
    }
}

fn before(players: usize, subjects: usize, known: &[Meeting]) -> Result<Ratings, RatingError> {
    let zero = Anchor { player: subjects, rating: 0.0, uncertainty: None };
    League { players, meetings: known.to_vec(), anchors: vec![zero], ..League::default() }.rate()
}

/// How far a rung may be off for a certain opponent, as a standard deviation: strength is not all, some styles suit
/// each other. So no single rung decides a rating, and a rated player meets several.
const STYLE: f64 = 25.0;

/// The rungs of a climb, as far as results place them: the first is at zero.
pub(crate) fn rungs(players: usize, subjects: usize, known: &[Meeting]) -> Result<Vec<Anchor>, RatingError> {
    let ratings = before(players, subjects, known)?.players;
    let rung = |player: usize| {
        let uncertainty = (player != subjects).then_some(STYLE);
        Anchor { player, rating: ratings[player].rating, uncertainty }
    };
    Ok((subjects..players).filter(|&player| ratings[player].standing == RatingKind::Rated).map(rung).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Pairing;
    use crate::statistics::Trinomial;

    #[test]
    fn the_ladder_that_comes_with_the_program_is_whole() {
        let ladder = Ladder::ours();
        assert_eq!(ladder.rungs.first().map(String::as_str), Some("random"));
        let mut rungs: Vec<&str> = ladder.rungs.iter().map(String::as_str).collect();
        let mut expected = Ladder::RUNGS.to_vec();
        rungs.sort_unstable();
        expected.sort_unstable();
        assert_eq!(rungs, expected, "the rungs have changed: measure them");
        for rung in &ladder.rungs {
            assert!(rung_player(rung).expect("a mind").mind.build(1).is_ok(), "{rung}");
        }
        assert_eq!(serde_json::from_str::<Ladder>(&ladder.to_json()).expect("JSON"), ladder);
    }

    #[test]
    fn no_two_rungs_in_a_row_are_too_far_apart() {
        let ratings = Ladder::ours().ratings().expect("ratings").players;
        assert!(ratings.iter().all(|rung| rung.standing == RatingKind::Rated), "{ratings:?}");
        for rungs in ratings.windows(2) {
            // At 400 points the weaker one still scores one in eleven.
            assert!((0.0..400.0).contains(&(rungs[1].rating - rungs[0].rating)), "{rungs:?}");
        }
        assert!(ratings.last().is_some_and(|top| top.rating > 2000.0), "{ratings:?}");
    }

    #[test]
    fn a_calibration_makes_a_ladder_with_the_weakest_first() {
        let plan = Ladder::calibration(1, 40, 10);
        let (top, zero) = (plan.players.len() - 2, plan.players.len() - 1);
        let pair = |first, second, games| PairScore { pairing: Pairing { round: 1, first, second }, games };
        let scores = [pair(top, zero, [2, 1]), pair(0, zero, [1, 1]), pair(zero, top, [1, 0])];
        let ladder = Ladder::measured(&plan, scores.into_iter(), String::new()).expect("ratings");
        assert_eq!((ladder.rungs[0].as_str(), ladder.rungs.len()), ("random", plan.players.len()));
        let place = |mind: &str| ladder.rungs.iter().position(|rung| rung == mind).expect("a rung");
        let top = place("search:nodes=10000,net=none");
        let against_zero = ladder.results.iter().find(|one| one.white == top).expect("they met");
        assert_eq!((against_zero.black, against_zero.results), (0, Trinomial::new(2, 2, 0)));
        let ratings = ladder.ratings().expect("ratings").players;
        assert!(ratings[top].rating > ratings[place("search:nodes=50,random=80,net=none")].rating);
    }
}
