//! The unit of an event: the games of a pair that are still to be played, as plain data that says all about them.

use minds::MindSpec;
use random::Random;
use rules::{ByColor, Game, Position};
use serde::{Deserialize, Serialize};

use crate::queue::Unit;
use crate::{Adjudication, GameRecord, Participant, TimeControl};

/// Games of one pair, to be played anywhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairUnit {
    /// The pair, from 0.
    pub pair: u64,
    /// Which of its games are to be played: the first (0), the second (1), or both.
    pub legs: Vec<usize>,
    /// Who meets. The first has White in the first game.
    pub players: [Seat; 2],
    /// Where both games begin.
    #[serde(with = "opening")]
    pub opening: Game,
    /// The seed of the event. Our engines draw by it and the number of the game.
    pub seed: u64,
    /// When a game is ended from outside.
    pub adjudication: Adjudication,
    /// Whether a tablebase ends games.
    pub tablebase: bool,
    /// How many milliseconds too late a move may come.
    pub time_margin: u64,
}

/// A player and their place in the list of players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The place.
    pub place: usize,
    /// The player, as they enter this pair.
    pub player: Participant,
}

/// A game of a unit that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedGame {
    /// The first game of the pair or the second: 0 or 1.
    pub leg: usize,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// The game itself.
    pub game: GameRecord,
}

impl PairUnit {
    /// Who has which color in a game of the pair.
    pub fn seats(&self, leg: usize) -> ByColor<&Seat> {
        let [first, second] = &self.players;
        if leg == 0 { ByColor { white: first, black: second } } else { ByColor { white: second, black: first } }
    }

    /// The seeds of the players in a game of the pair.
    pub fn seeds(&self, leg: usize) -> ByColor<u64> {
        let mut random = Random::numbered(self.seed, 2 * self.pair + leg as u64);
        ByColor { white: random.next_u64(), black: random.next_u64() }
    }

    /// How many threads think at once in a game.
    pub fn threads(&self) -> usize {
        super::plan::threads_at_once(self.players.iter().map(|seat| &seat.player.mind))
    }

    /// Whether its games depend on how fast the machine is.
    pub fn is_timed(&self) -> bool {
        self.players.iter().any(|Seat { player, .. }| is_timed(player))
    }
}

/// Whether how a player does depends on how fast the machine is.
pub fn is_timed(player: &Participant) -> bool {
    let by_time = !matches!(player.time, TimeControl::Nodes(_) | TimeControl::Depth(_));
    let by_itself = matches!(&player.mind, MindSpec::Search(search) if search.time.is_some());
    by_time || by_itself
}

impl Unit for PairUnit {
    type Outcome = Vec<PlayedGame>;

    fn number(&self) -> u64 {
        self.pair
    }

    fn check(&self, games: &Vec<PlayedGame>) -> Result<(), String> {
        let is_played = |leg: &usize| games.iter().filter(|game| game.leg == *leg).count() == 1;
        // An answer may be older than an interruption after which only one game was left to play.
        if !self.legs.iter().all(is_played) || !games.iter().all(|game| game.leg <= 1 && is_played(&game.leg)) {
            let legs: Vec<usize> = games.iter().map(|game| game.leg + 1).collect();
            return Err(format!("pair {} was answered by games {legs:?}", self.pair));
        }
        let opening = self.opening.moves();
        for PlayedGame { leg, game, .. } in games {
            if game.start != *self.opening.start() || game.moves.get(..game.book_plies) != Some(opening) {
                return Err(format!("game {} of pair {} has another opening", leg + 1, self.pair));
            }
        }
        Ok(())
    }

    fn is_repeatable(&self) -> bool {
        !self.is_timed() && self.threads() == 1
    }

    fn difference(one: &Vec<PlayedGame>, other: &Vec<PlayedGame>) -> Option<String> {
        one.iter().find_map(|one| {
            let other = other.iter().find(|other| other.leg == one.leg)?;
            let moves = one.game.moves.iter().zip(&other.game.moves);
            let same = moves.take_while(|(one, other)| one == other).count();
            let are_equal = one.game.moves == other.game.moves && one.game.reason == other.game.reason;
            (!are_equal || one.game.ending != other.game.ending)
                .then(|| format!("game {} differs after {same} plies", one.leg + 1))
        })
    }
}

/// An opening as text: where it starts, if that is not the starting position, and its moves.
mod opening {
    use serde::de::Error;
    use serde::{Deserializer, Serializer};

    use super::{Deserialize, Game, Position, Serialize};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<String>,
        moves: String,
    }

    pub(super) fn serialize<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
        let mut position = *game.start();
        let start = (position != Position::initial()).then(|| position.shredder_fen());
        let mut moves = Vec::with_capacity(game.moves().len());
        for &mv in game.moves() {
            moves.push(position.uci(mv));
            position = position.play_unchecked(mv);
        }
        Text { start, moves: moves.join(" ") }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        let Text { start, moves } = Text::deserialize(deserializer)?;
        let start = match start {
            Some(fen) => fen.parse().map_err(|_| D::Error::custom(format!("the start {fen:?} is no position")))?,
            None => Position::initial(),
        };
        let mut game = Game::new(start);
        for text in moves.split_whitespace() {
            let mv = game.position().parse_uci(text).map_err(|_| D::Error::custom(format!("{text:?} is no move")))?;
            game.play(mv).map_err(|_| D::Error::custom(format!("{text:?} cannot be played")))?;
        }
        Ok(game)
    }
}
