//! Why a move is judged as it is: claims with their facts, told in words.

use std::fmt;

use rules::{DrawReason, Move, Position, Role, Square};
use search::TablebaseResult;
use serde::{Serialize, Serializer};

use crate::json::ReasonJson;
use crate::{Alternative, Exchange, Hanging, HangingCause, Mate, Tactic, TacticKind, Variation};

/// Why a move is judged as it is. Every claim holds the facts to check it by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// There was a forced mate, and there is none any more.
    MissesMate(Mate),
    /// The opponent has a forced mate, which a better move would have prevented.
    AllowsMate(Mate),
    /// The opponent has no move, and is not in check, in a game that was not lost.
    Stalemates,
    /// The game was won, and may now end in a draw by the rules.
    DrawsWonGame(DrawReason),
    /// The player was better, and the opponent's line ends in stalemate.
    AllowsStalemate(Variation),
    /// The result of the endgame by the tablebases is worse than it was.
    SpoilsEndgame(EndgameResults),
    /// The opponent takes a piece and wins material by it.
    Hangs(Hanging),
    /// The opponent has a move after which material is lost, whatever the reply.
    AllowsTactic(Tactic),
    /// The opponent's line promotes a pawn, and the best line would have prevented it.
    AllowsPromotion(Variation),
    /// A capture would have won material.
    MissesCapture(Exchange),
    /// A move would have won material, whatever the reply.
    MissesTactic(Tactic),
    /// The best line promotes a pawn, and the move that was played gave that up.
    MissesPromotion(Variation),
    /// After the best move the opponent loses because they have to move, by the tablebases.
    MissesZugzwang(Variation),
    /// What the search prefers.
    BetterLine(Alternative),
    /// In praise: every other move would have been a mistake, the best of them among them.
    OnlyMove(Alternative),
    /// The first move that is not in the book, and those that are.
    LeavesBook(BookMoves),
}

/// What a book would have played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMoves {
    /// Where.
    pub position: Position,
    /// Its moves, the likeliest first.
    pub moves: Vec<Move>,
}

/// What the tablebases say of an endgame before and after a move, for the player who made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameResults {
    /// With the best move.
    pub before: TablebaseResult,
    /// With the move.
    pub after: TablebaseResult,
}

impl EndgameResults {
    /// `won`, `drawn` or `lost`.
    pub(crate) fn name(result: TablebaseResult) -> &'static str {
        match result {
            TablebaseResult::Win => "won",
            TablebaseResult::Loss => "lost",
            // The fifty-move rule makes them draws.
            TablebaseResult::Draw | TablebaseResult::CursedWin | TablebaseResult::BlessedLoss => "drawn",
        }
    }

    /// Whether the game may end otherwise than it could have.
    pub(crate) fn differ(self) -> bool {
        EndgameResults::name(self.before) != EndgameResults::name(self.after)
    }
}

impl fmt::Display for EndgameResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [before, after] = [self.before, self.after].map(EndgameResults::name);
        write!(f, "by the tablebases the endgame was {before} and is {after}")
    }
}

/// Moves of a line that are told; the facts hold them all.
pub(crate) const TOLD: usize = 7;

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::MissesMate(mate) => write!(f, "misses {}", MateInWords(mate)),
            Reason::AllowsMate(mate) => write!(f, "allows {}", MateInWords(mate)),
            Reason::Stalemates => f.write_str("stalemates: the opponent has no legal move and is not in check"),
            Reason::DrawsWonGame(reason) => write!(f, "lets a won game end in a draw by {reason}"),
            Reason::AllowsStalemate(line) => write!(f, "allows a stalemate ({})", line.cut_to(TOLD)),
            Reason::SpoilsEndgame(results) => write!(f, "{results}"),
            Reason::Hangs(hanging) => hangs(hanging, f),
            Reason::AllowsTactic(tactic) => write!(f, "allows {}", TacticInWords(tactic)),
            Reason::AllowsPromotion(line) => write!(f, "lets a pawn promote ({})", line.cut_to(TOLD)),
            Reason::MissesCapture(exchange) => {
                write!(f, "misses {}, which wins {}", exchange.captures.cut_to(1), exchange.spoils())
            }
            Reason::MissesTactic(tactic) => write!(f, "misses {}", TacticInWords(tactic)),
            Reason::MissesPromotion(line) => write!(f, "misses a promotion ({})", line.cut_to(TOLD)),
            Reason::MissesZugzwang(line) => {
                write!(f, "misses a zugzwang: after {line} the opponent loses because they have to move")
            }
            Reason::BetterLine(Alternative { line, outlook }) => write!(f, "better: {} ({outlook})", line.cut_to(TOLD)),
            Reason::OnlyMove(Alternative { line, outlook }) => {
                write!(f, "the only good move: next best is {} ({outlook})", line.cut_to(1))
            }
            Reason::LeavesBook(BookMoves { position, moves }) => {
                let names: Vec<String> = moves.iter().map(|&mv| position.san(mv)).collect();
                write!(f, "leaves the book, which knows {}", names.join(", "))
            }
        }
    }
}

fn hangs(hanging: &Hanging, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Hanging { exchange, cause, .. } = hanging;
    let Exchange { square, victim, captures, .. } = exchange;
    match cause {
        HangingCause::Moved => write!(f, "hangs the {victim} ({captures})")?,
        HangingCause::Left => write!(f, "leaves the {victim} on {square} hanging ({captures})")?,
        HangingCause::Exposed => write!(f, "exposes the {victim} on {square} ({captures})")?,
    }
    // A piece that is taken back, or that was given for something, is not simply lost.
    if hanging.is_the_exchange() {
        f.write_str(", which loses the exchange")?;
    } else if let Some(loses) = hanging.loses() {
        write!(f, ", which loses {}", pawns(loses))?;
    }
    Ok(())
}

/// An amount of material in pawns: `a pawn`, `2.2 pawns`.
fn pawns(centipawns: i32) -> String {
    match centipawns {
        100 => "a pawn".to_owned(),
        whole if whole % 100 == 0 => format!("{} pawns", whole / 100),
        part => format!("{:.1} pawns", f64::from(part) / 100.0),
    }
}

struct MateInWords<'a>(&'a Mate);

impl fmt::Display for MateInWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mate { moves, line, .. } = self.0;
        let kind = if self.0.is_on_back_rank() { "a back-rank mate" } else { "mate" };
        match line.cut_to(TOLD).moves().len() < line.moves().len() {
            true => write!(f, "{kind} in {moves} ({} …)", line.cut_to(TOLD)),
            false => write!(f, "{kind} in {moves} ({line})"),
        }
    }
}

struct TacticInWords<'a>(&'a Tactic);

impl fmt::Display for TacticInWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tactic { kind, position, mv, attacker, targets, wins } = self.0;
        let line = Variation::new(*position, [*mv]);
        let targets = list(targets);
        match kind {
            TacticKind::Fork => write!(f, "a fork: {line} attacks {targets}")?,
            TacticKind::Pin => write!(f, "a pin: after {line}, {targets} is pinned and lost")?,
            TacticKind::Skewer => write!(f, "a skewer: {line} attacks {targets} in one line")?,
            TacticKind::DiscoveredAttack => {
                write!(f, "a discovered attack: {line} opens the line from {attacker} to {targets}")?;
            }
            TacticKind::Trap => write!(f, "{line}, after which {targets} is trapped")?,
        }
        write!(f, " (wins at least {})", pawns(*wins))
    }
}

/// `the king on e8 and the rook on a8`.
fn list(targets: &[(Square, Role)]) -> String {
    let mut words: Vec<String> = targets.iter().map(|(square, role)| format!("the {role} on {square}")).collect();
    match words.pop() {
        Some(last) if !words.is_empty() => format!("{} and {last}", words.join(", ")),
        last => last.unwrap_or_default(),
    }
}

impl Reason {
    /// The name of the kind of reason, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Reason::MissesMate(_) => "misses_mate",
            Reason::AllowsMate(_) => "allows_mate",
            Reason::Stalemates => "stalemates",
            Reason::DrawsWonGame(_) => "draws_won_game",
            Reason::AllowsStalemate(_) => "allows_stalemate",
            Reason::SpoilsEndgame(_) => "spoils_endgame",
            Reason::Hangs(_) => "hangs",
            Reason::AllowsTactic(_) => "allows_tactic",
            Reason::MissesCapture(_) => "misses_capture",
            Reason::MissesTactic(_) => "misses_tactic",
            Reason::AllowsPromotion(_) => "allows_promotion",
            Reason::MissesPromotion(_) => "misses_promotion",
            Reason::MissesZugzwang(_) => "misses_zugzwang",
            Reason::BetterLine(_) => "better_line",
            Reason::OnlyMove(_) => "only_move",
            Reason::LeavesBook(_) => "leaves_book",
        }
    }

    /// What went wrong, in the words of a table, by the kind of a reason.
    pub(crate) fn fault(kind: &str) -> String {
        match kind {
            "better_line" => "a better move, for no simple reason".to_owned(),
            "hangs" => "leaves something hanging".to_owned(),
            kind => kind.replace('_', " "),
        }
    }

    /// The squares that the reason speaks of, to be marked on a board.
    pub fn squares(&self) -> Vec<Square> {
        match self {
            Reason::Hangs(Hanging { exchange, .. }) | Reason::MissesCapture(exchange) => vec![exchange.square],
            Reason::AllowsTactic(tactic) | Reason::MissesTactic(tactic) => {
                std::iter::once(tactic.attacker).chain(tactic.targets.iter().map(|(square, _)| *square)).collect()
            }
            Reason::MissesMate(mate) | Reason::AllowsMate(mate) => mated_king(mate.line.end()).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The moves that show it.
    pub fn line(&self) -> Option<Variation> {
        let single = |position: &Position, mv: Move| Variation::new(*position, [mv]);
        match self {
            Reason::MissesMate(mate) | Reason::AllowsMate(mate) => Some(mate.line.clone()),
            Reason::Hangs(Hanging { exchange, .. }) | Reason::MissesCapture(exchange) => {
                Some(exchange.captures.clone())
            }
            Reason::AllowsTactic(tactic) | Reason::MissesTactic(tactic) => Some(single(&tactic.position, tactic.mv)),
            Reason::AllowsStalemate(line)
            | Reason::AllowsPromotion(line)
            | Reason::MissesPromotion(line)
            | Reason::MissesZugzwang(line) => Some(line.clone()),
            Reason::BetterLine(other) | Reason::OnlyMove(other) => Some(other.line.clone()),
            Reason::Stalemates | Reason::DrawsWonGame(_) | Reason::SpoilsEndgame(_) | Reason::LeavesBook(_) => None,
        }
    }

    /// What is won or lost by it, in centipawns.
    pub fn value(&self) -> Option<i32> {
        match self {
            Reason::Hangs(Hanging { exchange, .. }) => Some(-exchange.value),
            Reason::MissesCapture(exchange) => Some(exchange.value),
            Reason::AllowsTactic(tactic) => Some(-tactic.wins),
            Reason::MissesTactic(tactic) => Some(tactic.wins),
            _ => None,
        }
    }
}

fn mated_king(position: &Position) -> Option<Square> {
    position.is_checkmate().then(|| position.king(position.turn()))
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ReasonJson::from(self).serialize(serializer)
    }
}
