//! The process in which `bench` measures a game.

use std::io;

use crate::arguments::BenchWorkerArguments;
use groundfrog_benches::job::Job;
mod measure;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;

/// Measures one game and writes everything as lines of JSON.
pub(crate) fn run(arguments: &BenchWorkerArguments) -> Exit {
    let reporter = Reporter::new(false);
    let job = match serde_json::from_str::<Job>(&arguments.job) {
        Ok(job) => job,
        Err(error) => {
            let failure = Failure::Usage(format!("this is no job of `groundfrog bench`: {error}"));
            reporter.failure(&failure);
            return failure.exit();
        }
    };
    // Standard input ends when the harness does, however it ends.
    std::thread::spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        std::process::exit(Exit::Interrupted.code().into());
    });
    match measure::run(job, arguments.file.clone()) {
        Ok(()) => Exit::Success,
        // Nobody listens any longer.
        Err(_) => Exit::Io,
    }
}
