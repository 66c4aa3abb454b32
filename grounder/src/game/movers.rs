//! Which atoms are moves, and who makes them.

/// What a mover is called that is no role.
pub(crate) const NOBODY: u32 = u32::MAX;

/// The moves of the roles.
#[derive(Debug)]
pub(crate) struct Moves {
    /// The number of the first atom `(does r m)`; the others follow.
    pub(crate) first: u32,
    /// By such atom: the role, as a small number, or [`NOBODY`].
    pub(crate) movers: Vec<u32>,
    /// By such atom: whether the move can ever be legal.
    pub(crate) is_possible: Vec<bool>,
}

impl Moves {
    /// Whether an atom is the move of something, a role or not.
    pub(crate) fn contain(&self, atom: u32) -> bool {
        (atom.wrapping_sub(self.first) as usize) < self.movers.len()
    }

    pub(crate) fn mover(&self, atom: u32) -> u32 {
        let position = atom.wrapping_sub(self.first) as usize;
        self.movers.get(position).copied().unwrap_or(NOBODY)
    }

    pub(crate) fn is_possible(&self, atom: u32) -> bool {
        self.is_possible[(atom - self.first) as usize]
    }

    /// The atoms that are moves of roles, ascending.
    pub(crate) fn of_roles(&self) -> impl Iterator<Item = u32> + '_ {
        let all = (self.first..).zip(&self.movers);
        all.filter(|&(_, &mover)| mover != NOBODY).map(|(atom, _)| atom)
    }

    /// The possible moves of each role, ascending.
    pub(crate) fn possible(&self) -> Vec<Vec<u32>> {
        let roles = self.movers.iter().filter(|&&it| it != NOBODY).max().map_or(0, |it| it + 1);
        let mut possible = vec![Vec::new(); roles as usize];
        for (position, (&mover, &is_possible)) in
            self.movers.iter().zip(&self.is_possible).enumerate()
        {
            if mover != NOBODY && is_possible {
                possible[mover as usize].push(self.first + position as u32);
            }
        }
        possible
    }
}
