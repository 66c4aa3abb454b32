//! Slips of the pen: the cause comes first, with what may be meant, and what follows from it is marked as that.

use groundfrog::kif::Severity;
use groundfrog_check::CheckReport;
use groundfrog_check::judge::{JudgeOptions, judge};

use super::{check, show_all};

/// Two players move in turn on a board.
const GAME: &str = include_str!("slips.kif");

/// What is first of a game with one part written otherwise.
fn first(right: &str, wrong: &str) -> (CheckReport, String) {
    assert!(GAME.contains(right), "{right}");
    let text = GAME.replacen(right, wrong, 1);
    let report = check(&text);
    let finding = report.diagnostics.first().unwrap_or_else(|| panic!("nothing found: {wrong}"));
    assert_eq!(finding.follows, None);
    let verdict = judge(text.as_bytes(), &JudgeOptions::default());
    assert_eq!(verdict.valid(), Some(false), "{wrong}");
    assert_eq!(verdict.reasons[0].finding.code, finding.code, "{wrong}");
    let text = format!("{} {}\n{}", finding.code, finding.message, finding.help.join("\n"));
    (report, text)
}

#[test]
fn the_game_is_right() {
    assert_eq!(show_all(&check(GAME)), [""; 0]);
    assert_eq!(judge(GAME.as_bytes(), &JudgeOptions::default()).valid(), Some(true));
}

#[test]
fn misspelt_names_come_first_with_what_is_meant() {
    for (right, wrong, code, name, meant) in [
        // Keywords.
        ("(<= terminal", "(<= termnal", "GF0207", "termnal", "terminal"),
        ("(role xplayer)", "(rolle xplayer)", "GF0207", "rolle", "role"),
        ("(<= (legal ?p", "(<= (leagl ?p", "GF0207", "leagl", "legal"),
        ("(<= (goal ?p 100)", "(<= (gaol ?p 100)", "GF0207", "gaol", "goal"),
        ("(init (control", "(intt (control", "GF0207", "intt", "init"),
        ("(true (control ?p))", "(ture (control ?p))", "GF0201", "ture", "true"),
        ("(distinct ?p blank)", "(distnct ?p blank)", "GF0201", "distnct", "distinct"),
        ("(not open)", "(nott open)", "GF0201", "nott", "not"),
        ("(does ?p (mark ?x", "(deos ?p (mark ?x", "GF0201", "deos", "does"),
        // Predicates.
        ("(role ?p)\n    (row ?p)", "(role ?p)\n    (rwo ?p)", "GF0201", "rwo", "row"),
        ("(<= (row ?p)", "(<= (roow ?p)", "GF0207", "roow", "row"),
        (
            "(elsewhere ?x ?y ?u ?v))\n",
            "(elsewere ?x ?y ?u ?v))\n",
            "GF0201",
            "elsewere",
            "elsewhere",
        ),
        ("(not open)", "(not opne)", "GF0201", "opne", "open"),
        ("(index 3)", "(indx 3)", "GF0207", "indx", "index"),
        // Fluents.
        ("(init (control", "(init (contrl", "GF0207", "contrl", "control"),
        ("(true (control ?p))", "(true (contorl ?p))", "GF0207", "contorl", "control"),
        ("(next (cell ?x ?y ?p))", "(next (celll ?x ?y ?p))", "GF0207", "celll", "cell"),
        ("(next (control oplayer))", "(next (cntrol oplayer))", "GF0207", "cntrol", "control"),
        ("(init (cell 1 2", "(init (cel 1 2", "GF0207", "cel", "cell"),
        // Moves.
        ("(legal ?p (mark", "(legal ?p (makr", "GF0207", "makr", "mark"),
        ("(does ?p (mark ?x", "(does ?p (mrak ?x", "GF0207", "mrak", "mark"),
        // Roles.
        ("(legal xplayer noop)", "(legal xplyer noop)", "GF0411", "xplyer", "xplayer"),
        ("(role oplayer)", "(role oplaeyr)", "GF0207", "oplaeyr", "oplayer"),
        (
            "(goal ?p 100)\n    (role ?p)",
            "(goal xplaye 100)\n    (role ?p)",
            "GF0411",
            "xplaye",
            "xplayer",
        ),
        // Constants.
        ("(init (cell 1 1 blank))", "(init (cell 1 1 blnak))", "GF0207", "blnak", "blank"),
        (
            "(cell ?x ?y blank)))\n(<= terminal",
            "(cell ?x ?y blnk)))\n(<= terminal",
            "GF0207",
            "blnk",
            "blank",
        ),
        ("(init (control xplayer))", "(init (control xplaye))", "GF0207", "xplaye", "xplayer"),
    ] {
        let (report, text) = first(right, wrong);
        assert!(
            text.starts_with(&format!("{code} `{name}` ")),
            "{wrong}: {text}\n{:#?}",
            show_all(&report)
        );
        assert!(text.contains(&format!("did you mean `{meant}`")), "{wrong}: {text}");
        let causes = report
            .diagnostics
            .iter()
            .filter(|it| it.follows.is_none() && it.severity > Severity::Note);
        assert_eq!(causes.count(), 1, "{wrong}: {:#?}", report.diagnostics);
    }
}

#[test]
fn another_number_of_arguments_is_an_error() {
    for (right, wrong, name, numbers) in [
        ("(next (cell ?x ?y ?p))", "(next (cell ?x ?p))", "cell", "2 arguments here and 3"),
        ("(init (cell 1 1 blank))", "(init (cell 1 blank))", "cell", "2 arguments here and 3"),
        ("(true (cell ?x 1 ?p))", "(true (cell ?x 1))", "cell", "2 arguments here and 3"),
        (
            "(init (control xplayer))",
            "(init (control xplayer 1))",
            "control",
            "2 arguments here and 1",
        ),
        ("(legal ?p (mark ?x ?y))", "(legal ?p (mark ?x))", "mark", "1 argument here and 2"),
        ("(does ?p (mark ?x ?y))", "(does ?p (mark ?x ?y ?p))", "mark", "3 arguments here and 2"),
        ("(next (control oplayer))", "(next control)", "control", "0 arguments here and 1"),
    ] {
        let (report, text) = first(right, wrong);
        let expected = format!("GF0208 `{name}` has {numbers} argument");
        assert!(text.starts_with(&expected), "{wrong}: {text}\n{:#?}", show_all(&report));
        assert_eq!(report.severity(), Some(Severity::Error));
    }
    // Predicates are known with their number.
    let (_, text) = first("(not (row ?p))", "(not (row ?p 1))");
    assert!(text.contains("`row` is defined with 1 argument"), "{text}");
    // Where each is made and read they are two.
    let own =
        format!("{GAME}(init (cell 1))\n(<= (legal ?p wait)\n    (role ?p)\n    (true (cell 1)))");
    assert!(show_all(&check(own)).iter().all(|it| !it.contains("GF0208")));
}

#[test]
fn a_constant_that_stands_once_is_named_by_what_follows_from_it() {
    let (report, text) = first("(init (control xplayer))", "(init (control golf))");
    assert!(text.starts_with("GF0207 `golf` stands nowhere else"), "{text}");
    assert!(text.contains("`xplayer`") && text.contains("`oplayer`"), "{text}");
    let rest = report.diagnostics.iter().skip(1);
    assert!(rest.clone().count() > 2 && rest.clone().all(|it| it.follows.is_some()), "{report:#?}");
}

#[test]
fn names_that_differ_on_purpose_are_no_slips() {
    for other in [
        // Alike, and made and read.
        "(init (cells 1 1 blank)) (<= (legal ?p stay) (role ?p) (true (cells 1 1 blank)))",
        // Systematic names.
        "(init (owner west1)) (init (owner west2)) (<= (legal ?p stay) (role ?p) (true (owner ?o)))",
        "(side bleft) (side wleft) (<= (legal ?p stay) (role ?p) (side wleft))",
    ] {
        let found = check(format!("{GAME}{other}"));
        let slips = found.diagnostics.iter().filter(|it| ["GF0207", "GF0208"].contains(&it.code));
        assert_eq!(slips.count(), 0, "{other}: {:#?}", found.diagnostics);
    }
}

#[test]
fn a_game_that_cannot_end_is_an_error() {
    for (condition, slip) in [
        ("(true (cell 1 1 full))", false),
        ("(true (cell 3 1 xplayer))", false),
        ("(true (cel 1 1 blank))", true),
    ] {
        let text = GAME.replacen("(not open)", condition, 1);
        let report = check(&text);
        let end = report.diagnostics.iter().find(|it| it.code == "GF0709");
        let end = end.unwrap_or_else(|| panic!("{condition}: {report:#?}"));
        assert_eq!((end.severity, end.follows.is_some()), (Severity::Error, slip), "{condition}");
        assert_eq!(judge(text.as_bytes(), &JudgeOptions::default()).valid(), Some(false));
    }
    // Each of the conditions holds somewhere, and never both: that is seen by visiting all states.
    let text = "(role r) (init (at 1)) (legal r go) (<= (next (at 2)) (true (at 1))) (<= (next (at 1)) (true (at 2)))
        (<= terminal (true (at 1)) (true (at 2))) (goal r 50)";
    assert_eq!(show_all(&check(text)), [""; 0]);
    let verdict = judge(text.as_bytes(), &JudgeOptions::default());
    assert_eq!(verdict.valid(), Some(false));
    let finding = &verdict.reasons[0].finding;
    assert_eq!(
        (finding.code, &*finding.message),
        ("GF0709", "no match can ever end: none of the 2 states that can be reached is terminal")
    );
}

#[test]
fn edits_of_slips_mend_them() {
    for (right, wrong) in [
        ("(<= terminal", "(<= termnal"),
        ("(legal ?p (mark", "(legal ?p (makr"),
        ("(init (cell 1 1 blank))", "(init (cell 1 1 blnak))"),
        ("(true (control ?p))", "(control ?p)"),
    ] {
        let verdict = judge(GAME.replacen(right, wrong, 1).as_bytes(), &JudgeOptions::default());
        let mended = verdict.mended().unwrap_or_else(|| panic!("no edit: {wrong}"));
        assert_eq!(mended, GAME, "{wrong}");
    }
}
