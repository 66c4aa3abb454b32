//! The JSON of a game holds the whole game.

use groundfrog::description::Printer;
use groundfrog::emit::Format;
use groundfrog::game::AtomId;
use serde_json::Value;

use super::{ground_text, own_games, treatments, write};

fn array(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

fn numbers(value: &Value) -> Vec<usize> {
    array(value).iter().map(|number| number.as_u64().expect("a number") as usize).collect()
}

/// The rules as a reader of the JSON would print them.
fn rules(json: &Value) -> Vec<String> {
    let atoms: Vec<&str> =
        array(&json["atoms"]).iter().map(|atom| atom["text"].as_str().expect("a text")).collect();
    let heads = numbers(&json["rules"]["heads"]);
    let offsets = numbers(&json["rules"]["offsets"]);
    let literals = numbers(&json["rules"]["literals"]);
    assert_eq!(offsets.len(), heads.len() + 1);
    assert_eq!(offsets.last(), Some(&literals.len()));
    let rule = |(head, range): (&usize, &[usize])| {
        let body = literals[range[0]..range[1]].iter().map(|literal| {
            let atom = atoms[literal / 2];
            if literal % 2 == 1 { format!(" (not {atom})") } else { format!(" {atom}") }
        });
        match body.collect::<String>() {
            body if body.is_empty() && atoms[*head].ends_with(')') => atoms[*head].to_owned(),
            body => format!("(<= {}{body})", atoms[*head]),
        }
    };
    heads.iter().zip(offsets.windows(2)).map(rule).collect()
}

#[test]
fn a_reader_finds_the_same_game() {
    for (game, options) in own_games().flat_map(|game| treatments().map(|options| (game, options)))
    {
        let name = game.name;
        let game = ground_text(game.text, &options);
        let json: Value = serde_json::from_str(&write(&game, Format::Json)).expect("JSON");
        assert_eq!(json["format"], "groundfrog-ground-game");
        assert_eq!(json["version"], 1);
        let kif = write(&game, Format::Kif);
        let facts = ["(role ", "(init ", "(base ", "(input ", "(percept "];
        let is_fact = |line: &&str| facts.iter().any(|fact| line.starts_with(fact));
        let expected: Vec<&str> = kif.lines().skip_while(is_fact).collect();
        assert!(rules(&json) == expected, "{name}: other rules");

        let text = |atom: Option<AtomId>| atom.map(|atom| game.display(atom).to_string());
        let atoms = array(&json["atoms"]);
        let of = |value: &Value| value.as_u64().map(|atom| atoms[atom as usize]["text"].clone());
        let of = |value: &Value| of(value).map(|it| it.as_str().expect("a text").to_owned());
        for (key, expected) in [
            ("init", game.init().to_vec()),
            ("base", game.fluents().collect()),
            ("input", game.inputs().collect()),
        ] {
            let found: Vec<_> = array(&json[key]).iter().map(of).collect();
            let expected: Vec<_> = expected.into_iter().map(|atom| text(Some(atom))).collect();
            assert!(found == expected, "{name}: {key}");
        }
        let next: Vec<_> = array(&json["next"]).iter().map(of).collect();
        let expected: Vec<_> = game.fluents().map(|fluent| text(game.next(fluent))).collect();
        assert!(next == expected, "{name}: next");
        assert_eq!(of(&json["terminal"]), text(game.terminal()), "{name}: terminal");

        let printer = Printer::new(game.symbols());
        let roles: Vec<String> =
            game.roles().iter().map(|role| printer.term(role).to_string()).collect();
        assert_eq!(json["roles"], Value::from(roles.clone()), "{name}: roles");
        let moves = array(&json["moves"]);
        assert_eq!(moves.len(), game.moves().len(), "{name}: moves");
        for (found, expected) in moves.iter().zip(game.moves()) {
            let role = &roles[found["role"].as_u64().expect("a role") as usize];
            let does = format!("(does {role} {})", found["move"].as_str().expect("a move"));
            assert_eq!(of(&found["does"]), Some(does.clone()), "{name}");
            assert_eq!(text(Some(expected.does)), Some(does), "{name}");
            assert_eq!(of(&found["legal"]), text(expected.legal), "{name}");
        }
        let goals = array(&json["goals"]);
        assert_eq!(goals.len(), game.goals().len(), "{name}: goals");
        for (found, expected) in goals.iter().zip(game.goals()) {
            assert_eq!(found["role"], expected.role.0, "{name}");
            assert_eq!(found["value"].as_i64(), expected.value, "{name}");
            assert_eq!(of(&found["atom"]), text(Some(expected.atom)), "{name}");
        }
        for (atom, number) in atoms.iter().zip(0..) {
            assert_eq!(atom["kind"], game.kind(AtomId(number)).name(), "{name}");
        }
    }
}
