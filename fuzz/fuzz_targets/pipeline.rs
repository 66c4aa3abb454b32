//! Any description is grounded or refused within its limits, and what is grounded is well formed.
#![no_main]

use std::collections::BTreeSet;
use std::time::Duration;

use groundfrog::GroundError;
use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::emit;
use groundfrog::game::GroundGame;
use groundfrog::ground::ground;
use groundfrog::options::{Domains, GroundOptions, Limits};
use groundfrog_engine::observe::Silent;
use libfuzzer_sys::fuzz_target;

fn canonical(game: &GroundGame) -> Vec<u8> {
    let mut text = Vec::new();
    emit::canonical::write(game, &mut text).expect("memory takes everything");
    text
}

/// What [`GroundGame`] promises.
fn check(game: &GroundGame) {
    let open: BTreeSet<u32> = game.fluents().chain(game.inputs()).map(|it| it.0).collect();
    let mut rules = BTreeSet::new();
    for rule in game.rules().iter() {
        assert!(!open.contains(&rule.head), "a rule for an atom that is given");
        let body: BTreeSet<_> = rule.body.iter().copied().collect();
        assert_eq!(body.len(), rule.body.len(), "a literal twice");
        assert!(rule.body.iter().all(|it| (it.atom() as usize) < game.atom_count()));
        assert!(rules.insert((rule.head, body)), "a rule twice");
    }
    assert!(game.init().iter().all(|it| open.contains(&it.0)), "an initial fact outside base");
}

fn show(error: &GroundError) {
    assert!(!error.to_string().is_empty());
    for diagnostic in error.faults().map_or(&[][..], |faults| &faults.diagnostics) {
        let text = &error.faults().expect("has diagnostics").text;
        let _ = diagnostic.span().text(text);
    }
    assert!(!matches!(error, GroundError::Disagreement(_)), "{error}");
}

fuzz_target!(|bytes: &[u8]| {
    let options = ParseOptions::default();
    let Ok(description) = Description::parse(bytes, &options) else { return };
    let limits = Limits {
        time: Some(Duration::from_secs(1)),
        memory: Some(64 << 20),
        term_depth: 8,
        ..Limits::default()
    };
    // One input picks one way: its length is as good as a coin.
    let domains = [Domains::OneStep, Domains::Iterative, Domains::Given][bytes.len() % 3];
    let simplify = bytes.len() % 2 == 0;
    let passes = if simplify && bytes.len() % 4 == 0 { Passes::ALL } else { Passes::NONE };
    let options = GroundOptions { domains, simplify, passes, limits, ..GroundOptions::flat() };
    match ground(&description, &options, &mut Silent) {
        Err(error) => show(&error),
        Ok(found) => {
            check(&found.game);
            let text = canonical(&found.game);
            assert!(text.is_empty() || text.ends_with(b"\n"));
            let mut kif = Vec::new();
            emit::kif::write(&found.game, &mut kif).expect("memory takes everything");
            if text.len() < 1 << 16 && domains == Domains::Iterative && passes == Passes::NONE {
                // Small enough to do again, in one step.
                let options = GroundOptions { domains: Domains::OneStep, ..options };
                if let Ok(again) = ground(&description, &options, &mut Silent) {
                    assert!(canonical(&again.game) == text, "one step and iterative differ");
                }
            }
        }
    }
});
