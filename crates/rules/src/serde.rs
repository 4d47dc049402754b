//! With the feature `serde`: squares, moves, set-ups and positions as the texts in which they are printed and read.
//!
//! ```
//! use saavedra_rules::{Position, UciMove};
//!
//! let position: Position = serde_json::from_str("\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"")?;
//! assert_eq!(serde_json::to_string(&position)?, "\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"");
//! let mv: UciMove = serde_json::from_str("\"e2e4\"")?;
//! assert_eq!(position.san(mv.resolve(&position)?), "e4");
//! assert!(serde_json::from_str::<Position>("\"8/8/8/8/8/8/8/8 w - - 0 1\"").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::{Position, Setup, Square, UciMove};

/// Writes and reads a type as its text.
macro_rules! as_text {
    ($($type:ty, $expected:literal;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                struct Text;

                impl Visitor<'_> for Text {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }

                deserializer.deserialize_str(Text)
            }
        }
    )*};
}

as_text! {
    Square, "a square such as e4";
    UciMove, "a move such as e2e4 or e7e8q";
    Setup, "a FEN";
    Position, "the FEN of a legal position";
}
