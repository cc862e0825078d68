//! Memory of this process in KiB, where the system tells.

/// What is in use now.
#[must_use]
pub fn in_use() -> Option<u64> {
    told("VmRSS:")
}

/// The most that was in use at any time.
#[must_use]
pub fn most() -> Option<u64> {
    told("VmHWM:")
}

/// A number of `/proc/self/status` (Linux).
fn told(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
