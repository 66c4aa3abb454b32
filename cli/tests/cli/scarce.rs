//! What the system allows is scarce: address space, descriptors.

use std::net::TcpStream;
use std::process::{Command, Stdio};

use super::{Folder, Listening, Run, corpus};

/// The program under a limit of the shell, as `ulimit` sets it.
fn under(limit: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit}; exec \"$0\" \"$@\"")]);
    command.arg(env!("CARGO_BIN_EXE_groundfrog")).args(arguments);
    command.stdin(Stdio::null()).env_remove("RUST_BACKTRACE");
    command
}

fn run_under(limit: &str, arguments: &[&str]) -> Run {
    under(limit, arguments).output().expect("the shell starts").into()
}

/// A rule of 30 variables over ten constants.
fn wide(folder: &Folder) -> String {
    let list = |item: &dyn Fn(u32) -> String| (0..30).map(item).collect::<Vec<_>>().join(" ");
    let (all, each) = (list(&|it| format!("?v{it}")), list(&|it| format!("(n ?v{it})")));
    let numbers: String = (0..10).map(|it| format!("(n {it})")).collect();
    let text = format!(
        "(role a) (init (s 0)) (legal a go) (goal a 100) (<= terminal (true (s 1))) {numbers}
        (<= (next (p {all})) {each}) (<= (next (s 1)) (true (p {all})) {each})"
    );
    folder.file("wide.kif", text)
}

#[test]
fn address_space_is_a_limit_as_memory_is() {
    let folder = Folder::new();
    let game = wide(&folder);
    let run = run_under("-v 1000000", &["ground", &game, "-q"]);
    run.fails(3, &["the memory limit of ", "while deriving `(base (p "]);
}

#[test]
fn too_many_threads_for_the_address_space_are_an_error() {
    let game = corpus("tictactoe");
    let many = ["--threads", "1024"];
    let clocks = ["--start-clock", "1", "--play-clock", "0.2", "--max-length", "2"];
    for command in [
        [&["ground", &game, "-q"], &many[..]].concat(),
        [&["solve", &game], &many[..]].concat(),
        [&["match", &game, "--player", "a=uct", "--player", "b=alphabeta"], &clocks[..], &many]
            .concat(),
        [&["player", "--port", "0"], &many[..]].concat(),
    ] {
        let run = run_under("-v 1000000", &command);
        run.fails(3, &["of address space, and all may have 977 MiB"]);
    }
    let folder = Folder::new();
    let plan = format!(
        "games = [{game:?}]\nstart-clock = 1\nplay-clock = 1\n
        [[players]]\nname = \"a\"\nstrategy = \"uct\"\nthreads = 1024\n
        [[players]]\nname = \"b\"\nstrategy = \"random\"\n"
    );
    let (plan, out) = (folder.file("plan.toml", plan), folder.text_path("out"));
    let run = run_under("-v 1000000", &["tournament", &plan, "--out", &out]);
    run.fails(3, &["of address space, and all may have 977 MiB"]);
}

#[test]
fn one_thread_needs_little_address_space() {
    let game = corpus("tictactoe");
    run_under("-v 400000", &["ground", &game, "-q"]).succeeds();
    run_under("-v 400000", &["solve", &game, "--threads", "1"]).succeeds();
}

#[test]
fn who_says_nothing_makes_way_for_who_talks() {
    for limit in ["-n 64", "-v 2000000"] {
        let arguments = ["player", "--port", "0", "--strategy", "random", "--threads", "1"];
        let mut player = Listening::start(&mut under(limit, &arguments));
        let connect = |_| TcpStream::connect(&player.address).expect("it listens");
        let idle: Vec<TcpStream> = (0..300).map(connect).collect();
        assert!(player.say("(INFO)").contains("( status available )"), "{limit}");
        let rules = "(role a) (init on) (legal a wait) (<= (next on) (true on)) (<= terminal (true off)) (goal a 50)";
        assert_eq!(player.say(&format!("(START m a ({rules}) 5 5)")), "ready", "{limit}");
        for _ in 0..20 {
            assert_eq!(player.say("(PLAY m NIL)"), "wait", "{limit}");
        }
        assert!(player.process.try_wait().expect("its state").is_none(), "{limit}");
        drop(idle);
    }
}
