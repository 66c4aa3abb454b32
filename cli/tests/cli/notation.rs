//! Infix notation in every command, as people have it.

use super::{Folder, run, run_with};

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
fn it_is_read_as_it_is_written() {
    let game = |rules: &str| {
        format!(
            "role(r).\ninit(c).\nlegal(r, go).\nnext(done) :- does(r, go).\nnext(c) :- true(c).\nterminal :- true(done).\n{rules}"
        )
    };
    for (rules, value) in [
        (
            "bonus :- true(a) & true(b) | true(c).\ngoal(r, 100) :- bonus.\ngoal(r, 0) :- ~bonus.",
            100,
        ),
        ("bonus :- true(a) ∧ (true(b) ∨ true(c))\ngoal(r, 100) ← bonus\ngoal(r, 0) ← ¬bonus", 0),
        ("goal(r, 100) :- true(a) ; true(done).\ngoal(r, 0) :- not true(done).", 100),
        ("goal(r, 0) <- true(c)\n  , true(done)\ngoal(r, 100) <= naf true(c)", 0),
    ] {
        let solved = run_with(&["solve", "-"], game(rules)).succeeds().stdout;
        assert!(solved.contains(&format!("value of r: {value}")), "{rules}\n{solved}");
    }
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
