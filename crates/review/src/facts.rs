//! What a reason says, as values: for programs that tell it in other words or another language.

use rules::{Position, Role};
use serde::Serialize;

use crate::json::OutlookJson;
use crate::{BookMoves, EndgameResults, Exchange, Hanging, HangingCause, Reason, Tactic};

/// The facts of a reason, besides its squares, its line and its value.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReasonFacts))]
#[serde(tag = "of", rename_all = "snake_case")]
pub(crate) enum FactsJson {
    /// A forced mate.
    Mate {
        /// Whether the king is mated on its first rank by a rook or a queen.
        back_rank: bool,
    },
    /// A draw by the rules.
    Draw { by: String },
    /// What the tablebases say, each `won`, `drawn` or `lost` for the player.
    Endgame { before: &'static str, after: &'static str },
    Hanging {
        victim: String,
        /// `moved` to where it hangs, `left` there, or `exposed` by the move.
        cause: &'static str,
        /// What is lost in centipawns, unless it is simply the piece.
        loses: Option<i32>,
        /// Whether a rook is lost for a minor piece.
        exchange: bool,
    },
    Tactic {
        /// `fork`, `pin`, `skewer`, `discovered attack` or `trapped piece`.
        kind: String,
        attacker: String,
        targets: Vec<TargetJson>,
        /// What is won at least, in centipawns.
        wins: i32,
    },
    /// Pieces that a capture wins, and what is given for them.
    Capture { won: Vec<String>, lost: Vec<String> },
    /// Another move, and what it is worth.
    Other { eval: OutlookJson },
    /// What the book plays.
    Book { moves: Vec<String> },
    /// There is no more to say.
    Nothing,
}

/// A piece that is attacked.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReasonTarget))]
pub(crate) struct TargetJson {
    square: String,
    role: String,
}

impl From<&Reason> for FactsJson {
    fn from(reason: &Reason) -> FactsJson {
        match reason {
            Reason::MissesMate(mate) | Reason::AllowsMate(mate) => {
                FactsJson::Mate { back_rank: mate.is_on_back_rank() }
            }
            Reason::DrawsWonGame(by) => FactsJson::Draw { by: by.to_string() },
            Reason::SpoilsEndgame(EndgameResults { before, after }) => {
                FactsJson::Endgame { before: EndgameResults::name(*before), after: EndgameResults::name(*after) }
            }
            Reason::Hangs(hanging) => hanging.into(),
            Reason::AllowsTactic(tactic) | Reason::MissesTactic(tactic) => tactic.into(),
            Reason::MissesCapture(exchange) => exchange.into(),
            Reason::BetterLine(other) | Reason::OnlyMove(other) => FactsJson::Other { eval: other.outlook.into() },
            Reason::LeavesBook(BookMoves { position, moves }) => {
                FactsJson::Book { moves: moves.iter().map(|&mv| Position::san(position, mv)).collect() }
            }
            Reason::Stalemates
            | Reason::AllowsStalemate(_)
            | Reason::AllowsPromotion(_)
            | Reason::MissesPromotion(_)
            | Reason::MissesZugzwang(_) => FactsJson::Nothing,
        }
    }
}

impl From<&Hanging> for FactsJson {
    fn from(hanging: &Hanging) -> FactsJson {
        FactsJson::Hanging {
            victim: hanging.exchange.victim.to_string(),
            cause: match hanging.cause {
                HangingCause::Moved => "moved",
                HangingCause::Left => "left",
                HangingCause::Exposed => "exposed",
            },
            loses: hanging.loses(),
            exchange: hanging.is_the_exchange(),
        }
    }
}

impl From<&Tactic> for FactsJson {
    fn from(tactic: &Tactic) -> FactsJson {
        let target =
            |(square, role): &(rules::Square, Role)| TargetJson { square: square.to_string(), role: role.to_string() };
        FactsJson::Tactic {
            kind: tactic.kind.to_string(),
            attacker: tactic.attacker.to_string(),
            targets: tactic.targets.iter().map(target).collect(),
            wins: tactic.wins,
        }
    }
}

impl From<&Exchange> for FactsJson {
    fn from(exchange: &Exchange) -> FactsJson {
        let names = |roles: Vec<Role>| roles.iter().map(Role::to_string).collect();
        let (won, lost) = exchange.balance();
        FactsJson::Capture { won: names(won), lost: names(lost) }
    }
}
