//! What is kept of a reviewed game to sum up a player later: small, and readable by a later run.

use records::eco::GameOpening;
use records::pgn::{GameTree, PgnResult};
use rules::Color;
use serde::{Deserialize, Serialize};

use crate::clock::TimeUse;
use crate::{Chances, Judgement, Phase, Review};

/// What a [`PlayerSummary`](crate::PlayerSummary) needs to know of a reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameDigest {
    players: [String; 2],
    result: String,
    pub(crate) opening: Option<DigestedOpening>,
    /// White's moves, then Black's.
    moves: [Vec<DigestedMove>; 2],
}

/// The opening of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct DigestedOpening {
    pub(crate) eco: String,
    pub(crate) name: String,
}

/// A move of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct DigestedMove {
    pub(crate) phase: Phase,
    pub(crate) judgement: Judgement,
    /// The kind of the first reason, of a move that is criticised.
    pub(crate) reason: Option<String>,
    before: Chances,
    after: Chances,
    accuracy: Option<f64>,
    /// How long it took.
    pub(crate) seconds: Option<f64>,
    /// The seconds that were left after it.
    pub(crate) clock: Option<f64>,
}

impl DigestedMove {
    /// The chances before and after the move and its accuracy, if it had an alternative.
    pub(crate) fn counted(&self) -> Option<(Chances, Chances, f64)> {
        Some((self.before, self.after, self.accuracy?))
    }
}

impl GameDigest {
    /// What is kept of a game and its review.
    pub fn new(game: &GameTree, review: &Review) -> GameDigest {
        let times = TimeUse::of_game(game);
        let moves = Color::ALL.map(|color| {
            let own = review.moves.iter().filter(|judged| judged.color() == color);
            own.map(|judged| {
                let time = times.get(judged.ply).copied().unwrap_or_default();
                let reason = judged.reasons.first().filter(|_| judged.judgement.is_error());
                DigestedMove {
                    phase: judged.phase,
                    judgement: judged.judgement,
                    reason: reason.map(|reason| reason.kind().to_owned()),
                    before: judged.chances_before,
                    after: judged.chances_after,
                    accuracy: judged.accuracy,
                    seconds: time.spent.map(|spent| spent.as_secs_f64()),
                    clock: time.left.map(|left| left.as_secs_f64()),
                }
            })
            .collect()
        });
        GameDigest {
            players: ["White", "Black"].map(|tag| game.tags.get(tag).unwrap_or_default().to_owned()),
            result: game.result().as_str().to_owned(),
            opening: review
                .opening
                .map(|GameOpening { name, .. }| DigestedOpening { eco: name.eco.clone(), name: name.name.clone() }),
            moves,
        }
    }

    pub(crate) fn player(&self, color: Color) -> &str {
        of(&self.players, color).as_str()
    }

    pub(crate) fn result(&self) -> PgnResult {
        PgnResult::from_bytes(self.result.as_bytes()).unwrap_or(PgnResult::Unknown)
    }

    pub(crate) fn moves(&self, color: Color) -> impl Iterator<Item = &DigestedMove> {
        of(&self.moves, color).iter()
    }
}

/// White's entry of two, or Black's.
fn of<T>([white, black]: &[T; 2], color: Color) -> &T {
    if color == Color::White { white } else { black }
}
