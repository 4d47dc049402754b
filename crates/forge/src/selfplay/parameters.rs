//! The parameters of the search on the GPU, one line each: name, value, range.
//!
//! A parameter that the search on the CPU has too bears the name it has there, in `tunables.rs` of `search`. The values
//! differ, because both are tuned by their own games.

use search::Tunable;

macro_rules! search_parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal ..= $max:literal;)+) => {
        $(const _: () = assert!($min <= $default && $default <= $max, concat!(stringify!($name), " is out of its range"));)+

        /// How a player on the GPU searches.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(C)]
        pub struct SearchParameters {
            /// Positions after which a search ends.
            pub nodes: i32,
            $($(#[$doc])* pub $name: i32,)+
        }

        impl Default for SearchParameters {
            fn default() -> SearchParameters {
                SearchParameters { nodes: 1000, $($name: $default,)+ }
            }
        }

        impl SearchParameters {
            /// The names of all parameters.
            pub const NAMES: &[&str] = &["nodes", $(stringify!($name)),+];

            /// The parameters that can be tuned, with their ranges: all but the nodes.
            pub const TUNABLES: &[Tunable] =
                &[$(Tunable { name: stringify!($name), default: $default, min: $min, max: $max }),+];

            /// The struct for the kernels.
            pub(crate) fn declaration() -> String {
                let fields = [
                    SearchParameters::field("nodes", std::mem::offset_of!(SearchParameters, nodes)),
                    $(SearchParameters::field(stringify!($name), std::mem::offset_of!(SearchParameters, $name)),)+
                ];
                crate::shared::declaration("SearchParameters", size_of::<SearchParameters>(), &fields)
            }

            fn field(name: &'static str, offset: usize) -> crate::shared::Field {
                crate::shared::Field { name, declaration: format!("int {name}"), offset, size: size_of::<i32>() }
            }

            /// The value of a parameter.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    "nodes" => Some(self.nodes),
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }

            /// Sets a parameter; says whether there is one of that name.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    "nodes" => self.nodes = value,
                    $(stringify!($name) => self.$name = value,)+
                    _ => return false,
                }
                true
            }
        }
    };
}

search_parameters! {
    /// The window around the last score.
    aspiration_window = 18, 5..=60;
    /// Reverse futility: up to this depth.
    reverse_futility_depth = 9, 4..=14;
    /// Reverse futility: so far above beta for each ply.
    reverse_futility_per_depth = 75, 30..=150;
    /// Reverse futility: so much less where the evaluation improves.
    reverse_futility_improving = 70, 0..=150;
    /// Null move: from this depth on.
    null_move_depth = 3, 1..=6;
    /// Null move: so many plies less.
    null_move_base = 4, 2..=7;
    /// Null move: and so many 1024ths for each ply of depth.
    null_move_per_depth = 256, 0..=640;
    /// Null move: and so many 65536ths for each centipawn of evaluation above beta.
    null_move_per_eval = 350, 0..=1200;
    /// Internal iterative reduction: from this depth on, a node without a move from the table.
    iir_depth = 4, 2..=10;
    /// Late-move pruning: up to this depth.
    lmp_depth = 9, 2..=14;
    /// Late-move pruning: so many moves are tried, and more with depth.
    lmp_base = 12, 3..=30;
    /// Futility: below this reduced depth.
    futility_depth = 9, 3..=14;
    /// Futility: so far below alpha.
    futility_margin = 97, 0..=250;
    /// Futility: and so much for each ply.
    futility_per_depth = 77, 20..=200;
    /// Futility: and so many 1024ths of the history score.
    futility_history = 8, 0..=48;
    /// SEE pruning: quiet moves that lose more than this times the reduced depth are left out.
    see_quiet_per_depth = 63, 10..=150;
    /// SEE pruning: captures that lose more than this times the depth are left out.
    see_tactical_per_depth = 100, 20..=250;
    /// Singular extensions: from this depth on.
    singular_depth = 6, 4..=10;
    /// Singular extensions: the bar lies so many eighths of a centipawn lower for each ply.
    singular_margin_per_depth = 72, 16..=160;
    /// Singular extensions: two plies where the others fall so much short.
    double_extension_margin = 16, 0..=60;
    /// Late-move reductions, in 1024ths of a ply: less on the principal variation.
    reduction_pv = 1229, 0..=3072;
    /// More where the evaluation does not improve.
    reduction_not_improving = 614, 0..=2048;
    /// More where the table's move is a capture.
    reduction_tactical_tt_move = 900, 0..=2048;
    /// Less by so many 1024ths of the history.
    reduction_history = 171, 0..=512;
    /// Quiescence: captures that gain too little to come so near alpha are left out.
    quiescence_futility_margin = 142, 0..=350;
    /// History bonus of the move that caused a cutoff: for each ply of depth.
    history_bonus_per_depth = 185, 50..=400;
    /// Less this.
    history_bonus_offset = 70, 0..=300;
    /// And at most this.
    history_bonus_limit = 1740, 400..=4000;
    /// History malus of the moves that were tried before it: for each ply of depth.
    history_malus_per_depth = 170, 50..=400;
    /// Less this.
    history_malus_offset = 45, 0..=300;
    /// And at most this.
    history_malus_limit = 1100, 300..=4000;
    /// Correction history: the weight of the pawn structure's entry.
    correction_pawn = 90, 0..=220;
    /// Correction history: the weight of the entries of each side's pieces.
    correction_non_pawn = 90, 0..=220;
}

const _: () = assert!(
    size_of::<SearchParameters>() == size_of::<i32>() * SearchParameters::NAMES.len(),
    "all are numbers of 32 bits"
);

/// Names of earlier versions, which files of tunings still have, and those that replaced them.
const RENAMED: [(&str, &str); 19] = [
    ("aspiration", "aspiration_window"),
    ("null_move_per_surplus", "null_move_per_eval"),
    ("iterative_reduction_depth", "iir_depth"),
    ("late_move_depth", "lmp_depth"),
    ("late_move_base", "lmp_base"),
    ("exchange_quiet", "see_quiet_per_depth"),
    ("exchange_tactical", "see_tactical_per_depth"),
    ("singular_margin", "singular_margin_per_depth"),
    ("double_margin", "double_extension_margin"),
    ("reduction_tactical_table_move", "reduction_tactical_tt_move"),
    ("quiescence_margin", "quiescence_futility_margin"),
    ("bonus_per_depth", "history_bonus_per_depth"),
    ("bonus_offset", "history_bonus_offset"),
    ("bonus_limit", "history_bonus_limit"),
    ("malus_per_depth", "history_malus_per_depth"),
    ("malus_offset", "history_malus_offset"),
    ("malus_limit", "history_malus_limit"),
    ("correction_pawns", "correction_pawn"),
    ("correction_pieces", "correction_non_pawn"),
];

impl SearchParameters {
    /// The present name of a parameter that earlier versions named differently.
    pub fn renamed(name: &str) -> Option<&'static str> {
        RENAMED.iter().find(|(old, _)| *old == name).map(|(_, new)| *new)
    }
}

impl crate::shared::DeviceType for SearchParameters {
    fn declare(name: &str) -> String {
        format!("SearchParameters {name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_the_cpu_has_too_bear_its_names() {
        let is_of_cpu = |name: &str| search::TUNABLES.iter().any(|tunable| tunable.name == name);
        let names = SearchParameters::TUNABLES.iter().map(|tunable| tunable.name);
        let own: Vec<&str> = names.filter(|name| !is_of_cpu(name)).collect();
        // Factors here, divisors there; and a depth that the CPU does without.
        let expected =
            ["null_move_depth", "null_move_per_depth", "null_move_per_eval", "futility_history", "reduction_history"];
        assert_eq!(own, expected);
    }

    #[test]
    fn old_names_lead_to_new_ones() {
        for (old, new) in RENAMED {
            assert!(
                SearchParameters::NAMES.contains(&new) && !SearchParameters::NAMES.contains(&old),
                "{old} -> {new}"
            );
        }
        assert_eq!(SearchParameters::renamed("late_move_base"), Some("lmp_base"));
        assert_eq!(SearchParameters::renamed("lmp_base"), None);
    }
}
