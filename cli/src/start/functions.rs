//! The functions of numbers that the standard library takes from `libm.so`, in Rust: loading that library takes 0.07 ms
//! of each start. One that is missing here is taken from there, library and all.

macro_rules! exported {
    ($($name:ident($($argument:ident),+);)+) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: f64),+) -> f64 {
                libm::$name($($argument),+)
            }
        )+
    };
}

exported! {
    exp(x);
    expm1(x);
    log(x);
    log10(x);
    pow(x, y);
}
