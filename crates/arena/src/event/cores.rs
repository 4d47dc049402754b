//! Cores kept apart: each worker has its own, and the programs it starts inherit them.
//!
//! Only Linux lets a thread choose; elsewhere nothing is done, and the system decides.

/// The cores that this process may use, one of each physical core first. Empty where that is not known.
pub(super) fn allowed() -> Vec<usize> {
    system::allowed()
}

/// Keeps this thread, and what it starts, on some cores. If that cannot be, everything goes on without.
pub(super) fn keep_to(cores: &[usize]) {
    if !cores.is_empty() {
        system::keep_to(cores);
    }
}

/// How many cores there are to play on.
pub fn core_count() -> usize {
    match allowed().len() {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        count => count,
    }
}

/// The cores of each worker: some of its own if there are enough for all, otherwise none in particular.
pub(super) fn share_out(cores: &[usize], workers: usize, threads: usize) -> Vec<Vec<usize>> {
    if workers.saturating_mul(threads) > cores.len() {
        return vec![Vec::new(); workers];
    }
    cores.chunks(threads).take(workers).map(<[usize]>::to_vec).collect()
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;

    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    /// In system calls about a thread, zero is the one that asks.
    const THIS_THREAD: Pid = Pid::from_raw(0);

    pub(super) fn allowed() -> Vec<usize> {
        let Ok(set) = sched_getaffinity(THIS_THREAD) else { return Vec::new() };
        let mut cores: Vec<usize> =
            (0..CpuSet::count()).filter(|&core| set.is_set(core).is_ok_and(|is_set| is_set)).collect();
        cores.sort_by_cached_key(|&core| (rank_among_siblings(core), core));
        cores
    }

    /// Two threads of one physical core share its strength: the second of them comes after all first ones.
    fn rank_among_siblings(core: usize) -> usize {
        let list = fs::read_to_string(format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list"));
        let list = list.unwrap_or_default();
        // Such as "0,8" or "0-1".
        let numbers = list.trim().split([',', '-']).filter_map(|number| number.parse::<usize>().ok());
        numbers.filter(|&sibling| sibling < core).count()
    }

    pub(super) fn keep_to(cores: &[usize]) {
        let mut set = CpuSet::new();
        for &core in cores {
            let _ = set.set(core);
        }
        let _ = sched_setaffinity(THIS_THREAD, &set);
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn allowed() -> Vec<usize> {
        Vec::new()
    }

    pub(super) fn keep_to(_cores: &[usize]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_have_cores_of_their_own_if_there_are_enough() {
        assert_eq!(share_out(&[0, 2, 4, 6, 1], 2, 2), [[0, 2], [4, 6]]);
        assert_eq!(share_out(&[0, 1], 3, 1), [[0; 0]; 3]);
        assert_eq!(share_out(&[], 1, 1), [[0; 0]; 1]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_keeps_to_its_cores_and_so_does_what_it_starts() {
        let first = allowed()[0];
        let seen = std::thread::spawn(move || {
            keep_to(&[first]);
            let status = std::process::Command::new("cat").arg("/proc/self/status").output().expect("cat starts");
            let status = String::from_utf8(status.stdout).expect("text");
            let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).map(str::trim);
            (allowed(), line.map(str::to_owned))
        });
        let (own, inherited) = seen.join().expect("no panic");
        assert_eq!((own, inherited), (vec![first], Some(first.to_string())));
    }
}
