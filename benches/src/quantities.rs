//! Times and sizes as people read them.

/// Seconds with three digits and a unit.
pub fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 0.9995 => format!("{} s", three_digits(seconds)),
        _ if seconds >= 0.000_999_5 => format!("{} ms", three_digits(seconds * 1e3)),
        _ => format!("{} µs", three_digits(seconds * 1e6)),
    }
}

/// A number of bytes with three digits and a unit.
pub fn size(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["bytes", "KiB", "MiB"] {
        if size < 999.5 {
            return format!(
                "{} {unit}",
                if unit == "bytes" { bytes.to_string() } else { three_digits(size) }
            );
        }
        size /= 1024.0;
    }
    format!("{} GiB", three_digits(size))
}

/// A number below a thousand, or a few more. Without the formatter of floating-point numbers, which is long and which
/// nothing else in a run needs.
fn three_digits(number: f64) -> String {
    let (scale, decimals) = match number {
        _ if number < 9.995 => (100_u64, 2),
        _ if number < 99.95 => (10, 1),
        _ => (1, 0),
    };
    let scaled = (number * scale as f64).round() as u64;
    let (whole, rest) = (scaled / scale, scaled % scale);
    if decimals == 0 { whole.to_string() } else { format!("{whole}.{rest:0decimals$}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(time(0.000_000_5), "0.50 µs");
        assert_eq!(time(0.012_34), "12.3 ms");
        assert_eq!(time(0.9999), "1.00 s");
        assert_eq!(time(123.4), "123 s");
        assert_eq!(size(12), "12 bytes");
        assert_eq!(size(1000), "0.98 KiB");
        assert_eq!(size(3 << 29), "1.50 GiB");
        assert_eq!(size(12 << 20), "12.0 MiB");
    }
}
