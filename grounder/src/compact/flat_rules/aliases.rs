//! Views that only stand for one literal: it takes their place in the rules that use them.
//!
//! ```text
//! (<= (piece ?x ?y ?p) (true (cell ?x ?y ?p)))
//! ```
//!
//! Inlining does this to ground rules. Done before there are any, a frame rule that uses `piece` is known for what it
//! is, so that nothing is joined for it to find what can be true, and other passes see what is demanded.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Exceeded};

use crate::flat::{FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind};
use crate::ticker::Ticker;

/// What views stand for: the head and the atom of the only rule of each.
type Aliases = FxHashMap<FormId, (FlatAtom, FlatAtom)>;

/// Replaces the views that only stand for one literal, and drops their rules. Returns them.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn replace_aliases(
    flat: &mut FlatProgram,
    forms: &Forms,
    is_root: impl Fn(FormId) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<FormId>, Exceeded> {
    let mut aliases = aliases(flat, forms, is_root);
    resolve(&mut aliases, ticker)?;
    if aliases.is_empty() {
        return Ok(Vec::new());
    }
    for rule in &mut flat.rules {
        if !ticker.ticks(1 + rule.body.len() as u32) {
            break;
        }
        replace(rule, &aliases);
    }
    ticker.finish()?;
    flat.rules.retain(|rule| !aliases.contains_key(&rule.head.form));
    let mut replaced: Vec<FormId> = aliases.into_keys().collect();
    replaced.sort_unstable();
    Ok(replaced)
}

fn aliases(flat: &FlatProgram, forms: &Forms, is_root: impl Fn(FormId) -> bool) -> Aliases {
    let is_alias = |it: &&FlatRule| stands_for(it).is_some() && !is_root(it.head.form);
    let found = flat.rules.iter().filter(is_alias);
    let mut aliases: Aliases = found
        .filter_map(|it| Some((it.head.form, (it.head.clone(), stands_for(it)?.clone()))))
        .collect();
    if aliases.is_empty() {
        return aliases;
    }
    let mut seen: FxHashSet<FormId> = flat.facts(forms).map(|it| it.0).collect();
    for rule in &flat.rules {
        if !seen.insert(rule.head.form) {
            aliases.remove(&rule.head.form);
        }
    }
    aliases
}

/// Lets each alias stand for what is at the end of the chain that begins with it. Views that stand for each other stand for
/// nothing, nor does what leads to them. Each alias is looked at once.
fn resolve(aliases: &mut Aliases, ticker: &mut Ticker<'_>) -> Result<(), Exceeded> {
    let mut all: Vec<FormId> = aliases.keys().copied().collect();
    all.sort_unstable();
    // Whether the chain from an alias has an end; not yet known of those on the path.
    let mut has_end: FxHashMap<FormId, Option<bool>> = FxHashMap::default();
    let mut path: Vec<FormId> = Vec::new();
    for alias in all {
        let mut next = alias;
        while let Some((_, atom)) = aliases.get(&next)
            && !has_end.contains_key(&next)
            && ticker.tick()
        {
            has_end.insert(next, None);
            path.push(next);
            next = atom.form;
        }
        let ends = match has_end.get(&next) {
            Some(known) => *known == Some(true),
            None => true,
        };
        // From the end of the chain to its beginning: what an alias stands for has been resolved.
        while let Some(alias) = path.pop() {
            has_end.insert(alias, Some(ends));
            let resolved = match &aliases[&alias].1 {
                atom if ends => stands_for_instead(atom, aliases),
                _ => None,
            };
            if let (Some(resolved), Some((_, atom))) = (resolved, aliases.get_mut(&alias)) {
                *atom = resolved;
            }
        }
    }
    ticker.finish()?;
    aliases.retain(|alias, _| has_end[alias] == Some(true));
    Ok(())
}

/// What an atom stands for, if it is one of an alias.
fn stands_for_instead(atom: &FlatAtom, aliases: &Aliases) -> Option<FlatAtom> {
    let (head, stands_for) = aliases.get(&atom.form)?;
    let value = |it: &Argument| {
        let place = head.arguments.iter().position(|other| other == it);
        place.map_or(*it, |place| atom.arguments[place])
    };
    let arguments = stands_for.arguments.iter().map(value).collect();
    Some(FlatAtom { arguments, ..stands_for.clone() })
}

/// The atom that a rule's head has the same variables as, each once, if that is all that the rule uses.
fn stands_for(rule: &FlatRule) -> Option<&FlatAtom> {
    let [FlatLiteral { kind: LiteralKind::Positive(atom), joined: true, stored: true }] =
        rule.body.as_slice()
    else {
        return None;
    };
    let head = &rule.head.arguments;
    let is_new = |at: usize| head[at].variable().is_some() && !head[..at].contains(&head[at]);
    let is_said = |it: &Argument| it.variable().is_none() || head.contains(it);
    let all_asked = head.iter().all(|it| atom.arguments.contains(it));
    let is_alias = rule.stored && (0..head.len()).all(is_new);
    (is_alias && all_asked && atom.arguments.iter().all(is_said)).then_some(atom)
}

/// Puts what aliases stand for in the place of a rule's literals.
fn replace(rule: &mut FlatRule, aliases: &Aliases) {
    let mut has_changed = false;
    for literal in &mut rule.body {
        let (LiteralKind::Positive(atom) | LiteralKind::Negative(atom)) = &mut literal.kind else {
            continue;
        };
        if let Some(stands_for) = stands_for_instead(atom, aliases) {
            *atom = stands_for;
            has_changed = true;
        }
    }
    if has_changed {
        let literals = std::mem::take(&mut rule.body);
        for literal in literals {
            if !rule.body.contains(&literal) {
                rule.body.push(literal);
            }
        }
    }
}
