//! `groundfrog player` and `groundfrog match`, by the words of the page about playing.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::time::Duration;

use groundfrog_arena::record::MatchRecord;

use super::{Folder, Listening, Run, corpus, program, run};

/// A player that listens.
pub(crate) fn player(arguments: &[&str]) -> Listening {
    Listening::start(program().arg("player").args(arguments))
}

/// A port that nobody has at the moment.
fn free_port() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("an address").port().to_string()
}

/// The commands of the first example of a page, a line each.
fn example(page: &str) -> Vec<String> {
    let block = page.split("```console\n").nth(1).and_then(|it| it.split("```").next());
    let text = block.expect("an example").replace("\\\n", " ");
    text.lines().filter_map(|it| it.strip_prefix("$ groundfrog ")).map(str::to_owned).collect()
}

#[test]
fn a_match_between_two_programs_as_the_page_says() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/matches.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let folder = Folder::new();
    let (ports, game) = ([free_port(), free_port()], corpus("tictactoe"));
    let record = folder.text_path("tictactoe.json");
    let mut players = Vec::new();
    let mut over = None;
    for line in example(&page) {
        let line = line.replace("9147", &ports[0]).replace("9148", &ports[1]);
        let line = line.replace("corpus/tictactoe.kif", &game).replace("record.json", &record);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["player", ref arguments @ .., "&"] => players.push(player(arguments)),
            _ => over = Some(run(words)),
        }
    }
    let over: Run = over.expect("the page plays a match").succeeds();
    assert_eq!(players.len(), 2, "the page starts two players");
    over.says(&["The match is over after"]);
    for result in ["one (cross): ", "two (nought): "] {
        let line = over.stdout.lines().find(|it| it.starts_with(result)).expect(result);
        assert!(!line.contains("fault"), "{line}");
    }
    let folder = folder.text_path("");
    let verified = run(["verify", &game, "--playouts", "0", "--traces", &folder]).succeeds();
    verified.says(&["tictactoe"]);
}

#[test]
fn a_player_that_never_plays_is_a_failure() {
    let game = corpus("tictactoe");
    let clocks = ["--start-clock", "1", "--play-clock", "0.2", "--max-length", "2"];
    let nobody = format!("one=http://127.0.0.1:{}", free_port());
    let words = ["match", &game, "--player", &nobody, "--player", "two=random"];
    run([&words[..], &clocks].concat())
        .fails(4, &["one (cross) never made a legal move: START: no connection"]);
    run(["match", &game, "--player", "a=random", "--player", "a=random"])
        .fails(2, &["two players called `a`"]);
}

#[test]
fn the_record_can_be_looked_at_while_the_match_is_under_way() {
    let folder = Folder::new();
    let record = folder.text_path("live.json");
    let mut words =
        vec!["match".to_owned(), corpus("breakthrough"), "--record".into(), record.clone()];
    let rest =
        "--player one=mcts --player two=mcts --start-clock 1 --play-clock 0.2 --max-length 20";
    words.extend(rest.split(' ').map(str::to_owned));
    let mut lengths = Vec::new();
    std::thread::scope(|scope| {
        let played = scope.spawn(|| run(words).succeeds());
        while !played.is_finished() {
            if let Ok(text) = std::fs::read_to_string(&record) {
                // Whatever is there is whole.
                let known = MatchRecord::parse(&text).expect("a record");
                lengths.push(known.states.len());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        played.join().expect("it ends");
    });
    assert!(lengths.is_sorted() && lengths.first() < lengths.last(), "{lengths:?}");
    let text = std::fs::read_to_string(&record).expect("a record");
    assert_eq!(MatchRecord::parse(&text).expect("a record").states.len(), 21);
    let left = std::fs::read_dir(folder.text_path("")).expect("a folder").count();
    assert_eq!(left, 1, "nothing is left beside it");
}
