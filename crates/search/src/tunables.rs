//! The numbers of the search, one line each: name, value, range. (The bounds of the histories are in their types, and
//! the sizes of tables where the tables are.)
//!
//! In a normal build they are constants. With the feature `tuning` they can be set while the program runs, each within
//! its range, so that games can find better ones. There too every heuristic has a switch: a match against a search that
//! lacks one tells what it is worth, and one that is worth nothing may hide a mistake.
//!
//! Words used in the names: a *margin* is compared with a difference of scores in centipawns; *per depth* is multiplied
//! by the depth left; a *reduction* is counted in 1024ths of a ply; a *bonus* raises a history, a *malus* lowers it.

/// A number of the search that games may improve.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// The value it has unless it is set.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
}

macro_rules! tunables {
    (
        numbers { $($name:ident = $default:literal, $min:literal ..= $max:literal;)+ }
        switches { $($switch:ident;)+ }
    ) => {
        $(const _: () = assert!($min <= $default && $default <= $max, concat!(stringify!($name), " is out of its range"));)+

        /// All tunables, with their ranges.
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable { name: stringify!($name), default: $default, min: $min, max: $max }),+
        ];

        /// The heuristics that can be switched off in a build for tuning.
        pub const SWITCHES: &[&str] = &[$(stringify!($switch)),+];

        #[cfg(not(feature = "tuning"))]
        mod values {
            $(#[inline(always)] pub(crate) const fn $name() -> i32 { $default })+
            $(#[inline(always)] pub(crate) const fn $switch() -> bool { true })+
        }

        #[cfg(feature = "tuning")]
        mod values {
            use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed};

            #[allow(non_upper_case_globals, reason = "each is named like the function that reads it")]
            mod cells {
                use super::{AtomicBool, AtomicI32};
                $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)+
                $(pub(super) static $switch: AtomicBool = AtomicBool::new(true);)+
            }

            $(#[inline(always)] pub(crate) fn $name() -> i32 { cells::$name.load(Relaxed) })+
            $(#[inline(always)] pub(crate) fn $switch() -> bool { cells::$switch.load(Relaxed) })+

            /// Sets a tunable, cut to its range; says whether there is one of that name.
            pub fn set_tunable(name: &str, value: i32) -> bool {
                $(if name == stringify!($name) {
                    cells::$name.store(value.clamp($min, $max), Relaxed);
                    return true;
                })+
                false
            }

            /// Switches a heuristic on or off; says whether there is one of that name.
            pub fn set_switch(name: &str, is_on: bool) -> bool {
                $(if name == stringify!($switch) {
                    cells::$switch.store(is_on, Relaxed);
                    return true;
                })+
                false
            }
        }

        pub(crate) use values::*;
        #[cfg(feature = "tuning")]
        pub use values::{set_switch, set_tunable};
    };
}

tunables! {
    numbers {
        // The window around the last score, and how it grows.
        aspiration_window = 28, 8..=80;
        aspiration_growth_percent = 145, 110..=250;
        aspiration_depth = 4, 2..=8;
        aspiration_widest = 960, 200..=4000;
        aspiration_fail_low_divisor = 2, 2..=4;
        aspiration_reduction_limit = 3, 0..=6;

        // Late-move reductions: base + ln depth · ln moves / divisor, in 1024ths and hundredths. The correction and
        // the divisors of histories are in sixteenths.
        lmr_depth = 2, 1..=4;
        lmr_moves = 1, 1..=4;
        quiet_reduction_base = 1016, 0..=2048;
        quiet_reduction_divisor = 244, 150..=400;
        tactical_reduction_base = 385, -512..=1536;
        tactical_reduction_divisor = 330, 200..=500;
        reduction_pv = 971, 0..=3072;
        reduction_was_pv = 218, 0..=2048;
        reduction_not_improving = 711, 0..=2048;
        reduction_check = 1057, 0..=2048;
        reduction_tactical_tt_move = 966, 0..=2048;
        reduction_many_cutoffs = 858, 0..=2048;
        reduction_cutoffs = 3, 1..=8;
        reduction_correction = 16, 0..=128;
        reduction_quiet_history_divisor = 101, 48..=240;
        reduction_capture_history_divisor = 128, 48..=320;
        deeper_margin = 67, 16..=190;
        deeper_per_depth = 2, 0..=8;
        shallower_margin = 14, 0..=60;

        // Internal iterative reduction: from this depth on, a node without a move from the table.
        iir_depth = 4, 2..=10;

        // Hindsight: a node that its parent reduced by so many plies, by how the evaluation swung.
        hindsight_deeper_plies = 3, 1..=6;
        hindsight_shallower_plies = 2, 1..=6;
        hindsight_depth = 2, 1..=6;
        hindsight_swing = 272, 0..=800;

        // The transposition table: what its entries are trusted with, and which of them are replaced.
        tt_cutoff_clock = 90, 50..=100;
        tt_age_weight = 4, 1..=16;
        tt_shallower_margin = 4, 0..=12;
        tablebase_tt_depth = 6, 0..=20;

        // The evaluation scaled down by the fifty-move counter: plies after which nothing would be left of it.
        fifty_move_plies = 200, 110..=600;

        // Reverse futility: so far above beta that a reply will not undo it.
        reverse_futility_depth = 9, 4..=14;
        reverse_futility_per_depth = 120, 50..=240;
        reverse_futility_improving = 99, 0..=240;
        reverse_futility_divisor = 3, 1..=8;

        // Null move: pass, and see whether the opponent can profit.
        null_move_base = 4, 2..=6;
        null_move_depth_divisor = 4, 2..=8;
        null_move_eval_divisor = 304, 130..=640;
        null_move_eval_limit = 3, 0..=6;
        null_move_margin = 61, -80..=240;
        null_move_margin_per_depth = 19, 0..=64;
        null_move_verification_depth = 16, 10..=30;
        null_move_verification_quarters = 3, 1..=4;

        // ProbCut: a good capture that beats beta by a margin at low depth will beat beta at full depth.
        probcut_depth = 5, 3..=8;
        probcut_margin = 305, 160..=640;
        probcut_improving = 85, 0..=190;
        probcut_reduction = 4, 2..=6;
        probcut_tt_depth_margin = 3, 0..=6;

        // Pruning of single moves: late-move pruning (LMP), futility, history, static exchange evaluation.
        lmp_base = 11, 1..=30;
        lmp_divisor = 2, 1..=4;
        lmp_depth = 9, 4..=14;
        futility_depth = 9, 4..=14;
        futility_margin = 149, 30..=400;
        futility_per_depth = 108, 50..=290;
        futility_history_divisor = 78, 20..=320;
        history_pruning_depth = 5, 2..=9;
        history_pruning_per_depth = 2278, 800..=6000;
        see_quiet_per_depth = 70, 20..=120;
        see_tactical_per_depth = 94, 40..=200;
        see_check_per_depth = 200, 20..=600;
        see_history_divisor = 64, 16..=256;

        // Singular extensions: the table's move is the only good one.
        singular_depth = 6, 4..=10;
        singular_depth_divisor = 2, 2..=4;
        singular_tt_depth_margin = 3, 0..=6;
        singular_ply_factor = 2, 1..=4;
        singular_margin_per_depth = 16, 10..=64;
        double_extension_margin = 24, 0..=96;
        triple_extension_margin = 168, 64..=400;
        singular_tt_reduction = 2, 0..=4;
        singular_cut_reduction = 2, 0..=4;

        // Static exchange evaluation counts a pawn as 100; the evaluation counts it as this many centipawns.
        see_pawn_eval = 160, 50..=300;

        // Quiescence.
        quiescence_futility_margin = 249, 64..=480;
        quiescence_move_cap = 3, 1..=8;
        quiescence_softening = 2, 2..=8;

        // The order of captures: so many times the victim's value, and the history, divided.
        capture_victim_weight = 16, 4..=64;
        capture_score_divisor = 2, 1..=8;
        good_capture_history_divisor = 64, 8..=128;

        // Histories: what a cutoff changes; of that, in 128ths, what a parent or a move searched again gets.
        history_bonus_per_depth = 163, 60..=400;
        history_bonus_offset = 70, 0..=200;
        history_bonus_limit = 1799, 600..=3500;
        history_malus_per_depth = 192, 60..=400;
        history_malus_offset = 45, 0..=200;
        history_malus_limit = 1147, 400..=3500;
        malus_moves = 32, 4..=64;
        parent_bonus_share = 67, 0..=192;
        lmr_history_share = 121, 0..=256;
        continuation_four_shift = 1, 0..=4;
        continuation_six_shift = 2, 0..=4;

        // Correction history: weights of the parts, in 128ths of a centipawn per unit.
        correction_pawn = 62, 0..=200;
        correction_non_pawn = 84, 0..=200;
        correction_minor = 43, 0..=200;
        correction_continuation = 61, 0..=200;
        correction_depth_divisor = 8, 2..=32;
        correction_bonus_limit = 410, 100..=1600;

        // Time, in thousandths. No new depth is begun after the soft time, and the search ends at the hard time. The
        // soft time is scaled by the part of the nodes that went into the best move, by how long the best move has been
        // the same, and by how far the score has fallen.
        soft_time_share = 59, 30..=90;
        soft_time_saving = 49, 20..=80;
        soft_time_saving_decay = 39, 20..=70;
        time_increment_share = 750, 300..=1000;
        hard_time_share = 730, 200..=900;
        soft_time_nodes_base = 3200, 1500..=5000;
        soft_time_nodes_best_move = 3546, 500..=4500;
        soft_time_nodes_min = 550, 300..=900;
        soft_time_stability_base = 1290, 1000..=1800;
        soft_time_stability_per_depth = 44, 0..=120;
        soft_time_stability_min = 720, 400..=1000;
        soft_time_falling_eval_per_centipawn = 8, 0..=30;
        soft_time_falling_eval_min = 720, 400..=1000;
        soft_time_falling_eval_max = 1400, 1000..=2500;
        soft_time_score_average_divisor = 2, 1..=4;
        hard_time_cap = 900, 500..=950;

        // The same with `movestogo`, where more time is added after some moves.
        movestogo_cap = 50, 20..=100;
        movestogo_reserve = 300, 100..=1000;
        movestogo_increment_share = 750, 300..=1000;
        movestogo_soft_share = 850, 400..=1000;
        movestogo_hard_share = 4000, 1500..=6000;
        movestogo_hard_cap = 850, 300..=900;

        // The vote of the threads: added to a score's lead over the lowest, so that the lowest has a say too.
        vote_base = 14, 1..=100;
    }

    switches {
        // The main search, in the order of its steps.
        upcoming_repetition;
        tt_cutoffs;
        tt_estimates;
        fifty_move_scaling;
        improving;
        hindsight;
        reverse_futility_pruning;
        null_move;
        internal_iterative_reduction;
        probcut;
        late_move_pruning;
        futility;
        history_pruning;
        quiet_see_pruning;
        tactical_see_pruning;
        singular_extension;
        multicut;
        late_move_reduction;
        lmr_depth_change;
        post_lmr_history;
        cutoff_softening;
        aspiration;

        // Quiescence.
        quiescence_tt_cutoffs;
        quiescence_futility;
        quiescence_see;
        quiescence_evasion_limit;

        // What is learnt.
        malus;
        parent_bonus;
        threat_history;
        pawn_history;
        capture_history;
        continuation_one;
        continuation_two;
        continuation_four;
        continuation_six;
    }
}
