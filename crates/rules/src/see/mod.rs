//! Exchanges: what a move wins if the players capture on its square as long as it pays, and nowhere else.
//!
//! Engines ask this for almost every capture and many quiet moves. There are four answers here, from the truth to the
//! quick ones, and [`Explanation`] puts them side by side:
//!
//! | | what it does | use it |
//! |---|---|---|
//! | [`oracle`] | searches all legal captures on the square | to test the others |
//! | [`swap`] | lets the least valuable pieces capture in turn | for a threshold, or as a second opinion |
//! | [`Table`] | looks the founding document's 1,575 entries up | as a lesson, and where its scale suits |
//! | [`Lookup`] | looks up more, and looks closer where a king is exposed | in a search |
//!
//! ```
//! use saavedra_rules::Position;
//! use saavedra_rules::see::{Lookup, Scene, Table, Values, oracle, swap};
//!
//! // A pawn that is guarded twice, and a rook behind the knight that is to take it.
//! let position: Position = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1".parse()?;
//! let (mv, values) = (position.parse_san("Nxe5")?, Values::default());
//! assert_eq!(oracle::value(&position, mv, &values), -200);
//!
//! let scene = Scene::new(&position);
//! assert_eq!(swap::value(&scene, mv, &values), -200);
//! assert!(!swap::is_at_least(&scene, mv, 0, &values));
//! assert_eq!(Table::ROUND.value(&scene, mv), -200);
//! assert_eq!(Lookup::ROUND.value(&scene, mv), -200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! On 400,494 moves from games the program played itself, half of them captures, `cargo xtask bench see` finds the same
//! sign as the oracle in 99.99 % of cases for `swap`, 99.76 % for `Table` and 99.95 % for `Lookup`. The table answers in
//! half the time that `swap` takes for a value, the look-up in three fifths, both in less than `swap` takes for a threshold.
//!
//! # Why differences are enough
//! Say it is White's turn to capture, and the piece on the square is worth no more than any other black attacker. If
//! White takes with a piece of some kind and Black retakes with one of the same kind, the balance is what it was, less
//! or more the piece that stood there first, and Black again has its least piece on the square. So pairs of a kind can be
//! struck out, kind by kind from the pawns up: only the differences are left. What White wins is then the value on the
//! square less a *price*, which no longer depends on what stands there. That is why the table needs no entry for it, and
//! why the opponent's least valuable attacker is first *staged* on the square, which makes the premise true.
//!
//! **What this proves**: with attackers as mere counts, the look-up is exact. A test compares all counts of up to two
//! pieces of a kind.
//!
//! **What it does not prove**: that an exchange is nothing but counts. Where lines, kings or the last rank have a say, the
//! table can be wrong. The smallest cases:
//!
//! ```
//! # use saavedra_rules::Position;
//! # use saavedra_rules::see::{Lookup, Scene, Table, Values, oracle};
//! # let compare = |fen: &str, san: &str| -> Result<[i32; 3], Box<dyn std::error::Error>> {
//! #     let position: Position = fen.parse()?;
//! #     let (mv, scene) = (position.parse_san(san)?, Scene::new(&position));
//! #     let truth = oracle::value(&position, mv, &Values::default());
//! #     Ok([truth, Table::ROUND.value(&scene, mv), Lookup::ROUND.value(&scene, mv)])
//! # };
//! // For each: oracle, table, look-up.
//!
//! // A piece is staged that is stuck behind an enemy: the bishop on f5 cannot take the queen.
//! assert_eq!(compare("4k3/8/8/5b2/4B3/3p4/3Q4/4K3 w - - 0 1", "Qxd3")?, [100, -600, 100]);
//!
//! // A discovered check: the pawn may not take the knight.
//! assert_eq!(compare("4k3/6p1/8/8/4N3/8/8/4RK2 w - - 0 1", "Nf6")?, [0, -300, 0]);
//!
//! // A pawn takes and becomes a queen.
//! assert_eq!(compare("k7/6K1/8/8/8/8/3p4/4q2R w - - 0 1", "Rxe1")?, [-400, 500, -400]);
//!
//! // Still beyond the look-up: bishop and queen are stuck behind an enemy bishop, but count as guards.
//! assert_eq!(compare("4k3/8/6p1/7p/6P1/5b2/4B3/3Q2K1 w - - 0 1", "gxh5")?, [0, 100, 100]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod explain;
mod gathering;
mod lines;
mod lookup;
pub mod oracle;
mod prices;
mod scene;
pub mod swap;
mod table;
mod values;

pub use explain::{Explanation, Pin, Step, Xray};
pub use lookup::Lookup;
pub use scene::Scene;
pub use table::Table;
pub use values::Values;
