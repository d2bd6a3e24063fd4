//! Reads of what is stored.

use std::collections::{BTreeMap, HashMap};

use saidso_core::{
    fault::{Code, Fault},
    ids::{ObservationId, SessionId, SpaceId, TenantId, TurnId},
    item::Kind,
    marks::Mark,
    observation::{ObservationRow, SealedObservation},
    ports::{ReadBackRow, SpaceRows, TurnRow},
    position::Position,
    seal::{Generation, Replaced, Sealed},
};

use crate::{
    LISTED,
    cell::{Packed, Space},
    tables::Tables,
    trouble::damaged,
};

/// Times a space is read anew because it moved on between two pages.
const READS: usize = 100;

/// A space's partition of one generation, as of one instant.
#[derive(Debug, Default)]
pub(crate) struct Partition {
    /// The last position folded in.
    pub(crate) applied: Option<Position>,
    /// The keys that the section at that position replaced.
    pub(crate) destroy: Vec<Replaced>,
    pub(crate) observations: Vec<ObservationRow>,
    /// For every turn that has some, the vectors of its passages.
    pub(crate) passages: Vec<(TurnId, Sealed)>,
}

/// The statics, then a row; of an empty partition the statics alone.
type PartitionRow = (
    Option<Packed<Position>>,
    Option<Packed<Vec<Replaced>>>,
    Option<Packed<[u8; 16]>>,
    Option<Packed<Kind>>,
    Option<Packed<TurnId>>,
    Option<Packed<Position>>,
    Option<i64>,
    Option<Packed<(Sealed, Option<Sealed>)>>,
);

type StoredTurn = (Packed<TurnId>, Option<Packed<Position>>, Option<Packed<Sealed>>, Option<Packed<Sealed>>);

impl Tables {
    /// All of a partition. Pages are read one after the other: if the space moved on meanwhile, it is read again.
    pub(crate) async fn read_partition(
        &self,
        (tenant, space): Space,
        generation: Generation,
    ) -> Result<Partition, Fault> {
        let key = (Packed(tenant), Packed(space), number(generation)?);
        for _ in 0..READS {
            let pages: Vec<Vec<PartitionRow>> = self.link.pages(&self.partition, key).await?;
            let mut statics = pages.iter().filter_map(|page| page.first()).map(|row| row.0);
            let first = statics.next();
            if statics.all(|applied| Some(applied) == first) {
                return partition(pages);
            }
        }
        Err(Fault::retry(Code::StoreUnavailable, format!("read a space: it moved on during each of {READS} tries")))
    }

    /// [`saidso_core::ports::Store::rows`].
    pub(crate) async fn read_rows(&self, space: Space, generation: Generation) -> Result<SpaceRows, Fault> {
        let Partition { applied, observations, passages, .. } = self.read_partition(space, generation).await?;
        let key = (Packed(space.0), Packed(space.1), number(generation)?);
        let ends: Vec<(Packed<SessionId>, i64)> = self.link.all(&self.sessions, key).await?;
        let mut ended = BTreeMap::new();
        for (Packed(session), at_ms) in ends {
            let latest = ended.entry(session).or_insert(at_ms);
            *latest = at_ms.max(*latest);
        }
        let observations = observations.into_iter().map(SealedObservation::stored).collect();
        Ok(SpaceRows { applied, observations, passages, ended: ended.into_iter().collect() })
    }

    /// [`saidso_core::ports::Store::applied`].
    pub(crate) async fn read_applied(
        &self,
        (tenant, space): Space,
        generation: Generation,
    ) -> Result<Option<Position>, Fault> {
        let key = (Packed(tenant), Packed(space), number(generation)?);
        let row: Option<(Option<Packed<Position>>,)> = self.link.one(&self.applied, key).await?;
        Ok(row.and_then(|(applied,)| applied).map(|Packed(applied)| applied))
    }

    /// [`saidso_core::ports::Store::turn`].
    pub(crate) async fn read_turn(&self, (tenant, space): Space, turn: TurnId) -> Result<Option<TurnRow>, Fault> {
        let row: Option<StoredTurn> = self.link.one(&self.turn, (Packed(tenant), Packed(space), Packed(turn))).await?;
        Ok(row.and_then(turn_row))
    }

    /// Where those of the turns stand that are known to be published.
    pub(crate) async fn read_positions(
        &self,
        (tenant, space): Space,
        turns: &[TurnId],
    ) -> Result<HashMap<TurnId, Position>, Fault> {
        let mut positions = HashMap::new();
        for turns in turns.chunks(LISTED) {
            let turns: Vec<Packed<TurnId>> = turns.iter().copied().map(Packed).collect();
            let rows: Vec<(Packed<TurnId>, Option<Packed<Position>>)> =
                self.link.all(&self.positions, (Packed(tenant), Packed(space), turns)).await?;
            positions.extend(rows.into_iter().filter_map(|(turn, position)| Some((turn.0, position?.0))));
        }
        Ok(positions)
    }

    /// [`saidso_core::ports::Store::turns`].
    pub(crate) async fn read_turns(&self, (tenant, space): Space) -> Result<Vec<TurnRow>, Fault> {
        let rows: Vec<StoredTurn> = self.link.all(&self.turns, (Packed(tenant), Packed(space))).await?;
        Ok(rows.into_iter().filter_map(turn_row).collect())
    }

    /// Every space that has a turn.
    pub(crate) async fn read_spaces(&self) -> Result<Vec<Space>, Fault> {
        let rows: Vec<(Packed<TenantId>, Packed<SpaceId>)> = self.link.all(&self.turn_spaces, ()).await?;
        Ok(rows.into_iter().map(|(Packed(tenant), Packed(space))| (tenant, space)).collect())
    }

    /// [`saidso_core::ports::Store::marks`].
    pub(crate) async fn read_marks(&self, (tenant, space): Space) -> Result<Vec<Mark>, Fault> {
        let rows: Vec<(Packed<Mark>,)> = self.link.all(&self.marks, (Packed(tenant), Packed(space))).await?;
        Ok(rows.into_iter().map(|(Packed(mark),)| mark).collect())
    }

    /// [`saidso_core::ports::Store::read_backs`].
    pub(crate) async fn read_read_backs(&self, (tenant, space): Space) -> Result<Vec<ReadBackRow>, Fault> {
        let rows: Vec<(Packed<ReadBackRow>,)> =
            self.link.all(&self.read_backs, (Packed(tenant), Packed(space))).await?;
        Ok(rows.into_iter().map(|(Packed(row),)| row).collect())
    }
}

/// A generation as its column holds it.
pub(crate) fn number(generation: Generation) -> Result<i32, Fault> {
    let refused = |_| Fault::stop(Code::Limit, format!("generation {} is past the last one", generation.0));
    generation.0.try_into().map_err(refused)
}

fn partition(pages: Vec<Vec<PartitionRow>>) -> Result<Partition, Fault> {
    let mut all = Partition::default();
    for (applied, destroy, id, kind, turn, position, at_ms, sealed) in pages.into_iter().flatten() {
        all.applied = applied.map(|Packed(applied)| applied);
        all.destroy = destroy.map(|Packed(destroy)| destroy).unwrap_or_default();
        let Some(Packed(id)) = id else { continue };
        match (kind, turn, position, at_ms, sealed) {
            (Some(Packed(kind)), Some(Packed(turn)), Some(Packed(position)), Some(at_ms), Some(Packed(sealed))) => {
                let (id, (body, vector)) = (ObservationId::from_bytes(id), sealed);
                all.observations.push(ObservationRow { id, turn, position, at_ms, kind, body, vector });
            }
            (None, None, None, None, Some(Packed((vectors, None)))) => {
                all.passages.push((TurnId::from_bytes(id), vectors));
            }
            _ => return Err(damaged("read a space", "a row is not whole")),
        }
    }
    Ok(all)
}

/// A row without words is none: a position was noted, or drops were set, of a turn that was never stored.
fn turn_row((Packed(turn), position, sealed, drops): StoredTurn) -> Option<TurnRow> {
    let Packed(sealed) = sealed?;
    let position = position.map(|Packed(position)| position);
    Some(TurnRow { turn, position, sealed, drops: drops.map(|Packed(drops)| drops) })
}
