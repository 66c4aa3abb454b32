//! Which passes run that make the game compact.

/// Which passes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passes {
    /// Predicates that say that two tuples differ are replaced by `distinct`.
    pub differences: bool,
    /// Fluents that are never changed are not asked for.
    pub rigid_fluents: bool,
    /// Rules about moves and next states ask for what holds of every step that a match can make.
    pub reachability: bool,
    /// Searches do without the list of what they have visited.
    pub visited: bool,
    /// Arguments of views that do not matter, or whose values nobody asks for, are removed.
    pub redundant_arguments: bool,
    /// Transitive closures take one step at a time.
    pub linear_recursion: bool,
    /// Static conditions that are too large for a table become decision diagrams.
    pub diagrams: bool,
    /// Views that only name a conjunction are unfolded if their tables would be large. Needs `demand`, which finds these.
    pub unfolding: bool,
    /// The few moves that a rule is not for take the place of the many that it is for.
    pub complements: bool,
    /// Existential variables are projected away and wide rules are split.
    pub decomposition: bool,
    /// Of static conditions whose sets of values contain each other, as those of an order, each passes on what it
    /// is asked for. Part of `decomposition`.
    pub nested_sets: bool,
    /// Rules ask for the parts of a move that are needed in one place: a role makes exactly one. Part of
    /// `decomposition`.
    pub move_parts: bool,
    /// Predicates are computed only for the arguments that are asked for: few constants, parts of what they can be, or
    /// those of large tables.
    pub demand: bool,
    /// Only what the game asks for is kept.
    pub reach: bool,
    /// Rules that differ in one move of a role are merged: it makes exactly one.
    pub moves: bool,
    /// Views that stand for one literal are replaced by it, and of ground rules atoms with one rule that are used once
    /// or stand for one literal.
    pub inline: bool,
    /// Views with the same rules are one.
    pub equal_views: bool,
    /// Rules whose bodies contain the body of another rule with the same head are removed, and literals that others of
    /// their rule imply.
    pub subsumption: bool,
    /// Ground rules that differ in one literal, or in their heads, share an atom for what differs.
    pub factoring: bool,
}

impl Passes {
    /// What the flat program, or its residual, is computed with: passes that do not change what is stored.
    pub const FLAT: Passes = Passes { differences: true, diagrams: true, ..Passes::NONE };
    /// No pass: the flat program, or its residual.
    pub const NONE: Passes = Passes {
        differences: false,
        rigid_fluents: false,
        reachability: false,
        visited: false,
        redundant_arguments: false,
        linear_recursion: false,
        diagrams: false,
        unfolding: false,
        complements: false,
        decomposition: false,
        nested_sets: false,
        move_parts: false,
        demand: false,
        reach: false,
        moves: false,
        inline: false,
        equal_views: false,
        subsumption: false,
        factoring: false,
    };
    /// All passes.
    pub const ALL: Passes = Passes {
        differences: true,
        rigid_fluents: true,
        reachability: true,
        visited: true,
        redundant_arguments: true,
        linear_recursion: true,
        diagrams: true,
        unfolding: true,
        complements: true,
        decomposition: true,
        nested_sets: true,
        move_parts: true,
        demand: true,
        reach: true,
        moves: true,
        inline: true,
        equal_views: true,
        subsumption: true,
        factoring: true,
    };

    /// Whether a pass that makes other rules of the description's rules is among them.
    pub fn rewrite_rules(&self) -> bool {
        self.rigid_fluents
            || self.reachability
            || self.visited
            || self.redundant_arguments
            || self.linear_recursion
            || self.demand
            || self.splits_rules()
    }

    /// Whether a pass that makes auxiliary predicates of parts of rules is among them.
    pub fn splits_rules(&self) -> bool {
        self.complements || self.decomposition
    }

    /// Whether a pass over ground rules is among them.
    pub fn are_on_ground_rules(&self) -> bool {
        self.rigid_fluents
            || self.reachability
            || self.reach
            || self.moves
            || self.inline
            || self.equal_views
            || self.subsumption
            || self.factoring
    }
}
