use groundfrog_player::belief::BeliefMethod;

use super::*;

/// One of `n` * `m` hidden values is revealed in the second step, and to be said in the third.
fn hidden(n: u32, m: u32) -> String {
    let numbers: String = (0..n.max(m)).map(|it| format!("(number {it}) ")).collect();
    let below = |name: &str, most: u32| -> String {
        (0..most).map(|it| format!("({name} {it}) ")).collect()
    };
    format!(
        "(role random) (role ann) (init (step 1)) (then 1 2) (then 2 3) (then 3 4) {numbers}
         {first} {second}
         (<= (legal random (hide ?n ?m)) (true (step 1)) (first ?n) (second ?m))
         (<= (legal random wait) (not (true (step 1))))
         (<= (legal ann wait) (true (step 1)))
         (<= (legal ann ask) (true (step 2)))
         (<= (legal ann (say ?n)) (true (step 3)) (first ?n))
         (<= (next (hidden ?n ?m)) (does random (hide ?n ?m)))
         (<= (next (hidden ?n ?m)) (true (hidden ?n ?m)))
         (<= (next (step ?t)) (true (step ?s)) (then ?s ?t))
         (<= (next said) (does ann (say ?n)) (true (hidden ?n ?m)))
         (<= (sees ann (it_is ?n ?m)) (does ann ask) (true (hidden ?n ?m)))
         (<= terminal (true (step 4)))
         (<= (goal ann 100) (true said)) (<= (goal ann 0) (not (true said))) (goal random 0)",
        first = below("first", n),
        second = below("second", m),
    )
}

/// What is believed once a value is hidden.
fn after_hiding(machine: &mut Machine, seed: u64) -> Belief {
    let mut belief = belief(machine, "ann", seed);
    let wait = machine.find_move(belief.role(), "wait");
    belief.observe(machine, wait, Vec::new()).expect("it happened");
    belief
}

/// Whether one state is left after the value was revealed, the true one.
fn is_found(machine: &mut Machine, mut belief: Belief, value: (u32, u32)) -> BeliefMethod {
    let ask = machine.find_move(belief.role(), "ask");
    let (n, m) = value;
    belief.observe(machine, ask, vec![format!("(it_is {n} {m})")]).expect("it happened");
    let states = belief.summary(machine).expect("known").states;
    let [only] = states.as_slice() else { panic!("{} states", states.len()) };
    assert_eq!(only.state, [format!("(hidden {n} {m})"), "(step 3)".to_owned()]);
    belief.method()
}

#[test]
fn one_of_5000_values_is_known_once_it_is_revealed() {
    let mut machine = ground(&described(&hidden(50, 100)));
    let belief = after_hiding(&mut machine, 1);
    assert_eq!((belief.method(), belief.worlds().len()), (BeliefMethod::Exact, 5000));
    let mut random = Random::new(1);
    for _ in 0..10 {
        let value = (random.below(50), random.below(100));
        assert_eq!(is_found(&mut machine, belief.clone(), value), BeliefMethod::Exact);
    }
}

#[test]
fn one_of_27000_values_is_found_by_what_is_demanded() {
    let mut machine = ground(&described(&hidden(270, 100)));
    let mut random = Random::new(1);
    for seed in 0..4 {
        let belief = after_hiding(&mut machine, seed);
        for _ in 0..5 {
            let value = (random.below(270), random.below(100));
            assert_eq!(is_found(&mut machine, belief.clone(), value), BeliefMethod::Sampled);
        }
    }
}

/// So many bits are hidden one by one, and revealed together at the end.
fn bits(count: u32) -> String {
    let steps: String = (0..=count).map(|it| format!("(then {it} {}) ", it + 1)).collect();
    format!(
        "(role random) (role ann) (init (step 0)) {steps} (bit zero) (bit one)
         (<= hiding (true (step ?s)) (distinct ?s {count}))
         (<= (legal random (set ?b)) hiding (bit ?b))
         (<= (legal random wait) (not hiding))
         (<= (legal ann wait) hiding)
         (<= (legal ann ask) (not hiding))
         (<= (next (step ?t)) (true (step ?s)) (then ?s ?t))
         (<= (next (was ?s ?b)) (true (step ?s)) (does random (set ?b)))
         (<= (next (was ?s ?b)) (true (was ?s ?b)))
         (<= (sees ann (was ?s ?b)) (does ann ask) (true (was ?s ?b)))
         (<= terminal (true (step {end}))) (goal ann 0) (goal random 0)",
        end = count + 1,
    )
}

#[test]
fn a_belief_of_a_million_states_is_sampled_and_still_comes_down_to_one() {
    let mut machine = ground(&described(&bits(20)));
    for seed in 0..5 {
        let mut belief = belief(&mut machine, "ann", seed);
        let ann = belief.role();
        let (wait, ask) = (machine.find_move(ann, "wait"), machine.find_move(ann, "ask"));
        for step in 0..20 {
            belief.observe(&mut machine, wait, Vec::new()).expect("it happened");
            let method = if step < 14 { BeliefMethod::Exact } else { BeliefMethod::Sampled };
            assert_eq!(belief.method(), method, "step {step}");
        }
        assert!(belief.worlds().len() > 900 && belief.worlds().len() <= 1024);
        let mut random = Random::new(seed);
        let bits = (0..20).map(|it| (it, ["zero", "one"][random.below(2) as usize]));
        let seen: Vec<String> = bits.map(|(step, bit)| format!("(was {step} {bit})")).collect();
        belief.observe(&mut machine, ask, seen.clone()).expect("it happened");
        let states = belief.summary(&machine).expect("known").states;
        assert_eq!(states.len(), 1);
        assert!(seen.iter().all(|it| states[0].state.contains(it)));
    }
}

#[test]
fn rules_with_variables_come_down_to_one_state_too() {
    let description = described(&hidden(9, 9));
    let mut machine =
        Machine::interpreted(&description, &OpenLimits::default()).expect("can be played");
    for seed in 0..5 {
        let belief = after_hiding(&mut machine, seed);
        is_found(&mut machine, belief, (seed as u32, 8));
    }
}

#[test]
fn an_own_move_that_was_replaced_is_found_out() {
    let description = described(
        "(role ann) (role random) (init (step 0)) (then 0 1) (then 1 2) (then 2 3)
         (legal random wait) (<= (legal ann left) going) (<= (legal ann right) going)
         (<= going (not (true (step 9))))
         (<= (next (step ?t)) (true (step ?s)) (then ?s ?t))
         (<= (next (went ?s ?m)) (true (step ?s)) (does ann ?m))
         (<= (next (went ?s ?m)) (true (went ?s ?m)))
         (<= (sees ann (went ?m)) (true (step 1)) (true (went 0 ?m)))
         (<= terminal (true (step 3))) (goal ann 0) (goal random 0)",
    );
    let mut machine = ground(&description);
    let mut belief = belief(&mut machine, "ann", 1);
    let ann = belief.role();
    let left = machine.find_move(ann, "left");
    belief.observe_doubting(&mut machine, left, Vec::new()).expect("it happened");
    assert!(belief.observe(&mut machine, left, vec!["(went right)".to_owned()]).is_err());
    // The server made another move and tells so only now.
    belief
        .observe_doubting(&mut machine, left, vec!["(went right)".to_owned()])
        .expect("it happened");
    let states = belief.summary(&machine).expect("known").states;
    assert_eq!(states.len(), 2, "the last move may have been replaced as well: {states:?}");
    assert!(states.iter().all(|it| it.state.contains(&"(went 0 right)".to_owned())));
}
