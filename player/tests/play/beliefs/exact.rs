use std::collections::BTreeMap;

use groundfrog_corpus::random_hidden_game;
use groundfrog_player::belief::{BeliefMethod, BeliefSummary};

use super::*;

/// By state: probability and histories, counted history by history.
fn counted(
    machine: &mut Machine,
    role: RoleId,
    steps: &[(MoveId, Vec<String>)],
) -> BTreeMap<Vec<String>, (f64, u64)> {
    let mut histories = vec![(machine.initial().clone(), 1.0)];
    for (own, seen) in steps {
        let mut next = Vec::new();
        for (state, weight) in &histories {
            if machine.is_terminal(state).expect("known") {
                continue;
            }
            let mut joint: Vec<(Vec<MoveId>, f64)> = vec![(Vec::new(), *weight)];
            for other in machine.role_ids() {
                let mut legal = Vec::new();
                machine.legal_moves(state, other, &mut legal).expect("known");
                let likely = if other == role { 1.0 } else { 1.0 / legal.len() as f64 };
                let fits = |it: &MoveId| other != role || it == own;
                let longer = |(moves, weight): (Vec<MoveId>, f64)| {
                    let legal = legal.iter().filter(|it| fits(it));
                    let longer = legal.map(|&it| ([&moves[..], &[it]].concat(), weight * likely));
                    longer.collect::<Vec<_>>()
                };
                joint = joint.into_iter().flat_map(longer).collect();
            }
            for (moves, weight) in joint {
                let percepts = machine.percepts(state, &moves).expect("legal");
                let printer = Printer::new(machine.symbols());
                let mut texts: Vec<String> =
                    percepts[role.index()].iter().map(|it| printer.term(it).to_string()).collect();
                texts.sort();
                if texts == *seen {
                    let mut after = State::default();
                    machine.next_state(state, &moves, &mut after).expect("legal");
                    next.push((after, weight));
                }
            }
        }
        histories = next;
    }
    let sum: f64 = histories.iter().map(|it| it.1).sum();
    let mut states = BTreeMap::new();
    for (state, weight) in histories {
        let key = machine.state_text(&state).expect("known");
        let entry: &mut (f64, u64) = states.entry(key).or_default();
        *entry = (entry.0 + weight / sum, entry.1 + 1);
    }
    states
}

fn agree(summary: &BeliefSummary, counted: &BTreeMap<Vec<String>, (f64, u64)>, what: &str) {
    assert_eq!(summary.states.len(), counted.len(), "{what}");
    for found in &summary.states {
        let (probability, histories) = counted[&found.state];
        assert!((found.probability - probability).abs() < 1e-9, "{what}: {found:?}");
        assert_eq!(found.histories, histories, "{what}: {found:?}");
    }
}

#[test]
fn states_histories_and_probabilities_of_monty_hall() {
    let mut machine = ground(&corpus("monty_hall"));
    let mut belief = belief(&mut machine, "guest", 1);
    let guest = belief.role();
    let mut find = |text: &str| machine.find_move(guest, text);
    let (point, wait) = (find("(point left)"), find("wait"));
    belief.observe(&mut machine, point, Vec::new()).expect("it happened");
    belief.observe(&mut machine, wait, vec!["(empty right)".into()]).expect("it happened");
    let summary = belief.summary(&machine).expect("known");
    assert_eq!((summary.method, summary.histories, summary.steps), (BeliefMethod::Exact, 2, 2));
    let [likely, unlikely] = summary.states.as_slice() else { panic!("{summary:?}") };
    assert!(likely.state.contains(&"(prize middle)".to_owned()));
    assert!((likely.probability - 2.0 / 3.0).abs() < 1e-12);
    assert!(unlikely.state.contains(&"(prize left)".to_owned()));
    // The door that was opened is not the one without a prize.
    let fault = belief.observe(&mut machine, wait, vec!["(empty left)".into()]);
    assert!(fault.is_err());
}

#[test]
fn opponents_who_are_known_tell_more() {
    let mut machine = ground(&corpus("card_draw"));
    let alma = role(&machine, "alma");
    let limits = BeliefLimits::of(&machine);
    // Bruno, who holds the king or the queen, bets three times as often as he folds.
    let bold: Opponents = "bruno:bet=3".parse().expect("a policy");
    let mut belief = Belief::new(&mut machine, alma, &bold, limits, 1);
    let pause = machine.find_move(alma, "pause");
    let fold = machine.find_move(alma, "fold");
    belief.observe(&mut machine, pause, vec!["(your_card jack)".into()]).expect("it happened");
    belief.observe(&mut machine, fold, vec!["(other_player fold)".into()]).expect("it happened");
    let states = belief.summary(&machine).expect("known").states;
    assert_eq!(states.iter().map(|it| it.probability).collect::<Vec<_>>(), [0.5, 0.5]);
    let never: Opponents = "bruno:fold=0".parse().expect("a policy");
    let mut belief = Belief::new(&mut machine, alma, &never, limits, 1);
    belief.observe(&mut machine, pause, vec!["(your_card jack)".into()]).expect("it happened");
    let fault = belief.observe(&mut machine, fold, vec!["(other_player fold)".into()]);
    assert!(fault.is_err(), "nobody folds");
    let nobody: Opponents = "carla:fold=0".parse().expect("a policy");
    assert_eq!(nobody.unknown(&mut machine), Some(("carla", "fold")));
    assert_eq!(never.unknown(&mut machine), None);
}

#[test]
fn a_percept_that_contains_a_move_tells_it() {
    let description = described(
        "(role ann) (role bob) (init start) (number 1) (number 2) (number 3)
         (<= (legal ?r (choose ?n)) (role ?r) (number ?n))
         (<= (sees ann (does bob (choose ?n))) (does bob (choose ?n)))
         (<= (next (chosen ?r ?n)) (does ?r (choose ?n)))
         (<= terminal (not (true start))) (<= (goal ?r 50) (role ?r))",
    );
    let mut machine = ground(&description);
    for number in 1..=3 {
        let mut belief = belief(&mut machine, "ann", 1);
        let own = machine.find_move(belief.role(), "(choose 2)");
        let seen = vec![format!("(does bob (choose {number}))")];
        belief.observe(&mut machine, own, seen).expect("it happened");
        let states = belief.summary(&machine).expect("known").states;
        assert_eq!(states.len(), 1);
        assert!(states[0].state.contains(&format!("(chosen bob {number})")));
    }
}

#[test]
fn beliefs_agree_with_a_count_of_histories() {
    let mut compared = 0;
    for seed in 0..60 {
        let description = described(&random_hidden_game(seed));
        let mut game = Match::new(&description, seed);
        let mut slow =
            Machine::interpreted(&description, &OpenLimits::default()).expect("can be played");
        let mut own = belief(&mut game.machine, "ann", seed);
        let mut other = belief(&mut slow, "ann", seed);
        let (ann, mut steps) = (own.role(), Vec::new());
        for step in 0..4 {
            if game.is_over() {
                break;
            }
            let (moves, percepts) = game.step(&[]);
            let (made, mut seen) = (&moves[ann.index()], percepts[ann.index()].clone());
            seen.sort();
            let id = game.machine.find_move(ann, made).expect("a move");
            steps.push((id, seen.clone()));
            own.observe(&mut game.machine, Some(id), seen.clone()).expect("it happened");
            let id = slow.find_move(ann, made);
            let what = format!("seed {seed}, step {step}");
            other.observe(&mut slow, id, seen).unwrap_or_else(|it| panic!("{what}: {it}"));
            let counted = counted(&mut game.machine, ann, &steps);
            agree(&own.summary(&game.machine).expect("known"), &counted, &what);
            let other = other.summary(&slow).expect("known");
            if other.method == BeliefMethod::Exact {
                agree(&other, &counted, &what);
            }
            compared += counted.len();
        }
    }
    assert!(compared > 500, "{compared}");
}

/// The value that a chi-squared variable of so many degrees of freedom exceeds once in 1000 times (Wilson & Hilferty 1931).
fn chi_squared_limit(freedom: f64) -> f64 {
    let part = 2.0 / (9.0 * freedom);
    freedom * (1.0 - part + 3.09 * part.sqrt()).powi(3)
}

#[test]
fn samples_are_distributed_as_the_histories_are() {
    let (mut tested, mut exceeded) = (0, 0);
    for seed in 0..40 {
        let description = described(&random_hidden_game(seed));
        let mut game = Match::new(&description, seed);
        let ann = role(&game.machine, "ann");
        let limits = BeliefLimits { exact: 0, samples: 2000, search: 10_000 };
        let none = Opponents::default();
        let mut sampled = Belief::new(&mut game.machine, ann, &none, limits, seed);
        let mut exact = belief(&mut game.machine, "ann", seed);
        for _ in 0..2 {
            if game.is_over() {
                break;
            }
            let (moves, percepts) = game.step(&[]);
            let id = game.machine.find_move(ann, &moves[ann.index()]);
            let seen = percepts[ann.index()].clone();
            sampled.observe(&mut game.machine, id, seen.clone()).expect("it happened");
            exact.observe(&mut game.machine, id, seen).expect("it happened");
        }
        assert_eq!(sampled.method(), BeliefMethod::Sampled);
        let (sampled, exact) = (sampled.summary(&game.machine), exact.summary(&game.machine));
        let (sampled, exact) = (sampled.expect("known"), exact.expect("known"));
        let samples = sampled.histories as f64;
        if samples < 500.0 {
            continue;
        }
        let drawn: BTreeMap<&Vec<String>, u64> =
            sampled.states.iter().map(|it| (&it.state, it.histories)).collect();
        let (mut sum, mut freedom) = (0.0, -1.0);
        for state in &exact.states {
            let expected = state.probability * samples;
            if expected >= 5.0 {
                let found = drawn.get(&state.state).copied().unwrap_or(0) as f64;
                sum += (found - expected).powi(2) / expected;
                freedom += 1.0;
            }
        }
        if freedom >= 1.0 {
            tested += 1;
            exceeded += u32::from(sum > chi_squared_limit(freedom));
        }
    }
    assert!(tested >= 10, "{tested}");
    assert!(exceeded <= 1, "{exceeded} of {tested}");
}
