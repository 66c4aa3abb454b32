//! Ground games through serde: what is saved comes back, and damaged data are refused.

use groundfrog::compact::Passes;
use groundfrog::emit::{self, Format};
use groundfrog::game::GroundGame;
use groundfrog::options::GroundOptions;
use groundfrog_testing::{grounded, own_games};
use serde_json::Value;

fn write(game: &GroundGame, format: Format) -> Vec<u8> {
    let mut text = Vec::new();
    emit::write(game, format, &mut text).expect("memory takes everything");
    text
}

#[test]
fn what_is_saved_comes_back() {
    let flat = GroundOptions { simplify: false, passes: Passes::NONE, ..GroundOptions::flat() };
    let compact = GroundOptions { simplify: true, passes: Passes::ALL, ..GroundOptions::flat() };
    for game in own_games() {
        for options in [&flat, &compact] {
            let before = grounded(game.text, options);
            let saved = serde_json::to_string(&*before).expect("memory takes everything");
            let after: GroundGame = serde_json::from_str(&saved)
                .unwrap_or_else(|error| panic!("{}: {error}", game.name));
            for format in Format::ALL {
                let same = write(&before, format) == write(&after, format);
                assert!(same, "{}: another {format}", game.name);
            }
            assert!(before.moves() == after.moves(), "{}", game.name);
            assert!(before.goals() == after.goals(), "{}", game.name);
            assert_eq!(serde_json::to_string(&after).expect("the same"), saved, "{}", game.name);
        }
    }
}

/// A game with every kind of atom, functions, extra atoms and a role that is a term.
const GAME: &str = "
(role (sailor x)) (role b)
(init (at 0)) (init done)
(legal b wait) (legal (sailor x) (go 1))
(<= (legal (sailor x) (go (twice 0))) (true (at 0)))
(<= (next (at 1)) (does (sailor x) (go 1)) (not lost))
(<= (next (at 1)) (true (at 1)) (not (gone 7)))
(<= (gone 5) (true (at 1)))
(<= lost (true (at 3)))
(<= (sees b (at 1)) (true (at 1)))
(<= terminal (true (at 1)))
(<= (goal b 50) (true (at 1)))
(<= (goal (sailor x) 0) (not (true (at 1))))
";

fn saved() -> Value {
    let flat = GroundOptions { simplify: false, passes: Passes::NONE, ..GroundOptions::flat() };
    serde_json::to_value(&*grounded(GAME, &flat)).expect("memory takes everything")
}

fn refusal(damage: impl FnOnce(&mut Value)) -> String {
    let mut value = saved();
    damage(&mut value);
    serde_json::from_value::<GroundGame>(value).expect_err("damaged").to_string()
}

#[test]
fn damage_is_named() {
    assert_eq!(
        refusal(|it| it["version"] = 2.into()),
        "format `groundfrog-ground-game` version 2; this is version 1 of `groundfrog-ground-game`"
    );
    assert_eq!(refusal(|it| it["atoms"][1] = it["atoms"][0].clone()), "atom 1: stated twice");
    assert_eq!(
        refusal(|it| it["rules"]["heads"][0] = 100_000.into()),
        "rule 0: its head is no atom of the game"
    );
    assert_eq!(
        refusal(|it| it["rules"]["heads"][0] = 0.into()),
        "rule 0: its head says `true` or `does`"
    );
    assert_eq!(
        refusal(|it| it["rules"]["literals"][0] = u32::MAX.into()),
        refusal(|it| it["rules"]["literals"][0] = 1_000_000.into()),
    );
    assert!(refusal(|it| it["rules"]["offsets"][2] = 100.into()).contains("its body is cut off"));
    assert_eq!(refusal(|it| it["init"] = vec![1, 0].into()), "initial fluent 1: not ascending");
    assert!(refusal(|it| it["atoms"][0]["kind"] = "view".into()).contains("not of its kind"));
    assert!(refusal(|it| it["roles"][1] = it["roles"][0].clone()).contains("stated twice"));
    let last_twice = |json: &mut Value| {
        let rules = &mut json["rules"];
        let (head, end) = (rules["heads"][0].clone(), rules["literals"].as_array().map(Vec::len));
        rules["heads"].as_array_mut().expect("a list").push(head);
        rules["offsets"].as_array_mut().expect("a list").push(end.into());
    };
    assert!(refusal(last_twice).contains("occurs twice"), "the first rule is a fact");
}

/// All numbers of a value, one after the other, are replaced.
fn numbers(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Number(_) => visit(value),
        Value::Array(list) => list.iter_mut().for_each(|it| numbers(it, visit)),
        Value::Object(map) => map.values_mut().for_each(|it| numbers(it, visit)),
        _ => {}
    }
}

#[test]
fn no_damage_makes_a_game_that_cannot_be_used() {
    let original = saved();
    let mut count = 0;
    numbers(&mut original.clone(), &mut |_| count += 1);
    let (mut refused, mut taken) = (0, 0);
    for target in 0..count {
        for change in [0u32, 1, 2, 3, 7, 20, 1 << 20, u32::MAX >> 1, u32::MAX] {
            let mut value = original.clone();
            let mut place = 0;
            numbers(&mut value, &mut |number| {
                if place == target {
                    *number = change.into();
                }
                place += 1;
            });
            let Ok(game) = serde_json::from_value::<GroundGame>(value) else {
                refused += 1;
                continue;
            };
            taken += 1;
            game.check_invariants().expect("it was checked");
            for format in Format::ALL {
                assert!(!write(&game, format).is_empty());
            }
        }
    }
    assert!(refused > 100 && taken > 100, "{refused} refused, {taken} taken");
}
