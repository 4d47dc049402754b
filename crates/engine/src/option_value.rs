//! The value of an option, from the text of `setoption`.

use uci::{EngineOption, OptionKind, Reading};

use crate::OptionValue;

impl OptionValue {
    /// Reads a value of the option's kind. A number outside its range is cut, with a complaint; nonsense is refused.
    pub fn read(option: &EngineOption, text: &str) -> Result<Reading<OptionValue>, String> {
        read(option, text)
    }
}

fn read(option: &EngineOption, text: &str) -> Result<Reading<OptionValue>, String> {
    let (name, text) = (&option.name, text.trim());
    let mut complaints = Vec::new();
    let value = match &option.kind {
        OptionKind::Button => OptionValue::Button,
        OptionKind::Text { .. } => OptionValue::Text(text.to_owned()),
        OptionKind::Combo { choices, .. } => match choices.iter().find(|choice| choice.eq_ignore_ascii_case(text)) {
            Some(choice) => OptionValue::Text(choice.clone()),
            None => return Err(format!("{name} wants one of {}, not {text:?}", choices.join(", "))),
        },
        OptionKind::Check { .. } => match text.to_ascii_lowercase().as_str() {
            "true" | "on" | "1" | "yes" => OptionValue::Check(true),
            "false" | "off" | "0" | "no" => OptionValue::Check(false),
            _ => return Err(format!("{name} wants true or false, not {text:?}")),
        },
        &OptionKind::Spin { min, max, .. } => {
            let number: i128 = text.parse().map_err(|_| format!("{name} wants a whole number, not {text:?}"))?;
            let clamped = number.clamp(min.into(), max.into());
            if clamped != number {
                complaints.push(format!("{name} is between {min} and {max}: {number} becomes {clamped}"));
            }
            OptionValue::Spin(i64::try_from(clamped).unwrap_or(max))
        }
    };
    Ok(Reading { value, complaints })
}
