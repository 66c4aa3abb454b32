//! A game as a model for the model checkers NuSMV and nuXmv.
//!
//! Each fluent is a boolean variable, each role has a variable with its moves, and each atom that rules define is a `DEFINE`. A role
//! makes a legal move; a terminal state stays as it is. Names are numbers of atoms, with the atoms as comments; `terminal`, and
//! `goal_ROLE_VALUE` by position of the role, can be used in properties.

use std::fmt::Write as _;

use super::in_order;
use crate::game::{AtomId, AtomKind, GroundGame, RoleId, RulesByHead};

/// An atom depends on itself, so that it cannot be written as a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an atom depends on itself, as connections of stones do, and definitions of SMV must not")]
pub struct Recursive;

/// The model as text.
///
/// # Errors
/// Rules that are recursive.
pub fn text(game: &GroundGame) -> Result<String, Recursive> {
    let order = in_order(game).ok_or(Recursive)?;
    let by_head = RulesByHead::new(game);
    let mut out = String::from("MODULE main\nVAR\n");
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    for fluent in game.fluents() {
        line(format!("  a{} : boolean; -- {}", fluent.0, game.display(fluent)));
    }
    for (role, name) in game.role_names().enumerate() {
        let mut moves: Vec<String> =
            game.moves_of(RoleId(role as u32)).map(|made| format!("m{}", made.does.0)).collect();
        if moves.is_empty() {
            moves.push("none".to_owned());
        }
        line(format!("  move_{role} : {{{}}}; -- {name}", moves.join(", ")));
    }
    line("DEFINE".to_owned());
    for made in game.moves() {
        let (role, does) = (made.role.0, made.does);
        line(format!("  a{0} := move_{role} = m{0}; -- {1}", does.0, game.display(does)));
    }
    for &head in &order {
        let head = AtomId(head);
        let body = |&rule: &u32| conjunction(game, rule);
        let bodies: Vec<String> = by_head.rules(head).iter().map(body).collect();
        line(format!("  a{} := {}; -- {}", head.0, bodies.join(" | "), game.display(head)));
    }
    // Atoms without rules never hold.
    for atom in (0..game.atom_count() as u32).map(AtomId) {
        let is_defined = matches!(game.kind(atom), AtomKind::True | AtomKind::Does);
        if !is_defined && !by_head.has_rules(atom) {
            line(format!("  a{} := FALSE; -- {}", atom.0, game.display(atom)));
        }
    }
    let terminal = game.terminal().map_or("FALSE".to_owned(), |it| format!("a{}", it.0));
    line(format!("  terminal := {terminal};"));
    for goal in game.goals() {
        if let Some(value) = goal.value {
            line(format!("  goal_{}_{value} := a{};", goal.role.0, goal.atom.0));
        }
    }
    line("ASSIGN".to_owned());
    for fluent in game.fluents() {
        let holds = game.init().binary_search(&fluent).is_ok();
        let (number, start) = (fluent.0, if holds { "TRUE" } else { "FALSE" });
        let next = game.next(fluent).map_or("FALSE".to_owned(), |it| format!("a{}", it.0));
        line(format!("  init(a{number}) := {start};"));
        line(format!("  next(a{number}) := case terminal : a{number}; TRUE : {next}; esac;"));
    }
    for made in game.moves() {
        let legal = made.legal.map_or("FALSE".to_owned(), |it| format!("a{}", it.0));
        line(format!("INVAR terminal | (a{} -> {legal});", made.does.0));
    }
    Ok(out)
}

fn conjunction(game: &GroundGame, rule: u32) -> String {
    let body = game.rules().rule(rule as usize).body;
    if body.is_empty() {
        return "TRUE".to_owned();
    }
    let mut text = String::from("(");
    for (position, literal) in body.iter().enumerate() {
        let and = if position == 0 { "" } else { " & " };
        let not = if literal.is_negated() { "!" } else { "" };
        let _ = write!(text, "{and}{not}a{}", literal.atom());
    }
    text.push(')');
    text
}
