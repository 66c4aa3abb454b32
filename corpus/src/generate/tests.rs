use super::{Family, GenerateError, Parameters, check_text, families, family, random_game};

/// The parameters at the least value each, as far as they go together.
fn smallest(family: &Family) -> Parameters {
    family.parameters().iter().fold(Parameters::new(), |given, p| given.with(p.name, p.min))
}

#[test]
fn defaults_and_smallest_sizes_are_well_formed() {
    for family in families() {
        for given in [Parameters::new(), smallest(family)] {
            let text = family.generate(&given).expect("valid parameters");
            check_text(family.name(), &text);
            assert!(text.len() < 100_000, "{}", family.name());
            assert_eq!(Ok(text), family.generate(&given));
        }
    }
}

#[test]
fn the_header_states_the_parameters() {
    let given = Parameters::new().with("width", 12).with("height", 11);
    let breakthrough = family("breakthrough").expect("a family");
    let text = breakthrough.generate(&given).expect("valid parameters");
    assert!(text.contains("; Parameters: width = 12, height = 11.\n"));
    assert!(text.contains("(start black 10)\n(start black 11)\n"));
}

#[test]
fn names_and_parameters_are_in_order() {
    assert!(families().is_sorted_by(|a, b| a.name() < b.name()));
    for family in families() {
        for (index, parameter) in family.parameters().iter().enumerate() {
            assert!((parameter.min..=parameter.max).contains(&parameter.default));
            let rest = &family.parameters()[index + 1..];
            assert!(rest.iter().all(|other| other.name != parameter.name));
        }
    }
}

#[test]
fn values_out_of_range_are_errors() {
    for family in families() {
        for parameter in family.parameters().iter().filter(|p| p.min > 0) {
            let given = Parameters::new().with(parameter.name, parameter.min - 1);
            let error = family.generate(&given).expect_err("a value below the least one");
            assert!(matches!(error, GenerateError::OutOfRange { .. }));
            assert!(error.to_string().contains(parameter.name));
        }
    }
}

#[test]
fn unknown_names_and_conflicts_are_errors() {
    let connect_four = family("connect_four").expect("a family");
    let unknown = connect_four.generate(&Parameters::new().with("depth", 3));
    assert_eq!(
        unknown.expect_err("an unknown name").to_string(),
        "connect_four has no parameter `depth`; it has width, height, in_a_row"
    );
    let too_long = connect_four.generate(&Parameters::new().with("in_a_row", 8));
    assert_eq!(
        too_long.expect_err("a line that does not fit").to_string(),
        "connect_four: in_a_row is 8, but no line of the board is longer than 7"
    );
    let clique = Parameters::new().with("variables", 3).with("width", 3);
    let error = family("rule_width").expect("a family").generate(&clique);
    assert!(matches!(error, Err(GenerateError::Conflict { .. })));
}

#[test]
fn the_readme_lists_every_family() {
    let readme = include_str!("../../README.md");
    for family in families() {
        assert!(readme.contains(&format!("`{}`", family.name())), "{}", family.name());
        for parameter in family.parameters() {
            let row = format!(
                "`{}` {} ({} to {})",
                parameter.name, parameter.default, parameter.min, parameter.max
            );
            assert!(readme.contains(&row), "{}: {row}", family.name());
        }
    }
}

#[test]
fn random_games_are_well_formed_and_small() {
    let mut texts = std::collections::BTreeSet::new();
    for seed in 0..500 {
        let text = random_game(seed);
        check_text(&format!("random_game {seed}"), &text);
        assert!(text.len() < 10_000);
        assert_eq!(text, random_game(seed));
        texts.insert(text);
    }
    assert_eq!(texts.len(), 500);
}
