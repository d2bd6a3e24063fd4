//! How often memories were surfaced.

use futures::{StreamExt as _, TryStreamExt as _, stream};
use saidso_core::{decay::Hit, fault::Fault, ids::MemoryId, ports::Hits, scope::Scope};

use crate::{
    AT_ONCE, Cql, LISTED,
    cell::{Packed, Space},
    link::Step,
    tables::Tables,
};

impl Hits for Cql {
    fn hits(&self, scope: &Scope) -> Result<Vec<Hit>, Fault> {
        self.wait(read(&self.0.tables, scope.key()))
    }

    fn put_hits(&self, spaces: &[(Scope, Vec<Hit>)]) -> Result<(), Fault> {
        self.wait(put(&self.0.tables, spaces))
    }
}

async fn read(tables: &Tables, (tenant, space): Space) -> Result<Vec<Hit>, Fault> {
    let rows: Vec<(Packed<MemoryId>, i64, i64)> =
        tables.link.all(&tables.hits, (Packed(tenant), Packed(space))).await?;
    let hit =
        |(Packed(memory), count, last_ms)| Hit { memory, count: u32::try_from(count).unwrap_or(u32::MAX), last_ms };
    Ok(rows.into_iter().map(hit).collect())
}

/// One batch for each space, of at most [`LISTED`] rows.
async fn put(tables: &Tables, spaces: &[(Scope, Vec<Hit>)]) -> Result<(), Fault> {
    let batches = spaces.iter().flat_map(|(scope, hits)| hits.chunks(LISTED).map(|hits| (scope.key(), hits)));
    let put = |((tenant, space), hits): (Space, &[Hit])| {
        let step = |hit: &Hit| Step {
            statement: &tables.put_hit,
            values: Box::new((
                Packed(tenant),
                Packed(space),
                Packed(hit.memory),
                i64::from(hit.count),
                hit.last_ms,
                // The later hit wins. As if they were microseconds, so they lie in January 1970: never in the future.
                hit.last_ms.max(0),
            )),
        };
        tables.link.batch(hits.iter().map(step).collect())
    };
    stream::iter(batches.collect::<Vec<_>>()).map(put).buffer_unordered(AT_ONCE).try_collect().await
}
