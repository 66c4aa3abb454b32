//! The network means what the rules mean, also to a reader in another language.

use std::process::Command;

use groundfrog::options::GroundOptions;
use groundfrog_check::verify::{Trace, replay};
use groundfrog_corpus::game;
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::GroundReasoner;
use groundfrog_reasoner::propnet::{ComponentKind, PropNet, write_dot, write_json};

use groundfrog_testing::{grounded, needs};

const GAMES: [&str; 5] = ["tictactoe", "hanoi", "majority_vote", "hex_five", "reversi_six"];

#[test]
fn there_is_one_transition_for_each_base_proposition() {
    let game = grounded(game("tictactoe").expect("an own game").text, &GroundOptions::flat());
    let net = PropNet::new(&game).expect("a game");
    let counts = net.counts();
    assert_eq!(counts.of(ComponentKind::Base), game.fluents().len());
    assert_eq!(counts.of(ComponentKind::Transition), game.fluents().len());
    assert_eq!(counts.of(ComponentKind::Input), game.moves().len());
    for &base in &net.bases {
        let input = net.components[base as usize].inputs[0];
        assert_eq!(net.components[input as usize].kind, ComponentKind::Transition);
    }
    let mut dot = Vec::new();
    write_dot(&net, &game, &mut dot).expect("written to memory");
    let dot = String::from_utf8(dot).expect("text");
    assert_eq!(dot.matches(" -> ").count(), counts.links);
    assert_eq!(dot.matches("shape=box").count(), game.fluents().len());
}

#[needs(python3)]
#[test]
fn the_python_reader_plays_by_the_rules() {
    let reader = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/read_propnet.py");
    for name in GAMES.map(|name| game(name).expect("an own game")) {
        let game = grounded(name.text, &GroundOptions::flat());
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = path.join(format!("{}.propnet.json", name.name));
        let mut json = Vec::new();
        write_json(&PropNet::new(&game).expect("a game"), &game, &mut json)
            .expect("written to memory");
        std::fs::write(&path, json).expect("a writable folder");
        let output = Command::new("python3").arg(reader).arg(&path).arg("7").output();
        let output = output.expect("python3 runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let trace = Trace::parse(&String::from_utf8_lossy(&output.stdout)).expect("a trace");
        assert!(trace.positions().last().expect("states").terminal, "{}", name.name);
        let mut reasoner = GroundReasoner::new(game.clone()).expect("a game");
        let report = replay(&mut reasoner, &trace, Some(&game), &mut Silent).expect("answers");
        assert_eq!(report.difference, None, "{}: {report}", name.name);
        assert_eq!(report.states as usize, trace.positions().len());
    }
}
