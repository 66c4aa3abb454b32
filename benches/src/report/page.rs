//! The page: summary, figures and tables, in one text that needs nothing else.

use std::fmt::Write;

use super::figures::Figure;
use super::literature;
use super::markup::{escape, glue};
use super::numbers::games;
use super::{html, summary, table};
use crate::record::Record;

/// The whole page. `records` are sorted.
pub(super) fn page(records: &[&Record], figures: &[Figure]) -> String {
    let mut body = String::new();
    let _ = write!(
        body,
        "<header>\n<h1>Grounding {}</h1>\n{}{}<p class=\"note\">The compact game means the same as the flat one in every state that can \
         be reached, with a fraction of the rules: the time that it takes once is saved in each state that is played.</p>\n</header>\n",
        games(records.len()),
        summary::paragraph(records),
        summary::table(records)
    );
    body.push_str("<section aria-label=\"Figures\" class=\"figures\">\n");
    for (number, figure) in figures.iter().enumerate() {
        let _ = write!(
            body,
            "<figure id=\"{file}\">\n<h2>{}. {}</h2>\n{}<figcaption>{}</figcaption>\n</figure>\n",
            number + 1,
            figure.title,
            figure.plot.inline(figure.title),
            escape(&glue(&figure.caption)),
            file = figure.file
        );
    }
    body.push_str("</section>\n<p class=\"note screen\">Point at a dot or a curve to see the name of the game.</p>\n");
    let _ = write!(
        body,
        "<section>\n<h2>What was not done</h2>\n{}</section>\n\
         <section>\n<h2>All games</h2>\n<p class=\"note screen\" id=\"sorting\">Sorted by name.</p>\n{}</section>\n\
         <section>\n<h2>How it was measured</h2>\n{}</section>\n\
         <section>\n<h2>What is quoted</h2>\n<p>{}</p>\n<p>The experiments are those of Vittaut and Méhat (2014), \
         sections 5 and 6, and of Schiffel (2016), section 6, on the games of this report.</p>\n</section>\n",
        summary::failures(records),
        table::table(records),
        summary::circumstances(records),
        escape(&glue(literature::NOTE))
    );
    html::page(&format!("Grounding {}", games(records.len())), &body, &[])
}
