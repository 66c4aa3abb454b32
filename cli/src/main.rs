//! The program `groundfrog`: grounds game descriptions in GDL on the command line.

mod arguments;
mod commands;
mod destination;
mod diagnostics;
mod failure;
mod memory;
mod progress;
mod source;
mod statistics;
mod supervisor;

use arguments::{Arguments, Command};
use clap::ColorChoice;
use commands::{
    Session, bench, realtime, relatives, run_grounded, run_server, run_text, run_unlimited,
    run_usual, texts,
};

/// In process, large games take 6 % less time than with glibc's allocator, small ones 13 %.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    memory::spare_address_space();
    // Usage errors end the program here, with exit code 2.
    let arguments = Arguments::of(std::env::args_os().collect());
    match arguments.color {
        ColorChoice::Auto => {}
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
    }
    let exit = match arguments.command {
        Command::Ground(arguments) => commands::ground::run(arguments),
        Command::Explain(it) => run_text(&it.text, &|by| texts::explain(&it, by)),
        Command::Check(arguments) => commands::check::run(arguments),
        Command::Export(it) => run_text(&it.text, &|by| texts::export(&it, by)),
        Command::Verify(arguments) => commands::verify::run(&arguments),
        Command::Simulate(it) => run_grounded(&it.game, &|by| commands::simulate::work(&it, by)),
        Command::Analyse(it) => run_grounded(&it.game, &|by| commands::analyse::work(&it, by)),
        Command::AnalyseMatch(it) => {
            let session = Session::limited(&it.limits, false);
            session.run(|by| commands::analyse_match::work(&it, by))
        }
        Command::Solve(it) => run_grounded(&it.game, &|by| commands::solve::work(&it, by)),
        Command::Beliefs(it) => run_grounded(&it.game, &|by| commands::beliefs::work(&it, by)),
        Command::Play(it) => run_grounded(&it.game, &|by| commands::play::work(&it, by)),
        Command::Player(it) => run_server(&|by| commands::player::work(&it, by)),
        Command::Match(arguments) => commands::play_match::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Serve(it) => run_server(&|by| commands::serve::work(&it, by)),
        Command::Tournament(arguments) => commands::tournament::run(&arguments),
        Command::Realtime(arguments) => realtime::run(&arguments),
        Command::Market(it) => run_usual(None, it.quiet, &|by| relatives::market(&it, by)),
        Command::Translate(it) => run_unlimited(it.quiet, &|by| relatives::translate(&it, by)),
        Command::Propnet(it) => run_grounded(&it.game, &|by| texts::propnet(&it, by)),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::BenchWorker(arguments) => commands::bench_worker::run(&arguments),
        Command::Compare(arguments) => bench::compare(&arguments),
        Command::Report(it) => run_unlimited(it.quiet, &|by| bench::report(&it, by)),
        Command::Generate(it) => run_unlimited(false, &|by| texts::generate(&it, by)),
        Command::Completions(it) => run_unlimited(false, &|by| texts::completions(&it, by)),
        Command::Man(it) => run_unlimited(false, &|by| texts::man(&it, by)),
    };
    // What is still held need not be taken apart: the system takes it back at once.
    std::process::exit(exit.code().into());
}
