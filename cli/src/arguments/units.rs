//! Times and sizes as people write them.

use std::str::FromStr;
use std::time::Duration;

use crate::memory;

/// A time: seconds, or a number with the unit `ms`, `s`, `m` or `h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeLimit(pub(crate) Duration);

impl FromStr for TimeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = split(text);
        let number: f64 = number.parse().map_err(|_| "expected a time such as `10s`".to_owned())?;
        let seconds = match unit.to_ascii_lowercase().as_str() {
            "ms" => 1e-3,
            "" | "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(format!("`{unit}` is no unit of time: use ms, s, m or h")),
        };
        match Duration::try_from_secs_f64(number * seconds) {
            Ok(time) if !time.is_zero() => Ok(TimeLimit(time)),
            Ok(_) => Err("the time must be greater than zero".into()),
            Err(_) => Err("the time is too large".into()),
        }
    }
}

/// A clock of a match: a time of a day at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock(pub(crate) Duration);

impl FromStr for Clock {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let TimeLimit(time) = text.parse()?;
        match time <= groundfrog_player::clock::LONGEST {
            true => Ok(Clock(time)),
            false => Err("a clock has a day at most".into()),
        }
    }
}

/// The size of a message: as [`Memory`], and never without a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MessageSize(pub(crate) usize);

impl FromStr for MessageSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const SIZES: std::ops::RangeInclusive<u64> = 1 << 10..=1 << 30;
        let Memory(size) = text.parse()?;
        let size = size.filter(|it| SIZES.contains(it)).and_then(|it| usize::try_from(it).ok());
        size.map(MessageSize).ok_or_else(|| "expected a size from 1KiB to 1GiB".to_owned())
    }
}

/// A size of memory: bytes, or a number with a unit of 1024 (`K`, `MiB`, `G`, ...); `None` is no limit. Where the address space is
/// limited it is no more than that allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory(pub(crate) Option<u64>);

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => return Ok(Memory(Some(memory::usual_limit()))),
            "none" | "unlimited" => return Ok(Self::of(u64::MAX)),
            _ => {}
        }
        let (number, unit) = split(text);
        let number: f64 =
            number.parse().map_err(|_| "expected a size such as `4GiB`".to_owned())?;
        let shift = match unit.to_ascii_lowercase().as_str() {
            "" | "b" => 0,
            "k" | "kb" | "kib" => 10,
            "m" | "mb" | "mib" => 20,
            "g" | "gb" | "gib" => 30,
            "t" | "tb" | "tib" => 40,
            _ => return Err(format!("`{unit}` is no unit of memory: use K, M, G or T")),
        };
        let bytes = number * (1u64 << shift) as f64;
        if bytes < 1.0 {
            return Err("the size must be at least one byte".into());
        }
        if bytes >= u64::MAX as f64 {
            return Err("the size is too large; `none` is no limit".into());
        }
        Ok(Self::of(bytes as u64))
    }
}

impl Memory {
    fn of(bytes: u64) -> Self {
        Memory(Some(memory::within_address_space(bytes)).filter(|it| *it < u64::MAX))
    }
}

/// A number and the unit behind it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number, unit.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let time = |text: &str| text.parse::<TimeLimit>().map(|it| it.0.as_millis());
        assert_eq!(time("10"), Ok(10_000));
        assert_eq!(time("0.5"), Ok(500));
        assert_eq!(time("500ms"), Ok(500));
        assert_eq!(time("2 m"), Ok(120_000));
        assert_eq!(time("1h"), Ok(3_600_000));
        for bad in ["", "0", "s", "-1", "1x", "1e3", "1e99s", "..", "99999999999999999999999"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn clocks_and_messages_have_bounds() {
        let clock = |text: &str| text.parse::<Clock>().map(|it| it.0.as_secs());
        assert_eq!((clock("24h"), clock("10")), (Ok(86_400), Ok(10)));
        assert!(clock("25h").is_err() && clock("0").is_err());
        let size = |text: &str| text.parse::<MessageSize>().map(|it| it.0);
        assert_eq!((size("4MiB"), size("1024")), (Ok(4 << 20), Ok(1024)));
        for bad in ["none", "1023", "2GiB", "x"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let time = |text: &str| text.parse::<TimeLimit>().expect_err("a bad time");
        assert_eq!(time("0"), "the time must be greater than zero");
        assert_eq!(time("99999999999999999999999"), "the time is too large");
        let size = |text: &str| text.parse::<Memory>().expect_err("a bad size");
        assert_eq!(size("0"), "the size must be at least one byte");
        assert!(size("99999999999T").starts_with("the size is too large"));
    }

    #[test]
    fn sizes_have_units() {
        let size = |text: &str| text.parse::<Memory>().map(|it| it.0);
        assert_eq!(size("4GiB"), Ok(Some(4 << 30)));
        assert_eq!(size("512M"), Ok(Some(512 << 20)));
        assert_eq!(size("1.5k"), Ok(Some(1536)));
        assert_eq!(size("123"), Ok(Some(123)));
        assert_eq!(size("none"), Ok(None));
        for bad in ["", "0", "G", "4XB", "-4G", "99999999999T"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
