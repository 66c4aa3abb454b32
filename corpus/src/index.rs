//! What is known of public games, none of which is here: names and counts, by the hash of the file.

/// What is known of a public game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownGame<'index> {
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: &'index str,
    /// Its name where it was published.
    pub name: &'index str,
    /// How many fluents gringo finds with Schiffel's program.
    pub base: Option<u64>,
    /// How many moves of all roles, from the same.
    pub input: Option<u64>,
    /// Distinct rules of the residual flat program with a dynamic head, from the same.
    pub residual_rules: Option<u64>,
    /// Rules in gringo's output, flat.
    pub gringo_rules: Option<u64>,
    /// Rules in gringo's output, with projection.
    pub gringo_projected_rules: Option<u64>,
    /// Components of the propositional network that ggp-base makes (`OptimizingPropNetFactory`).
    pub ggp_base_components: Option<u64>,
}

const INDEX: &str = include_str!("../index.tsv");

/// What is known of the public game whose file has this SHA-256, in lower-case hexadecimal.
///
/// ```
/// let hash = "0000000000000000000000000000000000000000000000000000000000000000";
/// assert_eq!(groundfrog_corpus::known_game(hash), None);
/// ```
pub fn known_game(sha256: &str) -> Option<KnownGame<'static>> {
    known_games().find(|game| game.sha256 == sha256)
}

/// All that are known, sorted by name.
pub fn known_games() -> impl Iterator<Item = KnownGame<'static>> {
    INDEX
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).expect("the index is written by index.py and read by the tests"))
}

fn parse(line: &'static str) -> Option<KnownGame<'static>> {
    let mut fields = line.split('\t');
    let (sha256, name) = (fields.next()?, fields.next()?);
    // Where the text comes from is for people.
    fields.next()?;
    let mut count = || match fields.next()? {
        "-" => Some(None),
        number => number.parse().ok().map(Some),
    };
    Some(KnownGame {
        sha256,
        name,
        base: count()?,
        input: count()?,
        residual_rules: count()?,
        gringo_rules: count()?,
        gringo_projected_rules: count()?,
        ggp_base_components: count()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_can_be_read_and_found() {
        let mut hashes = std::collections::BTreeSet::new();
        for line in INDEX.lines().filter(|line| !line.starts_with('#')) {
            let game = parse(line).unwrap_or_else(|| panic!("cannot read `{line}`"));
            let is_hash = game.sha256.len() == 64
                && game.sha256.bytes().all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it));
            assert!(is_hash, "{line}");
            assert!(hashes.insert(game.sha256), "{} is there twice", game.name);
            assert_eq!(known_game(game.sha256), Some(game));
            assert_eq!(line.split('\t').count(), 9, "{line}");
        }
        assert!(hashes.len() > 200, "{}", hashes.len());
    }

    #[test]
    fn counts_of_others_are_there() {
        let tic_tac_toe = known_games().find(|it| it.name == "ticTacToe");
        assert_eq!(tic_tac_toe.and_then(|it| it.residual_rules), Some(265));
    }
}
