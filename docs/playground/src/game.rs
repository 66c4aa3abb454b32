//! A game that is played in the page.

use groundfrog::{Description, RoleId};
use groundfrog_arena::board::{Click, DrawnState, Layout, Look};
use groundfrog_reasoner::open::is_imperfect;
use groundfrog_reasoner::{
    BitParallel, GroundReasoner, LANES, MoveId, Random, Reasoner, State, Vocabulary,
};
use serde_json::{Value, json};
use std::time::Duration;
use wasm_bindgen::prelude::*;
use web_time::Instant;

/// Joint moves after which a playout is given up.
const LONGEST: u32 = 1000;

/// How long boards are looked for.
const LAYOUT: Duration = Duration::from_secs(2);

/// A game: its rules, and how its states are drawn.
#[wasm_bindgen]
pub struct Game {
    title: String,
    imperfect: bool,
    reasoner: GroundReasoner,
    lanes: BitParallel,
    layout: Layout,
}

#[wasm_bindgen]
impl Game {
    /// Opens a game.
    ///
    /// # Errors
    /// The text is no game or is not ground in that time.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, title: &str, seconds: f64) -> Result<Game, String> {
        let description: Description = crate::parsed(text, title)?;
        let mut reasoner = crate::opened(&description, seconds)?;
        let game = std::sync::Arc::clone(reasoner.game());
        let lanes = BitParallel::new(game).map_err(|error| error.to_string())?;
        let layout = Layout::new(&description, &mut reasoner, LAYOUT, &Look::default());
        let imperfect = is_imperfect(&description);
        Ok(Game { title: title.to_owned(), imperfect, reasoner, lanes, layout })
    }

    /// What the page gets of a game.
    ///
    /// # Errors
    /// The rules have no answer.
    pub fn view(&mut self) -> Result<String, String> {
        let first = self.look(&self.initial()?)?;
        let first: Value = serde_json::from_str(&first).map_err(|error| error.to_string())?;
        let roles = self.roles();
        let players: Vec<&String> =
            roles.iter().filter(|it| !it.eq_ignore_ascii_case("random")).collect();
        let view = json!({
            "title": self.title,
            "roles": roles,
            "players": players,
            "imperfect": self.imperfect,
            "boards": self.layout.boards(),
            "look": Look::default(),
            "first": first,
            "first_row_below": self.layout.first_row_below(),
            "most_clicks": self.layout.most_clicks(),
            "not_ground": null,
        });
        Ok(view.to_string())
    }

    /// What is known of it, as the page shows it.
    pub fn knowledge(&self) -> String {
        json!({ "title": self.title, "known": self.layout.known() }).to_string()
    }

    /// The initial state: a list of fluents, as all states are.
    ///
    /// # Errors
    /// The rules have no answer.
    pub fn initial(&self) -> Result<String, String> {
        let state = self.reasoner.state_text(self.reasoner.initial());
        Ok(json!(state.map_err(|error| error.to_string())?).to_string())
    }

    /// What a state is like: `terminal`, `goals` and `legal` by role, each move with its `clicks`, and `cells` and `facts` to draw.
    ///
    /// # Errors
    /// It is no state of the game.
    pub fn look(&mut self, state: &str) -> Result<String, String> {
        let (state, texts) = self.state(state)?;
        let terminal = self.reasoner.is_terminal(&state).map_err(|error| error.to_string())?;
        let drawn = DrawnState::new(&self.layout, &mut self.reasoner, &texts);
        let (mut goals, mut legal) = (Vec::new(), Vec::new());
        for role in self.reasoner.role_ids() {
            let (mut values, mut moves) = (Vec::new(), Vec::new());
            let found = self.reasoner.goal_values(&state, role, &mut values);
            found.map_err(|error| error.to_string())?;
            if !terminal {
                let found = self.reasoner.legal_moves(&state, role, &mut moves);
                found.map_err(|error| error.to_string())?;
            }
            goals.push(values);
            let texts: Vec<String> = moves.iter().map(|&it| self.reasoner.move_text(it)).collect();
            legal.push(self.layout.shown(&mut self.reasoner, role, &texts, &drawn));
        }
        let look = json!({
            "terminal": terminal, "goals": goals, "legal": legal, "cells": drawn.cells,
            "edges": drawn.edges, "facts": drawn.facts,
        });
        Ok(look.to_string())
    }

    /// The state after a joint move, a list in the order of the roles, and what each role perceives: `state`, `percepts`, and the
    /// `clicks` of the moves.
    ///
    /// # Errors
    /// A move is not legal.
    pub fn apply(&mut self, state: &str, moves: &str) -> Result<String, String> {
        let (state, _) = self.state(state)?;
        let texts: Vec<String> = serde_json::from_str(moves).map_err(|error| error.to_string())?;
        let mut made = Vec::new();
        for (role, text) in (0..).map(RoleId).zip(&texts) {
            let unknown = || format!("`{text}` is no move of this role");
            made.push(self.reasoner.find_move(role, text).ok_or_else(unknown)?);
        }
        let mut next = State::default();
        let stepped = self.reasoner.next_state(&state, &made, &mut next);
        stepped.map_err(|error| error.to_string())?;
        let seen = self.reasoner.percepts(&state, &made).map_err(|error| error.to_string())?;
        let printer = groundfrog::description::Printer::new(self.reasoner.symbols());
        let text = |percepts: &Vec<groundfrog::Term>| -> Vec<String> {
            percepts.iter().map(|term| printer.term(term).to_string()).collect()
        };
        let percepts: Vec<Vec<String>> = seen.iter().map(text).collect();
        let clicks: Vec<Vec<Click>> = made.iter().map(|&it| self.clicks(it)).collect();
        let state = self.reasoner.state_text(&next).map_err(|error| error.to_string())?;
        Ok(json!({ "state": state, "percepts": percepts, "clicks": clicks }).to_string())
    }

    /// A move of a role, by plain Monte Carlo for so many seconds: `action`, `value`, `playouts`, and `candidates`.
    ///
    /// # Errors
    /// The role has no legal move.
    pub fn choose(
        &mut self,
        state: &str,
        role: u32,
        seconds: f64,
        seed: f64,
    ) -> Result<String, String> {
        let (state, _) = self.state(state)?;
        let role = RoleId(role);
        let mut legal = Vec::new();
        let found = self.reasoner.legal_moves(&state, role, &mut legal);
        found.map_err(|error| error.to_string())?;
        if legal.is_empty() {
            return Err("there is no legal move".to_owned());
        }
        let mut random = Random::new(seed.to_bits());
        let mut estimates = vec![(0u64, 0i64); legal.len()];
        let until = Instant::now() + Duration::try_from_secs_f64(seconds).unwrap_or_default();
        while legal.len() > 1 && Instant::now() < until {
            self.play_out(&state, role, &legal, &mut random, &mut estimates)?;
        }
        Ok(self.decided(&legal, &estimates))
    }
}

impl Game {
    fn roles(&self) -> Vec<String> {
        self.reasoner.role_ids().map(|it| self.reasoner.role_text(it)).collect()
    }

    /// A state from a list of fluents, and these.
    fn state(&mut self, text: &str) -> Result<(State, Vec<String>), String> {
        let texts: Vec<String> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let mut fluents = Vec::new();
        for text in &texts {
            let unknown = || format!("`{text}` is no fluent of this game");
            fluents.push(self.reasoner.find_fluent(text).ok_or_else(unknown)?);
        }
        Ok((State::of(fluents), texts))
    }

    /// The clicks that make a move; a line is clicked itself.
    fn clicks(&self, made: MoveId) -> Vec<Click> {
        let (term, symbols) = (self.reasoner.move_term(made).1, self.reasoner.symbols());
        match self.layout.edge(&term, symbols) {
            Some(_) => Vec::new(),
            None => self.layout.clicks(&term, symbols),
        }
    }

    /// Plays a match in each lane: after each of the moves in turn, the others moving at random.
    fn play_out(
        &mut self,
        state: &State,
        role: RoleId,
        legal: &[MoveId],
        random: &mut Random,
        estimates: &mut [(u64, i64)],
    ) -> Result<(), String> {
        let roles = self.roles().len();
        let first = (random.next_word() % legal.len() as u64) as usize;
        let lanes: Vec<usize> = (0..LANES).collect();
        let tried = |lane: usize| (first + lane) % legal.len();
        let mut given = vec![None; LANES * roles];
        lanes
            .iter()
            .for_each(|&lane| given[lane * roles + role.index()] = Some(legal[tried(lane)]));
        self.lanes.start_from(&vec![state.clone(); LANES]).map_err(|error| error.to_string())?;
        self.lanes.step_given(&lanes, &given, random).map_err(|error| error.to_string())?;
        self.lanes.run(random, LONGEST);
        for (lane, goal) in self.lanes.final_goals(role).iter().enumerate() {
            if let Some(goal) = goal {
                estimates[tried(lane)].0 += 1;
                estimates[tried(lane)].1 += goal;
            }
        }
        Ok(())
    }

    fn decided(&self, legal: &[MoveId], estimates: &[(u64, i64)]) -> String {
        let mean = |it: &(u64, i64)| (it.0 > 0).then(|| it.1 as f64 / it.0 as f64);
        let best = (0..legal.len())
            .rev()
            .max_by(|&one, &other| {
                let value = |it: usize| mean(&estimates[it]).unwrap_or(-1.0);
                value(one).total_cmp(&value(other))
            })
            .unwrap_or(0);
        let candidates = legal.iter().zip(estimates).map(|(&it, tried)| {
            json!({ "action": self.reasoner.move_text(it), "visits": tried.0, "value": mean(tried) })
        });
        let decision = json!({
            "action": self.reasoner.move_text(legal[best]),
            "method": "mcts",
            "value": mean(&estimates[best]),
            "proven": false,
            "nodes": 0,
            "playouts": estimates.iter().map(|it| it.0).sum::<u64>(),
            "line": [],
            "candidates": candidates.collect::<Vec<Value>>(),
            "memory": 0,
        });
        decision.to_string()
    }
}
