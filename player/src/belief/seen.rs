//! What was perceived, to be compared with what histories would show.

use std::cell::RefCell;

use fxhash::FxHashMap;
use groundfrog::description::Printer;
use groundfrog_reasoner::PerceptId;

use crate::machine::Machine;

/// The percepts of one step, as KIF, and which percepts of a machine they are.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    texts: Vec<String>,
    /// By percepts of the machine: whether they are these.
    known: RefCell<FxHashMap<Vec<PerceptId>, bool>>,
}

impl Seen {
    /// Percepts in any order.
    pub(crate) fn new(texts: Vec<String>) -> Self {
        Seen { texts: sorted(texts), known: RefCell::default() }
    }

    /// The percepts, sorted.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether these are the percepts, possibly all in another case.
    pub(crate) fn are(&self, percepts: &[PerceptId], machine: &Machine) -> bool {
        if percepts.len() != self.texts.len() {
            return false;
        }
        if percepts.is_empty() {
            return true;
        }
        if let Some(&known) = self.known.borrow().get(percepts) {
            return known;
        }
        let printer = Printer::new(machine.symbols());
        let text = |it: &PerceptId| printer.term(&machine.percept(*it)).to_string();
        let own = sorted(percepts.iter().map(text).collect());
        let same = own == self.texts || lower(&own) == lower(&self.texts);
        self.known.borrow_mut().insert(percepts.to_vec(), same);
        same
    }
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_unstable();
    texts
}

/// In lower case, sorted anew.
fn lower(texts: &[String]) -> Vec<String> {
    sorted(texts.iter().map(|it| it.to_lowercase()).collect())
}
