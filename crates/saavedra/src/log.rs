//! What the libraries report while they work, on standard error. Nothing is reported unless asked for.

use tracing_subscriber::EnvFilter;

use crate::failure::Failure;

/// The variable that asks for a log, as other Rust programs read it.
const VARIABLE: &str = "RUST_LOG";

/// Starts the log that `--log` asks for, or the variable where the option is not given.
pub(crate) fn start(filter: Option<&str>) -> Result<(), Failure> {
    let variable = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
    let (source, text) = match (filter, variable) {
        (Some(text), _) => ("--log", text.to_owned()),
        (None, Some(text)) => (VARIABLE, text),
        (None, None) => return Ok(()),
    };
    let filter = EnvFilter::try_new(&text).map_err(|error| {
        Failure::Usage(format!("{source}: {error}; expected a level such as info, or parts of the program with levels"))
    })?;
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();
    Ok(())
}
