//! What pages of HTML have in common: style, tables, sorting of a table, figures; also for pages that are not about grounding.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use groundfrog::visible::visible;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::chart::STYLE;
pub use super::numbers::count;

/// The style of a page.
const PAGE: &str = include_str!("style/page.css");
/// Sorts the table of games; the page says the same without it.
const SCRIPT: &str = include_str!("style/sort.js");

/// A page that needs nothing else. `body` is what `main` holds, and `scripts` are run besides the page's own. Nothing else is, nor is
/// anything loaded, whatever the body holds: the page's policy names each script by its hash.
pub fn page(title: &str, body: &Markup, scripts: &[String]) -> String {
    let scripts: Vec<String> =
        scripts.iter().map(String::as_str).chain([SCRIPT]).map(|it| format!("\n{it}")).collect();
    let hash =
        |script: &String| format!(" 'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(script)));
    let hashes: String = scripts.iter().map(hash).collect();
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src{hashes}; base-uri 'none'; form-action 'none'"
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (visible(title)) }
                style { (PreEscaped(PAGE)) (PreEscaped(STYLE)) }
            }
            body {
                main { (body) }
                @for script in &scripts { script { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string() + "\n"
}

/// A table of numbers: heads, and for each row its head and its cells.
pub fn numbers(heads: &[&str], rows: &[(String, Vec<String>)]) -> Markup {
    html! {
        div.scroll {
            table.numbers {
                thead { tr { th scope="col" {} @for head in heads { th scope="col" { (visible(head)) } } } }
                tbody {
                    @for (head, cells) in rows {
                        tr {
                            th scope="row" { (visible(head)) }
                            @for cell in cells { td { (visible(cell)) } }
                        }
                    }
                }
            }
        }
    }
}

/// A row of a table that the page's script sorts.
#[derive(Debug)]
pub struct SortedRow {
    /// The text of the first cell, and what is shown on pointing at it.
    pub name: String,
    /// What is shown on pointing at the name.
    pub title: String,
    /// The second cell, which is an element `td`.
    pub second: Markup,
    /// What all other cells are sorted by, and what they show, where that is known.
    pub cells: Vec<Option<(f64, String)>>,
}

/// A table that the page's script sorts by its columns, if a paragraph with the id `sorting` precedes it: groups of columns with how many each has, the
/// heads of columns with what they mean, and rows.
pub fn sorted_table(
    groups: &[(&str, usize)],
    heads: &[(&str, &str)],
    rows: &[SortedRow],
) -> Markup {
    html! {
        div.scroll {
            table.games id="games" {
                thead {
                    tr.groups { @for (group, span) in groups { th colspan=(span) scope="colgroup" { (group) } } }
                    tr { @for (head, meaning) in heads { th scope="col" title=(meaning) { (head) } } }
                }
                tbody {
                    @for row in rows {
                        tr {
                            th scope="row" title=(visible(&row.title)) { (visible(&row.name)) }
                            (row.second)
                            @for cell in &row.cells {
                                @match cell {
                                    // Six digits are more than a clock knows, and the same whether read or just measured.
                                    Some((value, shown)) => td data-v=(format!("{value:.6e}")) { (shown) },
                                    None => td { "–" },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Text whose lines do not break between a number and its unit.
pub fn glue(text: &str) -> String {
    let mut glued = String::with_capacity(text.len());
    for word in text.split_inclusive(' ') {
        let is_unit = word.trim_end_matches([' ', '.', ',', ';', ':', ')']).chars().count() <= 2;
        if is_unit
            && glued
                .strip_suffix(' ')
                .is_some_and(|it| it.ends_with(|it: char| it.is_ascii_digit()))
        {
            glued.pop();
            glued.push('\u{a0}');
        }
        glued.push_str(word);
    }
    glued
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_runs_its_own_scripts_and_no_others() {
        let body = PreEscaped("<script>alert(1)</script>".to_owned());
        let page = page("cup <1>", &body, &["const a = \"ä\";".to_owned()]);
        assert!(page.contains("<title>cup &lt;1&gt;</title>") && page.ends_with("</html>\n"));
        let policy = page.split_once("Content-Security-Policy\" content=\"").expect("a policy").1;
        let policy = policy.split_once("\">").expect("an end").0;
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        assert!(!policy.contains("script-src 'unsafe-inline'"), "{policy}");
        let scripts = page.split("<script>").skip(1);
        let scripts = scripts.map(|it| it.split_once("</script>").expect("an end").0);
        let is_allowed = |script: &str| {
            let hash = BASE64_STANDARD.encode(Sha256::digest(script));
            policy.contains(&format!("'sha256-{hash}'"))
        };
        assert_eq!(scripts.map(is_allowed).collect::<Vec<_>>(), [false, true, true]);
        // As browsers and `openssl dgst -sha256 -binary | base64` have it.
        let hash = BASE64_STANDARD.encode(Sha256::digest("alert(1)"));
        assert_eq!(hash, "bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=");
    }

    #[test]
    fn numbers_stay_with_their_units() {
        let text = "2 take less than 10 ms, 89 % within 1 s; <3";
        assert_eq!(glue(text), "2 take less than 10\u{a0}ms, 89\u{a0}% within 1\u{a0}s; <3");
    }
}
