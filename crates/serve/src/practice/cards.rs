//! Cards from the mistakes of a review.

use serde_json::Value;

use crate::store::NewCard;

/// The judgements that make a card.
const MISTAKES: [&str; 3] = ["mistake", "blunder", "miss"];

/// The cards of a player's mistakes, from a review as JSON.
pub(crate) fn from_review(review: &Value, color: &str) -> Vec<NewCard> {
    let moves = review["moves"].as_array().map_or(&[][..], Vec::as_slice);
    moves.iter().filter(|mv| mv["color"] == color).filter_map(card).collect()
}

fn card(mv: &Value) -> Option<NewCard> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if !MISTAKES.contains(&mv["judgement"].as_str()?) {
        return None;
    }
    let (played, best) = (text(&mv["uci"])?, text(&mv["best"]["uci"][0])?);
    let reason = &mv["reasons"][0];
    Some(NewCard {
        ply: usize::try_from(mv["ply"].as_u64()?).ok()?,
        fen: text(&mv["fen"])?,
        theme: text(&reason["tactic"]).or_else(|| text(&reason["kind"])),
        reason: text(&reason["text"]),
        played,
        best,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_mistakes_of_the_player_become_cards() {
        let mv = |ply: usize, color: &str, judgement: &str| {
            json!({"ply": ply, "color": color, "judgement": judgement, "uci": "g2g4", "fen": "f",
                "best": {"uci": ["e2e4", "e7e5"]}, "reasons": [{"kind": "allows_mate", "text": "allows mate in 1", "tactic": null}]})
        };
        let moves = [
            mv(0, "white", "best"),
            mv(1, "black", "blunder"),
            mv(2, "white", "blunder"),
            mv(4, "white", "inaccuracy"),
        ];
        let cards = from_review(&json!({"moves": moves}), "white");
        assert_eq!(cards.len(), 1);
        let NewCard { ply, best, theme, reason, .. } = &cards[0];
        assert_eq!((*ply, best.as_str(), theme.as_deref()), (2, "e2e4", Some("allows_mate")));
        assert_eq!(reason.as_deref(), Some("allows mate in 1"));
    }
}
