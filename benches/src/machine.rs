//! What a machine is, as far as the operating system reports it.

use super::record::Machine;

/// The machine that this runs on. Model and memory are known on Linux only.
pub fn this() -> Machine {
    let field = |file: &str, name: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let memory = field("/proc/meminfo", "MemTotal");
    let kibibytes = memory.and_then(|it| it.strip_suffix("kB")?.trim().parse::<u64>().ok());
    Machine {
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        model: field("/proc/cpuinfo", "model name").filter(|it| !it.is_empty()),
        memory: kibibytes.map(|it| it << 10),
    }
}
