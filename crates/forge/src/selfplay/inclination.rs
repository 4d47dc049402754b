//! The numbers that a search on the card is tuned by, one line each: name, value. The kernels have the same list in `mind.cuh`.

macro_rules! inclination {
    ($($(#[$doc:meta])* $name:ident = $default:literal;)+) => {
        /// How a player on the card searches.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(C)]
        pub struct Inclination {
            $($(#[$doc])* pub $name: i32,)+
        }

        impl Default for Inclination {
            fn default() -> Inclination {
                Inclination { $($name: $default,)+ }
            }
        }

        impl Inclination {
            /// The names of all numbers.
            pub const NAMES: &[&str] = &[$(stringify!($name)),+];

            /// The number of a name.
            pub fn get(&self, name: &str) -> Option<i32> {
                $(if name == stringify!($name) {
                    return Some(self.$name);
                })+
                None
            }

            /// Sets the number of a name; says whether there is one.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                $(if name == stringify!($name) {
                    self.$name = value;
                    return true;
                })+
                false
            }
        }
    };
}

inclination! {
    /// Positions after which a search ends.
    nodes = 1000;
    /// The window around the last score.
    aspiration = 18;
    /// Reverse futility: up to this depth.
    reverse_futility_depth = 9;
    /// Reverse futility: so far above beta for each ply.
    reverse_futility_per_depth = 75;
    /// Reverse futility: so much less where the evaluation improves.
    reverse_futility_improving = 70;
    /// Null move: from this depth on.
    null_move_depth = 3;
    /// Null move: so many plies less.
    null_move_base = 4;
    /// Null move: and so many 1024ths for each ply of depth.
    null_move_per_depth = 256;
    /// Null move: and so many 65536ths for each centipawn above beta.
    null_move_per_surplus = 350;
    /// From this depth on a node without a move from the table is searched one ply less.
    iterative_reduction_depth = 4;
    /// Late-move pruning: up to this depth.
    late_move_depth = 9;
    /// Late-move pruning: so many moves are tried, and more with depth.
    late_move_base = 12;
    /// Futility: below this reduced depth.
    futility_depth = 9;
    /// Futility: so far below alpha.
    futility_margin = 97;
    /// Futility: and so much for each ply.
    futility_per_depth = 77;
    /// Futility: and so many 1024ths of the history.
    futility_history = 8;
    /// Quiet moves that lose more by exchange, times the reduced depth, are left out.
    exchange_quiet = 63;
    /// Captures that lose more by exchange, times the depth, are left out.
    exchange_tactical = 100;
    /// Singular extensions: from this depth on.
    singular_depth = 6;
    /// Singular extensions: the bar lies so many eighths of a centipawn lower for each ply.
    singular_margin = 72;
    /// Singular extensions: two plies where the others fall so much short.
    double_margin = 16;
    /// Late-move reductions, in 1024ths of a ply: less on the principal variation.
    reduction_pv = 1229;
    /// More where the evaluation does not improve.
    reduction_not_improving = 614;
    /// More where the table's move is a capture.
    reduction_tactical_table_move = 900;
    /// Less by so many 1024ths of the history.
    reduction_history = 171;
    /// Quiescence: captures that gain too little to come so near alpha are left out.
    quiescence_margin = 142;
    /// What a cutoff teaches, for each ply.
    bonus_per_depth = 185;
    /// Less this.
    bonus_offset = 70;
    /// And at most this.
    bonus_limit = 1740;
    /// What moves that were tried before it unlearn, for each ply.
    malus_per_depth = 170;
    /// Less this.
    malus_offset = 45;
    /// And at most this.
    malus_limit = 1100;
    /// The weight of the evaluation's errors by pawns.
    correction_pawns = 90;
    /// The weight of the evaluation's errors by the pieces of each side.
    correction_pieces = 90;
}
