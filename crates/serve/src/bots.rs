//! The bots: the engine held back to some ratings, each with a name by which its games are found.

/// A named strength of the engine.
pub(crate) struct Bot {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// None is full strength.
    pub(crate) elo: Option<u32>,
}

const fn bot(name: &'static str, title: &'static str, elo: u32) -> Bot {
    Bot { name, title, elo: Some(elo) }
}

/// All bots, the weakest first.
pub(crate) const BOTS: [Bot; 9] = [
    bot("Nia", "Newcomer", 500),
    bot("Sam", "Beginner", 800),
    bot("Lena", "Casual", 1100),
    bot("Ada", "Improver", 1400),
    bot("Theo", "Club player", 1700),
    bot("Mira", "Strong club player", 2000),
    bot("Otis", "Expert", 2300),
    bot("Ida", "Master", 2600),
    Bot { name: "Saavedra", title: "Full strength", elo: None },
];

/// The name of the engine in lists and game scores: `Lena 1100` for a bot, `Saavedra (1250)` between two of them.
pub(crate) fn name_at(elo: Option<u32>) -> String {
    let bot = BOTS.iter().find(|bot| bot.elo == elo);
    match (bot, elo) {
        (Some(bot), Some(elo)) => format!("{} {elo}", bot.name),
        (None, Some(elo)) => former_name(elo),
        (_, None) => "Saavedra".to_owned(),
    }
}

/// What the engine at a rating was called before the bots had names.
pub(crate) fn former_name(elo: u32) -> String {
    format!("Saavedra ({elo})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_has_a_name_and_other_ratings_have_the_engines() {
        assert_eq!(name_at(Some(1100)), "Lena 1100");
        assert_eq!(name_at(Some(1250)), "Saavedra (1250)");
        assert_eq!(name_at(None), "Saavedra");
    }
}
