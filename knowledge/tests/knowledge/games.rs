//! What is proved of games.

use std::time::Duration;

use cpu_time::ThreadTime;
use groundfrog_knowledge::{Analysis, AnalysisOptions, Property, Verdict, analyse};
use groundfrog_testing::needs;

use super::{column, corpus, public, rules};

/// Far more than any of these games takes.
const TIME: Duration = Duration::from_secs(120);

fn analysis(text: &str) -> Analysis {
    let options = AnalysisOptions { time: TIME, ..AnalysisOptions::default() };
    analyse(&mut rules(text), &options).expect("rules that can be evaluated")
}

/// The verdict on a property.
fn verdict<'run>(analysis: &'run Analysis, property: &Property) -> &'run Verdict {
    let finding = analysis.findings.iter().find(|finding| finding.property == *property);
    &finding.unwrap_or_else(|| panic!("{property:?} is not in {analysis:#?}")).verdict
}

fn exactly_one(pattern: &str) -> Property {
    Property::ExactlyOne { pattern: pattern.to_owned() }
}

fn permanent(pattern: &str) -> Property {
    Property::Permanent { pattern: pattern.to_owned() }
}

/// The verdict on whether every match ends, and after how many joint moves.
fn ending(analysis: &Analysis) -> (&Verdict, Option<u64>) {
    let moves = |property: &Property| match property {
        Property::Terminating { moves } => Some(*moves),
        _ => None,
    };
    let found = analysis
        .findings
        .iter()
        .find_map(|finding| Some((&finding.verdict, moves(&finding.property)?)));
    found.expect("it is always looked at")
}

#[test]
fn tictactoe_is_what_it_looks_like() {
    let found = analysis(corpus("tictactoe"));
    let proved = [
        exactly_one("(square _ _ *)"),
        exactly_one("(turn *)"),
        permanent("(square _ _ cross)"),
        Property::TurnTaking,
        Property::Playable,
        Property::OneGoal,
        Property::ConstantSum { sum: 100 },
    ];
    for property in proved {
        assert_eq!(*verdict(&found, &property), Verdict::Proved, "{property:?}");
    }
    assert_eq!(*ending(&found).0, Verdict::Proved);
}

#[test]
fn roles_that_choose_together_take_no_turns() {
    let found = analysis(corpus("rock_paper_scissors"));
    assert_eq!(*verdict(&found, &Property::TurnTaking), Verdict::Refuted { moves: vec![] });
    assert_eq!(*verdict(&found, &exactly_one("(round *)")), Verdict::Proved);
    assert_eq!(*ending(&found).0, Verdict::Proved, "rounds are counted");
}

#[test]
fn a_lamp_that_can_be_switched_for_ever_has_no_end() {
    let found = analysis(
        "(role ann) (init (lamp off)) (legal ann switch) (legal ann leave)
         (turns off on) (turns on off)
         (<= (next (lamp ?y)) (does ann switch) (true (lamp ?x)) (turns ?x ?y))
         (<= (next (lamp ?x)) (does ann leave) (true (lamp ?x)))
         (<= (next left) (does ann leave)) (<= terminal (true left))
         (<= (goal ann 100) (true (lamp on))) (<= (goal ann 0) (true (lamp off)))",
    );
    let (ending, moves) = ending(&found);
    assert!(matches!(ending, Verdict::Refuted { moves } if moves.len() >= 2), "{ending:?}");
    assert_eq!(moves, None);
    assert_eq!(*verdict(&found, &exactly_one("(lamp *)")), Verdict::Proved);
}

#[test]
fn a_property_that_needs_two_steps_is_proved() {
    // From (p 2) and (q 1) together, which no match reaches, two ps would follow; a step earlier there is nothing that leads there.
    let found = analysis(
        "(role ann) (init (p 0)) (init (q 0)) (legal ann go) (legal ann stay)
         (<= (next (p 1)) (true (p 0)) (does ann go)) (<= (next (p 0)) (true (p 0)) (does ann stay))
         (<= (next (p 0)) (true (p 1))) (<= (next (p 1)) (true (q 1))) (<= (next (q 1)) (true (q 2)))
         (<= (next (q 0)) (true (q 0))) (<= terminal (true (p 3))) (goal ann 0)",
    );
    assert_eq!(*verdict(&found, &exactly_one("(p *)")), Verdict::Proved);
}

#[test]
fn what_no_match_reaches_is_no_refutation() {
    // Both switches on would stick the match, and no match gets there: the induction needs their exclusion as a lemma.
    let found = analysis(
        "(role ann) (init (switch left)) (legal ann change)
         (<= (next (switch right)) (true (switch left)))
         (<= (next (switch left)) (true (switch right)))
         (<= terminal (true (switch left)) (true (switch right)))
         (<= (goal ann 0) terminal) (<= (goal ann 1) terminal)",
    );
    assert_eq!(*verdict(&found, &Property::OneGoal), Verdict::Proved, "no match ends");
    assert!(matches!(ending(&found).0, Verdict::Refuted { .. }));
}

#[test]
fn where_a_column_ends_there_are_no_discs() {
    // That the height of a column tells where it is empty is a lemma that has to be found.
    let options = AnalysisOptions {
        time: Duration::from_secs(4),
        clock: || ThreadTime::now().as_duration(),
        ..AnalysisOptions::default()
    };
    let found =
        analyse(&mut rules(corpus("connect_four")), &options).expect("rules that can be evaluated");
    let discs = Property::AtMostOne { pattern: "(disc _ _ *)".to_owned() };
    assert_eq!(*verdict(&found, &discs), Verdict::Proved);
}

#[test]
fn a_counter_does_not_run_out_before_what_it_counts() {
    // There are too many states to visit, and nothing follows the last number: it has to be known that all marks are made then.
    let mut rules = String::from(
        "(role ann) (init (count 0)) (<= (legal ann (mark ?c)) (cell ?c) (not (true (marked ?c))))
         (<= (next (marked ?c)) (does ann (mark ?c))) (<= (next (marked ?c)) (true (marked ?c)))
         (<= (next (count ?n)) (true (count ?m)) (after ?m ?n))
         (<= open (cell ?c) (not (true (marked ?c)))) (<= terminal (not open)) (goal ann 0)",
    );
    for cell in 0..24 {
        rules += &format!("(cell c{cell}) (after {cell} {})", cell + 1);
    }
    let found = analysis(&rules);
    assert_eq!(*verdict(&found, &exactly_one("(count *)")), Verdict::Proved);
    assert_eq!(*ending(&found).0, Verdict::Proved);
}

#[test]
fn coins_that_go_from_hand_to_hand_stay_as_many() {
    // No hand has more than all coins, which two hands alone do not tell; marks make the states too many to visit.
    let mut rules = String::from(
        "(role ann) (hand h1) (hand h2) (hand h3) (hand h4)
         (init (has h1 12)) (init (has h2 0)) (init (has h3 0)) (init (has h4 0))
         (<= (legal ann (give ?p ?q)) (true (has ?p ?n)) (after ?m ?n) (hand ?q) (distinct ?p ?q))
         (<= (legal ann (mark ?c)) (cell ?c) (not (true (marked ?c))))
         (<= (next (has ?p ?m)) (does ann (give ?p ?q)) (true (has ?p ?n)) (after ?m ?n))
         (<= (next (has ?q ?n)) (does ann (give ?p ?q)) (true (has ?q ?m)) (after ?m ?n))
         (<= (next (has ?h ?n)) (does ann (give ?p ?q)) (true (has ?h ?n)) (distinct ?h ?p) (distinct ?h ?q))
         (<= (next (has ?h ?n)) (does ann (mark ?c)) (true (has ?h ?n)))
         (<= (next (marked ?c)) (does ann (mark ?c))) (<= (next (marked ?c)) (true (marked ?c)))
         (<= open (cell ?c) (not (true (marked ?c)))) (<= terminal (not open)) (goal ann 0)",
    );
    (0..24).for_each(|cell| rules += &format!("(cell c{cell})"));
    (0..12).for_each(|number| rules += &format!("(after {number} {})", number + 1));
    let found = analysis(&rules);
    assert_eq!(*verdict(&found, &exactly_one("(has _ *)")), Verdict::Proved);
    assert_eq!(*verdict(&found, &Property::Playable), Verdict::Proved);
}

#[test]
fn small_games_are_decided_by_their_states() {
    // A match that goes round is refuted by it, however rarely random matches do.
    let rules = "(role ann) (init (at 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 0)
         (<= (legal ann go) (true (at ?n)) (after ?n ?m)) (legal ann leave)
         (<= (next (at ?m)) (does ann go) (true (at ?n)) (after ?n ?m)) (<= (next left) (does ann leave))
         (<= terminal (true left)) (<= (goal ann 100) (true left))";
    let found = analysis(rules);
    assert!(matches!(ending(&found).0, Verdict::Refuted { moves } if moves.len() == 8));
    let found = analysis(corpus("nim"));
    assert!(found.findings.iter().all(|it| !matches!(it.verdict, Verdict::Unknown { .. })));
}

#[needs(games)]
#[test]
fn turn_taking_and_ends_of_known_games_are_decided() {
    let (mut games, mut decided) = (0, [0; 5]);
    // Other work on the machine does not count.
    let clock = || ThreadTime::now().as_duration();
    let options = AnalysisOptions { clock, ..AnalysisOptions::default() };
    for mut game in public(6_000, 1) {
        let found = analyse(&mut game.rules, &options);
        let found = found.expect("rules that can be evaluated");
        games += 1;
        for finding in &found.findings {
            if let Some(place) = column(&finding.property) {
                decided[place] += usize::from(!matches!(finding.verdict, Verdict::Unknown { .. }));
            }
        }
    }
    println!("{games} games: {decided:?}");
    // Half of them hardly take any time.
    assert!(decided[0] * 2 >= games && decided[4] * 2 >= games, "{games} games: {decided:?}");
}
