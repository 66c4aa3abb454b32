//! What is stated of a game is decided the same in all its forms, and as going through all states says.

use std::collections::BTreeSet;
use std::time::Duration;

use groundfrog::{GroundOptions, RoleId};
use groundfrog_knowledge::{AnalysisOptions, Property, Statement, Verdict, analyse};
use groundfrog_reasoner::{
    FluentId, GroundReasoner, MoveId, Random, Reasoner, State, Vocabulary as _,
};
use groundfrog_testing::grounded;

/// Far more than any of these games takes.
const TIME: Duration = Duration::from_secs(120);

fn reasoner(rules: &str, is_flat: bool) -> GroundReasoner {
    let options = if is_flat { GroundOptions::flat() } else { GroundOptions::compact() };
    groundfrog_testing::reasoner(&grounded(rules, &options))
}

/// The findings on a game and on what is stated of it.
fn findings(rules: &mut GroundReasoner, statements: &[Statement]) -> Vec<(Property, Verdict)> {
    let statements = statements.to_vec();
    let options = AnalysisOptions { time: TIME, statements, ..AnalysisOptions::default() };
    let found = analyse(rules, &options).expect("rules that can be evaluated");
    found.findings.into_iter().map(|it| (it.property, it.verdict)).collect()
}

/// Whether a statement is proved, which must be decided.
fn is_proved(rules: &str, text: &str) -> bool {
    let mut rules = reasoner(rules, true);
    let statements =
        Statement::parse(text, rules.game()).unwrap_or_else(|it| panic!("{text}: {it}"));
    verdict_of(&findings(&mut rules, &statements), &statements[0].text)
}

fn verdict_of(found: &[(Property, Verdict)], text: &str) -> bool {
    let property = Property::Stated { text: text.to_owned() };
    let verdict = &found.iter().find(|it| it.0 == property).expect("it was asked").1;
    assert!(!matches!(verdict, Verdict::Unknown { .. }), "{text} is not decided");
    *verdict == Verdict::Proved
}

const STEP: &str = "(role a) (init (p 1)) (init (q 1)) (<= (next (p 2)) (true (p 1))) (legal a go)
    (<= terminal (true (p 2))) (goal a 1)";

#[test]
fn what_is_stated_with_next_is_asked_of_joint_moves_alone() {
    let forms = [
        "(always (and (next (p 2)) (true (p 1))))",
        "(always (and (true (p 1)) (next (p 2))))",
        "(always (not (or (not (next (p 2))) (not (true (p 1))))))",
        "(always (not (not (and (next (p 2)) (and (true (p 1)))))))",
        "(always (all (true (p ?x)) (or (distinct ?x 1) (and (true (p ?x)) (next (p 2))))))",
        "(always (and (exactly 1 (next (p ?x))) (true (p 1))))",
        "(always (<=> (next (p 2)) (true (p 1))))",
        "(always (and (does a go) (not terminal)))",
        // Nothing makes it hold next: it is asked of joint moves all the same.
        "(always (and (not (next (q 1))) (true (q 1))))",
        "(always (and (at-most 0 (next (q ?x))) (true (q 1))))",
    ];
    for form in forms {
        assert!(is_proved(STEP, form), "{form}");
    }
    for form in [
        "(always (true (p 1)))",
        "(always (not terminal))",
        "(always (and (next (p 1)) (true (p 1))))",
        "(always (all (next (p ?x)) (true (p 1))))",
    ] {
        assert!(!is_proved(STEP, form), "{form}");
    }
    let rules = reasoner(STEP, true);
    for text in ["(initially (next (q 1)))", "(initially (or (true (p 1)) (does a go)))"] {
        assert!(Statement::parse(text, rules.game()).is_err(), "{text}");
    }
}

#[test]
fn moves_at_the_end_and_goals_before_it_are_what_the_rules_say() {
    assert!(is_proved(STEP, "(always (legal a go))"));
    assert!(!is_proved(STEP, "(always (=> terminal (not (legal a go))))"));
    assert!(is_proved(STEP, "(always (goal a 1))"));
}

/// The verdict on the sum of goals, and that sum.
fn constant_sum(rules: &str) -> Option<(i128, bool)> {
    let found = findings(&mut reasoner(rules, false), &[]);
    found.into_iter().find_map(|it| match it {
        (Property::ConstantSum { sum }, verdict) => Some((sum, verdict == Verdict::Proved)),
        _ => None,
    })
}

/// Two ends, and what the roles have there.
fn two_ends(goals: &str) -> String {
    format!(
        "(role a) (role b) (init s) (legal a l) (legal a r) (legal b w) (<= (next (d ?m)) (does a ?m))
         (<= left (true (d l))) (<= right (true (d r))) (<= terminal (true (d ?m))) {goals}"
    )
}

#[test]
fn a_constant_sum_is_that_of_the_ends_where_each_role_has_one_goal() {
    let several = "(<= (goal a 40) left) (<= (goal b 60) terminal) (<= (goal a 40) right) (<= (goal a 90) right)";
    assert_eq!(constant_sum(&two_ends(several)), Some((100, true)));
    let none = "(<= (goal a 40) left) (<= (goal b 60) terminal)";
    assert_eq!(constant_sum(&two_ends(none)), Some((100, true)));
    let other = "(<= (goal a 40) left) (<= (goal b 60) terminal) (<= (goal a 50) right)";
    assert!(constant_sum(&two_ends(other)).is_some_and(|it| !it.1));
}

#[test]
fn goals_are_numbers_however_they_are_written() {
    let rules = two_ends(
        "(<= (goal a 0100) left) (<= (goal a 100) (true (d ?m))) (<= (goal b 00) left) (<= (goal b 0) right)",
    );
    assert_eq!(constant_sum(&rules), Some((100, true)));
    let found = findings(&mut reasoner(&rules, false), &[]);
    assert!(found.contains(&(Property::OneGoal, Verdict::Proved)), "{found:?}");
    for form in [
        "(always (=> terminal (goal a 100)))",
        "(always (=> terminal (goal a 0100)))",
        "(always (=> terminal (goal a 00100)))",
        "(always (=> terminal (exactly 1 (goal a ?v))))",
        "(always (=> terminal (exactly 2 (goal ?r ?v))))",
        "(always (all (goal b ?v) (=> (goal b ?v) (not (distinct ?v 0)))))",
        "(always (=> terminal (some (goal a ?v) (and (goal a ?v) (goal a 0100)))))",
    ] {
        assert!(is_proved(&rules, form), "{form}");
    }
}

#[test]
fn large_sums_do_not_wrap() {
    let goals = |left: [i64; 2], right: [i64; 2]| {
        let of = |end: &str, [a, b]: [i64; 2]| {
            format!("(<= (goal a {a}) {end}) (<= (goal b {b}) {end})")
        };
        two_ends(&(of("left", left) + &of("right", right)))
    };
    let most = i64::MAX;
    assert_eq!(
        constant_sum(&goals([most, most], [most, most])),
        Some((2 * i128::from(most), true))
    );
    // Wrapped, both are -2; saturated, both are the greatest.
    for (left, right) in
        [([most, most], [-1, -1]), ([most, 1], [most, 2]), ([i64::MIN, -1], [i64::MIN, -2])]
    {
        assert!(constant_sum(&goals(left, right)).is_some_and(|it| !it.1), "{left:?} {right:?}");
    }
}

/// Fluents `(p 0)` to `(p 3)`, moves `m0` and `m1`.
const FLUENTS: u32 = 4;
const MOVES: u32 = 2;
const ROLES: [&str; 2] = ["a", "b"];
const VALUES: [&str; 4] = ["0", "100", "0100", "40"];

fn literals(random: &mut Random, with_moves: bool) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(2) {
        let fluent = random.below(FLUENTS);
        let atom = match with_moves && random.below(2) == 0 {
            true => format!("(does {} m{})", ROLES[random.below(2) as usize], random.below(MOVES)),
            false => format!("(true (p {fluent}))"),
        };
        match random.below(3) {
            0 => text += &format!(" (not {atom})"),
            _ => text += &format!(" {atom}"),
        }
    }
    text
}

/// A game with few states: some roles are stuck in some, some have several goals, or none, and some fluents never come back.
fn game(random: &mut Random) -> String {
    let mut text = "(role a) (role b) (init (p 0)) (init (p 3))".to_owned();
    for _ in 0..5 {
        text += &format!("(<= (next (p {})){})", random.below(FLUENTS - 1), literals(random, true));
    }
    for role in ROLES {
        text += &format!("(<= (legal {role} m0) {})", literals(random, false));
        text += &format!("(<= (legal {role} m1) {})", literals(random, false));
        text += &format!("(<= (legal {role} m0) (not (true (p {}))))", random.below(FLUENTS));
        for _ in 0..3 {
            let value = VALUES[random.below(4) as usize];
            text += &format!("(<= (goal {role} {value}) {})", literals(random, false));
        }
    }
    text + &format!("(<= terminal {})", literals(random, false))
}

#[derive(Clone, Debug)]
enum Formula {
    /// A predicate, and what its last argument is: a fluent, a move, or a value.
    Atom(&'static str, usize, u32),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    /// So many of what a predicate can stand for, for a role.
    AtMost(u32, &'static str, usize),
}

use Formula::{And, AtMost, Atom, Not, Or};

fn formula(random: &mut Random, depth: u32) -> Formula {
    let role = random.below(2) as usize;
    if depth == 0 || random.below(5) == 0 {
        return match random.below(8) {
            0 | 1 => Atom("true", role, random.below(FLUENTS)),
            2 | 3 => Atom("next", role, random.below(FLUENTS)),
            4 => Atom("does", role, random.below(MOVES)),
            5 => Atom("legal", role, random.below(MOVES)),
            6 => Atom("goal", role, random.below(VALUES.len() as u32)),
            _ => Atom("terminal", 0, 0),
        };
    }
    let parts = |random: &mut Random| (0..2).map(|_| formula(random, depth - 1)).collect();
    match random.below(7) {
        0 => Not(Box::new(formula(random, depth - 1))),
        1..=3 => And(parts(random)),
        4 | 5 => Or(parts(random)),
        _ => {
            let predicate = ["true", "next", "goal", "legal"][random.below(4) as usize];
            AtMost(random.below(2), predicate, role)
        }
    }
}

fn negated(it: Formula) -> Formula {
    Not(Box::new(it))
}

/// Another form that means the same.
fn rewritten(it: &Formula, random: &mut Random) -> Formula {
    let form = match it {
        Not(inner) => negated(rewritten(inner, random)),
        And(parts) | Or(parts) => {
            let mut parts: Vec<Formula> = parts.iter().map(|it| rewritten(it, random)).collect();
            random.shuffle(&mut parts);
            let is_and = matches!(it, And(_));
            match random.below(3) {
                0 if is_and => negated(Or(parts.into_iter().map(negated).collect())),
                0 => negated(And(parts.into_iter().map(negated).collect())),
                1 => {
                    let again = parts[0].clone();
                    let nested = if is_and { And(vec![again]) } else { Or(vec![again]) };
                    parts.push(nested);
                    if is_and { And(parts) } else { Or(parts) }
                }
                _ if is_and => And(parts),
                _ => Or(parts),
            }
        }
        other => other.clone(),
    };
    if random.below(4) == 0 { negated(negated(form)) } else { form }
}

fn text(it: &Formula, random: &mut Random) -> String {
    let mut all = |parts: &[Formula]| -> String {
        parts.iter().map(|it| " ".to_owned() + &text(it, random)).collect()
    };
    match it {
        Atom("terminal", ..) => "terminal".to_owned(),
        Atom(word @ ("true" | "next"), _, fluent) => format!("({word} (p {fluent}))"),
        Atom("goal", role, value) => format!("(goal {} {})", ROLES[*role], VALUES[*value as usize]),
        Atom(word, role, made) => format!("({word} {} m{made})", ROLES[*role]),
        Not(inner) => format!("(not{})", all(std::slice::from_ref(&**inner))),
        And(parts) => format!("(and{})", all(parts)),
        Or(parts) if parts.len() == 2 => match (&parts[0], &parts[1]) {
            (Not(one), other) => {
                let parts = [(**one).clone(), other.clone()];
                format!("(=>{})", all(&parts))
            }
            _ => format!("(or{})", all(parts)),
        },
        Or(parts) => format!("(or{})", all(parts)),
        AtMost(most, word, role) => {
            let pattern = match *word {
                "true" | "next" => format!("({word} (p ?x))"),
                word => format!("({word} {} ?x)", ROLES[*role]),
            };
            match random.below(2) {
                0 => format!("(at-most {most} {pattern})"),
                _ => format!("(not (at-least {} {pattern}))", most + 1),
            }
        }
    }
}

/// What holds in a state, and of a joint move there: fluents and moves by their numbers, goals by their values.
#[derive(Default)]
struct Facts {
    now: BTreeSet<u32>,
    next: BTreeSet<u32>,
    does: [BTreeSet<u32>; 2],
    legal: [BTreeSet<u32>; 2],
    goals: [BTreeSet<i64>; 2],
    is_terminal: bool,
}

fn holds(it: &Formula, facts: &Facts) -> bool {
    match it {
        Atom("true", _, fluent) => facts.now.contains(fluent),
        Atom("next", _, fluent) => facts.next.contains(fluent),
        Atom("does", role, made) => facts.does[*role].contains(made),
        Atom("legal", role, made) => facts.legal[*role].contains(made),
        Atom("goal", role, value) => {
            facts.goals[*role].contains(&VALUES[*value as usize].parse().expect("a number"))
        }
        Atom(..) => facts.is_terminal,
        Not(inner) => !holds(inner, facts),
        And(parts) => parts.iter().all(|it| holds(it, facts)),
        Or(parts) => parts.iter().any(|it| holds(it, facts)),
        AtMost(most, word, role) => {
            let count = match *word {
                "true" => facts.now.len(),
                "next" => facts.next.len(),
                "goal" => facts.goals[*role].len(),
                _ => facts.legal[*role].len(),
            };
            count <= *most as usize
        }
    }
}

fn is_of_step(it: &Formula) -> bool {
    match it {
        Atom(word, ..) | AtMost(_, word, _) => matches!(*word, "next" | "does"),
        Not(inner) => is_of_step(inner),
        And(parts) | Or(parts) => parts.iter().any(is_of_step),
    }
}

/// All that can be asked: of each state that can be reached, and of each joint move there.
fn all_facts(rules: &mut GroundReasoner) -> (Vec<Facts>, Vec<Facts>) {
    let number = |text: &str| -> u32 {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits.parse().expect("a number")
    };
    let fluents = |rules: &GroundReasoner, state: &State| -> BTreeSet<u32> {
        let held: Vec<FluentId> = state.fluents().collect();
        held.into_iter().map(|it| number(&rules.fluent_text(it))).collect()
    };
    let (mut of_states, mut of_steps) = (Vec::new(), Vec::new());
    let mut open = vec![rules.initial().clone()];
    let mut seen: BTreeSet<BTreeSet<u32>> = BTreeSet::from([fluents(rules, &open[0])]);
    while let Some(state) = open.pop() {
        let mut legal: [Vec<MoveId>; 2] = Default::default();
        let facts = |rules: &mut GroundReasoner, legal: &mut [Vec<MoveId>; 2]| {
            let mut facts = Facts { now: fluents(rules, &state), ..Facts::default() };
            facts.is_terminal = rules.is_terminal(&state).expect("a state");
            for (role, moves) in legal.iter_mut().enumerate() {
                let (id, mut goals) = (RoleId(role as u32), Vec::new());
                rules.legal_moves(&state, id, moves).expect("a state");
                facts.legal[role] = moves.iter().map(|&it| number(&rules.move_text(it))).collect();
                rules.goal_values(&state, id, &mut goals).expect("a state");
                facts.goals[role] = goals.into_iter().collect();
            }
            facts
        };
        let of_state = facts(rules, &mut legal);
        if !of_state.is_terminal {
            let [ones, others] = [0, 1].map(|role: usize| legal[role].clone());
            for joint in ones.iter().flat_map(|&one| others.iter().map(move |&other| [one, other]))
            {
                let mut next = state.clone();
                rules.advance(&mut next, &joint).expect("legal moves");
                let mut of_step = facts(rules, &mut legal);
                of_step.next = fluents(rules, &next);
                for (does, made) in of_step.does.iter_mut().zip(joint) {
                    does.insert(number(&rules.move_text(made)));
                }
                of_steps.push(of_step);
                if seen.insert(fluents(rules, &next)) {
                    open.push(next);
                }
            }
        }
        of_states.push(of_state);
    }
    (of_states, of_steps)
}

#[test]
fn all_forms_of_a_formula_have_the_answer_of_brute_force() {
    let seed = 20_240_917;
    let mut random = Random::new(seed);
    let mut counts = [[0; 2]; 2];
    for number in 0..40 {
        let game = game(&mut random);
        let mut rules = reasoner(&game, number % 2 == 0);
        let (of_states, of_steps) = all_facts(&mut rules);
        let mut asked: Vec<(Statement, bool)> = Vec::new();
        for _ in 0..12 {
            let formula = formula(&mut random, 3);
            let of_step = is_of_step(&formula);
            let all = if of_step { &of_steps } else { &of_states };
            let expected = all.iter().all(|facts| holds(&formula, facts));
            let forms: Vec<String> = (0..4)
                .map(|form| match form {
                    0 => formula.clone(),
                    _ => rewritten(&formula, &mut random),
                })
                .collect::<Vec<_>>()
                .iter()
                .map(|it| format!("(always {})", text(it, &mut random)))
                .collect();
            let parsed: Vec<_> =
                forms.iter().map(|it| Statement::parse(it, rules.game())).collect();
            // A game may have no atom of a form: then no form of the formula can be asked.
            assert!(parsed.iter().all(|it| it.is_ok() == parsed[0].is_ok()), "{game}: {forms:?}");
            for statement in parsed.into_iter().flatten().flatten() {
                counts[usize::from(of_step)][usize::from(expected)] += 1;
                asked.push((statement, expected));
            }
        }
        let statements: Vec<Statement> = asked.iter().map(|it| it.0.clone()).collect();
        let found = findings(&mut rules, &statements);
        for (statement, expected) in &asked {
            let is_proved = verdict_of(&found, &statement.text);
            assert_eq!(is_proved, *expected, "seed {seed}: {game}: {}", statement.text);
        }
    }
    assert!(counts.iter().flatten().all(|&it| it > 50), "{counts:?}");
}

#[test]
fn faults_of_statements_have_their_place() {
    let rules = super::rules(super::corpus("tictactoe"));
    for (text, place, message) in [
        ("(always (true (square 1 1 mauve)))", 8, "no atom of the ground game looks like this"),
        ("(always (true (square ?x 1 cross)))", 8, "the variable `?x` is not bound"),
        ("(always (nor terminal))", 8, "this is no formula"),
        ("(never terminal)", 0, "`never` begins no statement"),
        (
            "(initially (next (turn cross)))",
            0,
            "`initially` is about a state, and `next` and `does` about a joint move",
        ),
        ("(always (at-most many (true (turn ?r))))", 17, "this is no number from 0 to 1000"),
        ("(always (all terminal", 0, "this parenthesis is never closed: 2 `)` missing"),
    ] {
        let fault = Statement::parse(text, rules.game()).expect_err("it is at fault").0;
        assert_eq!((fault.span().start, fault.message.as_str()), (place, message), "{text}");
    }
}
