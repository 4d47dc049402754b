//! The values of options, from text.

use nnue::Layers;

/// What follows the hidden layer.
pub(crate) fn parse_layers(text: &str) -> Result<Layers, String> {
    let all = [Layers::Straight, Layers::Pairwise];
    all.into_iter().find(|layers| layers.to_string() == text).ok_or_else(|| "expected straight or pairwise".to_owned())
}

pub(crate) fn parse_lambda(text: &str) -> Result<(f64, f64), String> {
    let (first, last) = text.split_once(',').unwrap_or((text, text));
    Ok((parse_share(first)?, parse_share(last)?))
}

pub(crate) fn parse_share(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

pub(crate) fn parse_rate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(rate) if rate > 0.0 && rate <= 1.0 => Ok(rate),
        _ => Err("a learning rate is above 0 and at most 1".to_owned()),
    }
}

/// How large the rows of a network are at the start, times the usual.
pub(crate) fn parse_rows(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(factor) if factor > 0.0 && factor <= 10.0 => Ok(factor),
        _ => Err("rows begin more than 0 and at most 10 times as large as usual".to_owned()),
    }
}

/// A number of positions, such as 100000000 or 1e8.
pub(crate) fn parse_positions(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().or_else(|| text.parse().ok().map(|number: f64| number as usize));
    number.filter(|&number| number > 0).ok_or_else(|| "expected a number of positions, such as 1e8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_have_names() {
        assert_eq!(["straight", "pairwise"].map(parse_layers), [Ok(Layers::Straight), Ok(Layers::Pairwise)]);
        assert_eq!(parse_layers("many"), Err("expected straight or pairwise".to_owned()));
    }

    #[test]
    fn positions_may_be_counted_in_powers_of_ten() {
        assert_eq!(parse_positions("1e8"), Ok(100_000_000));
        assert_eq!(parse_positions("16384"), Ok(16_384));
        for nonsense in ["", "0", "-5", "many", "nan"] {
            assert!(parse_positions(nonsense).is_err(), "{nonsense}");
        }
    }
}
