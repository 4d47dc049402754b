//! When to ask again: a model of memory with two numbers for each card.
//!
//! The formulas and their default numbers are those of FSRS-5, the *Free Spaced Repetition Scheduler* of Jarrett Ye and
//! others, as they are published. Stability is the number of days after which an answer is remembered with a
//! probability of 90 %; difficulty goes from 1 to 10.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How well an answer was known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// It was not known.
    Again,
    /// It was known with effort.
    Hard,
    /// It was known.
    Good,
    /// It was known at once.
    Easy,
}

/// What is known of the memory of a card.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Memory {
    /// In days.
    pub(crate) stability: f64,
    pub(crate) difficulty: f64,
}

/// The weights of the model, in the order in which they are published.
const W: [f64; 19] = [
    0.40255, 1.18385, 3.173, 15.69105, 7.1949, 0.5345, 1.4604, 0.0046, 1.54575, 0.1192, 1.01925, 1.9395, 0.11, 0.29605,
    2.2698, 0.2315, 2.9898, 0.51655, 0.6621,
];

/// The curve of forgetting falls by this power, and passes 90 % when as many days have gone as the stability says.
const DECAY: f64 = -0.5;
const FACTOR: f64 = 19.0 / 81.0;

/// A card is asked again when it is remembered with this probability.
const RETENTION: f64 = 0.9;

/// Cards are asked at least this often, in days.
const LONGEST: f64 = 3650.0;

/// The least stability, in days.
const LEAST: f64 = 0.01;

impl Grade {
    /// 1 to 4.
    fn number(self) -> f64 {
        f64::from(self as u8) + 1.0
    }
}

impl Memory {
    /// The memory after the first answer.
    fn first(grade: Grade) -> Memory {
        Memory { stability: W[grade as usize], difficulty: first_difficulty(grade) }
    }

    /// The memory after an answer, so many days after the one before. There is none before the first answer.
    pub(crate) fn after(before: Option<Memory>, days: f64, grade: Grade) -> Memory {
        let Some(before) = before else { return Memory::first(grade) };
        let stability = if days < 1.0 {
            before.stability * (W[17] * (grade.number() - 3.0 + W[18])).exp()
        } else if grade == Grade::Again {
            before.after_lapse(days)
        } else {
            before.after_success(days, grade)
        };
        Memory { stability: stability.clamp(LEAST, LONGEST), difficulty: before.next_difficulty(grade) }
    }

    /// How probable it is that the answer is known after so many days.
    pub(crate) fn retrievability(self, days: f64) -> f64 {
        (1.0 + FACTOR * days / self.stability).powf(DECAY)
    }

    /// After how many days the card is asked again.
    pub(crate) fn interval(self) -> f64 {
        let days = self.stability / FACTOR * (RETENTION.powf(1.0 / DECAY) - 1.0);
        days.round().clamp(1.0, LONGEST)
    }

    /// The difficulty changes less the nearer it is to 10, and is drawn a little to that of an easy card.
    fn next_difficulty(self, grade: Grade) -> f64 {
        let change = -W[6] * (grade.number() - 3.0);
        let changed = self.difficulty + change * (10.0 - self.difficulty) / 9.0;
        (W[7] * first_difficulty(Grade::Easy) + (1.0 - W[7]) * changed).clamp(1.0, 10.0)
    }

    fn after_success(self, days: f64, grade: Grade) -> f64 {
        let bonus = match grade {
            Grade::Hard => W[15],
            Grade::Easy => W[16],
            Grade::Again | Grade::Good => 1.0,
        };
        let forgotten = 1.0 - self.retrievability(days);
        let growth = W[8].exp()
            * (11.0 - self.difficulty)
            * self.stability.powf(-W[9])
            * ((W[10] * forgotten).exp() - 1.0)
            * bonus;
        self.stability * (1.0 + growth)
    }

    fn after_lapse(self, days: f64) -> f64 {
        let forgotten = 1.0 - self.retrievability(days);
        let left = W[11]
            * self.difficulty.powf(-W[12])
            * ((self.stability + 1.0).powf(W[13]) - 1.0)
            * (W[14] * forgotten).exp();
        left.min(self.stability)
    }
}

fn first_difficulty(grade: Grade) -> f64 {
    (W[4] - (W[5] * (grade.number() - 1.0)).exp() + 1.0).clamp(1.0, 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRADES: [Grade; 4] = [Grade::Again, Grade::Hard, Grade::Good, Grade::Easy];

    #[test]
    fn the_published_numbers_of_first_answers_come_out() {
        let first = GRADES.map(|grade| Memory::after(None, 0.0, grade));
        assert_eq!(first.map(|memory| memory.stability), [0.40255, 1.18385, 3.173, 15.69105]);
        assert_eq!(first[0].difficulty, 7.1949, "that of a card that was not known is a number of the model");
        assert_eq!(first.map(|memory| memory.interval()), [1.0, 1.0, 3.0, 16.0]);
    }

    #[test]
    fn ninety_percent_are_known_when_the_stability_has_gone_by() {
        for stability in [0.5, 3.0, 100.0] {
            let memory = Memory { stability, difficulty: 5.0 };
            assert!((memory.retrievability(stability) - 0.9).abs() < 1e-9);
            assert!((memory.retrievability(0.0) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_better_answer_is_asked_later() {
        for before in [None, Some(Memory { stability: 10.0, difficulty: 5.0 })] {
            for days in [1.0, 10.0, 100.0] {
                let stabilities = GRADES.map(|grade| Memory::after(before, days, grade).stability);
                assert!(stabilities.is_sorted_by(|one, other| one < other), "{before:?} {days}: {stabilities:?}");
                let difficulties = GRADES.map(|grade| Memory::after(before, days, grade).difficulty);
                assert!(difficulties.is_sorted_by(|one, other| one > other), "{before:?} {days}: {difficulties:?}");
            }
        }
    }

    #[test]
    fn good_answers_when_asked_double_the_interval_at_least() {
        let mut memory = Memory::after(None, 0.0, Grade::Good);
        for _ in 0..5 {
            let interval = memory.interval();
            memory = Memory::after(Some(memory), interval, Grade::Good);
            assert!(memory.interval() >= 2.0 * interval || memory.interval() >= 300.0, "{memory:?} after {interval}");
        }
    }

    #[test]
    fn a_lapse_never_makes_a_card_more_stable_and_nothing_leaves_its_range() {
        let mut memory = None;
        for round in 0..2000_usize {
            let grade = GRADES[round * 7 % 4];
            let days = [0.0, 0.5, 1.0, 30.0, 4000.0][round % 5];
            let next = Memory::after(memory, days, grade);
            if let Some(before) = memory
                && grade == Grade::Again
            {
                let before: Memory = before;
                assert!(next.stability <= before.stability);
            }
            assert!((1.0..=10.0).contains(&next.difficulty) && (1.0..=LONGEST).contains(&next.interval()));
            memory = Some(next);
        }
    }
}
