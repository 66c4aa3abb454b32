//! The network for Graphviz.

use std::io::{self, Write};

use super::network::{ComponentKind, PropNet};
use groundfrog::game::GroundGame;

/// Writes the network as a DOT digraph: an edge leads from a component to each that reads it.
///
/// # Errors
/// Those of the writer.
pub fn write_dot(net: &PropNet, game: &GroundGame, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph propnet {{")?;
    writeln!(out, "  rankdir=LR;")?;
    for (number, component) in net.components.iter().enumerate() {
        let shape = match component.kind {
            ComponentKind::Base | ComponentKind::Input | ComponentKind::View => "ellipse",
            ComponentKind::And => "invhouse",
            ComponentKind::Or => "invtrapezium",
            ComponentKind::Not => "invtriangle",
            ComponentKind::Transition => "box",
            ComponentKind::True | ComponentKind::False => "plaintext",
        };
        let label = match component.atom {
            Some(atom) => game.display(atom).to_string().replace('\\', "\\\\").replace('"', "\\\""),
            None => component.kind.name().to_uppercase(),
        };
        writeln!(out, "  {number} [shape={shape}, label=\"{label}\"];")?;
    }
    for (number, component) in net.components.iter().enumerate() {
        for input in &component.inputs {
            writeln!(out, "  {input} -> {number};")?;
        }
    }
    writeln!(out, "}}")
}
