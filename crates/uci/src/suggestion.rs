//! Did you mean …?

/// The candidate that a mistyped word most likely stands for, if one is close.
///
/// ```
/// use saavedra_uci::suggest;
///
/// assert_eq!(suggest("Hsah", ["Hash", "Threads"]), Some("Hash"));
/// assert_eq!(suggest("castle", ["Hash", "Threads"]), None);
/// ```
pub fn suggest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().flat_map(char::to_lowercase).take(40).collect();
    let close = |candidate: &str| {
        let candidate: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        let distance = distance(&letters, &candidate);
        // One slip in three letters; a word of one letter is close to everything.
        (distance == 0 || distance * 3 <= letters.len().max(candidate.len())).then_some(distance)
    };
    let close = candidates.into_iter().filter_map(|candidate| Some((close(candidate)?, candidate)));
    close.min_by_key(|&(distance, _)| distance).map(|(_, candidate)| candidate)
}

/// How many letters must be changed, added, removed or swapped with a neighbour to make one word of the other.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_every_kind_are_counted() {
        let distance = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(distance("", "go"), 2);
        assert_eq!(distance("isready", "isready"), 0);
        assert_eq!(distance("israedy", "isready"), 1);
        assert_eq!(distance("postion", "position"), 1);
        assert_eq!(distance("stopp", "stop"), 1);
        assert_eq!(distance("quid", "quit"), 1);
    }

    #[test]
    fn case_is_no_slip() {
        assert_eq!(suggest("QUIT", ["go", "quit"]), Some("quit"));
    }
}
