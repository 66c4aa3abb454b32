//! Descriptions that come packed, in JSON or in a message.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Folder, corpus, ground, run, run_with};

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

#[test]
fn descriptions_are_taken_from_what_they_are_wrapped_in() {
    let text = std::fs::read_to_string(corpus("nim")).expect("a game of the corpus");
    let plain = ground(&text).succeeds().stdout;
    let without_comments: String =
        text.lines().map(|it| it.split(';').next().unwrap_or_default().to_owned() + "\n").collect();
    let json = serde_json::json!({ "gameName": "Nim", "rulesheet": text }).to_string();
    for wrapped in [
        packed(text.as_bytes()),
        [packed(text.as_bytes()), packed(b"; more")].concat(),
        json.clone().into_bytes(),
        format!("\u{feff}\n {json}").into_bytes(),
        packed(json.as_bytes()),
        format!("(START m.1 first ({without_comments}) 30 10)").into_bytes(),
    ] {
        assert_eq!(ground(&wrapped).succeeds().stdout, plain);
    }
    let folder = Folder::new();
    let file = folder.file("nim.kif.gz", packed(text.as_bytes()));
    assert_eq!(run(["ground", &file]).succeeds().stdout, plain);
    run(["check", &file]).succeeds();
}

#[test]
fn what_holds_no_description_says_so() {
    for (text, message) in [
        ("{\"rulesheet\": \"nim.kif\"}", "rules are elsewhere, in `nim.kif`: give that file"),
        ("{\"game\": 3}", "it is JSON, but has no `rulesheet`"),
        ("{\"rulesheet\": ", "it begins like JSON, but is none"),
    ] {
        ground(text).fails(1, &["`<stdin>` is no description", message]);
    }
    // Places are those in the rules.
    ground("{\"rulesheet\": \"(role x)\\n(legal x)\"}").fails(1, &["GF0109", "<stdin>:2:1"]);
}

#[test]
fn what_gzip_has_packed_is_bounded_and_may_be_damaged() {
    let mut damaged = packed(b"(role x) (legal x a)");
    let end = damaged.len() - 5;
    damaged[end] ^= 1;
    ground(&damaged).fails(4, &["cannot unpack `<stdin>`, which gzip has packed"]);
    ground(&damaged[..end - 10]).fails(4, &["cannot unpack"]);
    // Each member unpacks to 64 MiB of spaces.
    let spaces = packed(&vec![b' '; 1 << 26]);
    ground(spaces.repeat(5)).fails(3, &["would unpack to more than 268435456 bytes"]);
    // A part of the memory that is allowed.
    run_with(&["simulate", "-", "--max-memory", "128MiB"], &spaces)
        .fails(3, &["would unpack to more than 33554432 bytes"]);
}

/// What takes long to unpack to nothing.
fn empty_members() -> Vec<u8> {
    packed(b"").repeat(3_000_000)
}

#[test]
fn members_with_nothing_in_them_take_time_as_well() {
    let folder = Folder::new();
    let members = folder.file("members.kif.gz", empty_members());
    for command in ["ground", "check", "simulate"] {
        let words = [command, &members, "--time-limit", "200ms"];
        run(words).fails(3, &["time limit", "while reading"]);
    }
    // The others are checked nevertheless.
    let run = run(["check", &members, &corpus("nim"), "--time-limit", "200ms"]);
    let run = run.fails(3, &["while reading"]);
    assert!(run.stdout.contains("nim.kif"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn an_interruption_while_a_game_is_unpacked_is_told() {
    let folder = Folder::new();
    let members = folder.file("members.kif.gz", empty_members());
    let plan = folder.file(
        "cup.toml",
        "games = [\"members.kif.gz\"]\n[[players]]\nname = \"a\"\nstrategy = \"random\"\n[[players]]\nname = \"b\"\nstrategy = \"random\"\n",
    );
    let out = folder.text_path("out");
    for words in [
        &["match", &members, "--player", "a=random"][..],
        &["tournament", &plan, "--out", &out],
        &["serve", &members, "--port", "0"],
        &["ground", &members],
    ] {
        let child = super::started(words);
        std::thread::sleep(std::time::Duration::from_millis(300));
        super::signal("-INT", &child);
        let run: super::Run = child.wait_with_output().expect("it ends").into();
        run.fails(130, &["interrupted"]);
    }
}

// Infix notation in every command, as people have it.

/// A game in the style of Prolog.
const LAMP: &str = "% a lamp\nrole(r).\ninit(dark).\nlegal(r, press).\nlegal(r, wait).\nnext(lit) :- does(r, press).\nnext(dark) :- does(r, wait).\n\
                    terminal :- true(lit).\ngoal(r, 100) :- true(lit).\ngoal(r, 0) :- \\+ true(lit).\n";

#[test]
fn all_commands_read_it() {
    let folder = Folder::new();
    let plain = folder.file("lamp.infix", LAMP);
    let marked = folder.file("marked.infix", format!("\u{feff}{LAMP}"));
    let kif = folder.text_path("lamp.kif");
    let match_of = |game: &str| {
        let rest = "--player a=random --start-clock 1 --play-clock 1 --quiet --record";
        let record = folder.text_path("record.json");
        let words = rest.split(' ').map(str::to_owned).chain([record]);
        ["match", game].map(str::to_owned).into_iter().chain(words).collect::<Vec<_>>()
    };
    for game in [&plain, &marked] {
        for words in [
            &["ground"][..],
            &["explain", "--step", "or"],
            &["check"],
            &["export", "prolog"],
            &["verify"],
            &["simulate", "--seconds", "0.1"],
            &["analyse"],
            &["solve"],
            &["translate", "--to", "rtgdl"],
            &["propnet"],
        ] {
            run([words, &[game]].concat()).succeeds();
            run([words, &[game, "--notation", "infix"]].concat()).succeeds();
            run([words, &[game, "--notation", "kif"]].concat()).fails(1, &[]);
        }
        run(match_of(game)).succeeds();
        let record = folder.text_path("record.json");
        run(["analyse-match", &record, "--game", game, "--notation", "infix", "--time", "0.1"])
            .succeeds();
        let ground = run(["ground", game]).succeeds().stdout;
        std::fs::write(&kif, ground).expect("it can be written");
        let value = |game: &str| run(["solve", game]).stdout.lines().next().map(str::to_owned);
        assert_eq!(value(game), value(&kif));
    }
    folder.file(
        "cup.toml",
        "games = [\"marked.infix\"]\nstart-clock = 1\nplay-clock = 1\n[[players]]\nname = \"a\"\nstrategy = \"random\"\n\
         [[players]]\nname = \"b\"\nstrategy = \"random\"\n",
    );
    run(["tournament", &folder.text_path("cup.toml"), "--out", &folder.text_path("out")])
        .succeeds();
    run(["realtime", "simulate", &plain, "--step", "1"]).fails(1, &["is in GDL and not in rtGDL"]);
}

#[test]
fn what_is_not_understood_is_an_error_at_its_place() {
    let folder = Folder::new();
    let game = folder.file("g.pl", "role(r).\ninit(on).\ngoal(r, 100) :- true(on) -> true(off).\n");
    for command in ["ground", "solve", "check"] {
        let run = run([command, &game]);
        assert_eq!(run.code, Some(1), "{run:?}");
        let said = format!("{}{}", run.stdout, run.stderr);
        for part in ["GF0111", "is expected here, not `->`", "g.pl:3:26", "^^"] {
            assert!(said.contains(part), "{command}: no `{part}` in {said}");
        }
    }
}
