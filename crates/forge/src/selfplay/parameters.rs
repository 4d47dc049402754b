//! The numbers that a search on the card is tuned by, one line each: name, value, range.

use search::Tunable;

macro_rules! search_parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal ..= $max:literal;)+) => {
        $(const _: () = assert!($min <= $default && $default <= $max, concat!(stringify!($name), " is out of its range"));)+

        /// How a player on the card searches.
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
            /// The names of all numbers.
            pub const NAMES: &[&str] = &["nodes", $(stringify!($name)),+];

            /// The numbers that games may improve, with their ranges: all but the nodes.
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

            /// The number of a name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    "nodes" => Some(self.nodes),
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }

            /// Sets the number of a name; says whether there is one.
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
    aspiration = 18, 5..=60;
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
    /// Null move: and so many 65536ths for each centipawn above beta.
    null_move_per_surplus = 350, 0..=1200;
    /// From this depth on a node without a move from the table is searched one ply less.
    iterative_reduction_depth = 4, 2..=10;
    /// Late-move pruning: up to this depth.
    late_move_depth = 9, 2..=14;
    /// Late-move pruning: so many moves are tried, and more with depth.
    late_move_base = 12, 3..=30;
    /// Futility: below this reduced depth.
    futility_depth = 9, 3..=14;
    /// Futility: so far below alpha.
    futility_margin = 97, 0..=250;
    /// Futility: and so much for each ply.
    futility_per_depth = 77, 20..=200;
    /// Futility: and so many 1024ths of the history.
    futility_history = 8, 0..=48;
    /// Quiet moves that lose more by exchange, times the reduced depth, are left out.
    exchange_quiet = 63, 10..=150;
    /// Captures that lose more by exchange, times the depth, are left out.
    exchange_tactical = 100, 20..=250;
    /// Singular extensions: from this depth on.
    singular_depth = 6, 4..=10;
    /// Singular extensions: the bar lies so many eighths of a centipawn lower for each ply.
    singular_margin = 72, 16..=160;
    /// Singular extensions: two plies where the others fall so much short.
    double_margin = 16, 0..=60;
    /// Late-move reductions, in 1024ths of a ply: less on the principal variation.
    reduction_pv = 1229, 0..=3072;
    /// More where the evaluation does not improve.
    reduction_not_improving = 614, 0..=2048;
    /// More where the table's move is a capture.
    reduction_tactical_table_move = 900, 0..=2048;
    /// Less by so many 1024ths of the history.
    reduction_history = 171, 0..=512;
    /// Quiescence: captures that gain too little to come so near alpha are left out.
    quiescence_margin = 142, 0..=350;
    /// What a cutoff teaches, for each ply.
    bonus_per_depth = 185, 50..=400;
    /// Less this.
    bonus_offset = 70, 0..=300;
    /// And at most this.
    bonus_limit = 1740, 400..=4000;
    /// What moves that were tried before it unlearn, for each ply.
    malus_per_depth = 170, 50..=400;
    /// Less this.
    malus_offset = 45, 0..=300;
    /// And at most this.
    malus_limit = 1100, 300..=4000;
    /// The weight of the evaluation's errors by pawns.
    correction_pawns = 90, 0..=220;
    /// The weight of the evaluation's errors by the pieces of each side.
    correction_pieces = 90, 0..=220;
}

const _: () = assert!(
    size_of::<SearchParameters>() == size_of::<i32>() * SearchParameters::NAMES.len(),
    "all are numbers of 32 bits"
);

impl crate::shared::DeviceType for SearchParameters {
    fn declare(name: &str) -> String {
        format!("SearchParameters {name}")
    }
}
