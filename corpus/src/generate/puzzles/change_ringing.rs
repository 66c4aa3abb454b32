//! Rows of bells, each of which is to ring all bells once.

use super::super::{Family, Parameter, Values, no_conflict};

/// Change ringing: with n bells, the condition on them has n^2 (n-1)^(n-1) rows.
pub(in super::super) const CHANGE_RINGING: Family = Family {
    name: "change_ringing",
    summary: "Bells are called to the places of rows; each bell has to ring once in every row.",
    parameters: &[
        Parameter::new("bells", 4, (2, 14), "bells, and places of a row"),
        Parameter::new("rows", 2, (1, 100), "rows"),
    ],
    conflict: no_conflict,
    body,
};

fn body(values: &Values<'_>) -> String {
    let (bells, rows) = (values.get("bells"), values.get("rows"));
    let mut text = String::from("(role conductor)\n\n");
    (1..=bells).for_each(|bell| text += &format!("(bell {bell})\n"));
    (1..=rows).for_each(|row| text += &format!("(row {row})\n"));
    text += RULES;
    let places = |literal: &dyn Fn(u32) -> String| -> String { (1..=bells).map(literal).collect() };
    let rung = places(&|place| format!(" ?p{place}"));
    for own in 1..=bells {
        // The bell rings at this place and at no other.
        let body = places(&|place| match place {
            it if it == own => format!("\n    (same ?bell ?p{it})"),
            it => format!("\n    (other ?bell ?p{it})"),
        });
        text += &format!("(<= (rings_once ?bell{rung}){body})\n");
    }
    let calls = places(&|place| format!("\n    (true (called ?row {place} ?p{place}))"));
    let once = places(&|bell| format!("\n    (rings_once {bell}{rung})"));
    text += &format!("(<= (true_row ?row){calls}{once})\n\n");
    let all: String = (1..=rows).map(|row| format!("\n    (true_row {row})")).collect();
    text + &format!("(<= true_ringing{all})\n")
}

const RULES: &str = include_str!("../rules/change_ringing.rules");
