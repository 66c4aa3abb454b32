//! Options with a few fixed values, and what they are called in the library.

use clap::ValueEnum;
use groundfrog::compact::Passes;
use groundfrog::emit::Format;
use groundfrog::explain::Step;
use groundfrog::options::{Domains, Engine};

/// What `ground` writes.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum FormatChoice {
    /// A variable-free game description that any GDL player can read.
    #[default]
    Kif,
    /// One sorted rule a line, for comparing grounders.
    Canonical,
    /// A logic program for clingo.
    Asp,
    /// The same in the intermediate format between grounder and solver.
    Aspif,
    /// For programs in any language: a documented, versioned schema.
    Json,
    /// Counts.
    Summary,
}

impl From<FormatChoice> for Format {
    fn from(choice: FormatChoice) -> Self {
        match choice {
            FormatChoice::Kif => Format::Kif,
            FormatChoice::Canonical => Format::Canonical,
            FormatChoice::Asp => Format::Asp,
            FormatChoice::Aspif => Format::Aspif,
            FormatChoice::Json => Format::Json,
            FormatChoice::Summary => Format::Summary,
        }
    }
}

/// What `export` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportChoice {
    /// An answer set program whose grounding, by gringo for instance, is the flat game.
    AspProgram,
    /// A tabled Prolog program for SWI-Prolog that computes base, input and the flat rules when it is run.
    Prolog,
}

/// How a propositional network is written.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum NetChoice {
    /// For Graphviz.
    #[default]
    Dot,
    /// For programs in any language: a documented, versioned schema.
    Json,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportChoice {
    /// For people.
    #[default]
    Text,
    /// One line of JSON.
    Json,
}

/// What plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReasonerChoice {
    /// The ground rules, one match at a time.
    #[default]
    Ground,
    /// The ground rules, many matches at once.
    BitParallel,
    /// The rules with variables.
    Interpreted,
}

/// How base and input are computed.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum DomainsChoice {
    /// In the one fixpoint that computes everything.
    #[default]
    OneStep,
    /// Round by round, seeded by a fake match (Vittaut and Méhat, section 4.1).
    Iterative,
    /// As the description gives them.
    Given,
}

impl From<DomainsChoice> for Domains {
    fn from(choice: DomainsChoice) -> Self {
        match choice {
            DomainsChoice::OneStep => Domains::OneStep,
            DomainsChoice::Iterative => Domains::Iterative,
            DomainsChoice::Given => Domains::Given,
        }
    }
}

/// Which evaluator does the work.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum EngineChoice {
    /// Semi-naive rounds on datafrog, planned joins.
    #[default]
    Datafrog,
    /// The textbook evaluator: slow and simple.
    Naive,
    /// Both; the first difference is an error.
    Compare,
}

impl From<EngineChoice> for Engine {
    fn from(choice: EngineChoice) -> Self {
        match choice {
            EngineChoice::Datafrog => Engine::Datafrog,
            EngineChoice::Naive => Engine::Naive,
            EngineChoice::Compare => Engine::Compare,
        }
    }
}

/// A step of the method.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum StepChoice {
    /// Or-elimination: every `or` has become several rules.
    Or,
    /// Which predicates are static, dynamic and needed.
    Statics,
    /// g(R), what is joined: no negated dynamic literals, `base` for `true`, `input` for `does`.
    G,
    /// g(R) with s(R), what is stored, as `(store ...)`.
    S,
    /// Rules and facts specialised to sentence forms: function terms are compiled away.
    Forms,
    /// The program whose fixpoint gives base and input, and what it finds.
    Domains,
    /// The join plan of each rule in the store pass.
    Plan,
    /// What each pass does that makes the game compact, and how much smaller it gets.
    Passes,
}

impl StepChoice {
    /// What it is called on the command line, and what it is.
    pub(crate) fn words(self) -> (String, String) {
        let value = self.to_possible_value().expect("no step is hidden");
        (value.get_name().to_owned(), value.get_help().map(ToString::to_string).unwrap_or_default())
    }
}

impl From<StepChoice> for Step {
    fn from(choice: StepChoice) -> Self {
        match choice {
            StepChoice::Or => Step::OrElimination,
            StepChoice::Statics => Step::Statics,
            StepChoice::G => Step::Joined,
            StepChoice::S => Step::Stored,
            StepChoice::Forms => Step::Forms,
            StepChoice::Domains => Step::Domains,
            StepChoice::Plan => Step::Plan,
            StepChoice::Passes => Step::Passes,
        }
    }
}

/// A pass that makes the game compact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PassChoice {
    /// Predicates that say that two tuples differ as `distinct` on tuples.
    Differences,
    /// What never changes is not asked of a state.
    RigidFluents,
    /// Rules are for the steps that a match can make.
    Reachability,
    /// Searches without the list of what they have visited.
    Visited,
    /// Arguments of views that do not matter are removed.
    RedundantArguments,
    /// Transitive closures by linear instead of quadratic recursion.
    LinearRecursion,
    /// Static conditions that are too large for a table as decision diagrams.
    Diagrams,
    /// Views that only name a conjunction are unfolded (with demand).
    Unfolding,
    /// The few moves that a rule is not for instead of the many that it is for.
    Complements,
    /// Projection of existential variables and splitting of wide rules.
    #[value(alias = "projection")]
    Decomposition,
    /// What values that contain others are asked for is passed on. Part of `decomposition`.
    NestedSets,
    /// The parts of a move are asked for where they are needed. Part of `decomposition`.
    MoveParts,
    /// Predicates only for the arguments that are asked for: few constants, parts of their ranges, or
    /// those of large tables.
    Demand,
    /// Only atoms that the game asks for.
    Reach,
    /// Rules that differ in one move of a role are merged.
    Moves,
    /// Atoms that only stand for others are replaced, and views that stand for one literal.
    Inline,
    /// Views that have the same rules are one.
    EqualViews,
    /// Rules, and literals of rules, that say nothing new are removed.
    Subsumption,
    /// Ground rules share an atom for what they have in common.
    Factoring,
}

impl PassChoice {
    /// Switches the pass off.
    pub(crate) fn remove_from(self, passes: &mut Passes) {
        let pass = match self {
            PassChoice::Differences => &mut passes.differences,
            PassChoice::RigidFluents => &mut passes.rigid_fluents,
            PassChoice::Reachability => &mut passes.reachability,
            PassChoice::Visited => &mut passes.visited,
            PassChoice::RedundantArguments => &mut passes.redundant_arguments,
            PassChoice::LinearRecursion => &mut passes.linear_recursion,
            PassChoice::Diagrams => &mut passes.diagrams,
            PassChoice::Unfolding => &mut passes.unfolding,
            PassChoice::Complements => &mut passes.complements,
            PassChoice::Decomposition => &mut passes.decomposition,
            PassChoice::NestedSets => &mut passes.nested_sets,
            PassChoice::MoveParts => &mut passes.move_parts,
            PassChoice::Demand => &mut passes.demand,
            PassChoice::Reach => &mut passes.reach,
            PassChoice::Moves => &mut passes.moves,
            PassChoice::Inline => &mut passes.inline,
            PassChoice::EqualViews => &mut passes.equal_views,
            PassChoice::Subsumption => &mut passes.subsumption,
            PassChoice::Factoring => &mut passes.factoring,
        };
        *pass = false;
    }
}
