//! Exact numbers: lifetimes, times and prices.

use std::time::Duration;

use groundfrog::symbols::{Symbol, Symbols};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

/// An exact rational number. Binary floating point would miss what happens at one instant: 1 − 0.1 − 0.3 > 0.6 there.
pub type Number = BigRational;

/// A number may have so many characters; nobody writes longer ones, and reading them would take its time.
pub const MOST_DIGITS: usize = 100;

/// Whether a name looks like a number, however long it is: digits with at most one point or stroke, and a sign.
pub fn looks_like_number(name: &str) -> bool {
    let digits = name.strip_prefix('-').unwrap_or(name);
    let (whole, rest) = digits.split_once(['.', '/']).unwrap_or((digits, "0"));
    let all = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    all(whole) && all(rest)
}

/// The number that a name stands for: `7`, `-1`, `0.25` or `1/3`. None for other names, and for longer ones than
/// [`MOST_DIGITS`].
pub fn parse(name: &str) -> Option<Number> {
    if name.len() > MOST_DIGITS || !looks_like_number(name) {
        return None;
    }
    if let Some((numerator, denominator)) = name.split_once('/') {
        let denominator: BigInt = denominator.parse().ok()?;
        return (!denominator.is_zero())
            .then_some(())
            .and_then(|()| Some(Number::new(numerator.parse().ok()?, denominator)));
    }
    let (whole, decimals) = name.split_once('.').unwrap_or((name, ""));
    let numerator: BigInt = format!("{whole}{decimals}").parse().ok()?;
    Some(Number::new(numerator, BigInt::from(10).pow(decimals.len())))
}

/// A number as it is written: a whole number, a decimal fraction where it is one, else with a stroke. [`parse`] reads it back.
pub fn text(number: &Number) -> String {
    let mut rest = number.denom().clone();
    let mut digits = 0_usize;
    for factor in [BigInt::from(2), BigInt::from(5)] {
        let mut count = 0;
        while (&rest % &factor).is_zero() {
            rest /= &factor;
            count += 1;
        }
        digits = digits.max(count);
    }
    if !rest.is_one() {
        return format!("{}/{}", number.numer(), number.denom());
    }
    let scaled = (number * BigInt::from(10).pow(digits)).to_integer();
    if digits == 0 {
        return scaled.to_string();
    }
    let sign = if scaled.is_negative() { "-" } else { "" };
    let all = format!("{:0>width$}", scaled.abs().to_string(), width = digits + 1);
    let (whole, decimals) = all.split_at(all.len() - digits);
    format!("{sign}{whole}.{decimals}")
}

/// The number that a constant stands for, if it is one.
pub fn of_symbol(symbol: Symbol, symbols: &Symbols) -> Option<Number> {
    parse(symbols.name(symbol))
}

/// The constant that stands for a number: always the same for equal ones.
pub fn to_symbol(number: &Number, symbols: &mut Symbols) -> Symbol {
    symbols.intern(&text(number))
}

/// A duration in seconds, to the microsecond.
pub fn of_duration(duration: Duration) -> Number {
    Number::new(BigInt::from(duration.as_micros()), BigInt::from(1_000_000))
}

/// So many seconds as a duration, rounded up to the next nanosecond: 0 for negative numbers, a day at the most.
pub fn to_duration(number: &Number) -> Duration {
    const DAY: u64 = 86_400_000_000_000;
    let nanoseconds = (number * BigInt::from(1_000_000_000)).ceil().to_integer();
    if nanoseconds.is_negative() {
        return Duration::ZERO;
    }
    Duration::from_nanos(nanoseconds.to_u64().map_or(DAY, |it| it.min(DAY)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_written_by_value() {
        for (name, written) in [
            ("1.0", "1"),
            ("0.30", "0.3"),
            ("007", "7"),
            ("-0.5", "-0.5"),
            ("-1", "-1"),
            ("2/4", "0.5"),
            ("1/3", "1/3"),
            ("0", "0"),
            ("12.045", "12.045"),
        ] {
            let number = parse(name).expect(name);
            assert_eq!(text(&number), written);
            assert_eq!(parse(written), Some(number));
        }
        for name in ["", "-", "1.", ".5", "1.2.3", "1e3", "+1", "1/0", "a", "1/2/3", "infinity"] {
            assert_eq!(parse(name), None, "{name}");
        }
        assert!(looks_like_number(&"9".repeat(1000)) && parse(&"9".repeat(1000)).is_none());
    }

    #[test]
    fn what_floating_point_misses_is_exact() {
        let names = ["1", "0.1", "0.3", "0.6"];
        let [one, tenth, three, six] = names.map(|it| parse(it).expect("a number"));
        assert_eq!(one - tenth - three, six);
        let [one, tenth, three, six] = names.map(|it| it.parse::<f64>().expect("a number"));
        assert!(one - tenth - three > six);
    }

    #[test]
    fn durations() {
        let number = of_duration(Duration::from_micros(1_250_001));
        assert_eq!(text(&number), "1.250001");
        assert_eq!(to_duration(&number), Duration::from_micros(1_250_001));
        assert_eq!(to_duration(&parse("-3").expect("a number")), Duration::ZERO);
        assert_eq!(to_duration(&parse(&"9".repeat(60)).expect("a number")).as_secs(), 86_400);
    }
}
