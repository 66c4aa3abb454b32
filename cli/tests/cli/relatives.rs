//! `groundfrog realtime`, `market`, `translate`, and `check` of rtGDL and MSL.

use groundfrog_needs::needs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Folder, Listening, corpus, program, run, run_with, started};

const CHICKEN: &str = "realtime/chicken";
const SEALED: &str = "markets/sealed_bid";

#[test]
fn a_script_is_simulated() {
    let folder = Folder::new();
    let script = folder
        .file("moves.kif", "(0.3 white swerve) ; then\n(1.0 black swerve)\n(0.4 white swerve)");
    let words = ["realtime", "simulate", &corpus(CHICKEN), "--script", &script];
    assert_eq!(
        run(words).succeeds().stdout,
        "0\n0.3  (white swerve)\n1  (black swerve)  expired timer\nignored at 0.4: (white swerve)\n\
         over: white 90, black 90\n"
    );
    let wrong = folder.file("wrong.kif", "(0.3 white swerve)\n(0.4 purple swerve)");
    let run = run(["realtime", "simulate", &corpus(CHICKEN), "--script", &wrong]);
    let message = run.fails(1, &["line 2: nobody plays `purple`: the roles are white, black"]);
    assert_eq!(message.stdout, "");
}

#[test]
fn random_matches_are_the_same_for_a_seed() {
    let words = ["realtime", "simulate", &corpus(CHICKEN), "--step", "0.05", "--seed", "7"];
    let (one, other) = (run(words).succeeds().stdout, run(words).succeeds().stdout);
    assert_eq!(one, other);
    assert!(one.lines().last().is_some_and(|it| it.starts_with("over: ")), "{one}");
    let measured = run([&words[..], &["--playouts", "20"]].concat()).succeeds().stdout;
    assert!(measured.starts_with("20 matches, 20 over; "), "{measured}");
    // A lifetime flows into a fluent.
    let run = run(["realtime", "simulate", &corpus("realtime/stopwatch"), "--step", "0.5"]);
    let shown = run.succeeds().stdout;
    assert!(shown.contains("over: "), "{shown}");
}

#[test]
fn a_person_plays_by_the_clock() {
    let shown =
        run_with(&["realtime", "play", &corpus(CHICKEN), "--role", "white"], "fly\nswerve\n");
    let shown = shown.succeeds().stdout;
    assert!(shown.contains("`fly` is not legal now"), "{shown}");
    assert!(shown.contains("(white swerve)") && shown.contains("over: white "), "{shown}");
}

#[test]
fn a_script_is_traded() {
    let folder = Folder::new();
    let script =
        folder.file("bids.kif", "(1 a_1 (my_bid 10)) (1 a_2 (my_bid 15)) (2 a_3 (my_bid 20))");
    let shown = run(["market", &corpus(SEALED), "--script", &script]).succeeds().stdout;
    assert!(shown.contains("2  does (clearing a_2 15)\n2  send a_1 (winner a_2 15)\n"), "{shown}");
    assert!(shown.ends_with("3  closed\n"), "{shown}");
    run(["market", &corpus(SEALED)]).fails(2, &["--script", "--port"]);
}

#[test]
fn languages_are_not_guessed() {
    let folder = Folder::new();
    run(["ground", &corpus(CHICKEN)]).fails(1, &["is in rtGDL, and this command reads GDL"]);
    run(["ground", &corpus(SEALED)]).fails(1, &["is in MSL, and this command reads GDL"]);
    let gdl = corpus("tictactoe");
    run(["realtime", "simulate", &gdl])
        .fails(1, &["is in GDL and not in rtGDL: `groundfrog translate"]);
    run(["realtime", "simulate", &corpus(SEALED)]).fails(1, &["is in MSL and not in rtGDL"]);
    let mixed = folder.file("mixed.kif", "(role a) (init 1 f)\n(<= terminal (true f))");
    let places = ["GF0801", "mixture of rtGDL and GDL", "this is rtGDL", "this is GDL"];
    run(["realtime", "simulate", &mixed]).fails(1, &places);
    run(["ground", &mixed]).fails(1, &places);
    let checked = run(["check", &mixed]).fails(1, &[]);
    assert!(places.iter().all(|it| checked.stdout.contains(it)), "{}", checked.stdout);
    // Said to be rtGDL, the other place is an error of its own.
    let run = run(["realtime", "simulate", &mixed, "--language", "rtgdl"]);
    run.fails(1, &["`true` takes 2 arguments, not 1", "(true ?t timer)"]);
}

#[test]
fn games_are_translated() {
    let folder = Folder::new();
    let out = folder.text_path("nim.kif");
    run(["translate", &corpus("nim"), "--to", "rtgdl", "--turn", "2.5", "-o", &out]).succeeds();
    let words = ["realtime", "simulate", &out, "--idle", "clock", "--until", "100", "--quiet"];
    let shown = run(words).succeeds().stdout;
    assert!(shown.contains("\n2.5  "), "{shown}");
    assert!(shown.lines().last().is_some_and(|it| it.starts_with("over: ")), "{shown}");
}

#[test]
fn check_knows_the_languages() {
    let folder = Folder::new();
    let chicken = run(["check", &corpus(CHICKEN)]).succeeds().stdout;
    assert!(chicken.contains("chicken.kif: rtGDL; 5 facts, 9 rules; nothing found"), "{chicken}");
    let properties = format!("{}.properties", corpus(SEALED).trim_end_matches(".kif"));
    let words =
        ["check", &corpus(SEALED), "--explore", "--properties", &properties, "--samples", "0,1"];
    let market = run(words).succeeds().stdout;
    for part in ["sealed_bid.kif: MSL; ", "one_winner           holds in all courses", "private "] {
        assert!(market.contains(part), "{part}: {market}");
    }
    let text = std::fs::read_to_string(corpus(SEALED)).expect("the market");
    let printed = folder.file("printed.kif", text.replace("(true (bid ?b ?p)) ", ""));
    let unsafe_rule = run(["check", &printed]).fails(1, &[]).stdout;
    assert!(unsafe_rule.contains("add `(true (bid ?b ?p))` to the rule"), "{unsafe_rule}");
    let open = run(["check", &corpus("markets/english"), "--explore", "--samples", "1"]).succeeds();
    for part in ["GF0807", "step 3 of", "nobody has sent anything", "than of"] {
        assert!(open.stdout.contains(part), "{part}: {}", open.stdout);
    }
    let json = run(["check", &corpus(CHICKEN), "--format", "json"]).succeeds().stdout;
    assert!(json.contains("\"rtgdl\""), "{json}");
}

/// What a program that listens says until it has ended well.
fn rest(mut program: Listening) -> Vec<String> {
    let mut text = String::new();
    program.out.read_to_string(&mut text).expect("text");
    assert!(program.process.wait().expect("it ends").success());
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_match_over_loopback() {
    let folder = Folder::new();
    let script = folder.file("moves.kif", "(0.4 swerve)");
    let game = corpus(CHICKEN);
    let words = ["realtime", "serve", &game, "--port", "0", "--join", "20s"];
    let manager = Listening::start(program().args(words));
    let address = &manager.address;
    let one = started(&["realtime", "player", address, "--role", "white", "--script", &script]);
    let other = started(&["realtime", "player", address, "--role", "black", "--wait", "100"]);
    let told = rest(manager);
    assert!(
        told.contains(&"white: 80".to_owned()) || told.contains(&"white: 90".to_owned()),
        "{told:?}"
    );
    for child in [one, other] {
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains("expired timer"), "{text}");
    }
}

#[needs(python3)]
#[test]
fn traders_in_python_learn_to_bid() {
    let market = corpus(SEALED);
    let words =
        ["market", &market, "--port", "0", "--join", "20s", "--rounds", "12", "--step", "40ms"];
    let maker = Listening::start(program().args(words));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples/trader.py");
    let traders = [("a_1", "10"), ("a_2", "8"), ("a_3", "6")].map(|(name, value)| {
        let mut command = Command::new("python3");
        command.arg(&script).args([&maker.address, name, value]).stdout(Stdio::piped());
        command.spawn().expect("it starts")
    });
    let told = rest(maker);
    let clearings = told.iter().filter(|it| it.contains("does (clearing ")).count();
    assert!(clearings > 0 && told.iter().all(|it| !it.contains("refused a_")), "{told:?}");
    for trader in traders {
        let output = trader.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains(": 12 rounds, earned "), "{text}");
    }
}
