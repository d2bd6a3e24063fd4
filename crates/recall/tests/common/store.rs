//! What is stored of a world.

use std::sync::atomic::Ordering;

use saidso_core::{
    fault::Fault,
    ids::{TenantId, TurnId},
    marks::Mark,
    ports::{ReadBackRow, SpaceRows, SpaceTurns, Store, TurnRow},
    position::Position,
    scope::Scope,
    seal::Generation,
};

use super::{GENERATION, World};

impl Store for World {
    fn turn(&self, scope: &Scope, turn: TurnId) -> Result<Option<TurnRow>, Fault> {
        Ok(self.turns(scope)?.into_iter().find(|row| row.turn == turn))
    }

    fn turns(&self, scope: &Scope) -> Result<Vec<TurnRow>, Fault> {
        Ok(self.spaces.lock().unwrap().get(&scope.key()).map(|p| p.turns.clone()).unwrap_or_default())
    }

    fn each_space(
        &self,
        _: &dyn Fn(TenantId) -> bool,
        _: &mut dyn FnMut(SpaceTurns) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        Ok(())
    }

    fn rows(&self, scope: &Scope, generation: Generation) -> Result<SpaceRows, Fault> {
        assert_eq!(generation, GENERATION);
        self.loads.fetch_add(1, Ordering::Relaxed);
        let rows = self.spaces.lock().unwrap().get(&scope.key()).map(|p| p.rows.clone()).unwrap_or_default();
        let mut closed = self.gate.lock().unwrap();
        while *closed {
            closed = self.opened.wait(closed).unwrap();
        }
        Ok(rows)
    }

    fn applied(&self, scope: &Scope, _: Generation) -> Result<Option<Position>, Fault> {
        Ok(self.spaces.lock().unwrap().get(&scope.key()).and_then(|p| p.rows.applied))
    }

    fn marks(&self, scope: &Scope) -> Result<Vec<Mark>, Fault> {
        Ok(self.spaces.lock().unwrap().get(&scope.key()).map(|p| p.marks.clone()).unwrap_or_default())
    }

    fn read_backs(&self, _: &Scope) -> Result<Vec<ReadBackRow>, Fault> {
        Ok(Vec::new())
    }
}
