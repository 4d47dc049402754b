//! Numbers as reports show them.

/// A number with commas between thousands.
///
/// ```
/// assert_eq!([7, 1_000, 1_872_357].map(saavedra_interface::grouped), ["7", "1,000", "1,872,357"]);
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
