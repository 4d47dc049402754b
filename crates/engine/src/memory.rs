//! How much memory is free.
//!
//! Linux promises memory that it does not have and kills the program that uses it. So a table is made only if this much
//! is free.

use std::fs;

/// The mebibytes that may be taken without harm, if the system tells.
pub(crate) fn available_mebibytes() -> Option<u64> {
    let of_machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| in_meminfo(&text));
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    // The limit of a container; without one the file holds a word.
    let limit = number("/sys/fs/cgroup/memory.max");
    let of_container = limit.map(|limit| limit.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    of_machine.into_iter().chain(of_container).min().map(|bytes| bytes >> 20)
}

/// The bytes that `/proc/meminfo` says are available.
fn in_meminfo(text: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_is_read() {
        let text = "MemTotal:       16384 kB\nMemAvailable:    2048 kB\nSwapTotal: 0 kB\n";
        assert_eq!(in_meminfo(text), Some(2 << 20));
        assert_eq!(in_meminfo("MemTotal: 5 kB"), None);
        assert_eq!(in_meminfo("MemAvailable: lots"), None);
    }
}
