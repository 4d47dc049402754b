//! Which pieces are on the board, as the names of tables say it: `KQPvKR`.

use rules::{Color, Position, Role};

/// The pieces of both players besides the kings, counted.
///
/// Each role of each player has four bits, White's pawns the lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Material(u64);

const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The bits of one player.
const SIDE: u32 = 4 * ROLES.len() as u32;

impl Material {
    /// Two bare kings. No table has them, because the result is known: a draw.
    pub(crate) const KINGS: Material = Material(0);

    /// What no table has.
    const TOO_MUCH: Material = Material(1 << 63);

    #[inline]
    pub(crate) fn of(position: &Position) -> Material {
        // A position with more than fifteen of a kind is in no table, and must not look like one that is.
        let is_counted = position.occupied().count() <= 15;
        let mut material = if is_counted { Material::KINGS } else { Material::TOO_MUCH };
        for color in Color::ALL {
            for role in ROLES {
                material.0 |= u64::from(position.pieces(role, color).count()) << shift(color, role);
            }
        }
        material
    }

    /// Reads the name of a table. The first player's pieces are White's here.
    pub(crate) fn from_name(name: &str) -> Option<Material> {
        let (white, black) = name.split_once('v')?;
        let mut material = Material::KINGS;
        for (color, pieces) in [(Color::White, white), (Color::Black, black)] {
            for letter in pieces.strip_prefix('K')?.chars() {
                let role = ROLES.into_iter().find(|role| role.upper_letter() == letter)?;
                material = material.with(color, role)?;
            }
        }
        Some(material)
    }

    /// The same with the colours exchanged.
    pub(crate) fn flipped(self) -> Material {
        Material(self.0 >> SIDE | (self.0 & ((1 << SIDE) - 1)) << SIDE)
    }

    /// How many pieces there are, the kings included.
    pub(crate) fn pieces(self) -> usize {
        2 + (0..2 * SIDE).step_by(4).map(|shift| (self.0 >> shift & 15) as usize).sum::<usize>()
    }

    /// How many pawns there are.
    pub(crate) fn pawns(self) -> usize {
        self.count(Color::White, Role::Pawn) + self.count(Color::Black, Role::Pawn)
    }

    /// What a capture, a promotion or both at once lead to.
    pub(crate) fn successors(self) -> Vec<Material> {
        let mut found = Vec::new();
        for us in [Color::White, Color::Black] {
            let taken = ROLES.into_iter().filter_map(|role| self.without(!us, role));
            for material in taken.chain([self]) {
                if material != self {
                    found.push(material);
                }
                if let Some(without_pawn) = material.without(us, Role::Pawn) {
                    found.extend(Role::PROMOTIONS.into_iter().filter_map(|role| without_pawn.with(us, role)));
                }
            }
        }
        found
    }

    pub(crate) fn with(self, color: Color, role: Role) -> Option<Material> {
        (self.count(color, role) < 15).then(|| Material(self.0 + (1 << shift(color, role))))
    }

    fn without(self, color: Color, role: Role) -> Option<Material> {
        (self.count(color, role) > 0).then(|| Material(self.0 - (1 << shift(color, role))))
    }

    /// How many pieces of a kind there are.
    pub(crate) fn count(self, color: Color, role: Role) -> usize {
        if role == Role::King { 1 } else { (self.0 >> shift(color, role) & 15) as usize }
    }
}

fn shift(color: Color, role: Role) -> u32 {
    let side = if color == Color::White { 0 } else { SIDE };
    side + 4 * role as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_a_position_give_the_same_material() {
        let position: Position = "8/8/3k4/8/5r2/1P6/3KQ3/8 w - - 0 1".parse().expect("a position");
        let material = Material::from_name("KQPvKR").expect("the name of a table");
        assert_eq!(Material::of(&position), material);
        assert_eq!(material.flipped(), Material::from_name("KRvKQP").expect("a name"));
        assert_eq!((material.pieces(), Material::KINGS.pieces()), (5, 2));
        for wrong in ["", "K", "KQK", "QvK", "KXvK", "KQvK.old", "kqvk", "KQvKv"] {
            assert_eq!(Material::from_name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn captures_and_promotions_lead_to_smaller_or_richer_material() {
        let named = |names: &str| -> Vec<Material> { names.split(' ').filter_map(Material::from_name).collect() };
        assert_eq!(Material::from_name("KPvK").expect("a name").successors().len(), 5);
        let from_pawns = Material::from_name("KPvKN").expect("a name").successors();
        for next in named("KPvK KvKN KQvKN KRvKN KBvKN KNvKN KQvK KRvK KBvK KNvK") {
            assert!(from_pawns.contains(&next), "{next:?}");
        }
        assert_eq!(from_pawns.len(), 10);
    }
}
