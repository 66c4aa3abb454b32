//! Tests of whole reports.

use super::samples::{failed, records};
use super::*;
use crate::bench::record::Status;

#[test]
fn write_samples_where_asked() {
    if let Ok(p) = std::env::var("GF_SAMPLE") {
        let mut all = records(196, 7);
        all.push(failed("broken", Status::Description, "rule 3: unsafe variable"));
        write(&all, Path::new(&p)).expect("written");
    }
}
