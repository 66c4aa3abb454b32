//! Games whose states come back: what is won is won, soon, and nobody walks round. Generated graphs against brute force.

use std::time::{Duration, Instant};

use super::described;
use groundfrog_player::StrategyKind;
use groundfrog_player::search::{Auto, InformationSets, Uct};
use groundfrog_player::strategy::{Sampler, Strategy, StrategyOptions, Turn};
use groundfrog_reasoner::Random;

/// Joint moves after which a match is given up.
const MOST_MOVES: usize = 60;
/// Ways down the tree for a move.
const WAYS: u64 = 1500;

/// Who chooses how a graph is walked.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Chooses {
    /// The first role alone.
    One,
    /// Both in turn.
    InTurn,
    /// Both at once.
    AtOnce,
    /// The first role; half of its moves fail, and it stays where it is.
    Chance,
}

/// A graph that is walked to one of its ends.
struct Graph {
    chooses: Chooses,
    /// Places after each place, by the move of the first role, and then by that of the second one where both choose at once.
    to: Vec<Vec<usize>>,
    /// What the last place is worth to the first role, if it can be reached; to the second one it is worth what is missing to 100.
    value: i64,
    /// Another end, if there is one: its place, and what it is worth.
    other: Option<(usize, i64)>,
}

const MOVES: usize = 3;

impl Graph {
    fn random(seed: u64, places: usize, chooses: Chooses, value: i64) -> Self {
        let mut random = Random::new(seed);
        let count = if chooses == Chooses::AtOnce { MOVES * MOVES } else { MOVES };
        let mut to = Vec::new();
        for _ in 0..places {
            to.push((0..count).map(|_| random.below(places as u32) as usize).collect());
        }
        Graph { chooses, to, value, other: None }
    }

    fn end(&self) -> usize {
        self.to.len() - 1
    }

    fn goal(&self, place: usize) -> Option<i64> {
        match self.other {
            _ if place == self.end() => Some(self.value),
            Some((other, value)) if place == other => Some(value),
            _ => None,
        }
    }

    fn text(&self) -> String {
        let both = "(role a) (role b) (<= (goal b ?w) (goal a ?v) (rest ?v ?w))";
        let roles = match self.chooses {
            Chooses::One => "(role a) (<= (legal a ?m) (move ?m))".to_owned(),
            Chooses::InTurn => format!(
                "{both} (init (turn a)) (<= (legal ?r ?m) (true (turn ?r)) (move ?m))
                 (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
                 (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))"
            ),
            Chooses::AtOnce => format!("{both} (<= (legal ?r ?m) (role ?r) (move ?m))"),
            Chooses::Chance => "(role a) (role random) (<= (legal a ?m) (move ?m)) (goal random 0)
                (legal random hold) (legal random slip)"
                .to_owned(),
        };
        let mut text = format!(
            "{roles} (init (at 0)) (move 0) (move 1) (move 2)
             (rest 0 100) (rest 40 60) (rest 60 40) (rest 100 0) (end {} {})
             (<= terminal (true (at ?x)) (end ?x ?v)) (<= over (true (at ?x)) (end ?x ?v))
             (<= (goal a ?v) (true (at ?x)) (end ?x ?v)) (<= (goal a 0) (not over))
             (<= (goal a 100) (true never)) (<= terminal (true never))
             (<= (next never) (true (at 0)) (true (at 1)))\n",
            self.end(),
            self.value
        );
        if let Some((place, value)) = self.other {
            text += &format!("(end {place} {value})\n");
        }
        text += match self.chooses {
            Chooses::One => "(<= (next (at ?y)) (true (at ?x)) (does a ?m) (to ?x ?m ?y))",
            Chooses::InTurn => {
                "(<= (next (at ?y)) (true (at ?x)) (true (turn ?r)) (does ?r ?m) (to ?x ?m ?y))"
            }
            Chooses::AtOnce => {
                "(<= (next (at ?y)) (true (at ?x)) (does a ?m) (does b ?n) (to ?x ?m ?n ?y))"
            }
            Chooses::Chance => {
                "(<= (next (at ?y)) (true (at ?x)) (does random hold) (does a ?m) (to ?x ?m ?y))
                 (<= (next (at ?x)) (true (at ?x)) (does random slip))"
            }
        };
        for (place, to) in self.to.iter().enumerate() {
            for (number, next) in to.iter().enumerate() {
                let by = match self.chooses {
                    Chooses::AtOnce => format!("{} {}", number / MOVES, number % MOVES),
                    _ => number.to_string(),
                };
                text += &format!("(to {place} {by} {next})\n");
            }
        }
        text
    }

    /// By state (a place, and whose turn it is): moves until the first role has the value of the last place, if it can force that.
    fn distances(&self) -> Vec<[Option<usize>; 2]> {
        let mut known = vec![[None; 2]; self.to.len()];
        known[self.end()] = [Some(0); 2];
        for distance in 1..=2 * self.to.len() {
            let before = known.clone();
            for place in (0..self.to.len()).filter(|&it| self.goal(it).is_none()) {
                for turn in 0..2 {
                    let next = if self.chooses == Chooses::InTurn { 1 - turn } else { turn };
                    let near = |&to: &usize| before[to][next].is_some();
                    let is_won = match self.chooses {
                        Chooses::InTurn if turn == 1 => self.to[place].iter().all(near),
                        Chooses::AtOnce => {
                            self.to[place].chunks(MOVES).any(|it| it.iter().all(near))
                        }
                        _ => self.to[place].iter().any(near),
                    };
                    if is_won && before[place][turn].is_none() {
                        known[place][turn] = Some(distance);
                    }
                }
            }
        }
        known
    }
}

/// What chooses for a role.
enum Player {
    Strategy(Box<dyn Strategy>),
    /// The move after which the first role is farthest from its end, by what is known of the graph.
    Resists,
    Random,
}

/// How many moves a match takes, and what it is worth to the first role, if it ends.
fn play(graph: &Graph, players: [Player; 2], seed: u64) -> (usize, Option<i64>) {
    let distances = graph.distances();
    let mut random = Random::new(seed);
    let mut players = players;
    for player in &mut players {
        if let Player::Strategy(strategy) = player {
            strategy.prepare(Instant::now() + Duration::from_secs(60)).expect("can be played");
        }
    }
    let (mut place, mut turn) = (0, 0);
    for moves in 0..MOST_MOVES {
        if let Some(value) = graph.goal(place) {
            return (moves, Some(value));
        }
        let mut made = Vec::new();
        for (role, player) in players.iter_mut().enumerate() {
            let waits = graph.chooses == Chooses::InTurn && turn != role;
            let action = match (player, graph.chooses, role) {
                (_, Chooses::One, 1) => continue,
                (_, Chooses::Chance, 1) => ["hold", "slip"][random.below(2) as usize].to_owned(),
                _ if waits => "noop".to_owned(),
                (Player::Strategy(strategy), ..) => {
                    let deadline = Instant::now() + Duration::from_secs(60);
                    strategy.choose(deadline).expect("there is a move").action
                }
                (Player::Resists, ..) => {
                    let far = |&it: &usize| {
                        let to = graph.to[place][it];
                        distances[to][0].unwrap_or(usize::MAX)
                    };
                    (0..MOVES).max_by_key(far).expect("there are moves").to_string()
                }
                (Player::Random, ..) => random.below(MOVES as u32).to_string(),
            };
            made.push(action);
        }
        let number = |it: &str| it.parse::<usize>().expect("a number");
        place = match graph.chooses {
            Chooses::One => graph.to[place][number(&made[0])],
            Chooses::InTurn => graph.to[place][number(&made[turn])],
            Chooses::AtOnce => graph.to[place][number(&made[0]) * MOVES + number(&made[1])],
            Chooses::Chance if made[1] == "slip" => place,
            Chooses::Chance => graph.to[place][number(&made[0])],
        };
        turn = if graph.chooses == Chooses::InTurn { 1 - turn } else { 0 };
        for player in &mut players {
            if let Player::Strategy(strategy) = player {
                strategy.observe(&Turn::Moves(made.clone())).expect("can be made");
            }
        }
    }
    (MOST_MOVES, graph.goal(place))
}

fn uct(graph: &Graph, role: &str, seed: u64) -> Player {
    let options = StrategyOptions { seed, most: Some(WAYS), ..StrategyOptions::default() };
    Player::Strategy(Box::new(Uct::new(described(&graph.text()), role, options)))
}

fn auto(graph: &Graph, role: &str, seed: u64) -> Player {
    let options = StrategyOptions { seed, most: Some(WAYS), ..StrategyOptions::default() };
    let strategy = Auto::new(StrategyKind::Auto, described(&graph.text()), role, options);
    Player::Strategy(Box::new(strategy))
}

fn alpha_beta(graph: &Graph, role: &str, seed: u64) -> Player {
    let options = StrategyOptions { seed, most: Some(20_000), ..StrategyOptions::default() };
    let strategy = Auto::new(StrategyKind::AlphaBeta, described(&graph.text()), role, options);
    Player::Strategy(Box::new(strategy))
}

/// Graphs whose end is some moves away for the first role, which can force it.
fn won(chooses: Chooses, value: i64, count: usize) -> impl Iterator<Item = (u64, Graph, usize)> {
    let graphs = (1..).map(move |seed| (seed, Graph::random(seed, 16, chooses, value)));
    let far = |(seed, graph): (u64, Graph)| {
        let distance = graph.distances()[0][0].filter(|&it| it > 2)?;
        Some((seed, graph, distance))
    };
    graphs.filter_map(far).take(count)
}

#[test]
fn one_role_walks_by_a_shortest_way() {
    for value in [100, 60] {
        for (seed, graph, distance) in won(Chooses::One, value, 12) {
            for make in [uct, auto] {
                let found = play(&graph, [make(&graph, "a", seed), Player::Random], seed);
                assert_eq!(found, (distance, Some(value)), "{value}, seed {seed}");
            }
        }
    }
}

#[test]
fn what_is_won_against_another_role_is_won_as_soon_as_can_be() {
    let strategies: [fn(&Graph, &str, u64) -> Player; 3] = [uct, auto, alpha_beta];
    for (seed, graph, distance) in won(Chooses::InTurn, 100, 8) {
        for (make, number) in strategies.into_iter().zip(0..) {
            let players = [make(&graph, "a", seed), Player::Resists];
            let found = play(&graph, players, seed);
            assert_eq!(found, (distance, Some(100)), "seed {seed}, strategy {number}");
        }
        let players = [uct(&graph, "a", seed), Player::Random];
        let (moves, end) = play(&graph, players, seed);
        assert!(moves <= distance && end == Some(100), "seed {seed}: {moves}");
    }
}

#[test]
fn hope_for_more_than_what_is_sure_does_not_lead_round() {
    let strategies: [fn(&Graph, &str, u64) -> Player; 3] = [uct, auto, alpha_beta];
    for (seed, graph, distance) in won(Chooses::InTurn, 60, 20) {
        for (make, number) in strategies.into_iter().zip(0..) {
            let players = [make(&graph, "a", seed), Player::Resists];
            let (moves, end) = play(&graph, players, seed);
            assert_eq!(end, Some(60), "seed {seed}, strategy {number}: {distance}, {moves}");
        }
    }
}

#[test]
fn what_is_lost_is_lost_as_late_as_can_be() {
    for (seed, graph, distance) in won(Chooses::InTurn, 100, 8) {
        for make in [uct, alpha_beta] {
            let players = [uct(&graph, "a", seed), make(&graph, "b", seed + 100)];
            assert_eq!(play(&graph, players, seed), (distance, Some(100)), "seed {seed}");
        }
    }
}

#[test]
fn what_is_won_whatever_others_do_at_once_is_won_in_time() {
    for (seed, graph, distance) in won(Chooses::AtOnce, 100, 6) {
        for b in [Player::Random, uct(&graph, "b", seed + 100)] {
            let (moves, end) = play(&graph, [uct(&graph, "a", seed), b], seed);
            assert!(moves <= distance && end == Some(100), "seed {seed}: {moves} of {distance}");
        }
    }
}

#[test]
fn chance_does_not_lead_a_role_round() {
    let (mut moves, mut shortest) = (0, 0);
    for (seed, graph, distance) in won(Chooses::Chance, 100, 8) {
        for match_seed in 0..4 {
            let found = play(&graph, [uct(&graph, "a", seed), Player::Random], match_seed);
            assert_eq!(found.1, Some(100), "seed {seed}");
            (moves, shortest) = (moves + found.0, shortest + distance);
        }
    }
    // Each move is made twice on average.
    assert!(moves < 3 * shortest, "{moves} moves, {shortest} without chance");
}

#[test]
fn what_is_sure_is_not_put_off_for_ever() {
    // A sure 60 at once, or a place from which who resists leads back.
    for value in [60, 40] {
        let mut graph = Graph::random(1, 4, Chooses::InTurn, 100);
        graph.to = vec![vec![2, 1, 1], vec![0, 3, 0], vec![2; 3], vec![3; 3]];
        graph.other = Some((2, value));
        for make in [uct, auto, alpha_beta] {
            let found = play(&graph, [make(&graph, "a", 1), Player::Resists], 1);
            assert_eq!(found.1, Some(value), "after {} moves", found.0);
            assert!(found.0 <= 9, "{} moves", found.0);
        }
    }
}

#[test]
fn plain_monte_carlo_does_not_count_what_comes_back() {
    // By 0 to the end, in three moves; by 1 and 2 back to where it is.
    let mut graph = Graph::random(1, 5, Chooses::One, 100);
    graph.to = vec![vec![1, 3, 3], vec![2, 2, 2], vec![4; 3], vec![0; 3], vec![4; 3]];
    for seed in 1..=5 {
        let options = StrategyOptions { seed, ..StrategyOptions::default() };
        let mut sampler =
            Sampler::new(StrategyKind::MonteCarlo, described(&graph.text()), "a", options);
        sampler.prepare(Instant::now() + Duration::from_secs(60)).expect("can be played");
        let found = sampler.choose(Instant::now() + Duration::from_millis(200)).expect("a move");
        assert_eq!((found.action.as_str(), found.value), ("0", Some(100.0)), "{found:?}");
        let others = found.candidates.iter().filter(|it| it.action != "0");
        assert!(others.clone().count() == 2 && others.clone().all(|it| it.value.is_none()));
    }
}

#[test]
fn who_does_not_see_all_does_not_walk_round_either() {
    let rules = "(role a) (role b) (init (at door))
        (way door in hall) (way door round yard) (way yard back door)
        (way hall up loft) (way hall down door) (way loft out roof) (way loft down hall)
        (<= (legal a ?m) (true (at ?x)) (way ?x ?m ?y)) (legal b left) (legal b right)
        (<= (next (at ?y)) (true (at ?x)) (does a ?m) (way ?x ?m ?y)) (<= (sees b ?m) (does b ?m))
        (<= (sees a (at ?y)) (true (at ?x)) (does a ?m) (way ?x ?m ?y))
        (<= terminal (true (at roof))) (<= (goal a 100) (true (at roof))) (goal b 0)
        (<= (goal a 0) (not (true (at roof))))";
    for seed in 1..=5 {
        let options = StrategyOptions { seed, most: Some(3000), ..StrategyOptions::default() };
        let mut strategy = InformationSets::new(described(rules), "a", options);
        strategy.prepare(Instant::now() + Duration::from_secs(60)).expect("can be played");
        let mut made = Vec::new();
        while made.last().is_none_or(|it| it != "out") {
            let found = strategy.choose(Instant::now() + Duration::from_secs(60));
            let action = found.expect("there is a move").action;
            let to = match action.as_str() {
                "down" if made.last().is_some_and(|it| it == "up") => "(at hall)",
                "in" => "(at hall)",
                "up" => "(at loft)",
                "out" => "(at roof)",
                "round" => "(at yard)",
                _ => "(at door)",
            };
            let (own, percepts) = (Some(action.clone()), vec![to.to_owned()]);
            strategy.observe(&Turn::Percepts { own, percepts }).expect("can be");
            made.push(action);
            assert!(made.len() <= 6, "seed {seed}: {made:?}");
        }
    }
}
