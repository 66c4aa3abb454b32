//! Matches by the clock, over loopback.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use groundfrog::options::Limits;
use groundfrog_corpus::relative;
use groundfrog_languages::lines::{Connection, Hub, one_line};
use groundfrog_languages::realtime::manager::{
    ExecutionModel, Manager, ManagerOptions, MatchReport,
};
use groundfrog_languages::realtime::player::{
    PlayerReport, RandomTimes, RealTimeStrategy, ScriptedTimes, play,
};
use groundfrog_languages::realtime::{RealTimeReasoner, Timeline};

use super::{book, number};
use groundfrog_languages::number::Number;

/// Runs a match with a strategy for each player; returns what the manager and the players say.
fn run(
    text: &str,
    model: ExecutionModel,
    strategies: Vec<(&str, Box<dyn RealTimeStrategy>)>,
    until: &str,
) -> (MatchReport, Vec<String>, Vec<PlayerReport>) {
    let hub = Hub::start(([127, 0, 0, 1], 0).into()).expect("a free port");
    let address = hub.address();
    // Strangers, gone or silent, keep nobody from playing.
    (0..300).for_each(|_| drop(TcpStream::connect(address).expect("it listens")));
    let connect = |_| TcpStream::connect(address).expect("it listens");
    let _silent: Vec<TcpStream> = (0..300).map(connect).collect();
    let players: Vec<_> = strategies
        .into_iter()
        .map(|(role, mut strategy)| {
            let role = role.to_owned();
            thread::spawn(move || {
                play(address, "test", Some(&role), &mut *strategy, &|| false).expect("a match")
            })
        })
        .collect();
    let (report, told) = manage(&hub, text, model, until);
    let players = players.into_iter().map(|it| it.join().expect("a player")).collect();
    (report, told, players)
}

/// Runs the manager of a match.
fn manage(hub: &Hub, text: &str, model: ExecutionModel, until: &str) -> (MatchReport, Vec<String>) {
    let reasoner = RealTimeReasoner::new(&book(text), Limits::default()).expect("rules");
    let timeline = Timeline::new(reasoner, 1, None).expect("a beginning");
    let options = ManagerOptions {
        id: "test".to_owned(),
        model,
        join: Duration::from_secs(30),
        start_clock: Duration::from_secs(30),
        until: number(until),
    };
    let mut told = Vec::new();
    let report = Manager::new(hub, timeline, options)
        .run(&one_line(text).expect("KIF"), &|| false, &mut |it| told.push(it.to_owned()))
        .expect("rules");
    (report, told)
}

fn scripted(moves: &[(&str, &str)]) -> Box<dyn RealTimeStrategy> {
    let moves = moves.iter().map(|(time, it)| (number(time), (*it).to_owned())).collect();
    Box::new(ScriptedTimes::new(moves))
}

/// Chicken with a slower clock, so that a busy machine keeps up.
fn chicken() -> String {
    relative("chicken").expect("of the corpus").text.replace("(init 1.0 timer)", "(init 1.6 timer)")
}

/// Plays chicken by a model; both swerve, and all agree on what has happened.
fn chicken_by(model: ExecutionModel) -> (Vec<String>, Vec<PlayerReport>) {
    let strategies =
        vec![("white", scripted(&[("0.3", "swerve")])), ("black", scripted(&[("0.7", "swerve")]))];
    let (report, told, players) = run(&chicken(), model, strategies, "60");
    assert!(report.is_over, "{told:?}");
    assert_eq!(told.len(), 3, "{told:?} {report:?} {players:?}");
    let goals = vec![("white".to_owned(), vec![90]), ("black".to_owned(), vec![90])];
    assert_eq!(report.goals, goals);
    assert_eq!((report.moves, report.refused), (2, 0));
    for player in &players {
        assert_eq!(player.goals, goals);
        assert_eq!(player.events, told, "{}", player.role);
        assert_eq!(player.arrivals.len(), 1);
    }
    assert!(told[0].ends_with("(white swerve)") && told[1].ends_with("(black swerve)"), "{told:?}");
    assert_eq!(told[2], "1.6  expired timer");
    (told, players)
}

#[test]
fn every_event_is_told() {
    let (_, players) = chicken_by(ExecutionModel::Events);
    // What was planned for 0.3 does not arrive before.
    assert!(players[0].arrivals.iter().all(|(wanted, arrived)| arrived > &(wanted / number("2"))));
}

#[test]
fn only_moves_are_told() {
    chicken_by(ExecutionModel::Moves);
}

#[test]
fn time_is_in_slots() {
    let (told, _) = chicken_by(ExecutionModel::Slots(number("0.5")));
    for line in &told[..2] {
        let time = number(line.split(' ').next().expect("a time"));
        assert_eq!((time / number("0.5")).denom(), number("1").denom(), "{line}");
    }
}

#[test]
fn the_clock_stands_still_while_the_manager_computes() {
    chicken_by(ExecutionModel::Stopped);
}

#[test]
fn nonsense_is_refused_and_who_leaves_is_idle() {
    let hub = Hub::start(([127, 0, 0, 1], 0).into()).expect("a free port");
    let address = hub.address();
    let text = chicken();
    let talkers = thread::spawn(move || {
        let second = Duration::from_secs(20);
        let one = Connection::open(address, second).expect("it listens");
        let other = Connection::open(address, second).expect("it listens");
        let say = |it: &Connection, line: &str| it.send(line.to_owned()).expect("it is open");
        say(&one, "(join nobody purple)");
        say(&one, "(join one white)");
        // Who comes first has the role.
        let refused = one.receive(second).expect("it is open").map(|it| it.1);
        assert_eq!(refused.as_deref(), Some("(refused)"), "nobody may be purple");
        thread::sleep(Duration::from_millis(200));
        say(&other, "(join other white)");
        say(&other, "(join other black)");
        let mut heard = vec!["(refused)".to_owned()];
        while let Ok(Some((_, line))) = one.receive(second) {
            if line.starts_with("(start") {
                say(&one, "(ready)");
            }
            if line == "(go)" {
                for line in ["move", "(move x swerve)", "(move 0.1 ?x)", "(((", "(move 0 fly)"] {
                    say(&one, line);
                }
                say(&one, "(move 0.1 swerve)");
            }
            heard.push(line.split(' ').next().unwrap_or_default().to_owned());
        }
        drop(other);
        heard
    });
    let reasoner = RealTimeReasoner::new(&book(&text), Limits::default()).expect("rules");
    let timeline = Timeline::new(reasoner, 1, None).expect("a beginning");
    let options = ManagerOptions {
        id: "m".to_owned(),
        model: ExecutionModel::Events,
        join: Duration::from_secs(20),
        start_clock: Duration::from_millis(300),
        until: number("60"),
    };
    let manager = Manager::new(&hub, timeline, options);
    let report = manager.run(&one_line(&text).expect("KIF"), &|| false, &mut |_| {});
    let report = report.expect("rules");
    assert_eq!((report.moves, report.refused), (2, 4));
    assert_eq!(report.goals, [("white".to_owned(), vec![80]), ("black".to_owned(), vec![100])]);
    let heard = talkers.join().expect("a talker");
    assert_eq!(heard.iter().filter(|it| *it == "(refused)").count(), 5, "{heard:?}");
    assert_eq!(heard.last().map(String::as_str), Some("(stop"), "{heard:?}");
}

/// Passes lines on, each so much later, between a player and the manager.
fn slow_line(manager: SocketAddr, delay: Duration) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        let (player, _) = listener.accept().expect("a player");
        let manager = TcpStream::connect(manager).expect("it listens");
        let ends = [(player.try_clone(), manager.try_clone()), (Ok(manager), Ok(player))];
        for (from, to) in ends {
            let (from, mut to) = (from.expect("a socket"), to.expect("a socket"));
            thread::spawn(move || {
                for line in BufReader::new(from).lines().map_while(Result::ok) {
                    thread::sleep(delay);
                    if writeln!(to, "{line}").is_err() {
                        break;
                    }
                }
                let _ = to.shutdown(Shutdown::Both);
            });
        }
    });
    address
}

#[test]
fn a_player_learns_when_to_send() {
    // One role pushes and releases; a line that takes 150 ms each way is between it and the manager.
    let text = ticking().replace("(init 0.01 tick)", "").replace("(init 1.5 end)", "(init 3 end)");
    let names: Vec<String> = (2..=8).map(|it| format!("(role r{it})")).collect();
    let text = names.iter().fold(text, |text, role| text.replace(role, ""));
    let hub = Hub::start(([127, 0, 0, 1], 0).into()).expect("a free port");
    let address = slow_line(hub.address(), Duration::from_millis(150));
    let player = thread::spawn(move || {
        let mut strategy = scripted(&[("0.5", "push"), ("1.5", "release"), ("2.5", "push")]);
        play(address, "late", None, &mut *strategy, &|| false).expect("a match")
    });
    let (report, told) = manage(&hub, &text, ExecutionModel::Moves, "60");
    let player = player.join().expect("a player");
    assert_eq!((report.moves, report.refused), (3, 0));
    assert_eq!(player.events, told);
    let late: Vec<Number> = player.arrivals.iter().map(|(at, arrived)| arrived - at).collect();
    // The first move comes as late as the way there and the late beginning of the clock; later ones hardly at all.
    assert!(late[0] >= number("0.25"), "{late:?}");
    assert!(late[1] < number("0.15") && late[2] < number("0.15"), "{late:?}");
}

/// Eight roles that push buttons, and a clock that ticks each 10 ms.
fn ticking() -> String {
    let roles: String = (1..=8).map(|it| format!("(role r{it})")).collect();
    format!(
        "{roles} (init 0.01 tick) (init 1.5 end)
        (<= (next 0.01 tick) (expired tick)) (<= (next ?t tick) (true ?t tick))
        (<= (next ?t end) (true ?t end))
        (<= (next infinity (pushed ?r)) (does ?r push))
        (<= (next infinity (pushed ?r)) (true infinity (pushed ?r)) (not (does ?r release)))
        (<= (legal ?r push) (role ?r) (not (true infinity (pushed ?r))))
        (<= (legal ?r release) (true infinity (pushed ?r)))
        (<= terminal (expired end))
        (<= (goal ?r 100) (true infinity (pushed ?r)))
        (<= (goal ?r 0) (role ?r) (not (true infinity (pushed ?r))))"
    )
}

#[test]
fn eight_players_and_a_tick_of_ten_milliseconds() {
    let names: Vec<String> = (1..=8).map(|it| format!("r{it}")).collect();
    let strategies: Vec<(&str, Box<dyn RealTimeStrategy>)> = names
        .iter()
        .enumerate()
        .map(|(seed, name)| {
            let strategy: Box<dyn RealTimeStrategy> =
                Box::new(RandomTimes::new(seed as u64, number("0.2")));
            (name.as_str(), strategy)
        })
        .collect();
    let (report, told, players) = run(&ticking(), ExecutionModel::Events, strategies, "60");
    assert!(report.is_over);
    // Each tick is an event at its own time, however late it is computed.
    let ticks: Vec<&String> = told.iter().filter(|it| it.contains("expired tick")).collect();
    assert_eq!(ticks.len(), 150);
    assert!(ticks[76].starts_with("0.77  "), "{}", ticks[76]);
    assert!(report.moves >= 8, "{}", report.moves);
    for player in &players {
        assert_eq!(player.goals, report.goals);
        assert_eq!(player.events, told, "{}", player.role);
    }
    println!(
        "lateness of {} events: {:?} at 50 %, {:?} at 99 %; {} moves",
        report.lateness.len(),
        report.lateness_at(50),
        report.lateness_at(99),
        report.moves
    );
}
