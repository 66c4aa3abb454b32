//! A ground game written in KIF is a game description, and means the same.

use groundfrog::description::{Description, Formula, ParseOptions, Statement};
use groundfrog::emit::Format;
use groundfrog::options::{Domains, GroundOptions};
use groundfrog_testing::{needs, read_game};

use super::{ground_text, own_games, residual, treatments, write};

/// A view that always holds is a fact, and what is but facts is static to whoever reads the output: such
/// facts are gone from the rules when the output is grounded again. This takes them out.
fn without_static_facts(canonical: &str) -> Vec<&str> {
    let head = |line: &str| {
        let line = line.strip_prefix("(<= ").unwrap_or(line).trim_start_matches('(');
        let name = line.split([' ', ')']).next().expect("a name");
        name.to_owned()
    };
    let keyword = ["legal", "next", "goal", "terminal", "sees"];
    let with_bodies: std::collections::BTreeSet<String> =
        canonical.lines().filter(|line| line.starts_with("(<= ")).map(head).collect();
    let stays = |line: &&str| {
        let name = head(line);
        keyword.contains(&&*name) || with_bodies.contains(&name)
    };
    canonical.lines().filter(stays).collect()
}

/// Grounded under the base and input that it states itself, the output has the same rules.
fn grounds_to_itself(name: &str, text: &[u8]) {
    let game = ground_text(text, &residual());
    let (kif, canonical) = (write(&game, Format::Kif), write(&game, Format::Canonical));
    let given = GroundOptions { domains: Domains::Given, ..residual() };
    let found = write(&ground_text(&kif, &given), Format::Canonical);
    let (found, expected): (Vec<_>, _) =
        (found.lines().collect(), without_static_facts(&canonical));
    let extra = found.iter().find(|line| !expected.contains(line));
    assert!(found == expected, "{name}: other rules, such as {extra:?}");
    facts_are_the_same(name, text);
}

/// The flat rules derive the same base and input again. (The residual may have fewer moves and fluents:
/// a rule for `legal` that never applies is gone from it.)
fn facts_are_the_same(name: &str, text: &[u8]) {
    let flat = GroundOptions { simplify: false, ..residual() };
    let facts = |kif: &str| -> std::collections::BTreeSet<String> {
        let is_fact = |line: &&str| {
            ["(role ", "(init ", "(base ", "(input "].iter().any(|fact| line.starts_with(fact))
        };
        kif.lines().filter(is_fact).map(str::to_owned).collect()
    };
    let kif = write(&ground_text(text, &flat), Format::Kif);
    let again = write(&ground_text(&kif, &flat), Format::Kif);
    assert!(facts(&again) == facts(&kif), "{name}: other facts");
}

#[test]
fn own_games_ground_to_themselves() {
    for game in own_games() {
        grounds_to_itself(game.name, game.text.as_bytes());
    }
}

#[needs(games)]
#[test]
fn public_games_ground_to_themselves() {
    let names = [
        "ticTacToe",
        "connectFour",
        "blockerSerial",
        "breakthrough",
        "checkersTiny",
        "futoshiki4",
        "queens06ug",
        "eightPuzzle",
        "coins_atomic",
    ];
    for name in names {
        grounds_to_itself(name, &read_game(&format!("{name}.kif")));
    }
}

#[test]
fn the_output_has_no_variables_and_reads_back() {
    for (game, options) in own_games().flat_map(|game| treatments().map(|options| (game, options)))
    {
        let kif = write(&ground_text(game.text, &options), Format::Kif);
        let read = Description::parse(kif.as_bytes(), &ParseOptions::default());
        let read = read.unwrap_or_else(|error| panic!("{}: {error}", game.name));
        assert_eq!(read.statements.len(), kif.lines().count(), "{}", game.name);
        assert!(read.symbols.iter().all(|(_, name)| !name.starts_with('?')), "{}", game.name);
        let plain = |formula: &Formula| match formula {
            Formula::Atom(_) => true,
            Formula::Not(inner, _) => matches!(**inner, Formula::Atom(_)),
            _ => false,
        };
        let all_plain = |statement: &Statement| statement.body.iter().all(plain);
        assert!(read.statements.iter().all(all_plain), "{}", game.name);
    }
}
