//! What variables are where two tuples are equal.

use groundfrog_engine::Argument;

/// What variables are, each at most once, perhaps other variables.
#[derive(Debug, Default)]
pub struct Equality {
    values: Vec<(u32, Argument)>,
}

impl Equality {
    /// What variables are where two tuples are equal; `None` if they cannot be. Where one of two variables is the
    /// other, one of those to be replaced is, if one of them is among these.
    pub fn of(
        left: &[Argument],
        right: &[Argument],
        is_to_be_replaced: impl Fn(u32) -> bool,
    ) -> Option<Self> {
        let mut equality = Equality::default();
        for (&left, &right) in left.iter().zip(right) {
            let is_replaced = |it: Argument| it.variable().is_some_and(&is_to_be_replaced);
            let (left, right) = (equality.value(left), equality.value(right));
            let (left, right) = if is_replaced(left) { (left, right) } else { (right, left) };
            match (left, right) {
                _ if left == right => {}
                (Argument::Variable(it), value) | (value, Argument::Variable(it)) => {
                    equality.values.push((it, value));
                }
                (Argument::Constant(_), Argument::Constant(_)) => return None,
            }
        }
        Some(equality)
    }

    /// What an argument is.
    pub fn value(&self, argument: Argument) -> Argument {
        // A variable is replaced by what was not replaced before, so that later pairs have the last word.
        self.values.iter().fold(argument, |it, &(variable, value)| {
            if it == Argument::Variable(variable) { value } else { it }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Argument = Argument::Constant(7);
    const B: Argument = Argument::Constant(8);

    fn variable(number: u32) -> Argument {
        Argument::Variable(number)
    }

    #[test]
    fn variables_are_replaced_by_those_that_stay() {
        let equality =
            Equality::of(&[variable(0), variable(3)], &[variable(2), variable(1)], |it| it < 2);
        let equality = equality.expect("they can be equal");
        let values = [0, 1, 2, 3].map(|it| equality.value(variable(it)));
        assert_eq!(values, [variable(2), variable(3), variable(2), variable(3)]);
    }

    #[test]
    fn what_is_equal_to_the_same_is_equal() {
        let (left, right) = ([variable(0), variable(0), variable(1)], [variable(1), A, A]);
        let equality = Equality::of(&left, &right, |_| false).expect("they can be equal");
        assert_eq!([0, 1].map(|it| equality.value(variable(it))), [A, A]);
        assert!(Equality::of(&[variable(0), variable(0)], &[A, B], |_| false).is_none());
        assert!(Equality::of(&[A, variable(0)], &[A, variable(0)], |_| false).is_some());
    }
}
