//! When a card is asked, and what an answer changes: for the server and for the terminal.

use super::{Grade, Memory};
use crate::store::CardRow;

/// A day, in milliseconds.
pub(crate) const DAY: u64 = 24 * 3600 * 1000;

/// A card that was not known is asked again in the same session.
const SOON: u64 = 10 * 60 * 1000;

/// A card is answered: its memory changes, and so does the time at which it is asked again.
pub(super) fn answer(card: &mut CardRow, grade: Grade, now: u64) {
    let days = card.answered.map_or(0.0, |answered| now.saturating_sub(answered) as f64 / DAY as f64);
    if grade == Grade::Again && card.answers > 0 {
        card.lapses += 1;
    }
    let memory = Memory::after(card.memory, days, grade);
    card.memory = Some(memory);
    card.answers += 1;
    card.answered = Some(now);
    card.due = now + if grade == Grade::Again { SOON } else { memory.interval() as u64 * DAY };
}

/// How many days in a row there are, from today or yesterday backwards.
pub(super) fn streak(days: &[u64], today: u64) -> u64 {
    let Some(&last) = days.first().filter(|&&day| day + 1 >= today) else { return 0 };
    days.iter().zip((0..=last).rev()).take_while(|(day, expected)| *day == expected).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_a_row_are_counted_until_yesterday() {
        assert_eq!(streak(&[], 100), 0);
        assert_eq!(streak(&[100, 99, 98, 95], 100), 3);
        assert_eq!(streak(&[99, 98], 100), 2, "today is not over");
        assert_eq!(streak(&[98, 97], 100), 0);
        assert_eq!(streak(&[1, 0], 1), 2);
    }
}
