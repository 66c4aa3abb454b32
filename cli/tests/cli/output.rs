//! Where results go: pipes, devices, and files that are replaced in one step.

use std::process::Stdio;

use super::{Folder, corpus, program, run};

#[test]
fn a_reader_that_closes_the_pipe_is_no_error() {
    let folder = Folder::new();
    let game = folder.text_path("hex.kif");
    run(["generate", "hex", "--size", "12", "-o", &game]).succeeds();
    let mut command = program();
    command.args(["ground", &game]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(!messages.contains("error"), "{messages}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let game = corpus("breakthrough");
    let output = program().args(["ground", &game]).stdout(full()).output().expect("it starts");
    super::Run::from(output)
        .fails(4, &["error: cannot write to standard output: no space left on device"]);
    run(["ground", &game, "-o", "/dev/full"])
        .fails(4, &["error: cannot write to `/dev/full`: no space left on device"]);
    let statistics = run(["ground", &game, "--json-stats=/dev/full", "-o", "/dev/null"]);
    statistics.fails(4, &["cannot write to `/dev/full`"]);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_straight() {
    let game = corpus("tictactoe");
    let direct = run(["ground", &game]).succeeds().stdout;
    let through_device = run(["ground", &game, "-o", "/dev/stdout"]).succeeds().stdout;
    assert_eq!(through_device, direct);
    // A file behind /dev/stdout is added to, not replaced.
    let folder = Folder::new();
    folder.file("log", "before\n");
    let log = std::fs::OpenOptions::new().append(true).open(folder.path("log")).expect("a file");
    let mut command = program();
    let status = command.args(["ground", &game, "-q", "-o", "/dev/stdout"]).stdout(log).status();
    assert!(status.expect("it starts").success());
    let text = std::fs::read_to_string(folder.path("log")).expect("a file");
    assert_eq!(text, format!("before\n{direct}"));
}

#[cfg(unix)]
#[test]
fn named_pipes_are_written_straight() {
    let folder = Folder::new();
    let pipe = folder.text_path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is there").success());
    let path = pipe.clone();
    let reader = std::thread::spawn(move || std::fs::read_to_string(path).expect("text"));
    let game = corpus("tictactoe");
    run(["ground", &game, "-o", &pipe]).succeeds();
    assert_eq!(reader.join().expect("no panic"), run(["ground", &game]).stdout);
    assert_eq!(folder.names(), ["pipe"]);
}

#[test]
fn files_are_replaced_only_by_whole_results() {
    let folder = Folder::new();
    let out = folder.file("out.kif", "old");
    run(["ground", &corpus("unsafe_rule"), "-o", &out]).fails(1, &[]);
    assert_eq!(std::fs::read_to_string(&out).expect("a file"), "old");
    run(["ground", &corpus("tictactoe"), "-o", &out]).succeeds();
    let written = std::fs::read_to_string(&out).expect("a file");
    assert_eq!(written, run(["ground", &corpus("tictactoe")]).stdout);
    assert_eq!(folder.names(), ["out.kif"]);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_survive() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let file = folder.file("file", "old");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("own file");
    symlink("file", folder.path("link")).expect("a link");
    symlink("new", folder.path("dangling")).expect("a link");
    let game = corpus("tictactoe");
    for name in ["link", "dangling"] {
        run(["ground", &game, "-q", "-o", &folder.text_path(name)]).succeeds();
        let metadata = std::fs::symlink_metadata(folder.path(name)).expect("it is there");
        assert!(metadata.is_symlink(), "{name}");
    }
    let mode = |name: &str| {
        std::fs::metadata(folder.path(name)).expect("it is there").permissions().mode() & 0o777
    };
    assert_eq!(mode("file"), 0o640);
    // A new file has the permissions that any new file gets.
    folder.file("ordinary", "");
    assert_eq!(mode("new"), mode("ordinary"));
    assert_eq!(
        std::fs::read(folder.path("file")).expect("a file").len(),
        run(["ground", &game]).stdout.len()
    );
}

#[test]
fn places_that_cannot_be_written_to_are_found_before_the_work() {
    let folder = Folder::new();
    let game = corpus("tictactoe");
    run(["ground", &game, "-o", &folder.text_path("")]).fails(4, &["is a directory"]);
    run(["ground", &game, "-o", &folder.text_path("missing/out")])
        .fails(4, &["cannot write to `", "no such file or directory"]);
}

#[test]
fn the_input_can_be_the_output() {
    let folder = Folder::new();
    let text = std::fs::read(corpus("tictactoe")).expect("a game");
    let game = folder.file("game.kif", text);
    let expected = run(["ground", &game]).stdout;
    run(["ground", &game, "-o", &game]).succeeds();
    assert_eq!(std::fs::read_to_string(&game).expect("a file"), expected);
}
