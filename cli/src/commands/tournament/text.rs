//! Results and standings for a terminal.

use groundfrog::visible::visible;
use groundfrog_arena::tournament::{MatchResult, Standings, Tournament};

/// A match in a line: `breakthrough: ann 100, bob 0; 23 turns`.
pub(super) fn result(tournament: &Tournament, result: &MatchResult) -> String {
    let pairing = &result.pairing;
    let player = |(seat, &player): (usize, &usize)| {
        let name = visible(&tournament.plan().players[player].name);
        let none = if result.is_aborted { "given up" } else { "no result" };
        let goal = result.goals.as_ref().map_or(none.to_owned(), |it| it[seat].to_string());
        match result.faults[seat].total() {
            0 => format!("{name} {goal}"),
            1 => format!("{name} {goal} (1 fault)"),
            faults => format!("{name} {goal} ({faults} faults)"),
        }
    };
    let players: Vec<String> = pairing.seats.iter().enumerate().map(player).collect();
    let (game, turns) = (visible(tournament.game(pairing.game)), result.turns);
    format!("{game}: {}; {turns} turns", players.join(", "))
}

/// The standings as a table.
pub(super) fn standings(standings: &Standings) -> String {
    let names = standings.players.iter().map(|it| visible(&it.name).chars().count());
    let width = names.max().unwrap_or(0).max("player".len());
    let mut text = format!(
        "     {:width$}  matches  points  share (95 %)        wins  draws  losses  rating      late  illegal  connection\n",
        "player"
    );
    for player in &standings.players {
        let percent = |it: f64| it * 100.0;
        let (low, high) = player.interval;
        let share = match player.share.mean() {
            Some(mean) => {
                format!("{:.1} % ({:.1}-{:.1})", percent(mean), percent(low), percent(high))
            }
            None => "-".to_owned(),
        };
        let rating = format!("{:.1} ± {:.1}", player.rating, player.uncertainty);
        text += &format!(
            "{:3}. {:width$}  {:7}  {:6.1}  {share:18}  {:4}  {:5}  {:6}  {rating:10}  {:4}  {:7}  {:10}\n",
            player.place,
            visible(&player.name),
            player.share.matches,
            player.share.points,
            player.wins,
            player.draws,
            player.losses,
            player.faults.late,
            player.faults.illegal,
            player.faults.connection
        );
    }
    let without = match standings.without_result {
        0 => String::new(),
        number => format!(", {number} of them without a result"),
    };
    text + &format!("{} matches{without}\n", standings.matches)
}
