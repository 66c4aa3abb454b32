//! Well-formedness by exploring: known numbers of states, each property broken alone, limits.

use std::collections::HashSet;
use std::time::Duration;

use groundfrog::description::{Description, ParseOptions};
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog_check::explore::{
    Exploration, ExploreOptions, SampleOptions, Verdict, Witness, explore, findings, sample,
};
use groundfrog_corpus::{Outcome, Parameters, family, game, games, random_game};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{GroundReasoner, MoveId, Reasoner, State, Vocabulary};

fn reasoner(text: &str) -> (Description, GroundReasoner) {
    let description =
        Description::parse(text.as_bytes(), &ParseOptions::default()).expect("a description");
    let options = GroundOptions::flat();
    let grounding = ground(&description, &options, &mut Silent).expect("a ground game");
    (description, GroundReasoner::new(grounding.game).expect("a reasoner"))
}

fn explored(text: &str) -> Exploration {
    explore(&mut reasoner(text).1, &ExploreOptions::default(), &mut |_| {})
}

/// The state that moves lead to.
fn replay(reasoner: &mut GroundReasoner, from: State, moves: &[Vec<String>]) -> State {
    let mut state = from;
    for joint in moves {
        let roles = reasoner.role_ids();
        let found: Vec<MoveId> = roles
            .zip(joint)
            .map(|(role, text)| reasoner.find_move(role, text).expect("a move of the game"))
            .collect();
        let mut next = State::default();
        assert!(!reasoner.is_terminal(&state).expect("ground"));
        reasoner.next_state(&state, &found, &mut next).expect("legal moves");
        state = next;
    }
    state
}

fn arrive(reasoner: &mut GroundReasoner, witness: &Witness) -> State {
    let initial = reasoner.initial().clone();
    let state = replay(reasoner, initial, &witness.moves);
    assert_eq!(reasoner.state_text(&state).as_ref(), Ok(&witness.state));
    state
}

/// The codes and messages of what an exploration found.
fn found(text: &str) -> Vec<String> {
    let (description, mut reasoner) = reasoner(text);
    let exploration = explore(&mut reasoner, &ExploreOptions::default(), &mut |_| {});
    let found = findings(&exploration, &description);
    found.iter().map(|it| format!("{}: {}", it.code, it.message)).collect()
}

#[test]
fn games_have_the_known_numbers_of_states() {
    let mut decided = 0;
    for game in games() {
        let Some(positions) = game.positions else { continue };
        let exploration = explored(game.text);
        assert_eq!(exploration.states, u64::from(positions), "{}", game.name);
        assert_eq!(exploration.limit, None, "{}", game.name);
        assert_eq!(exploration.playability, Verdict::Holds(None), "{}", game.name);
        assert_eq!(exploration.utility, Verdict::Holds(None), "{}", game.name);
        let ends = matches!(exploration.termination, Verdict::Holds(None));
        assert_eq!(ends, !game.tags.contains(&"no_counter"), "{}", game.name);
        assert!(exploration.winnable.iter().all(|(_, it)| *it != Verdict::Undecided));
        decided += 1;
    }
    assert!(decided > 20, "{decided} games");
}

/// The same, state by state with a set of states: how many there are, how many are terminal, the joint moves
/// out of all of them, the most out of one, and the depth.
fn counted(reasoner: &mut GroundReasoner) -> (u64, u64, u64, u64, u32) {
    let initial = reasoner.initial().clone();
    let mut known = HashSet::from([initial.clone()]);
    let mut layer = vec![initial];
    let (mut terminal, mut joint_moves, mut most, mut depth) = (0, 0, 0, 0);
    loop {
        let mut next = Vec::new();
        for state in &layer {
            if reasoner.is_terminal(state).expect("ground") {
                terminal += 1;
                continue;
            }
            let mut joint: Vec<Vec<MoveId>> = vec![Vec::new()];
            for role in reasoner.role_ids() {
                let mut legal = Vec::new();
                reasoner.legal_moves(state, role, &mut legal).expect("ground");
                let with = |joint: &Vec<MoveId>| -> Vec<Vec<MoveId>> {
                    legal.iter().map(|&last| [joint.as_slice(), &[last]].concat()).collect()
                };
                joint = joint.iter().flat_map(with).collect();
            }
            joint_moves += joint.len() as u64;
            most = most.max(joint.len() as u64);
            for moves in joint {
                let mut successor = State::default();
                reasoner.next_state(state, &moves, &mut successor).expect("legal moves");
                if known.insert(successor.clone()) {
                    next.push(successor);
                }
            }
        }
        if next.is_empty() {
            return (known.len() as u64, terminal, joint_moves, most, depth);
        }
        depth += 1;
        layer = next;
    }
}

#[test]
fn exploring_finds_what_going_state_by_state_does() {
    let small = games().iter().filter(|it| it.positions.is_some_and(|positions| positions < 6000));
    let mut texts: Vec<String> = small.map(|it| it.text.to_owned()).collect();
    assert!(texts.len() > 15, "{} games", texts.len());
    texts.extend((0..40).map(random_game));
    for text in &texts {
        let (_, mut reasoner) = reasoner(text);
        let found = explore(&mut reasoner, &ExploreOptions::default(), &mut |_| {});
        assert_eq!(found.visited, found.states, "{text}");
        assert_eq!(
            (
                found.states,
                found.terminal_states,
                found.joint_moves,
                found.max_branching,
                found.depth
            ),
            counted(&mut reasoner),
            "{text}"
        );
    }
}

#[test]
fn threads_change_nothing() {
    let of = |it: &&groundfrog_corpus::Game| it.expect == Outcome::Groundable;
    for game in games().iter().filter(of).filter(|it| !it.tags.contains(&"large")) {
        let (_, mut reasoner) = reasoner(game.text);
        let mut explored = |threads| {
            let options = ExploreOptions { threads, states: 40_000, ..ExploreOptions::default() };
            explore(&mut reasoner, &options, &mut |_| {})
        };
        let alone = explored(1);
        assert_eq!(alone, explored(2), "{}", game.name);
        assert_eq!(alone, explored(5), "{}", game.name);
        assert!(alone.states < 42_000, "{}: {}", game.name, alone.states);
    }
}

/// Larger games and their numbers of states. But for the last, two searches written differently agree on them.
const LARGE: &[(&str, u64)] = &[
    ("knights_tour", 508_461),
    ("eight_puzzle_counted", 1_783_239),
    ("small_amazons", 7_526_709),
    ("little_quarto", 7_897_545),
    // All that is not excluded by the two quiet patterns of a 5x5 board: 2^(25 - 2).
    ("lights_out", 8_388_608),
];

fn large_game_is_decided(name: &str) {
    let (_, states) = LARGE.iter().find(|it| it.0 == name).expect("a large game");
    let game = game(name).expect("a game");
    let (_, mut reasoner) = reasoner(game.text);
    let options = ExploreOptions { threads: 0, time: None, ..ExploreOptions::default() };
    let exploration = explore(&mut reasoner, &options, &mut |_| {});
    assert_eq!((exploration.states, exploration.limit), (*states, None));
    let ends = matches!(exploration.termination, Verdict::Holds(None));
    assert_eq!(ends, !game.tags.contains(&"no_counter"));
    assert_eq!(exploration.playability, Verdict::Holds(None));
    assert_eq!(exploration.utility, Verdict::Holds(None));
}

#[test]
fn large_games_are_decided() {
    ["knights_tour", "eight_puzzle_counted"].into_iter().for_each(large_game_is_decided);
}

#[test]
#[ignore = "takes some seconds"]
fn larger_games_are_decided() {
    ["small_amazons", "lights_out", "little_quarto"].into_iter().for_each(large_game_is_decided);
}

#[test]
fn lights_out_and_nim_of_any_size() {
    let lights = family("lights_out").expect("a family");
    let lights = lights.generate(&Parameters::new().with("width", 3).with("height", 3));
    let lights = explored(&lights.expect("a game"));
    // All 2^9 patterns can be reached: on 3x3 the presses are independent of each other.
    assert_eq!(lights.states, 512);
    assert!(matches!(lights.termination, Verdict::Fails(Some(_))));
    let nim = family("nim").expect("a family");
    let nim = nim.generate(&Parameters::new().with("heaps", 2).with("objects", 3));
    let nim = explored(&nim.expect("a game"));
    // Two heaps of 0 to 3 objects with either player to move, without the four that one player alone
    // can meet: from (3, 3), (2, 3), (3, 2) and (2, 2) the number of moves is fixed.
    assert_eq!(nim.states, 2 * 16 - 4);
    assert_eq!(nim.terminal_states, 2);
    assert_eq!(nim.depth, 3);
    assert_eq!(nim.termination, Verdict::Holds(None));
}

#[test]
fn witnesses_lead_where_they_say() {
    let (_, mut reasoner) = reasoner(game("eight_puzzle").expect("a game").text);
    let mut seen = 0;
    let exploration =
        explore(&mut reasoner, &ExploreOptions::default(), &mut |progress| seen = progress.known);
    assert_eq!((exploration.states, seen), (181_440, 181_440));
    assert!(exploration.bytes_per_state <= 100.0, "{}", exploration.bytes_per_state);
    let Verdict::Fails(Some(cycle)) = &exploration.termination else { panic!("tiles slide back") };
    let state = arrive(&mut reasoner, cycle);
    assert!(!cycle.cycle.is_empty());
    assert_eq!(replay(&mut reasoner, state.clone(), &cycle.cycle), state);
    let (_, won) = &exploration.winnable[0];
    let Verdict::Holds(Some(win)) = won else { panic!("the puzzle can be solved") };
    let state = arrive(&mut reasoner, win);
    assert!(reasoner.is_terminal(&state).expect("ground"));
    let role = reasoner.role_ids().next().expect("a role");
    assert_eq!(reasoner.goal(&state, role), Ok(100));
}

const LAMP: &str = "(role robot) (init (light off)) (<= (next (light on)) (does robot push))
    (<= terminal (true (light on)))";

#[test]
fn each_property_is_broken_alone() {
    let win = "(goal robot 100)";
    let push = "(legal robot push)";
    assert_eq!(found(&format!("{LAMP} {win} {push}")), [""; 0]);
    let rest = "(legal robot rest) (<= (next (light off)) (does robot rest))";
    assert_eq!(
        found(&format!("{LAMP} {win} {push} {rest}")),
        ["GF0701: a match can go on for ever: some states repeat"]
    );
    let break_it = "(legal robot hit) (<= (next broken) (does robot hit))";
    let only_off = "(<= (legal robot push) (true (light off)))";
    let hit_once =
        break_it.replace("(legal robot hit)", "(<= (legal robot hit) (true (light off)))");
    assert_eq!(
        found(&format!("{LAMP} {win} {only_off} {hit_once}")),
        ["GF0702: `robot` has no legal move, and the match is not over"]
    );
    assert_eq!(
        found(&format!("{LAMP} {win} (goal robot 50) {push}")),
        [
            "GF0703: a match ends without exactly one goal value: the goal values of `robot`: 50 and 100"
        ]
    );
    assert_eq!(
        found(&format!("{LAMP} (<= (goal robot 100) (true (light off))) {push}")),
        [
            "GF0703: a match ends without exactly one goal value: the goal values of `robot`: none",
            "GF0704: `robot` can never win: no terminal state has its goal 100"
        ]
    );
    assert_eq!(
        found(&format!("{LAMP} (goal robot 99) {push}")),
        ["GF0704: `robot` can never win: no terminal state has its goal 100"]
    );
}

#[test]
fn what_a_limit_hides_is_undecided() {
    let (_, mut reasoner) = reasoner(game("connect_four").expect("a game").text);
    let states = ExploreOptions { states: 1000, ..ExploreOptions::default() };
    let time = ExploreOptions { time: Some(Duration::ZERO), ..ExploreOptions::default() };
    let memory = ExploreOptions { memory: 100_000, ..ExploreOptions::default() };
    for (options, reason) in
        [(states, "1000 states"), (time, "time limit"), (memory, "memory limit")]
    {
        let exploration = explore(&mut reasoner, &options, &mut |_| {});
        let limit = exploration.limit.as_deref().unwrap_or_default();
        assert!(limit.contains(reason), "{limit}");
        assert!(exploration.states < 10_000);
        assert_eq!(exploration.termination, Verdict::Undecided);
        assert_eq!(exploration.playability, Verdict::Undecided);
        assert_eq!(exploration.utility, Verdict::Undecided);
        assert_eq!(exploration.winnable[0].1, Verdict::Undecided);
    }
}

#[test]
fn random_matches_find_violations_too() {
    let text = game("connect_four").expect("a game").text;
    let (_, mut four) = reasoner(text);
    let fine = sample(&mut four, &SampleOptions::default(), &mut |_| true);
    assert_eq!(fine.utility, Verdict::Undecided);
    assert!(fine.winnable.iter().all(|(_, it)| matches!(it, Verdict::Holds(Some(_)))));
    assert_eq!(
        fine,
        sample(&mut four, &SampleOptions::default(), &mut |_| true),
        "the seed decides"
    );
    for (_, won) in &fine.winnable {
        let Verdict::Holds(Some(win)) = won else { unreachable!("just seen") };
        let state = arrive(&mut four, win);
        assert!(four.is_terminal(&state).expect("ground"));
    }
    let stuck = format!("{LAMP} (goal robot 50) (goal robot 100) (legal robot push)");
    let (_, mut lamp) = reasoner(&stuck);
    let broken =
        sample(&mut lamp, &SampleOptions { playouts: 3, ..SampleOptions::default() }, &mut |_| {
            true
        });
    let Verdict::Fails(Some(witness)) = &broken.utility else { panic!("two values") };
    arrive(&mut lamp, witness);
}
