//! Everything that can be wrong with a description or its path: each has its message and exit code.

use super::{Folder, corpus, ground, run, run_with};
use groundfrog_needs::needs;

#[test]
fn unbalanced_parentheses() {
    ground("(role x)\n(<= (legal x a)\n    (true b)\n(terminal)\n").fails(
        1,
        &[
            "error[GF0005]: this parenthesis is never closed: 1 `)` missing",
            "<stdin>:2:1",
            "(<= (legal x a)\n  | ^",
            "this looks like the next statement",
            "help: most likely a `)` is missing before it",
        ],
    );
    ground("(role x))").fails(1, &["error[GF0006]: this `)` closes nothing", "<stdin>:1:9"]);
}

#[test]
fn a_million_nested_parentheses() {
    let run = ground("(".repeat(1_000_000));
    let run =
        run.fails(3, &["error[GF0004]: lists are nested more than 256 deep", "<stdin>:1:257"]);
    assert!(run.stderr.len() < 1000, "long lines are clipped");
}

#[test]
fn text_that_is_not_utf_8() {
    let run = ground(b"(role x)\n(init (caf\xe9 x))");
    run.fails(1, &["error[GF0002]: the byte 0xE9 is not valid UTF-8", "2:11", "(init (café x))"]);
}

#[test]
fn an_unsafe_variable() {
    run(["ground", &corpus("unsafe_rule")]).fails(
        1,
        &[
            "error[GF0302]: the variable `?door` is not bound by a positive literal",
            "unsafe_rule.kif:10:5",
            "10 | (<= (legal guest (leave_by ?door))",
            "   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
            "help: add a literal without `not` that says which values `?door` can have",
        ],
    );
}

#[test]
fn a_negative_cycle() {
    let text = "(role x) (p a)\n(<= (r ?x) (p ?x) (not (s ?x)))\n(<= (s ?x) (p ?x) (not (r ?x)))\n\
                (<= (init (q ?x)) (r ?x))";
    ground(text).fails(
        1,
        &["error[GF0306]: `(s _)` depends on its own negation", "the cycle: `(s _)` <- `(r _)`"],
    );
}

#[test]
fn unbounded_recursion() {
    run(["ground", &corpus("unbounded")]).fails(
        5,
        &[
            "error[GF0305]: the terms of `next` grow deeper than 32 functions",
            "unbounded.kif:14:1",
            "(--max-term-depth)",
        ],
    );
    let shallow = run(["ground", &corpus("unbounded"), "--max-term-depth", "3"]);
    shallow.fails(5, &["deeper than 3 functions"]);
}

#[test]
fn a_path_that_leads_nowhere() {
    let folder = Folder::new();
    let path = folder.text_path("missing.kif");
    run(["ground", &path]).fails(
        4,
        &["error: cannot read `", "missing.kif`: no such file or directory", "help: check"],
    );
}

#[test]
fn a_folder_as_path() {
    let folder = Folder::new();
    run(["ground", &folder.text_path("")]).fails(4, &["cannot read `", "is a directory"]);
}

#[cfg(unix)]
#[needs(permissions)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let path = folder.file("secret.kif", "(role x)");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("own file");
    run(["ground", &path]).fails(4, &["cannot read `", "secret.kif`: permission denied"]);
}

#[test]
fn many_errors_and_warnings_are_counted() {
    let errors: String = (0..50).map(|n| format!("(<= (p{n}) (?x a))\n")).collect();
    let run = ground(&errors);
    let run = run.fails(1, &["stdin>:20:", "<stdin>: and 30 more errors"]);
    assert!(!run.stderr.contains("<stdin>:21:"), "{}", run.stderr);

    let warnings: String = (0..50).map(|n| format!("(<= terminal (undefined{n}))\n")).collect();
    let run = ground(format!("(role x)\n{warnings}")).succeeds();
    assert_eq!(run.stderr.matches("warning[GF0201]").count(), 20);
    assert!(run.stderr.contains("<stdin>: and 30 more warnings"), "{}", run.stderr);
}

#[test]
fn a_wrong_command_line() {
    let game = corpus("tictactoe");
    for (arguments, message) in [
        (&["ground"][..], "required arguments were not provided"),
        (&["ground", &game, "--format", "pdf"], "[possible values: kif, canonical"),
        (&["ground", &game, "--time-limit", "soon"], "expected a time such as `10s`"),
        (&["ground", &game, "--max-memory", "4XB"], "`XB` is no unit of memory"),
        (&["ground", &game, "--max-term-depth", "0"], "0 is not in 1..=512"),
        (&["grind", &game], "a similar subcommand exists: 'ground'"),
        (&["explain", &game, "--step", "all"], "[possible values: or, statics"),
        (&["generate", "hex", "--size", "1"], "1 is not in 2..=40"),
        (&["generate", "rule-width", "--variables", "4", "--width", "9"], "at the most"),
    ] {
        run(arguments).fails(2, &["error: ", message]);
    }
}

#[test]
fn a_rule_with_too_many_literals() {
    for literals in [2049, 200_000] {
        let body = "(true (on a)) ".repeat(literals);
        let text = format!("(role x) (legal x a) (init (on a))\n(<= terminal {body})");
        let message = format!("error[GF0309]: a rule with {literals} literals, more than 2048");
        for form in ["--flat", "--quiet"] {
            run_with(&["ground", "-", form], &text).fails(3, &[&message, "<stdin>:2:5"]);
        }
    }
}

#[test]
fn a_rule_with_too_many_names() {
    let arguments = |of: fn(usize) -> String| (0..300_000).map(of).collect::<String>();
    for (arguments, names) in [
        (arguments(|it| format!(" a{it}")), 600_000),
        (arguments(|it| format!(" ?v{it}")), 600_000),
        (arguments(|it| format!(" (f a{it})")), 1_200_000),
    ] {
        let rule = format!("(<= (p{arguments}) (q{arguments}))");
        let message = format!("error[GF0309]: a rule with {names} names in its terms, more than");
        run_with(&["ground", "-"], light(&rule)).fails(3, &[&message, "several atoms"]);
        let checked = run_with(&["check", "-"], light(&rule)).fails(3, &[]).stdout;
        assert!(checked.contains(&message), "{checked}");
    }
}

/// A game with one light, and more rules.
fn light(rules: &str) -> String {
    format!(
        "(role x) (init (light off)) (legal x push) (<= (next (light on)) (does x push))
        (<= terminal (true (light on))) (<= (goal x 100) (true (light on)))\n{rules}"
    )
}

#[test]
fn an_atom_that_depends_on_its_own_negation() {
    // Inlined, `q` would make `p` depend on itself alone.
    let cycle = light("(<= (goal x 50) p) (<= p (not q) (true (light on))) (<= q (not p))");
    for form in ["--without=moves", "--simplify"] {
        run_with(&["ground", "-", form], &cycle).fails(1, &["error[GF0306]", "<stdin>:3:"]);
    }
}

#[test]
fn a_higher_limit_on_depth_accepts_what_a_lower_one_does() {
    let text =
        "(role x) (legal x a) (goal x 50) (next_of 0 1) (next_of 1 2) (next_of 2 3) (stack 0 z)
        (<= (stack ?m (s ?x)) (next_of ?n ?m) (stack ?n ?x)) (init (step z))
        (<= (next (step (s ?x))) (true (step ?x)) (stack ?n ?x) (next_of ?n ?m))
        (<= terminal (true (step ?x)) (stack 3 ?x))";
    for depth in ["32", "512"] {
        run_with(&["ground", "-", "--max-term-depth", depth], text).succeeds();
    }
}

#[test]
fn what_would_take_longer_than_any_limit_stops() {
    let places: String = (0..200).map(|it| format!("(true (light ?v{it}))")).collect();
    let wide = light(&format!("(<= (goal x 3) {places})"));
    let limits = ["ground", "-", "--flat", "--max-rules", "3"];
    run_with(&limits, wide).fails(3, &["more than 3 ground rules"]);
    let chain: String = (0..20_000).map(|it| format!("(<= (v{} ?x) (v{it} ?x))", it + 1)).collect();
    let chain =
        light(&format!("(<= (v0 ?x) (true (light ?x))) {chain} (<= (goal x 1) (v20000 on))"));
    run_with(&["check", "-"], chain).succeeds();
}

#[test]
fn statistics_do_not_take_the_place_of_the_rules() {
    let folder = Folder::new();
    let (game, out) = (corpus("tictactoe"), folder.text_path("out.kif"));
    run(["ground", &game, "-o", &out, &format!("--json-stats={out}")]).fails(2, &["another file"]);
    let inside = folder.text_path(".");
    run(["ground", &game, "-o", &out, &format!("--json-stats={inside}")])
        .fails(4, &["cannot write to"]);
    assert_eq!(folder.names(), Vec::<String>::new());
}

#[test]
fn files_without_results_and_games_without_base_are_refused() {
    let folder = Folder::new();
    let empty = folder.file("empty.jsonl", "");
    run(["compare", &empty, &empty]).fails(4, &["there are no results"]);
    run(["verify", &corpus("tictactoe"), "--domains", "given"]).fails(2, &["base and input"]);
}
