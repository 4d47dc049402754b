//! Who can be compared with whom.

/// Players divided into groups.
pub(super) struct Groups {
    /// The group of each player. Who took points from a group with a smaller number, by any chain, gave none back.
    pub(super) of: Vec<usize>,
    /// How many groups there are.
    pub(super) count: usize,
}

impl Groups {
    /// Divides players into the strongly connected parts of a graph, by Tarjan's algorithm without recursion: thousands
    /// of players in a row would be too deep for it.
    ///
    /// Each list holds those whom a player is tied to.
    pub(super) fn strong(ties: &[Vec<usize>]) -> Groups {
        let players = ties.len();
        let mut of = vec![None; players];
        let mut found: Vec<Option<usize>> = vec![None; players];
        let mut lowest = vec![0; players];
        let (mut open, mut clock, mut count) = (Vec::new(), 0, 0);
        for root in 0..players {
            if found[root].is_some() {
                continue;
            }
            // The path from the root, with how many ties of each player on it are done.
            let mut path = vec![(root, 0)];
            while let Some((player, done)) = path.pop() {
                if done == 0 {
                    found[player] = Some(clock);
                    lowest[player] = clock;
                    clock += 1;
                    open.push(player);
                }
                match ties[player].get(done) {
                    Some(&other) => {
                        path.push((player, done + 1));
                        match found[other] {
                            None => path.push((other, 0)),
                            Some(time) if of[other].is_none() => lowest[player] = lowest[player].min(time),
                            Some(_) => {}
                        }
                    }
                    None => {
                        if Some(lowest[player]) == found[player] {
                            while let Some(member) = open.pop() {
                                of[member] = Some(count);
                                if member == player {
                                    break;
                                }
                            }
                            count += 1;
                        }
                        if let Some(&(parent, _)) = path.last() {
                            lowest[parent] = lowest[parent].min(lowest[player]);
                        }
                    }
                }
            }
        }
        Groups { of: of.into_iter().flatten().collect(), count }
    }

    /// The players of each group.
    pub(super) fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.count];
        self.of.iter().enumerate().for_each(|(player, &group)| members[group].push(player));
        members
    }
}

/// Everything that can be reached from one place along ties.
pub(super) fn reachable(from: usize, ties: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; ties.len()];
    let mut open = vec![from];
    while let Some(place) = open.pop() {
        if !std::mem::replace(&mut reached[place], true) {
            open.extend(ties[place].iter().copied());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_groups_and_chains_are_not() {
        // 0 → 1 → 2 → 0, 2 → 3 → 4, 5 alone.
        let ties = vec![vec![1], vec![2], vec![0, 3], vec![4], vec![], vec![]];
        let groups = Groups::strong(&ties);
        assert_eq!(groups.count, 4);
        assert!(groups.of[0] == groups.of[1] && groups.of[1] == groups.of[2]);
        assert!(groups.of[4] < groups.of[3] && groups.of[3] < groups.of[0]);
        assert_eq!(reachable(3, &ties), [false, false, false, true, true, false]);
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let mut ties: Vec<Vec<usize>> = (0..100_000).map(|player| vec![player + 1]).collect();
        ties.push(vec![0]);
        assert_eq!(Groups::strong(&ties).count, 1);
    }

    #[test]
    fn groups_are_those_within_which_everyone_reaches_everyone() {
        let mut random = random::Random::new(2);
        for _ in 0..200 {
            let ties: Vec<Vec<usize>> =
                (0..12).map(|_| (0..random.below(3)).map(|_| random.below(12)).collect()).collect();
            let groups = Groups::strong(&ties);
            for one in 0..12 {
                for other in 0..12 {
                    let both = reachable(one, &ties)[other] && reachable(other, &ties)[one];
                    assert_eq!(groups.of[one] == groups.of[other], both);
                }
            }
        }
    }
}
