//! Numbers for people.

/// A number with its thousands set apart.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            // A narrow space that does not break.
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A ratio with as many digits as mean something.
pub(super) fn ratio(value: f64) -> String {
    match value {
        _ if value >= 100.0 => count(value.round() as u64),
        _ if value >= 9.95 => format!("{value:.1}"),
        _ if value >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// A share in per cent, rounded down: 100 % is all.
pub(super) fn share(part: usize, whole: usize) -> String {
    (part * 100).checked_div(whole).map_or("–".to_owned(), |it| format!("{it} %"))
}

/// `1 game`, `2 games`.
pub(super) fn games(number: usize) -> String {
    format!("{} game{}", count(number as u64), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(count(52_946_288), "52\u{202f}946\u{202f}288");
        assert_eq!([count(0), count(999), count(1000)], ["0", "999", "1\u{202f}000"]);
        assert_eq!([ratio(2.104), ratio(12.34), ratio(0.42)], ["2.10", "12.3", "0.42"]);
        assert_eq!([share(199, 200), share(200, 200), share(0, 0)], ["99 %", "100 %", "–"]);
    }
}
