//! The table of passes.

use groundfrog_engine::Tables;

use super::{Found, Pass, PassObserver, ProgramKind, Run, Seen, ground_rules};
use crate::compact::complete_tables::auxiliaries::Auxiliaries;
use crate::compact::complete_tables::decomposition::proposal::{Strategy, Wanted};
use crate::compact::complete_tables::decomposition::{
    complements, counters, differing_tuples, disjunctions, elimination, move_parts, nested_sets,
};
use crate::ground::tables::Flattened;
use crate::options::{PASS_COUNT, PassId, Passes};

/// The passes, in the order in which they run.
pub static PASSES: [Pass; PASS_COUNT] = [
    Pass {
        id: PassId::RigidFluents,
        name: "rigid-fluents",
        summary: "Fluents that no rule ever changes are looked up in the first state",
        source: "Ghallab, Nau and Traverso, Automated Planning, 2004, section 2",
        program: ProgramKind::Rules,
        counts: ("kind", "of fluents that rules never change"),
        run: Run::Rules(super::rigid_fluents),
    },
    Pass {
        id: PassId::StateInvariants,
        name: "state-invariants",
        summary: "Rules about moves and next states are for the steps that a match can make",
        source: "Helmert, Concise Finite-Domain Representations for PDDL Planning Tasks, 2009, section 5",
        program: ProgramKind::Rules,
        counts: ("rule", "for fewer steps"),
        run: Run::Rules(super::state_invariants),
    },
    Pass {
        id: PassId::Diagrams,
        name: "diagrams",
        summary: "Static conditions that are too large for a table become decision diagrams",
        source: "Bryant, Graph-Based Algorithms for Boolean Function Manipulation, 1986",
        program: ProgramKind::Tables,
        counts: ("rule", "with conditions that are too large for a table"),
        run: Run::LargeTable(|table| table.compile_condition(), super::diagrams),
    },
    Pass {
        id: PassId::Demand,
        name: "demand",
        summary: "Predicates with large tables are computed for the arguments that are needed",
        source: "Beeri and Ramakrishnan, On the power of magic, 1991",
        program: ProgramKind::Tables,
        counts: ("predicate", "on demand"),
        run: Run::LargeTable(|table| table.put_on_demand(), super::demand),
    },
    Pass {
        id: PassId::ComparedTuples,
        name: "compared-tuples",
        summary: "Rules that are alike but for one `distinct` each become one that compares tuples",
        source: "",
        program: ProgramKind::CompleteTables,
        counts: ("rule", "with a comparison of tuples"),
        run: Run::CompleteTables(&[Strategy::Together {
            groups: differing_tuples::alike_but_for_differences,
            propose: differing_tuples::put_together,
        }]),
    },
    Pass {
        id: PassId::Complements,
        name: "complements",
        summary: "The few moves that a rule is not for take the place of the many that it is for",
        source: "",
        program: ProgramKind::CompleteTables,
        counts: ("predicate", "for parts of rules about moves"),
        run: Run::CompleteTables(&[Strategy::Together {
            groups: complements::same_but_for_moves,
            propose: complements::complement,
        }]),
    },
    Pass {
        id: PassId::MoveParts,
        name: "move-parts",
        summary: "The parts of a move are looked up where they are needed",
        source: "",
        program: ProgramKind::CompleteTables,
        counts: ("rule", "with the parts of a move"),
        run: Run::CompleteTables(&[Strategy::Single {
            propose: move_parts::move_parts,
            of_auxiliaries: false,
        }]),
    },
    Pass {
        id: PassId::Decomposition,
        name: "decomposition",
        summary: "Existential variables are projected away and wide rules are split",
        source: "Bichler, Morak and Woltran, lpopt: A Rule Optimization Tool for Answer Set Programming, 2016",
        program: ProgramKind::CompleteTables,
        counts: ("step", "by which rules are split"),
        run: Run::CompleteTables(&[
            Strategy::Together {
                groups: disjunctions::alike_but_for_a_literal,
                propose: disjunctions::disjunction,
            },
            Strategy::Single { propose: counters::counted, of_auxiliaries: true },
            Strategy::Single { propose: differing_tuples::alternatives, of_auxiliaries: false },
            Strategy::Part(elimination::best_part),
        ]),
    },
    Pass {
        id: PassId::NestedSets,
        name: "nested-sets",
        summary: "Conditions whose sets of values contain each other, as those of an order, are chained",
        source: "",
        program: ProgramKind::CompleteTables,
        counts: ("part", "split off that compare by an order or the like"),
        run: Run::CompleteTables(&[Strategy::Part(nested_sets::best_nested)]),
    },
    Pass {
        id: PassId::Relevance,
        name: "relevance",
        summary: "Only rules that the game depends on are kept; again after passes that may leave others",
        source: "",
        program: ProgramKind::GroundRules,
        counts: ("", ""),
        run: Run::Again,
    },
    Pass {
        id: PassId::RigidAtoms,
        name: "rigid-atoms",
        summary: "Fluents that hold in every reachable state, or in none, are taken out of all rules",
        source: "Ghallab, Nau and Traverso, Automated Planning, 2004, section 2",
        program: ProgramKind::GroundRules,
        counts: ("", ""),
        run: Run::GroundRules(ground_rules::rigid_atoms),
    },
    Pass {
        id: PassId::Moves,
        name: "moves",
        summary: "Rules that differ in one move of a role are merged",
        source: "",
        program: ProgramKind::GroundRules,
        counts: ("", ""),
        run: Run::GroundRules(ground_rules::moves),
    },
    Pass {
        id: PassId::EqualViews,
        name: "equal-views",
        summary: "Views that have the same rules become one",
        source: "Gebser, Kaufmann, Neumann and Schaub, Advanced Preprocessing for Answer Set Solving, 2008",
        program: ProgramKind::GroundRules,
        counts: ("", ""),
        run: Run::InTurns(ground_rules::equal_views),
    },
    Pass {
        id: PassId::Inline,
        name: "inline",
        summary: "Atoms that stand for one literal, or are used once, are replaced by their rule",
        source: "",
        program: ProgramKind::GroundRules,
        counts: ("", ""),
        run: Run::InTurns(ground_rules::inline),
    },
    Pass {
        id: PassId::Subsumption,
        name: "subsumption",
        summary: "Rules, and literals of rules, that say nothing new are removed",
        source: "",
        program: ProgramKind::GroundRules,
        counts: ("", ""),
        run: Run::InTurns(ground_rules::subsumption),
    },
    Pass {
        id: PassId::Factoring,
        name: "factoring",
        summary: "Rules share an atom for what they have in common",
        source: "Brayton and McMullen, The Decomposition and Factorization of Boolean Expressions, 1982",
        program: ProgramKind::GroundRules,
        counts: ("", ""),
        run: Run::GroundRules(ground_rules::factoring),
    },
];

/// The strategies of those passes that are wanted.
pub(crate) fn wanted(passes: Passes) -> Vec<Wanted> {
    let wanted = PASSES.iter().filter(|pass| passes.contains(pass.id));
    let of_pass = |pass: &'static Pass| match pass.run {
        Run::CompleteTables(strategies) => strategies.iter().map(|it| (pass.id, it)).collect(),
        _ => Vec::new(),
    };
    wanted.flat_map(of_pass).collect()
}

/// Tells by which steps rules were split, and which predicates were made for them.
pub(in crate::ground) fn tell_steps(
    flattened: &Flattened,
    passes: Passes,
    made: &Auxiliaries,
    tables: &Tables,
    observer: &mut dyn PassObserver,
) {
    let of_tables = |pass: &&Pass| pass.program == ProgramKind::CompleteTables;
    let last = PASSES.iter().rfind(of_tables).map(|pass| pass.id);
    for pass in PASSES.iter().filter(of_tables) {
        if !passes.contains(pass.id) {
            observer.left_out(pass);
            continue;
        }
        let own = made.splits.iter().filter(|split| split.pass == pass.id).cloned();
        let made = (Some(pass.id) == last).then(|| Box::new(made.clone()));
        let seen = Seen::Tables(flattened, tables);
        observer.after(pass.name, Some(pass), &Found::Steps(own.collect(), made), seen);
    }
}
