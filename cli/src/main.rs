//! The program `groundfrog`: grounds game descriptions in GDL on the command line.

// `start` has it.
#![cfg_attr(all(target_os = "linux", not(test)), no_main)]

mod arguments;
mod bench;
mod commands;
mod destination;
mod diagnostics;
mod exit;
mod failure;
mod interruption;
mod peak_memory;
mod processor_time;
mod progress;
mod quantities;
mod report;
mod source;
#[cfg(all(target_os = "linux", not(test)))]
mod start;
mod statistics;
mod summary;
mod supervisor;

use std::ffi::OsString;

use arguments::{Arguments, Command};
use exit::Exit;

/// Grounding a small game asks for thousands of small blocks within a millisecond. Only where a thread's own variables need
/// no memory from the allocator.
#[cfg(any(target_os = "linux", target_os = "macos", windows))]
#[global_allocator]
static ALLOCATOR: groundfrog_memory::Allocator = groundfrog_memory::Allocator;

#[cfg(not(all(target_os = "linux", not(test))))]
fn main() -> std::process::ExitCode {
    run(std::env::args_os().collect()).into()
}

/// Does what the words of the command line say, of which the first is the program's name.
fn run(words: Vec<OsString>) -> Exit {
    // Usage errors end the program here, with exit code 2.
    let arguments = Arguments::of(&words);
    match arguments.command {
        Command::Ground(arguments) => commands::ground::run(arguments),
        Command::Explain(arguments) => apart(|| commands::explain::run(&arguments)),
        Command::Check(arguments) => apart(|| commands::check::run(&arguments)),
        Command::Export(arguments) => apart(|| commands::export::run(&arguments)),
        Command::Verify(arguments) => apart(|| commands::verify::run(&arguments)),
        Command::Simulate(arguments) => apart(|| commands::simulate::run(&arguments)),
        Command::Play(arguments) => apart(|| commands::play::run(&arguments)),
        Command::Propnet(arguments) => apart(|| commands::propnet::run(&arguments)),
        Command::Bench(arguments) => apart(|| commands::bench::run(&arguments)),
        Command::BenchWorker(arguments) => apart(|| commands::bench_worker::run(&arguments)),
        Command::Compare(arguments) => apart(|| commands::compare::run(&arguments)),
        Command::Report(arguments) => apart(|| commands::report::run(&arguments)),
        Command::Generate(arguments) => apart(|| commands::generate::run(&arguments)),
        Command::Completions(arguments) => apart(|| commands::completions::run(&arguments)),
    }
}

/// Does what no grounding does. Never within `run`, or the code of all commands would lie within what each start runs.
#[inline(never)]
fn apart(work: impl FnOnce() -> Exit) -> Exit {
    work()
}
