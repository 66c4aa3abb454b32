//! Names of files and other text of strangers reach terminal, logs and pages with nothing that steers a terminal or turns what is around it.

use super::{Folder, Run, corpus, run};

/// An escape sequence, a line break, a control of C1, and what turns the direction.
const STEERING: &str = "e\u{1b}[31mX\nerror: gone\u{9b}1m\u{202e}y";
/// The same, shown.
const SHOWN: &str = r"e\u{1b}[31mX\u{a}error: gone\u{9b}1m\u{202e}y";

/// That nothing steers, and whether the name is shown. The text may have several lines.
#[track_caller]
fn is_shown(text: &str) -> bool {
    let steers = |it: char| (it.is_control() && it != '\n' && it != '\t') || it == '\u{202e}';
    assert!(!text.contains(steers), "{text:?}");
    assert!(!text.lines().any(|it| it.starts_with("error: gone")), "{text}");
    text.contains(SHOWN)
}

#[track_caller]
fn shows(run: &Run) {
    let shown = [&run.stdout, &run.stderr].map(|it| is_shown(it));
    assert!(shown.contains(&true), "{run:?}");
}

#[test]
fn names_of_files_are_shown_and_steer_nothing() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(corpus("tictactoe")).expect("a game");
    let game = folder.file(&format!("{STEERING}.kif"), &text);
    let bad = folder.file(&format!("bad{STEERING}.kif"), "(role a) (<= (legal a go)) (init ?x)");
    let none = folder.text_path(&format!("none{STEERING}.kif"));
    let record = folder.file(
        &format!("{STEERING}.json"),
        r#"{"matchId": "m", "gameMetaURL": "http://games.example.org/x"}"#,
    );
    let simulate = ["--seconds", "0.05"];
    let commands: [(&str, &[&str]); 8] = [
        ("check", &[]),
        ("ground", &["-o", "/dev/null"]),
        ("verify", &["--playouts", "2"]),
        ("simulate", &simulate),
        ("analyse", &["--proof-time", "0.01"]),
        ("solve", &["--time-limit", "20"]),
        ("play", &[]),
        ("explain", &[]),
    ];
    for (command, options) in commands {
        for file in [&game, &bad, &none] {
            let run = run([&[command, file][..], options].concat());
            for text in [&run.stdout, &run.stderr] {
                is_shown(text);
            }
            if file != &game {
                assert_ne!(run.code, Some(0), "{run:?}");
                shows(&run);
            }
        }
    }
    for command in ["check", "verify", "simulate"] {
        shows(&run(
            [&[command, &game][..], if command == "simulate" { &simulate } else { &[] }].concat()
        ));
    }
    shows(&run(["ground", "-o", "/dev/null", &game]));
    // Of words of the command line, too.
    shows(&run(["ground", &game, &game]));
    shows(&run(["solve", &format!("--{STEERING}")]));
    shows(&run(["analyse-match", &none]));
    run(["analyse-match", &record]).fails(2, &["--game FILE", "http://games.example.org/x"]);
    // JSON means the same.
    let found = run(["check", "--json", &game]);
    assert!(!is_shown(&found.stdout) && found.stdout.contains(r"\u202e"), "{}", found.stdout);
    let report = found.json();
    assert!(report.to_string().contains("[31mX"), "{report}");
}

#[test]
fn what_descriptions_hold_is_shown_in_excerpts() {
    let folder = Folder::new();
    let rules = "(role a)\n(init (p \u{202e}x\u{1b}[2J)) (<= (legal a go) (true (q ?y)) (not (r ?\u{202e}z)))\n";
    let game = folder.file("odd.kif", rules);
    for arguments in [&["check", &game][..], &["ground", &game], &["check", "--json", &game]] {
        let run = run(arguments);
        is_shown(&run.stdout);
        is_shown(&run.stderr);
        let all = run.stdout + &run.stderr;
        assert!(all.contains("U+202E"), "{all}");
        let is_json = arguments.contains(&"--json");
        assert!(is_json || all.contains(r"\u{202e}z"), "{all}");
    }
}

#[test]
fn bench_shows_names_in_lines_and_pages() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(corpus("tictactoe")).expect("a game");
    let game = folder.file(&format!("{STEERING}.kif"), &text);
    let out = folder.text_path(&format!("out{STEERING}"));
    let found = run(["bench", &game, "--out", &out, "--runs", "1", "--warm-up", "0"]).succeeds();
    shows(&found);
    is_shown(&found.stderr);
    for name in ["report.html", "budget.svg"] {
        let page = std::fs::read_to_string(std::path::Path::new(&out).join(name));
        let page = page.expect("a file");
        assert!(name != "report.html" || page.contains("Content-Security-Policy"), "{name}");
        is_shown(&page);
    }
    let none = folder.text_path(&format!("none{STEERING}"));
    shows(&run(["report", &none, "--out", &folder.text_path("page")]));
}

#[test]
fn a_tournament_shows_the_names_of_its_players_and_games() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(corpus("tictactoe")).expect("a game");
    folder.file(&format!("{STEERING}.kif"), text);
    let in_toml = |text: &str| {
        let quoted = serde_json::to_string(text).expect("a text");
        quoted.replace('\u{9b}', r"\u009b").replace('\u{202e}', r"\u202e")
    };
    let quoted = in_toml(STEERING);
    let plan = format!(
        "games = [{}]\nstart-clock = 5\nplay-clock = 0.2\nseed = 1\n\
         [[players]]\nname = \"ann\"\nstrategy = \"random\"\n[[players]]\nname = \"bob\"\nstrategy = \"random\"\n",
        quoted.replace("y\"", "y.kif\"")
    );
    let plan = folder.file("cup.toml", plan);
    let out = folder.text_path(&format!("out{STEERING}"));
    for (option, is_json) in [("--replace", false), ("--json", true)] {
        let out = if is_json { folder.text_path("json") } else { out.clone() };
        let found = run(["tournament", &plan, "--out", &out, option]);
        for text in [&found.stdout, &found.stderr] {
            is_shown(text);
        }
        assert_eq!(found.code, Some(0), "{found:?}");
        let page = std::fs::read_to_string(std::path::Path::new(&out).join("report.html"));
        let page = page.expect("a page");
        is_shown(&page);
        let policy = page.contains("Content-Security-Policy");
        assert!(policy && page.contains("default-src 'none'"), "{}", &page[..600]);
    }
}
