//! Recipes of trainings on the command line: an option for each key.

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command};
use train::{Key, Recipe};

/// Keys that are given on the command line, in the order of [`Recipe::KEYS`].
pub(crate) trait Keys {
    /// Whether a key is an option.
    fn has(key: &Key) -> bool;

    /// An option that the others need, if there is one.
    const REQUIRED: Option<&'static str>;

    /// The heading that all options stand under in the help; none for headings by subject.
    const HEADING: Option<&'static str>;
}

/// The heading of an option in the help, by subject.
fn heading(key: &Key) -> &'static str {
    match key.name {
        "from" | "width" | "layers" | "king-buckets" | "output-buckets" | "no-factoriser" | "init-scale" => "Network",
        "validation" | "skip" | "max-score" | "keep-checks" | "keep-captures" => "Positions",
        _ => "Training",
    }
}

/// The options of a recipe: those that were given.
#[derive(Clone)]
pub(crate) struct RecipeOptions<K> {
    given: Vec<(&'static str, String)>,
    keys: std::marker::PhantomData<K>,
}

impl<K> RecipeOptions<K> {
    /// Changes a recipe as the options say.
    pub(crate) fn apply(&self, recipe: &mut Recipe) -> Result<(), String> {
        let set = |(key, value): &(&'static str, String)| recipe.set(key, value).map_err(|error| format!("--{error}"));
        self.given.iter().try_for_each(set)
    }
}

impl<K: Keys> clap::FromArgMatches for RecipeOptions<K> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<RecipeOptions<K>, clap::Error> {
        let keys = Recipe::KEYS.iter().filter(|key| K::has(key));
        let given =
            keys.filter_map(|key| matches.get_one::<String>(key.name).map(|value| (key.name, value.clone()))).collect();
        let options = RecipeOptions { given, keys: std::marker::PhantomData };
        let checked = options.apply(&mut Recipe::default());
        checked.map_err(|error| clap::Error::raw(ErrorKind::ValueValidation, error))?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = RecipeOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<K: Keys> clap::Args for RecipeOptions<K> {
    fn augment_args(command: Command) -> Command {
        let keys = Recipe::KEYS.iter().filter(|key| K::has(key));
        keys.fold(command, |command, key| {
            let mut option = Arg::new(key.name).long(key.name).help(key.help);
            option = option.help_heading(K::HEADING.unwrap_or_else(|| heading(key)));
            option = match key.is_switch() {
                true => option.value_name("yes|no").num_args(0..=1).require_equals(true).default_missing_value("yes"),
                false => option.value_name(key.value),
            };
            option = key.old_name().into_iter().fold(option, Arg::alias);
            option = match key.name {
                "width" if K::REQUIRED.is_none() => option.alias("hidden"),
                // A recipe of evolve may have both: the network that it starts from has layers already.
                "layers" if K::REQUIRED.is_none() => option.conflicts_with("from"),
                _ => option,
            };
            command.arg(K::REQUIRED.iter().fold(option, |option, required| option.requires(required)))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        RecipeOptions::<K>::augment_args(command)
    }
}
