//! Games of GDL in rtGDL: the traces of both agree.

use groundfrog::RoleId;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::options::Limits;
use groundfrog_corpus::{Outcome, game, games};
use groundfrog_languages::number::Number;
use groundfrog_languages::realtime::translate::translate;
use groundfrog_languages::realtime::{Idle, RealTimeReasoner, Timeline};
use groundfrog_languages::rules::{ground_term, term_text};
use groundfrog_reasoner::{InterpretedReasoner, MoveId, Random, Reasoner, Vocabulary};
use num_bigint::BigInt;

use super::{book, findings, number};

/// When a role makes its move within a turn.
#[derive(Clone, Copy, Debug)]
enum When {
    Before,
    AtTheEnd,
    Twice,
    Never,
}

/// Plays a random match of a game in GDL, and the same moves in rtGDL; compares states, legal moves, ends and goals turn by turn.
fn agree(
    description: &Description,
    make: impl Fn() -> RealTimeReasoner,
    clock: &str,
    seed: u64,
    turns: u32,
) -> Result<(), String> {
    let mut gdl = InterpretedReasoner::new(description, Limits::default()).expect("a game");
    let mut random = Random::new(seed);
    let mut rt = make();
    let fluent = ground_term(clock, rt.symbols()).expect("a name");
    let idle = Some(Idle { fluent });
    let mut timeline = Timeline::new(rt, seed, idle).expect("a beginning");
    let mut state = gdl.initial().clone();
    let roles: Vec<RoleId> = gdl.role_ids().collect();
    for turn in 0..turns {
        let start = Number::from_integer(BigInt::from(turn));
        compare(&mut gdl, &state, &mut timeline, clock)?;
        if gdl.is_terminal(&state).expect("rules") {
            return Ok(());
        }
        let mut legal = Vec::new();
        let mut chosen: Vec<Option<MoveId>> = Vec::new();
        for &role in &roles {
            gdl.legal_moves(&state, role, &mut legal).expect("rules");
            if legal.is_empty() {
                return Ok(());
            }
            let pick = |random: &mut Random| legal[random.below(legal.len() as u32) as usize];
            let first = pick(&mut random);
            let when = [When::Before, When::AtTheEnd, When::Twice, When::Never];
            let when = when[random.below(4) as usize];
            let mut add = |after: &str, it: MoveId| {
                let text = gdl.move_text(it);
                let term = ground_term(&text, timeline.reasoner().symbols()).expect("a move");
                timeline.add_move(&start + number(after), role.index(), term);
            };
            match when {
                When::Before => add("0.25", first),
                When::AtTheEnd => add("1", first),
                When::Twice => {
                    let second = pick(&mut random);
                    add("0.5", first);
                    add(if random.below(2) == 0 { "0.75" } else { "1" }, second);
                }
                When::Never => {}
            }
            chosen.push((!matches!(when, When::Never)).then_some(first));
        }
        let end = Number::from_integer(BigInt::from(turn + 1));
        timeline.advance_to(&end).map_err(|it| it.to_string())?;
        if timeline.last().time != end {
            return Err(format!("turn {turn} does not end at {end}"));
        }
        // What the master has done for those who did not move is done in GDL as well.
        let mut moves = Vec::new();
        for (role, chosen) in chosen.into_iter().enumerate() {
            moves.push(match chosen {
                Some(chosen) => chosen,
                None => {
                    let made = timeline.last().moves.iter().find(|it| it.0 == role);
                    let term = made.expect("the master has moved").1.clone();
                    let text = term_text(&term, timeline.reasoner().symbols());
                    gdl.read_move(roles[role], &text, groundfrog_reasoner::Case::Exact)
                        .expect("a legal move")
                }
            });
        }
        let mut next = state.clone();
        gdl.next_state(&state, &moves, &mut next).expect("rules");
        state = next;
    }
    Ok(())
}

fn compare(
    gdl: &mut InterpretedReasoner,
    state: &groundfrog_reasoner::State,
    timeline: &mut Timeline,
    clock: &str,
) -> Result<(), String> {
    let mut expected: Vec<String> = state.fluents().map(|it| gdl.fluent_text(it)).collect();
    expected.sort();
    let last = timeline.last().clone();
    let symbols = timeline.reasoner().symbols();
    let mut found: Vec<String> =
        last.state.fluents.iter().map(|(_, it)| term_text(it, symbols)).collect();
    found.retain(|it| it != clock);
    found.sort();
    let differ = |what: &str, one: String, other: String| match one == other {
        true => Ok(()),
        false => Err(format!("{what} at {}: GDL {one}, rtGDL {other}", last.time)),
    };
    differ("state", format!("{expected:?}"), format!("{found:?}"))?;
    let is_terminal = gdl.is_terminal(state).expect("rules");
    differ("end", is_terminal.to_string(), last.situation.is_terminal.to_string())?;
    for role in gdl.role_ids().collect::<Vec<_>>() {
        let mut legal = Vec::new();
        gdl.legal_moves(state, role, &mut legal).expect("rules");
        let mut legal: Vec<String> = legal.iter().map(|it| gdl.move_text(*it)).collect();
        legal.sort();
        let own = &last.situation.legal[role.index()];
        let mut found: Vec<String> = own.iter().map(|it| term_text(it, symbols)).collect();
        found.sort();
        differ("legal", format!("{legal:?}"), format!("{found:?}"))?;
        let mut goals = Vec::new();
        gdl.goal_values(state, role, &mut goals).expect("rules");
        let found = &last.situation.goals[role.index()];
        differ("goal", format!("{goals:?}"), format!("{found:?}"))?;
    }
    Ok(())
}

fn description(text: &str) -> Description {
    Description::parse(text.as_bytes(), &ParseOptions::default()).expect("GDL")
}

#[test]
fn traces_of_small_games_agree() {
    let names = [
        "tictactoe",
        "nim",
        "frame_rule",
        "prisoners_dilemma",
        "rock_paper_scissors",
        "legal_in_bodies",
        "nested_logic",
        "overloaded_names",
        "nullary_terms",
        "derived_roles",
        "given_domains",
        "blocks_world",
        "small_kalaha",
    ];
    for name in names {
        let description = description(game(name).expect("of the corpus").text);
        let translation = translate(&description, "1.0");
        let errors: Vec<String> = findings(&translation.text)
            .into_iter()
            .filter(|it| ["GF03", "GF04"].iter().any(|code| it.starts_with(code)))
            .filter(|it| !it.starts_with("GF0402"))
            .collect();
        assert_eq!(errors, [""; 0], "{name}");
        let book = book(&translation.text);
        let make = || RealTimeReasoner::new(&book, Limits::default()).expect("rules");
        for seed in 0..2 {
            agree(&description, make, &translation.clock, seed, 12)
                .unwrap_or_else(|fault| panic!("{name}, seed {seed}: {fault}"));
        }
    }
}

#[test]
fn the_corpus_is_translated() {
    let mut translated = 0;
    for game in games().iter().filter(|it| it.expect == Outcome::Groundable) {
        let translation = translate(&description(game.text), "1.0");
        let book = book(&translation.text);
        translated += usize::from(RealTimeReasoner::new(&book, Limits::default()).is_ok());
    }
    // Those that are stratified only once they are ground are not.
    assert!(translated >= 40, "{translated}");
}

#[test]
fn random_games_agree() {
    for seed in 0..40 {
        let description = description(&groundfrog_corpus::random_game(seed));
        let translation = translate(&description, "1");
        let book = book(&translation.text);
        let Ok(reasoner) = RealTimeReasoner::new(&book, Limits::default()) else { continue };
        agree(&description, || reasoner.clone(), &translation.clock, seed, 8)
            .unwrap_or_else(|fault| panic!("seed {seed}: {fault}\n{}", translation.text));
    }
}

#[test]
fn names_that_mean_something_else_are_renamed() {
    let text = "(role a) (init (at 01)) (init clock) (<= (legal a (go 01)) (expired 1))
        (expired 1) (<= (next (at 1)) (does a (go 01))) (<= terminal (true (at 1))) (goal a 0)";
    let translation = translate(&description(text), "2.5");
    assert_eq!(translation.clock, "clock_");
    let renamed: Vec<&str> = translation.renamed.iter().map(|it| it.1.as_str()).collect();
    assert_eq!(renamed, ["name_01", "name_expired"]);
    assert!(translation.text.contains("(init infinity (at name_01))"), "{}", translation.text);
}
