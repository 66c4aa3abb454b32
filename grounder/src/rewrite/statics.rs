//! Static and dynamic predicates.
//!
//! A predicate is dynamic if it depends, through any literal, on `true` or `does`; the predicates with a
//! meaning in play (`true does legal next goal terminal sees`) always are. All others are static: the
//! same in every state, computed once, and pruned from what is stored.

use ascent::ascent;
use fxhash::{FxHashMap, FxHashSet};

use crate::description::{Keywords, Predicate};
use crate::rules::Rules;

ascent! {
    struct Reach;
    /// The first predicate has a rule with the second in its body.
    relation depends(u32, u32);
    relation is_root(u32);
    relation needed(u32);
    needed(p) <-- is_root(p);
    needed(q) <-- needed(p), depends(p, q);
    relation changes(u32);
    relation dynamic(u32);
    dynamic(p) <-- changes(p);
    dynamic(p) <-- depends(p, q), dynamic(q);
    /// Something that is ground depends on it.
    relation used(u32);
    used(p) <-- needed(p);
    used(p) <-- dynamic(p);
    used(q) <-- used(p), depends(p, q);
}

/// What the rules say about their predicates.
#[derive(Clone, Debug, Default)]
pub struct Statics {
    dynamic: FxHashSet<Predicate>,
    needed: FxHashSet<Predicate>,
    used: FxHashSet<Predicate>,
}

impl Statics {
    /// Whether a predicate can change from state to state.
    pub fn is_dynamic(&self, predicate: Predicate) -> bool {
        self.dynamic.contains(&predicate)
    }

    /// Notes whether a predicate that a pass has made can change from state to state.
    pub(crate) fn set_dynamic(&mut self, predicate: Predicate, is_dynamic: bool) {
        if is_dynamic {
            self.dynamic.insert(predicate);
        } else {
            self.dynamic.remove(&predicate);
        }
    }

    /// Whether the game depends on a predicate: one of `role init legal next goal terminal sees base
    /// input` needs it.
    pub fn is_needed(&self, predicate: Predicate) -> bool {
        self.needed.contains(&predicate)
    }

    /// Whether the flat program depends on a predicate: it is needed, dynamic, or one of these needs it.
    pub fn is_used(&self, predicate: Predicate) -> bool {
        self.used.contains(&predicate)
    }
}

/// The predicates that are dynamic in any description.
pub fn always_dynamic(keywords: &Keywords) -> [Predicate; 7] {
    let predicate = |name, arity| Predicate { name, arity };
    [
        predicate(keywords.true_, 1),
        predicate(keywords.does, 2),
        predicate(keywords.legal, 2),
        predicate(keywords.next, 1),
        predicate(keywords.goal, 2),
        predicate(keywords.terminal, 0),
        predicate(keywords.sees, 2),
    ]
}

/// Tells dynamic from static and needed from useless predicates.
pub fn analyse(rules: &Rules) -> Statics {
    analyse_with(rules, &[])
}

/// The same where more predicates are needed than those that have a meaning in play.
pub fn analyse_with(rules: &Rules, needed: &[Predicate]) -> Statics {
    let mut numbers: FxHashMap<Predicate, u32> = FxHashMap::default();
    let mut predicates = Vec::new();
    let mut number = |predicate: Predicate| {
        *numbers.entry(predicate).or_insert_with(|| {
            predicates.push(predicate);
            predicates.len() as u32 - 1
        })
    };
    let mut reach = Reach::default();
    let mut seen = FxHashSet::default();
    for rule in &rules.rules {
        let head = number(rule.head.predicate());
        for atom in rule.body.iter().filter_map(|literal| literal.atom()) {
            let edge = (head, number(atom.predicate()));
            if seen.insert(edge) {
                reach.depends.push(edge);
            }
        }
    }
    let keywords = &rules.keywords;
    reach.changes = always_dynamic(keywords).into_iter().map(|it| (number(it),)).collect();
    let roots = [(keywords.role, 1), (keywords.init, 1), (keywords.base, 1), (keywords.input, 2)];
    let roots = roots.map(|(name, arity)| Predicate { name, arity });
    reach.is_root =
        always_dynamic(keywords).into_iter().chain(roots).map(|it| (number(it),)).collect();
    reach.is_root.extend(needed.iter().map(|&it| (number(it),)));
    reach.run();
    let named = |numbers: &[(u32,)]| numbers.iter().map(|&(it,)| predicates[it as usize]).collect();
    Statics {
        dynamic: named(&reach.dynamic),
        needed: named(&reach.needed),
        used: named(&reach.used),
    }
}
