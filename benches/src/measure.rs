//! What can be measured of a game: base and input by one method, or grounding to one form.

use crate::record::{Domains, Grounding, Record, Status};
use Measure::{Compact, Flat, Iterative, OneStep};

/// One of the measurements of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    OneStep,
    Iterative,
    Flat,
    Compact,
}

impl Measure {
    pub(crate) const ALL: [Measure; 4] = [OneStep, Iterative, Flat, Compact];

    /// Its key in records.
    pub(crate) fn key(self) -> &'static str {
        match self {
            OneStep => "one-step",
            Iterative => "iterative",
            Flat => "flat",
            Compact => "compact",
        }
    }

    /// What it is called in the report.
    pub(crate) fn title(self) -> &'static str {
        match self {
            OneStep => "Base and input, one-step",
            Iterative => "Base and input, iterative",
            Flat => "Grounding, flat",
            Compact => "Grounding, compact",
        }
    }

    pub(crate) fn domains(self, record: &Record) -> Option<&Domains> {
        record.domains.get(self.key())
    }

    pub(crate) fn grounding(self, record: &Record) -> Option<&Grounding> {
        record.groundings.get(self.key())
    }

    /// Whether it was requested, be it done or not.
    pub(crate) fn is_requested(self, record: &Record) -> bool {
        let options = &record.options;
        match self {
            OneStep | Iterative => {
                [self.key(), "both"].contains(&options.domains.as_str())
                    || self.domains(record).is_some()
            }
            Flat | Compact => {
                options.forms.iter().any(|it| it == self.key()) || self.grounding(record).is_some()
            }
        }
    }

    /// How it ended, and why if not well. What never began ended as the whole game did.
    pub(crate) fn outcome(self, record: &Record) -> (Status, Option<&str>) {
        let whole = match record.status {
            Status::Ok => (Status::Crash, None),
            status => (status, record.reason.as_deref()),
        };
        let domains = self.domains(record).map(|it| (it.status, it.reason.as_deref()));
        let grounding = self.grounding(record).map(|it| (it.status, it.reason.as_deref()));
        domains.or(grounding).unwrap_or(whole)
    }

    /// The median of the wall-clock times, in seconds, if it was done.
    pub(crate) fn seconds(self, record: &Record) -> Option<f64> {
        let domains = self.domains(record).map(|it| (it.status, it.time.as_ref()));
        let grounding = self.grounding(record).map(|it| (it.status, it.time.as_ref()));
        match domains.or(grounding)? {
            (Status::Ok, time) => time.map(|it| it.median),
            _ => None,
        }
    }

    /// A count of the ground game, if it was made.
    pub(crate) fn size(
        self,
        record: &Record,
        count: impl Fn(&Grounding) -> Option<u64>,
    ) -> Option<u64> {
        self.grounding(record).filter(|it| it.status == Status::Ok).and_then(count)
    }
}

/// A status for people.
pub(crate) fn words(status: Status) -> &'static str {
    match status {
        Status::Ok => "done",
        Status::Description => "description at fault",
        Status::Unbounded => "grows without bound",
        Status::Limit => "limit exceeded",
        Status::Io => "not readable",
        Status::Disagreement => "methods disagree",
        Status::Crash => "crashed",
    }
}
