//! A small game, with names that need care, in every format.

use std::io::{self, Write};

use groundfrog::emit::{self, Format};
use groundfrog::options::GroundOptions;

use super::{ground_text, own_games, residual, treatments, write};

/// A lamp with a button; the name of a player, a term without arguments, an operator and a proposition
/// are not written in ASP as they are here.
const LAMP: &str = "
(role Ann)
(init (lamp off))
(init (++ 0))
(succ 0 01)
(succ 01 2)
(legal Ann press)
(<= (legal Ann (wait)) (true (lamp on)))
(<= pressed (does Ann press))
(<= (shines+ on) (true (lamp on)))
(<= (next (lamp on)) pressed (not (shines+ on)))
(<= (next (lamp off)) pressed (shines+ on))
(<= (next (lamp ?s)) (not pressed) (true (lamp ?s)))
(<= (next (++ ?n)) (true (++ ?m)) (succ ?m ?n))
(<= terminal (true (++ 2)))
(<= (goal Ann 100) (shines+ on))
(<= (goal Ann 0) (not (shines+ on)))
";

#[test]
fn every_format_says_what_the_documentation_says() {
    for (options, form) in treatments().iter().zip(["flat", "residual", "compact"]) {
        let game = ground_text(LAMP, options);
        for format in Format::ALL {
            insta::assert_snapshot!(format!("{format}_{form}"), write(&game, format));
        }
    }
}

#[test]
fn a_fact_without_arguments_is_written_as_a_rule() {
    let text = "(role r) (legal r m) (init a) (<= terminal (not (true a)) (true b)) (<= terminal (not bored)) (<= bored (true z)) (goal r 1)";
    let game = ground_text(text, &GroundOptions::flat());
    assert!(write(&game, Format::Kif).contains("\n(<= terminal)\n"), "in KIF");
    assert!(write(&game, Format::Canonical).contains("\nterminal\n"), "in canonical text");
    assert!(write(&game, Format::Asp).contains("\nterminal.\n"), "in ASP");
}

#[test]
fn formats_are_known_by_their_names() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
    let error = "yaml".parse::<Format>().expect_err("there is no such format");
    assert!(error.to_string().contains("`yaml`") && error.to_string().contains("aspif"));
}

/// A disk that is full after so many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_reported() {
    let game = ground_text(
        groundfrog_corpus::game("small_chess").expect("a game").text,
        &GroundOptions::flat(),
    );
    for format in Format::ALL {
        let all = write(&game, format).len();
        for room in [0, 10, all / 2, all - 1] {
            let error = emit::write(&game, format, &mut Full(room)).expect_err("no room");
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{format} with {room} bytes");
        }
        emit::write(&game, format, &mut Full(all)).expect("there is room");
    }
}

#[test]
fn threads_change_no_byte() {
    for game in own_games().filter(|game| !game.tags.contains(&"large")) {
        let one = ground_text(game.text, &GroundOptions::flat());
        let two = ground_text(game.text, &GroundOptions { threads: 2, ..GroundOptions::flat() });
        for format in Format::ALL {
            assert!(write(&one, format) == write(&two, format), "{} as {format}", game.name);
        }
    }
}

/// The code blocks of the documentation, by what follows `text` in their first line.
fn documented(name: &str) -> (String, std::ops::Range<usize>) {
    let text = std::fs::read_to_string(DOCUMENTATION).expect("the documentation");
    let opening = format!("```text {name}\n");
    let start = text.find(&opening).expect("a block of that name") + opening.len();
    let end = start + text[start..].find("```").expect("the end of the block");
    (text, start..end)
}

const DOCUMENTATION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/formats.md");

/// `UPDATE_DOCS=1` writes the blocks anew.
#[test]
fn the_examples_of_the_documentation_are_what_is_written() {
    let (text, range) = documented("game");
    let game = ground_text(&text[range], &residual());
    for format in Format::ALL {
        let (mut text, range) = documented(format.name());
        let written = write(&game, format);
        if std::env::var_os("UPDATE_DOCS").is_some() && format != Format::Json {
            text.replace_range(range, &written);
            std::fs::write(DOCUMENTATION, text).expect("the documentation can be written");
        } else {
            let mut shown = text[range].to_owned();
            if format == Format::Json {
                // The page breaks what is one line.
                shown = shown.replace('\n', "") + "\n";
            }
            assert_eq!(shown, written, "{format}");
        }
    }
}
