//! The report about a tournament: one page of HTML that needs nothing else.

use std::fmt::Write;

use groundfrog_arena::board::{Picture, gallery, gallery_script};
use groundfrog_arena::tournament::{
    Format, MatchResult, PlannedPlayer, PlayerSource, PlayerStanding, Progress, Share, Standings,
    Tournament,
};
use groundfrog_benches::quantities::time;
use groundfrog_benches::report::html::{self, Interval, count, escape, glue};

/// The whole page. The same results give the same bytes.
pub(super) fn page(
    tournament: &Tournament,
    progress: &Progress,
    standings: &Standings,
    pictures: &[Picture],
) -> String {
    let title = format!("Tournament {}", tournament.plan().name);
    let mut body = format!(
        "<header>\n<h1>{}</h1>\n{}{}</header>\n",
        escape(&title),
        lead(progress, standings),
        table(standings)
    );
    body.push_str("<section aria-label=\"Figures\" class=\"figures\">\n");
    body.push_str(&figure(standings));
    body.push_str("</section>\n");
    for (head, note, content) in [
        (
            "Against each other",
            "The share of the points of the player of the row, in matches in which the player of the column played as well.",
            meetings(standings),
        ),
        (
            "By game and seat",
            "The share of the points on each seat, and how many matches that is.",
            seats(standings),
        ),
        (
            "What went wrong",
            "How often there was no legal move in time; a random one was made. START counts, too.",
            faults(standings),
        ),
    ] {
        let _ = write!(
            body,
            "<section>\n<h2>{head}</h2>\n<p class=\"note\">{note}</p>\n{content}</section>\n"
        );
    }
    if !pictures.is_empty() {
        let _ = write!(
            body,
            "<section>\n<h2>How matches ended</h2>\n<p class=\"note\">The last states of the first matches of each game.</p>\n{}</section>\n",
            gallery(pictures)
        );
    }
    let _ = write!(
        body,
        "<section>\n<h2>All matches</h2>\n<p class=\"note screen\" id=\"sorting\">Sorted by game.</p>\n{}</section>\n\
         <section>\n<h2>How it was played</h2>\n{}</section>\n",
        matches(tournament, &progress.results),
        circumstances(tournament)
    );
    let scripts = if pictures.is_empty() { Vec::new() } else { vec![gallery_script()] };
    html::page(&title, &body, &scripts)
}

fn lead(progress: &Progress, standings: &Standings) -> String {
    let first: Vec<&str> =
        standings.players.iter().filter(|it| it.place == 1).map(|it| it.name.as_str()).collect();
    let mut sentences = Vec::new();
    match (&first[..], standings.matches) {
        (_, 0) => sentences.push("Nothing has been played yet.".to_owned()),
        (&[one], _) => {
            let share = standings.players[0].share.mean().unwrap_or_default() * 100.0;
            let one = escape(one);
            sentences.push(format!("<b>{one}</b> has {share:.1} % of the points it could have."));
        }
        (several, _) => {
            sentences.push(format!("{} share the first place.", escape(&several.join(", "))));
        }
    }
    sentences.push(match progress.left {
        0 => format!("{} matches were played.", count(standings.matches)),
        left => {
            format!("{} matches were played, {} are left.", count(standings.matches), count(left))
        }
    });
    if standings.without_result > 0 {
        let number = count(standings.without_result);
        sentences.push(format!("{number} of them have no result and count for nobody."));
    }
    format!("<p class=\"lead\">{}</p>\n", glue(&sentences.join(" ")))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A table of numbers: heads, and for each row its head and its cells.
fn numbers(heads: &[String], rows: &[(String, Vec<String>)]) -> String {
    let mut table =
        "<div class=\"scroll\"><table class=\"numbers\">\n<thead><tr><th scope=\"col\"></th>"
            .to_owned();
    for head in heads {
        let _ = write!(table, "<th scope=\"col\">{}</th>", escape(head));
    }
    table.push_str("</tr></thead>\n<tbody>\n");
    for (head, cells) in rows {
        let _ = write!(table, "<tr><th scope=\"row\">{}</th>", escape(head));
        for cell in cells {
            let _ = write!(table, "<td>{}</td>", escape(cell));
        }
        table.push_str("</tr>\n");
    }
    table + "</tbody></table></div>\n"
}

fn owned<const N: usize>(heads: [&str; N]) -> Vec<String> {
    heads.map(str::to_owned).to_vec()
}

fn table(standings: &Standings) -> String {
    let heads = owned([
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
    ]);
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
    numbers(&heads, &standings.players.iter().map(row).collect::<Vec<_>>())
        + "<p class=\"note\">A goal of 100 is a point. The interval (Wilson) has the true share with a probability of 95 %, as if matches were \
           independent. A win has more points than all others in the match; in games of one role all are compared who have played \
           it in the same round. Ratings are those of Weng and Lin (2011): 25 ± 8.33 at first, the number behind it is a standard deviation; a \
           difference of 5.9 means that the better one wins two of three times.</p>\n"
}

fn figure(standings: &Standings) -> String {
    let interval = |standing: &PlayerStanding| {
        let middle = standing.share.mean()?;
        let title =
            format!("{}: {} in {} matches", standing.name, percent(middle), standing.share.matches);
        Some(Interval { name: standing.name.clone(), middle, ends: standing.interval, title })
    };
    let rows: Vec<Interval> = standings.players.iter().filter_map(interval).collect();
    let title = "Share of the points";
    format!(
        "<figure>\n<h2>{title}</h2>\n{}<figcaption>Where bars do not overlap, the difference is hardly chance.</figcaption>\n</figure>\n",
        html::intervals(title, "share of the points", "95 % interval", &rows)
    )
}

/// A share and how many matches it is of.
fn cell(share: Share) -> String {
    match share.mean() {
        Some(mean) => format!("{} of {}", percent(mean), count(share.matches)),
        None => "–".to_owned(),
    }
}

fn names(standings: &Standings) -> Vec<String> {
    standings.players.iter().map(|it| it.name.clone()).collect()
}

fn meetings(standings: &Standings) -> String {
    let row = |(place, player): (usize, &PlayerStanding)| {
        let mut cells: Vec<String> = player.meetings.iter().map(|it| cell(it.share)).collect();
        cells.insert(place, String::new());
        (player.name.clone(), cells)
    };
    numbers(&names(standings), &standings.players.iter().enumerate().map(row).collect::<Vec<_>>())
}

fn seats(standings: &Standings) -> String {
    let heads = [vec!["all".to_owned()], names(standings)].concat();
    let rows = standings.seats.iter().map(|seat| {
        let cells = std::iter::once(seat.all).chain(seat.players.iter().copied()).map(cell);
        (format!("{}, {}", seat.game, seat.role), cells.collect())
    });
    numbers(&heads, &rows.collect::<Vec<_>>())
}

fn faults(standings: &Standings) -> String {
    if standings.players.iter().all(|it| it.faults.total() == 0) {
        return "<p>Nothing.</p>\n".to_owned();
    }
    let rows = standings.players.iter().map(|standing| {
        let faults = standing.faults;
        (
            standing.name.clone(),
            [faults.late, faults.illegal, faults.connection].map(count).to_vec(),
        )
    });
    numbers(&owned(["late", "illegal", "connection"]), &rows.collect::<Vec<_>>())
}

/// All matches by game, in the order of the schedule; sorted and searched by the page's script.
fn matches(tournament: &Tournament, results: &[MatchResult]) -> String {
    let mut table = "<div class=\"scroll\"><table id=\"games\" class=\"games\">\n<thead>\n<tr class=\"groups\"><th colspan=\"6\" scope=\"colgroup\"></th></tr>\n\
        <tr><th scope=\"col\">game</th><th scope=\"col\">players and goals</th><th scope=\"col\">round</th><th scope=\"col\">match</th>\
        <th scope=\"col\">turns</th><th scope=\"col\">faults</th></tr>\n</thead>\n<tbody>\n"
        .to_owned();
    let mut results: Vec<&MatchResult> = results.iter().collect();
    results.sort_by_key(|it| tournament.game(it.pairing.game));
    for result in results {
        let pairing = &result.pairing;
        let player = |(seat, &player): (usize, &usize)| {
            let none = if result.is_aborted { "given up" } else { "–" };
            let goal = result.goals.as_ref().map_or(none.to_owned(), |it| it[seat].to_string());
            format!("{} {goal}", tournament.plan().players[player].name)
        };
        let players: Vec<String> = pairing.seats.iter().enumerate().map(player).collect();
        let _ = write!(
            table,
            "<tr><th scope=\"row\" title=\"{}.json\">{}</th><td>{}</td>",
            escape(&tournament.id(pairing)),
            escape(tournament.game(pairing.game)),
            escape(&players.join(", "))
        );
        let faults: u64 = result.faults.iter().map(|it| it.total()).sum();
        for number in [pairing.round.into(), pairing.number.into(), result.turns as u64, faults] {
            let _ = write!(table, "<td data-v=\"{number}\">{}</td>", count(number));
        }
        table.push_str("</tr>\n");
    }
    table + "</tbody></table></div>\n"
}

fn circumstances(tournament: &Tournament) -> String {
    let plan = tournament.plan();
    let format = match plan.format {
        Format::RoundRobin => "round robin",
        Format::Swiss => "Swiss",
    };
    let clock = |it: std::time::Duration| time(it.as_secs_f64());
    let mut list = String::from("<dl>\n");
    let mut add = |name: &str, text: String| {
        let _ = writeln!(list, "<dt>{name}</dt><dd>{}</dd>", escape(&text));
    };
    add("Rounds", format!("{}, {format}", plan.rounds));
    let clocks = (clock(plan.start_clock), clock(plan.play_clock));
    add("Clocks", format!("{} to prepare, {} a move", clocks.0, clocks.1));
    add("At once", format!("{} matches", plan.parallel));
    add("Seed", plan.seed.to_string());
    plan.players.iter().for_each(|it| add("Player", player(it)));
    add("Version", format!("groundfrog {}", env!("CARGO_PKG_VERSION")));
    list + "</dl>\n"
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
