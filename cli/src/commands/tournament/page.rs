//! The report about a tournament: one page of HTML that needs nothing else.

use groundfrog::visible::visible;
use groundfrog_arena::board::{Picture, gallery, gallery_script};
use groundfrog_arena::tournament::{
    Format, MatchResult, PlannedPlayer, PlayerSource, PlayerStanding, Progress, Share, Standings,
    Tournament,
};
use groundfrog_benches::quantities::time;
use groundfrog_benches::report::chart::{Axis, Chart};
use groundfrog_benches::report::html::{
    SortedRow, count, glue, numbers, page as whole, sorted_table,
};
use maud::{Markup, html};

/// The whole page. The same results give the same bytes.
pub(super) fn page(
    tournament: &Tournament,
    progress: &Progress,
    standings: &Standings,
    pictures: &[Picture],
) -> String {
    let title = format!("Tournament {}", tournament.plan().name);
    let section = |head: &str, note: &str, content: Markup| {
        html! { section { h2 { (head) } p.note { (note) } (content) } }
    };
    let body = html! {
        header {
            h1 { (visible(&title)) }
            p.lead { (visible(&lead(progress, standings))) }
            (table(standings))
        }
        section.figures aria-label="Figures" {
            figure {
                h2 { "Share of the points" }
                (shares(standings).inline("Share of the points"))
                figcaption { "Where bars do not overlap, the difference is hardly chance." }
            }
        }
        (section(
            "Against each other",
            "The share of the points of the player of the row, in matches in which the player of the column played as well.",
            meetings(standings),
        ))
        (section(
            "By game and seat",
            "The share of the points on each seat, and how many matches that is.",
            seats(standings),
        ))
        (section(
            "What went wrong",
            "How often there was no legal move in time; a random one was made. START counts, too.",
            faults(standings),
        ))
        @if !pictures.is_empty() {
            (section("How matches ended", "The last states of the first matches of each game.", gallery(pictures)))
        }
        section {
            h2 { "All matches" }
            p.note.screen id="sorting" { "Sorted by game." }
            (matches(tournament, &progress.results))
        }
        section { h2 { "How it was played" } (circumstances(tournament)) }
    };
    let scripts = if pictures.is_empty() { Vec::new() } else { vec![gallery_script()] };
    whole(&title, &body, &scripts)
}

fn lead(progress: &Progress, standings: &Standings) -> String {
    let first: Vec<&str> =
        standings.players.iter().filter(|it| it.place == 1).map(|it| it.name.as_str()).collect();
    let mut sentences = Vec::new();
    match (&first[..], standings.matches) {
        (_, 0) => sentences.push("Nothing has been played yet.".to_owned()),
        (&[one], _) => {
            let share = percent(standings.players[0].share.mean().unwrap_or_default());
            sentences.push(format!("{one} has {share} of the points it could have."));
        }
        (several, _) => sentences.push(format!("{} share the first place.", several.join(", "))),
    }
    let left = match progress.left {
        0 => String::new(),
        left => format!(", {} are left", count(left)),
    };
    sentences.push(format!("{} matches were played{left}.", count(standings.matches)));
    if standings.without_result > 0 {
        let number = count(standings.without_result);
        sentences.push(format!("{number} of them have no result and count for nobody."));
    }
    glue(&sentences.join(" "))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn table(standings: &Standings) -> Markup {
    let heads = [
        "matches",
        "points",
        "share",
        "95 % interval",
        "wins",
        "draws",
        "losses",
        "rating",
        "uncertainty",
        "faults",
    ];
    let row = |standing: &PlayerStanding| {
        let cells = vec![
            count(standing.share.matches),
            format!("{:.1}", standing.share.points),
            standing.share.mean().map_or("–".to_owned(), percent),
            format!("{} to {}", percent(standing.interval.0), percent(standing.interval.1)),
            count(standing.wins),
            count(standing.draws),
            count(standing.losses),
            format!("{:.2}", standing.rating),
            format!("± {:.2}", standing.uncertainty),
            count(standing.faults.total()),
        ];
        (format!("{}. {}", standing.place, standing.name), cells)
    };
    html! {
        (numbers(&heads, &standings.players.iter().map(row).collect::<Vec<_>>()))
        p.note {
            "A goal of 100 is a point. The interval (Wilson) has the true share with a probability of 95 %, as if matches were \
             independent. A win has more points than all others in the match; in games of one role all are compared who have played \
             it in the same round. Ratings are those of Weng and Lin (2011): 25 ± 8.33 at first, the number behind it is a standard \
             deviation; a difference of 5.9 means that the better one wins two of three times."
        }
    }
}

/// A bar for each player, the best at the top.
fn shares(standings: &Standings) -> Chart {
    /// More letters have no room beside the axis.
    const LONGEST: usize = 12;
    let name = |name: &str| match name.chars().count() {
        0..=LONGEST => name.to_owned(),
        _ => name.chars().take(LONGEST - 1).chain(['…']).collect(),
    };
    let players = standings.players.iter().rev();
    let rows: Vec<(&PlayerStanding, f64)> =
        players.filter_map(|it| Some((it, it.share.mean()?))).collect();
    let names = Axis::names(rows.iter().map(|it| name(&it.0.name)));
    let mut chart = Chart::new(Axis::share("share of the points, and its 95 % interval"), names);
    for (row, (standing, share)) in rows.into_iter().enumerate() {
        let matches = standing.share.matches;
        let title = format!("{}: {} in {matches} matches", standing.name, percent(share));
        chart.bar(row, [standing.interval.0, share, standing.interval.1], &title);
    }
    chart
}

/// A share and how many matches it is of.
fn cell(share: Share) -> String {
    match share.mean() {
        Some(mean) => format!("{} of {}", percent(mean), count(share.matches)),
        None => "–".to_owned(),
    }
}

fn names(standings: &Standings) -> Vec<&str> {
    standings.players.iter().map(|it| it.name.as_str()).collect()
}

fn meetings(standings: &Standings) -> Markup {
    let row = |(place, player): (usize, &PlayerStanding)| {
        let mut cells: Vec<String> = player.meetings.iter().map(|it| cell(it.share)).collect();
        cells.insert(place, String::new());
        (player.name.clone(), cells)
    };
    numbers(&names(standings), &standings.players.iter().enumerate().map(row).collect::<Vec<_>>())
}

fn seats(standings: &Standings) -> Markup {
    let heads = [vec!["all"], names(standings)].concat();
    let rows = standings.seats.iter().map(|seat| {
        let cells = std::iter::once(seat.all).chain(seat.players.iter().copied()).map(cell);
        (format!("{}, {}", seat.game, seat.role), cells.collect())
    });
    numbers(&heads, &rows.collect::<Vec<_>>())
}

fn faults(standings: &Standings) -> Markup {
    if standings.players.iter().all(|it| it.faults.total() == 0) {
        return html! { p { "Nothing." } };
    }
    let rows = standings.players.iter().map(|standing| {
        let faults = standing.faults;
        let counts = [faults.late, faults.illegal, faults.connection].map(count);
        (standing.name.clone(), counts.to_vec())
    });
    numbers(&["late", "illegal", "connection"], &rows.collect::<Vec<_>>())
}

/// All matches by game, in the order of the schedule; sorted and searched by the page's script.
fn matches(tournament: &Tournament, results: &[MatchResult]) -> Markup {
    let mut results: Vec<&MatchResult> = results.iter().collect();
    results.sort_by_key(|it| tournament.game(it.pairing.game));
    let row = |result: &&MatchResult| {
        let pairing = &result.pairing;
        let player = |(seat, &player): (usize, &usize)| {
            let none = if result.is_aborted { "given up" } else { "–" };
            let goal = result.goals.as_ref().map_or(none.to_owned(), |it| it[seat].to_string());
            format!("{} {goal}", tournament.plan().players[player].name)
        };
        let players: Vec<String> = pairing.seats.iter().enumerate().map(player).collect();
        let faults: u64 = result.faults.iter().map(|it| it.total()).sum();
        let numbers = [pairing.round.into(), pairing.number.into(), result.turns as u64, faults];
        SortedRow {
            name: tournament.game(pairing.game).to_owned(),
            title: format!("{}.json", tournament.id(pairing)),
            second: html! { td { (visible(&players.join(", "))) } },
            cells: numbers.into_iter().map(|it| Some((it as f64, count(it)))).collect(),
        }
    };
    let heads = [
        ("game", "the record of the match is named on its line"),
        ("players and goals", "by seat"),
        ("round", "of the tournament"),
        ("match", "of the round"),
        ("turns", "joint moves"),
        ("faults", "moves that were made at random"),
    ];
    sorted_table(&[("", heads.len())], &heads, &results.iter().map(row).collect::<Vec<_>>())
}

fn circumstances(tournament: &Tournament) -> Markup {
    let plan = tournament.plan();
    let format = match plan.format {
        Format::RoundRobin => "round robin",
        Format::Swiss => "Swiss",
    };
    let clock = |it: std::time::Duration| time(it.as_secs_f64());
    let (start, play) = (clock(plan.start_clock), clock(plan.play_clock));
    let mut lines = vec![
        ("Rounds", format!("{}, {format}", plan.rounds)),
        ("Clocks", format!("{start} to prepare, {play} a move")),
        ("At once", format!("{} matches", plan.parallel)),
        ("Seed", plan.seed.to_string()),
    ];
    lines.extend(plan.players.iter().map(|it| ("Player", player(it))));
    lines.push(("Version", format!("groundfrog {}", env!("CARGO_PKG_VERSION"))));
    html! { dl { @for (name, text) in &lines { dt { (name) } dd { (visible(text)) } } } }
}

fn player(player: &PlannedPlayer) -> String {
    match &player.source {
        PlayerSource::BuiltIn { kind, threads, memory } => {
            let threads = match threads {
                0 => "all processors".to_owned(),
                1 => "1 thread".to_owned(),
                threads => format!("{threads} threads"),
            };
            format!("{}: {kind}, {threads}, {} MiB", player.name, memory >> 20)
        }
        PlayerSource::Remote { address, .. } => format!("{}: {address}", player.name),
    }
}
