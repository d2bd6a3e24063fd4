//! What the stages would have stored of a turn's words beside its items.

use saidso_core::{
    passages::{self, PassageVector},
    scope::Scope,
    seal::{self, Field, Generation, NamedKey, Place},
    turn::Turn,
};

use super::{GENERATION, Stored, World, embedders::concepts};

impl World {
    /// Gives the passages of a stored turn their vectors.
    pub fn embed_passages(&self, scope: &Scope, stored: &Stored) {
        let mut spaces = self.spaces.lock().unwrap();
        let partition = spaces.get_mut(&scope.key()).unwrap();
        let row = partition.turns.iter().find(|row| row.turn == stored.turn).unwrap();
        let key = NamedKey { id: row.sealed.key, key: partition.keys[&row.sealed.key].clone() };
        let place = |generation, field| Place { scope, id: *stored.turn.as_bytes(), generation, field };
        let turn: Turn = seal::open(&key.key, place(Generation::ALL, Field::Turn), &row.sealed).unwrap();
        let passages = passages::to_embed(&turn.meta, turn.body, &[]);
        let vectors: Vec<PassageVector> = passages.iter().map(|said| said.embedded(concepts(&said.text))).collect();
        let sealed = seal::seal(&key, place(GENERATION, Field::Passages), &vectors, &self.entropy);
        partition.rows.passages.push((stored.turn, sealed));
    }
}
